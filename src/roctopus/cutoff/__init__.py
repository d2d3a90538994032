"""A number is predicted, yes or no is decided at a cutoff that is known later."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
