"""Force laws read exactly: the same code objects as the kernel compiles, with their decimal numbers
as rationals.

One formula, two readers: the simulated law and the printed one cannot part.
"""

import types
from collections.abc import Callable
from fractions import Fraction

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


def _rational_parts(constant):
    if isinstance(constant, tuple):
        return tuple(map(_rational_parts, constant))
    return _rational(constant) if isinstance(constant, float) else constant


def _rational(value: float) -> flint.fmpq:
    fraction = Fraction(repr(value))
    return flint.fmpq(fraction.numerator, fraction.denominator)
