"""Flat patches: their area, their rows in the cone problem, and their solution."""
