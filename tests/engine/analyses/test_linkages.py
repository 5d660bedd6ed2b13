"""Linkage facts against closed forms of the literature and against mechanisms that are moved."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.linkages import quick_return, range_of
from mechstudio.model.geometry.rotation import transform

TURN = 2.0 * math.pi


def value(table, label):
    """The one number of a row whose label ends so."""
    row = next(k for k, words in enumerate(table.labels) if words.endswith(label))
    return float(table.rows[row][np.isfinite(table.rows[row])][0])


def four_bar(
    g,
    a,
    b,
    c,
    angle=1.0,
    names="ABCD",
    way=1,
    scale=1.0,
    kinds=("revolute",) * 4,
    axis=(0, -1, 0),
    lean=0.0,
):
    """A four-bar on a base from the origin that leans from x towards z, the input at an angle from
    it [rad].
    """
    m = ms.Builder("Four-bar")
    g, a, b, c = (scale * x for x in (g, a, b, c))
    along = lambda x: np.array((math.cos(x), 0, math.sin(x)))
    A, D, B = np.zeros(3), g * along(lean), a * along(lean + angle)
    e = D - B
    d = float(np.linalg.norm(e))
    inside = (b**2 - c**2 + d**2) / (2 * d)
    C = B + inside * e / d + way * math.sqrt(b**2 - inside**2) * np.array((-e[2], 0, e[0])) / d
    links = [m.link(n, tuple(p), tuple(q)) for n, p, q in (("p", A, B), ("q", B, C), ("r", D, C))]
    pairs = [(m.ground, links[0]), (links[0], links[1]), (links[1], links[2]), (links[2], m.ground)]
    for name, kind, (x, y), at in zip(names, kinds, pairs, (A, B, C, D)):
        # the output's axis looks the other way
        pointing = {"axis": tuple(-np.array(axis)) if name == names[3] else axis}
        pointing = {} if kind == "spherical" else pointing
        made = m.joint(kind, name, x, y, at=tuple(at), **pointing)
        m.input = made if name == names[0] else m.input
    return m


@pytest.mark.parametrize(
    "lengths",
    [
        (0.34, 0.13, 0.33, 0.26),  # crank-rocker
        (0.34, 0.26, 0.33, 0.13),  # rocker-crank
        (0.10, 0.20, 0.25, 0.22),  # double crank
        (0.30, 0.25, 0.08, 0.20),  # double rocker
        (0.30, 0.20, 0.16, 0.21),  # triple rocker
        (1.0, 1e-3, 0.8, 0.7),  # links of very different size
    ],
)
@pytest.mark.thinned(6)
def test_swings_are_those_of_the_linkage_that_is_moved(lengths):
    # by continuation of the pose, which knows no law of cosines
    g, a, b, c = lengths
    low, high = range_of(g, a, b, c)[:2]
    m = four_bar(*lengths, angle=0.5 * (low + high) if high < math.pi else 0.9)
    table = ms.analyse(m.project(), "linkage")
    assert table.residual < 1e-12
    for joint in "AD":
        transferred = ms.branches(m.project(), joint)
        swing = value(table, f"{joint}: swing")
        if transferred.turns:
            assert swing == pytest.approx(TURN)
        else:
            assert swing == pytest.approx(transferred.greatest - transferred.least, abs=1e-6)
    facts = ms.branches(m.project(), "A").four_bar
    assert value(table, "transmission angle: least") == pytest.approx(facts.least_transmission)
    assert facts.kind in table.notes[0]


def test_a_drive_takes_the_time_of_the_quick_return_ratio():
    # Norton 2012, section 3.4: the time ratio is that of the crank's angles between the dead points
    m = four_bar(0.34, 0.13, 0.33, 0.26)
    table = ms.analyse(m.project(), "linkage")
    m.drive("motor", m.input, speed="1 rad/s")
    found = ms.simulate(m.project(), duration=TURN, sample_step=1e-3)
    angle = found.joint_coordinates["D"][:, 0]
    forth = abs(int(np.argmax(angle)) - int(np.argmin(angle))) / len(angle)
    assert value(table, "quick-return ratio") == pytest.approx(
        max(forth, 1 - forth) / min(forth, 1 - forth), rel=5e-3
    )
    assert value(table, "D: swing") == pytest.approx(np.ptp(angle), abs=1e-5)


def places(project, **joints):
    """Of joints by their name, where the body that `joints` gives them has each [x + z i]."""
    out = []
    for name, body in joints.items():
        joint = next(j for j in project.mechanism.joints.values() if j.name == name)
        frame = joint.frame_a if joint.frame_a.body == body else joint.frame_b
        at = transform(
            project.mechanism.bodies[body].placement.pose,
            project.mechanism.frame_in_body(frame)[0],
        )
        out.append(complex(at[0], at[2]))
    return out


def apart(p, q):
    """Difference of two angles, at most half a turn [rad]."""
    return abs(math.remainder(p - q, TURN))


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("angle", [1.0, -1.0])
@pytest.mark.parametrize("axis", [(0, -1, 0), (0, 1, 0)])
def test_angles_of_a_four_bar_can_be_typed(way, angle, axis):
    """Open and crossed, drawn up and down, about either axis: the angle typed into its joint leads
    to what the row says.
    """
    lengths = (0.34, 0.13, 0.33, 0.26)
    project = four_bar(*lengths, angle, way=way, axis=axis, lean=2.4).project()
    table = ms.analyse(project, "linkage")
    ends = []
    for label, reach in (("farthest out", 0.46), ("farthest back", 0.20)):
        put = ms.at(project, "A", value(table, label))
        # crank and coupler in line
        B, C = places(put, B="p", C="r")
        assert abs((C / B).imag) < 1e-7 and abs(C) == pytest.approx(reach, abs=1e-9)
        ends.append(value(ms.analyse(put, "linkage"), "D: angle as drawn"))
    least, greatest = value(table, "D: least angle"), value(table, "D: greatest angle")
    assert sorted(ends) == pytest.approx([least, greatest], abs=1e-6)
    assert least < value(table, "D: angle as drawn") < greatest
    other = four_bar(*lengths, angle, way=-way, axis=axis, lean=2.4).project()
    other = ms.analyse(other, "linkage")
    assert value(other, "A: angle as drawn") == pytest.approx(value(table, "A: angle as drawn"))
    assert (
        apart(value(other, "D: angle as drawn"), value(table, "D: angle of the other branch"))
        < 1e-9
    )
    assert (
        apart(value(table, "D: angle as drawn"), value(other, "D: angle of the other branch"))
        < 1e-9
    )


@pytest.mark.parametrize("axis", [(0, -1, 0), (0, 1, 0)])
@pytest.mark.parametrize("angle", [1.0, -1.0])
@pytest.mark.parametrize(
    "lengths",
    [
        (0.34, 0.26, 0.33, 0.13),  # an input that passes neither the base nor the line behind
        (0.30, 0.20, 0.16, 0.21),  # one that passes the base
        (0.30, 0.28, 0.40, 0.20),  # one that passes the line behind
    ],
)
def test_ends_of_an_input_can_be_typed(lengths, angle, axis):
    g, _, b, c = lengths
    project = four_bar(*lengths, angle, axis=axis, lean=0.4).project()
    table = ms.analyse(project, "linkage")
    D = g * complex(math.cos(0.4), math.sin(0.4))
    ends = [value(table, f"A: {end} angle") for end in ("least", "greatest")]
    assert ends[0] < value(table, "A: angle as drawn") < ends[1]
    assert ends[1] - ends[0] == pytest.approx(value(table, "A: swing"))
    for end in ends:
        # coupler and output in line
        (B,) = places(ms.at(project, "A", end), B="p")
        assert min(abs(abs(D - B) - abs(b + k * c)) for k in (1, -1)) < 1e-6


@pytest.mark.parametrize(
    ("lengths", "swing"),
    [
        ((0.3, 0.1, 0.3, 0.1), TURN),
        ((0.4, 0.1, 0.2, 0.3), TURN),
        ((0.2, 0.2, 0.2, 0.2), TURN),
        # a kite whose short links, in line, span a triangle with the two long ones
        ((0.3, 0.3, 0.1, 0.1), 4 * math.asin(1 / 3)),
    ],
)
@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e4])
def test_change_points_are_found_at_every_size(lengths, swing, scale):
    table = ms.analyse(four_bar(*lengths, angle=0.4, scale=scale).project(), "linkage")
    assert "change-point" in table.notes[0]
    assert value(table, "A: swing") == pytest.approx(swing)
    assert abs(value(table, "margin")) < 1e-12 * scale


def test_names_order_and_equal_joints_do_not_matter():
    usual = ms.analyse(four_bar(0.34, 0.13, 0.33, 0.26).project(), "linkage")
    for kinds in (
        ("revolute", "cylindrical", "spherical", "revolute"),
        ("revolute", "spherical", "spherical", "revolute"),
    ):
        m = four_bar(0.34, 0.13, 0.33, 0.26, names=("Ω", "x 1", "knee", "0"), kinds=kinds)
        table = ms.analyse(m.project(), "linkage")
        np.testing.assert_allclose(table.rows, usual.rows, rtol=1e-9, equal_nan=True)


def test_a_ball_on_the_base_has_its_angle_from_the_base():
    # drawn one radian from the direction to D, about an axis that looks along -y
    kinds = ("spherical", "revolute", "revolute", "revolute")
    table = ms.analyse(four_bar(0.34, 0.13, 0.33, 0.26, kinds=kinds).project(), "linkage")
    assert value(table, "A: angle as drawn") == pytest.approx(1.0)
    assert table.notes[2].startswith("The angle of A is that of its link from the direction to D")


def slider_crank(a, b, e, angle=0.7, side=1, axis=(0, -1, 0), at=(0, 0, 0)):
    """A crank at a point of the ground; the wrist pin on a line along x, e above it, ahead of the
    crank or, on the side -1, behind it.
    """
    m = ms.Builder("Slider-crank")
    A = np.array(at)
    B = a * np.array((math.cos(angle), 0, math.sin(angle)))
    C = A + np.array((B[0] + side * math.sqrt(b**2 - (e - B[2]) ** 2), 0, e))
    B = A + B
    crank, rod = m.link("crank", at, tuple(B)), m.link("rod", tuple(B), tuple(C))
    piston = m.body("piston", tuple(C)).box(0.02, 0.02, 0.02)
    m.input = m.pin("main", m.ground, crank, at=at, axis=axis)
    m.pin("big end", crank, rod, at=tuple(B))
    m.pin("wrist", rod, piston, at=tuple(C))
    m.slider("guide", m.ground, piston, at=(3.0, 0, 0.5), axis=(1, 0, 0))
    return m


@pytest.mark.parametrize("e", [0.0, 0.02, -0.02, 0.055])
def test_stroke_and_dead_points_of_an_offset_slider_crank(e):
    # Norton 2012, section 4.5: stroke = sqrt((b + a)² - e²) - sqrt((b - a)² - e²)
    a, b = 0.02, 0.08
    m = slider_crank(a, b, e)
    table = ms.analyse(m.project(), "linkage")
    stroke = math.sqrt((b + a) ** 2 - e**2) - math.sqrt((b - a) ** 2 - e**2)
    assert value(table, "stroke") == pytest.approx(stroke)
    assert value(table, "offset") == pytest.approx(abs(e))
    m.drive("motor", m.input, speed="1 rad/s")
    x = ms.simulate(m.project(), duration=TURN, sample_step=1e-3).joint_coordinates["guide"][:, 0]
    assert value(table, "stroke") == pytest.approx(np.ptp(x), rel=1e-5)
    forth = abs(int(np.argmax(x)) - int(np.argmin(x))) / len(x)
    ratio = max(forth, 1 - forth) / min(forth, 1 - forth)
    assert value(table, "quick-return ratio") == pytest.approx(ratio, rel=5e-3)
    assert table.residual < 1e-12


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("axis", [(0, -1, 0), (0, 1, 0)])
@pytest.mark.parametrize("angle", [0.7, -0.7])
def test_dead_points_of_a_slider_crank_can_be_typed(side, axis, angle):
    a, b, e = 0.02, 0.08, -0.02
    project = slider_crank(a, b, e, angle, side, axis).project()
    table = ms.analyse(project, "linkage")
    for label, reach in (("outer dead point", b + a), ("inner dead point", b - a)):
        put = ms.at(project, "main", value(table, label))
        B, C = places(put, **{"big end": "crank", "wrist": "piston"})
        # crank and rod in line
        assert abs((C / B).imag) < 1e-7 and C.imag == pytest.approx(e, abs=1e-9)
        assert C.real == pytest.approx(side * math.sqrt(reach**2 - e**2), abs=1e-9)


@pytest.mark.parametrize("at", [(0, 0, 0), (0.3, 0.2, -0.4)])
def test_a_crank_stops_where_its_rod_stands_upright_on_the_line(at):
    """The crank pin is b below the line: a sin(angle) = e - b; above it, it cannot be so far."""
    a, b, e = 0.05, 0.04, 0.02
    table = ms.analyse(slider_crank(a, b, e, 0.3, at=at).project(), "linkage")
    stops = sorted(table.rows[k, 1] for k, words in enumerate(table.labels) if "stops at" in words)
    low = math.asin((e - b) / a)
    assert stops == pytest.approx([-math.pi - low, low], abs=1e-9)
    height, along = a * math.sin(0.3) - e, a * math.cos(0.3)
    reach = math.sqrt(b**2 - height**2)
    assert value(table, "transmission angle: as drawn") == pytest.approx(math.acos(abs(height) / b))
    assert value(table, "wrist along the line: as drawn") == pytest.approx(along + reach)
    assert value(table, "wrist along the line: other branch") == pytest.approx(along - reach)


@pytest.mark.slow
def test_a_crank_that_does_not_turn_says_where_it_stops():
    m = slider_crank(0.05, 0.04, 0.02, angle=2.8, side=-1, axis=(0, 1, 0))
    table = ms.analyse(m.project(), "linkage")
    transferred = ms.branches(m.project(), "main")
    ends = [table.rows[k, 1] for k, words in enumerate(table.labels) if "stops at" in words]
    for end in (transferred.least, transferred.greatest):
        assert min(apart(p, end) for p in ends) < 1e-6
    assert "does not turn" in table.notes[0]


def swinging(g, a, e, angle=2.0, on_crank=False):
    """A crank on A whose end slides on a guide that turns about D at the origin and passes the end
    at an offset e.
    """
    m = ms.Builder("Quick return")
    A = np.array((0, 0, g))
    B = A + a * np.array((math.cos(angle), 0, math.sin(angle)))
    d = float(np.linalg.norm(B))
    lean = math.atan2(B[2], B[0]) + math.asin(e / d)
    guide = np.array((math.cos(lean), 0, math.sin(lean)))
    crank = m.link("crank", tuple(A), tuple(B))
    block = m.body("block", tuple(B)).box(0.02, 0.02, 0.02)
    arm = m.link("arm", (0, 0, 0), tuple(0.4 * guide))
    m.input = m.pin("A", m.ground, crank, at=tuple(A))
    m.pin("B", crank, block, at=tuple(B))
    m.slider("S", *((block, arm) if on_crank else (arm, block)), at=tuple(B), axis=tuple(guide))
    m.pin("D", m.ground, arm, at=(0, 0, 0))
    return m


def test_a_crank_shaper_with_a_base_of_two_cranks_has_a_ratio_of_two():
    # sin(swing / 2) = a / g = 1 / 2: the strokes take 240° and 120° (Norton 2012, section 3.4)
    for on_crank in (False, True):
        table = ms.analyse(swinging(0.2, 0.1, 0.0, on_crank=on_crank).project(), "linkage")
        assert value(table, "quick-return ratio") == pytest.approx(2.0, rel=1e-9)
        assert value(table, "D: swing") == pytest.approx(math.radians(60), rel=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.03])
def test_an_offset_guide_swings_as_the_one_that_is_moved(e):
    m = swinging(0.2, 0.1, e)
    table = ms.analyse(m.project(), "linkage")
    m.drive("motor", m.input, speed="1 rad/s")
    angle = ms.simulate(m.project(), duration=TURN, sample_step=1e-3).joint_coordinates["D"][:, 0]
    assert value(table, "D: swing") == pytest.approx(np.ptp(angle), abs=1e-6)
    forth = abs(int(np.argmax(angle)) - int(np.argmin(angle))) / len(angle)
    ratio = max(forth, 1 - forth) / min(forth, 1 - forth)
    assert value(table, "quick-return ratio") == pytest.approx(ratio, rel=5e-3)
    # the crank longer than the base: Whitworth's
    turning = ms.analyse(swinging(0.1, 0.2, e).project(), "linkage")
    assert value(turning, "D: swing") == pytest.approx(TURN)
    # an offset beyond what the crank's end leaves
    stuck = ms.analyse(swinging(0.2, 0.1, 0.12).project(), "linkage")
    assert "does not turn" in stuck.notes[0]


@pytest.mark.parametrize(
    ("sample", "words"),
    [("double_pendulum", "No ring"), ("stewart_platform", "No ring"), ("universal_joint_pair", "")],
)
def test_linkage_analysis_notes_what_the_mechanism_lacks(sample, words):
    table = ms.analyse(ms.load(f"samples/{sample}.mech"), "linkage")
    assert not len(table.rows) and words in table.notes[0]


def test_a_tilted_pin_is_named():
    m = four_bar(0.34, 0.13, 0.33, 0.26, kinds=("revolute", "revolute", "universal", "revolute"))
    table = ms.analyse(m.project(), "linkage")
    assert not len(table.rows) and table.notes[0].startswith("C of the ring")


def test_a_ring_of_another_base_is_found_and_chosen():
    project = ms.load("samples/walking_linkage.mech")
    assert "Choose another body" in ms.analyse(project, "linkage").notes[0]
    table = ms.analyse(project, "linkage", seen_from="chassis", joints=["rear right E"])
    assert "rear right E" in table.notes[0] and "crank-rocker" in table.notes[0]


def test_quick_return_of_no_imbalance_is_one():
    assert quick_return(0.0) == 1.0
    assert quick_return(-math.pi / 3) == pytest.approx(2.0)
