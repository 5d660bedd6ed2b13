"""Tools that join bodies."""
