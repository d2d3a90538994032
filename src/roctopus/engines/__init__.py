"""Where data come from: files (extra ``files``)."""

from roctopus.engines.columns import numbers, values
from roctopus.engines.files import FileTable, is_table, open_files, refuse_missing

__all__ = ["FileTable", "is_table", "numbers", "open_files", "refuse_missing", "values"]
