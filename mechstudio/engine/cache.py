"""Folder of the compiled kernels, and who may compile: one thread of one process at a time.

Numba does not notice an edit in an imported file, so the folder's name carries a hash of all
sources.
"""

import gc
import hashlib
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mechstudio.engine.file_lock import locked
from mechstudio.engine.kernel_store import report_mismatch
from mechstudio.folders import cache_folder
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.translation import tr

_OLD = 60 * 24 * 3600.0  # seconds after which another version's folder is swept away
Progress = Callable[[float], None]


def sources_hash() -> str:
    """A hash of everything that a kernel is compiled from: the kernels, the force laws, and of the
    rows of forces what the kernels read.  Words, looks and defaults of a row are not in it.
    """
    digest = hashlib.sha256()
    for path in (
        *sorted((Path(__file__).parent / "kernels").rglob("*.py")),
        Path(force_laws.__file__),
    ):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for type, kind in FORCE_TYPES.items():
        functions = (_function_text(f) for f in (kind.law, kind.potential))
        read = (type, kind.attachment, *functions, *(p.name for p in kind.parameters))
        digest.update("\0".join(read).encode() + b"\0")
    return digest.hexdigest()[:16]


def _function_text(function: Callable | None) -> str:
    """Name of a law; of one that stands outside force_laws.py, whose text is read, its code too."""
    if function is None:
        return ""
    code = function.__code__
    own = function.__module__ != force_laws.__name__
    return f"{function.__qualname__}{(code.co_code, code.co_consts, code.co_names) if own else ''}"


def kernels_folder() -> Path:
    """This version's folder; it need not exist.  One that cannot be written makes each start
    compile again, nothing worse.
    """
    return cache_folder() / f"kernels-{sources_hash()}"


def sweep_cache() -> None:
    """Remove kernels of other versions that have been unused for two months."""
    current = kernels_folder()
    for folder in current.parent.glob("kernels-*"):
        if folder != current and time.time() - folder.stat().st_mtime > _OLD:
            shutil.rmtree(
                folder, ignore_errors=True
            )  # another process may be reading it: then it goes next time


# one at a time

_turn = threading.RLock()
_holding = False  # whether this process holds the lock on the folder; `_turn` guards it


@contextmanager
def _kept_garbage() -> Iterator[None]:
    """Context without garbage collection: a compiler's objects live as long as the kernel, and
    searching them takes a tenth of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def compiling(cold: bool = True) -> Iterator[None]:
    """The turn to compile kernels: other threads wait, and where the cache is cold other processes
    too, which then load what was compiled.

    The lock on the folder is one of the operating system's: it goes with a process that is killed.
    May be entered again within itself.
    """
    global _holding
    with _turn, _kept_garbage():
        if _holding or not cold:
            yield
            return
        with locked(cache_folder() / "compiling.lock"):
            _holding = True
            try:
                yield
            finally:
                _holding = False


def progress_on_stderr(words: str) -> Progress:
    """Say on stderr that something takes long: once, and on a terminal with the percentage until it
    is done.
    """
    stream = sys.stderr
    if stream is None:  # a program without a console
        return lambda fraction: None
    if not stream.isatty():
        print(f"mechstudio: {words}", file=stream, flush=True)
        return lambda fraction: None

    def show(fraction: float) -> None:
        print(
            "\r\033[K"
            if fraction >= 1.0
            else f"\r\033[Kmechstudio: {words} {100 * fraction:.0f} %",
            end="",
            file=stream,
            flush=True,
        )

    return show


_compiled = False


def compile_kernels(progress: Progress | None = None) -> None:
    """Compile what every run needs, or load it from the cache.

    progress(fraction 0..1) is called between entry points; without one, stderr says what takes long
    where nothing is in the cache.
    Done once in a process; later calls return at once.  What only some mechanisms need follows with
    the first of them, or by `compile_the_rest`.
    """
    global _compiled
    if not _compiled:
        _compile(progress)
        _compiled = True
    elif progress is not None:
        progress(1.0)


def _compile(progress: Progress | None) -> None:
    from mechstudio.engine.kernels.entry_points import cached, entry_points

    with compiling(cold=not cached()):
        # another process may have done it while this one waited
        cold = not cached()
        if cold:
            report_mismatch(kernels_folder())
        if progress is None:
            progress = (
                progress_on_stderr(tr("compiling the solver for this machine, once: about 20 s."))
                if cold
                else lambda fraction: None
            )
        progress(0.0)
        for fraction, compile_one in entry_points():
            compile_one()
            progress(fraction)
    sweep_cache()


def compile_the_rest() -> None:
    """Compile what only some mechanisms need; meanwhile other threads may run what is there."""
    compile_kernels()
    from mechstudio.engine.kernels.entry_points import later

    for compile_one in later():
        with compiling():
            compile_one()
