"""Tests of the helpers that balance and size."""
