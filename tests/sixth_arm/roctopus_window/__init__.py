"""Arrive within a window that opens and closes, when patience after closing is not known."""
