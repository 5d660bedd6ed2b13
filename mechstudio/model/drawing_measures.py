"""Measures read off a drawing: what a new joint or force takes as its numbers."""

import math

from mechstudio.model.geometry.forms import Cylinder
from mechstudio.model.geometry.rotation import Triple, compose, conjugate, rotate
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.rounding import round_near

PARALLEL = 1e-9  # of the cosine of two directions, from 1


def disc_radius(mechanism: Mechanism, body: str) -> float:
    """The radius of a body's largest disc or cylinder [m]; zero if it has none."""
    return max(
        (f.radius for s in mechanism.body(body).shapes if isinstance(f := s.form, Cylinder)),
        default=0.0,
    )


def disc_axis(mechanism: Mechanism, body: str) -> Triple | None:
    """The axis of a body's first disc or cylinder in W; None if it has none."""
    owner = mechanism.body(body)
    for shape in owner.shapes:
        if isinstance(shape.form, Cylinder):
            return rotate(
                owner.placement.quaternion, rotate(shape.placement.quaternion, (0.0, 0.0, 1.0))
            )
    return None


def disc_about(mechanism: Mechanism, body: str, axis: Triple) -> tuple[Triple, float] | None:
    """Centre in W and radius [m] of a body's largest disc or cylinder about a direction; None if it
    has none.
    """
    owner = mechanism.body(body)
    found: list[tuple[float, Triple]] = []
    for shape in owner.shapes:
        if isinstance(shape.form, Cylinder):
            at, q = compose(owner.placement.pose, shape.placement.pose)
            if abs(abs(dot(rotate(q, (0.0, 0.0, 1.0)), axis)) - 1.0) < PARALLEL:
                found.append((shape.form.radius, at))
    if not found:
        return None
    radius, at = max(found)
    return at, radius


# of joints


def apart(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """Distance of two frames' origins [m]."""
    return math.dist(*(mechanism.frame_in_world(f)[0] for f in (frame_a, frame_b)))


def thread_pitch(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """A climb per turn near a fiftieth of the mechanism [m]."""
    return round_near(0.02 * mechanism.size())


def rolling_radius(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """Radius of the second body's disc, otherwise its centre's height over the first plane [m]."""
    (a, turn), (b, _) = (mechanism.frame_in_world(f) for f in (frame_a, frame_b))
    height = abs(rotate(conjugate(turn), (b[0] - a[0], b[1] - a[1], b[2] - a[2]))[2])
    return disc_radius(mechanism, frame_b.body) or height


# of forces between two points


def _sinking_stiffness(
    mechanism: Mechanism, frame_a: Frame, frame_b: Frame
) -> tuple[float, float] | None:
    """Stiffness [N/m] at which the lighter body sinks by a tenth of the distance, and its mass
    [kg]; None where there is no such.
    """
    masses = [
        mass_properties(mechanism.body(f.body)).mass for f in (frame_a, frame_b) if f.body != GROUND
    ]
    length = apart(mechanism, frame_a, frame_b)
    if length <= 0 or not masses or not 0 < min(masses) < math.inf:
        return None
    g = math.hypot(*values(mechanism.gravity)) or 9.81
    return min(masses) * g / (length / 10), min(masses)


def spring_stiffness(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> str:
    """A stiffness under which the lighter body sinks by a tenth of the length."""
    found = _sinking_stiffness(mechanism, frame_a, frame_b)
    return "200 N/m" if found is None else f"{round_near(found[0]):g} N/m"


def light_damping(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> str:
    """A damping that lets the lighter body swing lightly damped on such a spring."""
    found = _sinking_stiffness(mechanism, frame_a, frame_b)
    if found is None:
        return "10 N·s/m"
    return f"{round_near(0.2 * math.sqrt(found[0] * found[1])):g} N·s/m"
