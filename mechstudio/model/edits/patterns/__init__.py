"""Patterns of a part of a drawing: rows, circles and mirror images of it, joined as it is."""
