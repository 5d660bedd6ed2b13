"""Patterns of a part of a drawing: rows and circles of copies, joined as the part is joined."""
