"""Format of project files: schemas, checks, reading and writing."""
