"""Synthesis in the window: what is asked for, the search, and its answers; no Qt."""
