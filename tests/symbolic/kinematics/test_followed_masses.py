"""Masses, centres of mass and inertia in exported equations follow the parameters of the drawing:
they are those of the drawing that is made with other values.
"""

import math
import time

import numpy as np
import pytest

import mechstudio as ms

SIZES = {"l": 0.3, "r": 0.02, "a": 0.4, "rho": 7850.0}
OTHERS = (
    {"l": 0.45},
    {"r": 0.035, "rho": 2700.0},
    {"a": -1.1},
    {"l": 0.17, "r": 0.011, "a": 2.0, "rho": 1000.0},
)
# shapes of bodies, with their numbers as they are typed; those of several are added
BODIES = {
    "box": [("box", ("l", "2*r", "r^2/(1 m)"), {"at": ("l/2", 0.01, 0), "density": "rho"})],
    "turned box": [("box", ("l", "r", 0.04), {"at": (0, "r", 0.02), "angles": ("a", 0.3, "a/3")})],
    "cylinder": [("cylinder", ("r", "l"), {"at": ("l/2", 0, 0), "angles": (0, 0.5 * math.pi, 0)})],
    "tube": [("tube", ("sqrt(l*r)", "r", "l"), {"density": "rho"})],
    "half pipe": [("half_pipe", ("2*r", "r", "l"), {"angles": (0.2, 0, 0)})],
    "sphere": [("sphere", ("r",), {"at": ("l*cos(a)", 0, "l*sin(a)")})],
    "ellipsoid": [("ellipsoid", ("l", "(l*r)^1.5/(l*r)", "sqrt(l*(50 mm))"), {})],
    "capsule": [("capsule", ("r", "l"), {"at": (0, 0, "l/2")})],
    "cone": [("cone", ("r", "r/2", "l"), {})],
    "bar": [("bar", ("l", 0.03, 0.01), {})],
    "several": [
        ("bar", ("l", "2*r", 0.01), {}),
        ("disc", ("r", 0.02), {"at": ("l", 0.03, 0), "angles": (0, 0, 0.5 * math.pi)}),
        ("sphere", (0.02,), {"at": (0, 0, "-r")}),
        ("box", (0.03, 0.02, 0.01), {"at": (0.1, 0.2, 0.05), "angles": (0.3, 0.2, 0.1)}),
        ("plate", ([(0, 0), (0.1, 0), (0, 0.05)], 0.01, 0.02), {"at": (0, "l/4", 0)}),
        ("sphere", ("l",), {"density": 0}),
    ],
}
UNITS = {"l": "m", "r": "m", "a": "rad", "rho": "kg/m^3"}
DIMENSIONS = {"l": "length", "r": "length", "a": "angle", "rho": "density"}


def drawn(shapes, sizes=None):
    """A body on a ball joint; typed in parameters, or in the numbers that they are."""
    m = ms.Builder("Followed")
    if sizes is None:
        for name, value in SIZES.items():
            m.parameter(name, f"{value!r} {UNITS[name]}", dimension=DIMENSIONS[name])

    def written(x):
        if isinstance(x, list | tuple):
            return type(x)(written(y) for y in x)
        if sizes is None or not isinstance(x, str):
            return x
        text = x.replace("^", "**").replace(" m)", ")").replace(" mm)", "*1e-3)")
        return float(eval(text, {**vars(math), **sizes}))

    body = m.body("body")
    for shape, numbers, placed in shapes:
        given = {key: written(value) for key, value in placed.items()}
        getattr(body, shape)(*written(numbers), **given)
    m.ball("A", m.ground, body, at=(0, 0, 0))
    return m.project()


@pytest.mark.parametrize("name", BODIES)
def test_masses_are_those_of_the_drawing_with_other_parameters(name):
    d = ms.derive(drawn(BODIES[name]))
    assert not any("do not follow" in note for note in d.equations.notes)
    state = np.array([0.3, -0.5, 0.8]), np.array([1.1, -0.7, 0.4])
    for changed in ({}, *OTHERS):
        given = {k: v for k, v in changed.items() if k in d.values}
        found = d.function()(*state, 0.0, given)
        expected = ms.derive(drawn(BODIES[name], SIZES | changed)).function()(*state)
        for x, y in zip(found[:3], expected[:3]):
            assert x == pytest.approx(y, rel=1e-11, abs=1e-12 * np.abs(y).max()), changed


def test_a_rod_reads_as_in_a_book():
    """m = rho l w h and J = m (l^2 + h^2) / 12."""
    m = ms.Builder("Rod")
    m.parameter("l", "0.3 m")
    rod = m.body("rod")
    rod.box("l", 0.02, 0.01, at=("l/2", 0, 0))
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    d = ms.derive(m.project())
    text = d.text()
    assert "(m c² + J) θ̈ + m g c cos θ = 0" in text
    assert "m = ρ l d h = 0.471 kg" in text and "J = 1/12 ρ l d h (l² + h²)" in text
    M, _, g, *_ = d.function()([0.0], [0.0], 0.0, {"l": 0.5})
    mass = 7850 * 0.5 * 0.02 * 0.01
    inertia = mass * (0.5**2 + 0.01**2) / 12 + mass * 0.25**2
    assert (M[0, 0], g[0]) == pytest.approx((inertia, mass * 9.81 * 0.25), rel=1e-14)
    script: dict = {}
    exec(d.export("sympy"), script)
    numbers = {s: 0.5 if str(s) == "l" else x for s, x in script["values"].items()}
    assert float(script["M"][0, 0].subs(numbers)) == pytest.approx(inertia, rel=1e-14)


def test_parameters_that_follow_others_are_followed():
    m = ms.Builder("Chain of parameters")
    m.parameter("l", "0.3 m")
    m.parameter("w", "l/10")
    rod = m.body("rod")
    rod.box("l", "w", "w", at=("l/2", 0, 0))
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    d = ms.derive(m.project())
    assert "w" not in d.values
    M, *_ = d.function()([0.0], [0.0], 0.0, {"l": 0.5})
    mass = 7850 * 0.5 * 0.05**2
    assert M[0, 0] == pytest.approx(mass * ((0.5**2 + 0.05**2) / 12 + 0.25**2), rel=1e-13)


def weighed(numbers=None):
    """A body of shapes with a typed mass, and one with everything typed."""
    m = ms.Builder("Weighed")
    for name, (value, unit, dimension) in WEIGHTS.items() if numbers is None else ():
        m.parameter(name, f"{value!r} {unit}", dimension=dimension)
    typed = lambda text: text if numbers is None else float(eval(text, dict(numbers)))
    rod = m.body("rod", mass=typed("2*k"))
    rod.box(typed("l"), 0.02, 0.03, at=(0.1, 0, 0))
    rod.sphere(0.02)
    moments = (typed("J"), typed("2*J"), typed("2.5*J"), 0, typed("J/4"), 0)
    inertia = {"center_of_mass": (typed("l/2"), 0, 0), "inertia": moments}
    other = m.body("other", mass=typed("k"), **inertia)
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.ball("B", rod, other, at=(0.1, 0, 0))
    return m.project()


WEIGHTS = {
    "k": (2.0, "kg", "mass"),
    "l": (0.3, "m", "length"),
    "J": (0.01, "kg*m^2", "inertia"),
}


def test_typed_masses_follow():
    numbers = {"k": 3.1, "l": 0.5, "J": 0.03}
    state = [0.3, -0.5, 0.2, 0.1], [1.1, 0.4, -0.3, 0.7]
    found = ms.derive(weighed()).function()(*state, 0.0, numbers)
    expected = ms.derive(weighed(numbers)).function()(*state)
    for x, y in zip(found[:3], expected[:3]):
        assert x == pytest.approx(y, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("shape", "numbers", "reason"),
    [
        ("plate", ([(0, 0), ("l", 0), (0, 0.1)], 0.01, 0.01), "what a plate or a mesh encloses"),
        ("box", ("max(l, 0.2 m)", 0.1, 0.1), "max(l, 0.2 m) has a function without a formula"),
        ("tube", (0.02, "l", 0.1), "as drawn it has no mass"),
    ],
)
def test_what_has_no_formula_is_said(shape, numbers, reason):
    m = ms.Builder("Frozen")
    m.parameter("l", "0.3 m")
    rod = m.body("rod")
    rod.sphere(0.02, at=(0.1, 0, 0))
    getattr(rod, shape)(*numbers)
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    d = ms.derive(m.project())
    (note,) = (n for n in d.equations.notes if "do not follow" in n)
    assert "inertia of rod are numbers of the drawing as it is" in note
    assert reason in note and "follow l" in note
    assert note in d.export("c")


def pinned(turn, sizes=None):
    """A turned cylinder that hangs by one end and carries a ball at the other."""
    m = ms.Builder("Turned")
    if sizes is None:
        m.parameter("l", "0.3 m")
        m.parameter("a", "0 rad", dimension="angle")
    length = "l" if sizes is None else sizes["l"]
    turn = sizes["a"] if sizes is not None and turn == "a" else turn
    rod, ball = m.body("rod"), m.body("ball")
    rod.cylinder(0.01, length, at=(0.02, 0, 0), angles=(0, turn, 0))
    ball.sphere(0.03)
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.ball("B", rod.frame("top"), ball.frame("centre"))
    return m.project()


@pytest.mark.parametrize("turn", [0.5 * math.pi, "a"])
def test_points_of_turned_shapes_follow_too(turn):
    """Those of a shape that a parameter turns, too, which it does not as drawn."""
    d = ms.derive(pinned(turn))
    state = [0.3, -0.5, 0.2, 0.1], [1.1, 0.4, -0.3, 0.7]
    sizes = {"l": 0.42, "a": 0.7}
    given = {k: v for k, v in sizes.items() if k in d.values}
    found = d.function()(*state, 0.0, given)
    expected = ms.derive(pinned(turn, sizes)).function()(*state)
    for x, y in zip(found[:3], expected[:3]):
        assert x == pytest.approx(y, rel=1e-12, abs=1e-13)


def hung(sizes=None):
    """Two bodies of turned shapes on pins, one below the other."""
    m = ms.Builder("Hung")
    for name in ("l", "r") if sizes is None else ():
        m.parameter(name, f"{SIZES[name]!r} m")
    typed = lambda text: text if sizes is None else float(eval(text, dict(sizes)))
    rod, weight = m.body("rod"), m.body("weight")
    turned = (0, 0.5 * math.pi, 0)
    rod.cylinder(typed("r"), typed("l"), at=(typed("l/2"), 0, typed("r")), angles=turned)
    rod.cone(typed("r"), 0.01, typed("l/3"), at=(typed("l"), 0, 0), angles=(0.3, 0.2, 0))
    weight.tube(
        typed("2*r"), typed("r"), 0.1, at=(typed("l"), 0, typed("-l/2")), angles=(0.4, 0, 0)
    )
    weight.capsule(typed("r"), 0.1, at=(typed("l"), 0.02, typed("-l")))
    m.pin("A", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    at = {"at": (typed("l"), 0, 0), "angles": (0, 0, -0.5 * math.pi)}
    m.joint("revolute", "B", rod.frame(**at), weight.frame(**at))
    return m.project()


def test_exported_code_accelerates_as_the_drawing_with_other_parameters_in_the_simulator():
    sizes = {"l": 0.42, "r": 0.03}
    run = ms.simulate(hung(sizes), duration=0.3, sample_step=0.3, tolerance=1e-12)
    at_end = lambda what: run.courses(f"Angular {what}: y")[0].values[-1]
    v, a = (
        np.diff([at_end(f"{what} of {body}") for body in ("rod", "weight")], prepend=0.0)
        for what in ("velocity", "acceleration")
    )
    q = [run.joint_coordinates[joint][-1, 0] for joint in ("A", "B")]
    code: dict = {}
    exec(ms.derive(hung()).export("python"), code)
    M, b, g, *_ = code["equations"](q, v, 0.0, sizes)
    assert np.abs(v).min() > 0.1
    assert np.linalg.solve(M, -b - g) == pytest.approx(a, rel=1e-9)
    M, b, g, *_ = code["equations"](q, v, 0.0)
    assert np.abs(np.linalg.solve(M, -b - g) - a).max() > 0.1


LONG = "+".join(f"a{k}" for k in range(7))
STEPS = "has a step that cannot be computed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"(({LONG})^8)^8", ""),
        ("*".join([f"({LONG})"] * 12), ""),
        ("((((((((a0/0.3)^8)^8)^8)^8)^8)^8)^8)^8", STEPS),
        ("1e300*a0*1e-300", STEPS),
        (f"({LONG})^2", "its formulas are too long"),
    ],
)
def test_long_formulas_take_no_longer(text, reason):
    """Powers of sums are not expanded, exact numbers do not grow, and what would be too long stays
    a number.
    """
    m = ms.Builder("Long")
    for k in range(7):
        m.parameter(f"a{k}", repr(0.3 - 0.04 * k), dimension="number")
    body = m.body("rod")
    sides = [f"(1 m)*({text})"] * 3 if "formulas" in reason else [f"(1 m)*({text})", 0.1, 0.1]
    for x in (0.0, 0.1) if "formulas" in reason else (0.0,):
        body.box(*sides, at=(x, 0, 0), angles=[f"({text})*(1 rad)"] * 3 if x else (0, 0, 0))
    m.ball("A", m.ground, body, at=(0, 0, 0))
    start = time.process_time()
    d = ms.derive(m.project())
    d.text()
    assert time.process_time() - start < 2.0
    noted = [n for n in d.equations.notes if "do not follow" in n]
    assert all(reason in n for n in noted) and bool(noted) == bool(reason)


def test_many_parameters_follow_each_other():
    """Hundreds in a row, each typed in the one before."""
    m = ms.Builder("Row")
    m.parameter("a0", "0.3 m")
    for k in range(1, 300):
        m.parameter(f"a{k}", f"a{k - 1}/2 + 0.15 m")
    rod = m.body("rod")
    rod.box("a299", 0.1, 0.1)
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    d = ms.derive(m.project())
    assert {"a0"} <= d.values.keys() and not {f"a{k}" for k in range(1, 300)} & d.values.keys()


def test_a_parameter_that_follows_no_other_is_said_to():
    m = ms.Builder("Alone")
    m.parameter("l", "0.3 m")
    m.parameter("w", "max(l/10, 1 mm)")
    rod = m.body("rod")
    rod.box("l", "w", "w")
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    d = ms.derive(m.project())
    (note,) = (n for n in d.equations.notes if "does not follow" in n)
    assert "w is a parameter of its own here" in note and "does not follow l" in note
    assert {"l", "w"} <= d.values.keys()
