"""Panes that show something else than curves over the time."""
