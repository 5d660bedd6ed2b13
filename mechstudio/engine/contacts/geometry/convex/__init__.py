"""Convex shapes with each other: distance, features that look at each other, their common part."""
