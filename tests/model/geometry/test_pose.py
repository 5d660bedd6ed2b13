"""Positions and attitudes written in other ways."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechstudio.model.geometry.pose import (
    ATTITUDES,
    POSITIONS,
    QUATERNION,
    SEQUENCES,
    from_euler,
    lock_sentence,
    locked,
    to_euler,
)
from mechstudio.model.geometry.rotation import from_angles, matrix, normalise

numbers = st.floats(-10, 10, allow_subnormal=False)
quaternions = (
    st.tuples(*[st.floats(-1, 1, allow_subnormal=False)] * 4)
    .filter(lambda q: sum(c * c for c in q) > 0.01)
    .map(normalise)
)


def entries(q):
    return [c for row in matrix(q) for c in row]


@pytest.mark.parametrize("form", POSITIONS)
@given(p=st.tuples(numbers, numbers, numbers))
def test_positions_come_back(form, p):
    assert POSITIONS[form].write(POSITIONS[form].read(p)) == pytest.approx(p, abs=1e-12)


@pytest.mark.thinned(6)
@pytest.mark.parametrize("sequence", SEQUENCES)
@given(q=quaternions)
def test_attitudes_come_back(sequence, q):
    assert entries(from_euler(sequence, to_euler(sequence, q))) == pytest.approx(
        entries(q), abs=1e-7
    )


# R = Rz(90 deg) Ry(90 deg) Rx(c): only the difference of the outer angles is left (THEORY 1)
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("outer", [(0.4, 0.3), (-2.0, 1.0)])
def test_locked_attitudes_come_back_and_are_reported(sequence, outer):
    for middle in (0.0, math.pi) if sequence[0] == sequence[2] else (math.pi / 2, -math.pi / 2):
        q = from_euler(sequence, (outer[0], middle, outer[1]))
        assert entries(from_euler(sequence, to_euler(sequence, q))) == pytest.approx(
            entries(q), abs=1e-8
        )
        assert locked(sequence, q) and "turn about the same axis" in lock_sentence(sequence, q)
    assert not locked(sequence, from_euler(sequence, (0.1, 0.7, 0.2))) and not lock_sentence(
        sequence, from_euler(sequence, (0.1, 0.7, 0.2))
    )


def test_zyx_is_the_convention_of_the_drawing():
    assert from_euler("ZYX", (0.3, 0.5, -0.7)) == pytest.approx(from_angles(0.3, 0.5, -0.7))
    assert ATTITUDES["ZYX"].read(from_angles(0.3, 0.5, -0.7)) == pytest.approx((0.3, 0.5, -0.7))


def test_known_points():
    assert POSITIONS["cylindrical"].read((0.0, 2.0, 3.0)) == pytest.approx((2.0, math.pi / 2, 3.0))
    assert POSITIONS["spherical"].read((0.0, 0.0, -3.0)) == pytest.approx((3.0, math.pi, 0.0))


def test_both_quaternions_of_an_attitude_are_shown_as_one():
    q = from_angles(0.3, 0.5, 3.0)
    assert ATTITUDES[QUATERNION].read(tuple(-c for c in q)) == pytest.approx(
        ATTITUDES[QUATERNION].read(q)
    )
    assert ATTITUDES[QUATERNION].read(q)[0] >= 0
