"""Lock between processes by a file: the operating system's, so that it goes with a process that is
killed.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PAUSE = 0.1  # between two tries [s], where the system does not wait by itself


def _wait_for(descriptor: int) -> None:
    """Take the lock as soon as nobody else has it.  Raises OSError where the file system has no
    locks.
    """
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
                return
            except OSError:
                time.sleep(_PAUSE)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of this name; where no file can be made or locked, nothing is held.  The empty
    file stays.
    """
    descriptor = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        _wait_for(descriptor)
    except OSError:
        # a folder that cannot be written: everybody compiles alone
        pass
    try:
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)  # which gives the lock back
