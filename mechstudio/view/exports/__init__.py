"""The export sheet: one page for each kind of file that leaves the window."""
