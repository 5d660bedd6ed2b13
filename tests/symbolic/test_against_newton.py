"""The derived equations against Newton-Euler in absolute coordinates, at random states, for every
sample and many drawings.

Closed form behind it: for any a that solves the derived system, the residual of Newton-Euler's 6 n
equations lies in the range of the joints' J^T, so its part along the null space of J is zero.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.files import project_file
from mechstudio.model.geometry.rotation import from_angles
from mechstudio.model.mechanism import GROUND, Force, Frame, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.forces import BODY, FORCE_TYPES, TWO_POINTS
from mechstudio.symbolic import derive
from tests import mechanisms
from tests.symbolic.newton import accelerations, bodies, body_frame, imbalance, random_state
from tests.symbolic.samples import SAMPLES, spread_of, with_curves

TOLERANCE = 1e-9


def agreement(derivation, seed=1, states=3, spread=0.3, change=lambda numbers: numbers):
    """The largest residual over random states; `change` plants a fault."""
    rng = np.random.default_rng(seed)
    worst = 0.0
    for _ in range(states):
        q, v = random_state(derivation, rng, spread)
        known = derivation.values
        numbers = change(derivation.function()(q, v, 0.0, known))
        a = accelerations(numbers, derivation.forces_function()(q, v, 0.0, known))
        residual, gap, rate = imbalance(derivation.plan.mechanism, q, v, a)
        assert gap < 1e-10 and rate < 1e-9, (
            "the derived closing rows do not close the drawing's joints"
        )
        C_q, gamma = numbers[4], numbers[5]
        worst = max(
            worst,
            residual,
            np.abs(C_q @ a - gamma).max(initial=0.0) / (1 + np.abs(gamma).max(initial=0.0)),
        )
    return worst


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_samples(path):
    project = project_file.load(path).project
    assert (
        agreement(
            with_curves(derive(project)),
            spread=spread_of(path),
        )
        < TOLERANCE
    )


@pytest.mark.parametrize(
    "name",
    [
        "double_pendulum",
        "cart_pole",
        "four_bar",
        "slider_crank",
        "door",
        "parallelogram_five_bars",
        "andrews",
        "ball_pendulum",
    ],
)
def test_drawings(name):
    d = derive(Project(getattr(mechanisms, name)()))
    # Andrews closes only near its drawing; the five bars could turn over into the crossed form,
    # whose rows are badly conditioned
    assert (
        agreement(d, spread={"andrews": 0.01, "parallelogram_five_bars": 0.05}.get(name, 0.2))
        < TOLERANCE
    )


def skewed_chain():
    """Two bodies on joints whose frames stand skew everywhere, so that no accidental alignment
    hides a fault.
    """
    b = mechanisms.Builder()
    b.body(
        "one",
        (0.1, 0.2, -0.3),
        (0.8, 0.1, -0.5, 0.3),
        mass=1.3,
        inertia=(0.02, 0.03, 0.04, 0.001, -0.002, 0.003),
    )
    b.body(
        "two",
        (-0.4, 0.3, 0.6),
        (0.5, -0.5, 0.1, 0.7),
        mass=0.7,
        inertia=(0.01, 0.02, 0.015, 0.002, 0.001, -0.001),
    )
    return b


@pytest.mark.parametrize(
    "type",
    [
        "fixed",
        "revolute",
        "prismatic",
        "cylindrical",
        "universal",
        "spherical",
        "planar",
        "point_on_line",
        "screw",
        "point_on_plane",
        "free",
    ],
)
@pytest.mark.parametrize(
    "order", [("ground", "one", "two"), ("one", "ground", "two"), ("ground", "one", "two", "back")]
)
def test_every_joint_type_carries(type, order):
    """A hinge to ground (backwards in the second case), then the joint in question, backwards in
    the third.
    """
    b = skewed_chain()
    b.joint(
        "H",
        order[0],
        order[1],
        (0.2, -0.1, 0.1),
        quaternion_a=from_angles(0.3, -0.4, 0.5),
        quaternion_b=from_angles(0.3, -0.4, 0.5),
    )
    pair = ("two", "one") if len(order) == 4 else ("one", "two")
    more = {"parameters": {"pitch": Quantity(0.3)}} if type == "screw" else {}
    b.joint(
        "J",
        *pair,
        (0.3, -0.2, 0.5),
        type=type,
        quaternion_a=from_angles(-0.2, 0.6, 1.1),
        quaternion_b=from_angles(-0.2, 0.6, 1.1),
        **more,
    )
    d = derive(Project(b.mechanism))
    assert agreement(d, states=2, spread=0.5) < TOLERANCE


@pytest.mark.parametrize(
    "type",
    [
        "revolute",
        "prismatic",
        "cylindrical",
        "universal",
        "spherical",
        "planar",
        "point_on_line",
        "distance",
        "fixed",
    ],
)
def test_every_joint_type_closes(type):
    """Two bodies on balls (a hinge and a ball for the rod, which gets long), and the joint in
    question closes the loop to ground.
    """
    b = skewed_chain()
    b.joint(
        "S",
        "ground",
        "one",
        (0.2, -0.1, 0.1),
        type="revolute" if type == "distance" else "spherical",
        quaternion_a=from_angles(0.3, -0.4, 0.5),
        quaternion_b=from_angles(0.3, -0.4, 0.5),
    )
    b.joint("T", "one", "two", (0.0, 0.1, 0.3), type="spherical")
    more = {"at_b": (0.5, 0.3, 0.2)} if type == "distance" else {}
    b.joint(
        "J",
        "ground",
        "two",
        (0.3, -0.2, 0.5),
        type=type,
        quaternion_a=from_angles(-0.2, 0.6, 1.1),
        quaternion_b=from_angles(-0.2, 0.6, 1.1),
        **more,
    )
    d = derive(Project(b.mechanism))
    assert agreement(d, states=2, spread=0.05) < 1e-8


# the velocity of the material point under the centre, P = P_B - r u with u = (n - (n.b) b) / |n -
# (n.b) b|, over A's body at the same place; for a blade that of P_B along y of B (THEORY 3)
@pytest.mark.parametrize("type", ["rolling_disc", "rolling_wheel", "knife_edge"])
def test_rolling_rows_are_the_velocity_of_the_contact(type):
    b = skewed_chain()
    b.joint(
        "H",
        "ground",
        "one",
        (0.2, -0.1, 0.1),
        quaternion_a=from_angles(0.3, -0.4, 0.5),
        quaternion_b=from_angles(0.3, -0.4, 0.5),
    )
    b.joint(
        "J",
        "one",
        "two",
        (0.3, -0.2, 0.5),
        type=type,
        quaternion_a=from_angles(-0.2, 0.6, 1.1),
        quaternion_b=from_angles(-0.2, 0.6, 1.1),
        parameters={} if type == "knife_edge" else {"radius": Quantity(0.17)},
    )
    d = derive(Project(b.mechanism))
    joint, f, rng = b.mechanism.joints["J"], d.function(), np.random.default_rng(3)

    def slip(q, v):
        moving = bodies(b.mechanism, q, v, 0 * v)
        A, B = (
            moving[x.body].fixed(*body_frame(b.mechanism, x))
            for x in (joint.frame_a, joint.frame_b)
        )
        if type == "knife_edge":
            return np.array([B.R[:, 1] @ (B.v - A.v - np.cross(A.w, B.p - A.p))])
        n, axis = A.R[:, 2], B.R[:, 2]
        u = n - (n @ axis) * axis
        contact = B.p - 0.17 * u / np.linalg.norm(u)
        over = B.v + np.cross(B.w, contact - B.p) - A.v - np.cross(A.w, contact - A.p)
        return A.R[:, :2].T @ over

    for _ in range(4):
        q, v = (
            rng.uniform(0.2, 0.9, len(d.plan.coordinates)),
            rng.uniform(-1, 1, len(d.plan.coordinates)),
        )
        _, _, _, C, C_q, gamma = f(q, v)
        assert (
            C_q @ v == pytest.approx(slip(q, v), abs=1e-12)
            and pytest.approx(slip(q, v), abs=1e-12) == C
        )
        # for a = 0 the rate of the slip along v is -gamma
        h = 1e-6
        assert (slip(q + h * v, v) - slip(q - h * v, v)) / (2 * h) == pytest.approx(
            -gamma, abs=1e-7
        )


def test_free_bodies_on_a_rod():
    assert (
        agreement(
            derive(Project(mechanisms.single_joint("distance", at_b=(0.5, 0.3, 0.2)))),
            states=2,
            spread=0.1,
        )
        < TOLERANCE
    )


def loaded(type, **more):
    """A double pendulum in the plane with one load of a type."""
    m = mechanisms.double_pendulum()
    kind = FORCE_TYPES[type]
    parameters = {
        p.name: Quantity(0.4 + 0.3 * k) for k, p in enumerate(kind.parameters) if not p.rate_of
    }
    return msgspec.structs.replace(
        m, forces={"load": Force("load", "load", type, parameters, **more)}
    )


END = Frame("lower", "", Placement(vector(0.1, 0.02, -0.03), vector(0.3, 0.4, 0.5)))
WALL = Frame(GROUND, "", Placement(vector(0.5, 0.1, 0.6)))


def places(kind):
    """Places where a force of a type may act on the double pendulum."""
    if kind.attachment == TWO_POINTS:
        return [{"frame_a": WALL, "frame_b": END}, {"frame_a": END, "frame_b": WALL}]
    if kind.attachment == BODY:
        return [{"frame_b": END, "axes": "world"}, {"frame_b": END, "axes": "body"}]
    if kind.joint_dimension == "angle":
        return [{"joint": "A" if kind.motor else "B"}]
    return []  # bushings and what acts on slides have tests of their own


LOADS = [(type, more) for type, kind in FORCE_TYPES.items() for more in places(kind)]


@pytest.mark.parametrize(("type", "more"), LOADS)
def test_every_load(type, more):
    assert agreement(derive(Project(loaded(type, **more)))) < TOLERANCE


@pytest.mark.parametrize("type", ["torsion_spring", "torsion_damper", "motor_torque"])
def test_a_load_on_any_joint_of_a_loop(type):
    """The loaded joint carries a body, whichever it is."""
    m = mechanisms.four_bar()
    numbers = {p.name: Quantity(0.7) for p in FORCE_TYPES[type].parameters}
    for joint in m.joints:
        project = Project(
            msgspec.structs.replace(
                m, forces={"load": Force("load", "load", type, numbers, joint=joint)}
            )
        )
        assert agreement(derive(project), states=1) < TOLERANCE


def test_planted_faults_are_seen():
    """A flipped sign, a dropped term, a lost row: each is far outside the tolerance."""
    d = derive(project_file.load(next(p for p in SAMPLES if p.stem == "four_bar")).project)
    faults = {
        "flipped sign of b": lambda n: (n[0], -n[1], *n[2:]),
        "dropped gravity": lambda n: (n[0], n[1], 0 * n[2], *n[3:]),
        "dropped coupling in M": lambda n: (np.diag(np.diag(n[0])), *n[1:]),
        "one part in 1e6": lambda n: (n[0] * (1 + 1e-6 * np.eye(len(n[0]))), *n[1:]),
    }
    assert agreement(d) < TOLERANCE
    for name, change in faults.items():
        assert agreement(d, change=change) > 10 * TOLERANCE, name
