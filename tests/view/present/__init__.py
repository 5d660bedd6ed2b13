"""Tests of the window in front of a class."""
