"""The force laws of model/types/force_laws.py, compiled as they are.  A new law of a known
attachment needs a row and a function there, nothing here.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

from mechstudio.engine.kernels.columns import FPAR, INLINE
from mechstudio.model.types.force_laws import sliding, soft_stop, soft_stop_potential
from mechstudio.model.types.forces import FORCE_TYPES, ForceType

Key = tuple[Callable, int]


def _key(function: Callable | None, kind: ForceType) -> Key | None:
    return None if function is None else (function, len(kind.parameters))


def _keys(keys) -> list[Key]:
    return list(dict.fromkeys(k for k in keys if k is not None))


# a soft stop is no force of the drawing but has a row of the same table
# (engine/system/force_tables.py)
_STOP, _STOP_POTENTIAL = (soft_stop, 4), (soft_stop_potential, 4)
# sticking friction replaces the smoothed law during a run (engine/integration/events/frictions.py)
_SLIDING = (sliding, 3)
EFFORTS = [*_keys(_key(kind.law, kind) for kind in FORCE_TYPES.values()), _STOP, _SLIDING]
POTENTIALS = [*_keys(_key(kind.potential, kind) for kind in FORCE_TYPES.values()), _STOP_POTENTIAL]
SOFT_STOP, SOFT_STOP_POTENTIAL, SLIDING = (
    EFFORTS.index(_STOP),
    POTENTIALS.index(_STOP_POTENTIAL),
    EFFORTS.index(_SLIDING),
)


def effort_index(kind: ForceType) -> int:
    """Number of the law of a force type in the kernel; -1 for a type without one."""
    return -1 if kind.law is None else EFFORTS.index(_key(kind.law, kind))  # type: ignore[arg-type]


def potential_index(kind: ForceType) -> int:
    """Number of the potential of a force type in the kernel; -1 for a type without one."""
    if kind.potential is None:
        return -1
    return POTENTIALS.index(_key(kind.potential, kind))


def _chosen(functions: list[Key], takes_rate: bool) -> Any:
    """f(kind, x, v, P, s): the kind-th function with its parameters from columns FPAR... of row s,
    and 0 without one.

    It is written out as text, one comparison after the other, which the compiler turns into a
    switch; as a chain of small functions it took Numba eight times as long.
    """
    names: dict[str, Any] = {
        f"law_{n}": njit(**INLINE)(function) for n, (function, _) in enumerate(functions)
    }
    lines = ["def chosen(kind, x, v, P, s):"]
    for n, (_, count) in enumerate(functions):
        arguments = ["x", *["v"] * takes_rate, *(f"P[s, {FPAR + c}]" for c in range(count))]
        lines += [f"    if kind == {n}:", f"        return law_{n}({', '.join(arguments)})"]
    exec("\n".join([*lines, "    return 0.0"]), names)
    return njit(**INLINE)(names["chosen"])


law_effort, law_potential = _chosen(EFFORTS, True), _chosen(POTENTIALS, False)
