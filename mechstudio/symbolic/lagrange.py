"""Lagrange's equations of a plan: M(q), b(q, v), g(q) and the generalised forces tau (THEORY 5 c).

    T = v^T M v / 2,   U = gravity + springs,   d/dt dT/dv - dT/dq + dU/dq = tau
    b_k = sum_l (dM_kl/dt) v_l - (1/2) d(v^T M v)/dq_k          (Christoffel, summed up)
    g_k = dU/dq_k,   tau_k = effort dx/dq_k for every load without a potential
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from flint.utils.flint_exceptions import DomainError

from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT, TWO_POINTS, ForceType
from mechstudio.model.joint_types import JOINT_TYPES, SLIDE
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.rotation import conjugate, matrix, rotate

from .amounts import Amount
from .errors import DerivationError, TooLarge
from .kinematics import Kinematics
from .layout import Cursor, Form, plus
from .plan import Plan
from .points import center_point, inertia, mass
from .read_law import exact
from .ring import Poly, Ring, Vector
from .symbols import NEGLIGIBLE

Progress = Callable[[float, str], None]
_LETTERS = {"stiffness": "k", "free_length": "l_0", "free_angle": "theta_0", "damping": "d", "torque": "T", "force": "F"}


@dataclass
class Load:
    """A force of the drawing, read: its numbers and the cursors of its ends; end_a of a vector in body axes stands in them."""

    force: Force
    kind: ForceType
    numbers: tuple[Amount, ...]
    end_a: Cursor | None = None
    end_b: Cursor | None = None
    rest: int = -1              # of a spring between points: the spare symbol for where it is relaxed, should it act along a slide


@dataclass
class Mass:
    """A body's inertia, read: mass, arm from its reference point to its centre, inertia about it, in body axes."""

    id: str
    mass: Amount
    arm: tuple[Amount, Amount, Amount]
    inertia: list[list[Amount]]


@dataclass
class Loads:
    """Everything of a plan that enters the equations beside the tree."""

    masses: list[Mass]
    loads: list[Load]
    gravity: tuple[Amount, Amount, Amount]
    spring_index: dict[str, int] = field(default_factory=dict)


def read_loads(plan: Plan) -> Loads:
    """Masses, gravity and forces of the drawing."""
    symbols, mechanism = plan.symbols, plan.mechanism
    masses = []
    for id, body in mechanism.bodies.items():
        arm = plan.arm(body, center_point(symbols, body), "c", "", f"distance to the centre of mass of {body.name}")
        axes = plan.axes.get(id)
        masses.append(Mass(id, mass(symbols, body), arm, inertia(symbols, body, matrix(axes) if axes else None)))
    single = sum(1 for q in mechanism.gravity if q.value) == 1
    gravity = []
    for axis, q in zip("xyz", mechanism.gravity):
        # a single component is printed as g times its direction
        typed = symbols.typed(q, "gravity")
        if typed is None:
            size = symbols.named("g", "", "" if single else axis, abs(q.value), "acceleration", "gravity", "gravity")
            typed = size if q.value >= 0 else -size
        gravity.append(typed)
    out = Loads(masses, [_load(plan, f) for f in mechanism.forces.values()], tuple(gravity))  # type: ignore[arg-type]
    for load in out.loads:
        if load.kind.attachment == TWO_POINTS:
            out.spring_index[load.force.id] = len(out.spring_index)
    return out


def _load(plan: Plan, force: Force) -> Load:
    kind = FORCE_TYPES[force.type]
    numbers = []
    for p in kind.parameters:
        letter = _LETTERS.get(p.name) or ("T" if kind.moment else "F")
        detail = p.name if kind.attachment == BODY else ""
        numbers.append(plan.symbols.read(force.parameters[p.name], letter, force.name, detail, p.dimension, f"{p.label.lower()} of {force.name}", force.id))
    load = Load(force, kind, tuple(numbers))
    if kind.attachment == JOINT:
        if force.joint not in plan.mechanism.joints:
            raise DerivationError(f"{force.name} acts on a joint that is not in the drawing. Choose its joint or delete it.")
        return load
    for side, needed in (("a", kind.attachment == TWO_POINTS), ("b", True)):
        frame = getattr(force, f"frame_{side}")
        if not needed:
            continue
        if frame is None or (frame.body != GROUND and frame.body not in plan.mechanism.bodies):
            raise DerivationError(f"{force.name} has an end that stands on no body. Attach it or delete it.")
        cursor = plan.at_frame(frame, "r", force.name, f"distance to {force.name}", force.name, shared=force.id)
        setattr(load, f"end_{side}", cursor)
    if kind.attachment == BODY and force.axes != "world":
        load.end_a = plan.body_axes(plan.mechanism.body(force.frame_b.body))  # type: ignore[union-attr]
    if kind.attachment == TWO_POINTS:
        load.rest = plan.symbols.spare("x_0", force.name, "length", f"where {force.name} is relaxed", force.id)
    return load


def cursors_of(plan: Plan, loads: Loads) -> list[Cursor]:
    """All cursors at which something is evaluated, for the ring's angles."""
    out = list(plan.cursors.values())
    out += [c for load in loads.loads for c in (load.end_a, load.end_b) if c is not None]
    out += [plan.cursors[m.id].shifted(m.arm) for m in loads.masses]
    return out


class Lagrange:
    """M, b, g and tau in the ring, each term tagged with the body or force that it comes from."""

    def __init__(self, plan: Plan, loads: Loads, ring: Ring, kinematics: Kinematics, term_limit: int, progress: Progress):
        self.plan, self.loads, self.ring, self.kinematics = plan, loads, ring, kinematics
        self.term_limit, self.progress = term_limit, progress
        n = ring.coordinate_count
        self.M = [[ring.zero] * n for _ in range(n)]
        self.b = [ring.zero] * n
        self.g = [ring.zero] * n
        self.tau = [ring.zero] * n
        self._gravity = [ring.amount(a) for a in loads.gravity]

    def derive(self) -> None:
        """Fill M, g, tau, then b.  Raises TooLarge."""
        for k, m in enumerate(self.loads.masses):
            self.progress(0.5 * k / len(self.loads.masses), f"Kinetic energy of {self.plan.mechanism.body(m.id).name}")
            self._add_mass(m)
            self._watch(p for row in self.M for p in row)
        for load in self.loads.loads:
            self.progress(0.5, f"Work of {load.force.name}")
            self._add_load(load)
        self._add_bias()

    def _watch(self, entries) -> None:
        count = sum(len(p) for p in entries)
        if count > self.term_limit:
            raise TooLarge(f"The closed form has more than {self.term_limit} terms, which nobody reads; only its structure is shown. "
                           "Derive a part of the mechanism, or use the numbers of a run.")

    def _add_mass(self, m: Mass) -> None:
        ring, kin = self.ring, self.kinematics
        cursor = self.plan.cursors[m.id]
        motion = kin.motion(cursor)
        tag = ring.tag(m.id)
        if m.mass:
            weight = ring.amount(m.mass) * tag
            moving = kin.carried(motion, kin.turned(cursor, ring.amounts(m.arm)))
            pull = kin.world_vector("gravity", self._gravity, motion.frame)
            for k, column in moving.items():
                self.g[k] = self.g[k] - weight * ring.dot(column, pull)
                for l, other in moving.items():
                    if l >= k:
                        self.M[k][l] = self.M[k][l] + weight * ring.dot(column, other)
        if any(any(row) for row in m.inertia):
            theta = [[ring.amount(a) * tag for a in row] for row in m.inertia]
            turning = {k: ring.to_body(cursor.permutation, ring.rotated(cursor.axis, cursor.form, w, back=True)) for k, w in motion.turning.items()}
            for k, w in turning.items():
                momentum = [ring.dot(row, w) for row in theta]
                for l, other in turning.items():
                    if l >= k:
                        self.M[k][l] = self.M[k][l] + ring.dot(momentum, other)
        for k in range(ring.coordinate_count):
            for l in range(k):
                self.M[k][l] = self.M[l][k]

    def _add_bias(self) -> None:
        ring, n = self.ring, self.ring.coordinate_count
        double_energy = ring.zero
        for k in range(n):
            for l in range(k, n):
                double_energy = double_energy + (1 if k == l else 2) * self.M[k][l] * ring.v[k] * ring.v[l]
        rates: dict[tuple[int, int], Poly] = {}
        for k in range(n):
            self.progress(0.5 + 0.4 * k / n, "Velocity terms")
            total = ring.zero
            for l in range(n):
                key = (min(k, l), max(k, l))
                if key not in rates:
                    rates[key] = ring.rate(self.M[k][l])
                total = total + rates[key] * ring.v[l]
            self.b[k] = total - ring.half * ring.derivative(double_energy, k)
            self._watch(self.b)

    # loads

    def _add_load(self, load: Load) -> None:
        if load.kind.attachment == BODY:
            self._add_vector(load)
        elif load.kind.attachment == JOINT:
            self._add_effort(load, self.ring.amounts(load.numbers), *self._joint_motion(load))
        else:
            self._add_effort(load, *self._length_motion(load))

    def _add_effort(self, load: Load, numbers: Vector, x: Poly, v: Poly, slopes: list[Poly]) -> None:
        """effort dx/dq_k; a load with a potential goes to the left side as dU/dq_k."""
        ring, tag = self.ring, self.ring.tag(load.force.id)
        assert load.kind.law is not None
        effort = ring.reduce(exact(load.kind.law)(x, v, *numbers) + ring.zero)
        side, sign = (self.g, -1) if load.kind.potential is not None else (self.tau, 1)
        for k, slope in enumerate(slopes):
            if slope:
                side[k] = side[k] + sign * tag * ring.reduce(effort * slope)

    def _joint_motion(self, load: Load) -> tuple[Poly, Poly, list[Poly]]:
        """Coordinate, rate and slopes of the joint coordinate that a load acts on."""
        ring, joint = self.ring, self.plan.mechanism.joints[load.force.joint]
        dof = JOINT_TYPES[joint.type].dof
        if not 0 <= load.force.coordinate < dof:
            raise DerivationError(f"{load.force.name} acts on coordinate {load.force.coordinate + 1} of joint {joint.name}, which has {dof}.")
        form = self.plan.joint_forms.get((joint.id, load.force.coordinate))
        if form is None:
            return self._closing_motion(load)
        slopes = [ring.zero] * ring.coordinate_count
        for k, coefficient in form:
            slopes[k] = coefficient * ring.one
        return ring.length(form), ring.rate_of(form), slopes

    def _closing_motion(self, load: Load) -> tuple[Poly, Poly, list[Poly]]:
        """The same for a joint that closes a loop: measured between its two frames."""
        ring, kin, joint = self.ring, self.kinematics, self.plan.mechanism.joints[load.force.joint]
        kind = JOINT_TYPES[joint.type]
        coordinate = kind.coordinates[load.force.coordinate]
        a, b = self.plan.joint_frame(joint, joint.frame_a), self.plan.joint_frame(joint, joint.frame_b)
        if coordinate.dimension == "length" and len([m for m in kind.motions if m[0] == "slide"]) == 1:
            d, frame = kin.between(a, b)
            axis = next(axis for motion, axis in kind.motions if motion == "slide")
            x = ring.dot(d, kin.up(kin.axis(a, axis), a.frame, frame))
            return x, ring.rate(x), [ring.derivative(x, k) for k in range(ring.coordinate_count)]
        form = _relative_angle(a, b) if kind.motions == (("turn", 2),) else None
        if form is None:
            raise DerivationError(f"{load.force.name} acts on joint {joint.name}, which closes a loop and has no coordinate of its own in the equations. "
                                  "Put it on a joint that carries a body, or draw that joint first.")
        slopes = [ring.zero] * ring.coordinate_count
        for k, coefficient in form:
            if k >= 0:
                slopes[k] = coefficient * ring.one
        angle = sum((c * (ring.q[v] if v >= 0 else ring.p[-1 - v]) for v, c in form), ring.zero)
        return angle, ring.rate_of(form), slopes

    def _length_motion(self, load: Load) -> tuple[Vector, Poly, Poly, list[Poly]]:
        """The law's numbers, and length, rate and slopes of the line between the two ends of a load."""
        ring, kin = self.ring, self.kinematics
        assert load.end_a is not None and load.end_b is not None
        i = self.loads.spring_index[load.force.id]
        d, _ = kin.between(load.end_a, load.end_b)
        square = ring.dot(d, d)
        straight = along_a_slide(self.plan, ring, square)
        if straight is not None:
            slopes = [ring.derivative(straight, k) for k in range(ring.coordinate_count)]
            x, numbers = self._from_rest(load, straight)
            return numbers, x, ring.rate(straight), slopes
        ring.set_length(i, square)
        slopes = [ring.length_slope(i, k) for k in range(ring.coordinate_count)]
        return ring.amounts(load.numbers), ring.l[i], sum((s * v for s, v in zip(slopes, ring.v)), ring.zero), slopes

    def _from_rest(self, load: Load, length: Poly) -> tuple[Poly, Vector]:
        """Length and numbers of a law with the plain offsets of the drawing gathered in x_0: k (x - x_0).

        Only for a law in which length and free length count by their difference; others stay as they are.
        """
        ring, symbols = self.ring, self.plan.symbols
        numbers = ring.amounts(load.numbers)
        free = [k for k, p in enumerate(load.kind.parameters) if p.dimension == "length"]
        law = exact(load.kind.law)  # type: ignore[arg-type]
        if len(free) != 1:
            return length, numbers
        k, step, zero = free[0], ring.p[load.rest], ring.zero
        moved = [n + step if i == k else n for i, n in enumerate(numbers)]
        if law(length + step, zero, *moved) - law(length, zero, *numbers) != 0:
            return length, numbers
        plain = {i for i, s in enumerate(symbols.all) if not s.parameter}
        offset, free_plain = ring.part_in(length, plain), ring.part_in(numbers[k], plain)
        rest = ring.number(free_plain - offset, symbols.value_of)
        numbers[k] = numbers[k] - free_plain
        if abs(rest) > NEGLIGIBLE * symbols.size:
            symbols.all[load.rest].value = rest
            numbers[k] = numbers[k] + step
        return length - offset, numbers

    def _add_vector(self, load: Load) -> None:
        """A force at a point or a torque, with components in W or in body axes."""
        ring, kin, cursor = self.ring, self.kinematics, load.end_b
        assert cursor is not None
        motion = kin.motion(cursor)
        numbers: Vector = ring.amounts(load.numbers)
        if load.force.axes == "world":
            vector = kin.world_vector(load.force.id, numbers, motion.frame)
        else:
            assert load.end_a is not None
            turned = kin.turned(load.end_a, numbers)
            vector, frame = turned, load.end_a.frame
            if frame != motion.frame:
                vector = kin.up(turned, frame, motion.frame)
        for k, column in (motion.turning if load.kind.moment else motion.moving).items():
            self.tau[k] = self.tau[k] + ring.tag(load.force.id) * ring.dot(column, vector)


def along_a_slide(plan: Plan, ring: Ring, square: Poly) -> Poly | None:
    """The length itself where a squared length is the square of slides and fixed distances; positive as drawn."""
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
    if any(root.degrees()[ring.starts["s"]:ring.starts["q"]]):
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


def _relative_angle(a: Cursor, b: Cursor) -> Form | None:
    """The angle of a hinge between two frames of one run of parallel axes, zero where the frames' x axes coincide."""
    direction = a.direction(2)
    j = next(c for c in range(3) if direction[c])
    if a.frame != b.frame or b.direction(2) != direction or any(c.form and c.axis != j for c in (a, b)) or a.direction(0) != b.direction(0):
        return None
    return plus((), plus(b.form, a.form, -1), direction[j])


__all__ = ["Lagrange", "Loads", "Progress", "cursors_of", "read_loads"]
