"""Meshes of bodies and of the hardware of joints."""
