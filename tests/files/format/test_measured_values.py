"""Measured values of a file: which are kept, and why others are refused."""

import numpy as np
import pytest

from mechstudio.files.format.checks import NotUnderstood, check_measurement
from mechstudio.model.project import Measurement

NAN, INF = np.nan, np.inf


def measured(times, values, shift=0.0) -> Measurement:
    stored = [np.asarray(x, "<f8").tobytes() for x in (times, values)]
    return Measurement("m", "m", "body.b.x", *stored, shift=shift)


@pytest.mark.parametrize(
    ("times", "values", "shift"),
    [
        ((0.0,), (1.0,), 0.0),
        ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0), -5.0),  # two at one instant
        ((-1.0, 0.0), (NAN, NAN), 0.0),  # missing ones
    ],
)
def test_values_over_ascending_instants_are_kept(times, values, shift):
    check_measurement(measured(times, values, shift))


@pytest.mark.parametrize(
    ("times", "values", "shift", "reason"),
    [
        ((), (), 0.0, "as many values as instants"),
        ((0.0, 1.0), (1.0,), 0.0, "as many values as instants"),
        ((0.0, 2.0, 1.0), (1.0,) * 3, 0.0, "order of the time"),
        ((0.0, NAN), (1.0,) * 2, 0.0, "order of the time"),
        ((-INF, 0.0), (1.0,) * 2, 0.0, "order of the time"),
        ((0.0, INF), (1.0,) * 2, 0.0, "order of the time"),
        ((0.0, 1.0), (1.0, -INF), 0.0, "out of all bounds"),
        ((0.0, 1.0), (1.0, 2.0), NAN, "out of all bounds"),
        ((0.0, 1.0), (1.0, 2.0), INF, "out of all bounds"),
    ],
)
def test_other_values_are_refused_with_the_reason(times, values, shift, reason):
    with pytest.raises(NotUnderstood, match=reason):
        check_measurement(measured(times, values, shift))


def test_bytes_that_are_no_numbers_are_refused():
    with pytest.raises(NotUnderstood, match="as many values"):
        check_measurement(Measurement("m", "m", "body.b.x", b"1234567", b"1234567"))
