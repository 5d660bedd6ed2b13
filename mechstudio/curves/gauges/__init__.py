"""Gauges: their readings over poses of the bodies, and the places of their dimensions."""
