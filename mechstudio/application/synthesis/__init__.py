"""Synthesis in the window: what is requested, the search, and its answers; no Qt."""
