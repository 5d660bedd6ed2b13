"""Studies that are stored in a project."""
