"""Solvers of the cone complementarity problem of a step."""
