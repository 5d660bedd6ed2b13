"""Fields for numbers and formulas: accepted and refused text, and the routing of their keys."""
