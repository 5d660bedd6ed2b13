"""Tools that copy the selection: its mirror image, a row, a circle."""
