"""Round numbers and steps."""

import math

import pytest

from mechstudio.model.rounding import (
    round_above,
    round_below,
    round_in_unit,
    round_near,
    step_above,
    step_below,
    stepped,
)


@pytest.mark.parametrize(
    "value", [10.0**k * m for k in (-9, -1, 0, 7) for m in (1.0, 1.3, 2.0, 3.7, 5.0, 7.1, 9.99)]
)
def test_round_numbers_enclose_a_value_with_none_between(value):
    below, above, near = round_below(value), round_above(value), round_near(value)
    assert below <= value * (1 + 1e-9) and above >= value * (1 - 1e-9) and near in (below, above)
    for number in (below, above):
        assert any(
            math.isclose(number, k * 10.0 ** round(math.log10(number / k))) for k in (1, 2, 5)
        )
    assert above / below < 1 + 1e-9 or above / below < 2.5 + 1e-9


def test_round_numbers_stand_for_themselves_whatever_the_rounding():
    assert [round_above(3 * 0.1 + 0.2), round_below(0.1 * 3 + 0.2), round_near(0.5)] == [
        0.5,
        0.5,
        0.5,
    ]
    assert round_above(0.1 + 0.1 + 1e-17) == 0.2 and round_below(0.7 + 0.3 - 1e-16) == 1.0


def test_steps_are_round_in_the_unit_and_there_is_one_for_nothing():
    assert step_above(0.0254 * 0.3, "inch-lbf") == pytest.approx(0.0254 * 0.5) and step_below(
        0.0254 * 0.3, "inch-lbf"
    ) == pytest.approx(0.0254 * 0.2)
    assert (
        step_above(0.0013, "mm-N-deg") == pytest.approx(0.002)
        and 0.0 < step_below(0.0, "mm-N-deg") < 1e-12
    )
    assert stepped(0.30000001, 0.1) == 0.3 and stepped(-0.26, 0.1) == -0.3


@pytest.mark.parametrize(
    ("value", "units", "expected"),
    [
        (0.037, "mm-N-deg", 0.05),
        (0.0126, "inch-lbf", 0.5 * 0.0254),
        (0.006, "inch-lbf", 0.25 * 0.0254),
        (0.1, "inch-lbf", 5 * 0.0254),
        (1e-7, "inch-lbf", 5e-6 * 0.0254),
        (0.0126, "", 0.01),
    ],
)
def test_lengths_are_round_in_their_unit(value, units, expected):
    assert round_in_unit(value, units) == pytest.approx(expected)
