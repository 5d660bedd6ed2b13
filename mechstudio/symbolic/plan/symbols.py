"""The symbols of a derivation and their names: the user's parameters, and a named symbol for every
other number that is used.

A plain number of the drawing becomes m_crank, L_crank, k_spring …  Owners and details are only part
of a name where the letter alone would be ambiguous, so names are given last, when it is known which
symbols the equations contain.
"""

import math
from dataclasses import dataclass, field

from mechstudio.model.formulas.expression import ExpressionError, names_in
from mechstudio.model.formulas.grammar import parsed
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.plan.drawing_numbers import ZERO, Amount, NotPolynomial, from_formula

NEGLIGIBLE = (
    1e-12  # of the mechanism's size, or of a right angle: drawn with the mouse, meant to be zero
)


@dataclass(eq=False)
class Symbol:
    """One symbol.

    letter: "m", "theta"; for a parameter of the user its whole name.  owner: the element's name,
    detail: what else distinguishes it from its like ("C x").  value: SI.  sources: ids of the
    elements it comes from.  parameter: it is the user's own.  prescribed: by a law.
    """

    index: int
    letter: str
    owner: str
    detail: str
    dimension: str
    value: float
    meaning: str
    sources: set[str] = field(default_factory=set)
    parameter: bool = False
    prescribed: bool = False


class Symbols:
    """All symbols of one derivation, in the order in which the drawing was read."""

    def __init__(self, project: Project):
        self.project = project
        self.size = project.mechanism.size()
        self.all: list[Symbol] = []
        self._parameters: dict[str, int] = {}
        self._named: dict[tuple, list[int]] = {}

    def value_of(self, index: int) -> float:
        return self.all[index].value

    def _new(self, *args, **more) -> int:
        self.all.append(Symbol(len(self.all), *args, **more))
        return len(self.all) - 1

    def parameter(self, name: str, source: str) -> Amount:
        """A parameter of the user, by its name."""
        if name not in self._parameters:
            p = self.project.parameters[name]
            self._parameters[name] = self._new(
                name, "", "", p.dimension, p.value.value, p.note or p.name, parameter=True
            )
        index = self._parameters[name]
        self.all[index].sources.add(source)
        return Amount.symbol(index)

    def typed(self, quantity: Quantity, source: str) -> Amount | None:
        """A quantity typed as a polynomial of parameters; None for any other."""
        if not quantity.text or not names_in(quantity.text) <= self.project.parameters.keys():
            return None
        if not names_in(quantity.text):
            return None
        try:
            amount = from_formula(parsed(quantity.text), lambda name: self.parameter(name, source))
        except (NotPolynomial, ExpressionError):
            return None
        # a text that its value does not follow (not yet evaluated again) is not to be trusted
        return (
            amount
            if math.isclose(
                amount.value(self.value_of), quantity.value, rel_tol=1e-9, abs_tol=NEGLIGIBLE
            )
            else None
        )

    def named(
        self,
        letter: str,
        owner: str,
        detail: str,
        value: float,
        dimension: str,
        meaning: str,
        source: str,
        alike: str = "",
        shared: str = "",
    ) -> Amount:
        """The symbol of a plain number, zero for zero; a negative length is minus a positive
        symbol.

        alike: numbers of the same letter, source and `alike` with one value share one symbol; with
        `shared` in place of the source.
        Fixed angles of one size share one wherever they are, because axes drawn in one skew
        direction are meant to be parallel.
        """
        if abs(value) <= (NEGLIGIBLE * self.size if dimension == "length" else 0.0):
            return ZERO
        sign = -1 if value < 0 and dimension in ("length", "angle") else 1
        key = (
            ("delta",)
            if letter == "delta"
            else (letter, shared, alike)
            if shared
            else (letter, source, alike)
        )
        known = self._named.setdefault(key, [])
        for index in known:
            if math.isclose(self.all[index].value, sign * value, rel_tol=1e-12):
                self.all[index].sources.add(source)
                return Amount.symbol(index).scaled(sign)
        known.append(self._new(letter, owner, detail, dimension, sign * value, meaning, {source}))
        return Amount.symbol(known[-1]).scaled(sign)

    def spare(self, letter: str, owner: str, dimension: str, meaning: str, source: str) -> int:
        """The index of a symbol that a later step may need; its value is set when it is used."""
        return self._new(letter, owner, "", dimension, 0.0, meaning, {source})

    def followed(
        self,
        letter: str,
        owner: str,
        detail: str,
        value: float,
        dimension: str,
        meaning: str,
        source: str,
    ) -> int:
        """The index of a symbol for what a law prescribes; also where it starts at zero, and never
        one with another number.
        """
        return self._new(
            letter, owner, detail, dimension, value, meaning, {source}, prescribed=True
        )

    def read(
        self,
        quantity: Quantity,
        letter: str,
        owner: str,
        detail: str,
        dimension: str,
        meaning: str,
        source: str,
    ) -> Amount:
        """A quantity of the drawing: in the user's parameters as typed, else under a name of its
        own.
        """
        amount = self.typed(quantity, source)
        return (
            amount
            if amount is not None
            else self.named(
                letter, owner, detail, quantity.value, dimension, meaning, source, detail
            )
        )

    def angle(
        self, quantity: Quantity, owner: str, meaning: str, source: str
    ) -> tuple[int, dict[int, int]]:
        """A fixed angle as quarter turns and a sum of whole multiples of symbols."""
        amount = self.typed(quantity, source)
        if amount is not None:
            turns = quarter_turns(float(amount.terms.get((), 0)))
            whole = all(
                c.denominator == 1 and len(m) == 1 and m[0][1] == 1
                for m, c in amount.terms.items()
                if m
            )
            if turns is not None and whole:
                return turns, {m[0][0]: int(c) for m, c in amount.terms.items() if m}
        turns = quarter_turns(quantity.value)
        if turns is not None:
            return turns, {}
        amount = self.named("delta", owner, "", quantity.value, "angle", meaning, source)
        ((monomial, coefficient),) = amount.terms.items()
        return 0, {monomial[0][0]: int(coefficient)}


def quarter_turns(angle: float) -> int | None:
    """The number of right angles, if an angle [rad] is a whole number of them."""
    turns = round(angle / (math.pi / 2))
    return turns if abs(angle - turns * math.pi / 2) < NEGLIGIBLE else None
