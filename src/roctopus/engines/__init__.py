"""Where data come from: files (extra ``files``)."""

from roctopus.engines.columns import absent, is_text, numbers, values
from roctopus.engines.opening import is_table
from roctopus.engines.roles import Roles
from roctopus.engines.tables import Files

__all__ = ["Files", "Roles", "absent", "is_table", "is_text", "numbers", "values"]
