"""Panel of equations."""
