"""Messages and shared memory between the window and the worker."""
