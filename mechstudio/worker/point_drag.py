"""The worker's thread for pulls: it answers while the loop analyses or runs, and keeps what is held
between two targets.
"""

import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable

from mechstudio.engine.errors import EngineError
from mechstudio.model.findings import Finding
from mechstudio.protocol.solver_messages import (
    DragEnded,
    Dragged,
    DragTo,
    EndDrag,
    Failed,
    Report,
    StartDrag,
)
from mechstudio.worker.engine_solver import Solver

SLICE = 0.008  # s of pulling between two reports
FINISHING = 0.3  # s that a drag may continue to its last target after the release
SWITCH = 0.0005  # s after which the loop's thread must let this one go on


class PointDragServer:
    """Serves one pull at a time; requests of another one are dropped."""

    def __init__(self, solver: Solver, send: Callable[[Report], None]) -> None:
        self._solver, self._send = solver, send
        self._inbox: queue.SimpleQueue[StartDrag | DragTo | EndDrag] = queue.SimpleQueue()
        self._id, self._hold = 0, None
        self._aim: DragTo | None = None  # where it is still going
        self._thread: threading.Thread | None = None

    def take(self, request: StartDrag | DragTo | EndDrag) -> None:
        """Queue a request, from another thread; the thread of the drag answers it."""
        self._inbox.put(request)
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="drag", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                self._handle(self._inbox.get(block=self._aim is None))
            except queue.Empty:
                # no newer request waits
                self._guarded(self._go)

    def _handle(self, request: StartDrag | DragTo | EndDrag) -> None:
        if isinstance(request, StartDrag):
            self._release()
            self._id = request.id
            self._guarded(lambda: self._start(request))
        elif request.id != self._id or self._hold is None:
            return
        elif isinstance(request, DragTo):
            self._aim = request
        else:
            if request.keep:
                self._guarded(self._finish)
            self._release()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except EngineError as error:
            self._send(DragEnded(self._id, finding=error.finding))
            self._release()
        except Exception as error:
            traceback.print_exc()
            self._send(Failed(self._id, f"{type(error).__name__}: {error}"))
            self._release()

    def _start(self, request: StartDrag) -> None:
        self._interval = sys.getswitchinterval()
        try:
            self._hold = self._solver.start_drag(
                request.project, request.body, request.point, request.poses, request.coordinates
            )
        except ValueError as error:
            raise EngineError(Finding("error", request.body, str(error))) from error
        # numerical work lets other threads in so often that waiting for them would take longer than
        # the work
        sys.setswitchinterval(SWITCH)
        self._send_pose(self._hold.go(request.point, (0.0, 0.0, 1.0), 0.0))

    def _go(self) -> None:
        assert self._hold is not None
        assert self._aim is not None
        found = self._hold.go(self._aim.target, self._aim.view_direction, SLICE)
        if found.settled:
            self._aim = None
        self._send_pose(found)

    def _finish(self) -> None:
        assert self._hold is not None
        end = time.monotonic() + FINISHING
        while self._aim is not None and time.monotonic() < end:
            self._go()
        placed = self._hold.placed()
        self._send(DragEnded(self._id, placed.poses, placed.values))

    def _send_pose(self, found) -> None:
        x, y, z = map(float, found.point)
        self._send(Dragged(self._id, found.poses.tobytes(), (x, y, z), found.settled, found.word))

    def _release(self) -> None:
        if self._hold is not None:
            sys.setswitchinterval(self._interval)
        self._hold = self._aim = None
