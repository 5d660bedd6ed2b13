"""Collision detection: distances, contact points and normals of pairs of shapes."""
