"""Convex shapes with each other: distance, facing features, their common part."""
