"""Every kind of force in W as it is drawn: arrows in the sense in which they act, parts beside a
joint, and lines from end to end.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.scene.lines import SIGN
from tests.application.scene.drawn import Drawn

AT = np.array([0.1, 0.02, 0.05])
ALONG, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def on_joint(type, joint="slider", axis=ALONG, **numbers):
    """A force on a joint of a disc and the ground, with the joint's reach along its axis."""
    m = ms.Builder("Joint")
    disc = m.body("disc", at=tuple(AT)).disc(radius=0.1, thickness=0.01)
    made = getattr(m, joint)("J", m.ground, disc, at=tuple(AT), axis=tuple(axis))
    drawn = Drawn(m, m.force(type, "F", joint=made, **numbers))
    return drawn, drawn.builder.ends["J"]


def lines(drawn):
    return [points for _, _, points in drawn.lines]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_motor_points_where_it_drives(sign):
    drawn, (low, high) = on_joint("motor_force", force=sign * 3.0)
    g = drawn.glyph
    shaft, head = lines(drawn)
    start = AT - 0.5 * g * UP + ALONG * (high + 0.1 * g if sign > 0 else low - 0.1 * g)
    assert shaft == pytest.approx(np.array([start, start + sign * 1.2 * g * ALONG]))
    assert head == pytest.approx(shaft[1] + np.outer((0.0, 0.35), sign * g * ALONG))
    drawn, (low, high) = on_joint("motor_torque", "pin", torque=sign * 3.0)
    arc, barbs = (points - AT - high * ALONG for points in lines(drawn))
    assert np.linalg.norm(arc, axis=1) == pytest.approx(1.42 * g)
    assert np.cross(arc[0], arc[1]) @ ALONG * sign > 0.0
    assert np.cross(arc[-1], barbs[1]) @ ALONG * sign > 0.0, "the head stands where it ends"


def test_a_motor_driven_by_a_law_points_where_the_law_swings_by():
    for level in (2.0, -2.0):
        drawn, _ = on_joint("motor_force", force=ms.sine(level, frequency=1.0))
        shaft, _ = lines(drawn)
        assert (shaft[1] - shaft[0])[0] * level > 0.0


def test_a_servo_drives_both_ways_to_its_target():
    drawn, (_, high) = on_joint("servo_force", stiffness=1.0, damping=0.1, target=0.3)
    g, at = drawn.glyph, AT + 1.1 * drawn.glyph * UP
    shaft, *heads, dot = (points - at - high * ALONG for points in lines(drawn))
    assert shaft == pytest.approx(np.outer((-1.3, 1.3), g * ALONG))
    for head, s in zip(heads, (-1.0, 1.0), strict=True):
        assert head == pytest.approx(np.outer((1.3 * s, 1.75 * s), g * ALONG))
    assert np.abs(dot @ ALONG) == pytest.approx(0.22 * g)
    assert np.linalg.norm(dot, axis=1) == pytest.approx(0.22 * np.sqrt(2) * g)
    drawn, (_, high) = on_joint("servo_torque", "pin", stiffness=1.0, damping=0.1, target=0.3)
    *arcs, dot = (points - AT - high * ALONG for points in lines(drawn))
    middle = dot[:-1].mean(axis=0)
    assert np.linalg.norm(middle) == pytest.approx(1.42 * g)
    for arc, sense in ((arcs[0], 1.0), (arcs[2], -1.0)):
        turn = np.cross(middle, arc) @ ALONG / (1.42 * g) ** 2
        assert turn[[0, -1]] == pytest.approx(np.sin(sense * np.array([0.25, 1.75])))


@pytest.mark.parametrize(
    ("type", "joint"), [("friction_force", "slider"), ("friction_torque", "pin")]
)
def test_pads_press_from_both_sides(type, joint):
    effort = "force" if joint == "slider" else "torque"
    drawn, (_, high) = on_joint(type, joint, speed=0.01, **{effort: 0.1})
    g, found = drawn.glyph, [points - AT for points in lines(drawn)]
    assert len(found) == 12
    sides = []
    for face, *ticks in (found[:6], found[6:]):
        along, feet = face @ ALONG, np.array([t[0] for t in ticks])
        tips = np.array([t[1] for t in ticks])
        out = face.mean(axis=0) - (face.mean(axis=0) @ ALONG) * ALONG
        out /= np.linalg.norm(out)
        sides.append(out)
        if joint == "slider":
            assert (along.min(), along.max()) == pytest.approx((-0.6 * g, 0.6 * g))
            assert face @ out == pytest.approx(0.5 * g)
            flat = np.concatenate([face, *ticks]) @ np.cross(ALONG, out)
            assert np.abs(flat).max() < 1e-9
            assert (tips - feet) @ out == pytest.approx(0.32 * g)
            assert (tips - feet) @ ALONG == pytest.approx(0.22 * g)
            assert feet @ ALONG == pytest.approx(g * np.linspace(-0.6, 0.6, 5))
        else:
            flat = lambda p: np.linalg.norm(np.asarray(p) - high * ALONG, axis=-1)
            assert along == pytest.approx(high)
            assert flat(face) == pytest.approx(0.62 * g)
            assert (face @ out).min() == pytest.approx(0.62 * g * np.cos(0.6), rel=1e-6)
            assert flat(feet) == pytest.approx(0.62 * g)
            assert flat(tips) == pytest.approx(0.92 * g)
            turn = lambda p: (p - high * ALONG) / flat(p)[:, None]
            assert (turn(feet) * turn(tips)).sum(1) == pytest.approx(np.cos(0.2))
    assert sides[0] == pytest.approx(-sides[1], abs=1e-6)


@pytest.mark.parametrize(
    ("type", "numbers"),
    [
        ("slide_spring", {"stiffness": 1.0, "free_length": 0.0}),
        ("slide_damper", {"damping": 1.0}),
    ],
)
def test_a_part_beside_a_slide_reaches_from_body_to_body_above_it(type, numbers):
    drawn, (low, high) = on_joint(type, **numbers)
    g = drawn.glyph
    (row,) = (k for k, r in enumerate(drawn.builder.rows) if r.owner == "F" and r.end is not None)
    x, y, z = drawn.poses[row, 4:7]
    assert (x, y, z) == pytest.approx(AT + 0.75 * g * UP + (low - 1.2 * g) * ALONG)
    assert drawn.poses[row, 7] == pytest.approx(high - low + 2.4 * g)
    assert drawn.builder.rows[row].end[0] == 1 and drawn.builder.rows[row].place[0] == 0
    skins = [p.part.skin.points for p in drawn.builder.pieces if p.row == row]
    wide = np.linalg.norm(np.concatenate(skins)[:, :2], axis=1).max()
    assert 0.2 * g < wide < 0.6 * g


def between(type, a, b, **numbers):
    m = ms.Builder("Between")
    bob = m.body("bob", at=(0.2, 0.0, 0.3)).disc(radius=0.05, thickness=0.01)
    bodies = [m.ground if p is None else bob for p in (a, b)]
    at = (a or (0.0, 0.0, 0.0), b or (0.0, 0.0, 0.0))
    return Drawn(m, m.force(type, "F", a=bodies[0], b=bodies[1], at=at, **numbers))


@pytest.mark.parametrize("swapped", [False, True])
def test_a_spring_stands_on_bare_ground_only(swapped):
    ends = (None, (0.25, 0.01, 0.3))
    drawn = between("spring", *(ends[::-1] if swapped else ends), stiffness=1.0, free_length=0.1)
    signs = [s for s in drawn.builder.marks if s.kind == SIGN]
    points = np.concatenate([np.asarray(s.points) for s in signs])
    far = np.array([0.25, 0.01, 0.3])
    way = far / np.linalg.norm(far)
    g = drawn.glyph
    # hatched behind the end on the ground, away from the other one
    assert (points @ way).max() == pytest.approx(0.0, abs=1e-9)
    assert (points @ way).min() == pytest.approx(-0.34 * 0.6 * g)
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(
        0.6 * g * np.hypot(1.2, 0.34), rel=0.1
    )


@pytest.mark.parametrize(("type", "share", "heads"), [("force", 0.30, 1), ("torque", 0.18, 2)])
@pytest.mark.parametrize("axes", ["world", "body"])
def test_the_longest_arrow_is_a_share_of_the_size(type, share, heads, axes):
    m = ms.Builder("Arrows")
    # x of the body is z of W
    bob = m.body("bob", at=tuple(AT), angles=(0, "-90 deg", 0)).disc(radius=0.1, thickness=0.01)
    for name, vector in (("F", (3.0, 0.0, 4.0)), ("half", (2.5, 0.0, 0.0)), ("none", (0, 0, 0))):
        m.force(type, name, body=bob, at=tuple(AT + 0.02 * UP), vector=vector, axes=axes)
    longest, half = Drawn(m, "F"), Drawn(m, "half")
    size, g = longest.builder.size, longest.glyph
    way = np.array((0.6, 0.0, 0.8) if axes == "world" else (-0.8, 0.0, 0.6))
    foot, v = AT + 0.02 * UP, share * size * way
    head = min(0.06 * size, 0.4 * share * size)
    shaft, *tips = lines(longest)[: 1 + heads]
    assert shaft - foot == pytest.approx(np.outer((0.0, share * size - 0.7 * head), way), abs=1e-9)
    for k, tip in enumerate(tips):
        assert tip - foot == pytest.approx(
            v - np.outer((1.0, 0.0), head * way) - 0.75 * k * head * way, abs=1e-9
        )
    if heads == 2:
        arc, barbs = (p - foot - 0.4 * v for p in lines(longest)[3:])
        assert np.linalg.norm(arc, axis=1) == pytest.approx(0.9 * g)
        assert np.cross(arc[0], arc[1]) @ way > 0.0 and np.abs(arc @ way).max() < 1e-9
        assert np.linalg.norm(barbs[1]) == pytest.approx(0.9 * g)
    else:
        assert len(lines(longest)) == 2
    length = np.linalg.norm(lines(half)[1][1] - foot)
    assert length == pytest.approx(0.5 * share * size)
    assert not Drawn(m, "none").lines
    ((dimension, value, drawn_length),) = longest.builder.measures
    assert (dimension, value) == (type, 5.0)
    assert drawn_length == pytest.approx(share * size)


def test_a_bushing_has_a_sleeve_on_each_body_and_rings_on_the_first():
    drawn = between("bushing", None, (0.25, 0.01, 0.3), k_x_x=1e4)
    rings = [p for body, _, p in drawn.lines if body == "ground"]
    assert len(rings) == len(drawn.lines) == 3
    for axis, ring in enumerate(rings):
        assert np.linalg.norm(ring, axis=1) == pytest.approx(0.9 * drawn.glyph)
        assert np.abs(ring[:, axis]).max() < 1e-9
    rows = [k for k, r in enumerate(drawn.builder.rows) if r.owner == "F"]
    reach = [
        np.abs(np.asarray(piece.part.skin.points)).max(axis=0) / drawn.glyph
        for row in rows
        for piece in drawn.builder.pieces
        if piece.row == row
    ]
    assert reach[0] == pytest.approx((0.62, 0.62, 0.25), rel=2e-2)
    assert reach[1] == pytest.approx((0.30, 0.30, 0.375), rel=2e-2)
