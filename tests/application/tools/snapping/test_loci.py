"""Lines and circles of a plane: where they meet, and which of them do not go together."""

import math

import pytest

from mechstudio.application.tools.snapping.loci import Locus, meets, same, settle

A = Locus("A", (0.0, 0.0), radius=3.0)
B = Locus("B", (5.0, 0.0), radius=4.0)
LEVEL = Locus("level", (0.0, 2.4), (1.0, 0.0))
UPRIGHT = Locus("upright", (1.8, 7.0), (0.0, 1.0))
RAY = Locus("ray", (0.0, 0.0), (0.6, 0.8), ray=True)


def test_circles_meet_in_the_corner_of_a_triangle_of_3_4_5():
    """The foot lies at 9/5, the height is 12/5."""
    assert sorted(meets(A, B)) == [pytest.approx((1.8, -2.4)), pytest.approx((1.8, 2.4))]
    assert settle((A, B), (0.0, -9.0)).place == pytest.approx((1.8, -2.4))
    assert settle((A, B), (0.0, 9.0)).place == pytest.approx((1.8, 2.4))


@pytest.mark.parametrize("pair", [(A, LEVEL), (LEVEL, UPRIGHT), (UPRIGHT, RAY), (RAY, A)])
def test_any_two_meet_where_both_run(pair):
    found = meets(*pair)
    assert found and all(locus.gap(p) < 1e-12 for p in found for locus in pair)


def test_circles_that_touch_meet_once_and_those_apart_do_not():
    touching = Locus("touching", (7.0, 0.0), radius=4.0)
    assert meets(A, touching) == [pytest.approx((3.0, 0.0))]
    apart = Locus("apart", (7.1, 0.0), radius=4.0)
    assert settle((A, apart), (0.0, 0.0)).clash == ("A", "apart")
    assert settle((A, Locus("about", (0.0, 0.0), radius=4.0)), (1.0, 0.0)).clash == ("A", "about")


def test_a_ray_has_but_one_side():
    below = Locus("below", (0.0, -1.0), (1.0, 0.0))
    assert settle((RAY, below), (0.0, 0.0)).clash == ("ray", "below")
    assert RAY.nearest((-3.0, 0.0)) == pytest.approx((1.8, 2.4)), "as far as the pointer"


def test_a_third_that_agrees_is_no_clash_and_one_that_does_not_is():
    assert settle((A, B, LEVEL), (0.0, 0.0)).place == pytest.approx((1.8, 2.4))
    assert settle((A, B, LEVEL, UPRIGHT), (9.0, -9.0)).place == pytest.approx((1.8, 2.4))
    off = Locus("off", (0.0, 2.5), (1.0, 0.0))
    assert settle((A, B, off), (0.0, 0.0)) == settle((A, B, off), (1.0, 1.0))
    assert settle((A, B, off), (0.0, 0.0)).clash == ("A", "B", "off")


def test_the_same_twice_is_once():
    again = Locus("again", (-7.0, 2.4), (-1.0, 0.0))
    assert settle((LEVEL, again), (5.0, 9.0)).place == pytest.approx((5.0, 2.4))
    assert settle((), (5.0, 9.0)).place == (5.0, 9.0)


def test_circles_of_very_different_size_still_meet():
    """A crank of 1 mm and a span of 1 km."""
    small, large = Locus("s", (0.0, 0.0), radius=1e-3), Locus("l", (1e3, 0.0), radius=1e3)
    for p in meets(small, large):
        assert math.hypot(*p) == pytest.approx(1e-3, rel=1e-6)
    assert len(meets(small, large)) == 2


def test_loci_are_the_same_where_they_hold_the_same_points():
    slant, back = Locus("s", (1.0, 2.0), (0.6, 0.8)), Locus("b", (4.0, 6.0), (-0.6, -0.8))
    assert same(slant, back) and same(A, Locus("a", (0.0, 0.0), radius=3.0))
    for other in (
        Locus("aside", (4.0, 6.1), (0.6, 0.8)),
        Locus("turned", (1.0, 2.0), (0.8, 0.6)),
        Locus("across", (1.0, 2.0), (-0.8, 0.6)),
        A,
    ):
        assert not same(slant, other) and not same(other, slant), other.word
        assert same(other, other)
    assert not same(A, Locus("larger", (0.0, 0.0), radius=3.1))
    assert not same(A, Locus("aside", (0.0, 0.1), radius=3.0))
    assert (slant.gap((1.0, 7.0)), slant.gap((4.0, 6.0))) == pytest.approx((3.0, 0.0))
    assert (A.gap((4.0, 3.0)), RAY.gap((-3.0, -4.0))) == pytest.approx((2.0, 5.0))
