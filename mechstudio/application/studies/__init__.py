"""Studies of the document: run beside the window, with their tables."""
