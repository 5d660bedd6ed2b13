"""Curves that joints run along: as drawn, or made of their lengths."""

from mechstudio.model.mechanism import Curve, Joint
from mechstudio.model.quantity import ZERO
from mechstudio.model.types.joints import JOINT_TYPES


def curve_of(joint: Joint) -> Curve | None:
    """The curve of a joint in the axes of its frame A, None where it runs along none."""
    if JOINT_TYPES[joint.type].track != "ellipse":
        return joint.curve
    a, b = joint.parameters.get("semi_a", ZERO), joint.parameters.get("semi_b", ZERO)
    points = ((ZERO, ZERO, ZERO), (a, ZERO, ZERO), (ZERO, b, ZERO))
    return Curve(points, "ellipse", closed=True)
