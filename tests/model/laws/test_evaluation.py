"""Laws in plain Python: values and derivatives against closed forms, SciPy's spline, complex steps
and central differences; refusals in words.
"""

import cmath
import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import (
    GROUND,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Mechanism,
)
from mechstudio.model.quantity import Quantity


def law(type, text="", points=(), between="", **numbers):
    return Law(
        type,
        {k: Quantity(v) for k, v in numbers.items()},
        tuple((Quantity(float(a)), Quantity(float(b))) for a, b in points),
        text,
        between,
    )


def jets(a_law, s):
    return np.array([evaluation.jet(a_law, x) for x in s])


def test_constant_and_what_is_not_typed():
    assert evaluation.jet(law("constant", value=3.0), 7.0) == (3.0, 0.0, 0.0)
    assert evaluation.jet(law("constant"), 7.0) == (0.0, 0.0, 0.0)


def test_ramp_is_a_straight_line_between_two_levels():
    ramp = law("ramp", start=1.0, end=4.0, begin=0.5, duration=2.0)
    s = np.array([-1.0, 0.4, 0.5, 1.5, 2.4999, 2.5, 9.0])
    assert jets(ramp, s)[:, 0] == pytest.approx(np.interp(s, [0.5, 2.5], [1.0, 4.0]), abs=1e-12)
    assert jets(ramp, s)[:, 1].tolist() == [0.0, 0.0, 1.5, 1.5, 1.5, 0.0, 0.0]
    assert evaluation.breakpoints(ramp) == (0.5, 2.5)


def test_sine():
    # f = o + a sin(2 pi f s + p); by the complex step, Im f(s + ih) / h = f'
    sine = law("sine", offset=0.2, amplitude=1.5, frequency=0.7, phase=0.3)
    w = 2 * math.pi * 0.7
    for s in (-1.0, 0.0, 0.37, 12.5):
        f, g, h = evaluation.jet(sine, s)
        assert f == pytest.approx(0.2 + 1.5 * math.sin(w * s + 0.3), abs=1e-13)
        assert g == pytest.approx(1.5 * cmath.sin(w * (s + 1e-30j) + 0.3).imag / 1e-30, abs=1e-12)
        assert h == pytest.approx(-w * w * (f - 0.2), abs=1e-12)
    assert evaluation.breakpoints(sine) == ()


def test_rest_to_rest_starts_and_ends_at_rest():
    # s(u) = 10 u^3 - 15 u^4 + 6 u^5: s = 0, 1/2, 1 and s' = 0, 15/8, 0, s'' = 0 at u = 0, 1/2, 1
    motion = law("rest_to_rest", start=-1.0, end=3.0, begin=2.0, duration=4.0)
    ends = jets(motion, [2.0, 4.0, np.nextafter(6.0, 0.0), 6.0, 8.0])
    assert ends == pytest.approx(
        np.array([[-1, 0, 0], [1, 4 * 15 / 8 / 4, 0], [3, 0, 0], [3, 0, 0], [3, 0, 0]]), abs=1e-12
    )
    u = np.linspace(0.01, 0.99, 20)
    polynomial = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6])
    for k in range(3):
        assert jets(motion, 2 + 4 * u)[:, k] == pytest.approx(
            (-1 if k == 0 else 0) + 4 * polynomial.deriv(k)(u) / 4**k, abs=1e-12
        )


def test_table_is_the_clamped_spline():
    # SciPy's CubicSpline with zero slope at both ends
    points = [(0.0, 1.0), (1.0, 3.0), (1.5, 2.0), (3.0, 0.0), (3.1, 0.4)]
    table = law("table", points=points)
    spline = CubicSpline(*zip(*points), bc_type=((1, 0.0), (1, 0.0)))
    s = np.linspace(0.0, 3.1, 200)[1:-1]
    assert jets(table, s) == pytest.approx(
        np.stack([spline(s, k) for k in range(3)], axis=1), abs=1e-11
    )
    assert jets(table, [-5.0, 7.0]).tolist() == [[1.0, 0.0, 0.0], [0.4, 0.0, 0.0]]
    assert evaluation.breakpoints(table) == (0.0, 1.0, 1.5, 3.0, 3.1)


def test_short_tables():
    assert evaluation.jet(law("table"), 1.0) == (0.0, 0.0, 0.0)
    assert evaluation.jet(law("table", points=[(1, 5)]), 9.0) == (5.0, 0.0, 0.0)
    # two points: the cubic that is level at both, 3 u^2 - 2 u^3
    assert evaluation.jet(law("table", points=[(0, 0), (2, 1)]), 0.5)[0] == pytest.approx(
        3 / 16 - 2 / 64, abs=1e-15
    )


def test_cam_rises_dwells_falls_and_comes_round():
    cam = law("cam", lift=0.02, begin=0.4, rise=1.2, dwell=0.5, fall=1.5)
    turn = 2 * math.pi
    for a, f in (
        (0.4, 0.0),
        (1.0, 0.01),
        (1.6, 0.02),
        (2.0, 0.02),
        (2.1 + 0.75, 0.01),
        (3.6, 0.0),
        (5.0, 0.0),
        (0.0, 0.0),
    ):
        for turns in (-3, 0, 1, 500):
            assert evaluation.jet(cam, a + turns * turn)[0] == pytest.approx(f, abs=1e-12)
    # twice continuously differentiable over the whole turn and across it: 3-4-5 polynomials end
    # with f' = f'' = 0
    for corner in (*evaluation.breakpoints(cam), 0.4 + turn, 0.0, turn):
        before, after = evaluation.jet(cam, corner - 1e-9), evaluation.jet(cam, corner + 1e-9)
        assert before == pytest.approx(after, abs=1e-8)
    assert max(jets(cam, np.linspace(0, turn, 999))[:, 1]) == pytest.approx(
        0.02 / 1.2 * 15 / 8, rel=1e-4
    )


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("sin(3 rad/s*t)*exp(-t/(2 s))", lambda t: cmath.sin(3 * t) * cmath.exp(-t / 2)),
        ("cos(t)/(2+t^2)", lambda t: cmath.cos(t) / (2 + t * t)),
        ("tan(t/3)+atan(2*t)", lambda t: cmath.tan(t / 3) + cmath.atan(2 * t)),
        ("asin(t/5)-acos(t/4)", lambda t: cmath.asin(t / 5) - cmath.acos(t / 4)),
        ("sqrt(1+t)+log(2+t)^3", lambda t: cmath.sqrt(1 + t) + cmath.log(2 + t) ** 3),
        ("(1+t)^(t/2)+2^t", lambda t: (1 + t) ** (t / 2) + 2**t),
        ("hypot(t, 2, 3*t)", lambda t: cmath.sqrt(t * t + 4 + 9 * t * t)),
        ("atan2(t+1, 2-t)", lambda t: cmath.atan((t + 1) / (2 - t))),
        ("min(t^2, 100, 50)-max(t, -9)+abs(t+1)", lambda t: t * t - t + t + 1),
        ("-t^-2+t²-+-3*t", lambda t: -(t**-2) + t * t + 3 * t),
        ("k*t/(10 mm)", lambda t: 2.5 * t / 0.01),
    ],
)
def test_jets_of_expressions(text, function):
    # complex step: Im f(t + ih) / h is f' to rounding; Re (f(t) - f(t + ih)) 2 / h^2 is f'' to h^2
    expression = law("expression", text, k=2.5)
    for t in (0.3, 0.9, 1.6):
        f, g, h = evaluation.jet(expression, t)
        assert f == pytest.approx(function(t).real, rel=1e-13)
        assert g == pytest.approx(function(t + 1e-25j).imag / 1e-25, rel=1e-12, abs=1e-13)
        assert h == pytest.approx(
            (function(t).real - function(t + 1e-4j).real) * 2e8, rel=1e-6, abs=1e-5
        )


@pytest.mark.parametrize(
    "text",
    [
        "log(t-1)",
        "sqrt(t-1)",
        "1/(t-0.5)",
        "asin(2+t)",
        "(t-1)^0.5",
        "0^(t-1)",
        "min(1, log(t-1))",
        "exp(-1/(t-0.5))",
    ],
)
def test_laws_outside_their_domain_give_nan(text):
    assert math.isnan(evaluation.jet(law("expression", text), 0.5)[0])


def test_a_constant_part_at_a_corner_has_no_slope():
    # sqrt has an infinite slope at zero, which must not spoil what does not vary
    assert evaluation.jet(law("expression", "t+sqrt(k)+abs(k)+k^0.5", k=0.0), 2.0) == (
        2.0,
        1.0,
        0.0,
    )


def test_t_is_the_time_and_no_tonne():
    assert evaluation.jet(law("expression", "2 rad/s*t"), 3.0) == (6.0, 2.0, 0.0)
    assert evaluation.names("3 m*t + k*sin(a)") == {"t", "k", "a"}


# what may be named


def mechanism():
    pin = lambda id, name, type="revolute": Joint(id, name, type, Frame(GROUND), Frame(GROUND))
    joints = {
        j.id: j
        for j in (
            pin("A", "pin"),
            pin("B", "pin"),
            pin("C", "Gleit-lager 1", "prismatic"),
            pin("D", "ball", "spherical"),
            pin("E", "pin_2"),
        )
    }
    return Mechanism({}, joints)


def test_names_of_joint_coordinates():
    known = evaluation.coordinate_variables(mechanism())
    assert list(known) == [
        "q_pin",
        "v_pin",
        "q_pin_2",
        "v_pin_2",
        "q_Gleit_lager_1",
        "v_Gleit_lager_1",
        "q_ball_psi",
        "v_ball_psi",
        "q_ball_theta",
        "v_ball_theta",
        "q_ball_phi",
        "v_ball_phi",
        "q_pin_2_2",
        "v_pin_2_2",
    ]
    assert known["v_pin_2"].joint == "B" and known["v_pin_2"].dimension == "angular_velocity"
    assert (known["q_ball_theta"].joint, known["q_ball_theta"].place) == ("D", 1) and known[
        "q_Gleit_lager_1"
    ].dimension == "length"


def test_variables_of_a_law_depend_on_its_element():
    m = mechanism()
    assert set(evaluation.variables(m, Drive("d", "d", "A"))) == {"t"}
    assert set(
        evaluation.variables(m, Coupling("c", "c", "cam", (CoordinateOf("A"), CoordinateOf("C"))))
    ) == {"a"}
    spring = evaluation.variables(m, Force("f", "f", "spring", {}))
    assert (
        spring["x"].dimension == "length"
        and spring["v"].dimension == "velocity"
        and {"t", "q_pin"} < set(spring)
    )
    assert (
        evaluation.variables(m, Force("f", "f", "motor_torque", {}, joint="A"))["v"].dimension
        == "angular_velocity"
    )
    assert {"x", "y", "z", "vx", "vy", "vz"} < set(
        evaluation.variables(m, Force("f", "f", "force", {}))
    )
    assert not {"x", "v"} & set(evaluation.variables(m, Force("f", "f", "bushing", {})))


KNOWN = {"k": (100.0, "stiffness"), "t": (3.0, "length"), "n": (2.0, "number")}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-k*x", ""),
        ("5 N*sin(2 rad/s*t)", ""),
        ("3", ""),
        ("max(k*x, 0 N)", ""),
        ("5 N*1.5^(t/1 s)", ""),
        ("k*sqrt(1 mm^2-x^2)", ""),
        ("(1 N)/(n*t/(1 s)-3)", ""),
        ("k*t", "force expected, got damping"),
        ("k*x^2", "force expected, got torque"),
        ("sin(t)", "sin takes an angle, got time."),
        ("k*length", "length is not known here; a law may name t, x, v, q_pin, v_pin, q_pin_2"),
        ("2^x", "A power must be a number, got length."),
        ("x^(t/1 s)", "The power of a length must be a fixed number, not one that varies."),
        ("k x", "x is not a known unit; to multiply, write k*x."),
        ("5 t", "t is not a known unit; to multiply, write 5*t."),
        ("", "The expression is empty."),
        ("1/0", "There is a division by zero."),
        ("(", "A number is missing"),
    ],
)
def test_typed_laws_are_checked_in_words(text, reason):
    known = evaluation.variables(mechanism(), Force("f", "f", "slide_spring", {}, joint="C"))
    found = evaluation.check(law("expression", text), "force", known, KNOWN)
    assert found == "" if not reason else found.startswith(reason)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (law("wave"), "There is no law of type wave"),
        (law("ramp", duration=0.0), "Lasts must be larger than zero."),
        (law("constant", value=math.nan), "Value is not a number."),
        (law("table"), "The table has no points"),
        (law("table", points=[(1, 0), (1, 2)]), "Point 2 of the table does not come after point 1"),
        (law("table", points=[(2, 0), (1, 2)]), "Point 2 of the table does not come after point 1"),
        (law("cam"), "Rise and return runs over the angle of a cam"),
        (law("expression", "a"), "a is not known here; a law may name t and parameters."),
    ],
)
def test_unfit_laws_of_drives(bad, reason):
    assert evaluation.check(
        bad, "angle", evaluation.variables(mechanism(), Drive("d", "d", "A")), KNOWN
    ).startswith(reason)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (
            law("cam", rise=3.0, dwell=3.0, fall=3.0),
            "Rise, dwell and fall together are more than one turn",
        ),
        (law("sine"), "A sine runs over the time"),
        (law("expression", "1 mm/s*t"), "t is not known here; a law may name a and parameters."),
        (law("expression", "sin(a)*5 deg"), "length expected, got angle"),
    ],
)
def test_unfit_laws_of_cams(bad, reason):
    cam = Coupling("c", "c", "cam", (CoordinateOf("A"), CoordinateOf("C")))
    assert evaluation.check(bad, "length", evaluation.variables(mechanism(), cam), {}).startswith(
        reason
    )
    assert (
        evaluation.check(
            law("expression", "5 mm*(1-cos(a))"),
            "length",
            evaluation.variables(mechanism(), cam),
            {},
        )
        == ""
    )
