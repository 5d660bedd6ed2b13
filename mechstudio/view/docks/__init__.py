"""Docks around the viewport: what stands in them, where and when.

Importing the package puts all panels into the registry.
"""

from mechstudio.view.docks import panels

__all__ = ["panels"]
