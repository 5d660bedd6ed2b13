"""Actions on a free body, read off the drawing alone: engine and window agree by them on the order
of a table's columns.

Slot by slot: weight, forces in file order, soft stops, joints, couplings, drives, hard stops,
contacts all together, and last the inertia forces against them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mechstudio.model.joints.touching import touching_pairs
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.tree import equation_tree
from mechstudio.model.types.forces import FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES

WEIGHT, LOAD, SOFT_STOP, REACTION, COUPLED, DRIVE, HARD_STOP, CONTACT, INERTIA = (
    "weight",
    "load",
    "soft stop",
    "joint",
    "coupling",
    "drive",
    "stop",
    "contacts",
    "inertia",
)

# of every slot, in W but for the point: force, couple at its point, moment about the centre of
# mass, the point in axes of the body, and the parts of force and couple that rigid bodies do not
# determine
FORCE, COUPLE, MOMENT, POINT, LOOSE_FORCE, LOOSE_COUPLE = (
    slice(3 * k, 3 * k + 3) for k in range(6)
)
WIDTH = 18
PARTS = (
    ("F", "force"),
    ("C", "torque"),
    ("M", "torque"),
    ("P", "length"),
    ("F?", "force"),
    ("C?", "torque"),
)


class Slot(NamedTuple):
    """One action on a body.  kind: one of the above.  id: of the element that acts, the body's own
    for weight, contacts and inertia.  coordinate: of a stop, else 0.
    """

    body: str
    kind: str
    id: str
    coordinate: int = 0


def slots(mechanism: Mechanism, bodies: Sequence[str] = ()) -> tuple[Slot, ...]:
    """Everything that can act on some moving bodies (ids), body by body; on all of them where none
    is given.
    """
    touching: dict[str, list[tuple[str, str, int]]] = {id: [] for id in mechanism.bodies}
    for kind, id, coordinate, both in _actions(mechanism):
        for body in dict.fromkeys(both):
            if body in touching:
                touching[body].append((kind, id, coordinate))
    touched = {id for pair in touching_pairs(mechanism) for id in pair}
    out: list[Slot] = []
    for body, actions in (
        (id, touching[id]) for id in mechanism.bodies if not bodies or id in bodies
    ):
        out += [
            Slot(body, WEIGHT, body),
            *(Slot(body, *action) for action in actions),
            *((Slot(body, CONTACT, body),) if body in touched else ()),
            Slot(body, INERTIA, body),
        ]
    return tuple(out)


def _actions(m: Mechanism) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    def ends(joint: Joint) -> tuple[str, str]:
        return (joint.frame_a.body, joint.frame_b.body)

    for id, force in m.forces.items():
        if FORCE_TYPES[force.type].attachment == JOINT:
            yield LOAD, id, 0, ends(m.joints[force.joint])
        else:
            yield (
                LOAD,
                id,
                0,
                tuple(f.body for f in (force.frame_a, force.frame_b) if f is not None),
            )
    stops = [(joint, limit) for joint in m.joints.values() for limit in joint.limits]
    for joint, limit in stops:
        if limit.stiffness is not None:
            yield SOFT_STOP, joint.id, limit.coordinate, ends(joint)
    for id, joint in m.joints.items():
        if JOINT_TYPES[joint.type].rows or JOINT_TYPES[joint.type].rolling:
            yield REACTION, id, 0, ends(joint)
    for id, coupling in m.couplings.items():
        yield (
            COUPLED,
            id,
            0,
            tuple(body for end in coupling.ends for body in ends(m.joints[end.joint])),
        )
    for id, drive in m.drives.items():
        if drive.enabled:
            yield DRIVE, id, 0, ends(m.joints[drive.joint])
    for joint, limit in stops:
        if limit.stiffness is None:
            yield HARD_STOP, joint.id, limit.coordinate, ends(joint)


def columns(mechanism: Mechanism, bodies: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Name and dimension of the columns of the slots."""
    out: list[tuple[str, str]] = []
    for slot in slots(mechanism, bodies):
        what = slot.kind if slot.id == slot.body else f"{slot.kind} {_name(mechanism, slot)}"
        what += f" {slot.coordinate + 1}" if slot.coordinate else ""
        out += [
            (f"{mechanism.bodies[slot.body].name} {what} {part}{axis}", dimension)
            for part, dimension in PARTS
            for axis in "xyz"
        ]
    return out


def _name(m: Mechanism, slot: Slot) -> str:
    return next(
        section[slot.id].name
        for section in (m.joints, m.forces, m.couplings, m.drives)
        if slot.id in section
    )


class Symbol(NamedTuple):
    """Symbol of an action, by the names that the cut bodies of Newton-Euler have
    (symbolic/lecture/free_bodies.py): sign, letter, subscript; of its couple, too.
    """

    sign: str
    force: str
    couple: str
    subscript: str


MINUS = "−"


def symbols(mechanism: Mechanism) -> dict[Slot, Symbol]:
    """The symbols of all slots.  A joint's F and N are its loads on its outer body of the spanning
    tree, or, where it closes a loop, on its second one; the other feels the opposite.
    """
    positive = {b.joint: b.body for b in equation_tree(mechanism).branches if b.joint}
    out: dict[Slot, Symbol] = {}
    for slot in slots(mechanism):
        if slot.kind == INERTIA:
            out[slot] = Symbol(MINUS, "m a", "δ", "G")
        elif slot.kind == WEIGHT:
            out[slot] = Symbol("", "W", "", mechanism.bodies[slot.body].name)
        elif slot.kind == CONTACT:
            out[slot] = Symbol("", "R", "C", f"{mechanism.bodies[slot.body].name} contacts")
        else:
            out[slot] = _symbol(mechanism, slot, positive)
    return out


def _symbol(m: Mechanism, slot: Slot, positive: dict[str, str]) -> Symbol:
    name = _name(m, slot)
    second: Joint | None = m.joints.get(slot.id)
    if slot.kind == REACTION:
        assert second is not None
        return Symbol(
            "" if slot.body == positive.get(slot.id, second.frame_b.body) else MINUS, "F", "N", name
        )
    if slot.kind == DRIVE:
        second = m.joints[m.drives[slot.id].joint]
    elif slot.kind == LOAD and m.forces[slot.id].joint:
        second = m.joints[m.forces[slot.id].joint]
    first = second is not None and slot.body != second.frame_b.body
    if slot.kind == LOAD and second is None:
        force = m.forces[slot.id]
        first = (
            force.frame_a is not None
            and force.frame_b is not None
            and slot.body != force.frame_b.body
        )
    if slot.kind in (SOFT_STOP, HARD_STOP):
        name = f"{name} stop"
    return Symbol(MINUS if first else "", "F", "T", name)


def against(mechanism: Mechanism, slot: Slot) -> str:
    """The id of the body from which an action comes; "" where it comes from no single one."""
    m = mechanism
    joint = m.joints.get(slot.id)
    if slot.kind == DRIVE:
        joint = m.joints[m.drives[slot.id].joint]
    if slot.kind == REACTION or slot.kind in (SOFT_STOP, HARD_STOP, DRIVE):
        assert joint is not None
        return joint.frame_a.body if slot.body == joint.frame_b.body else joint.frame_b.body
    return ""
