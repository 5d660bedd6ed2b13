"""Actions of the application: what can be done to the Studio without a window.

Importing the package puts them all into the registry.
"""

from mechstudio.application.actions import (
    display,
    edit,
    gauges,
    insert,
    joints,
    marks,
    plots,
    select,
    simulate,
)
from mechstudio.application.actions.lessons import steps

__all__ = [
    "display",
    "edit",
    "gauges",
    "insert",
    "joints",
    "marks",
    "plots",
    "select",
    "simulate",
    "steps",
]
