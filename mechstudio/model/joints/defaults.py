"""Defaults of the parameters of a joint beyond its two frames, read from the drawing: pitch,
radius, length, curve.
"""

from collections.abc import Mapping
from typing import Any

from mechstudio.model.mechanism import Curve, Frame, Joint, Mechanism
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.rounding import round_near
from mechstudio.model.types.joints import JOINT_TYPES


def circle(radius: float) -> Curve:
    """A circle through the origin in the plane z = 0, about a point on y: above the origin, or
    below it for a negative radius [m].
    """
    return Curve(
        (vector(0.0, 0.0, 0.0), vector(abs(radius), radius, 0.0), vector(0.0, 2.0 * radius, 0.0)),
        "circle",
        closed=True,
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
    size, kind = mechanism.size(), JOINT_TYPES[type]
    # a face touches its circle at the origin, below it
    first = circle(-round_near(0.15 * size)) if kind.has_face else line(0.25 * size)
    curve = (joint.curve or first) if kind.curve else None
    return {
        "parameters": lengths(mechanism, type, joint.frame_a, joint.frame_b, joint.parameters),
        "curve": curve,
    }
