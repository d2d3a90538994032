"""The page: what a comparison says, in one file to share."""

from roctopus.report.page import make_page, write_page

__all__ = ["make_page", "write_page"]
