"""Edits of the open document with their undo labels."""
