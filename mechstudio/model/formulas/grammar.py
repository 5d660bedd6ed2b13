"""The grammar of text typed into a number field, and the tree that a text becomes; its meaning is
in expression.py.

A small grammar of its own: nothing is ever handed to Python's eval.  Directly after a number, a
name or a bracket, letters are units ("10 m/s"); anywhere else they are parameters, so that a
parameter may well be called m or g.

    sum      = product {("+" | "-") product}
    product  = signed {("*" | "/") signed}
    signed   = {"+" | "-"} (fraction | power) [units]
    fraction = number "/" number, if units follow and no "/" comes before:  1/2 in  is half an inch
    power    = atom ["^" exponent]           exponent = {"+" | "-"} power without units
    atom     = number | "pi" | name | function "(" sum {"," sum} ")" | "(" sum ")"
    units    = unit ["^" integer] {["*" | "/"] unit ["^" integer] | "/" "(" units ")"}
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mechstudio.model.formulas.dimensions import FUNCTIONS, HIGHEST, ExpressionError, combined
from mechstudio.model.units import UNITS, Exponents
from mechstudio.translation import Words, comma, tr, trn

LONGEST = 500  # characters
DEEPEST = 40  # nested brackets and powers


class _Token(NamedTuple):
    type: str  # "number", "name", "power" (superscript), "end" or the operator itself
    text: str
    at: int = 0  # its first character's place in the text after ALIKE


ALIKE = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "×": "*",
        "·": "*",
        "⋅": "*",
        "∗": "*",
        "∕": "/",
        "÷": "/",
        "π": "pi",
        "\u3000": " ",
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
        # the full-width forms that Chinese keyboards type
        **{chr(c + 0xFEE0): chr(c) for c in range(0x21, 0x7F)},
    }
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
DIGITS = "0123456789"


def continues_name(c: str) -> bool:
    """True if a character may stand in a name after its first."""
    return ("a" + c).isidentifier() or c in "₀₁₂₃₄₅₆₇₈₉"


def number_end(text: str, i: int) -> int:
    """Index behind the number that starts at i."""
    while i < len(text) and text[i] in DIGITS:
        i += 1
    if i < len(text) and text[i] == ".":
        i += 1
        while i < len(text) and text[i] in DIGITS:
            i += 1
    if i < len(text) and text[i] in "eE":
        j = i + 1 + (text[i + 1 : i + 2] in ("+", "-"))
        if text[j : j + 1] and text[j] in DIGITS:
            while j < len(text) and text[j] in DIGITS:
                j += 1
            return j
    return i


def span(text: str, i: int, belongs: Callable[[str], bool]) -> int:
    """End of the run of characters that belong together, from a place on."""
    while i < len(text) and belongs(text[i]):
        i += 1
    return i


def _tokens(text: str) -> list[_Token]:
    text = text.translate(ALIKE)
    tokens: list[_Token] = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
            continue
        if c in DIGITS or (c == "." and text[i + 1 : i + 2] and text[i + 1] in DIGITS):
            end, type = number_end(text, i), "number"
        elif c.isidentifier():
            end, type = span(text, i, continues_name), "name"
        elif c == "°":
            end, type = i + 1, "name"
        elif c in SUPERSCRIPT:
            end, type = span(text, i, lambda x: x in SUPERSCRIPT), "power"
        elif text.startswith("**", i):
            end, type = i + 2, "^"
        elif c in "+-*/^(),":
            end, type = i + 1, c
        else:
            raise ExpressionError(
                tr("The character “{c}” has no meaning in a number.", c=c)
                if c.isprintable()
                else tr("There is an invisible character in the text.")
            )
        tokens.append(_Token(type, text[i:end], i))
        i = end
    tokens.append(_Token("end", "", i))
    return tokens


# Nodes are tuples: ("number", float) ("pi",) ("name", str) ("call", str, nodes) ("power", base,
# exponent) ("sum", ((sign, node), …)) ("product", ((operator, node), …)) ("unit", node, exponents,
# numerator, denominator, kind)
Node = tuple[Any, ...]
_COMMA: Words = "Write decimals with a point: 1.5, not 1,5."


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, variables: frozenset[str] = frozenset()) -> None:
        self.tokens = _tokens(text)
        self.variables = variables
        self.at = 0
        self.depth = 0
        self.names: list[_Token] = []  # those that are no units, functions or pi

    def peek(self, ahead: int = 0) -> _Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self) -> _Token:
        token = self.peek()
        self.at += 1
        return token

    def whole(self) -> Node:
        if self.peek().type == "end":
            raise ExpressionError(tr("A number is missing."))
        node = self.sum()
        self.expect_end_of_operand()
        if self.peek().type == ")":
            raise ExpressionError(tr("There is a closing bracket too many."))
        return node

    def expect_end_of_operand(self) -> None:
        """After an operand only an operator, a closing bracket or the end may come."""
        token = self.peek()
        if token.type in ("end", ")"):
            return
        if token.type == ",":
            raise ExpressionError(tr(_COMMA))
        if token.type == "name":
            before = self.tokens[self.at - 1].text
            raise ExpressionError(
                tr(
                    "{text} is not a known unit; to multiply, write {before}*{text}.",
                    text=shortened(token.text),
                    before=shortened(before),
                )
            )
        raise ExpressionError(
            tr("An operator is missing before {text}.", text=shortened(token.text))
        )

    def sum(self) -> Node:
        terms = [("+", self.product())]
        while self.peek().type in ("+", "-"):
            terms.append((self.take().type, self.product()))
        return ("sum", tuple(terms)) if len(terms) > 1 else terms[0][1]

    def product(self) -> Node:
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

    def signed(self, may_be_fraction: bool) -> Node:
        sign = self.sign()
        node = (self.fraction() if may_be_fraction else None) or self.power()
        node = self.with_units(node)
        return ("sum", (("-", node),)) if sign < 0 else node

    def fraction(self) -> Node | None:
        if [self.peek(k).type for k in range(3)] != ["number", "/", "number"] or not self.is_unit(
            3
        ):
            return None
        above = self.number(self.take())
        self.take()
        return ("product", (("*", above), ("/", self.number(self.take()))))

    def power(self) -> Node:
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
            raise ExpressionError(tr("The brackets are nested too deeply."))

    @staticmethod
    def number(token: _Token) -> Node:
        value = float(token.text)
        if not math.isfinite(value):
            raise ExpressionError(tr("{text} is too large a number.", text=shortened(token.text)))
        return ("number", value)

    def atom(self) -> Node:
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
                raise ExpressionError(tr("{text} needs a bracket: {text}(…).", text=token.text))
            if token.text == "pi":
                return ("pi",)
            self.names.append(token)
            return ("name", token.text)
        if token.type == ",":
            raise ExpressionError(tr(_COMMA))
        if token.type in ("end", ")"):
            raise ExpressionError(
                tr("A number is missing at the end.")
                if token.type == "end"
                else tr("A number is missing before the closing bracket.")
            )
        raise ExpressionError(tr("A number is missing before {text}.", text=token.text))

    def close(self) -> None:
        self.depth -= 1
        if self.peek().type != ")":
            self.expect_end_of_operand()
            raise ExpressionError(tr("A closing bracket is missing."))
        self.take()

    def call(self, name: str) -> Node:
        if name not in FUNCTIONS:
            raise ExpressionError(
                tr(
                    "{name} is not a known function; known are {functions}.",
                    name=shortened(name),
                    functions=comma().join(FUNCTIONS),
                )
            )
        self.take()
        self.deeper()
        arguments = [self.sum()]
        while self.peek().type == ",":
            self.take()
            arguments.append(self.sum())
        self.close()
        count = FUNCTIONS[name].arity
        if count and len(arguments) != count:
            hint = " " + tr(_COMMA) if count == 1 else ""
            raise ExpressionError(
                tr(
                    "{name} takes {word}, not {count}.{hint}",
                    name=name,
                    word=trn("one number", "{count} numbers", count),
                    count=len(arguments),
                    hint=hint,
                )
            )
        return ("call", name, tuple(arguments))

    # units

    def is_unit(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return (
            token.type == "name"
            and token.text in UNITS
            and token.text not in self.variables
            and self.peek(ahead + 1).type != "("
        )

    def with_units(self, node: Node) -> Node:
        if not self.is_unit():
            return node
        above, below, exponents, kind = self.units()
        if (
            not (math.isfinite(above) and above > 0 and math.isfinite(below) and below > 0)
            or max(map(abs, exponents)) > HIGHEST
        ):
            raise ExpressionError(tr("The power of a unit is too high."))
        return ("unit", node, exponents, above, below, kind)

    def units(self) -> tuple[float, float, Exponents, str]:
        """Numerator, denominator, exponents and kind of a row of units; the next token is a
        unit.
        """
        above, below, exponents, kind = self.one_unit()
        while True:
            if self.is_unit() or (self.peek().type == "*" and self.is_unit(1)):
                if self.peek().type == "*":
                    self.take()
                a, b, e, _ = self.one_unit()
                above, below, exponents = above * a, below * b, combined(exponents, e)
            elif self.peek().type == "/" and (self.is_unit(1) or self.group_ends()):
                self.take()
                a, b, e, _ = self.group() if self.peek().type == "(" else self.one_unit()
                above, below, exponents = above * b, below * a, combined(exponents, e, -1)
            else:
                return above, below, exponents, kind
            kind = ""

    def group_ends(self) -> bool:
        """True if "/" is followed by a bracket that holds nothing but units, as in N*m/(rad/s)."""
        if self.peek(1).type != "(":
            return False
        k = 2
        while (
            self.is_unit(k)
            or self.peek(k).type in ("*", "/", "^", "power")
            or (self.peek(k).type in ("number", "-") and self.peek(k - 1).type in ("^", "-"))
        ):
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
                raise ExpressionError(tr("The power of {name} must be a whole number.", name=name))
            n = sign * int(token.text[:4])
        if n == 1:
            return known.numerator, known.denominator, known.exponents, known.kind
        if abs(n) > HIGHEST:
            raise ExpressionError(tr("The power of a unit is too high."))
        above, below = (
            (known.numerator, known.denominator) if n >= 0 else (known.denominator, known.numerator)
        )
        exponents = tuple(n * e for e in known.exponents)
        return above ** abs(n), below ** abs(n), exponents, ""  # type: ignore[return-value]


def _superscript(text: str) -> int:
    digits = text.translate(_SUPERSCRIPTS)
    if not digits.lstrip("-").isdigit() or "-" in digits[1:] or len(digits) > 4:
        raise ExpressionError(tr("{text} is not a power.", text=shortened(text)))
    return int(digits)


def shortened(text: str) -> str:
    """A text as an error quotes it."""
    return text if len(text) <= 24 else text[:20] + "…"


@lru_cache(maxsize=4096)
def parsed(text: str, variables: frozenset[str] = frozenset()) -> Node:
    """The tree of a text.  variables: letters that are never units in it.   Raises
    ExpressionError.
    """
    if len(text) > LONGEST:
        raise ExpressionError(tr("The text is longer than {longest} characters.", longest=LONGEST))
    return _Parser(text, variables).whole()


def with_names(text: str, new: Mapping[str, str], variables: frozenset[str] = frozenset()) -> str:
    """A text with other texts in place of names, all at once; units of the same letters and
    everything else stay as typed.  Raises ExpressionError.
    """
    parser = _Parser(text, variables)
    parser.whole()
    # one character may stand for two, as π does
    origin = [k for k, c in enumerate(text) for _ in c.translate(ALIKE)]
    out: list[str] = []
    done = 0
    for token in parser.names:
        if token.text in new:
            start = origin[token.at]
            out += [text[done:start], new[token.text]]
            done = origin[token.at + len(token.text) - 1] + 1
    return "".join((*out, text[done:]))
