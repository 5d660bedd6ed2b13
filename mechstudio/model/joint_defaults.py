"""Defaults of what a joint needs beyond its two frames, read off the drawing: pitch, radius,
length, curve.
"""

import math
from collections.abc import Mapping

from mechstudio.model.geometry.rotation import Triple, conjugate, rotate
from mechstudio.model.mechanism import Curve, Frame, Joint, Mechanism
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.rounding import round_near
from mechstudio.model.types.joints import JOINT_TYPES

CORNERS = 8  # points of a circle through which a closed spline runs


def disc_radius(mechanism: Mechanism, body: str) -> float:
    """The radius of a body's largest disc or cylinder [m]; zero if it has none."""
    return max(
        (
            s.dimensions["radius"].value
            for s in mechanism.body(body).shapes
            if s.type in ("disc", "cylinder")
        ),
        default=0.0,
    )


def disc_axis(mechanism: Mechanism, body: str) -> Triple | None:
    """The axis of a body's first disc or cylinder in W; None if it has none."""
    owner = mechanism.body(body)
    for shape in owner.shapes:
        if shape.type in ("disc", "cylinder"):
            return rotate(
                owner.placement.quaternion, rotate(shape.placement.quaternion, (0.0, 0.0, 1.0))
            )
    return None


def circle(radius: float) -> Curve:
    """A circle, to three digits, through the origin in the plane z = 0, about a point on y."""
    angles = (2 * math.pi * k / CORNERS - math.pi / 2 for k in range(CORNERS))
    # three digits, so that the numbers can be read and typed over
    near = lambda c: 0.0 if abs(c) < 1e-12 * radius else float(f"{c:.3g}")
    return Curve(
        tuple(
            vector(near(radius * math.cos(a)), near(radius * (1 + math.sin(a))), 0.0)
            for a in angles
        ),
        True,
        True,
    )


def line(half: float) -> Curve:
    """A straight piece of curve along x, through the origin."""
    return Curve((vector(-half, 0.0, 0.0), vector(0.0, 0.0, 0.0), vector(half, 0.0, 0.0)))


def lengths(
    mechanism: Mechanism,
    type: str,
    frame_a: Frame,
    frame_b: Frame,
    kept: Mapping[str, Quantity] = {},
) -> dict[str, Quantity]:
    """The lengths that a joint type needs [m]; what is `kept` stays as it is.

    A rod is as long as it is drawn, between coinciding points a tenth of the mechanism; a radius is
    that of the rolling body's disc, otherwise its centre's height over the plane; a thread climbs
    near a fiftieth of the mechanism per turn.
    """
    (a, turn), (b, _) = (mechanism.frame_in_world(f) for f in (frame_a, frame_b))
    otherwise = 0.1 * mechanism.size()
    apart, height = (
        math.dist(a, b),
        abs(rotate(conjugate(turn), (b[0] - a[0], b[1] - a[1], b[2] - a[2]))[2]),
    )
    drawn = {
        "length": apart,
        "pitch": round_near(0.02 * mechanism.size()),
        "radius": disc_radius(mechanism, frame_b.body) or height,
    }
    return {
        name: kept.get(name, Quantity(drawn[name] if drawn[name] >= 1e-6 else otherwise))
        for name in JOINT_TYPES[type].parameters
    }


def needs(mechanism: Mechanism, type: str, joint: Joint) -> dict:
    """Parameters and curve that a joint has as one of this type."""
    curve = (joint.curve or line(0.25 * mechanism.size())) if JOINT_TYPES[type].curve else None
    return {
        "parameters": lengths(mechanism, type, joint.frame_a, joint.frame_b, joint.parameters),
        "curve": curve,
    }
