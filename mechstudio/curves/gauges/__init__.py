"""Gauges: what they read over poses of the bodies, and where their dimensions are drawn."""
