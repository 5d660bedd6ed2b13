"""Marks and cards painted over the scene."""
