"""Older files brought up to the present format, one step per version.

A change of the format is one function here that turns a document of version n into one of version n
+ 1, its row in STEPS,
FORMAT + 1, and an old sample kept for ever under tests/files/versions.

New sections, entries and types change no number: an older program keeps what it does not know, says
so at every opening, and writes it back.  So couplings, drives, laws, limits, curves and groups came
within format 1; what changes the meaning of an entry that an older program reads needs the next
number.
"""

from collections.abc import Callable, Mapping
from typing import Any

FORMAT = 1

Document = dict[str, Any]
Step = Callable[[Document], Document]

STEPS: dict[int, Step] = {}


def migrate(
    document: Document, version: int, steps: Mapping[int, Step] = STEPS, target: int = FORMAT
) -> Document:
    """The document as version `target` would have written it; a newer one comes back as it is."""
    for k in range(version, target):
        document = steps[k](document)
    return document
