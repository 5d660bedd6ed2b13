"""Marks that a script adds to the drawing: trails, vectors, frames, ghosts."""

import itertools
from collections.abc import Sequence

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, known_type
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.model.edits.marks import is_there, place
from mechstudio.model.naming import is_shown, quoted
from mechstudio.model.project import Mark
from mechstudio.model.types.marks import COLORS, MARK_TYPES, PAIR, POINT, MarkType
from mechstudio.translation import comma, tr


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
    """A mark for Builder.mark, with a free id if none is given."""
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
    if id in taken or not is_shown(id):
        raise ValueError(tr("The id {id} is taken, or cannot be shown.", id=quoted(id)))
    id = id or next(name for name in free if name not in taken)
    made = Mark(id, type, body, point, joint, other, number, color)
    if color not in COLORS:
        raise ValueError(
            tr(
                "{mark}: there is no colour {color}; there are {colors}.",
                mark=words,
                color=color,
                colors=comma().join(COLORS),
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
    if problem := _unheard(kind, made):
        raise ValueError(f"{words}: {problem}")
    return made


def _unheard(kind: MarkType, made: Mark) -> str:
    """A sentence on arguments of a mark that its kind would not show; "" for none."""
    if made.point and POINT not in kind.on:
        return tr("it belongs to a whole body, not to a point of it.")
    if made.other and not ({POINT, PAIR} & set(kind.on) and (made.body or made.joint)):
        return tr("it is not seen from another body.")
    if made.other and made.other == made.body:
        return tr("a body is not seen from itself.")
    if made.value is not None and not kind.dimension:
        return tr("it has no number.")
    if made.value is not None and made.value < 0:
        return tr("its number is not negative.")
    return ""
