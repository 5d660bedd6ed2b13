"""Defaults of what a joint needs beyond its two frames, read off the drawing: pitch, radius,
length, curve.
"""

import math
from collections.abc import Mapping
from typing import Any

from mechstudio.model.mechanism import Curve, Frame, Joint, Mechanism
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES

CORNERS = 8  # points of a circle through which a closed spline runs


def circle(radius: float) -> Curve:
    """A circle, to three digits, through the origin in the plane z = 0, about a point on y."""
    angles = (2 * math.pi * k / CORNERS - math.pi / 2 for k in range(CORNERS))
    # three digits, so that the numbers can be read and typed over

    def near(c: float) -> float:
        return 0.0 if abs(c) < 1e-12 * radius else float(f"{c:.3g}")

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
    """The lengths that a joint type needs [m], as its row reads them off the drawing; what is
    `kept` stays as it is.

    What would vanish, as a rod between coinciding points, is a tenth of the mechanism.
    """
    out: dict[str, Quantity] = {}
    for p in JOINT_TYPES[type].parameters:
        assert callable(p.drawn)
        length = float(p.drawn(mechanism, frame_a, frame_b))
        otherwise = 0.1 * mechanism.size()
        out[p.name] = kept.get(p.name, Quantity(length if length >= 1e-6 else otherwise))
    return out


def needs(mechanism: Mechanism, type: str, joint: Joint) -> dict[str, Any]:
    """Parameters and curve that a joint has as one of this type."""
    curve = (joint.curve or line(0.25 * mechanism.size())) if JOINT_TYPES[type].curve else None
    return {
        "parameters": lengths(mechanism, type, joint.frame_a, joint.frame_b, joint.parameters),
        "curve": curve,
    }
