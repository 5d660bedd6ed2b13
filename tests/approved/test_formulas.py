"""Typed numbers: what each formula is worth, or why it is none."""

from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.units import DIMENSIONS
from mechstudio.translation import tr

NAMES = {"L": (0.3, "length"), "w": (2.0, "angular_velocity"), "n": (3.0, "number")}
FORMULAS = """
2 | 2 mm | 2mm | .5 m | 1e-3 m | 1.5E2 mm | 2,5 mm | 1,000 mm | −3 mm | +3 mm | - -3 mm
2 mm + 3 | 2 + 3 mm | 2 mm + 3 mm | 2 mm * 3 | 3 * 2 mm | 2 mm * 3 mm | 2 m / 4 | 2 m / 4 s
6 / 2 m | 2^3 m | 2**3 m | 2^3^2 | -2^2 | (-2)^2 | 2^-1 m | 4^0.5 m | (2 m)^2 | (2 m)^0.5
(4 m^2)^0.5 | 2 m^2 / m | 2 m·s | 2 N·m | 2 N*m | 2 N m | 2 kg·m/s² | 2 kg m^2/s^2 | 2 N/m
2 N/mm | 2 1/s | 2 s⁻¹ | 3 1/m | 90 deg | 90° | pi/2 | π/2 | 1 rad | 1 turn | 60 rpm | 360 deg/s
2 rev/s | 1 grad | 5 % | 50% | 2 in | 2 ft | 2 lbf | 2 psi | 2 lb | 2 inch | 1 h | 1 min | 1 ms
1 µs | 1 kN | 1 MN | 1 hp | 1 kW | 1 bar | sin(30 deg) | sin(0.5) | cos(pi) | tan(45°)
asin(0.5) | acos(2) | atan(1) | atan2(1, 2) | atan2(1 m, 2 m) | atan2(1 m, 2) | sqrt(4)
sqrt(4 m^2) | sqrt(4 m) | sqrt(-1) | exp(1) | exp(1 m) | log(2) | log(0) | ln(2) | abs(-3 mm)
min(1 mm, 2 m) | max(1, 2, 3) | min(1) | min() | max(1 m, 2 s) | floor(2.7) | round(2.5)
hypot(3 m, 4 m) | sign(-2 m) | sinh(1) | cosh(1) | tanh(1) | step(1) | pow(2, 3) | mod(7, 4)
if(1, 2, 3) | L | 2*L | L + 2 | L + 2 mm | L/w | L*w | n*L | L^n | L^2 | w + n | L + n | K | L L
2 L | L(2) | w*1 s | 1/0 | 0/0 | 1e400 | 1e308*10 | 10^400 m | (1 | 1) | 1 + | * 2 | 2 ** | 2 3
2 mm mm | mm | 2 furlong | 2 $ | 1 m + 1 rad | 1 N·m + 1 J | 2 N·m/rad | 1 rad * 1 m
1 Hz + 1 rad/s | 2 Hz | 2 m/m | 2 m^20 | 2 m^0.3 | sin | sin() | sin(1, 2) | foo(1) | 2 sin(1)
pi | e | i | g | 2 pi | 3 deg + pi | 1 deg * 1 rad | (2 mm)(3) | 2(3) | ((((1)))) | 1_000 | 0x10
1e | 1.2.3 | 1..2 | "a" | a.b | [1] | {1} | 1 < 2 | 1; 2 | 1 = 1 | L + L*w*1 s | 1 kg + 1 kg*rad
1 s + 1 s*rad | 2 + 30 deg | 0 + 30 deg | 2*pi + 30 deg | n + 30 deg | 1 rad + 1 rad^2
30 deg - 2 | max(L, 2 m*rad) | 1 m - 1 s | w - n | 1/s + w | 2 N·m/rad + 1 N·m | 1 rad*1 rad + 1
(1 m)^n | 2^(1 m) | (2 m)^(1/3) | (2 s)^-2 m | (1 m)^30
"""
DIMENSIONS_TRIED = ("length", "number", "angle", "force", "stiffness", "angular_velocity")


def reported(formula, dimension):
    try:
        found = expression.quantity(formula, dimension, NAMES)
    except ExpressionError as error:
        words = str(error)  # "force expected, got length" of one dimension or another
        return words.removeprefix(f"{tr(dimension).replace('_', ' ')} expected, ")
    return f"{found.value:.9g}"


def test_formulas_are_worth_what_is_approved(approved):
    assert set(DIMENSIONS_TRIED) <= set(DIMENSIONS)
    lines: list[str] = []
    for formula in FORMULAS.replace("\n", "|").split("|"):
        if not formula.strip():
            continue
        lines.append(formula.strip())
        rows: dict[str, list[str]] = {}
        for dimension in DIMENSIONS_TRIED:
            rows.setdefault(reported(formula.strip(), dimension), []).append(dimension)
        lines += [f"  {', '.join(names)}: {words}" for words, names in rows.items()]
    approved.holds("formulas.txt", "\n".join(lines) + "\n")
