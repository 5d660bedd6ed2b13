"""Optimisation: the numbers of a mechanism that serve a goal best."""
