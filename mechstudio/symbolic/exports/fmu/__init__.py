"""Functional mock-up units: the equations as C with a solver, for co-simulation (FMI 3.0)."""
