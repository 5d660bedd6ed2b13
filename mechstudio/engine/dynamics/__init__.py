"""Loads, accelerations and reactions at one instant."""
