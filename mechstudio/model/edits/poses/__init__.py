"""Edits of poses, with every joint closed as before."""
