"""Typed numbers: grammar, dimensions and values of formulas."""
