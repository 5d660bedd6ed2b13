"""Cursors along a tree: whatever turns, shifts and slides come one after the other, attitude, place
and angular velocity are those of the matrices that they stand for.
"""

import math

import numpy as np
import pytest

from mechstudio.symbolic.plan.layout import Cursor, Layout, Shift, Slide, Track, backwards, plus

ANGLES = {0: 0.3, 1: -1.1, 2: 0.7, -1: 0.45, -2: -0.2}  # coordinates, and symbols below 0
RATES = {0: 1.3, 1: -0.4, 2: 2.1}
LENGTH = ((3, 2), (-3, 1))  # 2 s + c
FUNCTIONS = (0.11, -0.23, 0.37)


def rotation(axis, angle):
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = math.cos(angle)
    R[k, j], R[j, k] = math.sin(angle), -math.sin(angle)
    return R


def value(form, numbers):
    return sum(c * numbers.get(v, 0.0) for v, c in form)


def attitude(layout, frame, axis=None, form=(), numbers=ANGLES):
    """Attitude of Rot(axis, form) in a display frame."""
    R = np.eye(3)
    while frame > 0:
        shown = layout.frames[frame]
        R = rotation(shown.axis, value(shown.form, numbers)) @ R
        frame = shown.parent
    return R if axis is None else R @ rotation(axis, value(form, numbers))


def of_body(layout, cursor, numbers=ANGLES):
    frame = attitude(layout, cursor.frame, cursor.axis, cursor.form, numbers)
    return frame @ np.array(cursor.permutation)


def place(layout, cursor):
    """Sum of all legs in W."""
    total, length = np.zeros(3), value(LENGTH, {3: 0.5, -3: 0.25})
    for leg in cursor.legs:
        if isinstance(leg, Shift):
            vector = np.array(leg.vector, float)
        elif isinstance(leg, Slide):
            vector = np.array(leg.direction) * length * leg.factor
        elif isinstance(leg, Track):
            vector = [
                0.0 if f is None else s * FUNCTIONS[f]
                for f, s in zip(leg.functions, leg.signs, strict=True)
            ]
        else:
            continue
        total += attitude(layout, leg.frame, leg.axis, leg.form) @ vector
    return total


def spin(layout, cursor):
    """Angular velocity in W out of the turns of a cursor."""
    turns = [leg for leg in cursor.legs if not isinstance(leg, Shift | Slide | Track)]
    axes = np.eye(3)
    return sum(
        (attitude(layout, t.frame) @ axes[t.axis] * value(t.rate, RATES) for t in turns),
        np.zeros(3),
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_cursor_is_where_its_matrices_take_it(seed):
    draw = np.random.default_rng(seed)
    layout, cursor = Layout(), Cursor()
    R, at = np.eye(3), np.zeros(3)
    for _ in range(12):
        axis = int(draw.integers(3))
        kind = draw.choice(["quarter", "angle", "angle", "angle", "shift", "slide", "track"])
        if kind == "quarter":
            turns = int(draw.integers(-3, 4))
            cursor, R = cursor.quarter(axis, turns), R @ rotation(axis, turns * math.pi / 2)
        elif kind == "angle":
            form = tuple(sorted({int(draw.integers(-2, 3)): int(draw.choice([-1, 1, 2]))}.items()))
            cursor = layout.rotated(cursor, axis, form)
            R = R @ rotation(axis, value(form, ANGLES))
        elif kind == "shift":
            vector = tuple(int(c) for c in draw.integers(-2, 3, 3))
            cursor, at = cursor.shifted(vector), at + R @ vector
        elif kind == "slide":
            cursor = cursor.slid(axis, LENGTH, 3)
            at = at + R[:, axis] * 3 * 1.25
        else:
            sign = int(draw.choice([-1, 1]))
            cursor = cursor.tracked((0, None, 2), ((0, 1),), sign)
            at = at + sign * R @ (FUNCTIONS[0], 0.0, FUNCTIONS[2])
        assert of_body(layout, cursor) == pytest.approx(R, abs=1e-12)
        assert place(layout, cursor) == pytest.approx(at, abs=1e-12)
        own = cursor.run_axis()
        if own is not None:
            # turns about this axis leave it where it is
            unit = np.array(cursor.permutation)[:, own]
            assert rotation(cursor.axis, 0.1) @ unit == pytest.approx(unit, abs=1e-12)
    # the rate of the attitude by differences
    dt = 1e-6
    later = {k: a + dt * RATES.get(k, 0.0) for k, a in ANGLES.items()}
    earlier = {k: a - dt * RATES.get(k, 0.0) for k, a in ANGLES.items()}
    rate = (of_body(layout, cursor, later) - of_body(layout, cursor, earlier)) / (2 * dt)
    S = rate @ R.T
    assert spin(layout, cursor) == pytest.approx([S[2, 1], S[0, 2], S[1, 0]], abs=1e-8)


def test_turns_about_parallel_axes_stay_in_one_frame():
    layout = Layout()
    one = layout.rotated(Cursor(), 2, ((0, 1),))
    # the body's y after a quarter about x is the z that has turned already
    two = layout.rotated(one.quarter(0, 1), 1, ((1, 1),))
    assert (two.frame, two.axis, two.form) == (0, 2, ((0, 1), (1, 1)))
    back = layout.rotated(two, 1, ((0, -1), (1, -1)))
    assert (back.axis, back.form) == (None, ()) and len(layout.frames) == 1
    assert layout.rotated(one, 0, ()) is one
    # another axis opens a frame, the same one for whoever comes that way
    other = layout.rotated(one, 0, ((1, 1),))
    again = layout.rotated(one, 1, ((2, 1),))
    assert other.frame == again.frame == 1 and len(layout.frames) == 2
    assert layout.frames[1].parent == 0 and layout.frames[1].form == ((0, 1),)


def test_a_cursor_that_moves_nowhere_has_no_leg():
    assert Cursor().shifted((0, 0, 0)).legs == () and Cursor().quarter(1, 4) == Cursor()
    fixed = Layout().rotated(Cursor(), 0, ((-1, 1),))
    assert fixed.legs == () and fixed.form == ((-1, 1),)


def test_backward_turns_undo_the_forward_ones():
    turns = [(0, 1, {0: 1}), (2, 3, {}), (1, 0, {0: 2, 1: -1})]
    layout = Layout()
    there = layout.fixed(Cursor(), turns)
    expected = np.eye(3)
    for axis, quarters, symbols in turns:
        angle = quarters * math.pi / 2 + sum(c * ANGLES[-1 - i] for i, c in symbols.items())
        expected = expected @ rotation(axis, angle)
    assert of_body(layout, there) == pytest.approx(expected)
    back = layout.fixed(there, backwards(turns))
    assert of_body(layout, back) == pytest.approx(np.eye(3), abs=1e-12)


def test_forms_add_up_and_lose_what_cancels():
    assert plus(((0, 1), (2, 3)), ((0, 2), (1, 1)), -1) == ((0, -1), (1, -1), (2, 3))
    assert plus(((0, 2),), ((0, 1),), -2) == ()
