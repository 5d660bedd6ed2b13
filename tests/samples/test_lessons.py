"""Lessons of samples: every right answer is that of a closed form, and of the run."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.lessons.checking import (
    NEAR,
    RIGHT,
    UNREAD,
    WRONG,
    check_choice,
    check_equation,
    check_number,
    check_sketch,
)
from mechstudio.application.lessons.filled_text import unknown
from mechstudio.application.lessons.lecture import with_values
from mechstudio.application.lessons.predictions import Sketch, compared
from mechstudio.curves.course import Course
from mechstudio.curves.quantities import quantity
from mechstudio.files.project_file import load
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.project import CHOOSE, EQUATION, NUMBER, PREDICT
from mechstudio.symbolic import derive
from mechstudio.symbolic.proofs.claims import check
from mechstudio.translation import use

UNITS = "mm-N-deg"
LESSONS = (
    "four_bar",
    "slider_crank",
    "double_pendulum",
    "cart_pole",
    "atwood_machine",
    "box_on_incline",
    "foucault_pendulum",
    "gyroscope",
    "newtons_cradle",
    "vibration_absorber",
    "planetary_gear",
    "drag_link",
    "door_two_hinges",
    "bouncing_ball",
    "scotch_yoke",
    "elastic_pendulum",
    "shoe_brake",
)
G = 9.81
L1, L2, L3, L4 = 0.130, 0.330, 0.260, 0.340


def lesson(name):
    return load(f"samples/{name}.mech").project


def question(name, step, number):
    return next(s for s in lesson(name).steps if s.id == step).questions[number]


def swing():
    """Angle between the ends of the rocker [rad], by the law of cosines at D."""
    at = lambda d: math.acos((L4**2 + L3**2 - d**2) / (2 * L4 * L3))
    return at(L2 + L1) - at(L2 - L1)


def period():
    """Of small swings of the pole about its pin, which stands still [s]."""
    inertia, torque = 0.003 + 0.6 * 0.3**2, 0.6 * 9.81 * 0.3 + 0.4
    return 2 * math.pi * math.sqrt(inertia / torque)


def atwood():
    """Acceleration of both weights, the pulley's inertia included [m/s^2]."""
    pulley = mass_properties(lesson("atwood_machine").mechanism.bodies["pulley"])
    return 0.2 * G / (2.2 + 2.0 + pulley.inertia[1][1] / 0.08**2)


def gyro(spin):
    """Rate of a level gyroscope [rad/s]: moment of gravity over the spin's angular momentum."""
    bodies = lesson("gyroscope").mechanism.bodies
    arm, rotor = mass_properties(bodies["arm"]), mass_properties(bodies["rotor"])
    moment = G * (arm.mass * arm.center[0] + rotor.mass * (0.15 + rotor.center[0]))
    return moment / (rotor.inertia[0][0] * spin)


def absorber(mu):
    """Lower resonance of two masses of one frequency, 10 rad/s, from the eigenvalues of M^-1 K."""
    k1, m1, m2 = 1000.0, 10.0, 10.0 * mu
    k2 = 100.0 * m2
    squares = np.linalg.eigvals([[(k1 + k2) / m1, -k2 / m1], [-k2 / m2, k2 / m2]])
    return math.sqrt(min(squares.real))


SLOPE = math.radians(20)
NUMBERS = [
    ("atwood_machine", "step2", 0, f"{atwood()!r} m/s^2"),
    ("box_on_incline", "step1", 0, f"{math.tan(SLOPE)!r}"),
    (
        "box_on_incline",
        "step2",
        0,
        f"{1.0 / (G * (0.5 * math.cos(SLOPE) - math.sin(SLOPE)))!r} s",
    ),
    ("foucault_pendulum", "step2", 0, f"{2 * math.pi / 0.3!r} s"),
    ("foucault_pendulum", "step2", 1, f"{2 * math.pi / (0.3 * 0.5)!r} s"),
    ("gyroscope", "step2", 0, f"{gyro(500.0)!r} rad/s"),
    (
        "newtons_cradle",
        "step2",
        0,
        f"{math.sqrt(2 * G * 0.3 * (1 - math.cos(math.radians(35))))!r} m/s",
    ),
    ("vibration_absorber", "step1", 0, f"{5.5 / 200!r} m"),
    ("vibration_absorber", "step2", 0, f"{absorber(0.2)!r} rad/s"),
    ("planetary_gear", "step1", 0, f"{1.2 * (1 + 48 / 18)!r} rad/s"),
    ("drag_link", "step2", 0, f"{0.18 + 0.20 - 0.24!r} m"),
    ("door_two_hinges", "step1", 0, "5"),
    ("bouncing_ball", "step1", 0, f"{0.6 * 0.8**6!r} m"),
    ("bouncing_ball", "step2", 0, f"{math.sqrt(2 * 0.6 / G) * 1.8 / 0.2!r} s"),
    ("scotch_yoke", "step2", 0, f"{0.09 * 4!r} m/s"),
    ("scotch_yoke", "step2", 1, f"{0.09 * 4**2!r} m/s^2"),
    ("elastic_pendulum", "step1", 0, f"{2 * math.pi / math.sqrt(98.1)!r} s"),
    ("elastic_pendulum", "step1", 1, f"{2 * math.pi * math.sqrt((0.3 + G / 98.1) / G)!r} s"),
    ("shoe_brake", "step1", 0, f"{(0.18 + 0.5 * 0.15) / (0.18 - 0.5 * 0.15)!r}"),
    ("shoe_brake", "step2", 0, f"{0.18 / 0.5!r} m"),
    ("four_bar", "step2", 1, f"{math.degrees(swing())!r} deg"),
    ("four_bar", "step4", 0, f"{(L2 + L3 - L4)!r} m"),
    ("slider_crank", "step1", 0, f"{2 * 0.1!r} m"),
    ("slider_crank", "step1", 1, f"{math.asin(0.1 / 0.3)!r} rad"),
    ("double_pendulum", "step1", 0, "2"),
    ("cart_pole", "step4", 0, f"{period()!r} s"),
]


@pytest.mark.parametrize(("name", "step", "number", "closed"), NUMBERS)
def test_a_number_that_is_right_is_that_of_the_closed_form(name, step, number, closed):
    requested, project = question(name, step, number), lesson(name)
    assert check_number(requested, closed, project, UNITS).verdict == RIGHT
    value = float(closed.split()[0])
    unit = closed.partition(" ")[2]
    typed = lambda factor: f"{factor * value!r} {unit}".strip()
    assert check_number(requested, typed(1.5), project, UNITS).verdict == WRONG
    assert check_number(requested, typed(-1.0), project, UNITS).verdict == NEAR
    assert (
        check_number(requested, typed(1 + 2 * requested.tolerance), project, UNITS).verdict == NEAR
    )
    assert check_number(requested, "3 kg" if unit else "3 mm", project, UNITS).verdict == UNREAD
    assert check_number(requested, "three", project, UNITS).verdict == UNREAD


def test_an_answer_has_the_decimal_sign_of_the_language():
    """A comma in French, where the window shows commas; in English a sentence on what to type."""
    requested, project = question("box_on_incline", "step1", 0), lesson("box_on_incline")
    assert check_number(requested, "0,364", project, UNITS).verdict == UNREAD
    use("fr")
    try:
        for typed in ("0,364", "0.364", "tan(20 deg)", "max(0,364, 0)"):
            assert check_number(requested, typed, project, UNITS).verdict != UNREAD
        assert check_number(requested, "0,364", project, UNITS).verdict == RIGHT
        swing = question("four_bar", "step2", 1)
        assert check_number(swing, "63,33 deg", lesson("four_bar"), UNITS).verdict == RIGHT
    finally:
        use("en")


def test_every_number_of_a_lesson_is_held():
    held = {(name, step, number) for name, step, number, _ in NUMBERS}
    requested = {
        (name, step.id, k)
        for name in LESSONS
        for step in lesson(name).steps
        for k, q in enumerate(step.questions)
        if q.type == NUMBER
    }
    assert requested == held


def test_the_run_swings_as_the_closed_form_says():
    for name, height in (("four_bar", swing()), ("slider_crank", 0.2)):
        (course,) = ms.simulate(lesson(name)).courses("joint/D/0")
        assert np.ptp(course.values) == pytest.approx(height, rel=2e-3)


def test_choices_of_the_short_lessons_are_those_of_the_models():
    """Structure, mode shapes and speeds of the samples themselves."""
    door = lesson("door_two_hinges")
    assert ms.check(door).structure.hyperstaticity == 5
    for below, left in (("point_on_line", 0), ("spherical", 1)):
        m = ms.Builder.of(door)
        m.remove("closer")
        m.change("upper_hinge", type="spherical")
        m.change("lower_hinge", type=below)
        structure = ms.check(m.project()).structure
        assert (structure.mobility, structure.hyperstaticity) == (1, left)
    assert question("door_two_hinges", "step2", 0).answer == "2"
    # a planet rolls in the ring: 1 - 48/15 < 0; a lighter absorber: closer resonances
    assert 1 - 48 / 15 < 0 and question("planetary_gear", "step2", 0).answer == "2"
    upper = lambda mu: math.sqrt(1 + mu / 2 + math.sqrt(mu + mu * mu / 4)) * 10
    assert upper(0.1) - absorber(0.1) < upper(0.2) - absorber(0.2)
    # one ball at twice the speed of two would have twice their energy
    assert 0.5 * 1 * 2**2 == 2 * (0.5 * 2 * 1**2)


def test_grashof_holds_up_to_the_answer():
    """A crank a little shorter turns fully, one a little longer does not."""
    shortest, longest = 0.249, 0.251
    for crank, turns in ((shortest, True), (longest, False)):
        lengths = sorted((crank, L2, L3, L4))
        assert (lengths[0] + lengths[3] <= lengths[1] + lengths[2]) is turns
        # the distance B D must let coupler and rocker meet over the whole turn
        far = [
            math.hypot(L4 - crank * math.cos(a), crank * math.sin(a))
            for a in np.linspace(0, 7, 9999)
        ]
        meets = max(far) <= L2 + L3 and min(far) >= abs(L2 - L3)
        assert meets is turns


def test_choices_are_those_of_the_geometry():
    """The rocker stands still where crank and coupler are in line; a slider is fastest before the
    right angle.
    """
    right = question("four_bar", "step2", 0)
    assert check_choice(right, 1).verdict == RIGHT and check_choice(right, 2).verdict == WRONG
    phi = np.linspace(0.0, 2 * np.pi, 200_001)
    B = np.stack([L1 * np.cos(phi), L1 * np.sin(phi)], 1)
    apart = np.hypot(L4 - B[:, 0], B[:, 1])
    lean = np.arctan2(B[:, 1], B[:, 0] - L4)
    rocker = np.unwrap(lean) - np.arccos((L3**2 + apart**2 - L2**2) / (2 * L3 * apart))
    C = np.stack([L4 + L3 * np.cos(rocker), L3 * np.sin(rocker)], 1)
    for k in (rocker.argmax(), rocker.argmin()):
        across = B[k, 0] * (C[k, 1] - B[k, 1]) - B[k, 1] * (C[k, 0] - B[k, 0])
        assert abs(across) < 1e-3 * L1 * L2
    r, l = 0.1, 0.3
    half = phi[phi < np.pi]
    x = r * np.cos(half) + np.sqrt(l**2 - (r * np.sin(half)) ** 2)
    fastest = math.degrees(half[np.abs(np.gradient(x, half)).argmax()])
    assert 70 < fastest < 76 < 90 and question("slider_crank", "step2", 0).answer == "1"


@pytest.mark.parametrize(
    ("name", "step", "wrong"),
    [
        ("slider_crank", "step4", "m_slider x'' = 2 lambda_1"),
        ("double_pendulum", "step3", "(m_lower c_lower^2 + J_lower) theta_B'' = 0"),
        (
            "cart_pole",
            "step1",
            "m_p L x'' cos theta + (I_p + m_p L^2) theta'' - m_p g L sin theta"
            " + k_theta (theta - theta_0) = 0",
        ),
    ],
)
def test_an_equation_that_is_right_is_so_to_the_term(name, step, wrong):
    requested, derivation = question(name, step, 0), derive(lesson(name), "lagrange")
    assert check_equation(requested, check(derivation, "0", requested.answer)).verdict == RIGHT
    assert check_equation(requested, check(derivation, "0", wrong)).verdict == WRONG
    assert check_equation(requested, check(derivation, "0", "m_nobody = 1")).verdict == UNREAD


def test_a_sketch_is_measured_against_the_run():
    project = lesson("four_bar")
    requested = question("four_bar", "step3", 0)
    times = np.linspace(0.0, 6.0, 2001)
    course = Course(times, 1.5 + 0.5 * np.sin(3 * times))

    def drawn(shift, until=2.0):
        sketch = Sketch(0.6, 2.0)
        for time in np.arange(0.6, until, 0.01):
            sketch.draw(float(time), 1.5 + 0.5 * math.sin(3 * time) + shift)
        return compared(sketch, course)

    exact = drawn(0.0)
    assert exact.largest < 1e-3 and exact.mean < 1e-3
    assert exact.height == pytest.approx(np.ptp(course.values[(times >= 0.6) & (times <= 2.0)]))
    assert check_sketch(requested, exact, project, UNITS).verdict == RIGHT
    off = drawn(0.3)
    assert off.mean == pytest.approx(0.3, rel=1e-3) and off.largest == pytest.approx(0.3, rel=1e-2)
    assert check_sketch(requested, off, project, UNITS).verdict == NEAR
    assert check_sketch(requested, drawn(1.2), project, UNITS).verdict == WRONG
    assert check_sketch(requested, drawn(0.0, 0.9), project, UNITS).verdict == UNREAD
    assert check_sketch(requested, None, project, UNITS).verdict == UNREAD
    assert compared(Sketch(0.6, 2.0), course) is None


def test_a_stroke_joins_its_points_and_a_lifted_pen_joins_none():
    sketch = Sketch(0.0, 1.0)
    sketch.draw(0.1, 0.0)
    sketch.draw(0.5, 1.0)
    assert np.interp(0.3, sketch.times, sketch.values) == pytest.approx(0.5, abs=1e-2)
    sketch.lift()
    sketch.draw(0.8, 5.0)
    assert np.isnan(sketch.values[(sketch.times > 0.55) & (sketch.times < 0.75)]).all()
    # back over it: the later stroke counts
    sketch.draw(0.1, 5.0)
    assert np.nanmin(sketch.values) == pytest.approx(5.0)
    # beyond the ends nothing is lost
    sketch.draw(-3.0, 2.0)
    assert sketch.values[0] == pytest.approx(2.0)


@pytest.mark.parametrize("name", LESSONS)
def test_steps_name_what_is_there(name):
    project = lesson(name)
    assert len({s.id for s in project.steps}) == len(project.steps) >= 2
    for step in project.steps:
        assert step.title and step.text and not unknown(step.text, project)
        taken = with_values(project, step)
        assert {*step.sliders, *step.parameters} <= project.parameters.keys()
        assert {*step.plots} <= {p.id for p in taken.plots}
        assert {*step.terms, *step.hidden} <= project.mechanism.bodies.keys()
        # the values of a step are those of the sample: its answers hold
        assert (
            msgspec.structs.replace(taken, plots=project.plots, plot_layout=project.plot_layout)
            == project
        )
        for q in step.questions:
            assert q.text and q.because and (q.type == PREDICT or q.answer)
            if q.type == CHOOSE:
                assert 1 <= int(q.answer) <= len(q.choices)
            if q.type == PREDICT:
                assert quantity(project, q.channel) is not None and q.channel in step.plots
            assert q.type in (CHOOSE, NUMBER, PREDICT, EQUATION)
