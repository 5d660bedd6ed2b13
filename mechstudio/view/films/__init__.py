"""Frames of films: the scene at any instant of a run, with what is painted over and under it."""
