"""Figures beside the drawing: ghosts, axes, ellipsoids, instant centres, as lines and symbols."""
