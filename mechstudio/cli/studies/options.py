"""Options that studies, optimisations and fits share, and how they show their progress."""

import argparse
import contextlib
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mechstudio.cli.outcome import CommandError, check_place
from mechstudio.cli.terminal import show_line
from mechstudio.translation import tr

RUN = ("duration", "sample_step", "integrator", "tolerance", "step", "until")


def add_workers(command: argparse.ArgumentParser) -> None:
    """Options of who computes."""
    command.add_argument(
        "--workers",
        metavar="N",
        type=int,
        default=0,
        help=tr("processes (default: one on each core)"),
    )
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        default="",
        help=tr("scheduler of dask.distributed, such as tcp://10.0.0.1:8786"),
    )


def run_options(options: Namespace) -> dict[str, Any]:
    """Options of every run, as of engine.integration.options.options_of."""
    return {name: getattr(options, name, None) for name in RUN}


def check_workers(options: Namespace) -> None:
    """Raises CommandError for a number of workers that cannot be."""
    if options.workers < 0:
        raise CommandError(tr("The number of workers is at least 1, not {n}.", n=options.workers))


def check_table(path: str, option: str) -> None:
    """Raises CommandError for a table that cannot be written, before the runs and not after."""
    from mechstudio.curves.tables import NO_PARQUET

    check_place(path, option)
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".tsv", ".txt", ".npz", ".parquet"):
        raise CommandError(
            tr("{out} is no table: its name ends in .csv, .tsv, .npz or .parquet.", out=path)
        )
    if ending == ".parquet" and find_spec("pyarrow") is None:
        raise CommandError(tr(NO_PARQUET))


def shown(words: Callable[[Any], str]) -> Callable[[Any], None]:
    """A function that shows progress on one line of a terminal, and nothing elsewhere."""
    return lambda progress: show_line(words(progress)) if sys.stderr.isatty() else None


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """A function that is true once Ctrl+C was pressed, so that the best so far is kept; the second
    time ends the command as everywhere.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # only the main thread receives signals
        return
    was = threading.Event()

    def heard(number: int, frame: object) -> None:
        if was.is_set():
            raise KeyboardInterrupt
        was.set()

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield was.is_set
    finally:
        signal.signal(signal.SIGINT, before)
