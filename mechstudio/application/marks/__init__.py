"""Marks of the scene as arrays in W: trails, arrows and what else is shown beside the drawing."""
