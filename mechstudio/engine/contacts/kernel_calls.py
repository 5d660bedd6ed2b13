"""Kernels called by address, so that only those needed by the shapes of a mechanism are compiled.

Numba links the code of a callee into each caller and optimises it there once more; through a table
of addresses (`Shapes.calls`) each kernel is compiled once, and an unused one never.
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from mechstudio.engine.cache import compiling


def _call(typing_context, address, T, W, i, j, x):
    """Result of the kernel at an address for (T, W, i, j, x), an integer.  The kernel must have
    been made by `address_of` for exactly these types.
    """
    arguments = (T, W, types.int64, types.int64, types.float64)

    def lower(context, builder, signature, values):
        kind = context.call_conv.get_function_type(types.int64, arguments)
        function = builder.inttoptr(values[0], kind.as_pointer())
        # kernels raise nothing: their status is ignored
        return context.call_conv.call_function(
            builder, function, types.int64, arguments, values[1:]
        )[1]

    return types.int64(types.int64, *arguments), lower


Called = Callable[[int, Any, Any, int, int, float], int]
# Numba's stubs give it the typing context too
call: Called = intrinsic(_call)  # pyright: ignore[reportAssignmentType]


def address_of(kernel: Dispatcher, T: Any, W: Any) -> int:
    """The address of a kernel (T, W, integer, integer, number) -> integer, compiled now or loaded
    from the cache.  T, W: types of the tables.
    """
    arguments = (T, W, types.int64, types.int64, types.float64)
    if arguments not in kernel.overloads:
        with compiling():
            kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    if compiled.signature.return_type != types.int64:
        raise TypeError(
            f"{kernel.py_func.__name__} returns {compiled.signature.return_type}, not an "
            "integer of 64 bits"
        )
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
