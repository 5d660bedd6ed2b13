"""A drawing that starts where a run of it was at an instant."""

from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.elements import place
from mechstudio.model.geometry.rotation import conjugate, minus, multiply, rotate
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.mechanism import InitialVelocity, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES

replace = msgspec.structs.replace
SAME = 1e-6  # rad, between an angle and how it is read


def continued(project: Project, layout: SampleLayout, row: Sequence[float]) -> Project:
    """With bodies at the poses and velocities of a sample (width,) and the start at its time: its
    run is the rest of the one that the sample is of.

    Joints whose angles would be read otherwise from the pose, as after a turn, keep them by typed
    values; typed rates go, since all bodies have velocities.  Friction that sticks and bodies that
    lie on each other begin as at any start: from the drawing.
    """
    m = project.mechanism
    numbers = [float(x) for x in row]
    poses, twists = numbers[layout.poses], numbers[layout.velocities]
    there = {id: poses[7 * k : 7 * k + 7] for k, id in enumerate(layout.bodies)}
    bare = place(project, there, {}).mechanism
    values = {
        id: numbers[layout.joint(id)]
        for id, joint in m.joints.items()
        if joint.values or _is_read_otherwise(bare, joint, numbers[layout.joint(id)])
    }
    placed = place(project, there, values).mechanism
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


def _is_read_otherwise(m: Mechanism, joint: Joint, coordinates: Sequence[float]) -> bool:
    """True if the drawn pose is read as other angles than these."""
    a, b = (m.frame_in_world(frame) for frame in (joint.frame_a, joint.frame_b))
    back = conjugate(a[1])
    read = readings(joint, rotate(back, minus(b[0], a[0])), multiply(back, b[1]))
    known = JOINT_TYPES[joint.type].coordinates
    return any(
        c.dimension == "angle" and (r is None or abs(r - x) > SAME)
        for c, r, x in zip(known, read, coordinates, strict=True)
    )
