"""Kernels of contacts that stand alone: called by their address, as those of kernels/standing.py are and for the same reason, compiled when they are first needed.

The table of addresses stands behind the directories of Stage and Problem, so that whoever has one of them can call.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin

from ..kernels.array_sets import WORD, ArraySet, ArraySetType, read_entry
from ..kernels.columns import Tables
from .compiled import kernel

NOTHING, NUMBER, INDEX, VECTOR, ROWS = types.none, types.float64, types.int64, types.float64[::1], types.float64[:, ::1]
TABLES = Tables.compiled_type
# groups that are compiled together: of every run with contacts, methods to compare, impacts one after the other
EVERY, SWEEPS, IMPACTS = "every", "sweeps", "impacts"
# where each stands in the table: written down, since cached code must find the same places whatever is imported first
_PLACES = ("search", "find_islands", "read_bodies", "predict", "hold_rates", "fill_contacts", "read_approach", "fill_right_side", "fill_overlaps", "set_masses", "spread", "multiply",
           "prepare_island", "residual", "trial_step", "guess_curvature", "solve_apgd", "solve_gauss_seidel", "solve_jacobi", "solve_island", "impacts_in_turn", "recall", "remember",
           "push_apart", "book_work", "solve_loaded", "solve_rows", "accelerate_at_middle", "accelerate", "move", "turn_freely", "add_stops", "book_rows",
           "fill_pile", "load_pile", "advance_pile", "judge_pile", "shift_pile", "solve_pile")
ADDRESSES = np.zeros(len(_PLACES), np.int64)

_waiting: dict[str, list[Callable[[], None]]] = {EVERY: [], SWEEPS: [], IMPACTS: []}
_compiling = threading.RLock()


def need(group: str) -> None:
    """Compile the kernels of a group, or load them from the cache, if nobody has done so yet."""
    while _waiting[group]:
        need_next(group)


def need_next(group: str) -> None:
    """The next kernel of a group."""
    with _compiling:
        if _waiting[group]:
            _waiting[group][0]()
            del _waiting[group][0]


def pending(group: str) -> int:
    """How many kernels of a group nobody has compiled yet."""
    return len(_waiting[group])


class Addressed(ArraySet):
    """A set of arrays behind whose directory the addresses stand."""

    beyond = (ADDRESSES,)


class _Standing:
    """What stands in the text of kernels for one that is called by its address."""

    def __init__(self, kernel: Dispatcher) -> None:
        self.kernel = kernel

    def __call__(self, *arguments: object) -> None:
        raise TypeError(f"only kernels call {self.kernel.py_func.__name__} by its address")


def standing(group: str, kernel: Dispatcher, result: types.Type, *arguments: types.Type) -> Any:
    """What other kernels call in place of `kernel`.   result, arguments: its types, a Stage or a Problem among them."""
    place = _PLACES.index(kernel.py_func.__name__)
    at = next(n for n, a in enumerate(arguments) if isinstance(a, ArraySetType) and a is not TABLES)
    arrays = len(arguments[at].places)

    def compile_it() -> None:
        if not kernel.signatures:
            kernel.compile(arguments)
            kernel.disable_compile()
        compiled = kernel.overloads[arguments]
        if compiled.signature.return_type != result:
            raise TypeError(f"{kernel.py_func.__name__} returns {compiled.signature.return_type}, not {result}")
        ADDRESSES[place] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    _waiting[group].append(compile_it)
    call = _Standing(kernel)

    class Typed(ConcreteTemplate):
        key = call
        cases = [signature(result, *arguments)]

    infer_global(call, types.Function(Typed))

    @lower_builtin(call, *arguments)
    def lowered(context, builder, typed, values):
        kind = context.call_conv.get_function_type(typed.return_type, typed.args)
        addresses = builder.inttoptr(read_entry(builder, values[at], arrays, 0), WORD.as_pointer())
        # a kernel that is compiled later has its address later: this is read anew at each call
        function = builder.inttoptr(builder.load(builder.gep(addresses, [WORD(place)])), kind.as_pointer())
        return context.call_conv.call_function(builder, function, typed.return_type, typed.args, values)[1]

    return call


def alone(group: str, result: types.Type, *arguments: types.Type) -> Callable[[Callable], Any]:
    """A decorator: the function as a kernel that only kernels call, by its address."""
    return lambda function: standing(group, kernel(function), result, *arguments)
