"""Contacts of a Builder: what touches, the floor, surfaces, and how contacts are stepped."""

from collections.abc import Mapping, Sequence

import msgspec

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number
from mechstudio.builder.handles import BodyHandle
from mechstudio.model.contact import (
    CONTACT_METHODS,
    IMPACT_LAWS,
    MOST_ITERATIONS,
    NUMBERS,
    PAIR_NUMBERS,
    SURFACE_TYPES,
    ContactPair,
    Floor,
    Surface,
)
from mechstudio.model.element_fields.contacts import CONTACT_FIELDS, surface_fields
from mechstudio.model.fields import Field, problem
from mechstudio.model.quantity import Quantity
from mechstudio.translation import comma, tr

_replace = msgspec.structs.replace


def surface(draft: Draft, handle: BodyHandle, type: str, numbers: Mapping[str, Number]) -> None:
    """Give a body a surface."""
    body = draft.body(handle, "surface")
    draft.put_body(_replace(body, surface=_surface(draft, type, numbers, body.name)))


def floor(draft: Draft, height: Number, type: str, numbers: Mapping[str, Number]) -> None:
    """Lay a floor and put contacts on."""
    level = draft.quantity(height, "length", tr("floor, height"))
    laid = Floor(level, _surface(draft, type, numbers, "floor"))
    _put_contacts(draft, enabled=True, floor=laid)


def touch(
    draft: Draft,
    numbers: Mapping[str, Number | None],
    impacts: str | None,
    method: str | None,
    most: int | None,
) -> None:
    """Put contacts on, and set how they are stepped; None for as usual."""
    changes: dict[str, str | int | Quantity] = {}
    for key, table, what in (
        (impacts, IMPACT_LAWS, "impacts"),
        (method, CONTACT_METHODS, "method"),
    ):
        if key is not None:
            if key not in table:
                raise ValueError(
                    tr(
                        "There is no {what} {key}; known are {table}.",
                        what=what,
                        key=key,
                        table=comma().join(table),
                    )
                )
            changes[what] = key
    for field in CONTACT_FIELDS:
        name = str(field.path[-1])
        if (number := numbers[name]) is not None:
            changes[name] = _bounded(draft, number, field, "contacts")
    if most is not None:
        if not (isinstance(most, int) and 1 <= most <= MOST_ITERATIONS):
            raise ValueError(
                tr(
                    "The iterations of contacts must be a whole number from 1 to "
                    "{most_iterations:,}, not {most}.",
                    most_iterations=MOST_ITERATIONS,
                    most=most,
                )
            )
        changes["most"] = most
    contacts = _replace(draft.settings.contacts, **changes)
    draft.settings = _replace(draft.settings, contacts=contacts)
    _put_contacts(draft, enabled=True)


def pair(
    draft: Draft,
    a: BodyHandle,
    b: BodyHandle,
    touch: bool,
    type: str | None,
    numbers: Mapping[str, Number],
) -> None:
    """Say that two bodies touch, or do not; of two words on a pair the last counts."""
    named = " and ".join(draft.body(each, "pair").name for each in (a, b))
    if not isinstance(touch, bool):
        raise ValueError(
            tr(
                "{named}: whether they touch is True or False, not {touch}.",
                named=named,
                touch=str(touch)[:60],
            )
        )
    surface = None
    if type is not None or numbers:
        surface = _surface(draft, type or "plain", numbers, named, PAIR_NUMBERS)
    if a.id == b.id:
        raise ValueError(tr("{body} makes no pair with itself.", body=a.body.name))
    others = (p for p in draft.mechanism.contacts.pairs if {p.body_a, p.body_b} != {a.id, b.id})
    _put_contacts(draft, pairs=(*others, ContactPair(a.id, b.id, touch, surface=surface)))


def untouchable(draft: Draft, handle: BodyHandle) -> None:
    """Let a body pass through everything."""
    draft.put_body(_replace(draft.body(handle, "untouchable"), touches=False))


def _surface(
    draft: Draft,
    type: str,
    numbers: Mapping[str, Number],
    what: str,
    known: Sequence[str] = NUMBERS,
) -> Surface:
    if type not in SURFACE_TYPES:
        raise ValueError(
            tr(
                "{what}: there is no surface {type}; known are {surface_types}.",
                what=what,
                type=type,
                surface_types=comma().join(SURFACE_TYPES),
            )
        )
    if unknown := numbers.keys() - set(known):
        raise ValueError(
            tr(
                "{what}: a surface has no {unknown}; its numbers are {numbers}.",
                what=what,
                unknown=comma().join(sorted(unknown)),
                numbers=comma().join(known),
            )
        )
    fields = {str(f.path[-1]): f for f in surface_fields(Surface(), (), True)}
    given = {k: _bounded(draft, n, fields[k], what) for k, n in numbers.items()}
    return _replace(Surface(type), **given)


def _bounded(draft: Draft, number: Number, field: Field, what: str) -> Quantity:
    """A number that may stand in a field."""
    q = draft.quantity(number, field.dimension, f"{what}, {field.path[-1]}")
    if reason := problem(field, q.value):
        raise ValueError(f"{what}: {reason}")
    return q


def _put_contacts(draft: Draft, **changes: object) -> None:
    contacts = _replace(draft.mechanism.contacts, **changes)
    draft.mechanism = _replace(draft.mechanism, contacts=contacts)
