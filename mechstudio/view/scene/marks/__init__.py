"""Marks of the scene on the screen: paths on the graphics device, arrows, and the list of all."""
