"""Force laws read exactly: the same code objects as the kernel compiles, with their decimal numbers
as rationals.

One formula, two readers: the simulated law and the printed one cannot part.
"""

import functools
import operator
import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

import flint


def exact(law: Callable, **functions: Callable) -> Callable:
    """A law of model/types/force_laws.py that works on ring elements.  functions: what stands in
    for functions that it calls, such as sqrt.
    """
    constants = tuple(map(_rational_parts, law.__code__.co_consts))
    return types.FunctionType(
        law.__code__.replace(co_consts=constants),
        law.__globals__ | functions,
        law.__name__,
        law.__defaults__,
    )


class NotAFormula(Exception):
    """A law that does more than the arithmetic which equations can be read from."""


class Reading(NamedTuple):
    """The needs of a law.  uses_coordinate: true if it reads its coordinate, not only the rate.
    roots: how many square roots it divides by.
    """

    uses_coordinate: bool
    roots: int


@functools.cache
def reading(law: Callable, numbers: int) -> Reading:
    """Reading of a law law(x, v, *numbers) or of a potential potential(x, *numbers).  numbers: how
    many arguments follow x.  Raises NotAFormula.
    """
    roots = 0

    def root(square: Any) -> _TracedRoot:
        nonlocal roots
        roots += 1
        return _TracedRoot(_has_coordinate(square))

    try:
        value = exact(law, sqrt=root)(_Traced(True), *[_Traced(False)] * numbers)
    except TypeError as error:
        raise NotAFormula from error
    return Reading(_has_coordinate(value), roots)


def _has_coordinate(value: Any) -> bool:
    if isinstance(value, _TracedRoot):
        raise NotAFormula
    return isinstance(value, _Traced) and value.has_coordinate


class _TracedRoot:
    """A square root, by which something may be divided; all else is a TypeError."""

    def __init__(self, has_coordinate: bool) -> None:
        self.has_coordinate = has_coordinate

    def __rtruediv__(self, numerator: Any) -> "_Traced":
        return _Traced(_has_coordinate(numerator) or self.has_coordinate)


class _Traced:
    """A number of a law that knows whether the coordinate is in it."""

    def __init__(self, has_coordinate: bool) -> None:
        self.has_coordinate = has_coordinate

    def _with(self, other: Any) -> "_Traced":
        return _Traced(_has_coordinate(other) or self.has_coordinate)

    def _same(self) -> "_Traced":
        return self

    def _never(self, *others: Any) -> NoReturn:
        raise NotAFormula

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _with
    __neg__ = __pos__ = _same
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = __abs__ = _never

    def __pow__(self, exponent: Any) -> "_Traced":
        if operator.index(exponent) < 0:
            raise NotAFormula
        return self

    def __truediv__(self, divisor: Any) -> "_Traced":
        if isinstance(divisor, _TracedRoot):
            return NotImplemented
        if isinstance(divisor, _Traced):
            raise NotAFormula
        return self


def _rational_parts(constant):
    if isinstance(constant, tuple):
        return tuple(map(_rational_parts, constant))
    return _rational(constant) if isinstance(constant, float) else constant


def _rational(value: float) -> flint.fmpq:
    fraction = Fraction(repr(value))
    return flint.fmpq(fraction.numerator, fraction.denominator)
