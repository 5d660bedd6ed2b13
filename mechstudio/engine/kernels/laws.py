"""The force laws of model/force_laws.py, compiled as they are.  A new law of a known attachment needs a row and a function there, nothing here."""

from collections.abc import Callable

from numba import njit

from mechstudio.model.force_laws import soft_stop, soft_stop_potential
from mechstudio.model.force_types import FORCE_TYPES, ForceType

from .columns import FPAR, INLINE

# closures are compiled into their callers, whose own cache entries carry them
INLINE_UNCACHED = {**INLINE, "cache": False}

Key = tuple[Callable, int]


def _key(function: Callable | None, kind: ForceType) -> Key | None:
    return None if function is None else (function, len(kind.parameters))


def _keys(keys) -> list[Key]:
    return list(dict.fromkeys(k for k in keys if k is not None))


# a soft stop is no force of the drawing but takes a row of the same table (engine/force_tables.py)
_STOP, _STOP_POTENTIAL = (soft_stop, 4), (soft_stop_potential, 4)
EFFORTS = [*_keys(_key(kind.law, kind) for kind in FORCE_TYPES.values()), _STOP]
POTENTIALS = [*_keys(_key(kind.potential, kind) for kind in FORCE_TYPES.values()), _STOP_POTENTIAL]
SOFT_STOP, SOFT_STOP_POTENTIAL = EFFORTS.index(_STOP), POTENTIALS.index(_STOP_POTENTIAL)


def effort_index(kind: ForceType) -> int:
    """The number by which the kernel knows the law of a force type; -1 for a type without one."""
    return -1 if kind.law is None else EFFORTS.index(_key(kind.law, kind))  # type: ignore[arg-type]


def potential_index(kind: ForceType) -> int:
    """The number by which the kernel knows the potential of a force type; -1 for a type without one."""
    return -1 if kind.potential is None else POTENTIALS.index(_key(kind.potential, kind))  # type: ignore[arg-type]


def _with_parameters(function, count: int):
    """f(x, v, P, s): the law with its parameters from columns FPAR... of row s."""
    law = njit(**INLINE_UNCACHED)(function)
    calls = (lambda x, v, P, s: law(x, v),
             lambda x, v, P, s: law(x, v, P[s, FPAR]),
             lambda x, v, P, s: law(x, v, P[s, FPAR], P[s, FPAR + 1]),
             lambda x, v, P, s: law(x, v, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2]),
             lambda x, v, P, s: law(x, v, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3]),
             lambda x, v, P, s: law(x, v, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3], P[s, FPAR + 4]),
             lambda x, v, P, s: law(x, v, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3], P[s, FPAR + 4], P[s, FPAR + 5]))
    return njit(**INLINE_UNCACHED)(calls[count])


def _without_rate(function, count: int):
    """f(x, v, P, s) of a potential, which does not take the rate."""
    law = njit(**INLINE_UNCACHED)(function)
    calls = (lambda x, v, P, s: law(x),
             lambda x, v, P, s: law(x, P[s, FPAR]),
             lambda x, v, P, s: law(x, P[s, FPAR], P[s, FPAR + 1]),
             lambda x, v, P, s: law(x, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2]),
             lambda x, v, P, s: law(x, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3]),
             lambda x, v, P, s: law(x, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3], P[s, FPAR + 4]),
             lambda x, v, P, s: law(x, P[s, FPAR], P[s, FPAR + 1], P[s, FPAR + 2], P[s, FPAR + 3], P[s, FPAR + 4], P[s, FPAR + 5]))
    return njit(**INLINE_UNCACHED)(calls[count])


def _chosen(functions):
    """f(kind, x, v, P, s) that calls the kind-th function: a chain of comparisons, which the compiler turns into a switch."""
    @njit(**INLINE_UNCACHED)
    def none(kind, x, v, P, s):
        return 0.0

    chain = none
    for number in reversed(range(len(functions))):
        chain = _link(number, functions[number], chain)
    return chain


def _link(number, function, rest):
    @njit(**INLINE_UNCACHED)
    def link(kind, x, v, P, s):
        if kind == number:
            return function(x, v, P, s)
        return rest(kind, x, v, P, s)
    return link


law_effort = _chosen([_with_parameters(*key) for key in EFFORTS])
law_potential = _chosen([_without_rate(*key) for key in POTENTIALS])
