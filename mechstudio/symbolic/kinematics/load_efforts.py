"""Efforts of the loads, read once for all methods: each along its own coordinate, and the forces
and torques by which it acts.

Lagrange's equations use effort and coordinate, the projected equations and Newton-Euler's the
forces and torques.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mechstudio.model.mechanism import Joint
from mechstudio.model.types.forces import BODY, FRAMES, JOINT
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    JointType,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.errors import DerivationError, TooLarge
from mechstudio.symbolic.kinematics.closing_coordinates import closing_coordinate
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loads import (
    Load,
    Loads,
    along_a_slide,
    reading_of,
    relative_turn,
)
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.plan.force_laws import exact
from mechstudio.symbolic.plan.layout import Cursor, Form
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.plan.symbols import NEGLIGIBLE
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector
from mechstudio.translation import tr

MOST_TURN = 150  # terms of the nine cosines between the ends of a bushing


@dataclass
class Action:
    """A force at the origin of a cursor on a body, and a torque, per unit of effort, in the axes of
    the cursor's display frame.
    """

    body: str
    cursor: Cursor
    force: Vector | None = None
    moment: Vector | None = None


@dataclass
class Effort:
    """One load, read.

    x, v: its own coordinate [m or rad] and its rate (zero for a vector).  value: the effort that
    increases x; 1 for a vector.  numbers: of its law.  actions: by which it acts.  form: x as a
    form of coordinates, where a joint of the tree has more turns than one and the torques belong to
    its coordinates alone; then there are no actions.  slopes: dx/dq_k where x itself has no closed
    form and the law does not need it, or where it is known only where a joint's rows hold.  stored:
    the energy of a load of several coordinates.  parts: (x_i, pull against it) of one that stores
    none.
    """

    load: Load
    x: Poly
    v: Poly
    value: Poly
    numbers: Vector
    actions: list[Action] = field(default_factory=list)
    form: Form | None = None
    slopes: list[Poly] | None = None
    stored: Poly | None = None
    parts: list[tuple[Poly, Poly]] = field(default_factory=list)

    @property
    def conservative(self) -> bool:
        return self.load.kind.potential is not None or self.stored is not None


def dual_torques(
    kin: Kinematics, joint: Joint, a: Cursor, b: Cursor, component: int
) -> tuple[Vector, Vector] | None:
    """The torques on b and on a that work in one of several turns of a joint of the tree alone,
    each in the axes of its cursor's display frame.

    None where these are no polynomials: of the outer turns of a ball or a leaning disc, whose axes
    do not stand square on each other.
    """
    turns = tuple(axis for motion, axis in JOINT_TYPES[joint.type].motions if motion == TURN)
    of_b = _square_turns(JOINT_TYPES[joint.type]).get(component)
    if of_b is None:
        return None
    frame = kin.common({a.frame, b.frame})
    cursor, axis = (b, turns[-1]) if of_b else (a, turns[0])
    t = kin.up(kin.axis(cursor, axis), cursor.frame, frame)
    return kin.transformed(t, frame, b.frame), [-x for x in kin.transformed(t, frame, a.frame)]


def face_push(
    kin: Kinematics, plan: Plan, joint: Joint, a: Cursor, b: Cursor, frame: int
) -> tuple[Vector, Vector]:
    """Force and moment at B's origin, in the axes of `frame`, of a unit effort on x of a flat face
    in the tree: along the turned x, in the line that meets z of A, so that the angle feels nothing.
    """
    ring = kin.ring
    z, y = kin.up(kin.axis(a, Z), a.frame, frame), kin.up(kin.axis(b, Y), b.frame, frame)
    place = next(k for k, f in enumerate(plan.functions) if f.source == joint.id)
    lift = ring.f[place][0]
    return ring.cross(y, z), [lift * x for x in z]


def _square_turns(kind: JointType) -> dict[int, bool]:
    """Coordinates that are the two turns of a joint, True for the one about an axis of b; empty
    unless their axes stand square on each other at every pose.
    """
    places: dict[int, int] = {}  # coordinate of a turn -> its axis
    coordinate, quarters = 0, []
    for motion, axis in kind.motions:
        if motion in (BALL, HALF):
            return {}
        if motion in (TURN, LIFT):
            # a quarter turn about another axis carries this one onto the third
            rotated = len(quarters) == 1 and quarters[0] != axis
            places[coordinate] = 3 - axis - quarters[0] if rotated else axis
        if motion == QUARTER and len(places) == 1:
            quarters.append(axis)
        coordinate += motion in (TURN, SLIDE, HELIX, TRACK, LIFT)
    if len(places) != 2 or len(set(places.values())) != 2 or len(quarters) > 1:
        return {}
    first, second = places
    return {first: False, second: True}


class Root:
    """A square root that a law divides by."""

    def __init__(self, inverse: Poly):
        self.inverse = inverse

    def __rtruediv__(self, numerator: Poly) -> Poly:
        return numerator * self.inverse


class Reader:
    """Reads the loads of a drawing as efforts and actions.  notes: sentences for the reader of the
    equations.
    """

    def __init__(
        self,
        plan: Plan,
        loads: Loads,
        closures: Sequence[Closure],
        ring: Ring,
        kinematics: Kinematics,
    ):
        self.closures = closures
        self.plan, self.loads, self.ring, self.kinematics = plan, loads, ring, kinematics
        self.notes: list[str] = []

    def read(self) -> list[Effort]:
        """All loads in file order.  Raises DerivationError."""
        out: list[Effort] = []
        for load in self.loads.loads:
            if load.kind.attachment == FRAMES:
                out += self._bushing(load)
            else:
                out.append(
                    self._vector(load)
                    if load.kind.attachment == BODY
                    else self._at_joint(load)
                    if load.kind.attachment == JOINT
                    else self._between_points(load)
                )
        return out

    def _effort(self, load: Load, numbers: Vector, x: Poly, v: Poly) -> Effort:
        ring = self.ring
        assert load.kind.law is not None
        value = ring.reduce(
            exact(load.kind.law, sqrt=lambda square: self._root(load, square))(x, v, *numbers)
            + ring.zero
        )
        return Effort(load, x, v, value, numbers)

    def _root(self, load: Load, square: Poly) -> Root:
        """The square root in a law, as a length of the ring."""
        i = self.loads.spring_index[load.force.id]
        self.ring.set_length(i, square)
        return Root(self.ring.w[i])

    # on a joint

    def _at_joint(self, load: Load) -> Effort:
        ring, plan = self.ring, self.plan
        joint = plan.mechanism.joints[load.force.joint]
        kind = JOINT_TYPES[joint.type]
        if not 0 <= load.force.coordinate < kind.dof:
            raise DerivationError(
                tr(
                    "{force} acts on coordinate {coordinate} of joint {joint}, which has {dof}.",
                    force=load.force.name,
                    coordinate=load.force.coordinate + 1,
                    joint=joint.name,
                    dof=kind.dof,
                )
            )
        form = plan.joint_forms.get((joint.id, load.force.coordinate))
        if form is None:
            return self._at_closing(load)
        effort = self._effort(
            load, ring.amounts(load.numbers), ring.length(form), ring.rate_of(form)
        )
        if joint.id not in plan.ends:
            effort.form = form  # along a closing curve: the rows hand it on to the bodies
            return effort
        a, b = plan.ends[joint.id]
        # a coordinate's own motion: rods and quarter turns are none
        motions = [m for m in kind.motions if m[0] not in (ROD, QUARTER)]
        motion, axis = (
            motions[load.force.coordinate]
            if load.force.coordinate < len(motions) and BALL not in dict(motions)
            else ("", Z)
        )
        if BALL in dict(motions) and load.force.coordinate < len(
            [m for m in motions if m[0] == SLIDE]
        ):
            motion, axis = motions[load.force.coordinate]
        turns = [m for m, _ in kind.motions if m != SLIDE]
        if motion == SLIDE:
            effort.actions = self._pushes(joint, a, b, axis)
        elif motion in (TURN, HELIX) and len(turns) == 1:
            effort.actions = self._torques(joint, a, b, axis)
        elif (
            motion == TURN
            and (moment := dual_torques(self.kinematics, joint, a, b, load.force.coordinate))
            is not None
        ):
            effort.actions = [
                Action(joint.frame_b.body, b, moment=moment[0]),
                Action(joint.frame_a.body, a, moment=moment[1]),
            ]
        else:
            effort.form = form
        return effort

    def _torques(self, joint, a: Cursor, b: Cursor, axis: int) -> list[Action]:
        """About an axis that both frames share."""
        kin = self.kinematics
        return [
            Action(joint.frame_b.body, b, moment=kin.axis(b, axis)),
            Action(joint.frame_a.body, a, moment=[-x for x in kin.axis(a, axis)]),
        ]

    def _pushes(self, joint, a: Cursor, b: Cursor, axis: int) -> list[Action]:
        """Along an axis of A, on both bodies in the line through B's origin; of a flat face as
        `face_push` says.
        """
        kin, ring = self.kinematics, self.ring
        d, frame = kin.between(a, b)
        along, moment = kin.up(kin.axis(a, axis), a.frame, frame), [ring.zero] * 3
        if JOINT_TYPES[joint.type].has_face and axis == X:
            along, moment = face_push(kin, self.plan, joint, a, b, frame)
        back = [-x for x in along]
        turn = [x - y for x, y in zip(ring.cross(d, back), moment)]
        return [
            Action(
                joint.frame_b.body,
                b,
                force=kin.transformed(along, frame, b.frame),
                moment=kin.transformed(moment, frame, b.frame) if any(moment) else None,
            ),
            Action(
                joint.frame_a.body,
                a,
                force=kin.transformed(back, frame, a.frame),
                moment=kin.transformed(turn, frame, a.frame),
            ),
        ]

    def _at_closing(self, load: Load) -> Effort:
        """On a joint that closes a loop: measured between its two frames."""
        ring, kin, joint = self.ring, self.kinematics, self.plan.mechanism.joints[load.force.joint]
        closure = next((c for c in self.closures if c.joint.id == joint.id), None)
        read = closing_coordinate(ring, kin, closure, load.force.coordinate) if closure else None
        if (
            closure is None
            or read is None
            or (read.x is None and reading_of(load.kind).uses_coordinate)
        ):
            raise DerivationError(
                tr(
                    "{force} acts on joint {joint}, which closes a loop and has no coordinate of "
                    "its own. Put it on a joint that carries a body, or draw that joint first.",
                    force=load.force.name,
                    joint=joint.name,
                )
            )
        effort = self._effort(
            load, ring.amounts(load.numbers), ring.zero if read.x is None else read.x, read.rate
        )
        effort.slopes = read.slopes
        if read.moment is None:
            effort.actions = self._pushes(joint, closure.a, closure.b, read.axis)
        else:
            forces = read.force or (None, None)
            effort.actions = [
                Action(joint.frame_b.body, closure.b, forces[0], read.moment[0]),
                Action(joint.frame_a.body, closure.a, forces[1], read.moment[1]),
            ]
        return effort

    # between two points

    def _between_points(self, load: Load) -> Effort:
        ring, kin = self.ring, self.kinematics
        assert load.end_a is not None
        assert load.end_b is not None
        i = self.loads.spring_index[load.force.id]
        d, frame = kin.between(load.end_a, load.end_b)
        square = ring.dot(d, d)
        if not square:
            raise DerivationError(
                tr(
                    "Both ends of {force} are one point of one body, so that it has no direction. "
                    "Move one of them.",
                    force=load.force.name,
                )
            )
        straight = along_a_slide(self.plan, ring, square)
        if straight is not None:
            self.notes.append(
                tr(
                    "{force} lies along a slide: its length is counted with a sign, as long as "
                    "its ends do not pass each other.",
                    force=load.force.name,
                )
            )
            x, numbers = self._from_rest(load, straight)
            effort = self._effort(load, numbers, x, ring.rate(straight))
            along = [c // straight for c in d]
        else:
            ring.set_length(i, square)
            rate = ring.total(
                ring.length_slope(i, k) * ring.v[k] for k in range(ring.coordinate_count)
            )
            effort = self._effort(load, ring.amounts(load.numbers), ring.l[i], rate)
            along = [ring.w[i] * c for c in d]
        for frame_end, cursor, sign in (
            (load.force.frame_b, load.end_b, 1),
            (load.force.frame_a, load.end_a, -1),
        ):
            assert frame_end is not None
            effort.actions.append(
                Action(
                    frame_end.body,
                    cursor,
                    force=[sign * x for x in kin.transformed(along, frame, cursor.frame)],
                )
            )
        return effort

    def _from_rest(self, load: Load, length: Poly) -> tuple[Poly, Vector]:
        """Length and numbers of a law with the plain offsets of the drawing gathered in x_0: k (x -
        x_0).

        Only for a law in which length and free length count by their difference; others stay as
        they are.
        """
        ring, symbols = self.ring, self.plan.symbols
        numbers = ring.amounts(load.numbers)
        free = [k for k, p in enumerate(load.kind.parameters) if p.dimension == "length"]
        law = exact(load.kind.law)  # type: ignore[arg-type]
        if len(free) != 1:
            return length, numbers
        k, step, zero = free[0], ring.p[load.rest], ring.zero
        transformed = [n + step if i == k else n for i, n in enumerate(numbers)]
        if law(length + step, zero, *transformed) - law(length, zero, *numbers) != 0:
            return length, numbers
        followed = set(load.followed.values())
        plain = {i for i, s in enumerate(symbols.all) if not s.parameter and i not in followed}
        offset, free_plain = ring.part_in(length, plain), ring.part_in(numbers[k], plain)
        rest = ring.number(free_plain - offset, symbols.value_of)
        numbers[k] = numbers[k] - free_plain
        if abs(rest) > NEGLIGIBLE * symbols.size:
            symbols.all[load.rest].value = rest
            numbers[k] = numbers[k] + step
        return length - offset, numbers

    # between two frames

    def _bushing(self, load: Load) -> list[Effort]:
        """K and D over the rotation vector theta of B in A and the shift d of its origin, in A's
        axes (engine/kernels/loads/bushings.py).

        theta = F a,  a = (R_zy - R_yz, R_xz - R_zx, R_yx - R_xy),  F of the trace u of R
        (symbolic/ring/turn_function.py) theta' = G w with G = F (u 1 - R) - F' a a^T, so the moment
        on b is -G^T (K x + D x')_theta
        """
        ring, kin, a, b = self.ring, self.kinematics, load.end_a, load.end_b
        assert a is not None
        assert b is not None
        assert load.force.frame_a is not None
        assert load.force.frame_b is not None
        d, frame = kin.between(a, b)
        A, B = ([kin.up(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (a, b))
        shift = [ring.dot(axis, d) for axis in A]
        plane = relative_turn(a, b)
        if plane is not None:
            axis, form = plane
            turn = [
                ring.total(c * (ring.q[v] if v >= 0 else ring.p[-1 - v]) for v, c in form)
                if k == axis
                else ring.zero
                for k in range(3)
            ]
            moment = lambda y: [-x for x in y]
        else:
            long = sum(len(x) for axis in (*A, *B) for x in axis)
            R = (
                []
                if long > MOST_TURN
                else [[ring.dot(A[i], B[j]) for j in range(3)] for i in range(3)]
            )
            long = max(long, sum(len(x) for row in R for x in row))
            if long > MOST_TURN:
                raise TooLarge(
                    tr(
                        "The turn between the ends of {force} is a sum of {long} terms, and the "
                        "moment of a bushing has their third powers. Attach it between bodies "
                        "with fewer turns between them; the run takes it as it is.",
                        force=load.force.name,
                        long=long,
                    )
                )
            trace = ring.reduce(R[0][0] + R[1][1] + R[2][2])
            ring.set_argument(load.function, trace)
            F, slope = ring.f[load.function][:2]
            twice = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
            turn = [ring.reduce(F * x) for x in twice]

            def moment(y: Vector) -> Vector:
                along = slope * ring.dot(twice, y)
                return [
                    ring.reduce(
                        along * twice[k]
                        - F * (trace * y[k] - ring.dot([R[i][k] for i in range(3)], y))
                    )
                    for k in range(3)
                ]

        x, numbers, out = [*turn, *shift], ring.amounts(load.numbers), []
        triangle = {
            (i, j): n for n, (i, j) in enumerate((i, j) for i in range(6) for j in range(i, 6))
        }
        for start, stores, along in (
            (0, True, x),
            (len(triangle), False, [ring.rate(e) for e in x]),
        ):
            pull = [
                ring.reduce(
                    ring.total(
                        numbers[start + triangle[min(i, j), max(i, j)]] * along[j] for j in range(6)
                    )
                )
                for i in range(6)
            ]
            if not any(numbers[start : start + len(triangle)]):
                continue
            force, torque = [-y for y in pull[3:]], moment(pull[:3])
            world = lambda v: [
                ring.reduce(ring.total(v[k] * A[k][i] for k in range(3))) for i in range(3)
            ]
            force, torque = world(force), world(torque)
            back = [-y for y in force]
            rotated = [s - t for s, t in zip(ring.cross(d, back), torque)]
            actions = [
                Action(
                    load.force.frame_b.body,
                    b,
                    kin.transformed(force, frame, b.frame),
                    kin.transformed(torque, frame, b.frame),
                ),
                Action(
                    load.force.frame_a.body,
                    a,
                    kin.transformed(back, frame, a.frame),
                    kin.transformed(rotated, frame, a.frame),
                ),
            ]
            effort = Effort(load, ring.zero, ring.zero, ring.one, numbers, actions)
            if stores:
                effort.stored = ring.reduce(ring.half * ring.total(e * y for e, y in zip(x, pull)))
            else:
                effort.parts = list(zip(x, pull))
            out.append(effort)
        self.notes.append(
            tr(
                "{force} measures its turn by the rotation vector of its frame B in A; this holds "
                "up to half a turn.",
                force=load.force.name,
            )
        )
        return out

    # on a body

    def _vector(self, load: Load) -> Effort:
        """A force at a point or a torque, with components in W or in body axes."""
        ring, kin, cursor = self.ring, self.kinematics, load.end_b
        assert cursor is not None
        assert load.force.frame_b is not None
        numbers: Vector = ring.amounts(load.numbers)
        if load.force.axes == "world":
            vector = kin.world_vector(load.force.id, numbers, cursor.frame)
        else:
            assert load.end_a is not None
            vector = kin.transformed(
                kin.rotated(load.end_a, numbers), load.end_a.frame, cursor.frame
            )
        action = (
            Action(load.force.frame_b.body, cursor, moment=vector)
            if load.kind.moment
            else Action(load.force.frame_b.body, cursor, force=vector)
        )
        return Effort(load, ring.zero, ring.zero, ring.one, numbers, [action])


__all__ = ["Action", "Effort", "Reader", "dual_torques", "face_push"]
