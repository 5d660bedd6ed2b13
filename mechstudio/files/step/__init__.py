"""STEP files: Open Cascade reads them in a process of its own."""
