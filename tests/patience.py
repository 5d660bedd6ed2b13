"""Limits of time for what must end soon, on a machine that may be busy with other things."""

import os


def within(seconds: float) -> float:
    """Limit [s] for what takes less than so many seconds where nothing else runs: it grows with the
    processes that wait for each processor.
    """
    try:
        waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):  # Windows does not tell
        waiting = 1.0
    return seconds * max(1.0, 2.0 * waiting)
