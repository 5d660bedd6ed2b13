"""Output of commands on a terminal: one JSON object, and a last line that shows the progress."""

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

CLEARED = "\r\033[K"  # the start of the last line, which is empty then


def json_text(report: Any) -> str:
    """JSON of a report with its names as they are written, and null for numbers that are not known
    or have no end, which JSON cannot say.
    """
    return json.dumps(_known(report), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _known(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: _known(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_known(v) for v in value]
    return value


def show_line(words: str) -> None:
    """Write a line over the last one of a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"{CLEARED}{words}", end="", file=sys.stderr, flush=True)


def clear_line() -> None:
    """Take the line of the progress away."""
    show_line("")


@contextlib.contextmanager
def progress_line(words: str) -> Iterator[Callable[[float], None] | None]:
    """A function that shows "WORDS 40 %" for a fraction while the block runs, written only where it
    changes; None where there is no terminal.
    """
    last = -1

    def show(fraction: float) -> None:
        nonlocal last
        percent = int(100 * fraction)
        if percent != last:
            last = percent
            show_line(f"{words} {percent} %")

    try:
        yield show if sys.stderr.isatty() else None
    finally:
        clear_line()
