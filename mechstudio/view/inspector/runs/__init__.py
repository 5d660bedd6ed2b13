"""Settings of a run, its end, and its impacts."""
