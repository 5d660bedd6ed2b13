"""Findings of a check on a drawing, always with the element, the cause and the cure."""

from typing import Literal

import msgspec

from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import comma, tr

LISTED = 5  # names listed in a sentence before it says how many more there are
Severity = Literal["info", "warning", "error"]


class Finding(msgspec.Struct, frozen=True):
    """One statement about one element.

    element: its id ("" for the whole project).  redundancy: index into the analysis' redundancies
    of the one it is about, -1 for none.
    action: what the program can do about it, an id of the ACTIONS table; "" for nothing.
    amounts: numbers of the message as (SI value, dimension, digits), in their order, so that it can
    be said in other units.
    """

    severity: Severity
    element: str
    message: str
    cure: str = ""
    redundancy: int = -1
    action: str = ""
    amounts: tuple[tuple[float, str, int], ...] = ()

    def said(self, units: str) -> str:
        """The message in a unit system."""
        out, at = self.message, 0
        for value, dimension, digits in self.amounts:
            written, requested = (
                format_value(value, dimension, system, digits) for system in (DEFAULT_SYSTEM, units)
            )
            found = out.find(written, at)
            if found >= 0:
                out, at = (
                    out[:found] + requested + out[found + len(written) :],
                    found + len(requested),
                )
        return out


def listed(names: list[str]) -> str:
    """A, B and C; long rows end in "and n more"."""
    names = [n or tr("a joint without a name") for n in names]
    if len(names) > LISTED + 1:
        first = comma().join(names[:LISTED])
        return tr("{names} and {count} more", names=first, count=len(names) - LISTED)
    return joined(names)


def joined(words: list[str]) -> str:
    """A, B and C, however many there are; "" for none."""
    if len(words) < 2:
        return "".join(words)
    return tr("{names} and {last}", names=comma().join(words[:-1]), last=words[-1])
