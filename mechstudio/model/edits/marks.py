"""Marks that a scene shows beside the drawing, as pure functions Project -> Project: put, taken
away, changed.
"""

import itertools
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import msgspec

from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Mark, Project
from mechstudio.model.types.marks import MARK_TYPES, SCENE

replace = msgspec.structs.replace


class Place(NamedTuple):
    """Place of a mark: a point of a body ("" for its centre of mass), a joint, a body seen from
    another, or the whole scene where all are empty.
    """

    body: str = ""
    point: str = ""
    joint: str = ""
    other: str = ""


def place(mark: Mark) -> Place:
    """The place of a mark."""
    return Place(mark.body, mark.point, mark.joint, mark.other)


def is_there(m: Mechanism, at: Place) -> bool:
    """True if the elements and the point that a place names are in the drawing."""
    bodies = {GROUND, *m.bodies}
    if any(id not in bodies for id in (at.body, at.other) if id):
        return False
    if at.joint and at.joint not in m.joints:
        return False
    return not at.point or (bool(at.body) and at.point in m.body(at.body).named_points())


def found(project: Project, type: str, at: Place = Place()) -> Mark | None:
    """The mark of a type at a place; None where there is none."""
    return next((m for m in project.marks if m.type == type and place(m) == at), None)


def of_type(project: Project, type: str) -> tuple[Mark, ...]:
    """The marks of a type whose places are there."""
    return tuple(
        m for m in project.marks if m.type == type and is_there(project.mechanism, place(m))
    )


def with_marks(project: Project, type: str, places: Iterable[Place], **values: Any) -> Project:
    """With a mark of a type at each of some places; those that are there already stay."""
    marks = list(project.marks)
    taken = {m.id for m in marks} | {u.id for u in project.unread}
    for at in places:
        if found(project, type, at) is None and (any(at) or SCENE in MARK_TYPES[type].on):
            id = next(name for k in itertools.count(1) if (name := f"m{k}") not in taken)
            taken.add(id)
            marks.append(Mark(id, type, *at, **values))
    return replace(project, marks=tuple(marks))


def without_marks(project: Project, ids: Collection[str]) -> Project:
    """Without some marks, by id."""
    return replace(project, marks=tuple(m for m in project.marks if m.id not in ids))


def toggled(project: Project, type: str, places: Iterable[Place]) -> Project:
    """With a mark of a type at every place, or without them where all have one."""
    places = tuple(places)
    there = [mark for at in places if (mark := found(project, type, at)) is not None]
    if len(there) == len(places):
        return without_marks(project, {mark.id for mark in there})
    return with_marks(project, type, places)


def with_attributes(project: Project, id: str, **values: Any) -> Project:
    """With other values of one mark."""
    return replace(
        project,
        marks=tuple(replace(m, **values) if m.id == id else m for m in project.marks),
    )


def without_lost(project: Project) -> Project:
    """Without the marks whose bodies, joints or points are not in the drawing."""
    lost = {m.id for m in project.marks if not is_there(project.mechanism, place(m))}
    return without_marks(project, lost) if lost else project
