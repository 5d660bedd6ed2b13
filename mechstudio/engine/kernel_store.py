"""Store of compiled kernels that an installation may carry, made by packaging/build_wheel.py and
only read here.

One folder per family of processors holds the folders of a kernel cache (engine/cache.py), whose
names carry a hash of the sources: what was edited is not found and compiled as without a store.
"""

import functools
import json
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

from mechstudio.translation import tr

FOLDER = Path(__file__).parents[1] / "_kernels"
STAMP = "made_with.json"
_V3 = frozenset(
    "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave".split()
)
# what processors of a family can do, in LLVM's words; the best family first
FAMILIES = {
    "x86-64-v4": _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"},
    "x86-64-v3": _V3,
}


def stamp() -> dict[str, str]:
    """Versions and binary interface for which code that is compiled here holds."""
    return {"Numba": version("numba"), "Python": str(sysconfig.get_config_var("EXT_SUFFIX"))}


@functools.cache
def _made_with() -> dict[str, str]:
    """Stamp of the store; empty where there is none."""
    try:
        return json.loads((FOLDER / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


@functools.cache
def family() -> str:
    """The best family of processors whose code is in the store and runs here; "" if there is
    none.
    """
    if not _made_with() or _made_with() != stamp():
        return ""
    from numba.core.codegen import get_host_cpu_features

    can = {name[1:] for name in get_host_cpu_features().split(",") if name.startswith("+")}
    found = (name for name, needs in FAMILIES.items() if needs <= can)
    return next((name for name in found if (FOLDER / name).is_dir()), "")


def place_in_store(folder: Path) -> Path | None:
    """Folder of the store with the code of a folder of the cache; None if it cannot be used
    here.
    """
    place = FOLDER / family() / folder.name
    return place if family() and place.is_dir() else None


def mismatch(folder: Path) -> str:
    """A sentence about the reason for which the store has no code for a folder of the cache; ""
    where there is no store, or where it has.
    """
    if not _made_with() or place_in_store(folder):
        return ""
    here = stamp()
    for what, needed in _made_with().items():
        if here[what] != needed:
            return tr(
                "the compiled kernels of this installation need {what} {needed}, not {here}.",
                what=what,
                needed=needed,
                here=here[what],
            )
    if not family():
        families = " or ".join(name for name in FAMILIES if (FOLDER / name).is_dir())
        return tr(
            "the compiled kernels of this installation need a processor of {families}.",
            families=families,
        )
    return tr("the compiled kernels of this installation were made from other sources.")


@functools.cache
def report_mismatch(folder: Path) -> None:
    """Say on stderr, once in a process, that something is compiled in spite of the store."""
    if (sentence := mismatch(folder)) and sys.stderr is not None:
        print(f"mechstudio: {sentence}", file=sys.stderr, flush=True)
