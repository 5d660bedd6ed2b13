"""Cards and dialogs over the window."""
