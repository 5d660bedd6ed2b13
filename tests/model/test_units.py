"""Units: every symbol that is shown can be typed, and numbers are written for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechstudio.model.formulas.expression import evaluate
from mechstudio.model.units import (
    DIMENSIONS,
    SYSTEMS,
    UNITS,
    format_number,
    format_value,
    unit,
    words,
)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_symbol_reads_back_as_its_factor(system):
    assert SYSTEMS[system].keys() == DIMENSIONS.keys()
    for dimension, symbol in SYSTEMS[system].items():
        assert evaluate(f"1 {symbol}", dimension, {}) == pytest.approx(
            unit(dimension, system).factor, rel=1e-15
        )


# published exact values: international yard and pound 1959, standard gravity 1901
@pytest.mark.parametrize(
    ("text", "dimension", "si"),
    [
        ("1 in", "length", 0.0254),
        ("1 ft", "length", 0.3048),
        ("1 yd", "length", 0.9144),
        ("1 lb", "mass", 0.45359237),
        ("1 oz", "mass", 0.028349523125),
        ("1 lbf", "force", 4.4482216152605),
        ("1 slug", "mass", 14.593902937206364),
        ("1 kgf", "force", 9.80665),
        ("1 h", "time", 3600.0),
        ("1 t", "mass", 1000.0),
        ("1 MPa*(1 mm)^2", "force", 1.0),
        ("1 kW*(1 h)", "energy", 3.6e6),
        ("1 lbf*in", "torque", 0.1129848290276167),
    ],
)
def test_published_values(text, dimension, si):
    assert evaluate(text, dimension, {}) == pytest.approx(si, rel=1e-14)


# the table of prefixes of the SI, written out: a prefix is a power of ten
PREFIXES = {"G": 9, "M": 6, "k": 3, "d": -1, "c": -2, "m": -3, "µ": -6, "n": -9}
PREFIXED = {
    "m": "kdcmµn",
    "rad": "m",
    "s": "mµ",
    "N": "mkM",
    "Nm": "k",
    "J": "mk",
    "W": "mk",
    "Pa": "kMG",
}


@pytest.mark.parametrize(
    ("symbol", "power", "base"),
    [
        (f"{prefix}{base}", PREFIXES[prefix], base)
        for base, known in PREFIXED.items()
        for prefix in known
    ]
    + [("g", -3, "kg"), ("mg", -6, "kg"), ("Nmm", -3, "Nm"), ("Ncm", -2, "Nm")],
)
def test_a_prefix_is_a_power_of_ten(symbol, power, base):
    known, one = UNITS[symbol], UNITS[base]
    assert known.numerator / known.denominator == pytest.approx(10.0**power, rel=1e-15)
    assert one.numerator == one.denominator == 1 and (known.exponents, known.kind) == (
        one.exponents,
        one.kind,
    )


def test_every_unit_can_be_typed():
    for symbol, known in UNITS.items():
        number = evaluate(f"2 {symbol} / (1 {symbol})", "number", {})
        assert number == 2 and known.numerator > 0 and known.denominator > 0


@pytest.mark.parametrize(
    ("value", "dimension", "text"),
    [
        (0.3, "length", "300 mm"),
        (0.1 + 0.2, "length", "300 mm"),
        (1 / 3, "length", "333.333 mm"),
        (0.0, "length", "0 mm"),
        (-0.0, "angle", "0 deg"),
        (6e-17, "length", "0 mm"),
        (-0.001, "length", "−1 mm"),
        (math.pi / 6, "angle", "30 deg"),
        (1e-9, "length", "1 nm"),
        (1e-6, "length", "0.001 mm"),
        (99.5, "length", "99500 mm"),
        (-100.0, "length", "−100 m"),
        (1234.5678, "length", "1234.57 m"),
        (5e12, "length", "5e9 km"),
        (7850.0, "density", "7850 kg/m³"),
        (0.25, "number", "0.25"),
        (10000.0, "stiffness", "10 N/mm"),
        (float("nan"), "length", "–"),
        (float("inf"), "time", "–"),
        (-9.81, "acceleration", "−9.81 m/s²"),
    ],
)
def test_values_for_people(value, dimension, text):
    assert format_value(value, dimension) == text


def test_digits_and_systems():
    assert format_value(0.123456789, "length", digits=3) == "123 mm"
    assert format_value(0.0254, "length", "inch-lbf") == "1 in"
    assert format_value(0.0254, "length", "m-N-rad") == "0.0254 m"


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200))
def test_formatted_numbers_can_be_typed(number):
    text = format_number(number)
    assert "-" not in text and "E" not in text
    assert evaluate(text, "number", {}) == pytest.approx(number, rel=6e-6, abs=1e-300)


def test_words():
    assert words(DIMENSIONS["angular_velocity"]) == "angular velocity"
    assert words((2, 1, -2, 0)) == "torque" and words((2, 1, -2, 0), "energy") == "energy"
    assert words((0, 2, -3, 0)) == "a quantity in kg^2/s^3"
