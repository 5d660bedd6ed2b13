"""Tests of lessons without a window."""
