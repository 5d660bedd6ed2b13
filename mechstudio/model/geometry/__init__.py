"""Rotations, poses, planes, outlines and meshes."""
