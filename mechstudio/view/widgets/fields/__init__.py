"""Fields for numbers and formulas: what they take, what they refuse, and who gets their keys."""
