"""Terms as arithmetic of C and Modelica: products, quotients and whole powers in floating point."""

import math
from collections.abc import Mapping
from fractions import Fraction

from mechstudio.model.equations.terms import PI, Name
from mechstudio.symbolic.printers.printer import Language, Printer, in_line

_EXACT = 2**53  # whole numbers up to here are exact in floating point


def _term(numerator: int, denominator: int, above: list[str], below: list[str]) -> str:
    if max(numerator, denominator) > _EXACT:
        above = [repr(float(Fraction(numerator, denominator))), *above]
    else:
        above = [f"{numerator}.0", *above] if numerator != 1 or not above else above
        below = [f"{denominator}.0", *below] if denominator != 1 else below
    product = "*".join(above)
    if not below:
        return product
    single = len(below) == 1 and "*" not in below[0] and "^" not in below[0]
    return f"{product}/{below[0]}" if single else f"{product}/({'*'.join(below)})"


def arithmetic(names: Mapping[str, str], sign: str = "") -> Printer:
    """Printer of terms.  names: what each symbol is called there.  sign: of a whole power greater
    than one, "" for products.
    """
    known = {PI: repr(math.pi), **names}

    def power(base: str, n: int) -> str:
        return base if n == 1 else f"{base}{sign}{n}" if sign else "*".join([base] * n)

    def name(n: Name) -> str:
        return power(known.get(n.name, n.name), n.power)

    return Printer(
        Language(
            name=name,
            function=lambda f, inside: power(f"{f.function}({inside})", f.power),
            bracket=lambda inside, n: power(f"({inside})", n),
            term=_term,
            sum=in_line(zero="0.0"),
        )
    )
