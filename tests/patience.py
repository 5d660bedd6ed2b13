"""Limits of time for what must end soon, on a machine that may be busy with other things."""

import math
import os


def within(seconds: float, fault: float = math.inf) -> float:
    """Limit [s] for what takes less than so many seconds where nothing else runs: it grows with the
    processes that wait for each processor.  fault: seconds that it takes where it goes wrong, which
    stay beyond the limit.
    """
    try:
        waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):  # Windows does not tell
        waiting = 1.0
    return min(seconds * max(1.0, 2.0 * waiting), 0.95 * fault)
