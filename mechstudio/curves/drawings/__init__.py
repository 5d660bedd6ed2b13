"""Drawings with dimensions of a mechanism's front view, true to scale, as SVG or PDF."""
