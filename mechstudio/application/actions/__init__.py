"""Actions of the menus that need no widget."""
