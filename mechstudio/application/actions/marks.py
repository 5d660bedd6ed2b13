"""Actions on what the scene shows beside the drawing: trails, arrows and the like."""

from collections.abc import Callable, Iterable
from functools import partial

from mechstudio.application.actions import conditions
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.marks.arrows import KINDS
from mechstudio.application.marks.exported_paths import path_marks
from mechstudio.application.marks.places import places_of
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model.edits import marks
from mechstudio.model.edits.marks import Place
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Mark, Project
from mechstudio.model.types.marks import BODY, MARK_TYPES, PAIR, POINT, SCENE
from mechstudio.translation import tr

KEY = "marks"


def places(studio: Studio) -> tuple[Place, ...]:
    """The chosen places: those of the selection, or under the pointer without a selection.  A point
    under the pointer that belongs to the selection is chosen alone.
    """
    m, selection = studio.document.project.mechanism, studio.selection
    pointed, chosen = studio.marks.pointed(), selection.selected
    if pointed is not None and (not chosen or (pointed.joint or pointed.body) in chosen):
        return (pointed,)
    ids = chosen or ((selection.hovered,) if selection.hovered else ())
    return tuple(dict.fromkeys(at for id in ids for at in places_of(m, id)))


def meant_paths(studio: Studio) -> tuple[Mark, ...]:
    """Trails and curves that are meant: those on what is selected or under the pointer, or all
    where none is there.
    """
    return path_marks(studio, places(studio)) or path_marks(studio, ())


def needs_paths(studio: Studio) -> str:
    """Refusal of an action without a trail or a curve, "" where there is one."""
    return "" if path_marks(studio, ()) else tr("Show a trail (T) or a curve (Shift+T) first")


def show(studio: Studio, edit: Callable[[Project], Project], label: str) -> None:
    """Change the marks as one undo step; nothing of the drawing moves by that."""
    studio.notifications.withdraw(KEY)
    studio.document.commit(label, edit(studio.document.project))


def toggle(studio: Studio, type: str) -> None:
    """Show marks of a type at the places that are meant, or hide them where all have one."""
    at, kind = places(studio), MARK_TYPES[type]
    if not at:
        text = tr("Select a body or a joint, or point at one, and press the key again.")
        studio.notifications.say(Message("info", text, KEY))
        return
    show(
        studio,
        lambda p: marks.toggled(p, type, at),
        tr("{kind} of {at}", kind=tr(kind.label), at=named(studio, at)),
    )


def named(studio: Studio, at: tuple[Place, ...]) -> str:
    """Places in words."""
    m = studio.document.project.mechanism
    first = at[0].point or (m.joints[at[0].joint] if at[0].joint else m.body(at[0].body)).name
    return first if len(at) == 1 else tr("{first} and {count} more", first=first, count=len(at) - 1)


@action(
    "Trail",
    "View",
    "T",
    icon="trail",
    words="path locus trace point curve follow",
    section=True,
    unless=conditions.needs_bodies,
    context=54,
)
def trail(studio: Studio) -> None:
    """Show or hide the path of the selected points, bodies or joints."""
    toggle(studio, "trail")


@action(
    "Curve of a whole turn",
    "View",
    "Shift+T",
    words="coupler curve path locus both branches dead points cusp toggle",
    unless=conditions.needs_bodies,
)
def whole_turn(studio: Studio) -> None:
    """Show or hide the curves of the selected points, bodies or joints over a whole turn."""
    toggle(studio, "whole_turn")


@action(
    "Vectors",
    "View",
    "V",
    icon="vectors",
    words="arrows velocity acceleration force reaction speed",
    unless=conditions.needs_bodies,
    context=55,
)
def vectors(studio: Studio) -> None:
    """Show or hide the arrows of the selection: reactions of joints, velocities of points."""
    at, project = places(studio), studio.document.project
    if not at:
        toggle(studio, "velocity")  # which says what is missing
        return
    bodies = {p.body for p in at if p.body}
    whole = {*at, *(Place(body) for body in bodies)}
    there = {m.id for m in project.marks if m.type in KINDS and marks.place(m) in whole}
    if there:
        text = tr("Hide vectors of {at}", at=named(studio, at))
        show(studio, lambda p: marks.without_marks(p, there), text)
        return

    def with_both(p: Project) -> Project:
        p = marks.with_marks(p, "reaction", [a for a in at if a.joint])
        return marks.with_marks(p, "velocity", [a for a in at if not a.joint])

    show(studio, with_both, tr("Vectors of {at}", at=named(studio, at)))


def switch(studio: Studio, type: str, on: bool) -> None:
    """Show marks of a type on what is selected, on all that can have them where nothing is that
    can; or hide all of them.
    """
    kind, project = MARK_TYPES[type], studio.document.project
    if not on:
        ids = {m.id for m in project.marks if m.type == type}
        show(
            studio,
            lambda p: marks.without_marks(p, ids),
            tr("Hide {kind}", kind=tr(kind.label).lower()),
        )
        return
    if SCENE in kind.on:
        show(studio, lambda p: marks.with_marks(p, type, [Place()]), kind.label)
        return
    m = project.mechanism
    chosen = studio.selection.selected
    if PAIR in kind.on and POINT not in kind.on:
        at = pairs(m, chosen)
    elif PAIR in kind.on:
        at = seen_from(m, fitting(m, kind.on, chosen[:1] if len(chosen) == 2 else chosen), chosen)
        at = at or seen_from(m, fitting(m, kind.on, m.bodies), ())
    else:
        at = fitting(m, kind.on, chosen)
        at = at or fitting(m, kind.on, (*m.joints, *m.bodies))
    show(studio, lambda p: marks.with_marks(p, type, at), kind.label)


def _flip(studio: Studio, type: str) -> None:
    """Show or hide figures of a type: on what is selected, or wherever they can be."""
    switch(studio, type, not _is_shown(studio, type))


def _is_shown(studio: Studio, type: str) -> bool:
    return bool(studio.marks.of_type(type))


FIGURES = {
    type: register(
        Action(
            f"show_{type}",
            partial(_flip, type=type),
            kind.action,
            "View/Beside the drawing",
            words=kind.words,
            unless=conditions.needs_bodies,
            checked=partial(_is_shown, type=type),
        )
    )
    for type, kind in MARK_TYPES.items()
    if kind.action
}


def seen_from(m: Mechanism, at: Iterable[Place], ids: tuple[str, ...]) -> tuple[Place, ...]:
    """Places of points, each with the body that it is seen from: the second of two that are
    selected, else one that is joined to the point's own and moves, else the ground.
    """
    second = ids[1] if len(ids) == 2 and (ids[1] in m.bodies or ids[1] == GROUND) else ""
    return tuple(p._replace(other=second or _carrier(m, p)) for p in at)


def _carrier(m: Mechanism, at: Place) -> str:
    body = at.body or m.joints[at.joint].frame_b.body
    beside = [
        other.body
        for joint in m.joints.values()
        for own, other in ((joint.frame_a, joint.frame_b), (joint.frame_b, joint.frame_a))
        if own.body == body and other.body != GROUND
    ]
    return next(iter(beside), GROUND)


def pairs(m: Mechanism, ids: Iterable[str]) -> tuple[Place, ...]:
    """Pairs of bodies: two that are selected, the first seen from the second; else each selected
    one, or every one that no joint holds at the ground, seen from the ground.
    """
    bodies = [id for id in ids if id in m.bodies or id == GROUND]
    if len(bodies) == 2:
        first, second = bodies if bodies[0] != GROUND else reversed(bodies)
        return (Place(first, other=second),)
    held = {
        id
        for joint in m.joints.values()
        if GROUND in (ends := (joint.frame_a.body, joint.frame_b.body))
        for id in ends
    }
    free = [id for id in m.bodies if id not in held]
    bodies = [id for id in bodies if id != GROUND] or free or list(m.bodies)
    return tuple(Place(id, other=GROUND) for id in bodies)


def fitting(m: Mechanism, on: tuple[str, ...], ids: Iterable[str]) -> tuple[Place, ...]:
    """Places on elements that marks on some kinds of things can have; a body stands for its joints
    where only these can.
    """
    out: list[Place] = []
    for id in ids:
        if BODY in on:
            out += [Place(id)] if id in m.bodies else []
        elif POINT not in on and id in m.bodies:
            ends = lambda joint: (joint.frame_a.body, joint.frame_b.body)
            out += [Place(joint=j) for j, joint in m.joints.items() if id in ends(joint)]
        else:
            out += places_of(m, id)
    return tuple(dict.fromkeys(out))
