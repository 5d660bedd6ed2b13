"""Poses on the constraint manifold: assembly, joint settings, drags, branches."""
