"""Terms as arithmetic of C and Modelica: products, quotients and whole powers in floating point."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from mechstudio.model.equations.terms import Factor, Name, Term, Trig

_EXACT = 2**53  # whole numbers up to here are exact in floating point


class Arithmetic:
    """Writes terms.  names: what each symbol is called there.  power: how a whole power greater
    than one is written, None for products.
    """

    def __init__(self, names: Mapping[str, str], power: str | None = None) -> None:
        self._names, self._power = names, power

    def name(self, name: str) -> str:
        return self._names.get(name, name)

    def factor(self, f: Factor) -> str:
        """A factor with a positive power."""
        if isinstance(f, Name):
            base = self.name(f.name)
        else:
            base = (
                f"{f.function}({self.sum(f.argument)})"
                if isinstance(f, Trig)
                else f"({self.sum(f.terms)})"
            )
        if f.power == 1:
            return base
        return f"{base}^{f.power}" if self._power == "^" else "*".join([base] * f.power)

    def term(self, t: Term) -> str:
        """A product without its sign."""
        number, below = (
            abs(t.numerator),
            [
                self.factor(msgspec.structs.replace(f, power=-f.power))
                for f in t.factors
                if f.power < 0
            ],
        )
        above = [self.factor(f) for f in t.factors if f.power > 0]
        denominator = t.denominator
        if max(number, denominator) > _EXACT:
            value = float(Fraction(number, denominator))
            above.insert(0, repr(value))
        else:
            if number != 1 or not above:
                above.insert(0, f"{number}.0")
            if denominator != 1:
                below.insert(0, f"{denominator}.0")
        product = "*".join(above)
        if not below:
            return product
        return (
            f"{product}/{below[0]}"
            if len(below) == 1 and "*" not in below[0] and "^" not in below[0]
            else f"{product}/({'*'.join(below)})"
        )

    def sum(self, terms: Sequence[Term]) -> str:
        """A sum; 0.0 without terms."""
        out = ""
        for t in terms:
            sign = "-" if t.numerator < 0 else "+"
            out += f" {sign} {self.term(t)}" if out else ("-" if sign == "-" else "") + self.term(t)
        return out or "0.0"
