"""Decimal commas in French: a point in every number, the commas of functions untouched."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mechstudio import translation
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.formulas.expression import evaluate
from mechstudio.model.units import DIMENSIONS, SYSTEMS, format_value, unit, written_value


@pytest.fixture
def french(monkeypatch):
    monkeypatch.setattr(translation, "_language", "fr")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1,5 mm", "1.5 mm"),
        ("2*(0,5+L1)", "2*(0.5+L1)"),
        ("atan2(1,2)", "atan2(1,2)"),
        ("3,0*atan2(L1,(2))+1,5", "3.0*atan2(L1,(2))+1.5"),
        ("a,b", "a,b"),
        ("−0,25", "−0.25"),
        ("1,", "1."),
    ],
)
def test_commas_of_numbers_become_points(french, typed, read):
    assert with_points(typed) == read


def test_english_has_no_decimal_comma():
    assert with_points("1,5 mm") == "1,5 mm" and with_commas("1.5 mm") == "1.5 mm"


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("1.5 mm", "1,5 mm"),
        ("2*(0.5+L1)", "2*(0,5+L1)"),
        ("atan2(1.5,2.0)", "atan2(1.5,2.0)"),
        ("3.0*atan2(L1,(2.5))+1.5", "3,0*atan2(L1,(2.5))+1,5"),
        ("1.5e-3 m", "1,5e-3 m"),
        ("2*a1.x", "2*a1.x"),
        ("−0.25", "−0,25"),
    ],
)
def test_formulas_are_shown_with_commas_and_read_back_the_same(french, kept, shown):
    assert with_commas(kept) == shown and with_points(shown) == kept


units_of_dimensions = st.sampled_from([(d, s) for d in sorted(DIMENSIONS) for s in SYSTEMS])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.floats(-1e12, 1e12), units_of_dimensions)
def test_a_value_is_shown_with_a_comma_and_written_with_a_point(french, value, known):
    dimension, system = known
    shown, written = (f(value, dimension, system, 9) for f in (format_value, written_value))
    number = shown.split()[0]
    assert "." not in number and "," not in written
    assert with_points(shown).replace("−", "-") == written
    # the symbol of another unit than the system's, as of far lengths, stands in the text
    read = evaluate(written, dimension, {}, unit(dimension, system).symbol)
    assert math.isclose(read, value, rel_tol=1e-8, abs_tol=1e-15)
