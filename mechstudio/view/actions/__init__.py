"""Actions of the window, and their binding to menus, keys and the palette."""
