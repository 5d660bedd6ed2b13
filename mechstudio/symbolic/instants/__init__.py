"""Values of the equations at a sample of a run."""
