"""Points of the selected joint's curve: dots to drag, and fainter ones between them that add a
point.
"""

from collections.abc import Hashable
from itertools import pairwise

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.drag import Axes, Drag, Lock, Travel
from mechstudio.application.tools.handles.handle import HandleGrip
from mechstudio.application.tools.handles.handle_places import HandlePosition
from mechstudio.application.tools.tool import Handle, Pointer, Preview
from mechstudio.curves.drawings.joint_curves import PER_PIECE, curve_points
from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.edits.insertion import add_curve_point
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.curve_forms import CURVE_FORMS, curve_problem
from mechstudio.model.geometry.rotation import (
    Triple,
    conjugate,
    minus,
    plus,
    rotate,
    scaled,
    transform,
)
from mechstudio.model.joints.tracks import curve_numbers
from mechstudio.model.mechanism import Curve, Joint
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.joints import X, Y, Z
from mechstudio.translation import tr

SAME = 1e-12  # m: a coordinate that a drag has not changed
FLAT = 1e-9  # of the extent of a curve: out of its plane
FAINT = 0.45  # of the colour of a dot that would add a point


class CurvePointGrip(HandleGrip):
    """Points of curves; those of a plane curve keep to its plane.  A key
    is (joint, number of the point, whether a new point follows it).
    """

    def _joints(self) -> list[Joint]:
        known = self.context.document.project.mechanism.joints
        return [
            joint
            for id in self.context.selection.selected
            if (joint := known.get(id)) is not None and joint.visible and joint.curve is not None
        ]

    def _axes(self, joint: Joint) -> Axes:
        _, q = self.context.document.project.mechanism.frame_in_world(joint.frame_a)
        x, y, z = (rotate(q, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
        return x, y, z

    def _in_world(self, joint: Joint, point: Triple) -> Triple:
        frame = self.context.document.project.mechanism.frame_in_world(joint.frame_a)
        return transform(frame, point)

    def handle_positions(self, eye: Eye) -> list[HandlePosition]:
        out = []
        for joint in self._joints():
            assert joint.curve is not None
            places = [((joint.id, k, True), p) for k, p in _between(joint.curve)]
            places += [((joint.id, k, False), values(p)) for k, p in enumerate(joint.curve.points)]
            for key, place in places:
                word = (
                    tr("add a point to the curve")
                    if key[2]
                    else tr("move point {number} of the curve", number=key[1] + 1)
                )
                at, hot = (self._in_world(joint, place),), key == self._hot
                fade = FAINT if key[2] and not hot else 1.0
                out.append(HandlePosition(key, Handle("dot", at, "accent", word, hot, fade)))
        return out

    def begin(self, key: Hashable, pointer: Pointer) -> Drag | None:
        joint, place = self._held_at(key)
        assert joint.curve is not None
        start = self._in_world(joint, place)
        return Travel(self.context, start, self._axes(joint), pointer, _lock(joint.curve))

    def _held_at(self, key: Hashable) -> tuple[Joint, Triple]:
        """The joint of a key and the place of its point in the axes of frame A."""
        assert isinstance(key, tuple)
        id, k, is_new = key
        joint = self.context.document.project.mechanism.joints[id]
        assert joint.curve is not None
        if is_new:
            return joint, dict(_between(joint.curve))[k]
        x, y, z = values(joint.curve.points[k])
        return joint, (x, y, z)

    def result(self, drag: Drag) -> Project:
        assert isinstance(drag, Travel)
        assert isinstance(self._key, tuple)
        (id, k, is_new), project = self._key, self.context.document.project
        if is_new:
            project, k = add_curve_point(project, id, k), k + 1
        joint = project.mechanism.joints[id]
        assert joint.curve is not None
        origin, q = project.mechanism.frame_in_world(joint.frame_a)
        place = rotate(conjugate(q), minus(drag.now, origin))
        before = joint.curve.points
        # what the drag has not changed keeps its formula
        moved = [
            old if abs(old.value - x) <= SAME else Quantity(x)
            for old, x in zip(before[k], place, strict=True)
        ]
        curve = replace(joint.curve, points=(*before[:k], tuple(moved), *before[k + 1 :]))
        if problem := curve_problem(*curve_numbers(curve)):
            raise ExpressionError(tr("The curve {problem}.", problem=problem))
        return put_element(project, id, replace(joint, curve=curve))

    def words(self, drag: Drag) -> str:
        assert isinstance(self._key, tuple)
        joint, _ = self._held_at(self._key)
        if self._key[2]:
            return tr("Add a point to the curve of {joint}", joint=joint.name)
        return tr(
            "Move point {number} of the curve of {joint}",
            number=self._key[1] + 1,
            joint=joint.name,
        )

    def show(self, drag: Drag) -> None:
        assert isinstance(drag, Travel)
        self.preview = Preview(label=drag.label, marker=drag.now, word=drag.word)
        self.hint = tr(
            "Release to put the point there · X, Y, Z lock an axis · Ctrl suspends snapping · Esc "
            "takes it back"
        )

    def held(self, eye: Eye, drag: Drag) -> list[Handle]:
        assert isinstance(drag, Travel)
        return [*self.guides(eye, drag), Handle("dot", (drag.now,), "accent", hot=True)]


def _between(curve: Curve) -> list[tuple[int, Triple]]:
    """(number of the point before, place in the axes of frame A) of the dots that add a point; none
    of a form with a number of points of its own.
    """
    if CURVE_FORMS[curve.form].count:
        return []
    points = [values(p) for p in curve.points]
    ends = [*points, points[0]] if curve.closed else points
    if curve.form == "spline" and curve.offset is None and len(points) > 2:
        drawn = curve_points(curve).tolist()
        if len(drawn) == PER_PIECE * (len(ends) - 1) + 1:
            places = drawn[PER_PIECE // 2 :: PER_PIECE]
            return [(k, (x, y, z)) for k, (x, y, z) in enumerate(places)]
    return [(k, scaled(plus(a, b), 0.5)) for k, (a, b) in enumerate(pairwise(ends))]


def _lock(curve: Curve) -> Lock | None:
    """The plane across an axis of its frame in which a curve lies, z before y and x; None for a
    curve in space.
    """
    along = tuple(zip(*(values(p) for p in curve.points), strict=True))
    spans = [max(c) - min(c) for c in along]
    return next(((k, True) for k in (Z, Y, X) if spans[k] <= FLAT * max(spans)), None)


__all__ = ["CurvePointGrip"]
