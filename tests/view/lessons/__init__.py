"""Tests of lessons in the window."""
