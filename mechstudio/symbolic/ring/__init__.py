"""Polynomials over the symbols of a mechanism."""
