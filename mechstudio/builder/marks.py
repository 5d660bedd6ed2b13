"""Marks that a script puts beside the drawing: trails, vectors, frames, ghosts."""

import itertools
from collections.abc import Sequence

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, known_type
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.model.edits.marks import is_there, place
from mechstudio.model.project import Mark
from mechstudio.model.types.marks import COLORS, MARK_TYPES
from mechstudio.translation import tr


def mark(
    draft: Draft,
    type: str,
    on: BodyHandle | JointHandle | str,
    point: str,
    seen_from: BodyHandle | str,
    value: Number | None,
    color: str,
    id: str,
    known: Sequence[Mark],
) -> Mark:
    """A mark as Builder.mark takes it, with a free id where none is given."""
    kind = known_type(MARK_TYPES, type, "mark")
    words = tr(kind.label)
    body = joint = ""
    if isinstance(on, JointHandle):
        joint = draft.joint(on, words).id
    elif on:
        body = on if isinstance(on, str) else draft.body(on, words).id
    other = seen_from if isinstance(seen_from, str) else draft.body(seen_from, words).id
    number = None if value is None else draft.quantity(value, kind.dimension, words).value
    free = (f"m{k}" for k in itertools.count(1))
    taken = {m.id for m in known}
    id = id or next(name for name in free if name not in taken)
    made = Mark(id, type, body, point, joint, other, number, color)
    if color not in COLORS:
        raise ValueError(
            tr(
                "{mark}: there is no colour {color}; there are {colors}.",
                mark=words,
                color=color,
                colors=", ".join(COLORS),
            )
        )
    if not kind.fits(body, joint) or not is_there(draft.mechanism, place(made)):
        raise ValueError(
            tr(
                "{mark}: it belongs to what it is on, and that is not in the drawing: a body, a "
                "point of it, a joint, or nothing for the whole scene.",
                mark=words,
            )
        )
    return made
