"""Curves that joints run along: as drawn, or made of their lengths."""

from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import Curve, Joint
from mechstudio.model.quantity import ZERO, values
from mechstudio.model.types.joints import JOINT_TYPES


def curve_of(joint: Joint) -> Curve | None:
    """The curve of a joint in the axes of its frame A, None where it runs along none."""
    if JOINT_TYPES[joint.type].track != "ellipse":
        return joint.curve
    a, b = joint.parameters.get("semi_a", ZERO), joint.parameters.get("semi_b", ZERO)
    points = ((ZERO, ZERO, ZERO), (a, ZERO, ZERO), (ZERO, b, ZERO))
    return Curve(points, "ellipse", closed=True)


def curve_numbers(curve: Curve) -> tuple[str, tuple[Triple, ...], bool, float | None, float]:
    """Form, points (n, 3) [m], whether it is closed, radius of the fillets or None, and offset of a
    curve [m]: the arguments of `exact_pieces` and `curve_problem`.
    """
    radius, offset = (None if q is None else q.value for q in (curve.radius, curve.offset))
    points = tuple(values(p) for p in curve.points)
    return curve.form, points, curve.closed, radius, offset or 0.0
