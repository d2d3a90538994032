"""Over- and under-estimates cost differently: which model and shift for which asymmetry."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
