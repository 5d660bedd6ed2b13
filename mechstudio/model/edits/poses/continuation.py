"""A drawing that starts where a run of it was at an instant."""

import math
from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.elements import place
from mechstudio.model.formulas.grammar import with_names
from mechstudio.model.laws.evaluation import TIME, VARIABLES
from mechstudio.model.mechanism import InitialVelocity, Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES

replace = msgspec.structs.replace


def continued(project: Project, layout: SampleLayout, row: Sequence[float]) -> Project:
    """With bodies at the poses and velocities of a sample (width,), and laws over the time that go
    on from there: its run at t is the one that the sample is of at t + its time.

    Joints whose angles have left the half turn about zero keep their turns by typed values; typed
    rates go, since all bodies have velocities.  Friction that sticks and bodies that lie on each
    other begin as at any start: from what is drawn.
    """
    m, time = project.mechanism, float(row[0])
    numbers = [float(x) for x in row]
    poses, twists = numbers[layout.poses], numbers[layout.velocities]
    placed = place(
        project,
        {id: poses[7 * k : 7 * k + 7] for k, id in enumerate(layout.bodies)},
        {
            id: numbers[layout.joint(id)]
            for id, joint in m.joints.items()
            if joint.values or _has_turned(joint.type, numbers[layout.joint(id)])
        },
    ).mechanism
    bodies = {
        id: replace(
            placed.bodies[id],
            initial_velocity=InitialVelocity(
                vector(*twists[6 * k : 6 * k + 3]), vector(*twists[6 * k + 3 : 6 * k + 6])
            ),
        )
        for k, id in enumerate(layout.bodies)
    }
    moved = replace(
        placed,
        bodies=bodies,
        joints={id: replace(joint, rates=()) for id, joint in placed.joints.items()},
        drives={id: replace(d, law=later(d.law, time)) for id, d in m.drives.items()},
        forces={
            id: replace(f, laws={name: later(law, time) for name, law in f.laws.items()})
            for id, f in m.forces.items()
        },
    )
    return replace(project, mechanism=moved)


def _has_turned(type: str, coordinates: Sequence[float]) -> bool:
    """True if an angle is one that no drawn pose is read as."""
    return any(
        c.dimension == "angle" and abs(x) > math.pi
        for c, x in zip(JOINT_TYPES[type].coordinates, coordinates, strict=True)
    )


def later(law: Law, time: float) -> Law:
    """The law f(t + time) of a law f(t); time [s]."""
    if law.type == "expression":
        text = with_names(law.text, {TIME: f"({TIME} + {time!r} s)"}, VARIABLES)
        return replace(law, text=text)
    numbers = dict(law.parameters)
    if law.type == "sine":
        turn = 2.0 * math.pi * _value(numbers, "frequency", 1.0) * time
        numbers["phase"] = Quantity(math.remainder(_value(numbers, "phase") + turn, 2.0 * math.pi))
    elif law.type != "constant" and "begin" in numbers:
        numbers["begin"] = Quantity(numbers["begin"].value - time)
    elif law.type in ("ramp", "rest_to_rest", "cam"):
        numbers["begin"] = Quantity(-time)
    points = tuple((Quantity(s.value - time), f) for s, f in law.points)
    return replace(law, parameters=numbers, points=points)


def _value(numbers: dict[str, Quantity], name: str, otherwise: float = 0.0) -> float:
    return numbers[name].value if name in numbers else otherwise
