"""Couplings, drives, laws, stops and loads as a script writes them: what is typed stays typed, and
nonsense is reported in a sentence.
"""

import math

import pytest

import mechstudio as ms
from mechstudio.files.project_file import decode, encode
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.laws.coupling_offsets import coupling_offset
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import CoordinateOf, Limit
from mechstudio.model.quantity import ZERO, Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT


def wheels():
    """Two hinges, a slider and a cylindrical joint, all on ground."""
    m = ms.Builder()
    m.parameter("n", "60 rpm", "angular_velocity")
    bodies = [m.body(name, (k, 0, 0), mass=1, inertia=(1, 1, 1)) for k, name in enumerate("abcd")]
    a, b = (m.pin(name, m.ground, body, at=body.world()) for name, body in zip("AB", bodies))
    c = m.slider("C", m.ground, bodies[2], at=bodies[2].world(), axis=(1, 0, 0))
    d = m.cylindrical("D", m.ground, bodies[3], at=bodies[3].world(), axis=(0, 0, 1))
    return m, a, b, c, d


def test_every_coupling_by_its_own_method():
    m, a, b, c, d = wheels()
    m.gear("gear", a, b, teeth=(20, 40))
    m.gear("inner", a, d, "2")
    m.rack("rack", a, c, "30 mm")
    m.belt("belt", a, b, "40 mm", "80 mm")
    m.belt("crossed", a, b, "40 mm", "80 mm", crossed=True)
    m.differential("diff", a, b, d)
    m.planetary("planet", a, b, d["angle"], 2.5)
    m.linear("linear", c, d["slide"], 2)
    m.cam("cam", a, d["slide"], ms.rise_and_return("20 mm", rise="60 deg"))
    m.geneva("geneva", a, b, ms.geneva(6))
    known = m.mechanism.couplings
    assert {c.type for c in known.values()} == set(COUPLING_TYPES)
    assert known["gear"].parameters["ratio"] == Quantity(-2.0, "-40/20")
    # an end without a number is the joint's first coordinate of the dimension that is needed: the
    # angle of a cylindrical joint is its second
    assert known["inner"].ends == (CoordinateOf("A"), CoordinateOf("D", 1)) and known[
        "cam"
    ].ends == (CoordinateOf("A"), CoordinateOf("D", 0))
    assert known["cam"].law.parameters["lift"] == Quantity(0.02, "20 mm") and known[
        "cam"
    ].law.parameters["rise"].value == pytest.approx(math.pi / 3)
    assert decode(encode(m.project())).project == m.project()


@pytest.mark.parametrize(
    ("given", "type", "numbers"),
    [
        ({"speed": "n"}, "constant", {"value": 2 * math.pi}),
        ({"speed": 3}, "constant", {"value": 3.0}),
        (
            {"position": ms.sine("30 deg", "2 Hz")},
            "sine",
            {"offset": 0, "amplitude": math.pi / 6, "frequency": 2, "phase": 0},
        ),
        (
            {"position": ms.rest_to_rest("90 deg", duration="500 ms")},
            "rest_to_rest",
            {"start": 0, "end": math.pi / 2, "begin": 0, "duration": 0.5},
        ),
        (
            {"acceleration": ms.ramp(0, "2 rad/s^2", duration=3, begin="1 s")},
            "ramp",
            {"start": 0, "end": 2, "begin": 1, "duration": 3},
        ),
        ({"speed": "n * sin(2 rad/s * t)"}, "expression", {}),
        ({"speed": ms.expression("n")}, "expression", {}),
    ],
)
def test_every_law_of_a_drive(given, type, numbers):
    m, a, *_ = wheels()
    m.drive("motor", a, **given)
    drive = m.mechanism.drives["motor"]
    assert (drive.joint, drive.quantity, drive.law.type) == (
        "A",
        {"speed": "velocity"}.get(how := next(iter(given)), how),
        type,
    )
    for name, value in numbers.items():
        assert drive.law.parameters[name].value == pytest.approx(value)
    assert decode(encode(m.project())).project == m.project()


def test_a_table_is_in_the_dimension_of_what_it_rules():
    m, _a, _b, c, _d = wheels()
    m.drive("push", c, position=ms.table((0, 0), ("500 ms", "20 mm"), (1, "5 mm")))
    assert m.mechanism.drives["push"].law.points[1] == (
        Quantity(0.5, "500 ms"),
        Quantity(0.02, "20 mm"),
    )


def test_stops():
    m = ms.Builder()
    body = m.body("x", mass=1, inertia=(1, 1, 1))
    m.pin("A", m.ground, body, at=(0, 0, 0), limits=("-30 deg", None))
    m.slider(
        "B",
        m.ground,
        body,
        at=(0, 0, 0),
        axis=(1, 0, 0),
        limits=ms.limit(0, "50 mm", restitution=0.4),
    )
    m.cylindrical(
        "C",
        m.ground,
        body,
        at=(0, 0, 0),
        axis=(1, 0, 0),
        limits=(
            ms.limit(0, 1),
            ms.limit(None, "1 rev", stiffness="5 N*m/rad", damping="0.1 N*m*s/rad", coordinate=1),
        ),
    )
    joints = m.mechanism.joints
    assert joints["A"].limits == (Limit(0, Quantity(pytest.approx(-math.pi / 6), "-30 deg"), None),)
    assert (
        joints["B"].limits[0].restitution.value == 0.4 and joints["B"].limits[0].stiffness is None
    )
    assert joints["C"].limits[1].coordinate == 1 and joints["C"].limits[1].stiffness.value == 5.0
    assert decode(encode(m.project())).project == m.project()


@pytest.mark.parametrize("type", FORCE_TYPES)
def test_every_force_constant_and_with_laws(type):
    m, a, _b, c, _d = wheels()
    kind = FORCE_TYPES[type]
    place = {
        JOINT: {"joint": a if kind.joint_dimension == "angle" else c},
        BODY: {"body": m.ground},
    }.get(kind.attachment, {"a": m.ground, "b": m.ground, "at": ((0, 0, 0), (0, 0, 1))})
    needed = (
        {"vector": (1, 2, 3)}
        if kind.attachment == BODY
        else {p.name: 1 for p in kind.parameters if p.default is None}
    )
    m.force(type, "plain", **place, **needed)
    ruled = (
        {"vector": (ms.sine(1, 2), 2, "3 N*m" if kind.moment else "3 N")}
        if kind.attachment == BODY
        else {k: ms.ramp(0, 1) for k in needed}
    )
    m.force(type, "ruled", **place, **ruled)
    plain, force = m.mechanism.forces["plain"], m.mechanism.forces["ruled"]
    assert set(plain.parameters) == set("xyz" if kind.attachment == BODY else needed)
    assert set(force.laws) == ({"x"} if kind.attachment == BODY else set(needed)) and all(
        force.parameters[k] == ZERO for k in force.laws
    )
    assert decode(encode(m.project())).project == m.project()


def test_hiding():
    m, a, b, *_ = wheels()
    m.gear("gear", a, b, 2)
    body = m.body("e")
    m.hide(a, "gear", body)
    assert (
        not m.mechanism.joints["A"].visible
        and not m.mechanism.couplings["gear"].visible
        and not m.mechanism.bodies["e"].visible
        and m.mechanism.joints["B"].visible
    )
    with pytest.raises(ValueError, match="nothing with the id Z"):
        m.hide("Z")


def test_surfaces_from_files_and_from_numbers(tmp_path):
    """A unit cube as text STL: its volume in the requested unit; one without a face is refused with
    the place of the hole.
    """
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    text = lambda rows: (
        "solid cube\n"
        + "".join(
            "facet normal 0 0 0\nouter loop\n"
            + "".join("vertex {:g} {:g} {:g}\n".format(*corners[k]) for k in t)
            + "endloop\nendfacet\n"
            for t in rows
        )
        + "endsolid\n"
    )
    (tmp_path / "cube.stl").write_text(text(triangles))
    (tmp_path / "open.stl").write_text(text(triangles[:-1]))
    m = ms.Builder()
    cube = m.body("cube").mesh(tmp_path / "cube.stl", "cm", density=1000)
    assert (
        mass_properties(cube.body).mass == pytest.approx(1e-3)
        and cube.body.shapes[0].mesh.source == "cube.stl"
    )
    assert (
        m.body("copy").mesh(cube.body.shapes[0].mesh).body.shapes[0].mesh
        == cube.body.shapes[0].mesh
    )
    assert decode(encode(m.project())).project == m.project()
    m.body("others").capsule("10 mm", "30 mm").cone("20 mm", 0, "50 mm")
    for mistake, words in (
        (lambda: cube.mesh(tmp_path / "open.stl"), "cube: open.stl"),
        (lambda: cube.mesh(tmp_path / "none.stl"), "cube: none.stl"),
        (lambda: cube.mesh(tmp_path / "cube.stl", "feet"), "no unit of a surface"),
        (lambda: cube.mesh(Mesh(b"", b"")), "cube: "),
    ):
        with pytest.raises(ValueError, match=words):
            mistake()


def test_a_bushing_takes_what_is_not_zero():
    m, *_ = wheels()
    m.force(
        "bushing",
        "mount",
        a=m.ground,
        b=m.ground,
        at=((0, 0, 0), (0, 0, 0)),
        k_x_x="2 N/mm",
        k_rx_rx="3 N*m/rad",
        d_rz_x="1 N*s/rad",
    )
    assert {k: q.value for k, q in m.mechanism.forces["mount"].parameters.items()} == {
        "k_x_x": 2000.0,
        "k_rx_rx": 3.0,
        "d_rz_x": 1.0,
    }


def elsewhere():
    """A joint of another builder."""
    other = ms.Builder()
    return other.pin("Z", other.ground, other.body("z"), at=(0, 0, 0))


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda m, a, b, c, d: m.gear("g", a, b), "either its ratio or the teeth"),
        (lambda m, a, b, c, d: m.gear("g", a, b, teeth=(20.5, 40)), "whole numbers"),
        (lambda m, a, b, c, d: m.gear("g", a, a, 2), "ties different joints"),
        (lambda m, a, b, c, d: m.gear("g", a, c, 2), "C, a slider joint, has no angle"),
        (lambda m, a, b, c, d: m.gear("g", a, d["slide"], 2), "D slide is no angle"),
        (lambda m, a, b, c, d: m.gear("g", a, b, 0), "must not be zero"),
        (lambda m, a, b, c, d: m.belt("g", a, b, 0.1, "-50 mm"), "must be larger than zero"),
        (lambda m, a, b, c, d: m.belt("g", a, b, 0.1, "50 kg"), "length expected"),
        (
            lambda m, a, b, c, d: m.coupling("chain", "g", a, b),
            "no coupling of type chain; there are gear",
        ),
        (
            lambda m, a, b, c, d: m.coupling("differential", "g", a, b),
            "ties 3 joints: carrier, first side, second side",
        ),
        (lambda m, a, b, c, d: m.coupling("gear", "g", a, b, radius=2), "takes ratio, not radius"),
        (lambda m, a, b, c, d: m.coupling("cam", "g", a, c), "needs law="),
        (lambda m, a, b, c, d: (m.gear("g", a, b, 2), m.gear("g", a, d, 2)), "given twice"),
        (lambda m, a, b, c, d: m.drive("m", a), "one of speed="),
        (lambda m, a, b, c, d: m.drive("m", a, speed=1, position=2), "one of speed="),
        (lambda m, a, b, c, d: m.drive("m", a, speed="30 mm"), "angular velocity expected"),
        (
            lambda m, a, b, c, d: m.drive("m", a["slide"], speed=1),
            "A has no coordinate slide; it has angle",
        ),
        (lambda m, a, b, c, d: m.drive("m", a, position=ms.table()), "at least two"),
        (
            lambda m, a, b, c, d: m.drive("m", a, position=ms.table((1, 0), (0, 1))),
            "does not come after",
        ),
        (
            lambda m, a, b, c, d: m.drive("m", a, position=ms.ramp(0, 1, duration=0)),
            "Lasts must be larger than zero",
        ),
        (lambda m, a, b, c, d: m.drive("m", a, speed=ms.expression(" ")), "empty"),
        (lambda m, a, b, c, d: m.drive("m", elsewhere(), speed=1), "Z is no joint of this builder"),
        (
            lambda m, a, b, c, d: m.pin("E", m.ground, m.body("e"), at=(0, 0, 0), limits=(1, 1)),
            "lower stop must be below",
        ),
        (
            lambda m, a, b, c, d: m.pin(
                "E", m.ground, m.body("e"), at=(0, 0, 0), limits=ms.limit(0, 1, restitution=2)
            ),
            "between 0 and 1",
        ),
        (
            lambda m, a, b, c, d: m.pin(
                "E", m.ground, m.body("e"), at=(0, 0, 0), limits=ms.limit(0, 1, coordinate=1)
            ),
            "coordinates 0 to 0",
        ),
        (
            lambda m, a, b, c, d: m.screw(
                "E", m.ground, m.body("e"), at=(0, 0, 0), axis=(0, 0, 1), pitch=0
            ),
            "pitch must not be zero",
        ),
        (
            lambda m, a, b, c, d: m.joint(
                "screw", "E", m.ground, m.body("e"), at=(0, 0, 0), axis=(0, 0, 1)
            ),
            "takes pitch, not nothing",
        ),
        (
            lambda m, a, b, c, d: m.universal(
                "E", m.ground, m.body("e"), at=(0, 0, 0), first=(0, 0, 1), second=(1, 0, 1)
            ),
            "right angles",
        ),
        (
            lambda m, a, b, c, d: m.on_curve("E", m.ground, m.body("e"), [(0, 0, 0)], at=(0, 0, 0)),
            "at least two points",
        ),
        (
            lambda m, a, b, c, d: m.joint(
                "revolute",
                "E",
                m.ground,
                m.body("e"),
                at=(0, 0, 0),
                axis=(0, 0, 1),
                curve=[(0, 0, 0)],
            ),
            "takes no curve",
        ),
        (
            lambda m, a, b, c, d: m.constant_velocity(
                "E", m.ground, m.body("e"), at=(0, 0, 0), axis=((0, 0, 1), (0, 0, -1))
            ),
            "opposite directions",
        ),
        (
            lambda m, a, b, c, d: m.force("motor_force", "f", joint=a, force=1),
            "A has no length number 0 for a motor force to act on",
        ),
        (
            lambda m, a, b, c, d: m.force("force", "f", body=m.ground, vector=(1, 2)),
            "three components",
        ),
        (
            lambda m, a, b, c, d: m.force(
                "force", "f", body=m.ground, vector=(1, 2, 3), axes="mine"
            ),
            'axes are "world" or "body"',
        ),
        (
            lambda m, a, b, c, d: m.force(
                "bushing", "f", a=m.ground, b=m.ground, at=((0, 0, 0), (0, 0, 0)), k_z_x=2
            ),
            "does not take k_z_x",
        ),
    ],
)
def test_mistakes_are_reported_in_a_sentence(mistake, words):
    with pytest.raises(ValueError, match=words) as error:
        mistake(*wheels())
    assert "\n" not in str(error.value)


OFFSETS = {
    "gear": ({"ratio": -2}, lambda q: q[1] - q[0] / -2, "30 deg"),
    "belt": ({"radius_1": 0.04, "radius_2": 0.08}, lambda q: q[1] - q[0] * 0.5, "200 deg"),
    "rack_and_pinion": ({"radius": 0.05}, lambda q: q[2] - 0.05 * q[0], "70 mm"),
    "linear": ({"ratio": 3}, lambda q: q[3] - 3 * q[2], "-40 mm"),
    "differential": ({}, lambda q: q[4] - 2 * q[0] + q[1], "-90 deg"),
}
ENDS = {"rack_and_pinion": "AC", "linear": "CD", "differential": "ABD"}


@pytest.mark.parametrize("type", OFFSETS)
def test_a_typed_offset_moves_the_last_coordinate_alone_and_a_run_keeps_it(type):
    m, a, b, c, d = wheels()
    joints = {"A": a, "B": b, "C": c, "D": d}
    numbers, offset, text = OFFSETS[type]
    ends = [joints[k] for k in ENDS.get(type, "AB")]
    m.coupling(type, "pair", *ends, **numbers)
    drawn = ms.at(m.project(), "A", 0.7)
    moved = ms.with_offset(drawn, "pair", text)
    read = lambda project: [x for row in ms.check(project).coordinates for x in row]
    want = expression.evaluate(text, "length" if "mm" in text else "angle", {})
    assert offset(read(moved)) == pytest.approx(want, abs=1e-12)
    end = moved.mechanism.couplings["pair"].ends[-1]
    stood, stands = read(drawn), read(moved)
    place = {"A": 0, "B": 1, "C": 2, "D": 3 + end.coordinate}[
        moved.mechanism.joints[end.joint].name
    ]
    assert [stands[k] for k in range(5) if k != place] == pytest.approx(
        [stood[k] for k in range(5) if k != place], abs=1e-12
    )
    assert coupling_offset(moved.mechanism, moved.mechanism.couplings["pair"]) == pytest.approx(
        want, abs=1e-12
    )
    assert moved.mechanism.couplings == drawn.mechanism.couplings


def test_an_offset_that_another_coupling_holds_is_refused():
    m, a, b, *_ = wheels()
    m.gear("one", a, b, -2)
    m.gear("other", a, b, -2)
    with pytest.raises(ms.NotReached, match="hold"):
        ms.with_offset(m.project(), "one", "10 deg")


def test_a_run_keeps_the_typed_offset():
    m, a, b, *_ = wheels()
    m.gear("mesh", a, b, -2)
    m.drive("motor", a, speed=3)
    result = ms.simulate(ms.with_offset(m.project(), "mesh", "30 deg"), duration=1)
    q = result.joint_coordinates
    assert q["B"][:, 0] == pytest.approx(math.radians(30) - q["A"][:, 0] / 2, abs=1e-9)
    assert q["A"][-1, 0] == pytest.approx(3, abs=1e-9)
