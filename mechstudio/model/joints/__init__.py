"""Joints of a drawing: defaults, readings of coordinates, planarity, titles."""
