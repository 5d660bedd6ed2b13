"""Shapes of Geneva drives: while the pin is in a slot, it touches both of its walls."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.curves.drawings.geneva import DISC, WIDTH, disc_outline, geneva_shape, wheel_outline

FAR = 0.2


def drawn(slots, inner, angle, sense=1):
    """The shape with the crank at an angle after the middle of a slot."""
    m = ms.Builder()
    crank = m.body("crank", (0, 0, 0), angles=(angle, 0, 0), mass=1.0, inertia=(1, 1, 1))
    wheel = m.body("wheel", (-FAR, 0, 0), mass=1.0, inertia=(1, 1, 1))
    a = m.pin("a", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
    b = m.pin("b", m.ground, wheel, at=(-FAR, 0, 0), axis=(0, 0, sense))
    m.geneva("g", a, b, ms.geneva(sense * slots, middle=0.0, inner=inner))
    return geneva_shape(m.mechanism, m.mechanism.couplings["g"])


def distance(point, line):
    """Least distance of a point from a polyline (k, 2)."""
    a, b = line[:-1], line[1:]
    along = np.clip(((point - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0.0, 1.0)
    return np.linalg.norm(point - a - along[:, None] * (b - a), axis=1).min()


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(("slots", "inner"), [(3, False), (4, False), (12, False), (5, True)])
def test_the_pin_fills_its_slot(slots, inner, sense):
    crank = FAR * math.sin(math.pi / slots)
    engaged = math.pi + (2.0 if inner else -2.0) * math.pi / slots
    for share in (-0.35, -0.1, 0.0, 0.2, 0.35):
        angle = share * engaged
        shape = drawn(slots, inner, angle, sense)
        outline, slot = wheel_outline(shape), shape.slot[:2]
        # the pin about the crank; the wheel stands at -x of it
        way = angle + (0.0 if inner else math.pi)
        pin = crank * np.array([math.cos(way), math.sin(way)])
        assert np.hypot(*shape.pin[:2]) == pytest.approx(crank, rel=1e-12)
        radius = np.hypot(*(pin + (FAR, 0.0)))
        # in the axes of the outline the slot lies along x
        assert distance(np.array([radius, 0.0]), outline) == pytest.approx(
            0.5 * WIDTH * crank, rel=1e-2
        )
        # the wheel's frame is that of W as drawn, where its axis points along z
        if sense > 0:
            assert slot == pytest.approx((pin + (FAR, 0.0)) / radius, abs=1e-12)
        assert np.hypot(*slot) == pytest.approx(1.0, abs=1e-12)
    foot = FAR + crank if inner else FAR - crank
    reach = np.hypot(*outline.T)
    wide = 0.5 * WIDTH * crank
    assert (reach.max() if inner else reach.min()) == pytest.approx(
        foot + wide if inner else foot - wide, rel=1e-9
    )


@pytest.mark.parametrize("slots", [3, 4, 12])
def test_the_locking_disc_lies_in_a_hollow_while_the_wheel_stands(slots):
    shape = drawn(slots, False, math.pi)
    hollow = wheel_outline(shape)
    # the disc about the crank, seen from the wheel: half a slot's angle beside a slot
    turn = math.pi / slots
    middle = FAR * np.array([math.cos(turn), math.sin(turn)])
    near = np.hypot(*(hollow - middle).T).min()
    assert near == pytest.approx(DISC * shape.crank, rel=1e-9)
    assert np.hypot(*disc_outline(shape).T) == pytest.approx(DISC * shape.crank, rel=1e-12)


def test_axes_that_are_not_parallel_or_one_have_no_shape():
    for at, axis in (((-FAR, 0, 0), (1, 0, 1)), ((0, 0, 0), (0, 0, 1))):
        m = ms.Builder()
        crank, wheel = (m.body(n, mass=1.0, inertia=(1, 1, 1)) for n in ("crank", "wheel"))
        a = m.pin("a", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
        b = m.pin("b", m.ground, wheel, at=at, axis=axis)
        m.geneva("g", a, b, ms.geneva())
        assert geneva_shape(m.mechanism, m.mechanism.couplings["g"]) is None
