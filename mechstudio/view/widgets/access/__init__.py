"""Widgets for whoever does without a mouse or without seeing: focus, Tab, roles and values."""
