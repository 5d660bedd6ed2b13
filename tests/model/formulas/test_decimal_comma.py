"""Decimal commas in French: a point in every number, the commas of functions untouched."""

import pytest

from mechstudio import translation
from mechstudio.model.formulas.decimal_comma import with_points


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
    assert with_points("1,5 mm") == "1,5 mm"
