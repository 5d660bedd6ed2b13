"""Films of a run: what is chosen, which instants they show, and how they get into a file."""
