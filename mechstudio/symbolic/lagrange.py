"""Lagrange's equations of a plan: M(q), b(q, v), g(q) and the generalised forces tau (THEORY 5 c).

    T = v^T M v / 2,   U = gravity + springs,   d/dt dT/dv - dT/dq + dU/dq = tau
    b_k = sum_l (dM_kl/dt) v_l - (1/2) d(v^T M v)/dq_k          (Christoffel, summed up)
    g_k = dU/dq_k,   tau_k = effort dx/dq_k for every load without a potential
"""

from collections.abc import Callable, Iterable

from mechstudio.model.force_types import BODY, JOINT
from mechstudio.model.joint_types import JOINT_TYPES, SLIDE, TURN, Z

from .errors import DerivationError, TooLarge
from .kinematics import Kinematics
from .loads import Load, Loads, Mass, along_a_slide, relative_angle
from .plan import Plan
from .read_law import exact
from .ring import Poly, Ring, Vector
from .symbols import NEGLIGIBLE

Progress = Callable[[float, str], None]


class Root:
    """A square root that a law divides by."""

    def __init__(self, inverse: Poly):
        self.inverse = inverse

    def __rtruediv__(self, numerator: Poly) -> Poly:
        return numerator * self.inverse


class Lagrange:
    """M, b, g and tau in the ring, each term tagged with the body or force that it comes from."""

    def __init__(self, plan: Plan, loads: Loads, ring: Ring, kinematics: Kinematics, term_limit: int, progress: Progress):
        self.plan, self.loads, self.ring, self.kinematics = plan, loads, ring, kinematics
        self.term_limit, self.progress = term_limit, progress
        self.notes: list[str] = []
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
        self.watch(p for row in self.M for p in row)
        for load in self.loads.loads:
            self.progress(0.5, f"Work of {load.force.name}")
            self._add_load(load)
        self._add_bias()

    def watch(self, entries: Iterable[Poly]) -> None:
        """Raise TooLarge for more terms than anybody reads."""
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
                for j, other in moving.items():
                    if j >= k:
                        self.M[k][j] = self.M[k][j] + weight * ring.dot(column, other)
        if any(any(row) for row in m.inertia):
            theta = [[ring.amount(a) * tag for a in row] for row in m.inertia]
            turning = {k: ring.to_body(cursor.permutation, ring.rotated(cursor.axis, cursor.form, w, back=True)) for k, w in motion.turning.items()}
            for k, w in turning.items():
                momentum = [ring.dot(row, w) for row in theta]
                for j, other in turning.items():
                    if j >= k:
                        self.M[k][j] = self.M[k][j] + ring.dot(momentum, other)
        self.watch(self.M[k][j] for k in motion.turning for j in motion.turning)
        for k in range(ring.coordinate_count):
            for j in range(k):
                self.M[k][j] = self.M[j][k]

    def _add_bias(self) -> None:
        ring, n = self.ring, self.ring.coordinate_count
        double_energy = ring.zero
        for k in range(n):
            for j in range(k, n):
                if self.M[k][j]:
                    double_energy = double_energy + (1 if k == j else 2) * self.M[k][j] * ring.v[k] * ring.v[j]
        slopes = ring.gradient(double_energy)
        rates: dict[tuple[int, int], Poly] = {}
        for k in range(n):
            self.progress(0.5 + 0.4 * k / n, "Velocity terms")
            total = ring.zero
            for j in range(n):
                if self.M[k][j]:
                    key = (min(k, j), max(k, j))
                    if key not in rates:
                        rates[key] = ring.rate(self.M[k][j])
                    total = total + rates[key] * ring.v[j]
            self.b[k] = total - ring.half * slopes[k]
            self.watch(self.b)

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
        effort = ring.reduce(exact(load.kind.law, sqrt=lambda square: self._root(load, square))(x, v, *numbers) + ring.zero)
        side, sign = (self.g, -1) if load.kind.potential is not None else (self.tau, 1)
        for k, slope in enumerate(slopes):
            if slope:
                side[k] = side[k] + sign * tag * ring.reduce(effort * slope)

    def _root(self, load: Load, square: Poly) -> "Root":
        """The square root in a law, as a length of the ring."""
        i = self.loads.spring_index[load.force.id]
        self.ring.set_length(i, square)
        return Root(self.ring.w[i])

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
        if coordinate.dimension == "length" and len([m for m in kind.motions if m[0] == SLIDE]) == 1:
            d, frame = kin.between(a, b)
            axis = next(axis for motion, axis in kind.motions if motion == SLIDE)
            x = ring.dot(d, kin.up(kin.axis(a, axis), a.frame, frame))
            return x, ring.rate(x), ring.gradient(x)
        form = relative_angle(a, b) if kind.motions == ((TURN, Z),) else None
        if form is None:
            raise DerivationError(f"{load.force.name} acts on joint {joint.name}, which closes a loop and has no coordinate of its own. "
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
            slopes = ring.gradient(straight)
            self.notes.append(f"{load.force.name} lies along a slide: its length is counted with a sign, as long as its ends do not pass each other.")
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
            vector = kin.up(kin.turned(load.end_a, numbers), load.end_a.frame, motion.frame)
        for k, column in (motion.turning if load.kind.moment else motion.moving).items():
            self.tau[k] = self.tau[k] + ring.tag(load.force.id) * ring.dot(column, vector)
