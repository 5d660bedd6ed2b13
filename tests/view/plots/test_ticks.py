"""Ticks, ranges and numbers of axes against values worked out by hand."""

import math

import numpy as np
import pytest

from mechstudio.view.plots.ticks import (
    even_ticks,
    minus,
    power_text,
    power_ticks,
    reach,
    reading,
    with_common_zero,
)

NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (-2.0, 1.0, 5, {-2: "10⁻²", -1: "10⁻¹", 0: "10⁰", 1: "10¹"}),
        (-2.1, 1.1, 5, {-2: "10⁻²", -1: "10⁻¹", 0: "10⁰", 1: "10¹"}),
        (-1.9, 0.9, 5, {-1: "10⁻¹", 0: "10⁰"}),
        # nine powers are too many: every other one, and those are even
        (-5.0, 3.0, 5, {-4: "10⁻⁴", -2: "10⁻²", 0: "10⁰", 2: "10²"}),
        (-14.3, -7.7, 3, {-12: "10⁻¹²", -9: "10⁻⁹"}),
        (0.2, 0.8, 5, {}),
    ],
)
def test_powers_of_ten_are_whole_and_few(low, high, most, expected):
    assert dict(power_ticks(low, high, most)) == expected


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.0, 6.0, 6, ["0", "1", "2", "3", "4", "5", "6"]),
        (0.0, 6.1, 6, ["0", "2", "4", "6"]),
        (-1.0, 1.0, 4, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
        (0.05, 0.31, 6, ["0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]),
        (0.0, 0.06, 6, ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05", "0.06"]),
        (0.0, 6e-6, 6, [f"0.00000{k}" for k in range(7)]),
        (0.0, 6e-7, 6, ["0", "1e−07", "2e−07", "3e−07", "4e−07", "5e−07", "6e−07"]),
        (0.0, 9e6, 3, ["0", "5000000"]),
        (0.0, 4e7, 4, ["0", "1e+07", "2e+07", "3e+07", "4e+07"]),
        (-2e7, 0.0, 4, ["−2e+07", "−1.5e+07", "−1e+07", "−5e+06", "0"]),
    ],
)
def test_even_ticks_are_round_and_have_as_many_digits_as_they_need(low, high, most, expected):
    ticks = even_ticks(low, high, most)
    assert [text for _, text in ticks] == expected
    for value, text in ticks:
        assert value == pytest.approx(float(text.replace("−", "-")), abs=1e-12 * (high - low))


@pytest.mark.parametrize(
    ("value", "span", "text"),
    [
        (NAN, 1.0, "–"),
        (math.inf, 1.0, "–"),
        (0.0, 0.0, "0"),
        (1.23456, 2.0, "1.235"),
        (-1.23456, 2.0, "−1.235"),
        (1.23456, 20.0, "1.23"),
        (1.23456, 2000.0, "1"),
        (1234.56, 1.0, "1235"),
        (0.0123456, 0.05, "0.01235"),
        (-0.0001, 20.0, "0.00"),  # no zero with a sign
        (0.0, 1e-3, "0.000000"),
        (1.23456e-4, 0.0, "0.0001235"),
        (9.9e-5, 0.0, "9.900e−5"),
        (9_999_999.0, 0.0, "9999999"),
        (1e7, 0.0, "1.000e7"),
        (-1.5e-12, 0.0, "−1.500e−12"),
        (0.0, 2e8, "0.000e0"),
    ],
)
def test_a_reading_has_four_digits_of_its_curve(value, span, text):
    assert reading(value, span) == text


@pytest.mark.parametrize(
    ("exponent", "text"),
    [(-12.5, "3.2e−13"), (0.0, "1.0e0"), (2.0, "1.0e2"), (-0.001, "1.0e0"), (NAN, "–")]
    + [(0.3010299957, "2.0e0"), (2.9979, "1.0e3"), (2.9976, "9.9e2")],
)
def test_a_power_is_written_with_two_digits(exponent, text):
    assert power_text(exponent) == text and minus("-1") == "−1"


@pytest.mark.parametrize(
    ("values", "log", "expected"),
    [
        ((), False, (0.0, 1.0)),
        ((), True, (-14.0, -8.0)),
        (([NAN, math.inf],), False, (0.0, 1.0)),
        # six hundredths of the range above and below
        (([0.0, 10.0], [4.0, NAN]), False, (-0.6, 10.6)),
        (([0.0, 4.0], [-6.0, NAN]), False, (-6.6, 4.6)),
        # one that does not change is a level line: a thousandth of it is the least range
        (([2000.0],), False, (2000 - 1.12, 2000 + 1.12)),
        (([-3000.0, -3000.0],), False, (-3000 - 1.68, -3000 + 1.68)),
        (([0.0],), False, (-0.56e-9, 0.56e-9)),
        (([0.0, 1e-5],), False, (-0.06e-5, 1.06e-5)),
        # whole powers with a third of one more, three of them at least
        (([-11.5, -8.2],), True, (-12.3, -7.7)),
        (([-11.5],), True, (-12.3, -8.7)),
        # one sample that is zero by luck does not count
        (([-18.0] + 99 * [-11.5],), True, (-12.3, -8.7)),
        ((100 * [-11.5], [-13.5]), True, (-14.3, -10.7)),
    ],
)
def test_ranges_show_all_with_some_room(values, log, expected):
    assert reach([np.array(v) for v in values], log) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((0.0, 1.0), (0.0, 5.0), ((0.0, 1.0), (0.0, 5.0))),
        ((-1.0, 1.0), (-5.0, 5.0), ((-1.0, 1.0), (-5.0, 5.0))),
        ((-1.0, 0.0), (-5.0, 0.0), ((-1.0, 0.0), (-5.0, 0.0))),
        # zero inside one range only: the other one goes on as far below it
        ((-1.0, 1.0), (0.0, 5.0), ((-1.0, 1.0), (-5.0, 5.0))),
        ((2.0, 4.0), (-1.0, 3.0), ((-4.0 / 3.0, 4.0), (-1.0, 3.0))),
        # one wholly below zero, one wholly above: in the middle
        ((-1.0, 0.0), (0.0, 5.0), ((-1.0, 1.0), (-5.0, 5.0))),
        # shares of 1/4 and 1/2: half as large again is less than twice
        ((-1.0, 3.0), (-1.0, 1.0), ((-3.0, 3.0), (-1.0, 1.0))),
    ],
)
def test_zeros_of_two_axes_are_at_one_height(left, right, expected):
    """Both ranges grow as little as they can: what they were is inside."""
    found = with_common_zero(left, right)
    product = math.prod(high - low for low, high in found)
    assert product <= math.prod(high - low for low, high in expected) * (1 + 1e-12)
    (a, b), (c, d) = found
    assert a / (a - b) == pytest.approx(c / (c - d))
    for (low, high), (first, last) in zip((left, right), found, strict=True):
        assert first <= min(low, 0.0) + 1e-12 and last >= max(high, 0.0) - 1e-12
    assert product == pytest.approx(math.prod(high - low for low, high in expected))
