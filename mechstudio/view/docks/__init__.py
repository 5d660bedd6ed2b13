"""Docks around the viewport: what stands in them, where and when.

Whoever imports the package has all panels in the registry.
"""

from mechstudio.view.docks import panels

__all__ = ["panels"]
