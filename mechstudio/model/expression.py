"""What a user may type into a number field: "12 mm", "1/2 in", "2*L1 + 3 mm", "atan2(3, 4)", with its dimension checked.

A small grammar of its own: nothing is ever handed to Python's eval.  Directly after a number, a name or a bracket, letters
are units ("10 m/s"); anywhere else they are parameters, so that a parameter may well be called m or g.

    sum      = product {("+" | "-") product}
    product  = signed {("*" | "/") signed}
    signed   = {"+" | "-"} (fraction | power) [units]
    fraction = number "/" number, if units follow and no "/" comes before:  1/2 in  is half an inch
    power    = atom ["^" exponent]           exponent = {"+" | "-"} power without units
    atom     = number | "pi" | name | function "(" sum {"," sum} ")" | "(" sum ")"
    units    = unit ["^" integer] {["*" | "/"] unit ["^" integer] | "/" "(" units ")"}
"""

import graphlib
import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from . import units
from .project import Parameter
from .quantity import Quantity
from .units import DIMENSIONS, NUMBER, UNITS, Exponents

LONGEST = 500      # characters
DEEPEST = 40       # nested brackets and powers
HIGHEST = 30       # power of a unit

Names = Mapping[str, tuple[float, str]]


class ExpressionError(ValueError):
    """Why a text is no number, in words.  unknown: the name that no parameter has, "" if that is not the reason."""

    def __init__(self, message: str, unknown: str = "") -> None:
        super().__init__(message)
        self.unknown = unknown


class _Value(NamedTuple):
    """number: SI value.   kind: "torque" or "energy" where it is sure.   bare: made of numbers alone.   pi: pi is in it."""

    number: float
    exponents: Exponents = NUMBER
    kind: str = ""
    bare: bool = False
    pi: bool = False


# ---------------------------------------------------------------------------------------------------------------- tokens

class _Token(NamedTuple):
    type: str      # "number", "name", "power" (superscript), "end" or the operator itself
    text: str


_ALIKE = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "∕": "/", "÷": "/", "π": "pi", "\u3000": " ", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
                        # the full-width forms that Chinese keyboards type
                        **{chr(c + 0xFEE0): chr(c) for c in range(0x21, 0x7F)}})
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_DIGITS = "0123456789"


def _continues_name(c: str) -> bool:
    return ("a" + c).isidentifier() or c in "₀₁₂₃₄₅₆₇₈₉"


def _number_end(text: str, i: int) -> int:
    """Where the number that starts at i ends."""
    while i < len(text) and text[i] in _DIGITS:
        i += 1
    if i < len(text) and text[i] == ".":
        i += 1
        while i < len(text) and text[i] in _DIGITS:
            i += 1
    if i < len(text) and text[i] in "eE":
        j = i + 1 + (text[i + 1:i + 2] in ("+", "-"))
        if text[j:j + 1] and text[j] in _DIGITS:
            while j < len(text) and text[j] in _DIGITS:
                j += 1
            return j
    return i


def _span(text: str, i: int, belongs: Callable[[str], bool]) -> int:
    while i < len(text) and belongs(text[i]):
        i += 1
    return i


def _tokens(text: str) -> list[_Token]:
    text = text.translate(_ALIKE)
    tokens = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
            continue
        if c in _DIGITS or (c == "." and text[i + 1:i + 2] and text[i + 1] in _DIGITS):
            end, type = _number_end(text, i), "number"
        elif c.isidentifier():
            end, type = _span(text, i, _continues_name), "name"
        elif c == "°":
            end, type = i + 1, "name"
        elif c in _SUPERSCRIPT:
            end, type = _span(text, i, lambda x: x in _SUPERSCRIPT), "power"
        elif text.startswith("**", i):
            end, type = i + 2, "^"
        elif c in "+-*/^(),":
            end, type = i + 1, c
        else:
            raise ExpressionError(f"The character “{c}” has no meaning in a number." if c.isprintable() else "There is an invisible character in the text.")
        tokens.append(_Token(type, text[i:end]))
        i = end
    tokens.append(_Token("end", ""))
    return tokens


# ---------------------------------------------------------------------------------------------------------------- parser

# Nodes are tuples: ("number", float) ("pi",) ("name", str) ("call", str, nodes) ("power", base, exponent)
# ("sum", ((sign, node), …)) ("product", ((operator, node), …)) ("unit", node, exponents, numerator, denominator, kind)
_Node = tuple
_COMMA = "Write decimals with a point: 1.5, not 1,5."


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> _Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self) -> _Token:
        token = self.peek()
        self.at += 1
        return token

    def whole(self) -> _Node:
        if self.peek().type == "end":
            raise ExpressionError("A number is missing.")
        node = self.sum()
        self.expect_end_of_operand()
        if self.peek().type == ")":
            raise ExpressionError("There is a closing bracket too many.")
        return node

    def expect_end_of_operand(self) -> None:
        """After an operand only an operator, a closing bracket or the end may come."""
        token = self.peek()
        if token.type in ("end", ")"):
            return
        if token.type == ",":
            raise ExpressionError(_COMMA)
        if token.type == "name":
            before = self.tokens[self.at - 1].text
            if token.text == "Hz":
                raise ExpressionError("Hz does not say whether turns or radians are counted; write rev/s, rpm or rad/s.")
            raise ExpressionError(f"{token.text} is not a known unit; to multiply, write {before}*{token.text}.")
        raise ExpressionError(f"An operator is missing before {token.text}.")

    def sum(self) -> _Node:
        terms = [("+", self.product())]
        while self.peek().type in ("+", "-"):
            terms.append((self.take().type, self.product()))
        return ("sum", tuple(terms)) if len(terms) > 1 else terms[0][1]

    def product(self) -> _Node:
        factors = [("*", self.signed(True))]
        while self.peek().type in ("*", "/"):
            operator = self.take().type
            factors.append((operator, self.signed(operator == "*")))
        return ("product", tuple(factors)) if len(factors) > 1 else factors[0][1]

    def sign(self) -> int:
        sign = 1
        while self.peek().type in ("+", "-"):
            sign = -sign if self.take().type == "-" else sign
        return sign

    def signed(self, may_be_fraction: bool) -> _Node:
        sign = self.sign()
        node = (self.fraction() if may_be_fraction else None) or self.power()
        node = self.with_units(node)
        return ("sum", (("-", node),)) if sign < 0 else node

    def fraction(self) -> _Node | None:
        if [self.peek(k).type for k in range(3)] != ["number", "/", "number"] or not self.is_unit(3):
            return None
        above = self.number(self.take())
        self.take()
        return ("product", (("*", above), ("/", self.number(self.take()))))

    def power(self) -> _Node:
        base = self.atom()
        token = self.peek()
        if token.type == "power":
            self.take()
            return ("power", base, ("number", float(_superscript(token.text))))
        if token.type != "^":
            return base
        self.take()
        self.deeper()
        sign = self.sign()
        exponent = self.power()
        self.depth -= 1
        return ("power", base, ("sum", (("-", exponent),)) if sign < 0 else exponent)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExpressionError("The brackets are nested too deeply.")

    @staticmethod
    def number(token: _Token) -> _Node:
        value = float(token.text)
        if not math.isfinite(value):
            raise ExpressionError(f"{_shortened(token.text)} is too large a number.")
        return ("number", value)

    def atom(self) -> _Node:
        token = self.take()
        if token.type == "number":
            return self.number(token)
        if token.type == "(":
            self.deeper()
            node = self.sum()
            self.close()
            return node
        if token.type == "name":
            if self.peek().type == "(":
                return self.call(token.text)
            if token.text in FUNCTIONS:
                raise ExpressionError(f"{token.text} needs a bracket: {token.text}(…).")
            return ("pi",) if token.text == "pi" else ("name", token.text)
        if token.type == ",":
            raise ExpressionError(_COMMA)
        if token.type in ("end", ")"):
            raise ExpressionError("A number is missing at the end." if token.type == "end" else "A number is missing before the closing bracket.")
        raise ExpressionError(f"A number is missing before {token.text}.")

    def close(self) -> None:
        self.depth -= 1
        if self.peek().type != ")":
            self.expect_end_of_operand()
            raise ExpressionError("A closing bracket is missing.")
        self.take()

    def call(self, name: str) -> _Node:
        if name not in FUNCTIONS:
            raise ExpressionError(f"{name} is not a known function; known are {', '.join(FUNCTIONS)}.")
        self.take()
        self.deeper()
        arguments = [self.sum()]
        while self.peek().type == ",":
            self.take()
            arguments.append(self.sum())
        self.close()
        count = FUNCTIONS[name].count
        if count and len(arguments) != count:
            hint = " " + _COMMA if count == 1 else ""
            raise ExpressionError(f"{name} takes {'one number' if count == 1 else f'{count} numbers'}, not {len(arguments)}.{hint}")
        return ("call", name, tuple(arguments))

    # units

    def is_unit(self, ahead: int = 0) -> bool:
        return self.peek(ahead).type == "name" and self.peek(ahead).text in UNITS and self.peek(ahead + 1).type != "("

    def with_units(self, node: _Node) -> _Node:
        if not self.is_unit():
            return node
        above, below, exponents, kind = self.units()
        if not (math.isfinite(above) and 0 < above and math.isfinite(below) and 0 < below) or max(map(abs, exponents)) > HIGHEST:
            raise ExpressionError("The power of a unit is too high.")
        return ("unit", node, exponents, above, below, kind)

    def units(self) -> tuple[float, float, Exponents, str]:
        """Numerator, denominator, exponents and kind of a row of units; the next token is a unit."""
        above, below, exponents, kind = self.one_unit()
        while True:
            if self.is_unit() or (self.peek().type == "*" and self.is_unit(1)):
                if self.peek().type == "*":
                    self.take()
                a, b, e, _ = self.one_unit()
                above, below, exponents = above * a, below * b, _add(exponents, e)
            elif self.peek().type == "/" and (self.is_unit(1) or self.group_ends()):
                self.take()
                a, b, e, _ = self.group() if self.peek().type == "(" else self.one_unit()
                above, below, exponents = above * b, below * a, _add(exponents, e, -1)
            else:
                return above, below, exponents, kind
            kind = ""

    def group_ends(self) -> bool:
        """Whether "/" is followed by a bracket that holds nothing but units, as in N*m/(rad/s)."""
        if self.peek(1).type != "(":
            return False
        k = 2
        while self.is_unit(k) or self.peek(k).type in ("*", "/", "^", "power") or (self.peek(k).type in ("number", "-") and self.peek(k - 1).type in ("^", "-")):
            k += 1
        return k > 2 and self.is_unit(2) and self.peek(k).type == ")"

    def group(self) -> tuple[float, float, Exponents, str]:
        self.take()
        self.deeper()
        inside = self.units()
        self.close()
        return inside

    def one_unit(self) -> tuple[float, float, Exponents, str]:
        name = self.take().text
        known = UNITS[name]
        n = 1
        if self.peek().type == "power":
            n = _superscript(self.take().text)
        elif self.peek().type == "^":
            self.take()
            sign, token = self.sign(), self.take()
            if token.type != "number" or not token.text.isdigit():
                raise ExpressionError(f"The power of {name} must be a whole number.")
            n = sign * int(token.text[:4])
        if n == 1:
            return known.numerator, known.denominator, known.exponents, known.kind
        if abs(n) > HIGHEST:
            raise ExpressionError("The power of a unit is too high.")
        above, below = (known.numerator, known.denominator) if n >= 0 else (known.denominator, known.numerator)
        return above ** abs(n), below ** abs(n), tuple(n * e for e in known.exponents), ""  # type: ignore[return-value]


def _superscript(text: str) -> int:
    digits = text.translate(_SUPERSCRIPTS)
    if not digits.lstrip("-").isdigit() or "-" in digits[1:] or len(digits) > 4:
        raise ExpressionError(f"{text} is not a power.")
    return int(digits)


def _shortened(text: str) -> str:
    return text if len(text) <= 24 else text[:20] + "…"


@lru_cache(maxsize=4096)
def _parsed(text: str) -> _Node:
    if len(text) > LONGEST:
        raise ExpressionError(f"The text is longer than {LONGEST} characters.")
    return _Parser(text).whole()


# ---------------------------------------------------------------------------------------------------------------- values

def _add(a: Exponents, b: Exponents, factor: float = 1) -> Exponents:
    return tuple(round(x + factor * y, 9) for x, y in zip(a, b))  # type: ignore[return-value]


def _words(value: _Value) -> str:
    return units.words(value.exponents, value.kind)


def _is_number(value: _Value) -> bool:
    return value.exponents == NUMBER


def _common(a: _Value, b: _Value, doing: str) -> tuple[Exponents, str]:
    """Exponents and kind of two values that are added or compared.  Raises ExpressionError if they are not alike."""
    kinds = {a.kind, b.kind} - {""}
    if a.exponents[:3] != b.exponents[:3] or len(kinds) > 1:
        raise ExpressionError(f"{doing.format(_words(a), _words(b))}" + (" Give the number a unit." if a.bare or b.bare else ""))
    kind = kinds.pop() if kinds else ""
    if a.exponents[3] == b.exponents[3]:
        return a.exponents, kind
    if a.exponents[3] and b.exponents[3]:
        raise ExpressionError(doing.format(_words(a), _words(b)))
    plain, angular = (a, b) if a.exponents[3] == 0 else (b, a)
    # r*theta + L is a length; 2*pi + 30 deg is an angle, but 2 + 30 deg is more likely a forgotten unit
    if plain.exponents[0] or plain.exponents[1]:
        return plain.exponents, kind
    if plain.bare and not plain.pi and plain.number != 0:
        raise ExpressionError(doing.format(_words(a), _words(b)) + " Give the number a unit, deg or rad.")
    return angular.exponents, kind


def _sum(terms: Iterator[tuple[str, _Value]]) -> _Value:
    sign, total = next(terms)
    total = total._replace(number=-total.number) if sign == "-" else total
    for sign, term in terms:
        doing = "{} and {} cannot be added." if sign == "+" else "{1} cannot be taken from {0}."
        exponents, kind = _common(total, term, doing)
        number = total.number + term.number if sign == "+" else total.number - term.number
        total = _Value(number, exponents, kind, total.bare and term.bare, total.pi or term.pi)
    return total


def _product(factors: Iterator[tuple[str, _Value]]) -> _Value:
    _, total = next(factors)
    for operator, factor in factors:
        if operator == "*":
            number = total.number * factor.number
            kind = total.kind if _is_number(factor) else factor.kind if _is_number(total) else ""
        else:
            if factor.number == 0:
                raise ExpressionError("There is a division by zero.")
            number = total.number / factor.number
            kind = total.kind if _is_number(factor) else ""
        exponents = _add(total.exponents, factor.exponents, 1 if operator == "*" else -1)
        total = _Value(number, exponents, kind, total.bare and factor.bare, total.pi or factor.pi)
    return total


def _power(base: _Value, exponent: _Value) -> _Value:
    if not _is_number(exponent):
        raise ExpressionError(f"A power must be a number, got {_words(exponent)}.")
    number = _called(math.pow, base.number, exponent.number, sentence="The power has no value: zero or a negative number cannot be raised to it.")
    exponents = tuple(round(e * exponent.number, 9) for e in base.exponents)
    if not all(abs(e) <= HIGHEST for e in exponents):
        raise ExpressionError("The power of a unit is too high.")
    kind = base.kind if exponents == base.exponents else ""
    return _Value(number, exponents, kind, base.bare and exponent.bare, base.pi or exponent.pi)  # type: ignore[arg-type]


def _called(function: Callable[..., float], *numbers: float, sentence: str) -> float:
    try:
        return function(*numbers)
    except OverflowError:
        raise ExpressionError("The result is too large a number.") from None
    except (ValueError, ZeroDivisionError):
        raise ExpressionError(sentence) from None


class _Function(NamedTuple):
    """count: how many arguments, 0 for any.   takes: "angle", "number", "alike" or "any".   gives: "number", "angle", "same" or "root"."""

    compute: Callable[..., float]
    count: int
    takes: str
    gives: str


FUNCTIONS: dict[str, _Function] = {
    "sin": _Function(math.sin, 1, "angle", "number"),
    "cos": _Function(math.cos, 1, "angle", "number"),
    "tan": _Function(math.tan, 1, "angle", "number"),
    "asin": _Function(math.asin, 1, "number", "angle"),
    "acos": _Function(math.acos, 1, "number", "angle"),
    "atan": _Function(math.atan, 1, "number", "angle"),
    "atan2": _Function(math.atan2, 2, "alike", "angle"),
    "sqrt": _Function(math.sqrt, 1, "any", "root"),
    "exp": _Function(math.exp, 1, "number", "number"),
    "log": _Function(math.log, 1, "number", "number"),
    "abs": _Function(abs, 1, "any", "same"),
    "min": _Function(min, 0, "alike", "same"),
    "max": _Function(max, 0, "alike", "same"),
    "hypot": _Function(math.hypot, 0, "alike", "same"),
}


def _call(name: str, arguments: tuple[_Value, ...]) -> _Value:
    function = FUNCTIONS[name]
    exponents, kind = arguments[0].exponents, arguments[0].kind
    for a in arguments:
        if function.takes == "number" and not _is_number(a):
            raise ExpressionError(f"{name} takes a number, got {_words(a)}.")
        if function.takes == "angle" and not (_is_number(a) or a.exponents == DIMENSIONS["angle"]):
            raise ExpressionError(f"{name} takes an angle, got {_words(a)}.")
        if function.takes == "alike":
            exponents, kind = _common(arguments[0]._replace(exponents=exponents, kind=kind), a, name + " takes values of one kind, got {} and {}.")
    numbers = [a.number for a in arguments]
    compute = function.compute if function.count else (lambda *n: function.compute(n)) if name != "hypot" else math.hypot
    shown = ", ".join(f"{n:g}" for n in numbers[:3])
    number = _called(compute, *numbers, sentence=f"{name}({shown}) has no value.")
    bare, pi = all(a.bare for a in arguments), any(a.pi for a in arguments)
    match function.gives:
        case "number":
            return _Value(number, NUMBER, "", bare)
        case "angle":
            return _Value(number, DIMENSIONS["angle"])
        case "root":
            return _Value(number, tuple(round(e / 2, 9) for e in exponents), "", bare, pi)  # type: ignore[arg-type]
    return _Value(number, exponents, kind, bare, pi)


def _named(name: str, names: Names) -> _Value:
    if name in names:
        number, dimension = names[name]
        kind = dimension if dimension in ("torque", "energy") else ""
        return _Value(float(number), DIMENSIONS[dimension], kind, dimension == "number")
    if name in UNITS:
        raise ExpressionError(f"{name} is a unit and needs a number before it, as in 1 {name}.", unknown=name)
    raise ExpressionError(f"{_shortened(name)} is not a parameter of this project.", unknown=name)


def _value(node: _Node, names: Names) -> _Value:
    match node[0]:
        case "number":
            return _Value(node[1], bare=True)
        case "pi":
            return _Value(math.pi, bare=True, pi=True)
        case "name":
            value = _named(node[1], names)
        case "sum":
            value = _sum((sign, _value(n, names)) for sign, n in node[1])
        case "product":
            value = _product((operator, _value(n, names)) for operator, n in node[1])
        case "power":
            value = _power(_value(node[1], names), _value(node[2], names))
        case "call":
            value = _call(node[1], tuple(_value(n, names) for n in node[2]))
        case _:
            _, inner, exponents, above, below, kind = node
            v = _value(inner, names)
            value = _Value(v.number * above / below, _add(v.exponents, exponents), kind if _is_number(v) else "")
    if not math.isfinite(value.number):
        raise ExpressionError("The result is too large a number.")
    return value


def _accepts(expected: str, value: _Value) -> bool:
    """Whether a value may stand where a dimension is expected.

    Angles: a number may stand for an angle (radians), never the other way round; beside a length or a mass radians in
    the numerator do not count, so that r*omega is a velocity and J*alpha a torque.
    """
    wanted = DIMENSIONS[expected]
    if value.exponents[:3] != wanted[:3]:
        return False
    if value.kind and expected in ("torque", "energy") and value.kind != expected:
        return False
    angle = value.exponents[3]
    if wanted[0] or wanted[1]:
        return angle >= 0 or angle == wanted[3]
    return angle in (0, wanted[3])


def _typed(text: str, dimension: str, names: Names, default_unit: str) -> tuple[float, bool]:
    """SI value, and whether the default unit was taken."""
    value = _value(_parsed(text), names)
    if dimension != "number" and value.bare and _is_number(value):
        if value.pi and dimension in ("angle", "angular_velocity"):
            return value.number, False
        if not default_unit:
            return value.number, False
        one = _value(_parsed("1 " + default_unit), {})
        if not _accepts(dimension, one):
            raise ExpressionError(f"{dimension.replace('_', ' ')} expected, but {default_unit} is a unit of {_words(one)}.")
        _, _, _, above, below, _ = _parsed("1 " + default_unit)
        number = value.number * above / below
        if not math.isfinite(number):
            raise ExpressionError("The result is too large a number.")
        return number, True
    if not _accepts(dimension, value):
        raise ExpressionError(f"{dimension.replace('_', ' ')} expected, got {_words(value)}")
    return value.number, False


def evaluate(text: str, dimension: str, names: Names, default_unit: str = "") -> float:
    """The SI value of a typed text.  Raises ExpressionError, and nothing else, with the reason in words.

    dimension: key of units.DIMENSIONS.   names: parameter -> (SI value, dimension).   default_unit: the unit of a text
    that is made of numbers alone; SI without it.  Numbers with pi in them are radians where an angle is expected.
    """
    return _typed(text, dimension, names, default_unit)[0]


def quantity(text: str, dimension: str, names: Names, default_unit: str = "") -> Quantity:
    """The quantity to keep for a typed text: "12" typed into a field in mm is kept as "12 mm", so that it means the same anywhere.

    Raises ExpressionError.
    """
    text = text.strip()
    value, took_default = _typed(text, dimension, names, default_unit)
    if took_default:
        single = _parsed(text)[0] == "number" or (text[0] in "-−" and _parsed(text[1:])[0] == "number")
        text = f"{text} {default_unit}" if single else f"({text}) {default_unit}"
    return Quantity(value, text)


# ---------------------------------------------------------------------------------------------------------------- names

def _walk(node: _Node) -> Iterator[str]:
    match node[0]:
        case "name":
            yield node[1]
        case "sum" | "product":
            for _, n in node[1]:
                yield from _walk(n)
        case "power":
            yield from _walk(node[1])
            yield from _walk(node[2])
        case "call":
            for n in node[2]:
                yield from _walk(n)
        case "unit":
            yield from _walk(node[1])


def names_in(text: str) -> set[str]:
    """The parameters that a text names; none for a text that cannot be read."""
    try:
        return set(_walk(_parsed(text)))
    except ExpressionError:
        return set()


def is_plain(text: str) -> bool:
    """Whether a text names no parameter."""
    return not names_in(text)


def check_name(name: str) -> None:
    """Raises ExpressionError if a parameter cannot be called so."""
    if not name or not name[0].isidentifier() or not all(map(_continues_name, name)) or name != name.translate(_ALIKE):
        raise ExpressionError(f"“{_shortened(name)}” cannot be a parameter's name: a name is a letter followed by letters, digits and _.")
    if len(name) > 60:
        raise ExpressionError("A parameter's name has at most 60 characters.")
    if name == "pi" or name in FUNCTIONS:
        raise ExpressionError(f"{name} already has a meaning in formulas; choose another name.")


def renamed(text: str, old: str, new: str) -> str:
    """A text in which the parameter `old` is called `new`; everything else stays as it was typed."""
    if old not in names_in(text):
        return text
    out, i = [], 0
    after_operand = False
    plain = text.translate({k: v for k, v in _ALIKE.items() if len(v) == 1})
    while i < len(text):
        c = plain[i]
        if c in _DIGITS:
            end, after_operand = _number_end(plain, i), True
        elif c.isidentifier():
            end = _span(plain, i, _continues_name)
            if plain[i:end] == old and not after_operand:
                out.append(new)
                i = end
                after_operand = True
                continue
            after_operand = True
        else:
            end = i + 1
            after_operand = after_operand if c.isspace() else c == ")" or c in _SUPERSCRIPT or c == "°"
        out.append(text[i:end])
        i = end
    return "".join(out)


# ------------------------------------------------------------------------------------------------------------ parameters

def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _cycle(names: list[str]) -> ExpressionError:
    """names: as graphlib reports a cycle, the first one again at the end."""
    members = sorted(set(names))
    shown = members if len(members) <= 6 else [*members[:5], f"{len(members) - 5} more"]
    return ExpressionError(f"{members[0]} is defined by itself." if len(members) == 1 else f"{_listed(shown)} are defined by each other.")


def resolve(parameters: Mapping[str, Parameter]) -> tuple[dict[str, Parameter], dict[str, ExpressionError]]:
    """All parameters evaluated in the order of their dependencies, and the reason for each that could not be; it keeps its value."""
    problems: dict[str, ExpressionError] = {}
    needs = {name: names_in(p.value.text) & parameters.keys() if p.value.text else set() for name, p in parameters.items()}
    while True:
        try:
            order = list(graphlib.TopologicalSorter(needs).static_order())
            break
        except graphlib.CycleError as error:
            for name in set(error.args[1]):
                problems[name] = _cycle(error.args[1])
                needs[name] = set()
    known = {name: (p.value.value, p.dimension) for name, p in parameters.items()}
    done = dict(parameters)
    for name in order:
        if name not in problems:
            _resolve_part(done, known, name, "value", problems)
    for name in parameters:
        for part in ("minimum", "maximum"):
            _resolve_part(done, known, name, part, problems)
    return done, problems


def _resolve_part(done: dict[str, Parameter], known: dict[str, tuple[float, str]], name: str, part: str, problems: dict[str, ExpressionError]) -> None:
    parameter = done[name]
    q: Quantity | None = getattr(parameter, part)
    if q is None or not q.text:
        return
    try:
        others = known if name not in names_in(q.text) else {k: v for k, v in known.items() if k != name}
        value = evaluate(q.text, parameter.dimension, others)
    except ExpressionError as error:
        problems.setdefault(name, ExpressionError(f"{name} = {_shortened(q.text)}: {error}", error.unknown))
        return
    if value != q.value:
        done[name] = msgspec.structs.replace(parameter, **{part: Quantity(value, q.text)})
    if part == "value":
        known[name] = (value, parameter.dimension)


def resolve_parameters(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The same parameters with every typed value evaluated.  Raises ExpressionError; a cycle is told with its members."""
    done, problems = resolve(parameters)
    for error in problems.values():
        raise error
    return done
