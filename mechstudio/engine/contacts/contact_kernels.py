"""Compilation of the contact kernels, like all others, but in a cache folder of their own, whose
name carries a hash of these sources too.

An edit in this package therefore recompiles no kernel of smooth motion, and a mechanism without
contacts never compiles contact kernels.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

from numba import njit
from numba.core.dispatcher import Dispatcher

from mechstudio.engine.cache import kernels_folder
from mechstudio.engine.kernels.columns import CALLED, INLINE, OPTIONS
from mechstudio.engine.kernels.compilation.kernel_cache import kernel as kept_in

ENTRY, INNER, INLINED = OPTIONS, CALLED, INLINE
# part of one caller, merged into it before compilation: it costs no compilation of its own
MERGED = CALLED | {"inline": "always"}
# files and folders that no kernel reads: an edit there recompiles nothing
NEVER_COMPILED = {
    "runs",
    "bodies.py",
    "joint_friction.py",
    "warmup.py",
    "soft_forces.py",
    "stiffness.py",
    "stop_table.py",
    "world.py",
}


def contacts_folder() -> Path:
    """The cache folder of these kernels."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in sorted(here.rglob("*.py")):
        if NEVER_COMPILED & set(path.relative_to(here).parts):
            continue
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    base = kernels_folder()
    return base.with_name(f"{base.name}-{digest.hexdigest()[:12]}")


FOLDER = contacts_folder()


@overload
def kernel(function: Callable, *, options: dict[str, Any] = INNER) -> Dispatcher: ...
@overload
def kernel(*, options: dict[str, Any] = INNER) -> Callable[[Callable], Dispatcher]: ...
def kernel(function: Callable | None = None, *, options: dict[str, Any] = INNER) -> Any:
    """A compiled function.  options: ENTRY where Python calls it, INNER where kernels do, INLINED
    where it is a few lines of arithmetic, MERGED where it is part of one caller.
    """
    compiled = (
        njit(**options) if options is INLINED or options is MERGED else kept_in(FOLDER, **options)
    )
    return compiled if function is None else compiled(function)
