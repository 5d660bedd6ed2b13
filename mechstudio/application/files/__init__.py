"""Opening, saving and recovery of project files."""
