"""Operating-system queries of the window (folders: folders.py)."""

import os
import time

_IMPORTED = time.perf_counter()


def process_age() -> float:
    """Seconds since this process was started, interpreter included where the system tells it
    (Linux), otherwise since this import.
    """
    try:
        with open("/proc/self/stat", encoding="ascii") as file:
            ticks = int(file.read().rsplit(")", 1)[1].split()[19])
    except OSError:
        return time.perf_counter() - _IMPORTED
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
