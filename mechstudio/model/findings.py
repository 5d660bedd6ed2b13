"""What a check has to say about a drawing: always the element, the cause and the cure."""

from typing import Literal

import msgspec

Severity = Literal["info", "warning", "error"]


class Finding(msgspec.Struct, frozen=True):
    """One statement about one element.

    element: its id ("" for the whole project).   redundancy: index into the analysis' redundancies of the one it tells of, -1 for none.
    action: what the program can do about it, an id of the ACTIONS table; "" for nothing.
    """

    severity: Severity
    element: str
    message: str
    cure: str = ""
    redundancy: int = -1
    action: str = ""
