"""Checks of a drawing before it is run."""
