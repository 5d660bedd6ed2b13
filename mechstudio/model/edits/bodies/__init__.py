"""Edits of bodies: shapes, solids, sizes, named points."""
