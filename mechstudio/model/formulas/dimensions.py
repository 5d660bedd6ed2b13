"""Numbers that carry their dimension: how formulas add, multiply and raise them, and what is
refused in words.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mechstudio.model import units
from mechstudio.model.units import DIMENSIONS, NUMBER, Exponents
from mechstudio.translation import localised, series, tr

HIGHEST = 30  # power of a unit


class ExpressionError(ValueError):
    """Reason why a text is no number, in words.  unknown: the name that no parameter has, "" if
    that is not the reason.
    """

    def __init__(self, message: str, unknown: str = "") -> None:
        super().__init__(message)
        self.unknown = unknown


class Value(NamedTuple):
    """number: SI value.  kind: "torque" or "energy" where it is sure.  bare: made of numbers alone.
    pi: pi is in it.
    """

    number: float
    exponents: Exponents = NUMBER
    kind: str = ""
    bare: bool = False
    pi: bool = False


def combined(a: Exponents, b: Exponents, factor: float = 1) -> Exponents:
    """Exponents of a product (factor 1) or quotient (factor -1); rounded, so that the cube root of
    a volume is a length.
    """
    if b == NUMBER:
        return a
    if a == NUMBER and factor == 1:
        return b
    return tuple(round(x + factor * y, 9) for x, y in zip(a, b))  # type: ignore[return-value]


def words(value: Value) -> str:
    """Name of the quantity of a value."""
    return units.words(value.exponents, value.kind)


def is_number(value: Value) -> bool:
    """True if the value has no dimension at all."""
    return value.exponents == NUMBER


def common(a: Value, b: Value, doing: str) -> tuple[Exponents, str]:
    """Exponents and kind of two values that are added or compared.  Raises ExpressionError if they
    are not alike.
    """
    kinds = {a.kind, b.kind} - {""}
    if a.exponents[:3] != b.exponents[:3] or len(kinds) > 1:
        raise ExpressionError(
            f"{doing.format(words(a), words(b))}"
            + (tr(" Give the number a unit.") if a.bare or b.bare else "")
        )
    kind = kinds.pop() if kinds else ""
    if a.exponents[3] == b.exponents[3]:
        return a.exponents, kind
    if a.exponents[3] and b.exponents[3]:
        raise ExpressionError(doing.format(words(a), words(b)))
    plain, angular = (a, b) if a.exponents[3] == 0 else (b, a)
    # r*theta + L is a length; 2*pi + 30 deg is an angle, but 2 + 30 deg is more likely a forgotten
    # unit
    if plain.exponents[0] or plain.exponents[1]:
        return plain.exponents, kind
    if plain.bare and not plain.pi and plain.number != 0:
        raise ExpressionError(
            doing.format(words(a), words(b)) + tr(" Give the number a unit, deg or rad.")
        )
    return angular.exponents, kind


def added(terms: Iterator[tuple[str, Value]]) -> Value:
    """The sum of signed terms."""
    sign, total = next(terms)
    total = total._replace(number=-total.number) if sign == "-" else total
    for sign, term in terms:
        doing = (
            tr("{} and {} cannot be added.") if sign == "+" else tr("{1} cannot be taken from {0}.")
        )
        exponents, kind = common(total, term, doing)
        number = total.number + term.number if sign == "+" else total.number - term.number
        total = Value(number, exponents, kind, total.bare and term.bare, total.pi or term.pi)
    return total


def multiplied(factors: Iterator[tuple[str, Value]]) -> Value:
    """The product of factors, each behind * or /."""
    _, total = next(factors)
    for operator, factor in factors:
        if operator == "*":
            number = total.number * factor.number
            kind = total.kind if is_number(factor) else factor.kind if is_number(total) else ""
        else:
            if factor.number == 0:
                raise ExpressionError(tr("There is a division by zero."))
            number = total.number / factor.number
            kind = total.kind if is_number(factor) else ""
        exponents = combined(total.exponents, factor.exponents, 1 if operator == "*" else -1)
        total = Value(number, exponents, kind, total.bare and factor.bare, total.pi or factor.pi)
    return total


def raised(base: Value, exponent: Value) -> Value:
    """base ** exponent."""
    if not is_number(exponent):
        raise ExpressionError(
            tr("A power must be a number, got {exponent}.", exponent=words(exponent))
        )
    if math.isnan(exponent.number):
        if not is_number(base):
            raise ExpressionError(
                tr(
                    "The power of a {base} must be a fixed number, not one that varies.",
                    base=words(base),
                )
            )
        return Value(exponent.number, NUMBER)
    number = called(
        math.pow,
        base.number,
        exponent.number,
        sentence=tr("The power has no value: zero or a negative number cannot be raised to it."),
    )
    exponents = tuple(round(e * exponent.number, 9) for e in base.exponents)
    if not all(abs(e) <= HIGHEST for e in exponents):
        raise ExpressionError(tr("The power of a unit is too high."))
    kind = base.kind if exponents == base.exponents else ""
    bare, pi = base.bare and exponent.bare, base.pi or exponent.pi
    return Value(number, exponents, kind, bare, pi)  # type: ignore[arg-type]


def called(function: Callable[..., float], *numbers: float, sentence: str) -> float:
    """function(*numbers); what the math library refuses becomes an ExpressionError."""
    try:
        return function(*numbers)
    except OverflowError:
        raise ExpressionError(tr("The result is too large a number.")) from None
    except (ValueError, ZeroDivisionError):
        raise ExpressionError(sentence) from None


class Function(NamedTuple):
    """arity: how many arguments, 0 for any.  takes: "angle", "number", "alike" or "any".  gives:
    "number", "angle", "same" or "root".
    """

    compute: Callable[..., float]
    arity: int
    takes: str
    gives: str


FUNCTIONS: dict[str, Function] = {
    "sin": Function(math.sin, 1, "angle", "number"),
    "cos": Function(math.cos, 1, "angle", "number"),
    "tan": Function(math.tan, 1, "angle", "number"),
    "asin": Function(math.asin, 1, "number", "angle"),
    "acos": Function(math.acos, 1, "number", "angle"),
    "atan": Function(math.atan, 1, "number", "angle"),
    "atan2": Function(math.atan2, 2, "alike", "angle"),
    "sqrt": Function(math.sqrt, 1, "any", "root"),
    "exp": Function(math.exp, 1, "number", "number"),
    "log": Function(math.log, 1, "number", "number"),
    "abs": Function(math.fabs, 1, "any", "same"),
    "min": Function(min, 0, "alike", "same"),
    "max": Function(max, 0, "alike", "same"),
    "hypot": Function(math.hypot, 0, "alike", "same"),
}


def applied(name: str, arguments: tuple[Value, ...]) -> Value:
    """A function of FUNCTIONS applied.  Raises ExpressionError."""
    function = FUNCTIONS[name]
    exponents, kind = arguments[0].exponents, arguments[0].kind
    for a in arguments:
        if function.takes == "number" and not is_number(a):
            raise ExpressionError(tr("{name} takes a number, got {a}.", name=name, a=words(a)))
        if function.takes == "angle" and not (is_number(a) or a.exponents == DIMENSIONS["angle"]):
            raise ExpressionError(tr("{name} takes an angle, got {a}.", name=name, a=words(a)))
        if function.takes == "alike":
            exponents, kind = common(
                arguments[0]._replace(exponents=exponents, kind=kind),
                a,
                name + tr(" takes values of one kind, got {} and {}."),
            )
    numbers = [a.number for a in arguments]

    def of_all(*row: float) -> float:
        return function.compute(row)

    compute = function.compute if function.arity else math.hypot if name == "hypot" else of_all
    shown = series(localised(f"{n:g}") for n in numbers[:3])
    number = called(
        compute, *numbers, sentence=tr("{name}({shown}) has no value.", name=name, shown=shown)
    )
    bare, pi = all(a.bare for a in arguments), any(a.pi for a in arguments)
    match function.gives:
        case "number":
            return Value(number, NUMBER, "", bare)
        case "angle":
            return Value(number, DIMENSIONS["angle"])
        case "root":
            halves = tuple(round(e / 2, 9) for e in exponents)
            return Value(number, halves, "", bare, pi)  # type: ignore[arg-type]
        case _:
            return Value(number, exponents, kind, bare, pi)
