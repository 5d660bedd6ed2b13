"""The cone problem of the step that ended at an instant, in the coordinates of the equations, from
what a run recorded: D, N, r, and how well its impulses solve it.

    M (v+ - v) = h f + D γ + C_qᵀ Λ     N γ + r = Dᵀ v+ + E γ + b,     N = Dᵀ W D + E,
        W = M⁻¹ - M⁻¹ C_qᵀ (C_q M⁻¹ C_qᵀ)⁺ C_q M⁻¹
    K ∋ γ ⟂ N γ + r + μ |u_t| e_n ∈ K*
        one cone per contact; the last term is De Saxcé's (Acary, Cadoux, Lemaréchal & Malick 2011)

Contacts were found where the step began, so D and M stand at q - h v+.  Nothing here calls the
simulator's kernels: what is shown is a check of them.
"""

from functools import cached_property
from math import ceil, hypot
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.contact import (
    FORCE,
    FRICTION,
    GAP,
    NORMAL,
    NUMBERS_WIDTH,
    POINT,
    PULL,
    ContactSample,
    Surface,
)
from mechstudio.model.edits.contacts import pair_surface
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Settings
from mechstudio.model.results.sample import ITERATIONS, RESIDUAL, SampleLayout

if TYPE_CHECKING:
    from mechstudio.symbolic.instants.instant import InstantValues

ZERO = 1e-10  # of the largest singular value of C_q M⁻¹ C_qᵀ, below which a row holds nothing
RECOVERY = 0.6  # speed at which a pile's overlaps are pushed apart [m/s]
PILE = 100  # bodies above which a mechanism counts as a pile
SHORT = 0.2  # step times rate of an elastic contact above which it is damped
ON_CONE = 0.99  # share of μ γ_n from which friction is at its limit
APART, STICKS, SLIDES, REBOUNDS = "apart", "sticks", "slides", "rebounds"


def step_of(settings: Settings) -> float:
    """The contact step of a run with these settings [s]: shortened so that samples are ends of
    steps.
    """
    sample = settings.sample_step.value
    return float(sample / max(1, ceil(sample / settings.contacts.step.value - 1e-9)))


def tangents(n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors across a unit vector, right-handed with it: level where it stands
    upright.
    """
    across = np.array([0.0, n[2], -n[1]]) if abs(n[0]) < 0.7 else np.array([-n[2], 0.0, n[0]])
    u = across / np.linalg.norm(across)
    return u, np.cross(n, u)


def project(g: np.ndarray, mu: float) -> np.ndarray:
    """The nearest point of the cone |g_t| <= mu g_n (Tasora & Anitescu 2011, equation 36)."""
    t = hypot(g[1], g[2])
    if t <= mu * g[0]:
        return g
    if mu * t <= -g[0]:
        return np.zeros(3)
    x = (g[0] + mu * t) / (1.0 + mu * mu)
    k = mu * x / t if t > 0.0 else 0.0
    return np.array([x, k * g[1], k * g[2]])


class ContactInstant:
    """The contacts of one instant, c of them, with the matrices of their problem in n coordinates.

    bodies (c, 2): numbers in file order, -1 ground; normals and impulses are those on the second.
    point [m, W]: (c, 3).  axes (c, 3, 3): rows normal, u, w (unit, W). gap [m], mu: (c,).  pull
    (c,): by which it holds together [N].  gamma (c, 3): impulses of the step, without pulls, which
    stand in r [N s], u (c, 3): relative velocities at its end [m/s], along the
    axes.  D (n, 3 c): columns n, u, w contact by contact.
    N (3 c, 3 c) [1/kg], b, r (c, 3) [m/s].  soft (c,): E's normal entries [m/s per N s].  step [s].
    iterations, run_residual: of the run's own solve.
    """

    def __init__(
        self,
        values: "InstantValues",
        row: np.ndarray,
        sample: ContactSample,
        layout: SampleLayout | None = None,
    ) -> None:
        """row (layout.width,): the sample of the same instant.  Raises DerivationError and
        LinAlgError as InstantValues does.
        """
        project, layout = values.d.plan.project, layout or values.layout
        self.mechanism, self.settings = project.mechanism, project.settings
        self.step, self.time = step_of(self.settings), float(row[0])
        self.iterations, self.run_residual = (
            int(row[layout.contact][ITERATIONS]),
            float(row[layout.contact][RESIDUAL]),
        )
        bodies = np.frombuffer(sample.bodies, "<i4").reshape(-1, 2).copy()
        rows = np.frombuffer(sample.numbers, "<f8").reshape(-1, NUMBERS_WIDTH)
        self.point, normal, force = (rows[:, k : k + 3].copy() for k in (POINT, NORMAL, FORCE))
        # as everywhere in the window: what stands on the ground is the second body
        rotated = (bodies[:, 1] < 0) & (bodies[:, 0] >= 0)
        bodies[rotated] = bodies[rotated, ::-1]
        normal[rotated] *= -1.0
        force[rotated] *= -1.0
        self.bodies, self.gap, self.mu = bodies, rows[:, GAP], rows[:, FRICTION]
        self.axes = np.array([(n, *tangents(n)) for n in normal]).reshape(-1, 3, 3)
        self.gamma = self.step * np.einsum("cki,ci->ck", self.axes, force)
        self.pull = rows[:, PULL]
        self.gamma[:, 0] += self.step * self.pull
        q, v = values.state(row, layout)
        J, self.M, self.C_q, origins = values.contact_matrices(
            q - self.step * v, v, self.time, row, layout
        )
        self.D = self._directions(J, origins)
        # the velocities of the step's end in rates of its beginning: those of angles give other
        # turns there
        rates = np.linalg.lstsq(
            J.reshape(-1, len(q)), values.twists_of(row, layout).ravel(), rcond=1e-10
        )[0]
        self.u = (self.D.T @ rates).reshape(-1, 3)
        self.N, self.soft = self._delassus()
        # velocity that the gap requires, as in the steps
        self.b = np.zeros_like(self.gamma)
        closed = 0.0 if len(self.mechanism.bodies) <= PILE else -RECOVERY
        per_step = np.where(
            self.gap < 0.0, np.maximum(self.gap / self.step, closed), self.gap / self.step
        )
        # of an elastic contact it has the velocity before the step, of which the result is recorded
        gives = np.where(self.pressing, -self.soft * self.gamma[:, 0], 0.0) - self.u[:, 0]
        self.b[:, 0] = np.where(self.soft > 0.0, gives, per_step)
        self.b[:, 1:] = self._belt_slips(row, layout)
        self.b[self.rebounds, 0] = -self.u[self.rebounds, 0]
        turned = self.rebounds & self._turns_slip()
        self.b[turned, 1:] = -self.u[turned, 1:]
        self.r = self.velocity - (self.N @ self.gamma.ravel()).reshape(-1, 3)

    def _directions(self, J: np.ndarray, origins: np.ndarray) -> np.ndarray:
        """D from the Jacobians (bodies, 6, n) of the bodies' origins (bodies, 3) and turns."""
        D = np.zeros((J.shape[2], len(self.mu), 3))
        for c, (pair, axes) in enumerate(zip(self.bodies.tolist(), self.axes)):
            for k, sign in zip(pair, (-1.0, 1.0)):
                if k >= 0:
                    arm = self.point[c] - origins[k]
                    D[:, c] += sign * (J[k, :3] + np.cross(J[k, 3:].T, arm).T).T @ axes.T
        return D.reshape(J.shape[2], -1)

    def _skin(self, k: int) -> Surface:
        """Surface of a body by its number, -1 for ground."""
        m = self.mechanism
        if k >= 0:
            return tuple(m.bodies.values())[k].surface
        return (
            m.contacts.floor.surface
            if m.contacts.floor is not None and not m.ground.shapes
            else m.ground.surface
        )

    def _met(self, a: int, b: int) -> tuple[Surface, ...]:
        """The surface of a pair of bodies where it has one of its own, else those of both."""
        names = tuple(self.mechanism.bodies)
        name = lambda k: names[k] if k >= 0 else GROUND
        own = pair_surface(self.mechanism, name(a), name(b))
        return (own,) if own is not None else (self._skin(a), self._skin(b))

    def _turns_slip(self) -> np.ndarray:
        """(c,): pairs with a tangential restitution."""
        return np.array(
            [
                min(s.number("tangential_restitution") for s in self._met(a, b)) > 0.0
                for a, b in self.bodies.tolist()
            ],
            bool,
        )

    def _belt_slips(self, row: np.ndarray, layout: SampleLayout) -> np.ndarray:
        """(c, 2): what belts add to the slip along u and w [m/s]: each -c y x n, c being its speed
        about the axis y of its body.
        """
        out = np.zeros((len(self.mu), 2))
        names = tuple(self.mechanism.bodies)
        for i, (pair, (n, u, w)) in enumerate(zip(self.bodies.tolist(), self.axes)):
            for k in pair:
                speed = self._skin(k).number("belt_speed")
                if speed:
                    y = (0.0, 1.0, 0.0)
                    if k >= 0:
                        y = rotate(tuple(row[layout.pose(names[k])][3:7].tolist()), y)
                    carried = speed * np.cross(y, n)
                    out[i] -= carried @ u, carried @ w
        return out

    def _softness(self, response: np.ndarray) -> np.ndarray:
        """E's normal entries of the contacts, as engine/contacts/elastic.py has them: c / (α h²).
        c is of the pair where it has a surface of its own, else what gives way adds up.  response
        (c,): normal entries of N without E [1/kg].
        """
        both = [self._met(a, b) for a, b in self.bodies.tolist()]
        damped = np.array([max(x.number("damping") for x in found) for found in both]) / self.step
        give = np.array([sum(1.0 / x.number("stiffness") for x in found) for found in both])
        rigid = give == 0.0
        stiff = self.step**2 * response / np.where(rigid, 1.0, give)
        implicit = np.clip((stiff - SHORT**2) / (1.0 - SHORT**2), 0.0, 1.0)
        damped[self.gap > 0.0] = 0.0
        share = np.maximum(0.5, 1.0 - 1.0 / np.maximum(stiff * damped, 1.0))
        return give / ((0.25 + 0.75 * implicit + share * damped) * self.step**2)

    def _delassus(self) -> tuple[np.ndarray, np.ndarray]:
        """N, and E's normal entries in it."""
        inverse = np.linalg.pinv(self.M, rcond=1e-12, hermitian=True)
        if len(self.C_q):
            held = self.C_q @ inverse
            inverse = (
                inverse
                - held.T @ np.linalg.pinv(held @ self.C_q.T, rcond=ZERO, hermitian=True) @ held
            )
        N = self.D.T @ inverse @ self.D
        at = 3 * np.arange(len(self.mu))
        soft = self._softness(N[at, at])
        N[at, at] += soft
        return 0.5 * (N + N.T), soft

    # the result

    @property
    def velocity(self) -> np.ndarray:
        """N γ + r (c, 3): what must lie in the dual cone, but for De Saxcé's term [m/s]."""
        out = self.u + self.b
        out[:, 0] += self.soft * self.gamma[:, 0]
        return out

    @cached_property
    def rebounds(self) -> np.ndarray:
        """(c,): contacts that push and part faster than the gap requires: restitution, of which
        only the result is recorded.
        """
        tolerance = max(1e-3, 10.0 * self.settings.contacts.tolerance.value, self.run_residual)
        # without De Saxcé's term what slides parts by as much
        lift = 0.0 if self.settings.contacts.correction else self._slip
        return (
            self.pressing
            & (self.soft == 0.0)
            & (self.u[:, 0] + np.maximum(self.gap, 0.0) / self.step > tolerance + lift)
        )

    @property
    def pressing(self) -> np.ndarray:
        """(c,): contacts with an impulse."""
        return self.gamma[:, 0] > 1e-9 * max(float(self.gamma[:, 0].max(initial=0.0)), 1e-15)

    @property
    def shift(self) -> np.ndarray:
        """De Saxcé's μ |u_t| (c,) [m/s]; zeros where the project goes without."""
        return self._slip * self.settings.contacts.correction

    @property
    def _slip(self) -> np.ndarray:
        """μ |u_t| (c,), belts running [m/s]."""
        return self.mu * np.hypot(*self.velocity[:, 1:].T)

    @property
    def scale(self) -> np.ndarray:
        """d (c,): the mean of N's diagonal per contact [1/kg]."""
        return np.maximum(np.diag(self.N).reshape(-1, 3).mean(axis=1), 1e-300)

    @property
    def residuals(self) -> np.ndarray:
        """(c,): d |γ - P(γ - (N γ + r + μ |u_t| e_n) / d)| [m/s], CONTACT 7.2."""
        w = self.velocity
        w[:, 0] += self.shift
        return np.array(
            [
                d * np.linalg.norm(g - project(g - x / d, mu))
                for g, x, mu, d in zip(self.gamma, w, self.mu, self.scale)
            ]
        )

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Verdict on each contact: apart, rebounding, sliding or sticking."""
        still = max(1e-4, 30.0 * self.settings.contacts.tolerance.value)
        out = []
        for g, u, mu, pressing, rebounds in zip(
            self.gamma, self.velocity, self.mu, self.pressing, self.rebounds
        ):
            moving = hypot(u[1], u[2]) > still and hypot(g[1], g[2]) >= ON_CONE * mu * g[0]
            out.append(
                APART if not pressing else REBOUNDS if rebounds else SLIDES if moving else STICKS
            )
        return tuple(out)

    def block(self, i: int, j: int) -> np.ndarray:
        """N_ij (3, 3)."""
        return self.N[3 * i : 3 * i + 3, 3 * j : 3 * j + 3]

    def island(self, i: int) -> list[int]:
        """Contacts that contact i can feel, itself first, then by how strongly they are tied to it:
        through bodies that push, not through ground.
        """
        size = (
            np.abs(self.N).reshape(len(self.mu), 3, len(self.mu), 3).max(axis=(1, 3))
            if len(self.mu)
            else np.zeros((0, 0))
        )
        tied = size > 1e-9 * size.max(initial=0.0)
        found, new = [i], [i]
        while new:
            near = {int(k) for n in new for k in np.flatnonzero(tied[n])} - set(found)
            new = sorted(near, key=lambda k: (-max(size[n, k] for n in found), k))
            found += new
        return found
