"""Samples on their way from the worker to the window: a ring of rows in shared memory, one per run,
with one writer and one reader.

The window makes a ring, sends the worker its name and takes the name away as soon as the worker has
it: from then on the memory goes with the two processes, however they end.  The worker only
attaches.  Nothing is ever overwritten before it was read: a writer that finds no space waits.
Header, int64: rows written, rows read, width, row count.
"""

import os
import secrets
import sys
import threading
import time
from multiprocessing import resource_tracker, shared_memory
from pathlib import Path

import numpy as np

from mechstudio.translation import tr

SIZE = 4 << 20  # bytes that a ring should have
FEWEST, MOST = 64, 8192  # rows
_HEADER = 64  # bytes
_WRITTEN, _READ, _WIDTH, _ROWS = range(4)
_PREFIX = "mechst-"  # short: macOS allows 31 characters
_SYSTEM_FOLDER = Path("/dev/shm")  # where Linux shows shared memory as files
_STALE = 60.0  # seconds after which a dead owner's ring is swept away

_fence = threading.Lock()
_attaching = threading.Lock()


def row_count(width: int) -> int:
    """Number of samples of `width` numbers that a ring holds."""
    return min(max(SIZE // (8 * max(width, 1)), FEWEST), MOST)


class Ring:
    """Rows of float64 in shared memory.  Made by `create` in the window, by `attach` in the
    worker.
    """

    def __init__(self, memory: shared_memory.SharedMemory, owner: bool) -> None:
        self._memory, self._owner = memory, owner
        self._header = np.ndarray(8, np.int64, memory.buf)
        self._closed = False
        if owner:
            return
        self._map()

    def _map(self) -> None:
        self.width, self.row_count = int(self._header[_WIDTH]), int(self._header[_ROWS])
        self._rows = np.ndarray(
            (self.row_count, self.width), np.float64, self._memory.buf, offset=_HEADER
        )

    @classmethod
    def create(cls, width: int, rows: int | None = None) -> "Ring":
        """A new ring, owned by this process.  Raises OSError if there is no memory for it."""
        rows = rows or row_count(width)
        size = _HEADER + 8 * width * rows
        # a page that the system cannot provide later would end the process, so that it is requested
        # now
        if _SYSTEM_FOLDER.is_dir():
            room = os.statvfs(_SYSTEM_FOLDER)
            if size > room.f_bavail * room.f_frsize:
                raise OSError(tr("{size:.0f} MB of shared memory are not free", size=size / 1e6))
        ring = cls(
            shared_memory.SharedMemory(
                f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}", create=True, size=size
            ),
            True,
        )
        ring._header[:] = 0
        ring._header[_WIDTH], ring._header[_ROWS] = width, rows
        ring._map()
        return ring

    @classmethod
    def attach(cls, name: str) -> "Ring":
        """The ring that another process made.  Raises FileNotFoundError if it is gone."""
        return cls(_attach(name), False)

    @property
    def name(self) -> str:
        return self._memory.name

    @property
    def written(self) -> int:
        """Rows written since the ring was made."""
        return int(self._header[_WRITTEN])

    @property
    def waiting(self) -> int:
        """Rows written and not read yet."""
        return int(self._header[_WRITTEN] - self._header[_READ])

    @property
    def space(self) -> int:
        """Rows that can be written now."""
        return self.row_count - self.waiting

    def write(self, rows: np.ndarray) -> int:
        """Put as many of the rows (k, width) into the ring as fit; how many that were."""
        count, at = min(len(rows), self.space), self.written
        self._copy(at, rows[:count], inward=True)
        _order()
        self._header[_WRITTEN] = at + count
        return count

    def read(self, most: int | None = None) -> np.ndarray:
        """Take up to `most` rows out of the ring, (k, width), oldest first; a copy."""
        count, at = self.waiting, int(self._header[_READ])
        if most is not None:
            count = min(count, most)
        _order()
        rows = np.empty((count, self.width))
        self._copy(at, rows, inward=False)
        _order()
        self._header[_READ] = at + count
        return rows

    def _copy(self, at: int, rows: np.ndarray, inward: bool) -> None:
        start, done = at % self.row_count, 0
        while done < len(rows):
            part = min(len(rows) - done, self.row_count - start)
            if inward:
                self._rows[start : start + part] = rows[done : done + part]
            else:
                rows[done : done + part] = self._rows[start : start + part]
            done, start = done + part, 0

    def close(self) -> None:
        """Release the memory; the owner also removes the name.  The ring must not be used after
        that; closing twice does nothing.
        """
        if self._closed:
            return
        self._closed = True
        self.unlink()
        # a view left would keep the memory open
        self._header, self._rows = np.empty(0, np.int64), np.empty((0, 0))
        self._memory.close()

    def unlink(self) -> None:
        """Remove the name: no process can attach any more, and attached ones keep the memory.  Of
        the owner only; twice does nothing.
        """
        if self._owner:
            self._owner = False
            self._memory.unlink()


def _order() -> None:
    """Keep what was stored before this call from being seen after what is stored next, on
    processors that reorder stores.

    Releasing a lock orders what precedes it, taking it what follows: two turns leave nothing in
    between.
    """
    for _ in range(2):
        with _fence:
            pass


def _unregistered(name: str, rtype: str) -> None:
    """Nothing, in place of an entry in the resource tracker."""


def _attach(name: str) -> shared_memory.SharedMemory:
    """Shared memory of another process, not registered here: this process's resource tracker would
    take it from its owner.
    """
    if sys.version_info >= (3, 13):
        return shared_memory.SharedMemory(name, track=False)
    with _attaching:
        register, resource_tracker.register = resource_tracker.register, _unregistered
        try:
            return shared_memory.SharedMemory(name)
        finally:
            resource_tracker.register = register


def start_tracker() -> None:
    """Start the process that removes rings if this one is killed; it would otherwise be started,
    slowly, with the first run.
    """
    if os.name == "posix":
        resource_tracker.ensure_running()


def sweep() -> None:
    """Remove rings whose owner was killed together with its tracker."""
    if not _SYSTEM_FOLDER.is_dir():
        return
    for path in _SYSTEM_FOLDER.glob(f"{_PREFIX}*-*"):
        owner = path.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            try:
                if time.time() - path.stat().st_mtime > _STALE:
                    path.unlink()
            except (FileNotFoundError, PermissionError):
                continue  # somebody else's, or swept by another window
