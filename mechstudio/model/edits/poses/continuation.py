"""A drawing that starts where a run of it was at an instant."""

import math
from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.elements import place
from mechstudio.model.mechanism import InitialVelocity
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES

replace = msgspec.structs.replace


def continued(project: Project, layout: SampleLayout, row: Sequence[float]) -> Project:
    """With bodies at the poses and velocities of a sample (width,) and the start at its time: its
    run is the rest of the one that the sample is of.

    Joints whose angles have left the half turn about zero keep their turns by typed values; typed
    rates go, since all bodies have velocities.  Friction that sticks and bodies that lie on each
    other begin as at any start: from what is drawn.
    """
    m = project.mechanism
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
        start=Quantity(numbers[0]),
    )
    return replace(project, mechanism=moved)


def _has_turned(type: str, coordinates: Sequence[float]) -> bool:
    """True if an angle is one that no drawn pose is read as."""
    return any(
        c.dimension == "angle" and abs(x) > math.pi
        for c, x in zip(JOINT_TYPES[type].coordinates, coordinates, strict=True)
    )
