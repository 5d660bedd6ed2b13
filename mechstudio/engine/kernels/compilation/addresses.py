"""Kernels called by addresses in a table, so that no caller carries a compiled copy of its own.

Numba links the code of a callee into each caller, where it is optimised once more; a function at
the end of five such chains had five copies, which took most of the compile time.  The table's own
address follows the directory of a set of arrays that the kernel takes.
A kernel that few mechanisms need is therefore compiled only for the first of them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin

from mechstudio.engine.cache import compiling
from mechstudio.engine.kernels.compilation.array_sets import WORD, read_entry

NOTHING, NUMBER, INDEX, FLAG = types.none, types.float64, types.int64, types.boolean
VECTOR, ROWS = types.float64[::1], types.float64[:, ::1]


class _Standing:
    """Stand-in, in the source of kernels, for a kernel that is called by its address."""

    def __init__(self, kernel: Dispatcher) -> None:
        self.kernel = kernel

    def __call__(self, *arguments: object) -> None:
        raise TypeError(f"only kernels call {self.kernel.py_func.__name__} by its address")


class AddressTable:
    """Addresses of kernels, and the kernels not compiled yet.

    addresses: int64, one place per kernel, following the directories of the sets of arrays for
    which `carries` is true; compiled: makes a kernel of a function.
    places: names of the kernels in the order of their places.  The order is fixed, since cached
    code must find the same places whatever is imported first.
    groups: names of the groups of kernels that are compiled together.
    """

    def __init__(
        self,
        addresses: np.ndarray,
        places: tuple[str, ...],
        groups: tuple[str, ...],
        carries: Callable[[types.Type], bool],
        compiled: Callable[[Callable], Dispatcher],
    ) -> None:
        self.addresses, self.places, self.carries, self.compiled = (
            addresses,
            places,
            carries,
            compiled,
        )
        self._waiting: dict[str, list[Callable[[], None]]] = {group: [] for group in groups}

    def need(self, group: str) -> None:
        """Compile the kernels of a group, or load them from the cache, unless that is done already.
        Callees come before their callers, in the order of the modules.
        """
        if self._waiting[group]:
            with compiling():
                while self._waiting[group]:
                    self.need_next(group)

    def need_next(self, group: str) -> None:
        """The next kernel of a group."""
        with compiling(cold=False):
            if self._waiting[group]:
                self._waiting[group][0]()
                del self._waiting[group][0]

    def pending(self) -> list[str]:
        """Groups of the kernels that `need` has not compiled yet, one entry per kernel."""
        return [group for group, kernels in self._waiting.items() for _ in kernels]

    def standing(
        self, group: str, kernel: Dispatcher, result: types.Type, *arguments: types.Type
    ) -> Any:
        """Stand-in that other kernels call in place of `kernel`.  result, arguments: its types,
        among them one that carries the table; other arguments are converted.
        """
        place, table = self.places.index(kernel.py_func.__name__), self.addresses
        at = next(n for n, argument in enumerate(arguments) if self.carries(argument))
        arrays = len(arguments[at].places)

        def compile_it() -> None:
            if not kernel.signatures:
                kernel.compile(arguments)
                # else a caller's constant arguments would make a copy of their own
                kernel.disable_compile()
            compiled = kernel.overloads[arguments]
            if compiled.signature.return_type != result:
                raise TypeError(
                    f"{kernel.py_func.__name__} returns {compiled.signature.return_type}, "
                    f"not {result}"
                )
            table[place] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

        self._waiting[group].append(compile_it)
        call = _Standing(kernel)

        class Typed(ConcreteTemplate):
            key = call
            cases = [signature(result, *arguments)]

        infer_global(call, types.Function(Typed))

        @lower_builtin(call, *arguments)
        def lowered(context, builder, typed, values):
            kind = context.call_conv.get_function_type(typed.return_type, typed.args)
            addresses = builder.inttoptr(
                read_entry(builder, values[at], arrays, 0), WORD.as_pointer()
            )
            # a kernel that is compiled later gets its address later: it is read again at each call
            function = builder.inttoptr(
                builder.load(builder.gep(addresses, [WORD(place)])), kind.as_pointer()
            )
            # kernels raise nothing: their status is ignored
            return context.call_conv.call_function(
                builder, function, typed.return_type, typed.args, values
            )[1]

        return call

    def alone(
        self, group: str, result: types.Type, *arguments: types.Type
    ) -> Callable[[Callable], Any]:
        """Decorator that makes a function a kernel called by address, from kernels only."""
        return lambda function: self.standing(group, self.compiled(function), result, *arguments)
