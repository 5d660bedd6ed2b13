"""The one walk over the tree of terms: a Printer goes over it, a Language says how each kind of
node is written from the texts of its parts.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.equations.terms import (
    Block,
    Entry,
    Equations,
    Factor,
    Name,
    Term,
    Trig,
    written_row,
)

ARCS = {f"a{f}": f"arc{f}" for f in ("sin", "cos", "tan")}  # as mathematics names them
Signed = tuple[str, str]  # sign of a term, "+" or "-", and the term without it


def in_line(minus: str = "-", zero: str = "0") -> Callable[[Sequence[Signed]], str]:
    """Notation of a sum in one line.  minus: its sign; zero: a sum without terms."""

    def written(terms: Sequence[Signed]) -> str:
        out = ""
        for sign, text in terms:
            shown = minus if sign == "-" else sign
            out += f" {shown} {text}" if out else (minus if sign == "-" else "") + text
        return out or zero

    return written


def _matrix_in_line(rows: list[list[str]]) -> str:
    return f"[{'; '.join(', '.join(row) for row in rows)}]"


class Language(NamedTuple):
    """Notation of the nodes of the tree.

    name: a symbol with its power.  function(node, argument): a sine or cosine with its power.
    bracket(sum, power).  term(numerator, denominator, above, below): a product of a rational
    number, factors and inverses of factors.  sum: signed terms.  matrix: rows of entries.
    equation(left, right).  divides: False for negative powers as powers, in `above`.
    """

    name: Callable[[Name], str]
    function: Callable[[Trig, str], str]
    bracket: Callable[[str, int], str]
    term: Callable[[int, int, list[str], list[str]], str]
    sum: Callable[[Sequence[Signed]], str] = in_line()
    matrix: Callable[[list[list[str]]], str] = _matrix_in_line
    equation: Callable[[str, str], str] = "{} = {}".format
    divides: bool = True


class Printer:
    """Writes terms in a language.

    inner: the printer of arguments and denominators; itself if none.
    """

    def __init__(self, language: Language, inner: "Printer | None" = None) -> None:
        self.language = language
        self.inner = inner or self

    def name(self, n: Name) -> str:
        """A symbol with its power."""
        return self.language.name(n)

    def factor(self, f: Factor) -> str:
        """A symbol, a sine or cosine, or a sum in brackets."""
        if isinstance(f, Name):
            return self.name(f)
        if isinstance(f, Trig):
            return self.language.function(f, self.inner.sum(f.argument))
        return self.language.bracket(self.sum(f.terms), f.power)

    def term(self, t: Term) -> str:
        """A product without its sign."""
        divides = self.language.divides
        above = [self.factor(f) for f in t.factors if f.power > 0 or not divides]
        below = [
            self.inner.factor(msgspec.structs.replace(f, power=-f.power))
            for f in t.factors
            if f.power < 0 and divides
        ]
        return self.language.term(abs(t.numerator), t.denominator, above, below)

    def sum(self, terms: Iterable[Term]) -> str:
        """A sum; zero without terms."""
        return self.language.sum([("-" if t.numerator < 0 else "+", self.term(t)) for t in terms])

    def entry(self, e: Entry) -> str:
        """An entry of a matrix, or a side of an equation."""
        return self.sum(e.terms)

    def matrix(self, block: Block) -> str:
        """A block as a matrix."""
        return self.language.matrix([[self.entry(e) for e in row] for row in block.rows])

    def equation(self, e: Equations, i: int) -> str:
        """Row i of the equations of motion, written out."""
        left, right = written_row(e, i)
        return self.language.equation(self.sum(left), self.sum(right))


def is_alone(f: Trig) -> bool:
    """True if the argument of a function is one term without a number before it."""
    return len(f.argument) == 1 and f.argument[0].numerator == f.argument[0].denominator == 1


def over_line(
    product: Callable[[list[str]], str],
    fraction: Callable[[str, str], str],
    number: Callable[[int], str] = str,
) -> Callable[[int, int, list[str], list[str]], str]:
    """Notation of a term with inverses under a fraction line; a rational number before factors
    without any has a line of its own.
    """

    def written(numerator: int, denominator: int, above: list[str], below: list[str]) -> str:
        top = above if numerator == 1 and above else [number(numerator), *above]
        if below:
            bottom = below if denominator == 1 else [number(denominator), *below]
            return fraction(product(top), product(bottom))
        if denominator != 1:
            return product([fraction(number(numerator), number(denominator)), *above])
        return product(top)

    return written
