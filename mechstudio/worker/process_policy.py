"""Process policy of the worker: interrupts, memory, priority and log limit, per platform.  Nothing
is done about what a platform does not offer.
"""

import os
import signal
import sys
import threading

LOG_LIMIT = 1 << 20  # bytes
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def ignore_interrupts() -> None:
    """Ctrl+C in a terminal is for the window, which then ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def be_expendable() -> None:
    """If the system runs out of memory it shall end this process, which can be replaced, and not
    the window.
    """
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("600")
    except OSError:
        return  # not Linux, or not allowed: the system chooses for itself


def end_with_parent() -> None:
    """Have the system end this process with the thread that started it (Linux only).

    Everywhere the end of the pipe does that, unless a kernel that holds the interpreter's lock
    never returns.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def yield_thread() -> None:
    """Give this thread a low priority (Linux only, where priorities belong to threads and the
    process keeps its own).
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def bound_log(descriptor: int = 2) -> None:
    """Empty the log if it has grown past LOG_LIMIT; it is opened for appending."""
    if os.fstat(descriptor).st_size > LOG_LIMIT:
        os.ftruncate(descriptor, 0)
        os.lseek(
            descriptor, 0, os.SEEK_SET
        )  # Windows does not hand down that it was opened for appending


def private_pipes() -> tuple[int, int]:
    """The pipes from and to the window, out of reach of anything that prints or reads: that goes to
    the log, or finds nothing.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
