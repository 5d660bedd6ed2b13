"""Files of compiled kernels, sought in the store of the installation and then in a folder of
mechstudio, whatever cache Numba uses for other functions.

Numba's settings hold for the whole process, and in a script they belong to its author.  Each kernel
is therefore given its own cache.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.dispatcher import Dispatcher

from mechstudio.engine.kernel_store import family, place_in_store


class _Place:
    """Cache locator of one kernel in the form that Numba requests: the place of its files.

    The folder's name carries a hash of all sources, so that the files in it need no stamp.
    """

    def __init__(self, folder: Path, function: Callable) -> None:
        self._folder = folder / Path(function.__code__.co_filename).parent.name
        self._line = function.__code__.co_firstlineno
        # Numba names the file in a warning
        self._py_file = function.__code__.co_filename

    def ensure_cache_path(self) -> None:
        """Make the folder.  Raises OSError if that fails."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The same for all: see the class."""
        return ""

    def get_disambiguator(self) -> str:
        """Line number of the function, which distinguishes functions of one name in one file."""
        return str(self._line)


class _Files(FunctionCache):
    """Compiled code of one kernel in a folder."""

    def __init__(self, function: Callable, folder: Path) -> None:
        class Files(CompileResultCacheImpl):
            """The names of the files, without Numba's own search for a folder."""

            def __init__(self, py_func: Callable) -> None:
                self._lineno = py_func.__code__.co_firstlineno
                self._locator = _Place(folder, py_func)
                name = f"{Path(py_func.__code__.co_filename).stem}.{py_func.__qualname__}"
                self._filename_base = self.get_filename_base(name, "")

        self._impl_class = Files
        super().__init__(function)


class _StoredFiles(_Files):
    """Compiled code of one kernel in the store, made for a family of processors."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        signature, (system, *_), text = super()._index_key(sig, codegen)
        return signature, (system, family(), ""), text


class KernelCache(_Files):
    """Compiled code of one kernel, read from the store first, then from a folder, and written to
    the folder.
    """

    def __init__(self, function: Callable, folder: Path) -> None:
        super().__init__(function, folder)
        place = place_in_store(folder)
        self._stored = None if place is None else _StoredFiles(function, place)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these types; None if there is none."""
        stored = self._stored and self._stored.load_overload(sig, target_context)
        return stored or super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code.  With a folder that cannot be written, each start compiles again."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()


def kernel(folder: Path, **options: Any) -> Callable[[Callable], Dispatcher]:
    """Decorator that compiles a function by Numba with these options and keeps the machine code in
    `folder`.
    """

    def compiled(function: Callable) -> Dispatcher:
        made = njit(**options)(function)
        # as njit(cache=True) does, with a cache of mechstudio
        made._cache = KernelCache(function, folder)
        return made

    return compiled


def is_compiled(kernel: str, folder: Path) -> bool:
    """True if code of a kernel `module.function` is in the store or in this folder of the cache."""
    places = (place_in_store(folder), folder)
    return any(next(place.rglob(f"{kernel}-*.nbc"), None) for place in places if place)
