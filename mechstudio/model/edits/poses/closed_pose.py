"""Drawings whose bodies stand where their joints hold, and what an edit that is made there writes
into the bodies.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mechstudio.model.geometry.rotation import Quaternion, angles_near, triple
from mechstudio.model.mechanism import GROUND, Body, Joint, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values

replace = msgspec.structs.replace
ROUNDING = 1e-13  # of a number of a found pose
SAME = 1e-9  # of a number of a joint's frames that an edit left alone


# placements


def placed_at(old: Placement, pose: Sequence[float]) -> Placement:
    """A placement at a pose (x, y, z, w, x, y, z) [m, quaternion].

    Numbers that differ by rounding only stay, and angles are read near the old ones.
    """
    # what is only rounding would show a turn about one axis as three
    w, x, y, z = (c if abs(c) > ROUNDING else 0.0 for c in pose[3:])
    q: Quaternion = (w, x, y, z)
    angles = angles_near(q, values(old.orientation))  # type: ignore[arg-type]
    return Placement(renumbered(old.position, pose[:3]), renumbered(old.orientation, angles))


def renumbered(old: Sequence[Quantity], new: Sequence[float]) -> Any:
    """Quantities of new values; those that differ by rounding only stay."""
    if len(old) != len(new):
        return tuple(Quantity(float(x)) for x in new)

    def same(q: Quantity, x: float) -> bool:
        return abs(q.value - x) <= ROUNDING * max(1.0, abs(x))

    return tuple(q if same(q, x) else Quantity(float(x)) for q, x in zip(old, new, strict=True))


def with_typed(old: Placement, new: Placement, within: float = math.inf) -> Placement:
    """A new placement with the typed numbers and formulas of the old one, those that it meets
    within some metres or radians.
    """

    def chosen(before: Quantity, after: Quantity) -> Quantity:
        stays = before.text and abs(before.value - after.value) <= within
        return before if stays else after

    return _chosen(chosen, old, new)


def _chosen(choose: Callable[..., Quantity], *placements: Placement) -> Placement:
    """A placement of numbers chosen one by one."""
    positions = zip(*(p.position for p in placements), strict=True)
    orientations = zip(*(p.orientation for p in placements), strict=True)
    return Placement(
        triple(choose(*numbers) for numbers in positions),
        triple(choose(*numbers) for numbers in orientations),
    )


# drawings


def standing(project: Project, poses: Mapping[str, Sequence[float]]) -> Project:
    """The drawing with bodies at poses (x, y, z, w, x, y, z) by id; the same object where that
    moves nothing.

    Numbers that differ from the typed ones are plain there: this is for display and edits, and
    `settled` takes back what was typed.
    """
    m = project.mechanism
    bodies = {
        id: _put(body, placed_at(body.placement, poses[id])) if id in poses else body
        for id, body in m.bodies.items()
    }
    if all(bodies[id] is body for id, body in m.bodies.items()):
        return project
    return replace(project, mechanism=replace(m, bodies=bodies))


def _put(body: Body, placement: Placement) -> Body:
    return body if placement == body.placement else replace(body, placement=placement)


def settled(drawn: Project, shown: Project, after: Project, needed: Collection[str]) -> Project:
    """An edit `after` of a drawing as it was shown, as it is to be kept: bodies stand as in
    `drawn`, but those that are needed as shown.

    Typed numbers and formulas of elements that the edit did not move itself stay in any case.
    """

    def back(now: Quantity, then: Quantity, rest: Quantity) -> Quantity:
        return rest if now == then else now

    def kept(body: Body) -> Body:
        before, here = drawn.mechanism.bodies.get(body.id), shown.mechanism.bodies.get(body.id)
        if before is None or here is None:
            return body
        rest = (
            with_typed(before.placement, here.placement) if body.id in needed else before.placement
        )
        placement = _chosen(back, body.placement, here.placement, rest)
        # a body that stays as it was stays the same object
        return before if body is here and placement == before.placement else _put(body, placement)

    bodies = {id: kept(body) for id, body in after.mechanism.bodies.items()}
    return replace(after, mechanism=replace(after.mechanism, bodies=bodies))


def with_typed_numbers(before: Project, after: Project, within: float = math.inf) -> Project:
    """An edit without its changes of typed numbers and formulas of bodies' placements, as far as it
    meets them (see with_typed).
    """
    known = before.mechanism.bodies
    bodies = {
        id: _put(b, with_typed(known[id].placement, b.placement, within)) if id in known else b
        for id, b in after.mechanism.bodies.items()
    }
    return replace(after, mechanism=replace(after.mechanism, bodies=bodies))


def held_elsewhere(
    shown: Project, kept: Project, bodies: Collection[str]
) -> Iterator[tuple[Body, Quantity]]:
    """Typed numbers of a settled edit that keep one of some bodies off the place where it was
    shown, with the body.
    """
    for id, body in kept.mechanism.bodies.items():
        here = shown.mechanism.bodies.get(id)
        if here is not None and id in bodies:
            pairs = zip(_quantities(body), _quantities(here), strict=True)
            yield from ((body, q) for q, was in pairs if q.text and abs(q.value - was.value) > SAME)


def bodies_needed(shown: Project, edited: Project) -> set[str]:
    """Bodies whose places an edit needs: those that it moved or whose joints it changed, with all
    that joints tie to them.
    """
    before, after = shown.mechanism, edited.mechanism
    touched = {
        id
        for id, body in after.bodies.items()
        if (was := before.bodies.get(id)) is not None and _numbers(was) != _numbers(body)
    }
    for id in before.joints.keys() | after.joints.keys():
        a, b = before.joints.get(id), after.joints.get(id)
        if a is None or b is None or not _alike(_geometry(before, a), _geometry(after, b)):
            touched |= {
                frame.body
                for joint in (a, b)
                if joint is not None
                for frame in (joint.frame_a, joint.frame_b)
            }
    return _tied(touched - {GROUND}, (*before.joints.values(), *after.joints.values()))


def _quantities(body: Body) -> tuple[Quantity, ...]:
    return (*body.placement.position, *body.placement.orientation)


def _numbers(body: Body) -> tuple[float, ...]:
    return values(_quantities(body))


def _geometry(m: Mechanism, joint: Joint) -> tuple[Any, tuple[float, ...]]:
    """Geometry of a joint that decides where its bodies can stand, in words and in numbers."""
    frames = (joint.frame_a, joint.frame_b)
    lengths = sorted(joint.parameters.items())
    numbers = [x for f in frames for part in m.frame_in_body(f) for x in part] + [
        q.value for _, q in lengths
    ]
    return (
        joint.type,
        [f.body for f in frames],
        [name for name, _ in lengths],
        joint.curve,
    ), tuple(numbers)


def _alike(a: tuple[Any, tuple[float, ...]], b: tuple[Any, tuple[float, ...]]) -> bool:
    return a[0] == b[0] and all(abs(x - y) <= SAME for x, y in zip(a[1], b[1], strict=True))


def _tied(bodies: Collection[str], joints: Collection[Joint]) -> set[str]:
    """Bodies with all that joints tie to them, the ground not among them."""
    found, size = set(bodies), -1
    pairs = [p for j in joints if GROUND not in (p := (j.frame_a.body, j.frame_b.body))]
    while len(found) != size:
        size = len(found)
        for a, b in pairs:
            if a in found or b in found:
                found |= {a, b}
    return found
