"""Pictures (extra ``plot``): matplotlib displays in the manner of scikit-learn's."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
