"""Memory of a run that is held as a whole: counted before it starts, and reported in a sentence
where it does not suffice.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

from mechstudio.engine.errors import EngineError
from mechstudio.model.findings import Finding
from mechstudio.translation import Words, localised, tr

# of the free memory that the samples of a run may take: to put them together takes as much again
SHARE = 0.5
LOOK = 1 << 20  # bytes by which memory grows until it is measured again
_CURE: Words = "Choose a longer sample step or a shorter duration."


def full_memory() -> Finding:
    """Finding about a run that did not fit into memory."""
    return Finding("error", "", tr("There is not enough memory for this run."), tr(_CURE))


def free_memory() -> int | None:
    """Bytes that programs can still have without swapping; None where the system does not say."""
    if sys.platform == "win32":
        return _free_on_windows()
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name == "MemAvailable":
                    return 1024 * int(rest.split()[0])
    except (OSError, ValueError, IndexError):
        pass  # no Linux, or one that hides it
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def _free_on_windows() -> int | None:
    import ctypes

    class Status(ctypes.Structure):
        """MEMORYSTATUSEX of the Windows interface."""

        _fields_ = [
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *(
                (name, ctypes.c_ulonglong)
                for name in (
                    "total",
                    "available",
                    "total_page",
                    "available_page",
                    "total_virtual",
                    "available_virtual",
                    "extended",
                )
            ),
        ]

    status = Status(length=ctypes.sizeof(Status))
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    reported = kernel.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.available) if reported else None


def too_large(samples: int, width: int, free: int | None, touching: int = 0) -> Finding | None:
    """Reason why so many samples of `width` numbers cannot be held in `free` bytes; None where they
    can.

    touching: bytes that are expected of the contacts of each sample, where these are held too.
    """
    needed = samples * (8 * width + touching)
    if free is None or needed <= SHARE * free:
        return None
    contacts = (
        tr(" and {touching:,} or so of their contacts", touching=touching) if touching else ""
    )
    return Finding(
        "error",
        "",
        tr(
            "The run has {samples:,} samples of {width:,} bytes{contacts}: {needed}, more than "
            "half of the {free} of memory that are free.",
            samples=samples,
            width=8 * width,
            contacts=contacts,
            needed=_size(needed),
            free=_size(free),
        ),
        tr(_CURE),
    )


class Growth:
    """Memory that grows during a run, as records of contacts do, whose number is unknown before."""

    def __init__(self) -> None:
        self._size = self._checked_size = 0

    def add(self, size: int, time: float) -> None:
        """Count so many bytes more at a time of the run [s].  Raises EngineError where they pass
        the share of the free memory.
        """
        self._size += size
        if self._size - self._checked_size < LOOK:
            return
        self._checked_size, free = self._size, free_memory()
        # their memory was free before them
        if free is not None and self._size > SHARE * (free + self._size):
            raise EngineError(
                Finding(
                    "error",
                    "",
                    tr(
                        "Up to t = {time:.3g} s the contacts of the run take {size}, more than "
                        "half of the memory that was free.",
                        time=time,
                        size=_size(self._size),
                    ),
                    tr(_CURE),
                )
            )


@contextlib.contextmanager
def held(samples: int, width: int, touching: int = 0) -> Iterator[Growth]:
    """Work that holds all samples of a run (see too_large), which counts what else grows.

    Raises EngineError before it, or where memory ends on the way.
    """
    if finding := too_large(samples, width, free_memory(), touching):
        raise EngineError(finding)
    try:
        yield Growth()
    except MemoryError:
        raise EngineError(full_memory()) from None


def _size(amount: float) -> str:
    """Bytes as MB or GB."""
    return (
        localised(f"{amount / 1e9:.3g} GB")
        if amount >= 1e9
        else localised(f"{amount / 1e6:.3g} MB")
    )
