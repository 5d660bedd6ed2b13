"""The projected Newton-Euler equations: every body's balance projected on the directions in which
it can move (THEORY 5 b).

    M = sum m J_P^T J_P + J_R^T Theta J_R
        b = sum m J_P^T (dJ_P/dt) v + J_R^T (Theta (dJ_R/dt) v + w x Theta w)
    g = -sum J_P^T m g_vec + springs               tau = J_P^T F + J_R^T Gamma, load by load

The derivatives of J are taken in W: those of the components, and Omega x J where the display frame
itself turns.
"""

from mechstudio.symbolic.kinematics.load_efforts import Effort
from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.kinematics.method import Method
from mechstudio.symbolic.ring.polynomials import Poly, Vector
from mechstudio.translation import tr


class Projected(Method):
    """M, b, g and tau by Jacobians."""

    def derive(self) -> None:
        masses = self.loads.masses
        for k, m in enumerate(masses):
            self.progress(
                0.8 * k / len(masses),
                tr("Jacobians of {body}", body=self.plan.mechanism.body(m.id).name),
            )
            self._add_mass(m)
        for effort in self.efforts:
            side, sign = self.side(effort)
            for k, part in self.generalised(effort).items():
                side[k] = side[k] + sign * part
        self.mirror()

    def _add_mass(self, m: Mass) -> None:
        ring, kin, cursor = self.ring, self.kinematics, self.plan.cursors[m.id]
        motion, tag = kin.motion(cursor), ring.tag(m.id)
        spin = kin.spin(motion.frame)
        if m.mass:
            weight = ring.amount(m.mass) * tag
            columns = kin.carried(motion, kin.rotated(cursor, ring.amounts(m.arm)))
            beta = self.rate_in_world(kin.speed(columns), spin)
            pull = kin.world_vector("gravity", self.gravity, motion.frame)
            for k, column in columns.items():
                self.g[k] = self.g[k] - weight * ring.dot(column, pull)
                self.b[k] = self.b[k] + weight * ring.dot(column, beta)
                for j, other in columns.items():
                    if j >= k:
                        self.M[k][j] = self.M[k][j] + weight * ring.dot(column, other)
        if m.inertia_used and motion.turning:
            columns = {k: kin.to_body(cursor, w) for k, w in motion.turning.items()}
            omega = kin.speed(motion.turning)
            beta = kin.to_body(cursor, self.rate_in_world(omega, spin))
            theta = [[ring.amount(a) * tag for a in row] for row in m.inertia]
            omega = kin.to_body(cursor, omega)
            gyroscopic = self.gyroscopic(theta, omega)
            bias = [x + ring.dot(row, beta) for x, row in zip(gyroscopic, theta)]
            for k, w in columns.items():
                self.b[k] = self.b[k] + ring.dot(w, bias)
                momentum = [ring.dot(row, w) for row in theta]
                for j, other in columns.items():
                    if j >= k:
                        self.M[k][j] = self.M[k][j] + ring.dot(momentum, other)
        self.watch(self.M[k][j] for k in motion.turning for j in motion.turning)
        self.watch(self.b)

    def gyroscopic(self, theta: list[Vector], omega: Vector) -> Vector:
        """w x Theta w in body axes."""
        return self.ring.cross(omega, [self.ring.dot(row, omega) for row in theta])

    def rate_in_world(self, v: Vector, spin: Vector) -> Vector:
        """The time derivative in W, for v' = 0, of a vector in axes that turn with `spin`."""
        ring = self.ring
        parts = [ring.rate(x) for x in v]
        return (
            [ring.reduce(a + b) for a, b in zip(parts, ring.cross(spin, v))] if any(spin) else parts
        )

    def generalised(self, effort: Effort) -> dict[int, Poly]:
        """J_P^T F + J_R^T Gamma of one load."""
        ring, kin, tag = self.ring, self.kinematics, self.ring.tag(effort.load.force.id)
        if effort.form is not None:
            return {k: c * tag * effort.value for k, c in effort.form if k >= 0}
        out: dict[int, Poly] = {}
        zero: Poly = ring.zero
        for action in effort.actions:
            motion = kin.motion(action.cursor)
            for vector, columns in ((action.force, motion.moving), (action.moment, motion.turning)):
                if not vector:
                    continue
                for k, column in columns.items():
                    out[k] = out.get(k, zero) + ring.dot(column, vector)
        return {k: tag * ring.reduce(effort.value * ring.reduce(x)) for k, x in out.items() if x}
