"""Numbers that new joints and forces take from the drawing, against those by hand."""

import math

import msgspec
import pytest

import mechstudio as ms
from mechstudio.model import drawing_measures as drawn
from mechstudio.model.mechanism import GROUND, Frame
from mechstudio.model.quantity import vector
from mechstudio.model.rounding import round_near

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def test_disc_and_axis_of_a_body():
    m = ms.Builder("discs")
    m.body("b0", (0, 0, 0)).disc(0.1, 0.01)
    m.body("b1", (0.3, 0, 0)).box(0.01, 0.02, 0.03)
    mechanism = m.mechanism
    assert drawn.disc_radius(mechanism, "b0") == pytest.approx(0.1)
    assert drawn.disc_radius(mechanism, "b1") == 0.0
    assert drawn.disc_axis(mechanism, "b0") == pytest.approx((0.0, 0.0, 1.0))
    assert drawn.disc_axis(mechanism, "b1") is None


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
