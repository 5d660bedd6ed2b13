"""Plan of a derivation, from the drawing (planning.py): coordinates, the cursor of every body and
joint frame, reference points.

Coordinates q are those of the joints that carry bodies (model/tree.py), in file order of the
joints, then x, y, z, psi, theta, phi of free bodies.  With `coordinates="link"` the angle
of a link in its plane takes the place of its joint's angle.
A curve whose joint closes a loop has the way along it among them: a coordinate without mass, which
carries no body.
"""

import math
from dataclasses import dataclass, field

from mechstudio.model.geometry.rotation import Quaternion, conjugate, matrix, multiply
from mechstudio.model.joints.drawn_coordinates import drawn_thread_constant
from mechstudio.model.mechanism import Body, Frame, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.tree import Tree
from mechstudio.model.types.joints import (
    JOINT_TYPES,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.plan.attitude import split
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.frames import Point, difference, frame_point
from mechstudio.symbolic.plan.layout import Cursor, FixedTurn, Form, Layout, Shift
from mechstudio.symbolic.plan.symbols import Symbols, quarter_turns
from mechstudio.translation import tr


@dataclass(frozen=True)
class Coordinate:
    """One coordinate.  joint: id, "" for a free body; component: its place in the joint; body: the
    body that it carries, "" for a way along a closing curve.
    """

    letter: str
    joint: str
    component: int
    body: str
    owner: str
    dimension: str
    meaning: str


CURVATURE = 3  # component of an opaque curve from which on it is the curvature about axis 0, 1, 2


@dataclass(frozen=True)
class Opaque:
    """A function of the drawing that is not written out.  argument: a form of coordinates; the rest
    as of model.equations.terms.Function.
    """

    letter: str
    owner: str
    argument: Form
    meaning: str
    kind: str
    source: str
    component: int = 0


@dataclass(frozen=True)
class Wave:
    """A coordinate of an ellipse: arm times the cosine or sine of a form."""

    arm: Amount
    form: Form
    cosine: bool


@dataclass
class Plan:
    """Everything that the ring needs to know before it is made.

    cursors, references: per body; the cursor stands at the reference point in body axes.
    joint_forms: per (joint, component) of the tree its coordinate as a form.  axes: attitude in its
    body of the frame in which a body's cursor stands, where that is not the body's own: the frame
    of a joint that sits skew on the body.  rods: per joint with one.  ends: frames A and B of each
    joint of the tree.  functions: opaque ones, in the ring's order.  circles: pairs of them that
    are coordinates of a plane curve over its arc length, and its curvature, as of Ring.set_circle.
    lines: those that are a straight way, and its sense, as of Ring.set_line.  waves: those that are
    written out as a sine or cosine.  ellipses: pairs of these that are x and y of one.
    """

    project: Project
    tree: Tree
    symbols: Symbols
    layout: Layout
    coordinates: list[Coordinate]
    cursors: dict[str, Cursor]
    references: dict[str, Point]
    joint_forms: dict[tuple[str, int], Form]
    axes: dict[str, Quaternion]
    rods: dict[str, Shift] = field(default_factory=dict)
    ends: dict[str, tuple[Cursor, Cursor]] = field(default_factory=dict)
    functions: list[Opaque] = field(default_factory=list)
    circles: list[tuple[int, int, Amount | int | None]] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    waves: dict[int, Wave] = field(default_factory=dict)
    ellipses: list[tuple[int, int]] = field(default_factory=list)

    @property
    def mechanism(self) -> Mechanism:
        return self.project.mechanism

    def attitude(
        self, cursor: Cursor, frame: Frame, source: str, next_axis: int = Z
    ) -> list[FixedTurn]:
        """A frame's attitude in its body as fixed turns.

        As typed, Rz(psi) Ry(theta) Rx(phi), where at most one of the angles is skew or a parameter
        of the user is in them; else split so that the outer turns join the run of the cursor and
        the next turn about `next_axis`.
        """
        body = self.mechanism.body(frame.body)
        typed = frame.placement.orientation
        axes = self.axes.get(body.id)
        if axes is None and (
            any(self.symbols.typed(q, body.id) for q in typed)
            or sum(quarter_turns(q.value) is None for q in typed) <= 1
        ):
            turns = [(axis, q) for axis, q in zip((Z, Y, X), typed)]
        else:
            quaternion = (
                frame.placement.quaternion
                if axes is None
                else multiply(conjugate(axes), frame.placement.quaternion)
            )
            first = cursor.run_axis()
            turns = [
                (axis, Quantity(angle))
                for axis, angle in split(
                    matrix(quaternion), next_axis if first is None else first, next_axis
                )
            ]
        return [
            (
                axis,
                *self.symbols.angle(
                    q,
                    body.name,
                    tr("fixed angle of {source} on {body}", source=source, body=body.name),
                    body.id,
                ),
            )
            for axis, q in turns
        ]

    def arm(
        self, body: Body, at: Point, letter: str, detail: str, meaning: str, shared: str = ""
    ) -> tuple[Amount, Amount, Amount]:
        """From a body's reference point to another point of it, in the axes of its cursor."""
        axes = self.axes.get(body.id)
        return difference(
            self.symbols,
            at,
            self.references[body.id],
            letter,
            body,
            detail,
            meaning,
            matrix(axes) if axes else None,
            shared,
        )

    def joint_length(self, joint: Joint) -> Amount:
        """The length or radius that a joint needs."""
        parameter = JOINT_TYPES[joint.type].parameters[0]
        name = parameter.name
        return self.symbols.read(
            _typed(joint, name),
            parameter.letter,
            joint.name,
            "",
            "length",
            tr("{name} of joint {joint}", name=name, joint=joint.name),
            joint.id,
        )

    def lead(self, joint: Joint) -> Amount:
        """The way of a screw per radian, pitch / 2 pi, as a symbol of its own."""
        return self.symbols.read(
            Quantity(_typed(joint, "pitch").value / (2 * math.pi)),
            "h",
            joint.name,
            "",
            "length",
            tr("pitch of joint {joint} over 2π", joint=joint.name),
            joint.id,
        )

    def thread_constant(self, joint: Joint) -> Amount:
        """Constant of a screw's thread as drawn: the slide less the lead times the angle."""
        return self.symbols.named(
            "c",
            joint.name,
            "",
            drawn_thread_constant(self.mechanism, joint),
            "length",
            tr("slide of joint {joint} where its angle is zero", joint=joint.name),
            joint.id,
        )

    def coordinate_name(self, joint: Joint, component: int) -> str:
        """A joint's coordinate in words."""
        return tr(
            "{coordinate} of joint {joint}",
            coordinate=tr(JOINT_TYPES[joint.type].coordinates[component].name),
            joint=joint.name,
        )

    def at_point(
        self, frame: Frame, letter: str, detail: str, meaning: str, shared: str = ""
    ) -> Cursor:
        """The cursor of a body that is already placed, moved to the origin of a frame on it.
        shared: see points.difference.
        """
        body = self.mechanism.body(frame.body)
        at = frame_point(self.symbols, body, frame, body.id)
        return self.cursors[body.id].shifted(self.arm(body, at, letter, detail, meaning, shared))

    def joint_frame(self, joint: Joint, frame: Frame, next_axis: int = Z) -> Cursor:
        """The cursor of one of a joint's frames."""
        body = self.mechanism.body(frame.body)
        cursor = self.at_point(
            frame,
            "L",
            joint.name,
            tr("distance to joint {joint} on {body}", joint=joint.name, body=body.name),
        )
        return self.layout.fixed(
            cursor, self.attitude(cursor, frame, tr("joint {joint}", joint=joint.name), next_axis)
        )

    def body_axes(self, body: Body) -> Cursor:
        """The cursor of a body turned into the body's own axes, should it stand in others."""
        cursor, axes = self.cursors[body.id], self.axes.get(body.id)
        if axes is None:
            return cursor
        turns = [
            (
                axis,
                *self.symbols.angle(
                    Quantity(angle), body.name, tr("fixed angle of {body}", body=body.name), body.id
                ),
            )
            for axis, angle in split(matrix(conjugate(axes)), Z, Z)
        ]
        return self.layout.fixed(cursor, turns)


def _typed(joint: Joint, name: str) -> Quantity:
    if name not in joint.parameters:
        raise DerivationError(
            tr("Joint {joint} has no {name}. Type it.", joint=joint.name, name=name)
        )
    return joint.parameters[name]
