"""Files of compiled kernels: in a folder of mechstudio's own, whatever cache Numba uses for the
functions of others, and before that in the store of the installation.

Numba's settings hold for the whole process: in a script they belong to its author.  So each kernel
is given its cache itself.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.dispatcher import Dispatcher

from mechstudio.engine.kernel_store import family, place_in_store


class _Place:
    """Cache locator of one kernel, as Numba asks for it: where the files of the kernel are.

    The folder's name carries a hash of all sources, so that the files in it need no stamp.
    """

    def __init__(self, folder: Path, function: Callable) -> None:
        self._folder = folder / Path(function.__code__.co_filename).parent.name
        self._line = function.__code__.co_firstlineno
        # Numba names the file in a warning
        self._py_file = function.__code__.co_filename

    def ensure_cache_path(self) -> None:
        """Make the folder.  Raises OSError where that cannot be."""
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
            """The names of the files; Numba's own search for a folder is left out."""

            def __init__(self, py_func: Callable) -> None:
                self._lineno = py_func.__code__.co_firstlineno
                self._locator = _Place(folder, py_func)
                name = f"{Path(py_func.__code__.co_filename).stem}.{py_func.__qualname__}"
                self._filename_base = self.get_filename_base(name, "")

        self._impl_class = Files
        super().__init__(function)


class _StoredFiles(_Files):
    """The same in the store, whose code is for a family of processors instead of this very one."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        signature, (system, *_), text = super()._index_key(sig, codegen)
        return signature, (system, family(), ""), text


class KernelCache(_Files):
    """Compiled code of one kernel in a folder that is written, and in the store, which is read
    first.
    """

    def __init__(self, function: Callable, folder: Path) -> None:
        super().__init__(function, folder)
        place = place_in_store(folder)
        self._stored = None if place is None else _StoredFiles(function, place)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these types; None if it is nowhere."""
        stored = self._stored and self._stored.load_overload(sig, target_context)
        return stored or super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code.  A folder that cannot be written makes each start compile anew,
        nothing worse.
        """
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()


def kernel(folder: Path, **options: Any) -> Callable[[Callable], Dispatcher]:
    """A decorator: the function compiled by Numba with these options, its machine code kept in
    `folder`.
    """

    def compiled(function: Callable) -> Dispatcher:
        made = njit(**options)(function)
        # what njit(cache=True) does, with a cache that is ours
        made._cache = KernelCache(function, folder)
        return made

    return compiled


def is_compiled(kernel: str, folder: Path) -> bool:
    """True if code of a kernel `module.function` is in the store or in this folder of the cache."""
    places = (place_in_store(folder), folder)
    return any(next(place.rglob(f"{kernel}-*.nbc"), None) for place in places if place)
