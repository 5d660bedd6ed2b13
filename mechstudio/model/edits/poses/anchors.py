"""Anchors of joints and forces: on another body, or at another place, while all bodies stay; pure
functions Project -> Project.
"""

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import frame_at
from mechstudio.model.edits.poses.propagation import SIDES
from mechstudio.model.edits.poses.renumbering import settled
from mechstudio.model.fields import find
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.model.mechanism import Force, Frame, Joint
from mechstudio.model.project import Project
from mechstudio.translation import tr

replace = msgspec.structs.replace


def reconnected(project: Project, id: str, side: str, body: str) -> Project:
    """A joint or force with one of its ends on another body, where that end stands in W now.

    side: "frame_a" or "frame_b".  Its reading and its numbers stay.  Raises ExpressionError where
    the other end stands on that body already.
    """
    m, element = project.mechanism, find(project, id)
    assert isinstance(element, Joint | Force)
    frame, other = (getattr(element, s) for s in (side, SIDES[1 - SIDES.index(side)]))
    if frame.body == body:
        return project
    if other is not None and other.body == body:
        raise ExpressionError(
            tr(
                "{element} already stands on {body} with its other end: choose another body.",
                element=element.name,
                body=m.body(body).name,
            )
        )
    at, q = m.frame_in_world(frame)
    moved = frame_at(m, body, at, q, 1e-9 * max(m.size(), 1e-6))
    return put_element(project, id, replace(element, **{side: replace(moved, extra=frame.extra)}))


def anchored_at(project: Project, id: str, point: Triple) -> Project:
    """A joint whose first frame stands at a point of W, its second moved by as much; the attitude
    of both, all bodies and what the joint reads stay.
    """
    m = project.mechanism
    joint, size = m.joints[id], max(m.size(), 1e-6)
    shift = minus(point, m.frame_in_world(joint.frame_a)[0])

    def moved(frame: Frame) -> Frame:
        at, q = m.frame_in_world(frame)
        return settled(m, frame, (plus(at, shift), q), size)  # type: ignore[arg-type]

    return put_element(
        project, id, replace(joint, frame_a=moved(joint.frame_a), frame_b=moved(joint.frame_b))
    )
