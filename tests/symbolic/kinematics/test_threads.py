"""Screws whose nut is drawn away from where the thread has it at angle zero: equations, exports and
the simulator have it where it is drawn.
"""

import math
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import DIFFERENT
from mechstudio.model.mechanism import Force
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.exports.fmu import fmu
from mechstudio.symbolic.plan.drawing_numbers import ZERO
from mechstudio.symbolic.plan.plan import Plan
from tests.mechanisms import project
from tests.symbolic.exports.test_exports import Library, needs_compiler, run_notebook
from tests.symbolic.samples import SAMPLES

LEAD = 0.01 / (2 * math.pi)  # [m/rad] of a pitch of 10 mm
TURN = 2 * math.pi
ANGLE, SLIDE = 46.645430701, 0.025761491312  # of the jack after 0.4 s, by `jack_motion`


def jack(along=0.1, angles=None):
    """A spindle (1e-4 kg m^2) on a pin, driven by 0.04 N m, and its nut (2 kg) 0.1 m along it on a
    slider with a spring (100 N/m, relaxed at 0.15 m) against its weight; the screw closes the loop.
    angles: typed, by joint.
    """
    at = ((0, 0, 0), (0, 0, along))
    m = ms.Builder("jack")
    spindle = m.body("spindle", mass=1, inertia=(1e-4, 1e-4, 1e-4))
    nut = m.body("nut", at[1], mass=2, inertia=(0.01, 0.01, 0.01))
    pin = m.pin("A", m.ground, spindle, at=(0, 0, 0), axis=(0, 0, 1))
    slider = m.slider("B", m.ground, nut, at=at, axis=(0, 0, 1))
    m.screw("S", spindle, nut, at=at, axis=(0, 0, 1), pitch="10 mm")
    m.force("slide_spring", "sp", joint=slider, stiffness="100 N/m", free_length="0.15 m")
    m.force("motor_torque", "M", joint=pin, torque="0.04 N*m")
    m.run(duration=0.4)
    drawn = m.project()
    joints = dict(drawn.mechanism.joints)
    for id, angle in (angles or {}).items():
        joints[id] = msgspec.structs.replace(joints[id], values=(Quantity(angle),))
    mechanism = msgspec.structs.replace(drawn.mechanism, joints=joints)
    return msgspec.structs.replace(drawn, mechanism=mechanism)


def jack_motion(t, along=0.1, weight=2 * 9.81):
    """(angle, slide): x = c - h theta and (I + m h^2) theta'' = M + h (m g + k (x - l_0))."""
    square = 100 * LEAD**2 / (1e-4 + 2 * LEAD**2)
    middle = (0.04 + LEAD * (weight + 100 * (along - 0.15))) / (100 * LEAD**2)
    angle = middle * (1 - np.cos(np.sqrt(square) * t))
    return angle, along - LEAD * angle


def arm(reverse=False):
    """An arm (0.1 kg m^2) turning at 2 rad/s, and a nut (2 kg, 0.01 kg m^2) 0.3 m out along the
    screw on it.
    """
    m = ms.Builder("arm", gravity=(0, 0, 0))
    arm = m.body("arm", mass=1, inertia=(0.1, 0.1, 0.1))
    nut = m.body("nut", (0.3, 0, 0), mass=2, inertia=(0.01, 0.01, 0.01))
    m.joint("revolute", "A", m.ground, arm, at=(0, 0, 0), axis=(0, 0, 1), rate=2)
    pair, at = (arm, nut), ((0, 0, 0), (0.3, 0, 0))
    if reverse:
        pair, at = pair[::-1], at[::-1]
    m.screw("S", *pair, at=at, axis=(1, 0, 0), pitch="10 mm")
    return m.project()


INERTIA = 0.1 + 0.01 + 2 * 0.3**2  # of the arm with its nut [kg m^2], 0.58 J at 2 rad/s


def test_the_jack_moves_as_its_closed_form():
    run = ms.simulate(jack(), 0.4, 0.1, tolerance=1e-12)
    angle, slide = jack_motion(run.time)
    assert run.joint_coordinates["A"][:, 0] == pytest.approx(angle, abs=1e-8)
    assert run.joint_coordinates["B"][:, 0] == pytest.approx(slide, abs=1e-11)
    assert jack_motion(0.4) == pytest.approx((ANGLE, SLIDE), rel=1e-9)


@pytest.mark.parametrize("angles", [{}, {"A": TURN}, {"S": TURN}, {"A": 0.5 * TURN}])
def test_c_is_zero_where_the_nut_is_drawn(angles):
    """Also where one of the angles is typed a full turn on, which the other one is not."""
    d = ms.derive(jack(angles=angles))
    q = np.array([angles.get("A", 0.0), 0.1])
    if angles == {"A": 0.5 * TURN}:
        # typed, and so turned to: the nut has gone half a pitch along
        q[1] -= 0.005
    assert d.function()(q, np.zeros(2))[3] == pytest.approx(np.zeros(5), abs=1e-12)
    assert ms.agreement(d).holds
    if not angles:
        assert str(list(d.constraints)[-1]) == "-c + h*theta + x"


@pytest.mark.parametrize("reverse", [False, True])
def test_a_nut_out_on_an_arm_has_its_inertia_there(reverse):
    d = ms.derive(arm(reverse))
    assert d.function()(np.zeros(2), np.zeros(2))[0][0, 0] == pytest.approx(INERTIA)
    assert ms.agreement(d).holds


@pytest.mark.parametrize("project", [jack(), arm(), arm(True)], ids=("loop", "arm", "reversed"))
def test_the_verdict_sees_a_thread_that_begins_elsewhere(project, monkeypatch):
    monkeypatch.setattr(Plan, "thread_constant", lambda plan, joint: ZERO)
    proof = ms.agreement(ms.derive(project))
    assert proof.how == DIFFERENT and ("0.1" in proof.detail or "0.3" in proof.detail)


@needs_compiler
def test_exports_move_the_nut_as_drawn(tmp_path, monkeypatch):
    """Python and C have C = 0 at the start; the notebook and the FMU move as the closed form."""
    d = ms.derive(jack())
    namespace = {}
    exec(d.export("python"), namespace)
    library = Library(d.export("c"), tmp_path, 2, 5)
    for equations in (namespace["equations"], library.equations):
        assert equations([0.0, 0.1], [0.0, 0.0])[3] == pytest.approx(np.zeros(5), abs=1e-15)
    _, namespace, _ = run_notebook(d.export("notebook"), monkeypatch, 0.4)
    assert namespace["run"].y[:2, -1] == pytest.approx((ANGLE, SLIDE), rel=1e-6)


@pytest.mark.skipif(not fmu.compiler(), reason="no C compiler here: apt install gcc")
def test_the_fmu_moves_the_nut_as_drawn(tmp_path):
    fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed: pip install fmpy")
    path = tmp_path / "jack.fmu"
    ms.export_equations(jack(), path, coordinates="joint")
    found = fmpy.simulate_fmu(str(path), stop_time=0.4, output_interval=0.1)
    assert (found["theta"][-1], found["x"][-1]) == pytest.approx((ANGLE, SLIDE), rel=1e-9)
    assert found["x"][0] == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_robot_s_nut_stands_as_drawn(reverse, tmp_path):
    """The slide follows the turn from 0.3 m on, in the file and read again."""
    path = tmp_path / "arm.urdf"
    ms.convert(arm(reverse), path)
    mimic = ET.parse(path).getroot().find(".//mimic")
    assert float(mimic.get("multiplier")) == pytest.approx(LEAD)
    assert float(mimic.get("offset")) == pytest.approx(-0.3 if reverse else 0.3)
    stands = [x.value for x in ms.load(path).mechanism.bodies["nut"].placement.position]
    assert stands == pytest.approx((0.3, 0.0, 0.0), abs=1e-12)


def test_a_spring_on_a_closing_pin_knows_the_turns_of_the_others():
    """Springs (3 N m/rad, relaxed at 0.2 rad) on all pins of a four-bar whose crank is typed a
    full turn on: the closing pin is still where it was.
    """
    m = ms.load(next(p for p in SAMPLES if p.stem == "four_bar")).mechanism
    values = {"stiffness": Quantity(3.0), "free_angle": Quantity(0.2)}
    springs = {
        f"f{id}": Force(f"f{id}", f"f{id}", "torsion_spring", values, joint=id) for id in m.joints
    }
    crank = msgspec.structs.replace(m.joints["A"], values=(Quantity(TURN),))
    mechanism = msgspec.structs.replace(m, joints={**m.joints, "A": crank}, forces=springs)
    proof = ms.agreement(ms.derive(project(mechanism)))
    assert proof.holds, proof.detail
