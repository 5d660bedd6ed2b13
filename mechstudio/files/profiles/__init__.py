"""Outlines from drawing programs, DXF and SVG, that become plates with holes."""
