"""Pairs of bodies that touch while contacts are on: what joints say by themselves, and what the
user says.
"""

import itertools
from collections.abc import Mapping

from mechstudio.model.contact import is_solid
from mechstudio.model.joints.rigid_groups import rigid_groups
from mechstudio.model.mechanism import GROUND, Mechanism

MOST_PAIRS = 64  # pairs of bodies up to which each has a channel of its own
PairOfBodies = frozenset[str]


def apart_by_joints(mechanism: Mechanism) -> Mapping[PairOfBodies, str]:
    """Pairs of bodies that do not touch by themselves: those that share a joint, with the first
    one, and those that are fixed to each other through other bodies, with an empty name.
    """
    found: dict[PairOfBodies, str] = {}
    for id, joint in mechanism.joints.items():
        found.setdefault(frozenset((joint.frame_a.body, joint.frame_b.body)), id)
    # of others, what has no shape touches nothing; ground may have a floor
    solid = {id for id, body in mechanism.bodies.items() if is_solid(body)} | {GROUND}
    for group in {*rigid_groups(mechanism).values()}:
        for pair in itertools.combinations(group & solid, 2):
            found.setdefault(frozenset(pair), "")
    return found


def touches(mechanism: Mechanism, a: str, b: str) -> bool:
    """True if two bodies may come into contact while contacts are on."""
    said = next((p.touch for p in mechanism.contacts.pairs if {p.body_a, p.body_b} == {a, b}), None)
    return frozenset((a, b)) not in apart_by_joints(mechanism) if said is None else said


def kept_apart(mechanism: Mechanism) -> tuple[tuple[str, str], ...]:
    """Pairs of bodies that never touch: those that joints keep apart or that are marked as apart,
    except those marked as touching.
    """
    said = {frozenset((p.body_a, p.body_b)): p.touch for p in mechanism.contacts.pairs}
    apart = (apart_by_joints(mechanism).keys() | {p for p, touch in said.items() if not touch}) - {
        p for p, touch in said.items() if touch
    }
    pairs = [p for p in sorted(apart, key=sorted) if len(p) == 2]
    return tuple(tuple(sorted(p)) for p in pairs)  # type: ignore[misc]


def touching_pairs(mechanism: Mechanism) -> tuple[tuple[str, str], ...]:
    """Pairs of bodies that may touch, ground last in a pair, in drawing order: both have shapes (or
    a floor) and touch at all, and are not kept apart.
    """
    if not mechanism.contacts.enabled:
        return ()
    apart = {frozenset(p) for p in kept_apart(mechanism)}
    solid = [id for id, body in mechanism.bodies.items() if is_solid(body)]
    if is_solid(mechanism.ground) or mechanism.contacts.floor is not None:
        solid.append(GROUND)
    return tuple(
        (a, b)
        for n, a in enumerate(solid)
        for b in solid[n + 1 :]
        if frozenset((a, b)) not in apart
    )


def recorded_pairs(mechanism: Mechanism) -> tuple[tuple[str, str], ...]:
    """The pairs whose normal force is recorded: all that may touch, or none where they are too many
    to be distinguished.
    """
    return () if too_many_pairs(mechanism) else touching_pairs(mechanism)


def too_many_pairs(mechanism: Mechanism) -> bool:
    """True if more pairs may come into contact than have channels of their own."""
    if not mechanism.contacts.enabled:
        return False
    # a crowd is one without counting its pairs
    return (
        sum(bool(b.shapes) for b in mechanism.bodies.values()) > MOST_PAIRS
        or len(touching_pairs(mechanism)) > MOST_PAIRS
    )
