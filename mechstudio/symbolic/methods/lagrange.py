"""Lagrange's equations: from the energies alone (THEORY 5 c).

2 T = sum m v_G^2 + w . Theta w,  U = -sum m g_vec . r_G + springs,  d/dt dT/dv - dT/dq + dU/dq =
tau
M_kj = d2T / dv_k dv_j,  b_k = d/dt (dT/dv_k) for a = 0 - dT/dq_k,  g_k = dU/dq_k,  tau_k = effort
dx/dq_k
C_jk = sum_l (dM_jk/dq_l + dM_jl/dq_k - dM_kl/dq_j) v_l / 2, so that dM/dt - 2 C is skew and C v = b
"""

from functools import cached_property

from mechstudio.symbolic.kinematics.load_efforts import Effort
from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.kinematics.method import Method
from mechstudio.symbolic.plan.force_laws import exact
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import tr


class Lagrange(Method):
    """M, b, g and tau by derivatives of the energies.   T, U: per body or force id, tagged."""

    def derive(self) -> None:
        ring, n = self.ring, self.ring.coordinate_count
        masses = self.loads.masses
        self.T: dict[str, Poly] = {}
        self.U: dict[str, Poly] = {}
        for k, m in enumerate(masses):
            self.progress(
                0.4 * k / len(masses),
                tr("Kinetic energy of {body}", body=self.plan.mechanism.body(m.id).name),
            )
            self.T[m.id] = self.kinetic(m)
            self.U[m.id] = self.weight(m)
            self.watch(self.T.values())
        energy = sum(self.T.values(), ring.zero)
        momenta = [energy.derivative(ring.starts["v"] + k) for k in range(n)]
        for k in range(n):
            for j in range(k, n):
                self.M[k][j] = momenta[k].derivative(ring.starts["v"] + j)
        self.mirror()
        self.watch(p for row in self.M for p in row)
        slopes = ring.gradient(energy)
        for k in range(n):
            self.progress(0.4 + 0.5 * k / n, tr("Velocity terms"))
            self.b[k] = ring.rate(momenta[k]) - slopes[k]
            self.watch(self.b)
        measured = {
            e.load.force.id: e for e in self.efforts if e.conservative and e.slopes is not None
        }
        for effort in self.efforts:
            if effort.conservative:
                self.U[effort.load.force.id] = self.potential(effort)
            else:
                for k, part in self.work(effort).items():
                    self.tau[k] = self.tau[k] + part
        self.g[:] = ring.gradient(ring.total(u for id, u in self.U.items() if id not in measured))
        for effort in measured.values():
            for k, part in self.stored(effort).items():
                self.g[k] = self.g[k] + part

    def kinetic(self, m: Mass) -> Poly:
        """T of one body (König)."""
        ring, kin, cursor = self.ring, self.kinematics, self.plan.cursors[m.id]
        motion, double = kin.motion(cursor), ring.zero
        if m.mass:
            v = kin.speed(kin.carried(motion, kin.rotated(cursor, ring.amounts(m.arm))))
            double = double + ring.amount(m.mass) * ring.dot(v, v)
        if m.inertia_used and motion.turning:
            omega = kin.to_body(cursor, kin.speed(motion.turning))
            double = double + ring.dot(
                omega, [ring.dot([ring.amount(a) for a in row], omega) for row in m.inertia]
            )
        return ring.half * ring.tag(m.id) * double

    def weight(self, m: Mass) -> Poly:
        """-m g_vec . r_G of one body, from W's origin."""
        ring, kin = self.ring, self.kinematics
        if not m.mass:
            return ring.zero
        cursor = self.plan.cursors[m.id].shifted(m.arm)
        return -ring.tag(m.id) * ring.amount(m.mass) * kin.along("gravity", self.gravity, cursor)

    def potential(self, effort: Effort) -> Poly:
        """The energy of a load that has one."""
        ring, kind = self.ring, effort.load.kind
        if effort.stored is not None:
            return ring.tag(effort.load.force.id) * effort.stored
        assert kind.potential is not None
        return ring.tag(effort.load.force.id) * ring.reduce(
            exact(kind.potential)(effort.x, *effort.numbers) + ring.zero
        )

    def stored(self, effort: Effort) -> dict[int, Poly]:
        """dU/dx dx/dq_k of a spring on a closing joint, whose coordinate's slopes are known where
        the joint's rows hold.
        """
        ring, tag, kind = self.ring, self.ring.tag(effort.load.force.id), effort.load.kind
        assert kind.law is not None
        # at rest the law is what the stored energy pulls with
        slope = ring.reduce(ring.zero - exact(kind.law)(effort.x, ring.zero, *effort.numbers))
        return {k: tag * ring.reduce(slope * s) for k, s in enumerate(self.slopes(effort)) if s}

    def work(self, effort: Effort) -> dict[int, Poly]:
        """Virtual work of a load per coordinate: effort dx/dq_k, of each of several -pull dx/dq_k,
        or of a vector F . dr/dq_k and Gamma . J_R.
        """
        ring, kin, tag = self.ring, self.kinematics, self.ring.tag(effort.load.force.id)
        if effort.parts:
            out: dict[int, Poly] = {}
            zero: Poly = ring.zero
            for x, pull in effort.parts:
                for k, slope in enumerate(self.gradient(x)) if pull else ():
                    if slope:
                        out[k] = out.get(k, zero) - tag * pull * slope
            return {k: ring.reduce(x) for k, x in out.items()}
        if effort.load.kind.law is not None:
            return {
                k: tag * ring.reduce(effort.value * slope)
                for k, slope in enumerate(self.slopes(effort))
                if slope
            }
        (action,) = effort.actions
        columns = (
            kin.motion(action.cursor).turning if action.moment else kin.motion(action.cursor).moving
        )
        vector = action.moment or action.force
        assert vector is not None
        return {k: tag * ring.dot(column, vector) for k, column in columns.items()}

    def slopes(self, effort: Effort) -> list[Poly]:
        """dx/dq_k of a load's own coordinate."""
        return self.gradient(effort.x) if effort.slopes is None else effort.slopes

    def gradient(self, x: Poly) -> list[Poly]:
        """dx/dq_k."""
        return self.ring.gradient(x)

    @cached_property
    def slopes_of_mass(self) -> dict[tuple[int, int], dict[int, Poly]]:
        """dM_kj/dq_l for k <= j, where it is not zero."""
        ring, n = self.ring, self.ring.coordinate_count
        return {
            (k, j): {l: slope for l, slope in enumerate(ring.gradient(self.M[k][j])) if slope}
            for k in range(n)
            for j in range(k, n)
            if self.M[k][j]
        }

    @cached_property
    def rates_of_mass(self) -> dict[tuple[int, int], Poly]:
        """dM_kj/dt for k <= j, where it is not zero."""
        ring = self.ring
        return {
            at: ring.reduce(ring.total(s * ring.v[l] for l, s in slopes.items()))
            for at, slopes in self.slopes_of_mass.items()
        }

    @cached_property
    def christoffel(self) -> list[list[Poly]]:
        """C(q, v), from every slope s = dM_ab/dq_x: it stands three times in the symbols, for (a,
        b) and for (b, a).
        """
        ring, n = self.ring, self.ring.coordinate_count
        out = [[ring.zero] * n for _ in range(n)]
        for (a, b), slopes in self.slopes_of_mass.items():
            for x, slope in slopes.items():
                s = ring.half * slope
                for i, j in ((a, b), (b, a)) if a != b else ((a, b),):
                    out[i][j] = out[i][j] + s * ring.v[x]
                    out[i][x] = out[i][x] + s * ring.v[j]
                    out[x][i] = out[x][i] - s * ring.v[j]
        return out
