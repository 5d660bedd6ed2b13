"""Constraint rows over the poses of bodies."""
