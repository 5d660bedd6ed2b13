"""Derived equations as plain data."""
