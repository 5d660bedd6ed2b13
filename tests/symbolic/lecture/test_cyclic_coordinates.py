"""Cyclic coordinates, as the ring decides them, and that what the drawing is said to keep contains
their momenta (Routh 1877).
"""

from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.structure.conservation import conserved
from mechstudio.model.mechanism import GROUND, Force, InitialVelocity, Limit
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.constant_course import course
from mechstudio.symbolic.derivation import derive
from mechstudio.symbolic.lecture.cyclic_coordinates import conjugate, cyclic
from mechstudio.symbolic.printers import text
from tests import mechanisms
from tests.engine.structure.test_symmetry_axes import WEIGHTLESS, gyroscope, top, turntable
from tests.mechanisms import UP, Builder

SAMPLES = Path(__file__).parents[3] / "samples"
replace = msgspec.structs.replace


def names(mechanism, method="lagrange"):
    d = derive(Project(mechanism), method)
    return [d.plan.coordinates[k].meaning for k in cyclic(d, d.by(method))]


@pytest.mark.parametrize("method", ["lagrange", "projected", "newton-euler"])
def test_a_turntable_is_cyclic_and_the_way_along_it_is_not(method):
    # T = m r'^2 / 2 + (J + m r^2) w^2 / 2: no derivative at the drawn pose r = 0 tells that r
    # occurs
    assert names(turntable(0.0), method) == ["angle of joint A"]
    assert names(turntable(0.3), method) == ["angle of joint A"]


def test_coordinate_in_the_mass_matrix_is_not_cyclic():
    # T = m q1'^2 / 2 + m q1 q2'^2 / 2: q2 is cyclic, q1 is not
    d = derive(Project(turntable(0.3)))
    result, ring = d.by("lagrange"), d.ring
    m = ring.amount(d.setting.loads.masses[1].mass)
    way = next(k for k, c in enumerate(d.plan.coordinates) if "B" in c.meaning)
    result.M[way][way], result.M[1 - way][1 - way] = m, m * ring.q[way]
    result.M[way][1 - way] = result.M[1 - way][way] = ring.zero
    assert cyclic(d, result) == [1 - way]
    assert conjugate(d, result, 1 - way) == m * ring.q[way] * ring.v[1 - way]


def test_weight_loads_rows_and_stops_take_it_away():
    upright = Builder()
    upright.body("weight", (0, 0, 0))
    upright.joint("A", GROUND, "weight", (0, 0, 0), UP, "prismatic")
    assert names(upright.mechanism) == []
    assert names(replace(upright.mechanism, gravity=WEIGHTLESS)) == ["slide of joint A"]
    table = turntable(0.3)
    for load in ("motor_torque", "torsion_damper"):
        key = {"motor_torque": "torque", "torsion_damper": "damping"}[load]
        assert (
            names(
                replace(table, forces={"F": Force("F", "F", load, {key: Quantity(0.1)}, joint="A")})
            )
            == []
        )
    # a load elsewhere does not
    held = Force(
        "F",
        "F",
        "slide_spring",
        {"stiffness": Quantity(10.0), "free_length": Quantity(0.0)},
        joint="B",
    )
    assert names(replace(table, forces={"F": held})) == ["angle of joint A"]
    stopped = replace(table.joints["A"], limits=(Limit(0, Quantity(-1.0), Quantity(1.0)),))
    assert names(replace(table, joints=table.joints | {"A": stopped})) == []
    # in a loop a column of C_q holds each coordinate back
    assert names(replace(mechanisms.four_bar(), gravity=WEIGHTLESS)) == []


def test_the_heavy_top_is_in_the_chapter():
    d = derive(ms.load(SAMPLES / "heavy_top.mech"))
    step = d.chapter("lagrange").step("cyclic")
    assert step.sentences[0].startswith("ψ, φ are cyclic")
    # Lagrange: p_phi = C (phi' - psi' sin theta), with theta the angle of the axis from the
    # horizontal
    assert text.entry(step.equations[1].right) == "J_x φ̇ − J_x ψ̇ sin θ"
    with pytest.raises(KeyError):
        derive(ms.load(SAMPLES / "double_pendulum.mech")).chapter("lagrange").step("cyclic")


def stone():
    b = Builder()
    b.body("stone", (0.2, -0.1, 0.3), mass=2.0, inertia=(0.02, 0.05, 0.06, 0.001, 0.002, -0.003))
    return b.mechanism


def disc():
    b = Builder()
    b.body("disc", (0.2, -0.1, 0.3), inertia=(0.06, 0.03, 0.03, 0, 0, 0))
    b.body("other", (1.2, -0.1, 0.3), inertia=(0.06, 0.03, 0.035, 0, 0, 0))
    return b.mechanism


def sliders():
    b = Builder()
    b.body("carriage", (0, 0, 0))
    b.body("tool", (0.1, 0.2, 0))
    b.joint("A", GROUND, "carriage", (0, 0, 0), (1, 0, 0), "prismatic")
    b.joint("B", "carriage", "tool", (0.1, 0.2, 0), (0, 1, 0), "cylindrical")
    return b.mechanism


def free(mechanism):
    return replace(mechanism, gravity=WEIGHTLESS)


def stirred(mechanism, rng):
    """The mechanism with random rates of joints and random velocities of bodies without joints."""
    hung = {b for j in mechanism.joints.values() for b in (j.frame_a.body, j.frame_b.body)}
    counts = {"spherical": 3, "cylindrical": 2}
    joints = {
        id: replace(
            j, rates=tuple(Quantity(float(r)) for r in rng.normal(size=counts.get(j.type, 1)))
        )
        for id, j in mechanism.joints.items()
    }
    bodies = {
        id: b
        if id in hung
        else replace(
            b,
            initial_velocity=InitialVelocity(
                vector(*rng.normal(size=3)), vector(*rng.normal(size=3))
            ),
        )
        for id, b in mechanism.bodies.items()
    }
    return replace(mechanism, joints=joints, bodies=bodies)


CASES = {
    "top": top(),
    "upright top": top(tilt=-1.0),
    "wheel on an arm": gyroscope(),
    "turntable": turntable(0.3),
    "sliders": sliders(),
    "stone": stone(),
    "disc": disc(),
    "stone, weightless": free(stone()),
    "pendulum": mechanisms.double_pendulum(),
    "pendulum, weightless": free(mechanisms.double_pendulum()),
    "cart, weightless": free(mechanisms.cart_pole()),
    "cart": mechanisms.cart_pole(),
    "chain, weightless": free(mechanisms.chain(3)),
    "wheel on an arm, weightless": free(gyroscope()),
}


# p_j = (M q')_j of every cyclic coordinate is a sum of the reported constants of the drawing, with
# factors that no state changes
@pytest.mark.parametrize("case", CASES)
@pytest.mark.thinned(4)
def test_the_list_of_the_drawing_contains_them(case):
    mechanism, rng = CASES[case], np.random.default_rng(7)
    d = derive(Project(mechanism))
    found, f, live = cyclic(d, d.by("lagrange")), d.function(), d.live()
    constants = conserved(mechanism)
    momenta, values = [], []
    for _ in range(len(constants) + 6):
        run = ms.simulate(
            Project(stirred(mechanism, rng)), duration=0.3, sample_step=0.1, tolerance=1e-11
        )
        states = [live.state(row, run.layout) for row in run.rows]
        p = np.array([(f(q, v)[0] @ v)[found] for q, v in states])
        # the run keeps them
        assert np.abs(p - p[0]).max(initial=0.0) < 1e-8 * max(1.0, np.abs(p).max(initial=0.0))
        momenta.append(p[-1])
        values.append([course(c, mechanism, run.layout, run.rows)[0][-1] for c in constants])
    if found:
        A, B = np.array(values), np.array(momenta)
        assert np.linalg.norm(A @ np.linalg.lstsq(A, B, rcond=None)[0] - B) < 1e-7 * np.linalg.norm(
            B
        )
    assert bool(found) <= bool(constants)


@pytest.mark.parametrize("sample", ["heavy_top", "spherical_pendulum", "bead_on_circle"])
def test_samples_keep_what_is_named(sample):
    result = ms.simulate(ms.load(SAMPLES / f"{sample}.mech"), duration=1.0)
    found = result.conservation()
    assert len(found) >= 2 and all(v.kept is not False for v in found)
