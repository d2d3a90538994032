"""Where data come from: files (extra ``files``)."""

from roctopus.engines.columns import numbers, values
from roctopus.engines.opening import is_table
from roctopus.engines.tables import Files

__all__ = ["Files", "is_table", "numbers", "values"]
