"""States of the derived equations as a simulator sees them: poses and twists of body frames, and
the proof that both start in one place and accelerate alike.
"""

from typing import TYPE_CHECKING, Protocol

import numpy as np

from mechstudio.model.equations.lecture import DIFFERENT, ENGINE_CLAIM, SAMPLED, UNPROVEN, Proof
from mechstudio.model.geometry.rotation import from_axes, matrix
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.sample import SampleLayout
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.instants.start import coordinates_at
from mechstudio.symbolic.kinematics.formulation import holder
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.methods.partition import closed_state, places_of
from mechstudio.symbolic.methods.sampling import Compiled, Values
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.proofs.derivatives import PointRing
from mechstudio.symbolic.proofs.random_point import numbers_at
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

STATES = 3
TOLERANCE = 1e-8  # both sides difference their Jacobians, and fall 1e-11 apart
STEP = 1e-5
APART = 1e-9  # of a start, in sizes of the mechanism
SPREAD = 0.15


class Simulator(Protocol):
    """Simulator that equations are compared with (engine/agreement.py)."""

    def start(self) -> tuple[np.ndarray, SampleLayout]:
        """The sample (layout.width,) at the start."""
        ...

    def accelerations(self, poses: np.ndarray, twists: np.ndarray) -> tuple[np.ndarray, float]:
        """Of poses (n, 7) and twists (n, 6) in W the twists' rates (n, 6), and how far they are not
        allowed.
        """
        ...


def frames(d: "DerivedEquations", q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(poses (bodies, 7), J (bodies, 6, n)) of all body frames in file order: origin in W and
    quaternion; origin's and angular velocity in W.
    """
    plan, ring = d.plan, PointRing(d.ring, Values(d, q, np.zeros(len(q))).values)
    kin = Kinematics(plan, ring)  # type: ignore[arg-type]
    number = lambda v: np.array([float(x.value) for x in v])
    poses, jacobians = [], []
    # the plan counts from ground's reference point, its first joint; W from its own origin
    ground, cursor = plan.mechanism.ground.placement, plan.cursors[GROUND]
    there = np.array(
        [a.value(plan.symbols.value_of) + float(rest) for a, rest in plan.references[GROUND]]
    )
    origin = (
        np.array([p.value for p in ground.position])
        + np.array(matrix(ground.quaternion)) @ there
        - number(kin.between(Cursor(), cursor, 0)[0])
    )
    for id in plan.mechanism.bodies:
        cursor = plan.cursors[id]
        at = number(kin.between(Cursor(), cursor, 0)[0])
        R = np.array([number(kin.up(kin.axis(cursor, k), cursor.frame, 0)) for k in range(3)]).T
        if id in plan.axes:
            R = R @ np.array(matrix(plan.axes[id])).T
        arm = R @ np.array(
            [a.value(plan.symbols.value_of) + float(rest) for a, rest in plan.references[id]]
        )
        J = np.zeros((6, len(q)))
        motion = kin.motion(cursor)
        for k, column in motion.turning.items():
            J[3:, k] = number(kin.up(column, motion.frame, 0))
        for k, column in motion.moving.items():
            J[:3, k] = number(kin.up(column, motion.frame, 0))
        J[:3] -= np.cross(J[3:].T, arm).T
        poses.append((*(origin + at - arm), *from_axes(*(tuple(R[:, k]) for k in range(3)))))
        jacobians.append(J)
    return np.array(poses), np.array(jacobians)


def random_state(
    d: "DerivedEquations", rng: np.random.Generator, spread: float = SPREAD
) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) that fulfil all rows but those of drives, near the drawing.  Raises
    DerivationError.
    """
    drives = d.plan.mechanism.drives
    rows = [r for r in d.setting.rows if r.joint not in drives]
    q = closed_state(d)
    size = np.array(
        [
            spread if c.dimension == "angle" else spread * d.plan.symbols.size
            for c in d.plan.coordinates
        ]
    )
    q = q + size * rng.uniform(-1, 1, len(q))
    v = rng.uniform(-1, 1, len(q))
    if not rows:
        return q, v
    places = [r for r in rows if not r.label.endswith("(velocity)")]
    value, jacobian, all_rows = (
        Compiled(d.ring, [[r.value for r in places]]),
        Compiled(d.ring, [r.jacobian for r in places]),
        Compiled(d.ring, [r.jacobian for r in rows]),
    )
    for _ in range(60):
        if not places:
            break
        values = Values(d, q)
        C = value.at(values)[0]
        if np.abs(C).max() < 1e-13:
            break
        q = q - np.linalg.lstsq(jacobian.at(values), C, rcond=1e-4)[0]
    J = all_rows.at(Values(d, q))
    return q, v - np.linalg.pinv(J, rcond=1e-9) @ (J @ v)


def accelerations(d: "DerivedEquations", q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """a of the derived equations without drives, of least norm where it is not determined."""
    rows = [r for r in d.setting.rows if r.joint not in d.plan.mechanism.drives]
    values = Values(d, q, v)
    if d.complete:
        M, b, g, tau = (values.matrix(d.matrices[key]) for key in ("M", "b", "g", "tau"))
        force = (tau - b - g)[:, 0]
    else:
        m = numbers_at(d, q, v)
        number = lambda entries: np.array([float(x.value) for x in entries])
        M, force = np.array([number(row) for row in m.M]), number(m.tau) - number(m.b) - number(m.g)
    J = Compiled(d.ring, [r.jacobian for r in rows]).at(values) if rows else np.zeros((0, len(q)))
    gamma = values.column([r.gamma for r in rows])
    K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    return np.linalg.lstsq(K, np.concatenate((force, gamma)), rcond=1e-11)[0][: len(q)]


def engine_proof(
    d: "DerivedEquations", simulator: Simulator, states: int = STATES, tolerance: float = TOLERANCE
) -> Proof:
    """The simulator's verdict: where it starts C is zero and all bodies stand where it has them,
    and at random states it has the same rates of all bodies' twists, relative to the largest.
    """
    claim, rng, worst = tr(ENGINE_CLAIM), np.random.default_rng(9), 0.0
    try:
        if other := _other_start(d, *simulator.start()):
            return Proof("engine", claim, DIFFERENT, other)
        for _ in range(states):
            q, v = random_state(d, rng)
            a = accelerations(d, q, v)
            poses, J = frames(d, q)
            bend = (frames(d, q + STEP * v)[1] - frames(d, q - STEP * v)[1]) @ v / (2 * STEP)
            own, twists = J @ a + bend, J @ v
            found, rest = simulator.accelerations(poses, twists)
            size = max(1.0, float(np.abs(own).max()))
            if rest > 1e-7 * max(1.0, float(np.abs(twists).max())):
                return Proof(
                    "engine",
                    claim,
                    DIFFERENT,
                    tr(
                        "Its joints do not allow the velocities that the equations allow: "
                        "{rest:.3g} is left over.",
                        rest=rest,
                    ),
                )
            worst = max(worst, float(np.abs(found - own).max()) / size)
    except DerivationError as error:
        return Proof("engine", claim, UNPROVEN, str(error))
    touching = d.plan.mechanism.contacts.enabled
    where = tr(
        "at {states} random states, {word} left out; largest difference {worst:.1e} of the "
        "largest acceleration",
        states=states,
        word=tr("drives, stops and contacts") if touching else tr("drives and stops"),
        worst=worst,
    )
    if worst <= tolerance:
        return Proof(
            "engine",
            claim,
            SAMPLED,
            tr(
                "Equal at the start, and {where}, tolerance {tolerance:.0e}.",
                where=where,
                tolerance=tolerance,
            ),
        )
    return Proof("engine", claim, DIFFERENT, tr("Different {where}.", where=where))


def _other_start(d: "DerivedEquations", row: np.ndarray, layout: SampleLayout) -> str:
    """Difference at the simulator's first sample (layout.width,) in words; "" for none."""
    q = coordinates_at(d.plan, row, layout)
    drives = d.plan.mechanism.drives
    rows = [
        r for r in d.setting.rows if not r.label.endswith("(velocity)") and r.joint not in drives
    ]
    if rows:
        C = np.abs(places_of(d, rows)(q)[0])
        worst = int(C.argmax())
        if C[worst] > APART * max(1.0, d.plan.symbols.size):
            return tr(
                "C is not zero where the simulator starts: {size:.3g} in row {row} of {owner}.",
                size=C[worst],
                row=rows[worst].label,
                owner=holder(d.plan.mechanism, rows[worst].joint).name,
            )
    poses, place = row[layout.poses].reshape(-1, 7), frames(d, q)[0]
    miss = np.abs(poses[:, :3] - place[:, :3]).max(axis=1)
    turned = [np.abs(poses[:, 3:] + sign * place[:, 3:]).max(axis=1) for sign in (1, -1)]
    miss += d.plan.symbols.size * np.minimum(*turned)
    worst = int(miss.argmax())
    if miss[worst] > APART * d.plan.symbols.size:
        return tr(
            "The simulator starts in another place: body {body} is {size:.3g} m apart.",
            size=miss[worst],
            body=list(d.plan.mechanism.bodies.values())[worst].name,
        )
    return ""
