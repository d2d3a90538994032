"""Every case has its own value: what a model earns, at which threshold, as prices move."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
