"""Models compared on more cases than memory holds, by scans of their rows."""

from roctopus.scanning.large import LargeComparison

__all__ = ["LargeComparison"]
