"""Joints in the scene, with their stops, drives and glyphs."""
