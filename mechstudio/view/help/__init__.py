"""The manual in the window: its pages, what is found in them, and what a widget is about."""
