"""Every kind of coupling in W as it is drawn, with its axes either way, its frames exchanged and
its wheels off the origin: places and sizes against what the parts need to roll on each other.
"""

import numpy as np
import pytest

import mechstudio as ms
from tests.application.scene.drawn import Drawn

FIRST, SECOND = np.array([0.1, 0.02, 0.05]), np.array([0.172, 0.02, 0.146])  # 120 mm apart
APART = (SECOND - FIRST) / 0.12
FRONT, BACK, ALONG = (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


def drawn_of(m):
    """The one coupling of a drawing."""
    (coupling,) = m.mechanism.couplings
    return Drawn(m, coupling)


def pair(axis=FRONT, other=FRONT, exchanged=False, second=SECOND):
    """Two wheels on pins of the ground; exchanged: the second one is the first body of its pin."""
    m = ms.Builder("Pair")
    one = m.body("one", at=tuple(FIRST)).disc(radius=0.03, thickness=0.01)
    two = m.body("two", at=tuple(second)).disc(radius=0.03, thickness=0.01)
    a = m.pin("A", m.ground, one, at=tuple(FIRST), axis=axis)
    ends = (two, m.ground) if exchanged else (m.ground, two)
    return m, a, m.pin("B", *ends, at=tuple(second), axis=other)


@pytest.mark.parametrize(
    ("ratio", "axis", "other", "exchanged", "radii", "sides"),
    [
        # outer: 40 + 80 mm; they meet between the centres
        (-2, FRONT, FRONT, False, (0.04, 0.08), (1, -1)),
        (-0.5, FRONT, FRONT, False, (0.08, 0.04), (1, -1)),
        (-2, BACK, BACK, False, (0.04, 0.08), (1, -1)),
        # inner: 240 - 120 mm; they meet beyond the smaller one
        (2, FRONT, FRONT, False, (0.12, 0.24), (-1, -1)),
        (0.5, FRONT, FRONT, False, (0.24, 0.12), (1, 1)),
        # what turns the other way makes inner ones of outer ones
        (-2, FRONT, BACK, False, (0.12, 0.24), (-1, -1)),
        (2, FRONT, BACK, False, (0.04, 0.08), (1, -1)),
        (2, FRONT, FRONT, True, (0.04, 0.08), (1, -1)),
        (-2, FRONT, BACK, True, (0.04, 0.08), (1, -1)),
    ],
)
def test_gears_touch_where_they_roll_on_each_other(ratio, axis, other, exchanged, radii, sides):
    m, a, b = pair(axis, other, exchanged)
    m.gear("G", a, b, ratio=ratio)
    drawn = drawn_of(m)
    feet = []
    for body, pin, centre, way, radius, side in zip(
        ("one", "two"), "AB", (FIRST, SECOND), (axis, other), radii, sides, strict=True
    ):
        centre = centre + drawn.lift[pin] * np.array(way)
        inner, rim = drawn.mark(body)
        assert rim - centre == pytest.approx(side * radius * APART, abs=1e-9)
        assert inner - centre == pytest.approx(0.72 * side * radius * APART, abs=1e-9)
        assert drawn.circle(body, centre) == pytest.approx((radius, radius), rel=4e-3)
        feet.append(rim - centre + (FIRST if body == "one" else SECOND))
    assert feet[0] == pytest.approx(feet[1], abs=1e-9)
    ((text, place),) = drawn.labels.items()
    assert text == ("2 to 1" if abs(ratio) == 2 else "1 to 2")
    assert place == pytest.approx(feet[0] + drawn.lift["A"] * np.array(axis), abs=1e-9)


@pytest.mark.parametrize(
    ("ratio", "other", "second"),
    [
        (1, FRONT, SECOND),  # as large as each other, one in the other
        (1e-10, FRONT, SECOND),  # no size
        (1.01, FRONT, SECOND),  # 12 m, many times the size of the drawing
        (-2, ALONG, SECOND),  # across
        (-2, (0.08, -1.0, 0.0), SECOND),  # 4.6 deg askew
        (-2, FRONT, FIRST - (0.0, 0.1, 0.0)),  # one behind the other
    ],
)
def test_what_is_no_pair_of_wheels_is_a_chain_from_joint_to_joint(ratio, other, second):
    m, a, b = pair(other=other, second=second)
    m.gear("G", a, b, ratio=ratio)
    drawn, far = drawn_of(m), np.linalg.norm(second - FIRST)
    along, glyph = (second - FIRST) / far, drawn.glyph
    dashes = [p for p in drawn.of("ground") if len(p) == 6]
    links = [p for p in drawn.of("ground") if len(p) > 6]
    # 56 of 100 dash, then 16 gap, then 12 dot, in each of some periods
    assert len(dashes) == 2 * max(4, round(far / (1.2 * glyph)))
    way = np.concatenate([(p - FIRST) @ along for p in dashes])
    across = np.concatenate([p - FIRST for p in dashes]) - way[:, None] * along
    assert np.abs(across).max() < 1e-9
    period = 2 * far / len(dashes)
    assert way[[0, 5, 6, 11]] == pytest.approx(period * np.array([0, 0.56, 0.72, 0.84]), abs=1e-9)
    assert way[-1] == pytest.approx(far - 0.16 * period)
    # two links, long along the line and flat to the first axis
    middle = 0.5 * (FIRST + second)
    axis = np.array(FRONT) - (FRONT @ along) * along
    for points, place in zip(links, (-0.3, 0.3), strict=True):
        s = (points - middle) @ along / glyph - place
        assert (s.min(), s.max()) == pytest.approx((-0.55, 0.55), abs=1e-6)
        side = np.linalg.norm(
            points - middle - ((points - middle) @ along)[:, None] * along, axis=1
        )
        assert side.max() == pytest.approx(0.32 * glyph, rel=2e-2)
        if np.linalg.norm(axis) > 0.1:
            assert np.abs((points - middle) @ np.cross(along, axis)).max() < 1e-9


def test_gears_on_axes_that_are_hardly_askew_are_wheels():
    m, a, b = pair(other=(0.035, -1.0, 0.0))  # 2 deg
    m.gear("G", a, b, ratio=-2)
    assert set(drawn_of(m).labels) == {"2 to 1"}


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("axis", [FRONT, BACK])
@pytest.mark.parametrize("along", [ALONG, (-1.0, 0.0, 0.0)])
@pytest.mark.parametrize("radius", [0.05, -0.05])
def test_a_rack_runs_as_fast_as_the_rim_that_it_meets(radius, along, axis, exchanged):
    m = ms.Builder("Rack")
    pinion = m.body("pinion", at=tuple(FIRST)).disc(radius=0.03, thickness=0.01)
    rack = m.body("rack", at=tuple(SECOND)).box(length=0.1, depth=0.01, height=0.01)
    ends = (pinion, m.ground) if exchanged else (m.ground, pinion)
    turn = m.pin("A", *ends, at=tuple(FIRST), axis=axis)
    slide = m.slider("S", m.ground, rack, at=tuple(SECOND), axis=along)
    m.rack("R", turn, slide, radius=radius)
    drawn = drawn_of(m)
    centre = FIRST + drawn.lift["A"] * np.array(axis)
    inner, rim = drawn.mark("pinion")
    r, spin = rim - centre, np.array(axis) * (-1.0 if exchanged else 1.0)
    assert np.cross(spin, r) == pytest.approx(radius * np.array(along), abs=1e-9)
    assert inner - centre == pytest.approx(0.72 * r)
    assert drawn.circle("pinion", centre) == pytest.approx((0.05, 0.05), rel=4e-3)
    # the line goes through the rim, its nine ticks away from the pinion
    line = np.concatenate([p for p in drawn.of("rack") if len(p) == 6]) - rim
    reach = max(0.11, 2 * drawn.glyph)
    assert np.abs(line[:, 1:]).max() < 1e-9
    assert sorted((line[0, 0], line[-1, 0])) == pytest.approx(
        sorted(s * along[0] * reach for s in (-1, 1 - 2 * 0.16 / 8)), abs=1e-9
    )
    ticks = np.array([p for p in drawn.of("rack") if len(p) == 2]) - rim
    places = sorted(along[0] * ticks[:, 0, 0])
    assert places == pytest.approx([k * reach / 4.4 for k in range(-4, 5)], abs=1e-9)
    outward = np.tile(0.28 * drawn.glyph * r / 0.05, (9, 1))
    assert ticks[:, 1] - ticks[:, 0] == pytest.approx(outward, abs=1e-9)


def test_a_rack_along_the_axis_of_its_pinion_is_a_chain():
    m = ms.Builder("Rack")
    pinion = m.body("pinion", at=tuple(FIRST)).disc(radius=0.03, thickness=0.01)
    rack = m.body("rack", at=tuple(SECOND)).box(length=0.1, depth=0.01, height=0.01)
    turn = m.pin("A", m.ground, pinion, at=tuple(FIRST))
    m.rack("R", turn, m.slider("S", m.ground, rack, at=tuple(SECOND), axis=FRONT), radius=0.05)
    drawn = drawn_of(m)
    assert not drawn.of("pinion") and drawn.of("ground")


@pytest.mark.parametrize("crossed", [False, True])
def test_a_belt_lies_on_both_rims_beside_the_wheels(crossed):
    m, a, b = pair()
    m.belt("B", a, b, 0.05, 0.03, crossed=crossed)
    drawn = drawn_of(m)
    lift = drawn.lift["A"] * np.array(FRONT)
    (belt,) = drawn.of("ground")
    assert (belt - FIRST - lift)[:, 1] == pytest.approx(np.zeros(len(belt)), abs=1e-9)
    assert belt[0] == pytest.approx(belt[-1])
    half = (len(belt) - 1) // 2
    for centre, radius, on in ((FIRST, 0.05, belt[:half]), (SECOND, 0.03, belt[half:-1])):
        reach = np.linalg.norm(on - centre - lift, axis=1)
        assert reach == pytest.approx(np.full(half, radius), abs=1e-9)
    # where it leaves a rim it runs along it
    for start, end, centre in ((half - 1, half, FIRST), (half - 1, half, SECOND), (-2, -1, SECOND)):
        foot = belt[start if centre is FIRST or start == -2 else end] - centre - lift
        assert abs(foot @ (belt[end] - belt[start])) < 1e-9
    for body, pin, centre, radius, side in (
        ("one", "A", FIRST, 0.041, 1),
        ("two", "B", SECOND, 0.0246, -1),
    ):
        rim = drawn.mark(body)[1] - centre - drawn.lift[pin] * np.array(FRONT)
        assert rim == pytest.approx(side * radius * APART, abs=1e-9)


def coaxial(count):
    m = ms.Builder("Coaxial")
    bodies = [
        m.body(f"b{k}", at=tuple(FIRST)).disc(radius=0.1, thickness=0.01) for k in range(count)
    ]
    return m, [m.pin(f"P{k}", m.ground, b, at=tuple(FIRST)) for k, b in enumerate(bodies)]


@pytest.mark.parametrize("ratio", [3.0, 1.2])
def test_planets_fill_the_gap_between_sun_and_ring(ratio):
    m, pins = coaxial(3)
    m.planetary("P", *pins, ratio=ratio)
    drawn = drawn_of(m)
    outer = 4.6 * drawn.glyph
    inner, flat = outer / ratio, (1.0, 0.0, 1.0)
    teeth = max(12, round(26.4 / ratio))
    deep, radius = 2.2 * inner / teeth, 0.5 * (outer - inner)
    reach = lambda p: np.linalg.norm((p - FIRST) * flat, axis=1)
    (sun,), (ring, rim) = drawn.of("b1"), drawn.of("b2")
    for wheel, size, count in ((sun, inner, teeth), (ring, outer, round(ratio * teeth))):
        assert (reach(wheel).min(), reach(wheel).max()) == pytest.approx(
            (size - 0.5 * deep, size + 0.5 * deep)
        )
        assert len(wheel) == 4 * count + 1
    # a tooth of the sun on x, of the ring a gap
    first = lambda wheel: (wheel[1] + wheel[2] - 2 * FIRST)[0] / 2
    assert first(sun) > inner and first(ring) < outer
    assert (reach(rim).min(), reach(rim).max()) == pytest.approx([outer + 1.6 * deep] * 2)
    arms = [p for p in drawn.of("b0") if len(p) == 2]
    assert len(arms) == 3
    turns = [np.arctan2((b - a)[2], (b - a)[0]) for a, b in arms]
    assert np.cos(3 * np.array(turns)) == pytest.approx(np.ones(3))
    assert sum(np.exp(1j * np.array(turns))) == pytest.approx(0, abs=1e-9)
    dashes = np.array([p for p in drawn.of("b0") if len(p) == 6]).reshape(3, 16, 6, 3)
    for (foot, centre), own in zip(arms, dashes, strict=True):
        assert foot == pytest.approx(FIRST + drawn.lift["P0"] * np.array(FRONT))
        assert np.linalg.norm(centre - foot) == pytest.approx(inner + radius)
        away = np.linalg.norm(own - centre, axis=-1)
        assert (away.min(), away.max()) == pytest.approx((radius, radius), rel=2e-2)


@pytest.mark.parametrize("ratio", [1.1, 12.5])
def test_planetary_gears_that_cannot_be_drawn_to_size_are_rings(ratio):
    m, pins = coaxial(3)
    m.planetary("P", *pins, ratio=ratio)
    drawn = drawn_of(m)
    for k in range(3):
        ring, mark = drawn.of(f"b{k}")
        radius = (1.65 + 0.3 * k) * drawn.glyph
        centre = FIRST + drawn.lift[f"P{k}"] * np.array(FRONT)
        assert np.linalg.norm(ring - centre, axis=1) == pytest.approx(radius)
        assert np.linalg.norm(mark - centre, axis=1) == pytest.approx(
            [radius - 0.12 * drawn.glyph, radius + 0.12 * drawn.glyph]
        )


def test_coupled_slides_are_a_chain_and_nothing_else():
    m = ms.Builder("Slides")
    slides = [
        m.slider(
            name,
            m.ground,
            m.body(name, at=tuple(at)).disc(radius=0.03, thickness=0.01),
            at=tuple(at),
            axis=ALONG,
        )
        for name, at in (("S", FIRST), ("T", SECOND))
    ]
    m.linear("L", *slides, ratio=2)
    assert len([p for p in drawn_of(m).of("ground") if len(p) > 6]) == 2


@pytest.mark.parametrize("other", [FRONT, BACK])
def test_the_pin_of_a_geneva_drive_stands_in_a_slot_of_its_wheel(other):
    m, a, b = pair(other=other)
    m.geneva("G", a, b, ms.geneva(4 if other is FRONT else -4, middle="20 deg"))
    drawn = drawn_of(m)
    radius = 0.12 * np.sin(np.pi / 4)
    on_a, on_b = (drawn.lift[k] * np.array(way) for k, way in (("A", FRONT), ("B", other)))
    pin, disc, *dashes = drawn.of("one")
    middle = pin[:-1].mean(axis=0)
    centre = FIRST + on_a
    assert np.linalg.norm(middle - centre) == pytest.approx(radius)
    assert np.linalg.norm(pin - middle, axis=1) == pytest.approx(0.06 * radius)
    assert np.linalg.norm(disc - centre, axis=1) == pytest.approx(0.78 * radius)
    # the disc opens away from the pin
    assert (disc - centre).mean(axis=0) @ (middle - centre) < 0.0
    (wheel,) = drawn.of("two")
    assert (wheel - SECOND - on_b)[:, 1] == pytest.approx(np.zeros(len(wheel)), abs=1e-9)
    # the pin touches a wall of the slot on both sides
    flat = (wheel - middle)[:, [0, 2]]
    start, way = flat[:-1], np.diff(flat, axis=0)
    share = np.clip(-(start * way).sum(1) / (way**2).sum(1), 0.0, 1.0)
    near = np.linalg.norm(start + share[:, None] * way, axis=1)
    assert near.min() == pytest.approx(0.06 * radius, rel=2e-2)
    line = np.concatenate(dashes) - centre
    along = (middle - centre) / radius
    assert np.abs(np.cross(line, along)).max() < 1e-9
    assert (line @ along).min() == pytest.approx(0.0, abs=1e-9)
    assert (line @ along).max() == pytest.approx(radius * (1 - 0.16 / 4))
