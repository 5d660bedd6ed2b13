"""The builder: what is typed stays typed, frames meet where they were put, and nonsense is reported
in a sentence.
"""

import math
from functools import partial

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.project_file import decode, encode
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.types.joints import JOINT_TYPES


def four_bar():
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length="130 mm", angle="120 deg")
    coupler = m.link("coupler", crank.end, length="330 mm", angle="25 deg")
    rocker = m.link("rocker", ("340 mm", 0, 0), length="260 mm", angle="70 deg")
    m.pin("A", m.ground, crank, at=crank.start, rate="10 rad/s")
    m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    m.pin("D", m.ground, rocker, at=rocker.start)
    return m


def test_four_bar_in_nine_lines_has_its_known_structure():
    s = ms.check(four_bar().project()).structure
    assert (s.mobility, s.hyperstaticity, s.loops, s.count) == (1, 3, 1, -2)


def test_typed_numbers_are_kept_with_their_values():
    m = ms.Builder()
    m.parameter("L1", "130 mm")
    body = m.link("crank", (0, 0, "2*L1"), length="L1", angle="30 deg").body
    length, z, angle = (
        body.shapes[0].dimensions["length"],
        body.placement.position[2],
        body.placement.orientation[1],
    )
    assert (length.text, length.value) == ("L1", 0.13)
    assert (z.text, z.value) == ("2*L1", 0.26)
    assert (angle.text, angle.value) == ("-30 deg", pytest.approx(-math.pi / 6))


def test_a_built_project_is_the_same_after_a_file():
    project = four_bar().project()
    assert decode(encode(project)).project == project


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("30 deg", "-30 deg"),
        ("-30 deg", "30 deg"),
        ("a + 1 deg", "-(a + 1 deg)"),
        (0.5, -0.5),
        ("alpha", "-(alpha)"),
    ],
)
def test_a_links_angle_is_about_minus_y(text, opposite):
    m = ms.Builder()
    m.parameter("a", "10 deg", "angle")
    m.parameter("alpha", "20 deg", "angle")
    typed = m.link("link", (0, 0, 0), length=1, angle=text).body.placement.orientation[1]
    assert (typed.text or typed.value) == opposite
    # end of a link at the angle phi: (cos phi, 0, sin phi), counter-clockwise seen from the front
    assert m.link("other", (0, 0, 0), length=1, angle=text).end == pytest.approx(
        (math.cos(typed.value), 0, -math.sin(typed.value))
    )


@pytest.mark.parametrize("end", [(1, 0, 0), (0, 0, 2), (0.3, 0.4, -0.5), (0, 1, 0), (0, -0.7, 0)])
def test_a_link_runs_from_start_to_end(end):
    m = ms.Builder()
    link = m.link("link", (0.1, 0.2, 0.3), np.add((0.1, 0.2, 0.3), end))
    assert link.start == pytest.approx((0.1, 0.2, 0.3)) and link.end == pytest.approx(
        np.add((0.1, 0.2, 0.3), end)
    )
    assert np.linalg.det(matrix(link.body.placement.quaternion)) == pytest.approx(1)


# what each type needs beside a place and an axis, at the skewed point P; directions are skewed too
P = (0.3, 0.1, 0.2)
N = np.array((1.0, 2.0, 3.0)) / np.sqrt(14.0)
SIDE = np.cross(N, (1.0, 0.0, 0.0)) / np.linalg.norm(np.cross(N, (1.0, 0.0, 0.0)))
NEEDS = {
    "spherical": {"axis": None},
    "free": {"axis": None},
    "distance": {"axis": None, "at": (P, (0.3, 0.1, 0.7)), "length": 0.5},
    "screw": {"pitch": "3 mm"},
    "universal": {"x": tuple(SIDE)},
    "constant_velocity": {"axis": ((1, 2, 3), (1, 1, 3))},
    # a's body stands at (0.1, 0.2, 0.3): the curve is in its axes, and ends at its origin
    "point_on_curve": {
        "axis": None,
        "at": ((0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
        "curve": ((0.2, 0.1, 0), (0.1, 0.1, 0.1), (0, 0, 0)),
    },
    "flat_follower": {
        "at": (P, tuple(P + 0.2 * np.cross(N, SIDE))),
        "x": (tuple(SIDE), tuple(SIDE)),
        "curve": ((0.2, 0, 0), (0, 0.2, 0), (-0.2, 0, 0)),
        "form": "circle",
    },
    "point_on_ellipse": {
        "at": (P, tuple(P + 0.3 * math.cos(0.7) * SIDE + 0.2 * math.sin(0.7) * np.cross(N, SIDE))),
        "x": tuple(SIDE),
        "semi_a": 0.3,
        "semi_b": 0.2,
    },
    # centre at the radius' height times the sine of the lean, 60 degrees
    "rolling_disc": {
        "at": (P, tuple(P + 0.4 * math.sin(math.radians(60)) * N)),
        "axis": (tuple(N), tuple(0.5 * N + math.sqrt(0.75) * SIDE)),
        "radius": 0.4,
    },
    "rolling_wheel": {
        "at": (P, tuple(P + 0.4 * N)),
        "axis": (tuple(N), tuple(SIDE)),
        "radius": 0.4,
    },
}


def skewed(type):
    """Two bodies in skewed attitudes with a joint about a skewed axis."""
    m = ms.Builder()
    a = m.body("a", (0.1, 0.2, 0.3), (0.3, -0.4, 0.7), mass=1, inertia=(1, 1, 1))
    b = m.body("b", (-0.2, 0.1, 0.5), (-1.0, 0.2, 0.4), mass=1, inertia=(1, 1, 1))
    m.joint(type, "J", a, b, **{"at": P, "axis": (1, 2, 3), **NEEDS.get(type, {})})
    return m, a


@pytest.mark.parametrize("type", JOINT_TYPES)
def test_frames_of_every_joint_type_meet_as_drawn(type):
    """No accidental alignment hides a wrong frame: all rows of THEORY 3 vanish, each written here
    from its primitive's comment in model/types/joints.py.
    """
    m, _ = skewed(type)
    joint = m.mechanism.joints["J"]
    (pa, qa), (pb, qb) = (m.mechanism.frame_in_world(f) for f in (joint.frame_a, joint.frame_b))
    A, B, d = np.array(matrix(qa)), np.array(matrix(qb)), np.subtract(pb, pa)
    p = {k: q.value for k, q in joint.parameters.items()}
    for row, i, k in JOINT_TYPES[type].rows:
        if row in ("point", "thread"):
            rest = A[:, i] @ d
        elif row == "angle":
            rest = A[:, i] @ B[:, k]
        elif row == "twist":
            rest = A[:, 0] @ B[:, 1] - A[:, 1] @ B[:, 0]
        elif row == "distance":
            rest = d @ d - p["length"] ** 2
        elif row == "rim":
            rest = A[:, 2] @ d - p["radius"] * math.sqrt(1 - (A[:, 2] @ B[:, 2]) ** 2)
        elif row == "face":
            rest = B[:, 1] @ d - 0.2  # a circle of that radius about the first frame
        elif JOINT_TYPES[type].track:
            x, y, z = A.T @ d
            rest = math.hypot(z, (x / p["semi_a"]) ** 2 + (y / p["semi_b"]) ** 2 - 1.0)
        else:
            rest = np.linalg.norm(d - A @ [q.value for q in joint.curve.points[-1]])
        assert rest == pytest.approx(0, abs=1e-12), (row, i, k)


@pytest.mark.parametrize("type", JOINT_TYPES)
def test_every_joint_type_is_closed_and_leaves_its_freedoms(type):
    m, a = skewed(type)
    m.fix("held", m.ground, a, at=(0.1, 0.2, 0.3))
    analysis = ms.check(m.project())
    kind = JOINT_TYPES[type]
    assert analysis.gap < 1e-12 and analysis.moved < 1e-12
    assert (
        analysis.structure.mobility == kind.dof - len(kind.rolling)
        and analysis.structure.configuration_freedom == kind.dof
    )


def test_a_joint_at_a_named_point_follows_it():
    m = ms.Builder()
    plate = (
        m.body("plate", (1, 2, 3), (0.3, 0.2, 0.1))
        .plate([(0, 0), (1, 0), (0, 1)], 0.1, 0.1)
        .point("P", (1, 0, 0))
    )
    m.pin("A", m.ground, plate, at=plate.world("P"))
    assert m.mechanism.joints["A"].frame_b.point == "P"
    assert [q.value for q in m.mechanism.joints["A"].frame_b.placement.position] == [0, 0, 0]


def test_pins_of_links_in_layers_lie_in_one_plane():
    m = ms.Builder()
    one = m.link("one", (0, 0, 0), (1, 0, 0), layer="12 mm")
    two = m.link("two", one.end, (2, 0, 0), layer="-12 mm")
    m.pin("A", one, two, at=one.end)
    joint = m.mechanism.joints["A"]
    assert (joint.frame_a.point, joint.frame_a.placement.position[1].value) == ("end", -0.012)
    for frame in (joint.frame_a, joint.frame_b):
        assert m.mechanism.frame_in_world(frame)[0] == pytest.approx((1, 0, 0), abs=1e-15)


def test_a_pin_in_the_front_plane_reads_the_angle_between_the_bodies():
    m = ms.Builder()
    link = m.link("link", (0, 0, 0), length=1, angle="40 deg")
    m.pin("A", m.ground, link, at=(0, 0, 0))
    assert ms.check(m.project()).coordinates[0][0] == pytest.approx(math.radians(40))


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda m: m.link("x", (0, 0, 0), (0, 0, 0)), "same point"),
        (lambda m: m.link("x", (0, 0, 0)), "needs either its end"),
        (lambda m: m.link("x", (0, 0, 0), length="3 kg", angle=0), "length expected|mass"),
        (lambda m: m.link("x", (0, 0, 0), length="3 mmm", angle=0), "mmm"),
        (lambda m: m.body("x", (0, 0)), "three coordinates"),
        (lambda m: m.body("x", mass=math.nan), "finite"),
        (lambda m: (m.body("x"), m.body("x")), "twice"),
        (lambda m: (m.parameter("L", 1), m.parameter("L", 2)), "twice"),
        (lambda m: m.parameter("2L", 1), "name"),
        (lambda m: m.body("x", inertia=(1, 2)), "3 or 6"),
        (
            lambda m: m.pin("A", m.ground, m.body("x"), at=(0, 0, 0), axis=(0, 0, 0)),
            "points nowhere",
        ),
        (
            lambda m: m.pin("A", m.ground, m.body("x"), at=(0, 0, 0), rate=(1, 2)),
            "has 1 coordinates",
        ),
        (lambda m: m.joint("planar", "A", m.ground, m.body("x"), at=(0, 0, 0)), "needs an axis"),
        (lambda m: m.joint("distance", "A", m.ground, m.body("x"), at=(0, 0, 0)), "length"),
        (
            lambda m: m.force(
                "spring",
                "s",
                a=m.ground,
                b=m.body("x"),
                at=((0, 0, 0), (1, 0, 0)),
                stiffness=1,
                free_length=1,
                colour=2,
            ),
            "does not take colour",
        ),
        (
            lambda m: m.force(
                "spring", "s", a=m.ground, b=m.body("x"), at=((0, 0, 0), (1, 0, 0)), free_length=1
            ),
            "spring needs stiffness=",
        ),
        (lambda m: m.force("magnet", "s"), "no force of type magnet; there are .*spring"),
        (
            lambda m: m.joint("hinge", "A", m.ground, m.body("x"), at=(0, 0, 0)),
            "no joint of type hinge; there are .*fixed",
        ),
        (lambda m: m.ground.add("torus", {}), "no shape of type torus; there are .*link"),
        (
            lambda m: m.body("x", mass=None) and m.body("y", (0, 0, 0), (1,)),
            "y, angle: there are three angles, not 1",
        ),
        (lambda m: m.body("x", "abc"), "three coordinates, not abc"),
        (lambda m: m.body("x", mass=[1]), r"x, mass: \[1\] is not a finite number"),
        (lambda m: m.body("x", mass=10**400), "x, mass: 1000"),
        (lambda m: m.body(3), "A name is a text, not 3"),
        (lambda m: m.body("x").velocity((1,)), "three components, not 1"),
        (lambda m: ms.Builder(gravity=9.81), "gravity: it has three components, not 9.81"),
        (
            lambda m: m.pin("A", m.ground, ms.Builder().body("z"), at=(0, 0, 0)),
            "z is no body of this builder",
        ),
        (lambda m: m.pin("A", m.ground, m.body("x"), at=(0, 0, 0), limits="1 m"), "limits are"),
        (lambda m: m.pin("A", m.ground, m.body("x"), at=(0, 0, 0), limits=(0, 1, 2)), "limits are"),
        (
            lambda m: m.force("damper", "s", a=m.ground, b=m.body("x"), at=(0, 0, 0), damping=1),
            "stands between two points",
        ),
        (
            lambda m: m.force("motor_torque", "s", joint=m.body("x"), torque=1),
            "s: x is no joint of this builder",
        ),
        (lambda m: m.gear("g", m.ground, m.ground, teeth=(1,)), "two whole numbers of teeth"),
        (lambda m: m.touch(most=0), "whole number from 1 to 1,000,000, not 0"),
        (lambda m: m.touch(most=2.5), "whole number"),
        (lambda m: m.touch(step=-1), "Contact step must be larger than zero"),
        (lambda m: m.floor(friction=-3), "floor: Friction must not be negative"),
        (lambda m: m.surface(m.body("x"), "rubber", restitution=5), "x: Rebound is too large"),
        (lambda m: m.surface(ms.Builder().body("z"), "ice"), "z is no body of this builder"),
        (lambda m: m.pair(m.ground, "x", False), "x is no body of this builder"),
        (lambda m: m.pair(m.ground, m.body("x"), "no"), "True or False, not no"),
        (lambda m: m.untouchable(ms.Builder().body("z")), "z is no body of this builder"),
        (
            lambda m: m.ground.add("box", {"length": 1}),
            "a box takes length, depth, height, not length",
        ),
    ],
)
def test_mistakes_are_reported_in_a_sentence(mistake, words):
    with pytest.raises(ValueError, match=words):
        mistake(ms.Builder())


def test_a_body_passes_through_everything_where_it_is_untouchable():
    m = ms.Builder()
    ghost, ball = m.body("ghost"), m.body("ball")
    m.untouchable(ghost)
    bodies = m.project().mechanism.bodies
    assert not bodies[ghost.id].touches and bodies[ball.id].touches


def test_iterations_of_contacts_are_set_by_script():
    m = ms.Builder()
    m.touch(most=50)
    assert decode(encode(m.project())).project.settings.contacts.most == 50


def test_a_mark_that_would_not_be_shown_as_requested_is_refused():
    m = ms.Builder("Marks")
    body = m.body("wheel", (0, 0, 0))
    body.sphere(0.1)
    body.point("rim", (0.1, 0, 0))
    m.free("free", m.ground, body)
    m.mark("trail", body, id="first")
    for what, more, words in (
        (("velocity", body), {"id": "first"}, "id first is taken"),
        (("force", body, "rim"), {}, "a whole body, not to a point"),
        (("components",), {"seen_from": body}, "not seen from another body"),
        (("frame", body), {"seen_from": m.ground}, "not seen from another body"),
        (("pole", body), {"seen_from": body}, "not seen from itself"),
        (("velocity", body), {"value": 3}, "has no number"),
        (("trail", body), {"value": -3}, "is not negative"),
    ):
        with pytest.raises(ValueError, match=words):
            m.mark(*what, **more)
    assert [mark.id for mark in m.project().marks] == ["first"]
    # a trail on another body, and a pole against the ground, have the right elements
    m.mark("trail", body, "rim", seen_from=m.ground, value=2)
    m.mark("pole", body)


def test_a_number_of_a_force_that_may_be_a_law_is_required():
    m = ms.Builder("Ambiguous")
    m.parameter("x", "0.2 m")
    body = m.body("b").sphere(0.1)
    rail = m.slider("rail", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    spring = partial(m.force, "slide_spring", "s", joint=rail, stiffness=100.0)
    with pytest.raises(ValueError, match=r"x is a parameter, and a variable of laws.*expression"):
        spring(free_length="x")
    made = spring(free_length=ms.expression("x"))
    assert m.project().mechanism.forces[made].laws["free_length"].text == "x"
