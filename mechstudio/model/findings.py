"""What a check has to say about a drawing: always the element, the cause and the cure."""

from typing import Literal

import msgspec

Severity = Literal["info", "warning", "error"]


class Finding(msgspec.Struct, frozen=True):
    """One statement about one element.  element: its id ("" for the whole project)."""

    severity: Severity
    element: str
    message: str
    cure: str = ""
