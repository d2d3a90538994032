"""Where data come from: files (extra ``files``)."""

from roctopus.engines.columns import numbers, values
from roctopus.engines.files import FileTable, refuse_missing
from roctopus.engines.opening import is_table, open_files

__all__ = ["FileTable", "is_table", "numbers", "open_files", "refuse_missing", "values"]
