"""Couplings and drives in the derived equations."""

import msgspec
import numpy as np
import pytest

from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import POSITION, CoordinateOf, Coupling, Drive, Force, Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.tree import equation_tree
from mechstudio.symbolic import derive
from tests import mechanisms

TORQUE = 0.7


def gears(type="gear", parameters=None, second="revolute"):
    """Two bodies on parallel pins (or a pin and a slide), both about their own centres, with a
    torque on the first.
    """
    b = mechanisms.Builder()
    b.body("one", (0.0, 0.0, 0.0), mass=1.0, inertia=(0.1, 0.1, 0.3, 0.0, 0.0, 0.0))
    b.body("two", (0.5, 0.0, 0.0), mass=2.0, inertia=(0.1, 0.1, 0.8, 0.0, 0.0, 0.0))
    b.joint("A", "ground", "one", (0.0, 0.0, 0.0), axis=(0, 0, 1))
    b.joint(
        "B",
        "ground",
        "two",
        (0.5, 0.0, 0.0),
        axis=(0, 0, 1) if second == "revolute" else (1, 0, 0),
        type=second,
    )
    ends = (CoordinateOf("A"), CoordinateOf("B"))
    coupling = Coupling(
        "c",
        "pair",
        type,
        ends,
        {k: Quantity(v) for k, v in (parameters or {"ratio": -2.0}).items()},
    )
    motor = Force("m", "motor", "motor_torque", {"torque": Quantity(TORQUE)}, joint="A")
    return msgspec.structs.replace(b.mechanism, couplings={"c": coupling}, forces={"m": motor})


def solved(d, q=None):
    """(a, lambda) of the derived system."""
    n = len(d.plan.coordinates)
    q = np.zeros(n) if q is None else q
    M, b, g, _, C_q, gamma = d.function()(q, np.zeros(n), 0.0, d.values)
    K = np.block([[M, -C_q.T], [C_q, np.zeros((len(C_q), len(C_q)))]])
    x = np.linalg.solve(
        K, np.concatenate((d.forces_function()(q, np.zeros(n), 0.0, d.values) - b - g, gamma))
    )
    return x[:n], x[n:]


def inertia_at(mechanism):
    """Inertia about z of both bodies."""
    return [body.inertia[2].value for body in mechanism.bodies.values()]


def test_gear_pair_has_the_reflected_inertia():
    """omega_1 = i omega_2: T = (I_1 + I_2 / i^2) alpha_1."""
    m = gears()
    i, (one, two) = -2.0, inertia_at(m)
    a, _ = solved(derive(Project(m)))
    assert a == pytest.approx(
        [TORQUE / (one + two / i**2), TORQUE / (one + two / i**2) / i], rel=1e-12
    )


def test_rack_carries_the_mass_at_its_radius():
    """x = r theta: T = (I + m r^2) alpha."""
    m = gears("rack_and_pinion", {"radius": 0.2}, "prismatic")
    one, mass = inertia_at(m)[0], m.bodies["two"].mass.value
    a, _ = solved(derive(Project(m)))
    assert a == pytest.approx(
        [TORQUE / (one + mass * 0.04), 0.2 * TORQUE / (one + mass * 0.04)], rel=1e-12
    )


def test_a_drive_holds_its_coordinate_and_its_multiplier_is_the_torque():
    """Held at rest the drive gives minus the motor's torque."""
    m = gears()
    drive = Drive("d", "drive", "A", 0, POSITION, Law("constant", {"value": Quantity(0.0)}))
    d = derive(Project(msgspec.structs.replace(m, drives={"d": drive})))
    a, multipliers = solved(d)
    assert a == pytest.approx([0, 0], abs=1e-12) and multipliers[1] == pytest.approx(-TORQUE)
    assert "prescribed motion" in d.text() and "lambda" in d.latex()
    # the acceleration that the law prescribes is a parameter of the equations
    name = next(k for k in d.values if k.startswith("a_d"))
    q = np.zeros(2)
    assert d.function()(q, q, 0.0, {**d.values, name: 3.0})[5][1] == pytest.approx(3.0)


def test_constants_hold_as_drawn():
    d = derive(Project(gears()))
    C = d.function()(np.zeros(2), np.zeros(2))[3]
    assert pytest.approx([0.0], abs=1e-12) == C


def test_couplings_and_drives_of_a_joint_that_closes_a_loop():
    """The angle of a closing hinge is a form of the plane's angles, and a slide is measured between
    the joint's frames: rows, and the reactions behind them.
    """
    m = mechanisms.slider_crank()
    (closing,) = equation_tree(m).closing
    other = next(id for id, j in m.joints.items() if id != closing and j.type == "revolute")
    gear = Coupling(
        "g", "gear", "gear", (CoordinateOf(other), CoordinateOf(closing)), {"ratio": Quantity(-2.0)}
    )
    drive = Drive("d", "drive", closing, 0, POSITION, Law("constant", {"value": Quantity(0.0)}))
    for extra in ({"couplings": {"g": gear}}, {"drives": {"d": drive}}):
        d = derive(Project(msgspec.structs.replace(m, **extra)))
        assert next(p for p in d.proofs if p.key == "rows").how == "exact"
        q, v = np.array([0.4, -0.7, 0.2]), np.array([0.3, 0.5, -0.2])
        f, h = lambda q, v, d=d: d.function()(q, v, 0.0, d.values), 1e-6
        C_q, gamma = f(q, v)[4:]
        slope = np.array([(f(q + h * e, v)[3] - f(q - h * e, v)[3]) / (2 * h) for e in np.eye(3)]).T
        assert slope == pytest.approx(C_q, abs=1e-8)
        assert -(f(q + h * v, v)[4] - f(q - h * v, v)[4]) @ v / (2 * h) == pytest.approx(
            gamma, abs=1e-8
        )


def test_a_cam_stands_by_the_letter_of_its_law():
    m = gears()
    cam = Coupling("c", "cam", "cam", (CoordinateOf("A"), CoordinateOf("B")), {}, Law("cam"))
    d = derive(Project(msgspec.structs.replace(m, couplings={"c": cam})))
    law, h = (lambda a: jet(cam.law, a)), 1e-6
    at = np.array([1.1, 0.2])
    _, _, _, C, C_q, gamma = d.function()(at, np.array([0.7, 0.0]))
    assert C[0] == pytest.approx(0.2 - law(1.1)[0] + law(0.0)[0]) and C_q[0] == pytest.approx(
        [-(law(1.1 + h)[0] - law(1.1 - h)[0]) / (2 * h), 1.0], abs=1e-6
    )
    assert gamma[0] == pytest.approx(0.49 * law(1.1)[2]) and "f″" in d.text()
