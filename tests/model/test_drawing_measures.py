"""Numbers that new joints, forces and couplings take from the drawing, against those by hand."""

import math

import msgspec
import pytest

import mechstudio as ms
from mechstudio.model import drawing_measures as drawn
from mechstudio.model.mechanism import GROUND, CoordinateOf, Frame
from mechstudio.model.quantity import vector
from mechstudio.model.rounding import round_near

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


def test_disc_and_axis_of_a_body():
    mechanism, _ = axles(0.1, None)
    assert drawn.disc_radius(mechanism, "b0") == pytest.approx(0.1)
    assert drawn.disc_radius(mechanism, "b1") == 0.0
    assert drawn.disc_axis(mechanism, "b0") == pytest.approx((0.0, 0.0, 1.0))
    assert drawn.disc_axis(mechanism, "b1") is None


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


def test_stiffness_and_damping_of_a_new_spring():
    """The lighter body sinks by a tenth of the length, and swings at a tenth of the critical
    damping: c = 2 (0.1) sqrt(k m).
    """
    m = ms.Builder("spring")
    m.body("light", (0, 0, 0)).box(0.1, 0.1, 0.1, density=2000)
    m.body("heavy", (0, 0, 0.4)).box(0.1, 0.1, 0.1, density=9000)
    mechanism, ends = m.mechanism, (Frame("light"), Frame("heavy"))
    k = 2.0 * 9.81 / 0.04
    assert drawn.apart(mechanism, *ends) == pytest.approx(0.4)
    assert drawn.spring_stiffness(mechanism, *ends) == f"{round_near(k):g} N/m" == "500 N/m"
    c = round_near(0.2 * math.sqrt(k * 2.0))
    assert drawn.light_damping(mechanism, *ends) == f"{c:g} N·s/m" == "5 N·s/m"
    # nothing to weigh, or no length
    for nothing in ((Frame(GROUND), Frame(GROUND)), (Frame("light"), Frame("light"))):
        assert drawn.spring_stiffness(mechanism, *nothing) == "200 N/m"
        assert drawn.light_damping(mechanism, *nothing) == "10 N·s/m"


def test_without_gravity_a_new_spring_is_as_on_the_ground():
    """1.25 kg lies beside the bound at which rounding goes from one number to the next."""
    m = ms.Builder("spring")
    m.body("light", (0, 0, 0)).box(0.1, 0.1, 0.1, density=1250)
    m.body("heavy", (0, 0, 0.4)).box(0.1, 0.1, 0.1, density=9000)
    weightless = msgspec.structs.replace(m.mechanism, gravity=vector(0.0, 0.0, 0.0))
    ends = (Frame("light"), Frame("heavy"))
    k = 1.25 * 9.81 / 0.04
    assert drawn.spring_stiffness(weightless, *ends) == f"{round_near(k):g} N/m"
    assert round_near(k) != round_near(1.1 * k)


def test_radius_and_pitch_of_joints():
    m = ms.Builder("wheel")
    m.body("wheel", (0, 0, 0.25)).disc(0.2, 0.05)
    m.body("block", (0.5, 0, 0.15)).box(0.1, 0.1, 0.1)
    mechanism = m.mechanism
    assert drawn.rolling_radius(mechanism, Frame(GROUND), Frame("wheel")) == pytest.approx(0.2)
    assert drawn.rolling_radius(mechanism, Frame(GROUND), Frame("block")) == pytest.approx(0.15)
    pitch = drawn.thread_pitch(mechanism, Frame(GROUND), Frame("wheel"))
    assert pitch == round_near(0.02 * mechanism.size())
