"""Binary models that give probabilities: ranking and magnitudes together."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
