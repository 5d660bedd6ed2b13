"""Lessons by steps, as they are gone through in front of a class or alone."""
