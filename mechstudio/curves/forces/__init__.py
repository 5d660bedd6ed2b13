"""Courses of forces between two points, from the samples of a run."""
