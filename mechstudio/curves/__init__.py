"""Curves of a run: quantities by name, their values, statistics, operations, pictures and files."""
