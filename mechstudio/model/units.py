"""Dimensions, units and unit systems: the meaning of a number, its unit of display, and how it is
written.

Exponents are (length, mass, time, angle).  Angle counts as a dimension of its own, so that "90 deg"
is refused where a length is expected; what may stand for an angle is decided in
model/formulas/expression.py.
"""

import functools
import math

import msgspec

from mechstudio.translation import Words, comma, localised, tr

Exponents = tuple[float, float, float, float]
NUMBER: Exponents = (0, 0, 0, 0)

SYSTEM_NAMES = ("mm-N-deg", "m-N-rad", "inch-lbf")
# (exponents, then the unit that each system shows it in); each unit must be readable by
# model/formulas/expression.py (a test reads them all)
_ROWS: dict[str, tuple[Exponents, str, str, str]] = {
    "number": (NUMBER, "", "", ""),
    "length": ((1, 0, 0, 0), "mm", "m", "in"),
    "angle": ((0, 0, 0, 1), "deg", "rad", "deg"),
    "mass": ((0, 1, 0, 0), "kg", "kg", "lb"),
    "time": ((0, 0, 1, 0), "s", "s", "s"),
    "force": ((1, 1, -2, 0), "N", "N", "lbf"),
    "torque": ((2, 1, -2, 0), "N·m", "N·m", "lbf·in"),
    "velocity": ((1, 0, -1, 0), "mm/s", "m/s", "in/s"),
    "angular_velocity": ((0, 0, -1, 1), "deg/s", "rad/s", "deg/s"),
    "acceleration": ((1, 0, -2, 0), "m/s²", "m/s²", "ft/s²"),
    "stiffness": ((0, 1, -2, 0), "N/mm", "N/m", "lbf/in"),
    "torsional_stiffness": ((2, 1, -2, -1), "N·m/rad", "N·m/rad", "lbf·in/rad"),
    "damping": ((0, 1, -1, 0), "N·s/m", "N·s/m", "lbf·s/in"),
    "torsional_damping": ((2, 1, -1, -1), "N·m·s/rad", "N·m·s/rad", "lbf·in·s/rad"),
    "density": ((-3, 1, 0, 0), "kg/m³", "kg/m³", "lb/in³"),
    "inertia": ((2, 1, 0, 0), "kg·mm²", "kg·m²", "lb·in²"),
    "energy": ((2, 1, -2, 0), "J", "J", "ft·lbf"),
    "power": ((2, 1, -3, 0), "W", "W", "ft·lbf/s"),
    "frequency": ((0, 0, -1, 0), "Hz", "Hz", "Hz"),
    "curvature": ((-1, 0, 0, 1), "rad/m", "rad/m", "rad/in"),
    "momentum": ((1, 1, -1, 0), "kg·m/s", "kg·m/s", "lb·in/s"),
    "mass_radius": ((1, 1, 0, 0), "kg·mm", "kg·m", "lb·in"),
    "angular_momentum": ((2, 1, -1, 0), "kg·m²/s", "kg·m²/s", "lb·in²/s"),
    "angular_acceleration": ((0, 0, -2, 1), "deg/s²", "rad/s²", "deg/s²"),
    # force per radian and its rate: what couples turns and shifts in a bushing
    "coupled_stiffness": ((1, 1, -2, -1), "N/rad", "N/rad", "lbf/rad"),
    "coupled_damping": ((1, 1, -1, -1), "N·s/rad", "N·s/rad", "lbf·s/rad"),
}
DIMENSIONS: dict[str, Exponents] = {name: row[0] for name, row in _ROWS.items()}
SPOKEN: dict[str, Words] = {name: name.replace("_", " ") for name in DIMENSIONS}

# torque stands before energy: newton metres without more are a torque
_FIRST_NAMES: dict[Exponents, str] = {
    exponents: name for name, exponents in reversed(DIMENSIONS.items())
}

# names that only serve to say what a formula has become
_OTHER_NAMES: dict[Exponents, str] = {
    (2, 0, 0, 0): "area",
    (3, 0, 0, 0): "volume",
    (-1, 1, -2, 0): "pressure",
    (-1, 0, 0, 0): "1/length",
}


class Unit(msgspec.Struct, frozen=True):
    """A unit as it is shown.  factor: SI value of one such unit."""

    symbol: str
    factor: float


class KnownUnit(msgspec.Struct, frozen=True):
    """A unit as it is read.  One of it is numerator / denominator in SI; two exact numbers, so that
    7 mm is 7 / 1000.

    kind: "torque", "energy" or "frequency" where the exponents alone leave it open, else "".
    """

    exponents: Exponents
    numerator: float = 1.0
    denominator: float = 1.0
    kind: str = ""


def _known_units() -> dict[str, KnownUnit]:
    length, mass, time, force = (DIMENSIONS[d] for d in ("length", "mass", "time", "force"))
    angle, energy, power, pressure = (
        DIMENSIONS["angle"],
        DIMENSIONS["energy"],
        (2, 1, -3, 0),
        (-1, 1, -2, 0),
    )
    pound, gravity = 0.45359237, 9.80665
    table = {
        "m": KnownUnit(length),
        "km": KnownUnit(length, 1000),
        "dm": KnownUnit(length, 1, 10),
        "cm": KnownUnit(length, 1, 100),
        "mm": KnownUnit(length, 1, 1000),
        "µm": KnownUnit(length, 1, 1e6),
        "nm": KnownUnit(length, 1, 1e9),
        "in": KnownUnit(length, 127, 5000),
        "ft": KnownUnit(length, 381, 1250),
        "yd": KnownUnit(length, 1143, 1250),
        "rad": KnownUnit(angle),
        "mrad": KnownUnit(angle, 1, 1000),
        "deg": KnownUnit(angle, math.pi, 180),
        "rev": KnownUnit(angle, 2 * math.pi),
        "kg": KnownUnit(mass),
        "g": KnownUnit(mass, 1, 1000),
        "mg": KnownUnit(mass, 1, 1e6),
        "t": KnownUnit(mass, 1000),
        "lb": KnownUnit(mass, pound),
        "oz": KnownUnit(mass, pound, 16),
        "slug": KnownUnit(mass, pound * gravity * 1250, 381),
        "s": KnownUnit(time),
        "ms": KnownUnit(time, 1, 1000),
        "µs": KnownUnit(time, 1, 1e6),
        "min": KnownUnit(time, 60),
        "h": KnownUnit(time, 3600),
        "N": KnownUnit(force),
        "mN": KnownUnit(force, 1, 1000),
        "kN": KnownUnit(force, 1000),
        "MN": KnownUnit(force, 1e6),
        "lbf": KnownUnit(force, pound * gravity),
        "kgf": KnownUnit(force, gravity),
        "Nm": KnownUnit(energy, kind="torque"),
        "Nmm": KnownUnit(energy, 1, 1000, "torque"),
        "Ncm": KnownUnit(energy, 1, 100, "torque"),
        "kNm": KnownUnit(energy, 1000, kind="torque"),
        "J": KnownUnit(energy, kind="energy"),
        "mJ": KnownUnit(energy, 1, 1000, "energy"),
        "kJ": KnownUnit(energy, 1000, kind="energy"),
        "W": KnownUnit(power),
        "mW": KnownUnit(power, 1, 1000),
        "kW": KnownUnit(power, 1000),
        "Pa": KnownUnit(pressure),
        "kPa": KnownUnit(pressure, 1000),
        "MPa": KnownUnit(pressure, 1e6),
        "GPa": KnownUnit(pressure, 1e9),
        "rpm": KnownUnit(DIMENSIONS["angular_velocity"], 2 * math.pi, 60),
        "Hz": KnownUnit(DIMENSIONS["frequency"], kind="frequency"),
    }
    # other spellings; the micro sign U+00B5 and the Greek mu U+03BC look alike
    for alias, name in (
        ("um", "µm"),
        ("μm", "µm"),
        ("us", "µs"),
        ("μs", "µs"),
        ("inch", "in"),
        ("°", "deg"),
        ("turn", "rev"),
        ("sec", "s"),
        ("lbs", "lb"),
        ("lbm", "lb"),
    ):
        table[alias] = table[name]
    return table


UNITS: dict[str, KnownUnit] = _known_units()

# unit symbols per dimension
SYSTEMS: dict[str, dict[str, str]] = {
    system: {name: units[k] for name, (_, *units) in _ROWS.items()}
    for k, system in enumerate(SYSTEM_NAMES)
}
DEFAULT_SYSTEM = "mm-N-deg"

# where millimetres are shown, lengths outside machines' sizes: from [m], unit
_FAR_LENGTHS = ((1e5, "km"), (100.0, "m"), (1e-6, ""), (0.0, "nm"))

_SUPERSCRIPTS = {"²": 2, "³": 3}


@functools.cache
def _factor(symbol: str) -> float:
    """SI value of one unit written as in SYSTEMS: units joined by "·" and "/", superscripts 2 and
    3.
    """
    above = below = 1.0
    divide = False
    for part in symbol.replace("/", "·/").split("·"):
        divide = divide or part.startswith("/")
        part = part.lstrip("/")
        power = _SUPERSCRIPTS.get(part[-1:], 1)
        known = UNITS[part[:-1] if power > 1 else part]
        for _ in range(power):
            above *= known.denominator if divide else known.numerator
            below *= known.numerator if divide else known.denominator
    return above / below


def unit(dimension: str, system: str = DEFAULT_SYSTEM) -> Unit:
    """The unit in which a system shows a dimension.  Raises KeyError for an unknown one."""
    if system not in SYSTEMS:
        raise KeyError(
            tr(
                "There is no system of units {system}; there are {known}.",
                system=system,
                known=comma().join(SYSTEMS),
            )
        )
    symbol = SYSTEMS[system][dimension]
    return Unit(symbol, _factor(symbol) if symbol else 1.0)


def without_prefixes(system: str) -> str:
    """The system for numbers that are written as powers of ten: m instead of mm."""
    return "m-N-rad" if system == "mm-N-deg" else system


def spoken(dimension: str) -> str:
    """Shown name of a dimension: "angular velocity"."""
    return tr(SPOKEN[dimension]) if dimension in SPOKEN else dimension.replace("_", " ")


def words(exponents: Exponents, kind: str = "") -> str:
    """Name of a quantity: "angular velocity", or its SI unit where it has no name."""
    if kind:
        return kind
    for table in (_FIRST_NAMES, _OTHER_NAMES):
        if exponents in table:
            return spoken(table[exponents])
    above = [_power(u, e) for u, e in zip(("m", "kg", "s", "rad"), exponents) if e > 0]
    below = [_power(u, -e) for u, e in zip(("m", "kg", "s", "rad"), exponents) if e < 0]
    return tr("a quantity in ") + ("·".join(above) or "1") + "".join("/" + u for u in below)


def _power(symbol: str, exponent: float) -> str:
    return symbol if exponent == 1 else f"{symbol}^{exponent:g}"


def format_number(number: float, digits: int = 6) -> str:
    """A number for the eye: `digits` significant ones, no trailing zeros, a true minus sign
    (U+2212), the decimal sign of the language shown.
    """
    return localised(_significant(number, digits).replace("-", "−"))


def _significant(number: float, digits: int) -> str:
    """`digits` significant digits without trailing zeros, as expressions read them; a dash for
    NaN and infinity.
    """
    if not math.isfinite(number):
        return "–"
    if number == 0:
        return "0"
    text = f"{number:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        e = int(exponent)
        text = f"{number:.0f}" if 0 < e < 9 else f"{mantissa}e{e}"
    if float(text) == 0:
        return "0"
    return text


def written_value(
    value: float, dimension: str, system: str = DEFAULT_SYSTEM, digits: int = 6
) -> str:
    """As `format_value`, as a text that expressions read, in every language."""
    number, symbol = _in_unit(value, dimension, system)
    return f"{_significant(number, digits)} {symbol}".rstrip()


def format_value(
    value: float, dimension: str, system: str = DEFAULT_SYSTEM, digits: int = 6
) -> str:
    """An SI value in the system's unit with its symbol, for display: "300 mm".

    Lengths and angles below 1e-15 m or rad are the rounding of a zero and are shown as one; NaN and
    infinity as a dash.
    Beside millimetres, 100 m and more are shown in metres and kilometres, and less than a
    micrometre in nanometres.
    """
    number, symbol = _in_unit(value, dimension, system)
    return f"{format_number(number, digits)} {symbol}".rstrip()


def _in_unit(value: float, dimension: str, system: str) -> tuple[float, str]:
    """Number and symbol that an SI value is shown with; no symbol for NaN and infinity."""
    shown_in = unit(dimension, system)
    if not math.isfinite(value):
        return value, ""
    if dimension in ("length", "angle") and abs(value) < 1e-15:
        value = 0.0
    elif shown_in.symbol == "mm":
        far = next(symbol for start, symbol in _FAR_LENGTHS if abs(value) >= start)
        shown_in = Unit(far, _factor(far)) if far else shown_in
    return value / shown_in.factor, shown_in.symbol
