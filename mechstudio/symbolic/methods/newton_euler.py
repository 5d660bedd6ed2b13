"""Newton-Euler: every body cut free, six equations each, and the reactions eliminated by
substitution from the leaves to the root (THEORY 5 a).

    m a_G = sum F,   Theta alpha + w x Theta w = sum Gamma
    a' = a + alpha x r + w x (w x r) + 2 w x (s' e) + s'' e,
        alpha' = alpha + w x (theta' e) + theta'' e
        along the joints

What a joint must transmit on its outer body is that body's inertia less its loads, plus what the
bodies beyond it need.  Its part along the joint's own motion is no reaction: that it is zero is the
equation of that coordinate.
"""

from dataclasses import dataclass

from mechstudio.symbolic.kinematics.load_efforts import Action
from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.kinematics.method import Method
from mechstudio.symbolic.methods.reactions import along_closing_curve, row_actions
from mechstudio.symbolic.plan.layout import Cursor, Leg, Shift, Slide, Track, Turn
from mechstudio.symbolic.ring.polynomials import Poly, Vector
from mechstudio.translation import tr

# a coordinate: per unit of its acceleration; (row,): per unit of its multiplier, on the right side;
# BIAS, WEIGHT, LOAD: the rest of a wrench
Key = int | tuple[int] | str
BIAS, WEIGHT, LOAD = "b", "g", "tau"


@dataclass
class Bias:
    """Angular velocity, and the angular and linear acceleration that a point has for a = 0, in the
    axes of `frame`.
    """

    frame: int
    omega: Vector
    alpha: Vector
    linear: Vector


@dataclass
class Wrench:
    """Forces and moments at a point in the axes of `frame`, each in the parts of its keys; its sum
    is F_0 a_0 + F_1 a_1 + … + F_b + F_g - F_tau - …
    """

    frame: int
    force: dict[Key, Vector]
    moment: dict[Key, Vector]

    def add(self, key: Key, force: Vector | None = None, moment: Vector | None = None) -> None:
        for side, vector in ((self.force, force), (self.moment, moment)):
            if vector is not None and any(vector):
                side[key] = (
                    [a + b for a, b in zip(side[key], vector)] if key in side else list(vector)
                )


class NewtonEuler(Method):
    """M, b, g and tau by elimination; rows: C_q, as the forces behind the multipliers come out of
    it too.  own: per body the wrench that its inertia and loads need at its reference point;
    transmitted: per body what its tree joint transmits there, with all that hangs beyond.
    """

    def derive(self) -> None:
        self._biases: dict[tuple[Leg, ...], Bias] = {}
        masses = {m.id: m for m in self.loads.masses}
        branches = self.plan.tree.branches
        self.own: dict[str, Wrench] = {}
        for k, branch in enumerate(branches):
            self.progress(
                0.4 * k / len(branches),
                tr("Cutting {body} free", body=self.plan.mechanism.body(branch.body).name),
            )
            self.own[branch.body] = self.needed(masses[branch.body])
        self._add_loads()
        self._add_multipliers()
        self.transmitted = {
            id: Wrench(w.frame, dict(w.force), dict(w.moment)) for id, w in self.own.items()
        }
        for k, branch in enumerate(reversed(branches)):
            self.progress(
                0.4 + 0.5 * k / len(branches),
                tr(
                    "Eliminating the reactions on {body}",
                    body=self.plan.mechanism.body(branch.body).name,
                ),
            )
            self.eliminate(branch.body, branch.parent)
            self.watch(p for row in self.M for p in row)
        for effort in self.efforts:
            if effort.form is not None:
                side, sign = self.side(effort)
                for k, c in effort.form:
                    if k >= 0:
                        side[k] = (
                            side[k] + sign * c * self.ring.tag(effort.load.force.id) * effort.value
                        )
        ring = self.ring
        for column in (self.b, self.g, self.tau, *self.M, *self.rows):
            column[:] = [ring.reduce(x) for x in column]

    # accelerations

    def bias(self, cursor: Cursor) -> Bias:
        """Of a cursor's origin, in the axes of its frame."""
        legs = cursor.legs
        start = len(legs)
        while start and legs[:start] not in self._biases:
            start -= 1
        at = (
            self._biases[legs[:start]]
            if start
            else Bias(0, *([self.ring.zero] * 3 for _ in range(3)))
        )
        for k in range(start, len(legs)):
            at = self._after(at, legs[k])
            self._biases[legs[: k + 1]] = at
        return self._seen_from(at, cursor.frame)

    def _seen_from(self, at: Bias, frame: int) -> Bias:
        if at.frame == frame:
            return at
        move = self.kinematics.transformed
        return Bias(frame, *(move(v, at.frame, frame) for v in (at.omega, at.alpha, at.linear)))

    def _after(self, at: Bias, leg: Leg) -> Bias:
        ring, kin = self.ring, self.kinematics
        at = self._seen_from(at, leg.frame)
        if isinstance(leg, Turn):
            rate = [ring.zero] * 3
            rate[leg.axis] = ring.rate_of(leg.rate)
            return Bias(
                leg.frame,
                [a + b for a, b in zip(at.omega, rate)],
                [a + b for a, b in zip(at.alpha, ring.cross(at.omega, rate))],
                at.linear,
            )
        arm = kin.leg_vector(leg)
        linear = [a + b for a, b in zip(at.linear, self.carried(at, arm))]
        if isinstance(leg, Slide):
            factor = ring.amount(leg.factor) * ring.rate_of(leg.length)
            sliding = [
                factor * x for x in ring.rotated(leg.axis, leg.form, ring.signed(leg.direction))
            ]
            linear = [a + 2 * b for a, b in zip(linear, ring.cross(at.omega, sliding))]
        elif isinstance(leg, Track):
            rate = ring.rate_of(leg.variable)
            sliding = [rate * x for x in kin.track_vector(leg, 1)]
            bending = [rate * rate * x for x in kin.track_vector(leg, 2)]
            linear = [
                a + 2 * b + c for a, b, c in zip(linear, ring.cross(at.omega, sliding), bending)
            ]
        return Bias(leg.frame, at.omega, at.alpha, [ring.reduce(x) for x in linear])

    def carried(self, at: Bias, arm: Vector) -> Vector:
        """alpha x r + w x (w x r)."""
        ring = self.ring
        if not any(arm):
            return [ring.zero] * 3
        inward = ring.cross(at.omega, ring.cross(at.omega, arm))
        return (
            [a + b for a, b in zip(ring.cross(at.alpha, arm), inward)] if any(at.alpha) else inward
        )

    # the cut bodies

    def needed(self, m: Mass) -> Wrench:
        """Wrench that a body's inertia and weight need at its reference point."""
        ring, kin, cursor = self.ring, self.kinematics, self.plan.cursors[m.id]
        at, motion, tag = self.bias(cursor), kin.motion(cursor), ring.tag(m.id)
        out = Wrench(cursor.frame, {}, {})
        if m.mass:
            weight, arm = ring.amount(m.mass) * tag, kin.rotated(cursor, ring.amounts(m.arm))
            forces: dict[Key, Vector] = {
                k: [weight * x for x in column] for k, column in kin.carried(motion, arm).items()
            }
            forces[BIAS] = [
                weight * ring.reduce(a + b) for a, b in zip(at.linear, self.carried(at, arm))
            ]
            forces[WEIGHT] = [
                -weight * x for x in kin.world_vector("gravity", self.gravity, cursor.frame)
            ]
            for key, force in forces.items():
                out.add(key, force, ring.cross(arm, force) if any(arm) else None)
        if m.inertia_used and motion.turning:
            theta = [[ring.amount(a) * tag for a in row] for row in m.inertia]
            for k, w in motion.turning.items():
                out.add(
                    k,
                    None,
                    kin.from_body(cursor, [ring.dot(row, kin.to_body(cursor, w)) for row in theta]),
                )
            out.add(
                BIAS,
                None,
                kin.from_body(
                    cursor,
                    self.spin_moment(
                        theta, kin.to_body(cursor, at.omega), kin.to_body(cursor, at.alpha)
                    ),
                ),
            )
        return out

    def spin_moment(self, theta: list[Vector], omega: Vector, alpha: Vector) -> Vector:
        """Theta alpha + w x Theta w in body axes, for a = 0."""
        ring = self.ring
        gyroscopic = ring.cross(omega, [ring.dot(row, omega) for row in theta])
        return (
            [a + ring.dot(row, alpha) for a, row in zip(gyroscopic, theta)]
            if any(alpha)
            else gyroscopic
        )

    def _add_multipliers(self) -> None:
        """Add the terms behind the rows of C, per unit of each multiplier."""
        ring = self.ring
        self.rows = [[ring.zero] * ring.coordinate_count for _ in self.setting.rows]
        self.beside: set[int] = set()  # rows whose multiplier belongs to coordinates alone
        for i, actions in enumerate(row_actions(self.setting)):
            if actions is None:
                self.beside.add(i)
                self.rows[i] = list(self.setting.rows[i].jacobian)
            for action in actions or ():
                self._act((i,), action, ring.one)
            for k, power in along_closing_curve(self.setting, self.setting.rows[i]).items():
                self.rows[i][k] = self.rows[i][k] + power

    def _act(self, key: Key, action: Action, size: Poly) -> None:
        """A force and a torque on a body, carried to its reference point."""
        if action.body not in self.own:
            return
        ring, kin = self.ring, self.kinematics
        own, body = self.own[action.body], self.plan.cursors[action.body]
        force = (
            [
                ring.reduce(size * x)
                for x in kin.transformed(action.force, action.cursor.frame, own.frame)
            ]
            if action.force
            else None
        )
        moment = (
            [
                ring.reduce(size * x)
                for x in kin.transformed(action.moment, action.cursor.frame, own.frame)
            ]
            if action.moment
            else None
        )
        own.add(key, force, moment)
        if force is not None:
            arm, _ = kin.between(body, action.cursor, own.frame)
            own.add(key, None, ring.cross(arm, force))

    def _add_loads(self) -> None:
        """Forces and torques of the loads on the bodies that they act on."""
        for effort in self.efforts:
            key, sign = (WEIGHT, -1) if effort.conservative else (LOAD, 1)
            size = sign * self.ring.tag(effort.load.force.id) * effort.value
            for action in effort.actions:
                self._act(key, action, size)

    # elimination

    def eliminate(self, body: str, parent: str) -> None:
        """Carry what a body's joint transmits along the joint to its inner body; on the way, its
        parts along the joint's motions are equations.
        """
        ring, kin, wrench = self.ring, self.kinematics, self.transmitted[body]
        cursor = self.plan.cursors[body]
        inner = self.plan.cursors[parent].legs
        inner = inner if cursor.legs[: len(inner)] == inner else ()
        legs = cursor.legs[len(inner) :]
        on_ground = parent not in self.transmitted
        frame, force, moment = wrench.frame, dict(wrench.force), dict(wrench.moment)
        for place in range(len(legs) - 1, -1, -1):
            leg = legs[place]
            if on_ground and all(isinstance(x, Shift) for x in legs[: place + 1]):
                return  # ground needs no equations
            force = {key: kin.up(v, frame, leg.frame) for key, v in force.items()}
            moment = {key: kin.up(v, frame, leg.frame) for key, v in moment.items()}
            frame = leg.frame
            if isinstance(leg, Turn):
                for key, v in moment.items():
                    self._equate(leg.rate, key, v[leg.axis])
                continue
            if isinstance(leg, Slide):
                along = ring.rotated(leg.axis, leg.form, ring.signed(leg.direction))
                factor = ring.amount(leg.factor)
                for key, v in force.items():
                    self._equate(leg.length, key, factor * ring.dot(along, v))
            elif isinstance(leg, Track):
                tangent = kin.track_vector(leg, 1)
                for key, v in force.items():
                    self._equate(leg.variable, key, ring.dot(tangent, v))
            arm = kin.leg_vector(leg)
            for key, v in force.items():
                rotated = ring.cross(arm, v)
                if any(rotated):
                    moment[key] = (
                        [a + b for a, b in zip(moment[key], rotated)] if key in moment else rotated
                    )
        if on_ground:
            return
        target = self.transmitted[parent]
        for key in {**force, **moment}:
            f, t = (
                kin.transformed(side[key], frame, target.frame) if key in side else None
                for side in (force, moment)
            )
            target.add(key, f, t)

    def _equate(self, form, key: Key, part) -> None:
        """Add a part of the equations of the coordinates in a form."""
        if not part:
            return
        for k, c in form:
            if k < 0:
                continue
            if isinstance(key, int):
                self.M[k][key] = self.M[k][key] + c * part
            elif isinstance(key, tuple):
                self.rows[key[0]][k] = self.rows[key[0]][k] + c * part
            else:
                column = {BIAS: self.b, WEIGHT: self.g, LOAD: self.tau}[key]
                column[k] = column[k] + c * part
