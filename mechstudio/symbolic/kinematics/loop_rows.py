"""The rows of the joints that close loops, row by row: C(q) = 0, C_q, and gamma on the right of C_q
a = gamma (THEORY 3).

    point     C = a . (p_B - p_A)     angle     C = a . b
        distance  C = (|p_B - p_A|^2 - length^2) / 2
    twist     C = x_A . y_B - y_A . x_B      thread    C = z_A . (p_B - p_A) - h angle - c
    rim
        C = z_A . (p_B - p_A) - r sqrt(1 - (z_A . z_B)^2), the root being 1 where the joint holds
        the disc upright
    curve
        C = a . (p_B - p_A) - c_a(s) for all three axes a of A, s being a coordinate without mass:
        three rows and one unknown more, as a slider that weighs nothing has
    face      the rows y of a point and z y, x y of angles from the frame A turned by the angle and
        carried by the lift, the angle being a coordinate without mass
    gamma = -(d C_q / dt) v

Of the three point rows of a pin or a ball, a is an axis of the common frame of the loop (W for a
planar one) in place of frame A's.
A row without any coordinate is identically zero: the drawing fulfils it in every position, it is
hyperstaticity.
"""

from dataclasses import dataclass, field
from typing import NoReturn

from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import (
    ANGLE,
    CURVE,
    DISTANCE,
    POINT,
    RIM,
    THREAD,
    TWIST,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.errors import DerivationError, TooLarge
from mechstudio.symbolic.kinematics.closing_coordinates import closing_coordinate
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loop_joints import Closure, closing_primitives
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.translation import tr

_AXES = "xyz"


@dataclass
class Row:
    """One row.  joint: id of the joint, coupling or drive; label: "point x", "angle z x",
    "distance"; value: C; jacobian: per coordinate; gamma;
    time: C_t.
    """

    joint: str
    label: str
    value: Poly
    jacobian: list[Poly]
    gamma: Poly
    time: Poly | int = field(default_factory=int)

    @property
    def is_zero(self) -> bool:
        """The row holds in every position."""
        return not self.value


class UnwrittenRow(Row):
    """A row whose closed form is longer than anybody reads: it is known by the graph of the
    recursive form alone, and asking for its polynomials raises TooLarge.
    """

    def __init__(self, joint: str, label: str) -> None:
        self.joint, self.label = joint, label

    def __getattr__(self, name: str) -> NoReturn:
        raise TooLarge(
            tr(
                "The closed form of the rows of C is longer than anybody reads. Read the recursive "
                "form, export code, or use the numbers of a run."
            )
        )


def closing_rows(
    plan: Plan, ring: Ring, kinematics: Kinematics, closures: list[Closure]
) -> list[Row]:
    """All rows, joint by joint in file order, each in the order of its type.  Raises
    DerivationError for a contradiction.
    """
    rows = []
    for closure in closures:
        d, frame = kinematics.between(closure.first, closure.b)
        axes_a, axes_b = (
            [kinematics.up(kinematics.axis(c, k), c.frame, frame) for k in range(3)]
            for c in (closure.first, closure.b)
        )
        rows_of = closing_primitives(closure.joint)
        # where the points coincide in all three directions any axes do: those of the common frame
        # give the plain vector loop
        plain = sum(1 for primitive, _, _ in rows_of if primitive == POINT) == 3
        for primitive, i, j in rows_of:
            if primitive == POINT:
                label, value = (
                    tr("point {axis}", axis=_AXES[i]),
                    d[i] if plain else ring.dot(axes_a[i], d),
                )
            elif primitive == ANGLE:
                label, value = (
                    tr("angle {axis}{joint}", axis=_AXES[i], joint=_AXES[j]),
                    ring.dot(axes_a[i], axes_b[j]),
                )
            elif primitive == TWIST:
                label, value = (
                    "twist",
                    ring.dot(axes_a[X], axes_b[Y]) - ring.dot(axes_a[Y], axes_b[X]),
                )
            elif primitive == THREAD:
                rows.append(_thread(ring, kinematics, closure, ring.dot(axes_a[i], d)))
                continue
            elif primitive == CURVE:
                assert closure.track is not None
                rest, frame_c = kinematics.between(closure.track, closure.b)
                label, value = (
                    tr("curve {axis}", axis=_AXES[i]),
                    ring.dot(
                        kinematics.transformed(
                            kinematics.axis(closure.a, i), closure.a.frame, frame_c
                        ),
                        rest,
                    ),
                )
            elif primitive == RIM:
                assert closure.length is not None
                sine = ring.one
                if closure.root >= 0:
                    ring.set_length(closure.root, 1 - ring.dot(axes_a[i], axes_b[j]) ** 2)
                    sine = ring.l[closure.root]
                label, value = "rim", ring.dot(axes_a[i], d) - ring.amount(closure.length) * sine
            else:
                assert primitive == DISTANCE
                assert closure.length is not None
                label, value = (
                    "distance",
                    ring.half * (ring.dot(d, d) - ring.amount(closure.length) ** 2),
                )
            rows.append(_row(plan, ring, closure.joint, label, value))
    return rows


def to_rim(ring: Ring, kinematics: Kinematics, closure: Closure, frame: int) -> list[Poly]:
    """From a disc's centre to the lowest point of its rim, -r (n - (n . z) z) / |...|, n the
    floor's normal; nothing for a blade.
    """
    if closure.length is None:
        return [ring.zero] * 3
    n, z = (kinematics.up(kinematics.axis(c, Z), c.frame, frame) for c in (closure.a, closure.b))
    radius = -ring.amount(closure.length)
    if closure.root < 0:
        return [radius * x for x in n]
    along = ring.dot(n, z)
    return [ring.reduce(radius * ring.w[closure.root] * (x - along * y)) for x, y in zip(n, z)]


def _row(plan: Plan, ring: Ring, joint: Joint, label: str, value: Poly) -> Row:
    jacobian = ring.gradient(value)
    if not any(jacobian):
        _check_constant(plan, ring, joint, label, value)
        value = ring.zero
    return Row(joint.id, label, value, jacobian, ring.velocity_terms(value, jacobian))


def measured_row(ring: Ring, joint: Joint, label: str, value: Poly) -> Row:
    """A row that ties a coordinate without mass."""
    value = ring.reduce(value)
    jacobian = ring.gradient(value)
    return Row(joint.id, label, value, jacobian, ring.velocity_terms(value, jacobian))


def _check_constant(plan: Plan, ring: Ring, joint: Joint, label: str, value: Poly) -> None:
    """A row without coordinates must hold in the drawing's numbers."""
    if not value:
        return
    number = ring.number(value, plan.symbols.value_of)
    if abs(number) > 1e-6 * (1.0 if label.startswith("angle") else plan.symbols.size):
        raise DerivationError(
            tr(
                "Joint {joint} can never close: its row “{label}” is {number:.3g} in every "
                "position. Move one of its frames.",
                joint=joint.name,
                label=label,
                number=number,
            )
        )


def _thread(ring: Ring, kinematics: Kinematics, closure: Closure, slide: Poly) -> Row:
    """Slide less lead times angle and what the thread holds constant."""
    assert closure.length is not None
    assert closure.constant is not None
    lead, read = ring.amount(closure.length), closing_coordinate(ring, kinematics, closure, 0)
    assert read is not None, "a screw has an angle"
    assert read.x is not None
    jacobian = [a - lead * b for a, b in zip(ring.gradient(slide), read.slopes)]
    gamma = ring.total(-ring.rate(x) * v for x, v in zip(jacobian, ring.v) if x)
    value = slide - lead * read.x - ring.amount(closure.constant)
    return Row(closure.joint.id, "thread", value, jacobian, ring.reduce(gamma))
