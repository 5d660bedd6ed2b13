"""Texts of the numbers of an instant under symbols and in matrices, by the name of their place."""

import math

from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.equations.terms import Equations
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import localised

# prefix of the name of a place as large as a letter, as in typst_numbers of the printers
LARGE = "="
UNDETERMINED = "≈"  # before numbers that rigid bodies do not determine
DIGITS = 4
ZERO = 1e-12  # below it a number is the rounding of a zero [SI]
_RATES = {
    "angle": ("angle", "angular_velocity", "angular_acceleration"),
    "length": ("length", "velocity", "acceleration"),
}


def figure(value: float) -> str:
    """A number in DIGITS digits, whose width stays the same in a running display."""
    if not math.isfinite(value):
        return "–"
    if abs(value) < ZERO:
        return "0"
    if 1e-3 <= abs(value) < 10**DIGITS:
        places = DIGITS - 1 - math.floor(math.log10(abs(value)))
        text = f"{value:.{max(min(places, DIGITS), 0)}f}"
    elif abs(value) < 1e6:
        text = f"{value:.0f}" if abs(value) > 1 else f"{value:.1e}"
    else:
        text = f"{value:.2e}"
    return localised(text).replace("e-0", "e-").replace("e+0", "e").replace("-", "−")


def texts(equations: Equations, numbers: InstantNumbers, units: str) -> dict[str, str]:
    """Texts by the name of the symbol, or LARGE + name and LARGE + "M.0.1" for places of
    typst_numbers.

    Under symbols and in matrices numbers are SI, angles in the unit of `units`; coordinates in a
    table have their units written out.
    """
    out: dict[str, str] = {}
    degrees = unit("angle", units)
    for u in equations.coordinates:
        dimensions = _RATES.get(u.dimension, ("number",) * 3)
        for name, dimension in zip((u.position, u.velocity, u.acceleration), dimensions):
            value = numbers.values.get(name.name)
            if value is None:
                continue
            rotated = dimension == "angle" and degrees.symbol != "rad"
            out[name.name] = (
                f"{format_number(value / degrees.factor, DIGITS)}°" if rotated else figure(value)
            )
            out[LARGE + name.name] = (
                format_value(value if abs(value) > ZERO else 0.0, dimension, units, DIGITS)
                if dimension != "number"
                else figure(value)
            )
    for i, name in enumerate(equations.multipliers):
        value = numbers.values.get(name.name)
        if value is not None:
            determined = i >= len(numbers.determined) or numbers.determined[i]
            out[name.name] = out[LARGE + name.name] = (
                figure(value) if determined else f"{UNDETERMINED} {figure(value)}"
            )
    for key, rows in numbers.matrices.items():
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                out[f"{LARGE}{key}.{i}.{j}"] = figure(value)
    return out
