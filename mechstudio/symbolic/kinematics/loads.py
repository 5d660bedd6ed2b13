"""The masses and loads of a drawing read for a derivation: their numbers, and the cursors at which
they act.
"""

from dataclasses import dataclass, field

from flint.utils.flint_exceptions import DomainError

from mechstudio.model.geometry.rotation import conjugate, matrix, rotate, triple
from mechstudio.model.mechanism import GROUND, Force, Frame
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.forces import (
    BODY,
    FORCE_TYPES,
    FRAMES,
    JOINT,
    TWO_POINTS,
    ForceType,
    sticks,
)
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.force_laws import NotAFormula, Reading, reading
from mechstudio.symbolic.plan.frames import center_point, inertia, mass
from mechstudio.symbolic.plan.layout import Cursor, Form, plus
from mechstudio.symbolic.plan.plan import Opaque, Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.symbolic.ring.turn_function import ATTITUDE
from mechstudio.translation import tr


@dataclass
class Load:
    """A force of the drawing, read: its numbers and the cursors of its ends; end_a of a vector in
    body axes stands in them.
    """

    force: Force
    kind: ForceType
    numbers: tuple[Amount, ...]
    end_a: Cursor | None = None
    end_b: Cursor | None = None
    # of a spring between points: the spare symbol for where it is relaxed, should it act along a
    # slide
    rest: int = -1
    followed: dict[str, int] = field(default_factory=dict)  # per parameter with a law, its symbol
    # of a bushing that turns about more than one axis: the place of its function F
    # (symbolic/ring/turn_function.py)
    function: int = -1


@dataclass
class Mass:
    """A body's inertia, read: mass, arm from its reference point to its centre, inertia about it,
    in body axes.
    """

    id: str
    mass: Amount
    arm: tuple[Amount, Amount, Amount]
    inertia: list[list[Amount]]

    @property
    def inertia_used(self) -> bool:
        return any(any(row) for row in self.inertia)


@dataclass
class Loads:
    """Everything of a plan that enters the equations beside the tree."""

    masses: list[Mass]
    loads: list[Load]
    gravity: tuple[Amount, Amount, Amount]
    spring_index: dict[str, int] = field(
        default_factory=dict
    )  # forces with a square root: a length, or a smoothed speed


def read_loads(plan: Plan) -> Loads:
    """Masses, gravity and forces of the drawing."""
    symbols, mechanism = plan.symbols, plan.mechanism
    masses = []
    for id, body in mechanism.bodies.items():
        arm = plan.arm(
            body,
            center_point(symbols, body),
            "c",
            "",
            tr("distance to the centre of mass of {body}", body=body.name),
        )
        axes = plan.axes.get(id)
        masses.append(
            Mass(
                id, mass(symbols, body), arm, inertia(symbols, body, matrix(axes) if axes else None)
            )
        )
    single = sum(1 for q in mechanism.gravity if q.value) == 1
    gravity = []
    for axis, q in zip("xyz", mechanism.gravity):
        # a single component is printed as g times its direction
        typed = symbols.typed(q, "gravity")
        if typed is None:
            size = symbols.named(
                "g",
                "",
                "" if single else axis,
                abs(q.value),
                "acceleration",
                tr("gravity"),
                "gravity",
            )
            typed = size if q.value >= 0 else -size
        gravity.append(typed)
    for force in mechanism.forces.values():
        _check_law(force)
    out = Loads(masses, [_load(plan, f) for f in mechanism.forces.values()], triple(gravity))
    for load in out.loads:
        if load.kind.attachment == TWO_POINTS or reading_of(load.kind).roots:
            out.spring_index[load.force.id] = len(out.spring_index)
    return out


def reading_of(kind: ForceType) -> Reading:
    """The reading of the law of a force type.  Raises NotAFormula."""
    if kind.law is None:
        return Reading(False, 0)
    return reading(kind.law, 1 + len(kind.parameters))


def _check_law(force: Force) -> None:
    """Check that equations can be read from the law and the potential.  Raises DerivationError."""
    kind = FORCE_TYPES[force.type]
    try:
        roots = reading_of(kind).roots
        stored = reading(kind.potential, len(kind.parameters)).roots if kind.potential else 0
    except NotAFormula as error:
        raise DerivationError(
            tr(
                "{force} has a law that is no formula: the equations are read from sums, "
                "products and the division by one square root.  Write the law with these, or "
                "simulate without equations.",
                force=force.name,
            )
        ) from error
    if stored or roots > (kind.attachment == JOINT and kind.potential is None):
        raise DerivationError(
            tr(
                "{force} has a law with more square roots than the equations can hold: one of a "
                "force on a joint that stores no energy, none of others.",
                force=force.name,
            )
        )


def _load(plan: Plan, force: Force) -> Load:
    kind = FORCE_TYPES[force.type]
    numbers: list[Amount] = []
    followed: dict[str, int] = {}
    for p in kind.parameters:
        letter = p.letter or ("T" if kind.moment else "F")
        detail = p.name if kind.attachment == BODY else ""
        if kind.attachment == FRAMES:
            # k_rx_x: letter and the two directions that it ties
            letter, _, detail = p.name.partition("_")
            detail = detail.replace("_", " ")
        meaning = symbol_meaning(force, p.name)
        # friction that sticks is smoothed over the default speed in formulas
        smoothed = p.name == "speed" and sticks(force)
        typed = (
            Quantity(p.default or 0.0)
            if smoothed
            else force.parameters.get(p.name, Quantity(p.default or 0.0))
        )
        if p.name in force.laws or p.rate_of in force.laws:
            followed[p.name] = plan.symbols.followed(
                letter,
                force.name,
                detail,
                typed.value,
                p.dimension,
                tr("{meaning}, by its law", meaning=meaning),
                force.id,
            )
            numbers.append(Amount.symbol(followed[p.name]))
            continue
        numbers.append(
            plan.symbols.read(typed, letter, force.name, detail, p.dimension, meaning, force.id)
        )
    load = Load(force, kind, tuple(numbers), followed=followed)
    if kind.attachment == JOINT:
        if force.joint not in plan.mechanism.joints:
            raise DerivationError(
                tr(
                    "{force} acts on a joint that is not in the drawing. Choose its joint or "
                    "delete it.",
                    force=force.name,
                )
            )
        return load

    def cursor_at(frame: Frame | None) -> Cursor:
        if frame is None or (frame.body != GROUND and frame.body not in plan.mechanism.bodies):
            raise DerivationError(
                tr(
                    "{force} has an end that stands on no body. Attach it or delete it.",
                    force=force.name,
                )
            )
        cursor = plan.at_point(
            frame, "r", force.name, tr("distance to {force}", force=force.name), shared=force.id
        )
        if kind.attachment == FRAMES:
            cursor = plan.layout.fixed(cursor, plan.attitude(cursor, frame, force.name))
        return cursor

    if kind.attachment in (TWO_POINTS, FRAMES):
        load.end_a = cursor_at(force.frame_a)
    load.end_b = cursor_at(force.frame_b)
    if kind.attachment == BODY and force.axes != "world":
        body = force.frame_b.body  # type: ignore[union-attr]
        load.end_a = plan.body_axes(plan.mechanism.body(body))
    ends = load.end_a, load.end_b
    if kind.attachment == FRAMES and relative_turn(*ends) is None:  # type: ignore[arg-type]
        load.function = len(plan.functions)
        plan.functions.append(
            Opaque(
                "F",
                force.name,
                (),
                tr(
                    "turn of {force} over twice its sine, F(u) = φ/(2 sin φ) of the trace u of "
                    "its rotation matrix",
                    force=force.name,
                ),
                ATTITUDE,
                force.id,
            )
        )
    if kind.attachment == TWO_POINTS:
        load.rest = plan.symbols.spare(
            "x_0", force.name, "length", tr("where {force} is relaxed", force=force.name), force.id
        )
    return load


def symbol_meaning(force: Force, parameter: str) -> str:
    """A number of a force in words."""
    label = next(p.label for p in FORCE_TYPES[force.type].parameters if p.name == parameter)
    return tr("{label} of {force}", label=label.lower(), force=force.name)


def cursors_of(plan: Plan, loads: Loads) -> list[Cursor]:
    """All cursors at which something is evaluated, for the ring's angles."""
    out = list(plan.cursors.values())
    out += [c for load in loads.loads for c in (load.end_a, load.end_b) if c is not None]
    out += [plan.cursors[m.id].shifted(m.arm) for m in loads.masses]
    return out


def along_a_slide(plan: Plan, ring: Ring, square: Poly) -> Poly | None:
    """The length itself where a squared length is the square of slides and fixed distances;
    positive as drawn.
    """
    try:
        root = square.sqrt()
    except DomainError:
        return None
    drawn = {}
    for k, c in enumerate(plan.coordinates):
        if root.degrees()[ring.starts["q"] + k]:
            value = drawn_slide(plan, c.joint, c.component)
            if value is None:
                return None
            drawn[k] = value
    if any(root.degrees()[ring.starts["s"] : ring.starts["q"]]):
        return None
    number = ring.number(root, plan.symbols.value_of, drawn)
    return None if abs(number) < 1e-6 * plan.symbols.size else root if number > 0 else -root


def drawn_slide(plan: Plan, joint_id: str, component: int) -> float | None:
    """The slide [m] of a joint as drawn; None for a coordinate that is no slide."""
    mechanism = plan.mechanism
    if not joint_id:
        return None
    joint = mechanism.joints[joint_id]
    motion, axis = JOINT_TYPES[joint.type].motions[component]
    if motion != SLIDE:
        return None
    (p, attitude), (r, _) = (mechanism.frame_in_world(f) for f in (joint.frame_a, joint.frame_b))
    return rotate(conjugate(attitude), (r[0] - p[0], r[1] - p[1], r[2] - p[2]))[axis]


def relative_angle(a: Cursor, b: Cursor) -> Form | None:
    """The angle of a hinge between two frames of one run of parallel axes, zero where the frames' x
    axes coincide.
    """
    direction = a.direction(2)
    j = next(c for c in range(3) if direction[c])
    if (
        a.frame != b.frame
        or b.direction(2) != direction
        or any(c.form and c.axis != j for c in (a, b))
        or a.direction(0) != b.direction(0)
    ):
        return None
    return plus((), plus(b.form, a.form, -1), direction[j])


def relative_turn(a: Cursor, b: Cursor) -> tuple[int, Form] | None:
    """(axis of the first frame, angle about it) by which two frames of one plane are turned against
    each other; None where they can turn about more than one axis.
    """
    if (
        a.frame != b.frame
        or a.permutation != b.permutation
        or (a.form and b.form and a.axis != b.axis)
    ):
        return None
    j = a.axis if a.form else b.axis
    if j is None:
        return 2, ()
    own = next(k for k in range(3) if a.direction(k)[j])
    return own, plus((), plus(b.form, a.form, -1), a.direction(own)[j])
