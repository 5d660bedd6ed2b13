"""Kernels that stand alone: others call them by their address, instead of carrying a compiled copy of their own.

Numba links the code of a callee into each caller, where it is optimised once more; of a function that stands at the end of five such chains there were five
copies, and most of the compile time went into them.  What is called here is found in a table of addresses, whose own address stands behind the directory of
`Tables`.  So a kernel that few mechanisms need is not compiled before one of them comes: `need` says which (engine/tables.py).
"""

import threading
from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin

from .array_sets import WORD, read_entry
from .columns import ADDRESSES, CALLED, Tables

NOTHING, NUMBER, INDEX, FLAG, VECTOR, TABLES = types.none, types.float64, types.int64, types.boolean, types.float64[::1], Tables.compiled_type

# which kernels are compiled together: those of every run, and those of mechanisms that have such a thing
EVERY, CURVES, SPECIAL_ROWS, BUSHINGS, LAWS = "every", "curves", "special rows", "bushings", "laws"

_waiting: dict[str, list[Callable[[], None]]] = {group: [] for group in (EVERY, CURVES, SPECIAL_ROWS, BUSHINGS, LAWS)}
_compiling = threading.RLock()
# where each stands in the table of addresses: written down, since cached code must find the same places whatever is imported first
_PLACES = ("along", "bend", "poses", "settle", "reading_rates", "row_values", "project", "right_hand_side", "special_value", "special_wrench", "follow_laws",
           "bushing_load", "bushing_energy")


def need(group: str) -> None:
    """Compile the kernels of a group, or load them from the cache, if nobody has done so yet.  Callees come before their callers, in the order of the modules."""
    while _waiting[group]:
        need_next(group)


def need_next(group: str) -> None:
    """The next kernel of a group."""
    with _compiling:
        if _waiting[group]:
            _waiting[group][0]()
            del _waiting[group][0]


def pending() -> list[str]:
    """One entry per kernel that `need` has not compiled yet: its group."""
    return [group for group, kernels in _waiting.items() for _ in kernels]


class _Standing:
    """What stands in the text of kernels for one that is called by its address."""

    def __init__(self, kernel: Dispatcher) -> None:
        self.kernel = kernel

    def __call__(self, *arguments: object) -> None:
        raise TypeError(f"only kernels call {self.kernel.py_func.__name__} by its address")


def standing(group: str, kernel: Dispatcher, result: types.Type, *arguments: types.Type) -> Any:
    """What other kernels call in place of `kernel`.   result, arguments: its types, the tables among them; other arguments are converted."""
    place, at = _PLACES.index(kernel.py_func.__name__), arguments.index(TABLES)

    def compile_it() -> None:
        if not kernel.signatures:
            kernel.compile(arguments)
            # else a caller's constant arguments would make a copy of their own
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
        addresses = builder.inttoptr(read_entry(builder, values[at], len(Tables.kinds), 0), WORD.as_pointer())
        function = builder.inttoptr(builder.load(builder.gep(addresses, [WORD(place)])), kind.as_pointer())
        # kernels raise nothing: their status is not looked at
        return context.call_conv.call_function(builder, function, typed.return_type, typed.args, values)[1]

    return call


def alone(group: str, result: types.Type, *arguments: types.Type) -> Callable[[Callable], Any]:
    """A decorator: the function as a kernel that only kernels call, by its address."""
    return lambda function: standing(group, njit(**CALLED)(function), result, *arguments)
