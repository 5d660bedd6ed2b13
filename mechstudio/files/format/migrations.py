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

from mechstudio.files.format.json_text import is_list, is_object

FORMAT = 2

Document = dict[str, Any]
Step = Callable[[Document], Document]


def _forms_of_curves(document: Document) -> Document:
    """Format 1 had flags in place of a curve's form: circle, and smooth, which most curves are."""
    joints = document.get("joints")
    if not is_list(joints):
        return document
    return {**document, "joints": [_formed(joint) for joint in joints]}


def _formed(joint: Any) -> Any:
    curve = joint.get("curve") if is_object(joint) else None
    if not is_object(curve):
        return joint
    rest = {k: v for k, v in curve.items() if k not in ("smooth", "circle")}
    if curve.get("circle") is True:
        rest["form"] = "circle"
    elif curve.get("smooth") is False:
        rest["form"] = "polyline"
    return {**joint, "curve": rest}


STEPS: dict[int, Step] = {1: _forms_of_curves}


def migrate(
    document: Document, version: int, steps: Mapping[int, Step] = STEPS, target: int = FORMAT
) -> Document:
    """The document as version `target` would have written it; a newer one comes back as it is."""
    for k in range(version, target):
        document = steps[k](document)
    return document
