"""Actions of the view: what needs a widget and takes the window.

Importing the package puts them all into the registry, beside those of the application.
"""

from mechstudio.view.actions import (
    camera,
    display,
    edit,
    file,
    help,
    insert,
    lessons,
    panels,
    present,
    tools,
)

__all__ = [
    "camera",
    "display",
    "edit",
    "file",
    "help",
    "insert",
    "lessons",
    "panels",
    "present",
    "tools",
]
