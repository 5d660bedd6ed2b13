"""Axes of coupled joints, and numbers that new couplings take from them, against those by hand."""

import pytest

import mechstudio as ms
from mechstudio.model.joints import coupling_axes as drawn
from mechstudio.model.mechanism import GROUND, CoordinateOf

X, Z, BACK = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def axles(*discs, axes=(Z, Z), apart=0.3, turned=(False, False)):
    """Mechanism with two pins along axes, `apart` [m] from each other along x, on them bodies with
    discs of radii [m], None for a body without one; and the coordinates of the pins.  turned: the
    moving body is the pin's first.
    """
    m = ms.Builder("gears")
    for k, (radius, axis) in enumerate(zip(discs, axes)):
        at = (k * apart, 0.0, 0.0)
        b = m.body(f"b{k}", at)
        b = b.disc(radius, 0.01) if radius is not None else b.box(0.01, 0.02, 0.03)
        ends = (b, m.ground) if turned[k] else (m.ground, b)
        m.pin(f"P{k}", *ends, at=at, axis=axis)
    return m.mechanism, (CoordinateOf("P0"), CoordinateOf("P1"))


@pytest.mark.parametrize(
    ("discs", "apart", "axes", "turned", "ratio"),
    [
        ((0.1, 0.2), 0.3, (Z, Z), (False, False), -2.0),
        ((0.2, 0.1), 0.3, (Z, Z), (False, False), -0.5),
        ((0.1, 0.3), 0.2, (Z, Z), (False, False), 3.0),  # the small one runs inside the other
        ((0.1, 0.3), 0.2249, (Z, Z), (False, False), 3.0),
        ((0.1, 0.3), 0.2251, (Z, Z), (False, False), -3.0),
        ((0.1, 0.2), 0.3, (Z, BACK), (False, False), 2.0),
        ((0.1, 0.2), 0.3, (Z, Z), (False, True), 2.0),
        ((0.1, 0.2), 0.3, (Z, BACK), (True, False), -2.0),
        ((None, 0.2), 0.3, (Z, Z), (False, False), -1.0),
        ((None, None), 0.0, (Z, Z), (False, False), 1.0),
    ],
)
def test_ratio_of_gears(discs, apart, axes, turned, ratio):
    mechanism, ends = axles(*discs, apart=apart, axes=axes, turned=turned)
    if discs == (None, None):
        assert abs(drawn.gear_ratio(mechanism, ends)["ratio"]) == ratio
    else:
        assert drawn.gear_ratio(mechanism, ends)["ratio"] == pytest.approx(ratio)


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_a_welded_frame_and_ground_are_one_base(turned):
    """Gears on a frame that two welds hold to ground, and on ground, turn as on ground alone."""
    m = ms.Builder("gears")
    frame, bracket = (m.body(name, (0, 0, 0)).box(0.1, 0.1, 0.1) for name in ("frame", "bracket"))
    m.fix("F", bracket, m.ground, at=(0, 0, 0))
    m.fix("G", frame, bracket, at=(0, 0, 0))
    for k, (radius, base) in enumerate(((0.1, frame), (0.2, m.ground))):
        gear = m.body(f"b{k}", (0.3 * k, 0.0, 0.0)).disc(radius, 0.01)
        ends = (gear, base) if turned[k] else (base, gear)
        m.pin(f"P{k}", *ends, at=(0.3 * k, 0.0, 0.0), axis=Z)
    ends = (CoordinateOf("P0"), CoordinateOf("P1"))
    assert drawn.base_of(m.mechanism, ends) == {GROUND, "frame", "bracket"}
    ratio = -2.0 if turned[0] == turned[1] else 2.0
    assert drawn.gear_ratio(m.mechanism, ends)["ratio"] == pytest.approx(ratio)
    kept = [drawn.moving_frame(m.mechanism.joints[end.joint], {GROUND, "frame"}) for end in ends]
    assert [frame.body for frame in kept] == ["b0", "b1"]


def test_radii_of_pulleys():
    mechanism, ends = axles(0.1, None)
    found = drawn.pulley_radii(mechanism, ends)
    assert found == pytest.approx({"radius_1": 0.1, "radius_2": 0.3 / 6})
    mechanism, ends = axles(None, None, apart=0.0)
    assert drawn.pulley_radii(mechanism, ends) == {"radius_1": 0.05, "radius_2": 0.05}


@pytest.mark.parametrize(
    ("radius", "height", "along", "turned", "expected"),
    [
        # z x r of a point above the pinion's axis points to -x
        (None, 0.04, (-1.0, 0.0, 0.0), False, 0.04),
        (None, 0.04, X, False, -0.04),
        (None, -0.04, X, False, 0.04),
        (None, 0.04, X, True, 0.04),
        (0.03, 0.04, X, False, -0.03),
    ],
)
def test_radius_of_a_pinion(radius, height, along, turned, expected):
    m = ms.Builder("rack")
    pinion = m.body("pinion", (0, 0, 0))
    pinion = pinion.disc(radius, 0.01) if radius else pinion.box(0.01, 0.02, 0.03)
    rack = m.body("rack", (0.5, height, 0)).box(0.2, 0.01, 0.01)
    m.pin("P", *((pinion, m.ground) if turned else (m.ground, pinion)), at=(0, 0, 0), axis=Z)
    m.slider("S", m.ground, rack, at=(0.5, height, 0), axis=along)
    ends = (CoordinateOf("P"), CoordinateOf("S"))
    assert drawn.pinion_radius(m.mechanism, ends)["radius"] == pytest.approx(expected)


def test_a_rack_through_the_axis_takes_some_radius():
    m = ms.Builder("rack")
    pinion = m.body("pinion", (0, 0, 0)).box(0.01, 0.02, 0.03)
    rack = m.body("rack", (0.5, 0, 0)).box(0.2, 0.01, 0.01)
    m.pin("P", m.ground, pinion, at=(0, 0, 0), axis=Z)
    m.slider("S", m.ground, rack, at=(0.5, 0, 0), axis=X)
    found = drawn.pinion_radius(m.mechanism, (CoordinateOf("P"), CoordinateOf("S")))
    assert abs(found["radius"]) == 0.05
