"""Panes of plots: quantities in them, their layout, and what is read off them; no widget."""
