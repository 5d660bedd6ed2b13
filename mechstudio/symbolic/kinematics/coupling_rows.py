"""Rows beside those of closing joints: rolling, couplings and drives (THEORY 3).

rolling   C = A(q) v, a velocity: the rows of A stand in C_q, and gamma = -(dA / dt) v
coupling  C = sum_k a_k x_k - c, c as drawn; of a cam x_2 - f(x_1) - c
drive     C = x - x_d, x_d where the drive stands at the instant; gamma = its second derivative
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import Coupling, Drive, Joint
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import EDGE, JOINT_TYPES
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.kinematics.closing_coordinates import closing_coordinate
from mechstudio.symbolic.kinematics.kinematics import Columns, Kinematics, Motion
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.kinematics.loop_rows import Row, to_rim
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.force_laws import exact
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.plan.plan import Opaque, Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector
from mechstudio.translation import tr

_AXES = "xyz"


@dataclass
class Ratio:
    """A coupling, read: its numbers by name, the symbol of its constant, and the place of its law
    among the functions.
    """

    coupling: Coupling
    numbers: dict[str, Amount]
    constant: int
    function: int | None = None


@dataclass
class Target:
    """A drive, read: the symbols of where it stands and of its derivatives."""

    drive: Drive
    position: int
    rate: int
    acceleration: int


def read_couplings(plan: Plan) -> list[Ratio]:
    """The couplings of a drawing."""
    out = []
    for coupling in plan.mechanism.couplings.values():
        kind = COUPLING_TYPES[coupling.type]
        numbers = {
            p.name: plan.symbols.read(
                coupling.parameters[p.name],
                "i" if p.dimension == "number" else "r",
                coupling.name,
                p.name,
                p.dimension,
                tr(
                    "{parameter} of {coupling}",
                    parameter=tr(p.label).lower(),
                    coupling=coupling.name,
                ),
                coupling.id,
            )
            for p in kind.parameters
        }
        dimension = (
            "length"
            if "length"
            in (dimension_of(plan.mechanism, e.joint, e.coordinate) for e in coupling.ends)
            else "angle"
        )
        constant = plan.symbols.spare(
            "c",
            coupling.name,
            dimension,
            tr("what {coupling} holds constant", coupling=coupling.name),
            coupling.id,
        )
        factors = kind.factors(
            {name: amount.value(plan.symbols.value_of) for name, amount in numbers.items()}
        )
        plan.symbols.all[constant].value = sum(
            f * drawn_coordinate(plan.mechanism, e.joint, e.coordinate)
            for f, e in zip(factors, coupling.ends, strict=True)
        )
        function = None
        if kind.law:
            assert coupling.law is not None
            end = coupling.ends[0]
            function, form = len(plan.functions), plan.joint_forms.get((end.joint, end.coordinate))
            plan.functions.append(
                Opaque(
                    "f",
                    coupling.name,
                    form or (),
                    tr("law of {coupling}", coupling=coupling.name),
                    "law",
                    coupling.id,
                )
            )
            at = drawn_coordinate(plan.mechanism, end.joint, end.coordinate)
            plan.symbols.all[constant].value -= jet(coupling.law, at)[0]
        out.append(Ratio(coupling, numbers, constant, function))
    return out


def read_drives(plan: Plan) -> list[Target]:
    """The enabled drives of a drawing."""
    out = []
    for drive in plan.mechanism.drives.values():
        if drive.enabled:
            own = dimension_of(plan.mechanism, drive.joint, drive.coordinate)
            position = plan.symbols.followed(
                "x_d",
                drive.name,
                "",
                drawn_coordinate(plan.mechanism, drive.joint, drive.coordinate),
                own,
                tr("where {drive} stands at the instant", drive=drive.name),
                drive.id,
            )
            rate = plan.symbols.followed(
                "u_d",
                drive.name,
                "",
                0.0,
                "angular_velocity" if own == "angle" else "velocity",
                tr("rate that {drive} prescribes at the instant", drive=drive.name),
                drive.id,
            )
            acceleration = plan.symbols.followed(
                "a_d",
                drive.name,
                "",
                0.0,
                "angular_acceleration" if own == "angle" else "acceleration",
                tr("acceleration that {drive} prescribes at the instant", drive=drive.name),
                drive.id,
            )
            out.append(Target(drive, position, rate, acceleration))
    return out


def coordinate_rows(
    plan: Plan,
    ring: Ring,
    kinematics: Kinematics,
    closures: Sequence[Closure],
    ratios: list[Ratio],
    targets: list[Target],
) -> list[Row]:
    """Rows of the couplings, then of the drives."""
    rows = []
    for ratio in ratios:
        numbers = {name: ring.amount(amount) for name, amount in ratio.numbers.items()}
        value, jacobian, gamma = (
            -ring.p[ratio.constant],
            [ring.zero] * ring.coordinate_count,
            ring.zero,
        )
        ends: list[tuple[Poly, list[Poly]]] = []
        for factor, end in zip(
            exact(COUPLING_TYPES[ratio.coupling.type].factors)(numbers),
            ratio.coupling.ends,
            strict=True,
        ):
            closure = next((c for c in closures if c.joint.id == end.joint), None)
            read = (
                closing_coordinate(ring, kinematics, closure, end.coordinate)
                if closure is not None
                else None
            )
            if read is not None and read.x is not None:
                x, slopes = read.x, read.slopes
                gamma = gamma - factor * ring.total(
                    ring.rate(s) * v for s, v in zip(slopes, ring.v) if s
                )
            else:
                x, slopes = _coordinate(plan, ring, end.joint, end.coordinate, ratio.coupling.name)
            ends.append((x, slopes))
            value = value + factor * x
            jacobian = [a + factor * b for a, b in zip(jacobian, slopes)]
        if ratio.function is not None:
            f, df, ddf, _ = ring.f[ratio.function]
            x, slopes = ends[0]
            if not ring.functions[ratio.function]:
                ring.set_argument(ratio.function, x)
            rate = ring.total(s * v for s, v in zip(slopes, ring.v))
            value = value - f
            jacobian = [a - s * df for a, s in zip(jacobian, slopes)]
            gamma = (
                gamma
                + ddf * rate**2
                + df * ring.total(ring.rate(s) * v for s, v in zip(slopes, ring.v) if s)
            )
        rows.append(
            Row(
                ratio.coupling.id,
                "ratio" if ratio.function is None else "cam",
                value,
                jacobian,
                ring.reduce(gamma),
            )
        )
    for target in targets:
        drive = target.drive
        closure = next((c for c in closures if c.joint.id == drive.joint), None)
        if closure is not None and (drive.joint, drive.coordinate) not in plan.joint_forms:
            rows.append(_driven_closing(plan, ring, kinematics, closure, target))
            continue
        x, slopes = _coordinate(plan, ring, drive.joint, drive.coordinate, drive.name)
        rows.append(
            Row(
                drive.id,
                tr("prescribed motion"),
                x - ring.p[target.position],
                slopes,
                ring.p[target.acceleration],
                -ring.p[target.rate],
            )
        )
    return rows


def _driven_closing(
    plan: Plan, ring: Ring, kinematics: Kinematics, closure: Closure, target: Target
) -> Row:
    """A drive of a joint that closes a loop: C = x - x_d, or sin(x - x_d) where only the angle's
    sine and cosine are closed forms.
    """
    drive = target.drive
    read = closing_coordinate(ring, kinematics, closure, drive.coordinate)
    if read is None:
        raise _no_coordinate(plan, drive.joint, drive.name)
    gamma = ring.p[target.acceleration] - ring.total(
        ring.rate(s) * v for s, v in zip(read.slopes, ring.v) if s
    )
    if read.x is not None:
        return Row(
            drive.id,
            tr("prescribed motion"),
            read.x - ring.p[target.position],
            read.slopes,
            ring.reduce(gamma),
            -ring.p[target.rate],
        )
    assert read.sine is not None
    assert read.cosine is not None
    cosine, sine = ring.cosine_sine(((-1 - target.position, 1),))
    return Row(
        drive.id,
        tr("sine of prescribed motion"),
        ring.reduce(read.sine * cosine - read.cosine * sine),
        read.slopes,
        ring.reduce(gamma),
        -ring.p[target.rate],
    )


def _coordinate(
    plan: Plan, ring: Ring, id: str, component: int, user: str
) -> tuple[Poly, list[Poly]]:
    """A joint coordinate and its slopes."""
    joint = plan.mechanism.joints.get(id)
    form = plan.joint_forms.get((id, component))
    if joint is None or form is None:
        raise _no_coordinate(plan, id, user)
    slopes = [ring.zero] * ring.coordinate_count
    for k, coefficient in form:
        slopes[k] = coefficient * ring.one
    return ring.length(form), slopes


def _no_coordinate(plan: Plan, id: str, user: str) -> DerivationError:
    joint = plan.mechanism.joints.get(id)
    if joint is None:
        return DerivationError(
            tr(
                "{user} acts on a joint that is not in the drawing. Choose its joint or delete it.",
                user=user,
            )
        )
    return DerivationError(
        tr(
            "{user} acts on joint {joint}, which closes a loop and has no coordinate of its own. "
            "Put it on a joint that carries a body, or draw that joint first.",
            user=user,
            joint=joint.name,
        )
    )


# rolling


def rolling_rows(
    plan: Plan, ring: Ring, kinematics: Kinematics, closures: Sequence[Closure]
) -> list[Row]:
    """Rows of the velocities that rolling joints prevent: of the lowest point of a rim, or of a
    knife edge, over A's body.
    """
    rows = []
    for branch in plan.tree.branches:
        joint = plan.mechanism.joints.get(branch.joint)
        if joint is None or not JOINT_TYPES[joint.type].rolling:
            continue
        floor, moving = plan.ends[joint.id]
        rod = plan.rods.get(joint.id)
        frame = kinematics.common({moving.frame, floor.frame, *([rod.frame] if rod else [])})
        sign = 1 if branch.reversed else -1
        down = (
            [sign * x for x in kinematics.up(kinematics.leg_vector(rod), rod.frame, frame)]
            if rod
            else [ring.zero] * 3
        )
        rows += _rolling(ring, kinematics, joint, floor, moving, frame, down)
    for closure in closures:
        if JOINT_TYPES[closure.joint.type].rolling:
            frame = kinematics.common({closure.a.frame, closure.b.frame})
            rows += _rolling(
                ring,
                kinematics,
                closure.joint,
                closure.a,
                closure.b,
                frame,
                to_rim(ring, kinematics, closure, frame),
            )
    return rows


def _rolling(
    ring: Ring,
    kinematics: Kinematics,
    joint: Joint,
    floor: Cursor,
    moving: Cursor,
    frame: int,
    down: Vector,
) -> list[Row]:
    """down: from the moving frame's origin to the point that must not slip, in the axes of
    `frame`.
    """
    over, under = kinematics.motion(moving), kinematics.motion(floor)
    d, _ = kinematics.between(floor, moving, frame)
    columns = _carried(ring, kinematics, over, frame, down)
    below = _carried(ring, kinematics, under, frame, [x + y for x, y in zip(d, down)])
    rows = []
    for primitive, i, j in JOINT_TYPES[joint.type].rolling:
        cursor, axis = (moving, j) if primitive == EDGE else (floor, i)
        direction = kinematics.up(kinematics.axis(cursor, axis), cursor.frame, frame)
        entries = [ring.zero] * ring.coordinate_count
        for sign, part in ((1, columns), (-1, below)):
            for k, column in part.items():
                entries[k] = ring.reduce(entries[k] + sign * ring.dot(direction, column))
        label = (
            tr("no slip sideways (velocity)")
            if primitive == EDGE
            else tr("no slip along {axis} (velocity)", axis=_AXES[i])
        )
        value = ring.total(e * v for e, v in zip(entries, ring.v))
        gamma = ring.total(-ring.rate(e) * v for e, v in zip(entries, ring.v) if e)
        rows.append(Row(joint.id, label, ring.reduce(value), entries, ring.reduce(gamma)))
    return rows


def _carried(
    ring: Ring, kinematics: Kinematics, motion: Motion, frame: int, arm: Vector
) -> Columns:
    """Partial velocities, in the axes of a frame, of a body's own point at an arm in those axes."""
    moving = {k: kinematics.up(v, motion.frame, frame) for k, v in motion.moving.items()}
    for k, w in motion.turning.items():
        rotated = ring.cross(kinematics.up(w, motion.frame, frame), arm)
        moving[k] = [a + b for a, b in zip(moving.get(k, [ring.zero] * 3), rotated)]
    return moving


__all__ = ["Ratio", "Target", "coordinate_rows", "read_couplings", "read_drives", "rolling_rows"]
