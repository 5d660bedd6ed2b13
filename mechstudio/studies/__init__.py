"""Studies: one mechanism run many times with other numbers, on one core or on many machines."""
