"""Velocities, loop rows and load efforts in symbols."""
