"""Handles that are dragged in the scene."""
