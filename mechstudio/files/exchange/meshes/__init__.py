"""Formats of surfaces, and convex hulls of open ones."""
