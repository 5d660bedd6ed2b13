"""Menus of plots: of a pane, of a curve and its look, of measured data."""
