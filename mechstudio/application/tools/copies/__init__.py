"""Tools that make copies of what is selected: its mirror image, a row, a circle."""
