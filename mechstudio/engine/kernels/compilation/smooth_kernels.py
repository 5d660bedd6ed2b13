"""Compilation of the kernels of smooth motion by Numba's own pipeline, kept in a cache folder
whose name carries a hash of all their sources.

Kernels are plain: numbers, tables and tuples of them, no objects, no closures, no exceptions.
"""

from collections.abc import Callable
from typing import Any

from numba.core.dispatcher import Dispatcher

from mechstudio.engine.cache import kernels_folder
from mechstudio.engine.kernels.compilation.kernel_cache import kernel as kept_in

FOLDER = kernels_folder()


def kernel(**options: Any) -> Callable[[Callable], Dispatcher]:
    """Decorator that compiles a function and keeps it in the cache with the other kernels of smooth
    motion.
    """
    return kept_in(FOLDER, **options)
