"""Where data come from: files (extra ``files``)."""

from roctopus.engines.columns import numbers, values
from roctopus.engines.files import FileTable, open_files

__all__ = ["FileTable", "numbers", "open_files", "values"]
