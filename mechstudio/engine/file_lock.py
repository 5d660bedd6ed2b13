"""Lock between processes by a file: the operating system's, so that it goes with a process that is
killed.
"""

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PAUSE = 0.1  # between two tries [s], where the system does not wait by itself


def _wait_for(descriptor: int) -> None:
    """Take the lock as soon as it is free.  Raises OSError where the file system has no locks."""
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


FAR = 1 << 40  # byte that stands for a whole file on Windows, beyond whatever is read of it


def taken(descriptor: int) -> bool:
    """Take the lock of an open file until it is closed; False where somebody else has it.  True
    without a lock where the file system has none.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLOCK)
    return True


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
