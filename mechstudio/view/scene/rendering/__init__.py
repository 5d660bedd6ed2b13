"""Rendering of a scene over vispy.gloo: shaders, vertex buffers, backdrop and ghosts."""
