"""Accessibility of widgets without a mouse or without sight: focus, Tab, roles and values."""
