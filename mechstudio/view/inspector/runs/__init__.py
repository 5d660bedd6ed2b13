"""Settings of a run, its end, and what it struck."""
