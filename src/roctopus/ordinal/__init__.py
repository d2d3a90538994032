"""Cases are graded into ordered classes: does the ranking hold, and where to cut."""

from roctopus.core.lazy import listed_names

__getattr__, __dir__, __all__ = listed_names(__name__)
