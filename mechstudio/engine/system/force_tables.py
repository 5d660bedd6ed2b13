"""The tables of loads: one row per force of the drawing and per soft stop, and the laws that their
numbers follow.
"""

import math
from collections.abc import Mapping

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.loads.laws import (
    SOFT_STOP,
    SOFT_STOP_POTENTIAL,
    effort_index,
    potential_index,
)
from mechstudio.engine.system.law_tables import CoordinatePlace, Programs
from mechstudio.engine.system.nodes import Tree, joint_end
from mechstudio.model.mechanism import Force, Joint, Limit, Mechanism
from mechstudio.model.types import forces
from mechstudio.model.types.forces import FORCE_TYPES, has_potential
from mechstudio.model.types.joints import JOINT_TYPES

Places = Mapping[tuple[str, int], CoordinatePlace]


def coordinate_places(
    mechanism: Mechanism, tree: Tree, coordinates: np.ndarray, reads: Mapping[tuple[str, int], int]
) -> dict[tuple[str, int], CoordinatePlace]:
    """Places of every joint coordinate and of its rate.   coordinates, reads: of
    state_layout.Places.
    """
    velocity = np.cumsum([0] + [n.dof for n in tree.nodes])
    keys = [
        (id, c)
        for id, joint in mechanism.joints.items()
        for c in range(JOINT_TYPES[joint.type].dof)
    ]
    return {
        key: CoordinatePlace(
            int(at), -1 - reads[key] if key in reads else int(velocity[tree.screws[key]])
        )
        for key, at in zip(keys, coordinates)
    }


def soft_stops(mechanism: Mechanism) -> list[tuple[Joint, Limit]]:
    """The limits that give way like a spring, in drawing order."""
    return [
        (joint, limit)
        for joint in mechanism.joints.values()
        for limit in joint.limits
        if limit.stiffness is not None
    ]


def parameter_values(force: Force) -> list[float]:
    """The numbers of a force in its type's order; what was not typed has its default, a rate is
    zero.

    Friction that sticks is smoothed over the default speed here: what sticks and what slides is
    decided in a run (engine/integration/events/frictions.py).
    """
    out, sharp = [], forces.sticks(force)
    for p in FORCE_TYPES[force.type].parameters:
        known = force.parameters.get(p.name)
        out.append(
            known.value
            if known is not None and not p.rate_of and not (sharp and p.name == "speed")
            else (p.default or 0.0)
        )
    return out


def does_work(mechanism: Mechanism) -> bool:
    """True if anything may supply or dissipate energy: a drive, a damped stop, or a load without
    potential.
    """
    damped = any(
        FORCE_TYPES[force.type].attachment == forces.FRAMES
        and any(name.startswith("d_") for name in (*force.parameters, *force.laws))
        for force in mechanism.forces.values()
    )
    return bool(
        mechanism.drives
        or soft_stops(mechanism)
        or damped
        or not all(map(has_potential, mechanism.forces.values()))
    )


def force_tables(
    mechanism: Mechanism, tree: Tree, places: Places, programs: Programs
) -> tuple[np.ndarray, np.ndarray]:
    """(forces, force_const) as in kernels/columns.py."""
    stops = soft_stops(mechanism)
    count = len(mechanism.forces) + len(stops)
    ints, const = np.zeros((count, k.FORCE_INTS), np.int64), np.zeros((count, k.FORCE_CONSTS))
    for s, force in enumerate(mechanism.forces.values()):
        kind = FORCE_TYPES[force.type]
        numbers = parameter_values(force)
        ints[s, k.F_LAW], ints[s, k.F_POTENTIAL] = (
            effort_index(kind),
            potential_index(kind) if kind.potential else -1,
        )
        if kind.attachment == forces.FRAMES:
            ints[s, k.F_POTENTIAL] = 0
        if not has_potential(force):
            ints[s, k.F_POTENTIAL] = -1
        const[s, k.FPAR : k.FPAR + len(numbers)] = numbers
        _attach(mechanism, tree, force, ints[s], const[s], places)
        _follow(programs, force, ints[s])
    for s, (joint, limit) in enumerate(stops, len(mechanism.forces)):
        ints[s, k.F_LAW], ints[s, k.F_POTENTIAL] = SOFT_STOP, SOFT_STOP_POTENTIAL
        _along(ints[s], places[joint.id, limit.coordinate])
        assert limit.stiffness is not None, "a soft stop"
        const[s, k.FPAR : k.FPAR + 4] = (
            -math.inf if limit.lower is None else limit.lower.value,
            math.inf if limit.upper is None else limit.upper.value,
            limit.stiffness.value,
            limit.damping.value,
        )
    return ints, const


def _attach(
    mechanism: Mechanism,
    tree: Tree,
    force: Force,
    ints: np.ndarray,
    const: np.ndarray,
    places: Places,
) -> None:
    kind = FORCE_TYPES[force.type]
    if kind.attachment == forces.JOINT:
        _along(ints, places[force.joint, force.coordinate])
        return
    ints[k.F_AT] = {
        forces.TWO_POINTS: k.AT_TWO_POINTS,
        forces.FRAMES: k.AT_FRAMES,
        forces.BODY: k.AT_BODY,
    }[kind.attachment]
    ints[k.F_BODY_AXES], ints[k.F_MOMENT] = force.axes == "body", kind.moment
    for frame, node, point, axes in (
        (force.frame_a, k.F_A, k.FPA, k.FRA),
        (force.frame_b, k.F_B, k.FPB, k.FRB),
    ):
        if frame is None:
            continue
        at, (R, p) = joint_end(mechanism, tree, frame)
        if kind.attachment == forces.BODY:
            # a vector in body axes is given in the body's own, not in those of the frame at which
            # it acts
            R = tree.place[frame.body][1][0]
        ints[node], const[point : point + 3], const[axes : axes + 9] = (
            at if at >= 0 else len(tree.nodes),
            p,
            np.ravel(R),
        )


def _along(ints: np.ndarray, place: CoordinatePlace) -> None:
    """A load along a joint coordinate."""
    ints[k.F_X] = place.at
    ints[k.F_AT] = k.AT_DOF if place.rate >= 0 else k.AT_READING
    ints[k.F_DOF] = place.rate if place.rate >= 0 else -1 - place.rate


def _follow(programs: Programs, force: Force, ints: np.ndarray) -> None:
    """Fill the rows of the laws that drive a force's numbers, which stand one after the other."""
    rows = [programs.index["force", force.id, name] for name in force.laws]
    if not rows:
        return
    ints[[k.F_LAW0, k.F_LAW1]] = rows[0], rows[-1] + 1
    order = [p.name for p in FORCE_TYPES[force.type].parameters]
    rate_of = {p.rate_of: p.name for p in FORCE_TYPES[force.type].parameters if p.rate_of}
    for name, row in zip(force.laws, rows):
        programs.tables[0][row, k.L_PARAMETER] = k.FPAR + order.index(name)
        programs.tables[0][row, k.L_RATE] = (
            k.FPAR + order.index(rate_of[name]) if name in rate_of else -1
        )
