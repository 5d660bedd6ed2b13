"""Measuring in the scene: the features under the pointer, and the tool."""
