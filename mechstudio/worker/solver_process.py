"""The worker's loop: one thread that analyses and runs, one that listens, one for pulls, and one
that prepares the kernels and then ends.
"""

import math
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec
import numpy as np

from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration.memory import full_memory
from mechstudio.model.findings import Finding
from mechstudio.protocol import solver_messages
from mechstudio.protocol.sample_ring import Ring
from mechstudio.protocol.solver_messages import (
    Alive,
    Analyse,
    Analysed,
    Assemble,
    Assembling,
    AssemblyFound,
    Began,
    Cancel,
    Closed,
    ContactsReported,
    DragTo,
    EndDrag,
    Finished,
    Impacted,
    Pose,
    PoseFound,
    Preparing,
    PreparingContacts,
    Ready,
    Request,
    Simulate,
    Slow,
    StartDrag,
)
from mechstudio.translation import tr
from mechstudio.worker import process_policy
from mechstudio.worker.engine_solver import Run, Solver
from mechstudio.worker.faults import with_fault
from mechstudio.worker.point_drag import PointDragServer
from mechstudio.worker.serving import Window, serve

LIFE = 0.1  # seconds between two signs of life of a run
PAUSE = 0.001  # seconds between two checks of a full ring
TELL = 0.25  # seconds between two reports on the kernels
COMPILING = 30.0  # seconds of computing after which two thirds of the kernels are there, roughly
LONGEST_GUESS = 0.95  # progress that is not passed by guessing
STILL_WARM = 5.0  # seconds of computing after which loading must be compiling


class _Cancelled(Exception):
    """The window does not want the answer any more."""


class Prepared(msgspec.Struct, frozen=True):
    """A note of the preparing thread to the loop.  error: a traceback, empty if all went well."""

    error: str = ""


class Worker:
    """Serves one window until its pipe ends.

    incoming, outgoing: the pipes.  spare: prepare with a low priority.  allow_faults: obey the
    faults of tests.
    """

    def __init__(
        self,
        solver: Solver,
        incoming: BinaryIO,
        outgoing: BinaryIO,
        spare: bool = False,
        allow_faults: bool = False,
    ) -> None:
        self._solver, self._window = solver, Window(incoming, outgoing)
        self._spare, self._allow_faults = spare, allow_faults
        self._inbox: queue.SimpleQueue[Request | Prepared] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._waiting: list[Simulate] = []  # runs that came before the kernels were ready
        self._prepared, self._cold, self._progress = False, False, 0.0
        self._point_drag = PointDragServer(solver, self._window.send)
        self._reported = 0.0  # when the last sign of life was sent

    def serve(self) -> None:
        """Work until the window ends; does not return."""
        self._solver.load()
        self._window.listen(self._hear)
        threading.Thread(target=self._prepare, name="prepare", daemon=True).start()
        while True:
            try:
                self._handle(self._inbox.get(timeout=None if self._prepared else TELL))
            except queue.Empty:
                self._report_progress()
            process_policy.bound_log()

    # threads beside the loop

    def _hear(self, request: Request) -> None:
        """Take in a request, or obey it at once, whatever the loop is doing."""
        if type(request) in AT_ONCE:
            AT_ONCE[type(request)](self, request)
        else:
            self._inbox.put(request)

    def _prepare(self) -> None:
        if self._spare:
            process_policy.yield_thread()
        try:
            self._cold = self._solver.is_cold()
            self._solver.prepare(self._note_progress)
        except Exception:
            self._inbox.put(Prepared(traceback.format_exc()))
        else:
            self._inbox.put(Prepared())
            # a failure here is that of the first mechanism that needs it, which says so
            self._solver.complete()

    def _note_progress(self, fraction: float) -> None:
        self._progress = fraction
        self._report_progress()

    def _report_progress(self) -> None:
        """Report the progress of the kernels, between two of them estimated by the usual compile
        time.
        """
        spent = time.process_time()
        # a cache that was left half full is found out by the time it takes
        cold = self._cold or spent > STILL_WARM
        guess = LONGEST_GUESS * (1.0 - math.exp(-spent / COMPILING)) if cold else 0.0
        self._window.send(Preparing(max(self._progress, guess), cold))

    # the loop

    def _handle(self, request: Request | Prepared) -> None:
        if isinstance(request, Prepared):
            self._become_ready(request)
        elif isinstance(request, Simulate) and not self._prepared:
            self._waiting.append(request)
        else:
            serve(
                lambda request: HANDLERS[type(request)](self, request), request, self._window.send
            )

    def _cancel(self, request: Cancel) -> None:
        self._cancelled.add(request.id)

    def _drag(self, request: StartDrag | DragTo | EndDrag) -> None:
        self._point_drag.take(request)

    def _become_ready(self, note: Prepared) -> None:
        if note.error:
            sys.stderr.write(note.error)
            sys.stderr.flush()
            os._exit(
                1
            )  # without kernels there is nothing to stay for; the window reads the last line
        self._prepared = True
        self._window.send(Ready())
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            self._handle(request)

    def _analyse(self, request: Analyse) -> None:
        self._window.send(Began(request.id, solver_messages.ANALYSIS))
        closed = lambda poses: self._window.send(Closed(request.id, poses))
        self._window.send(Analysed(request.id, self._solver.analyse(request.project, closed)))

    def _pose(self, request: Pose) -> None:
        self._window.send(Began(request.id, solver_messages.ANALYSIS))
        try:
            poses, values, value, reason = self._solver.pose(
                request.project,
                request.joint,
                request.coordinate,
                request.value,
                request.released,
            )
        except EngineError as error:
            self._window.send(PoseFound(request.id, finding=error.finding))
        except ValueError as error:
            self._window.send(
                PoseFound(request.id, finding=Finding("error", request.joint, str(error)))
            )
        else:
            self._window.send(PoseFound(request.id, poses, values, value, reason))

    def _assemble(self, request: Assemble) -> None:
        self._window.send(Began(request.id, solver_messages.ANALYSIS))
        steps = 0

        def step() -> None:
            nonlocal steps
            steps += 1
            if request.id in self._cancelled:
                raise _Cancelled
            now = time.monotonic()
            if now - self._reported >= LIFE:
                self._reported = now
                self._window.send(Assembling(request.id, steps))

        try:
            self._window.send(
                AssemblyFound(
                    request.id, self._solver.assemble(request.project, request.keep, step)
                )
            )
        except _Cancelled:
            self._window.send(AssemblyFound(request.id, None))
        self._cancelled.discard(request.id)

    def _simulate(self, request: Simulate) -> None:
        if request.id in self._cancelled:
            self._finish(request, None, False, None)
            return
        self._window.send(Began(request.id, solver_messages.ASSEMBLY))
        try:
            self._solver.prepare_contacts(
                request.project, lambda fraction: self._window.send(PreparingContacts(fraction))
            )
            run = self._solver.start(request.project)
        except EngineError as error:
            self._window.send(Finished(request.id, 0, False, error.finding))
            return
        except MemoryError:
            self._window.send(Finished(request.id, 0, False, full_memory()))
            return
        try:
            ring = Ring.attach(request.ring)
        except FileNotFoundError:
            self._finish(
                request, None, False, None
            )  # cancelled, and the window has already forgotten it
            return
        try:
            if ring.width != run.width:
                raise ValueError(
                    tr(
                        "the samples are {width} numbers wide, the ring's rows {ring_width}",
                        width=run.width,
                        ring_width=ring.width,
                    )
                )
            self._window.send(Began(request.id, solver_messages.RUN))
            complete, finding = self._follow(request, run, ring)
            self._finish(request, ring, complete, finding, run)
        finally:
            ring.close()

    def _follow(self, request: Simulate, run: Run, ring: Ring) -> tuple[bool, Finding | None]:
        """Write a run's samples into the ring; (whether it is complete, why it had to stop)."""
        blocks, time_reached = run.blocks, 0.0
        if request.fault and self._allow_faults:
            blocks = with_fault(blocks, request.fault)
        try:
            for block in blocks:
                good = finite(block)
                time_reached = float(good[-1, 0]) if len(good) else time_reached
                self._report_events(request, run)
                if not self._write(request, good, ring, time_reached):
                    return False, None
                if len(good) < len(block):
                    return False, not_finite(time_reached)
                self._serve_between(request)
        except RunStopped as stop:
            return False, Finding("error", "", stop.reason)
        except MemoryError:
            return False, full_memory()
        finally:
            self._report_events(request, run)
        return True, None

    def _report_events(self, request: Simulate, run: Run) -> None:
        if run.events and request.id not in self._cancelled:
            self._window.send(Impacted(request.id, tuple(run.events)))
        run.events.clear()
        if run.contact_samples and request.id not in self._cancelled:
            self._window.send(ContactsReported(request.id, tuple(run.contact_samples)))
        run.contact_samples.clear()
        if run.slow and request.id not in self._cancelled:
            self._window.send(Slow(request.id, run.slow[-1]))
        run.slow.clear()

    def _write(self, request: Simulate, rows: np.ndarray, ring: Ring, time_reached: float) -> bool:
        """Put rows into the ring, waiting for space and giving signs of life; False if the run was
        cancelled.
        """
        while True:
            now = time.monotonic()
            if now - self._reported >= LIFE:
                self._reported = now
                self._window.send(Alive(request.id, time_reached))
                process_policy.bound_log()
            if request.id in self._cancelled:
                return False
            rows = rows[ring.write(rows) :]
            if not len(rows):
                return True
            time.sleep(PAUSE)

    def _serve_between(self, request: Simulate) -> None:
        """Answer analyses, poses and assemblings while a run goes on; runs wait for their turn."""
        if self._inbox.empty():
            return
        later = []
        while not self._inbox.empty():
            item = self._inbox.get()
            if isinstance(item, Analyse | Pose | Assemble):
                self._handle(item)
                self._window.send(Began(request.id, solver_messages.RUN))
            else:
                later.append(item)
        for item in later:
            self._inbox.put(item)

    def _finish(
        self,
        request: Simulate,
        ring: Ring | None,
        complete: bool,
        finding: Finding | None,
        run: Run | None = None,
    ) -> None:
        self._cancelled.discard(request.id)
        written = ring.written if ring else 0
        self._window.send(
            Finished(request.id, written, complete, finding, run.statistics if run else None)
        )


HANDLERS: dict[type[Request], Callable[[Worker, Any], None]] = {
    Analyse: Worker._analyse,
    Pose: Worker._pose,
    Assemble: Worker._assemble,
    Simulate: Worker._simulate,
}
# what the listening thread does itself, whatever the loop is doing
AT_ONCE: dict[type[Request], Callable[[Worker, Any], None]] = {
    Cancel: Worker._cancel,
    StartDrag: Worker._drag,
    DragTo: Worker._drag,
    EndDrag: Worker._drag,
}


def finite(block: np.ndarray) -> np.ndarray:
    """The rows of a block before the first one that holds a number which is not finite."""
    if np.isfinite(block).all():
        return block
    bad = ~np.isfinite(block).all(axis=1)
    return block[: int(np.argmax(bad))]


def not_finite(time_reached: float) -> Finding:
    """Reason why a run of which numbers grew beyond all bounds was stopped."""
    return Finding(
        "error",
        "",
        tr(
            "The motion became infinite just after t = {time_reached:.4g} s, so that the run was "
            "stopped there.",
            time_reached=time_reached,
        ),
        tr("Look for a very stiff spring or a very small mass, or choose a smaller step."),
    )


def main(solver: Solver, arguments: list[str]) -> None:
    """The process from its first line on; does not return."""
    process_policy.ignore_interrupts()
    process_policy.end_with_parent()
    process_policy.be_expendable()
    incoming, outgoing = process_policy.private_pipes()
    pipes = os.fdopen(incoming, "rb", 0), os.fdopen(outgoing, "wb", 0)
    Worker(solver, *pipes, "--spare" in arguments, "--allow-faults" in arguments).serve()
