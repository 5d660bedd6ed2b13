"""Synthesis: dimensions of planar linkages whose motion is requested."""
