"""Where compiled kernels are kept.  Numba does not notice an edit in an imported file, so the folder's name carries a hash of all sources.

`prepare_cache()` runs before anything is compiled (engine/kernels/__init__.py calls it); `compile_kernels` fills the cache.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

_OLD = 60 * 24 * 3600.0        # seconds after which another version's folder is swept away


def user_cache() -> Path:
    """The folder for files that can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "mechstudio" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mechstudio"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mechstudio"


def sources_hash() -> str:
    """A hash of everything that a kernel is compiled from: the kernels and the tables and laws of model/ that they read."""
    engine = Path(__file__).parent
    model = engine.parent / "model"
    digest = hashlib.sha256()
    for path in (*sorted((engine / "kernels").glob("*.py")), model / "force_laws.py", model / "force_types.py"):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def prepare_cache() -> Path:
    """Point Numba at this version's folder.  Call it before numba is imported; later it still works for functions not yet decorated.

    A folder that cannot be written makes Numba compile anew at each start, nothing worse.
    """
    folder = user_cache() / f"kernels-{sources_hash()}"
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    # it paints the message of each attempt to type an expression, read or not: a twentieth of the time of compiling
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


def sweep_cache() -> None:
    """Remove kernels of other versions that nobody has used for two months."""
    current = prepare_cache()
    for folder in current.parent.glob("kernels-*"):
        if folder != current and time.time() - folder.stat().st_mtime > _OLD:
            shutil.rmtree(folder, ignore_errors=True)      # another process may be reading it: then it goes next time


_compiled = False


def compile_kernels(progress: Callable[[float], None] = lambda fraction: None) -> None:
    """Compile what every run needs, or load it from the cache.  progress(fraction 0..1) is called between entry points.

    Done once in a process; later calls return at once.   What only some mechanisms need follows with the first of them, or by `compile_the_rest`.
    """
    global _compiled
    if _compiled:
        progress(1.0)
        return
    prepare_cache()
    from .kernels.entry_points import entry_points
    progress(0.0)
    for fraction, compile_one in entry_points():
        compile_one()
        progress(fraction)
    _compiled = True
    sweep_cache()


def compile_the_rest() -> None:
    """Compile what only some mechanisms need; meanwhile other threads may run what is there."""
    compile_kernels()
    from .kernels.entry_points import later
    for compile_one in later():
        compile_one()
