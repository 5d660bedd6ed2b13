"""Tracks of joints as tables: the curve that a point runs along, or the lift of the cam that a flat
face follows.
"""

from mechstudio.engine.constraints.curves import CurveTable, curve_problem, curve_table
from mechstudio.engine.constraints.lifts import face_problem, lift_table
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


def track_problem(joint: Joint) -> str:
    """Reason why the curve of a joint is none, or why its type cannot follow it, as a sentence
    without subject ("has ..."); empty if it can, or where the joint has no curve.
    """
    curve = curve_of(joint)
    if curve is None:
        return ""
    problem = curve_problem(curve)
    return problem or (face_problem(curve) if JOINT_TYPES[joint.type].has_face else "")


def track_table(joint: Joint) -> CurveTable | None:
    """The table over a joint's first coordinate in the axes of its frame A, which turn with it for
    a flat face; None where the joint runs along no curve.  Raises ValueError with the sentence of
    track_problem.
    """
    kind = JOINT_TYPES[joint.type]
    curve = curve_of(joint) if kind.has_track else None
    if curve is None:
        return None
    return lift_table(curve) if kind.has_face else curve_table(curve)


def track_tables(mechanism: Mechanism) -> dict[str, CurveTable]:
    """Tables of a mechanism by joint, without those that are none."""
    return {
        id: table
        for id, joint in mechanism.joints.items()
        if not track_problem(joint) and (table := track_table(joint)) is not None
    }
