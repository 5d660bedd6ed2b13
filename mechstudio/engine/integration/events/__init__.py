"""Instants within a step at which something happens: stops, dry friction, edges of cams, ends."""
