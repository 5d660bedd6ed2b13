"""Small decisions of the panels: nudging, ticks, speeds, sliders, searching."""

from decimal import Decimal

import pytest

from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.view.bars.status_line import CONSTRAINT_LIMITS, ENERGY_LIMITS, grade
from mechstudio.view.bars.time_bar import speed_text
from mechstudio.view.bars.track import tick_step, word_start
from mechstudio.view.dialogs.palette import Entry, ranked
from mechstudio.view.panels.controls import scale, shown_in
from mechstudio.view.plots.ticks import even_ticks, power_ticks
from mechstudio.view.widgets.fields.formula_field import nudged, sentence


@pytest.mark.parametrize(
    ("text", "notches", "share", "result"),
    [
        ("330 mm", 1, "1", "340 mm"),
        ("330 mm", -2, "1", "310 mm"),
        ("330 mm", 1, "0.1", "331 mm"),
        ("330 mm", 1, "10", "430 mm"),
        ("1.42 kg", 1, "1", "1.52 kg"),
        ("0", 1, "1", "1"),
        ("0 mm", -1, "1", "-1 mm"),
        ("−5 deg", 1, "1", "-4.9 deg"),
        ("9.81 m/s²", 1, "1", "9.91 m/s²"),
        ("1e-9", 1, "1", "0.0000000011"),
        ("99 mm", 1, "1", "100 mm"),
        ("L1", 1, "1", None),
        ("2*L1 + 3 mm", 1, "1", None),
        ("3*25 mm", 1, "1", None),
    ],
)
def test_nudging_moves_the_second_digit_and_leaves_formulas_alone(text, notches, share, result):
    assert nudged(text, notches, Decimal(share)) == result


@pytest.mark.parametrize(
    ("reason", "typed", "shown"),
    [
        ("foo is not a known function.", "2*foo(1)", "foo is not a known function."),
        ("banana is no parameter.", "banana", "banana is no parameter."),
        ("length expected", "3 kg", "Length expected"),
        ("expected a length", "", "Expected a length"),
        ("", "1", ""),
    ],
)
def test_a_reason_keeps_the_names_that_were_typed(reason, typed, shown):
    assert sentence(reason, typed) == shown


@pytest.mark.parametrize(
    ("duration", "width", "step"),
    [(6.0, 780, 1.0), (5.0, 1400, 0.5), (0.01, 800, 0.002), (3600.0, 800, 1000.0)],
)
def test_ticks_are_round_and_far_enough_apart(duration, width, step):
    assert tick_step(duration, width) == pytest.approx(step)


def test_ticks_of_nothing_are_harmless():
    assert tick_step(0.0, 800) == 1.0


@pytest.mark.parametrize(
    ("speed", "text"), [(1.0, "1.00×"), (2.0, "2×"), (0.25, "1/4×"), (1 / 32, "1/32×")]
)
def test_speeds_read_as_people_say_them(speed, text):
    assert speed_text(speed) == text


def test_ticks_of_a_log_axis_are_powers_of_ten():
    assert power_ticks(-14.3, -11.7) == [(-14.0, "10⁻¹⁴"), (-13.0, "10⁻¹³"), (-12.0, "10⁻¹²")]
    assert len(power_ticks(-18, 2)) <= 6


def test_ticks_of_the_right_axis_lie_inside():
    assert [t for _, t in even_ticks(-55.0, 61.0)] == ["−40", "−20", "0", "20", "40", "60"]


def test_grades():
    assert [grade(x, CONSTRAINT_LIMITS) for x in (0.0, 1e-8, 2e-8, 1e-4)] == [
        "ok",
        "ok",
        "warn",
        "error",
    ]
    assert [grade(x, ENERGY_LIMITS) for x in (1e-3, 2e-3, 0.5)] == ["ok", "warn", "error"]


def test_a_slider_moves_in_round_steps_of_the_unit_it_was_typed_in():
    p = Parameter(
        "L1", Quantity(0.13, "130 mm"), "length", Quantity(0.06, "60 mm"), Quantity(0.15, "150 mm")
    )
    assert scale(p, DEFAULT_SYSTEM) == pytest.approx((60.0, 0.5, 180.0))
    q = Parameter("omega", Quantity(6.0, "6 rad/s"), "angular_velocity")
    assert shown_in(q, DEFAULT_SYSTEM).symbol == "rad/s" and scale(q, DEFAULT_SYSTEM)[0] == 0


def test_a_hyphen_finds_what_is_written_with_one_and_without():
    entries = [Entry(k, k, "", lambda: None) for k in ("Four-bar", "four bar", "Fourteen")]
    for query in ("four-bar", "four bar", "Four-B"):
        assert {e.text for e in ranked(query, entries, [])} == {"Four-bar", "four bar"}


@pytest.mark.parametrize(
    ("cursor", "start"),
    [(0.0, 10), (3.9, 10), (4.1, 122), (60.0, 122), (115.9, 122), (116.1, 10), (500.0, 10)],
)
def test_a_word_stands_where_the_cursor_does_not_cut_it(cursor, start):
    """A word 100 px wide at 10 px, a cursor that covers 6 px to either side."""
    assert word_start(10, 100, cursor, 6) == start
    assert not start - 6 < cursor < start + 100 + 6


def test_the_palette_prefers_beginnings_and_what_was_used_last():
    entries = [Entry(k, k, "", lambda: None) for k in ("Save as", "Save", "Unsaved work", "Dark")]
    assert [e.text for e in ranked("save", entries, [])] == ["Save", "Save as", "Unsaved work"]
    assert ranked("", entries, ["Dark"])[0].text == "Dark"
    assert next(e.text for e in ranked("dk", entries, [])) == "Dark"
    assert ranked("zzz", entries, []) == []
