"""Angles of the attitudes of bodies against the world's axes, and their values in a run."""
