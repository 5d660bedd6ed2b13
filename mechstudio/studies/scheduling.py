"""Schedulers: who computes the points of a study, one process here, several, or a cluster.

All of them are executors of the standard library's kind, one for each slot, so that a process that
is lost takes only its own batch with it.  Every point is computed for itself, so that its bits do
not depend on who computes it, or beside what.
"""

import concurrent.futures
import contextlib
import functools
import gc
import math
import multiprocessing
import multiprocessing.process
import os
import pickle
import platform
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.integration.options import RunOptions
from mechstudio.model.project import Project
from mechstudio.studies.measures import Measure
from mechstudio.studies.points import Point, Points, Stopped
from mechstudio.translation import Words, tr

BATCH = 0.2  # [s] that a batch should take
LARGEST_BATCH = 500  # points
ATTEMPTS = 3  # of a batch whose process is lost
AHEAD = 2  # batches that a slot has, so that it need not wait for the next
STARTING = 1.5  # [s] that this process may compute before others would have been quicker
PATIENCE = 0.4  # [s] that processes have to end by themselves
IMPORTING = 86  # exit status of a process that would have begun the script's study once more
ANSWER = 0.2  # [s] after which somebody who waits looks whether the study was cancelled

NO_PROCESS: Words = (
    "No process could begin to compute. A script calls a study below the line "
    "if __name__ == '__main__':, or asks for one worker, which is the script itself."
)
CONNECTING = "5s"  # that a cluster has to answer
NO_DASK: Words = (
    "A cluster needs dask.distributed, which is not installed: pip install mechstudio[cluster]."
)


class Task(NamedTuple):
    """The parts of a study that every worker needs."""

    project: Project
    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    options: RunOptions


class Batch(NamedTuple):
    """Points that one worker computes at once.  places: in the design.  values: (n, parameters)."""

    places: np.ndarray
    values: np.ndarray


class Done(NamedTuple):
    """A batch that was computed.  seconds: that it took.  system: where."""

    places: np.ndarray
    points: list[Point]
    seconds: float
    system: str


class ClusterUnavailable(RuntimeError):
    """A cluster that cannot be reached, or the library for it is not installed."""


class NoProcess(RuntimeError):
    """Processes of this machine end before they compute anything; the message says what helps."""


# in a worker

_stop: Any = None  # a flag that the study's process sets; None in a cluster


def _begin(stop: Any) -> None:
    """First call in a process of this machine."""
    global _stop
    _stop = stop
    # Ctrl+C in a terminal reaches the whole group; the study's process decides
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # what is imported stays: to look through it for garbage took a twentieth of a run
    gc.freeze()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process with that of the study, which may be killed; its queues would wait for
    ever.
    """
    if (parent := multiprocessing.process.parent_process()) is not None:
        parent.join()
        os._exit(1)


@functools.lru_cache(maxsize=4)
def _points(task: bytes) -> Points:
    # written by the study's own process
    made: Task = pickle.loads(task)
    return Points(*made, is_stopped=lambda: _stop is not None and _stop.is_set())


@functools.cache
def system_name() -> str:
    """System, machine and family of processors of this process, on which the last bits depend."""
    from numba.core.codegen import get_host_cpu_features

    from mechstudio.engine.kernel_store import FAMILIES

    can = {name[1:] for name in get_host_cpu_features().split(",") if name.startswith("+")}
    family = next((name for name, needs in FAMILIES.items() if needs <= can), platform.machine())
    library = " ".join(platform.libc_ver()).strip()
    return ", ".join(part for part in (platform.system(), library, family) if part)


def compute(task: bytes, batch: Batch) -> Done:
    """The points of a batch.  Raises Stopped."""
    begun = time.perf_counter()
    points = _points(task)
    found = [points.point(row) for row in batch.values.tolist()]
    return Done(batch.places, found, time.perf_counter() - begun, system_name())


# in the study's process


class Slots:
    """Executors with the flag that stops their computations."""

    def __init__(
        self,
        make: Callable[[], Executor],
        count: int,
        stop: Any,
        lost: tuple[type[BaseException], ...] = (),
        tries_here: bool = False,
    ) -> None:
        """lost: further errors by which an executor reports that a process is gone.  tries_here:
        this process computes until the rest would take longer than the start of others.
        """
        self._make, self._stop = make, stop
        self._tries_here, self._loaded, self._spent, self._pace = tries_here, False, 0.0, 0.0
        self.losses = (
            concurrent.futures.BrokenExecutor,
            concurrent.futures.CancelledError,
            *lost,
        )
        self.executors: list[Executor | None] = [None] * count
        self._children: list[multiprocessing.process.BaseProcess] = []

    def submit(self, slot: int, task: bytes, batch: Batch) -> Future:
        """Begin a batch; the process of a slot begins with its first one."""
        executor = self.executors[slot]
        if executor is None:
            executor = self.executors[slot] = self._make()
            before = multiprocessing.active_children()
            begun = executor.submit(compute, task, batch)
            self._children += [c for c in multiprocessing.active_children() if c not in before]
            return begun
        return executor.submit(compute, task, batch)

    def suits_here(self, points: int) -> bool:
        """True if this process would compute so many points before others had even begun."""
        return self._tries_here and self._spent + self._pace * points <= STARTING

    def computed_here(self, points: int, seconds: float) -> None:
        """Take note of a batch that this process has computed.  The first one says little of the
        next ones, since it loads what all of them need.
        """
        if self._loaded:
            self._spent, self._pace = self._spent + seconds, seconds / points
        self._loaded, self._tries_here = True, self._tries_here and seconds <= STARTING

    @property
    def is_unguarded(self) -> bool:
        """True if a process ended since the script that it had to read begins a study itself."""
        return any(child.exitcode == IMPORTING for child in self._children)

    def lost(self, slot: int) -> None:
        """Leave a process that is gone; the next batch of its slot begins another."""
        executor, self.executors[slot] = self.executors[slot], None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """Stop what is computed: within some 20 ms of computing, and by force what has not even
        begun, or does not answer.
        """
        if self._stop is not None:
            self._stop.set()
        for executor in self.executors:
            if executor is not None:
                executor.shutdown(wait=False, cancel_futures=True)
        last = time.monotonic() + PATIENCE
        for child in self._children:
            child.join(max(0.0, last - time.monotonic()))
            child.terminate()
        for child in self._children:
            child.join()

    def close(self) -> None:
        for executor in self.executors:
            if executor is not None:
                executor.shutdown()


def cores() -> int:
    """Cores that this process may use."""
    count = getattr(os, "process_cpu_count", None) or (
        (lambda: len(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else os.cpu_count
    )
    return count() or 1


class _Here(Executor):
    """Computes in this process, at once."""

    def submit(self, fn, /, *args, **kwargs) -> Future:
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            # raised where the result is requested
            future.set_exception(error)
        return future


class _Asked:
    """Stop flag of this process, which calls a function each time."""

    def __init__(self, is_cancelled: Callable[[], bool]) -> None:
        self.is_set = is_cancelled

    def set(self) -> None:
        """Nothing goes on beside this process."""


@contextlib.contextmanager
def here(is_cancelled: Callable[[], bool]) -> Iterator[Slots]:
    """One slot that computes in this process."""
    global _stop
    before, _stop = _stop, _Asked(is_cancelled)
    try:
        yield Slots(_Here, 1, None)
    finally:
        _stop = before


@contextlib.contextmanager
def here_first(count: int, is_cancelled: Callable[[], bool]) -> Iterator[Slots]:
    """Slots for so many processes of this machine, which begin once this one would compute for
    longer than they take to start.
    """
    with here(is_cancelled), processes(count, tries_here=True) as slots:
        yield slots


def _end_while_importing() -> None:
    """End a process of a study that reads a script which begins a study outside of its last part:
    the study's process says why, once.  Python itself would say it in each process.
    """
    # set by multiprocessing while a process reads the script that it belongs to
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.stdout.flush()
        os._exit(IMPORTING)


@contextlib.contextmanager
def processes(count: int, tries_here: bool = False) -> Iterator[Slots]:
    """Slots for so many processes of this machine.  tries_here: see Slots."""
    _end_while_importing()
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    slots = Slots(
        lambda: ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(stop,)),
        count,
        stop,
        tries_here=tries_here,
    )
    try:
        yield slots
    except BaseException:
        slots.stop()
        raise
    slots.close()


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Slots]:
    """Slots for the threads of a cluster's workers, as they are at the beginning.  address: of its
    scheduler, such as "tcp://10.0.0.1:8786".  Raises ClusterUnavailable.
    """
    try:
        from distributed import Client, KilledWorker  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ClusterUnavailable(tr(NO_DASK)) from None
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterUnavailable(
            tr("The cluster {address} cannot be reached: {error}", address=address, error=error)
        ) from None
    with client:
        threads: Any = client.nthreads()  # a dictionary, of a client that is not asynchronous
        count = sum(threads.values())
        if not count:
            raise ClusterUnavailable(tr("The cluster {address} has no workers.", address=address))
        # a batch is repeated by the cluster itself where a worker is lost
        executor = client.get_executor(pure=False, retries=ATTEMPTS - 1)
        slots = Slots(lambda: executor, count, None, (KilledWorker,))
        yield slots


@contextlib.contextmanager
def slots_for(
    runs: int, workers: int, address: str, is_cancelled: Callable[[], bool]
) -> Iterator[Slots]:
    """Slots of a cluster with an address, else of so many processes of this machine: 1 for this
    one, 0 for one on each core where there is more to compute than this one does while they start.
    """
    count = max(1, min(workers or cores(), runs))
    if address:
        chosen = cluster(address)
    elif count == 1:
        chosen = here(is_cancelled)
    else:
        chosen = processes(count) if workers else here_first(count, is_cancelled)
    with chosen as slots:
        yield slots


class _Waiting(NamedTuple):
    slot: int
    batch: Batch
    attempt: int


def computed(
    task: Task,
    values: np.ndarray,
    places: np.ndarray,
    slots: Slots,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Done]:
    """Batches of the points at some places of a design, as they are ready.

    values (runs, parameters) [SI]: of the whole design.  At most AHEAD batches for each slot wait,
    and the next is cut when one is done.  A batch whose process is lost ATTEMPTS times is a reason
    at each of its points.  Raises Stopped once it is cancelled, NoProcess where none computes
    anything.
    """
    data = pickle.dumps(task)
    running: dict[Future, _Waiting] = {}
    size, begun, known_to_work = 1, 0, False

    def begin(slot: int, batch: Batch, attempt: int) -> None:
        try:
            future = slots.submit(slot, data, batch)
        except slots.losses:
            # it went while nothing was computed
            slots.lost(slot)
            future = slots.submit(slot, data, batch)
        running[future] = _Waiting(slot, batch, attempt)

    def cut() -> Batch | None:
        nonlocal begun
        if begun >= len(places):
            return None
        # the last batches are shared among all slots
        fair = math.ceil((len(places) - begun) / (AHEAD * len(slots.executors)))
        own = places[begun : begun + max(1, min(size, fair))]
        begun += len(own)
        return Batch(own, values[own])

    while slots.suits_here(len(places) - begun) and (batch := cut()) is not None:
        if is_cancelled():
            raise Stopped
        done = compute(data, batch)
        slots.computed_here(len(batch.places), done.seconds)
        size = _next_size(size, len(batch.places), done.seconds)
        yield done
    for slot in range(len(slots.executors)):
        for _ in range(AHEAD):
            if (batch := cut()) is not None:
                begin(slot, batch, 1)
    while running:
        if is_cancelled():
            raise Stopped
        ready, _ = concurrent.futures.wait(
            running, ANSWER, return_when=concurrent.futures.FIRST_COMPLETED
        )
        for future in ready:
            # a lost process ends all the batches of its slot at once
            if (known := running.pop(future, None)) is None:
                continue
            slot, batch, _ = known
            try:
                done = future.result()
            except Stopped:
                raise
            except slots.losses:
                if not known_to_work and slots.is_unguarded:
                    raise NoProcess(tr(NO_PROCESS)) from None
                again = [known] + [w for w in running.values() if w.slot == slot]
                again.sort(key=lambda waiting: waiting.batch.places[0])
                for other in [f for f, w in running.items() if w.slot == slot]:
                    del running[other]
                slots.lost(slot)
                for k, waiting in enumerate(again):
                    # the first of them was computed when the process went
                    tries = waiting.attempt + (k == 0)
                    if tries <= ATTEMPTS:
                        begin(slot, waiting.batch, tries)
                    elif not known_to_work:
                        raise NoProcess(tr(NO_PROCESS)) from None
                    else:
                        yield _given_up(waiting.batch, len(task.measures))
                        if (batch := cut()) is not None:
                            begin(slot, batch, 1)
                continue
            known_to_work = True
            size = _next_size(size, len(batch.places), done.seconds)
            yield done
            if (batch := cut()) is not None:
                begin(slot, batch, 1)


def _next_size(size: int, points: int, seconds: float) -> int:
    """Points of the next batch, from the time of the last one."""
    target = BATCH * points / max(seconds, 1e-6)
    return max(1, min(LARGEST_BATCH, round(min(target, 2.0 * size))))


def _given_up(batch: Batch, measures: int) -> Done:
    reason = tr("Its process was lost {count} times.", count=ATTEMPTS)
    points = [Point((math.nan,) * measures, reason)] * len(batch.places)
    return Done(batch.places, points, 0.0, "")
