"""Questions to the worker processes, and their answers."""
