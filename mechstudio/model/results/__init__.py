"""Results of the engine as plain data."""
