"""Derivations of the equations of motion by independent methods."""
