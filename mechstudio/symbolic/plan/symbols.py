"""The symbols of a derivation and their names: the user's parameters, and a named symbol for every
other number that is used.

A plain number of the drawing becomes m_crank, L_crank, k_spring …  Owners and details are only part
of a name where the letter alone would be ambiguous, so names are given last, when it is known which
symbols the equations contain.
"""

import math
from collections.abc import Set
from dataclasses import dataclass, field

from mechstudio.model.formulas.expression import ExpressionError, names_in
from mechstudio.model.formulas.grammar import parsed
from mechstudio.model.mass_properties import MassProperties
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.symbolic.plan.drawing_numbers import ZERO, Amount, NotPolynomial, from_formula
from mechstudio.symbolic.plan.formulas import Formula, NoFormula, Number, from_tree
from mechstudio.translation import tr

NEGLIGIBLE = (
    1e-12  # of the mechanism's size, or of a right angle: drawn with the mouse, meant to be zero
)


@dataclass(eq=False)
class Symbol:
    """One symbol.

    letter: "m", "theta"; for a parameter of the user its whole name.  owner: the element's name,
    detail: what else distinguishes it from its like ("C x").  value: SI.  sources: ids of the
    elements it comes from.  parameter: it is the user's own.  prescribed: by a law.  formula: of
    what follows from other symbols, all of them before it.
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
    formula: Formula | None = None


class Symbols:
    """All symbols of one derivation, in the order in which the drawing was read.

    masses: per body its mass properties as formulas (plan/followed_masses.py), None for numbers.
    frozen: per body whose mass properties follow no parameter the reason in words, and the
    parameters; still: per (point, body) of a shape that does not follow its parameters these;
    alone: the like of `frozen` per parameter that does not follow others.
    """

    def __init__(self, project: Project):
        self.project = project
        self.size = project.mechanism.size()
        self.all: list[Symbol] = []
        self.masses: dict[str, MassProperties | None] = {}
        self.frozen: dict[str, tuple[str, set[str]]] = {}
        self.still: dict[tuple[str, str], set[str]] = {}
        self.alone: dict[str, tuple[str, Set[str]]] = {}
        self._parameters: dict[str, int] = {}
        self._named: dict[tuple, list[int]] = {}
        self._defined: dict[tuple, int] = {}

    def value_of(self, index: int) -> float:
        return self.all[index].value

    def _new(self, *args, **more) -> int:
        self.all.append(Symbol(len(self.all), *args, **more))
        return len(self.all) - 1

    def parameter(self, name: str, source: str) -> Amount:
        """A parameter of the user, by its name; one that is typed as a formula follows others."""
        waiting = [name] if name not in self._parameters else []
        while waiting:
            p = self.project.parameters[waiting[-1]]
            behind = names_in(p.value.text) if self.follows(p.value) else frozenset[str]()
            if more := behind - self._parameters.keys() - {*waiting}:
                waiting += sorted(more)
                continue
            waiting.pop()
            if p.name not in self._parameters:
                self._add(p, source)
        index = self._parameters[name]
        self.all[index].sources.add(source)
        return Amount.symbol(index)

    def _add(self, p: Parameter, source: str) -> None:
        """Add a parameter, those that it follows being there; one of a circle follows none."""
        formula = None
        try:
            if self.follows(p.value) and not names_in(p.value.text) <= self._parameters.keys():
                raise NoFormula(tr("{text} is not evaluated yet", text=p.value.text))
            formula = self.formula(p.value, source)
        except NoFormula as reason:
            self.alone[p.name] = str(reason), names_in(p.value.text)
        self._parameters[p.name] = self._new(
            p.name, "", "", p.dimension, p.value.value, p.note or p.name, parameter=True
        )
        self.all[-1].formula = formula if isinstance(formula, Formula) else None

    def follows(self, quantity: Quantity) -> bool:
        """True if a quantity is typed in parameters, all of which there are."""
        names = names_in(quantity.text) if quantity.text else ()
        return bool(names) and names <= self.project.parameters.keys()

    def formula(self, quantity: Quantity, source: str) -> Number:
        """A quantity as a formula in symbols; its number where no parameter is in it.  Raises
        NoFormula with the reason in words.
        """
        if not self.follows(quantity):
            return quantity.value
        symbol = lambda name: Formula.of(self.parameter(name, source), self.value_of)
        try:
            found = from_tree(parsed(quantity.text), symbol)
            value = found.evaluated() if isinstance(found, Formula) else float(found)
        except (ZeroDivisionError, ValueError, OverflowError) as error:
            text = tr("{text} has a step that cannot be computed", text=quantity.text)
            raise NoFormula(text) from error
        except NoFormula as error:
            text = tr("{text} has a function without a formula", text=quantity.text)
            raise NoFormula(text) from error
        # a text that its value does not follow (not yet evaluated again) is not to be trusted
        if not math.isclose(value, quantity.value, rel_tol=1e-9, abs_tol=NEGLIGIBLE):
            raise NoFormula(tr("{text} is not evaluated yet", text=quantity.text))
        return found

    def typed(self, quantity: Quantity, source: str) -> Amount | None:
        """A quantity typed as a polynomial of parameters; None for any other."""
        if not self.follows(quantity):
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

    def defined(
        self,
        letter: str,
        owner: str,
        detail: str,
        number: Number,
        dimension: str,
        meaning: str,
        source: str,
        alike: str = "",
    ) -> Amount:
        """The symbol of what follows from others; that of a plain number for a float.  Equal
        formulas of one element share it, and a negative length is minus a positive symbol.
        """
        if not isinstance(number, Formula):
            return self.named(
                letter, owner, detail, float(number), dimension, meaning, source, alike or detail
            )
        if number.single is not None:
            index, sign = number.single
            return Amount.symbol(index).scaled(sign)
        sign = -1 if number.value < 0 and dimension in ("length", "angle") else 1
        formula = number if sign > 0 else -number
        key = (letter, source, formula)
        if key not in self._defined:
            self._defined[key] = self._new(
                letter, owner, detail, dimension, formula.value, meaning, {source}
            )
            self.all[-1].formula = formula
        return Amount.symbol(self._defined[key]).scaled(sign)

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
        alike: str = "",
    ) -> Amount:
        """A quantity of the drawing: in the user's parameters as typed, else under a name of its
        own.  alike: as of `named`, the detail if there is none.
        """
        amount = self.typed(quantity, source)
        if amount is not None:
            return amount
        try:
            number = self.formula(quantity, source)
        except NoFormula:
            number = quantity.value
        return self.defined(letter, owner, detail, number, dimension, meaning, source, alike)

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
        try:
            number = self.formula(quantity, source)
        except NoFormula:
            number = quantity.value
        if not isinstance(number, Formula):
            turns = quarter_turns(quantity.value)
            if turns is not None:
                return turns, {}
        amount = self.defined("delta", owner, "", number, "angle", meaning, source)
        if not amount:
            return 0, {}
        ((monomial, coefficient),) = amount.terms.items()
        return 0, {monomial[0][0]: int(coefficient)}


def quarter_turns(angle: float) -> int | None:
    """The number of right angles, if an angle [rad] is a whole number of them."""
    turns = round(angle / (math.pi / 2))
    return turns if abs(angle - turns * math.pi / 2) < NEGLIGIBLE else None
