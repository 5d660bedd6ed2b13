"""Linkage facts against closed forms of the literature and against mechanisms that are moved."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.linkages import quick_return, range_of

TURN = 2.0 * math.pi


def value(table, label):
    """The one number of a row whose label ends so."""
    row = next(k for k, words in enumerate(table.labels) if words.endswith(label))
    return float(table.rows[row][np.isfinite(table.rows[row])][0])


def four_bar(g, a, b, c, angle=1.0, names="ABCD", way=1, scale=1.0, kinds=("revolute",) * 4):
    """A four-bar on a base along x from the origin, the input at an angle [rad]."""
    m = ms.Builder("Four-bar")
    g, a, b, c = (scale * x for x in (g, a, b, c))
    A, D = np.zeros(3), np.array((g, 0, 0))
    B = a * np.array((math.cos(angle), 0, math.sin(angle)))
    e = D - B
    d = float(np.linalg.norm(e))
    inside = (b**2 - c**2 + d**2) / (2 * d)
    C = B + inside * e / d + way * math.sqrt(b**2 - inside**2) * np.array((-e[2], 0, e[0])) / d
    links = [m.link(n, tuple(p), tuple(q)) for n, p, q in (("p", A, B), ("q", B, C), ("r", D, C))]
    pairs = [(m.ground, links[0]), (links[0], links[1]), (links[1], links[2]), (links[2], m.ground)]
    for name, kind, (x, y), at in zip(names, kinds, pairs, (A, B, C, D)):
        axis = {} if kind == "spherical" else {"axis": (0, -1, 0)}
        made = m.joint(kind, name, x, y, at=tuple(at), **axis)
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


def test_both_branches_close():
    drawn, other = (
        ms.analyse(four_bar(0.34, 0.13, 0.33, 0.26, way=way).project(), "linkage")
        for way in (1, -1)
    )
    a, b = (value(drawn, f"D: angle from the base, {w}") for w in ("as drawn", "other branch"))
    assert value(other, "D: angle from the base, as drawn") == pytest.approx(-b)
    assert value(other, "D: angle from the base, other branch") == pytest.approx(-a)


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


def slider_crank(a, b, e, angle=0.7):
    """A crank at the origin; the wrist pin on the line z = e along x."""
    m = ms.Builder("Slider-crank")
    B = a * np.array((math.cos(angle), 0, math.sin(angle)))
    C = np.array((B[0] + math.sqrt(b**2 - (e - B[2]) ** 2), 0, e))
    crank, rod = m.link("crank", (0, 0, 0), tuple(B)), m.link("rod", tuple(B), tuple(C))
    piston = m.body("piston", tuple(C)).box(0.02, 0.02, 0.02)
    m.input = m.pin("main", m.ground, crank, at=(0, 0, 0))
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


@pytest.mark.slow
def test_a_crank_that_does_not_turn_says_where_it_stops():
    m = slider_crank(0.05, 0.04, 0.02, angle=0.3)
    table = ms.analyse(m.project(), "linkage")
    transferred = ms.branches(m.project(), "main")
    ends = [table.rows[k, 1] for k, words in enumerate(table.labels) if "stops at" in words]
    swing = transferred.greatest - transferred.least
    assert min(abs(abs(p - q) % TURN - swing) for p in ends for q in ends) < 1e-6
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
