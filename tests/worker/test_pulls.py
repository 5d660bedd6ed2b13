"""The thread for pulls, handed its requests by the test: what it asks of the solver and sends, in
which order, and until when.
"""

import sys

import numpy as np
import pytest

from mechstudio.engine.errors import EngineError
from mechstudio.engine.manifold.joint_placement import Placed
from mechstudio.engine.manifold.point_drag import Dragged as Found
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.protocol.solver_messages import (
    DragEnded,
    Dragged,
    DragTo,
    EndDrag,
    Failed,
    StartDrag,
)
from mechstudio.worker import point_drag
from mechstudio.worker.point_drag import FINISHING, SLICE, SWITCH, PointDragServer

PROJECT, ALONG = Project(), (0.0, 1.0, 0.0)
REFUSED = Finding("error", "crank", "It cannot be closed.", "")


class Hold:
    """Settles after so many slices.  calls: of `go`."""

    def __init__(self, slices=2):
        self.calls, self.slices, self.error = [], slices, None

    def go(self, target, view_direction, seconds):
        if self.error:
            raise self.error
        self.calls.append((target, view_direction, seconds))
        poses = np.full((1, 7), float(len(self.calls)))
        return Found(poses, np.array(target), len(self.calls) > self.slices, "the end")

    def placed(self):
        return Placed({"crank": (1.0,) * 7}, {"A": (2.0,)}, 3.0, "")


class Solver:
    def __init__(self):
        self.requested, self.hold, self.error = [], Hold(), None

    def start_drag(self, *what):
        self.requested.append(what)
        if self.error:
            raise self.error
        return self.hold


@pytest.fixture
def solver():
    before = sys.getswitchinterval()
    yield Solver()
    sys.setswitchinterval(before)


@pytest.fixture
def sent():
    return []


@pytest.fixture
def server(solver, sent):
    return PointDragServer(solver, sent.append)


def start(id=5, body="crank"):
    return StartDrag(id, PROJECT, body, (1.0, 2.0, 3.0), ((0.0,) * 7,), (4.0,))


def place(number, target, settled, id=5):
    return Dragged(id, np.full((1, 7), float(number)).tobytes(), target, settled, "the end")


def test_what_is_held_goes_to_the_target_slice_by_slice(server, solver, sent):
    usual = sys.getswitchinterval()
    server._handle(start())
    at = (1.0, 2.0, 3.0)
    assert solver.requested == [(PROJECT, "crank", at, ((0.0,) * 7,), (4.0,))]
    assert sent == [place(1, at, False)] and server._aim is None
    assert sys.getswitchinterval() == pytest.approx(SWITCH) and usual > SWITCH
    to = (9.0, 8.0, 7.0)
    server._handle(DragTo(5, to, ALONG))
    assert server._aim == DragTo(5, to, ALONG) and len(sent) == 1
    server._guarded(server._go)
    assert sent[1:] == [place(2, to, False)] and server._aim is not None
    server._guarded(server._go)
    assert sent[2:] == [place(3, to, True)] and server._aim is None
    assert solver.hold.calls == [(at, (0.0, 0.0, 1.0), 0.0), *[(to, ALONG, SLICE)] * 2]
    server._handle(EndDrag(5, True))
    assert sent[3:] == [DragEnded(5, {"crank": (1.0,) * 7}, {"A": (2.0,)})]
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_requests_of_another_pull_are_dropped(server, solver, sent):
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    server._handle(EndDrag(5, True))
    assert not sent
    server._handle(start())
    server._handle(DragTo(6, (0.0,) * 3, ALONG))
    server._handle(EndDrag(4, True))
    assert server._aim is None and len(sent) == 1
    server._handle(EndDrag(5, False))
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    assert server._aim is None and len(sent) == 1  # it needed no answer


def test_the_next_pull_lets_the_last_one_go(server, solver, sent):
    usual = sys.getswitchinterval()
    server._handle(start())
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    server._handle(start(6))
    assert server._aim is None and [r.id for r in sent] == [5, 6]
    server._handle(EndDrag(6, False))
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_the_end_goes_on_to_the_target_for_a_while(server, solver, sent, monkeypatch):
    now = [0.0]

    class Clock:
        @staticmethod
        def monotonic():
            now[0] += 0.125
            return now[0]

    monkeypatch.setattr(point_drag, "time", Clock)
    solver.hold.slices = 9
    server._handle(start())
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    server._handle(EndDrag(5, True))
    # looked at the clock once, and then before each slice
    slices = int((FINISHING - 1e-9) // 0.125)
    assert [type(r) for r in sent] == [Dragged] * (1 + slices) + [DragEnded]
    solver.hold.slices = len(solver.hold.calls) + 1
    server._handle(start(6))
    server._handle(DragTo(6, (0.0,) * 3, ALONG))
    del sent[:]
    server._handle(EndDrag(6, True))
    assert [type(r) for r in sent] == [Dragged, DragEnded] and sent[0].settled


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (EngineError(REFUSED), DragEnded(5, finding=REFUSED)),
        (ValueError("no body"), DragEnded(5, finding=Finding("error", "crank", "no body"))),
        (ZeroDivisionError("x"), Failed(5, "ZeroDivisionError: x")),
    ],
)
def test_what_cannot_be_held_is_said(server, solver, sent, error, answer, capsys):
    solver.error = error
    server._handle(start())
    assert sent == [answer]
    assert ("Traceback" in capsys.readouterr().err) == isinstance(answer, Failed)
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    assert server._aim is None


def test_an_error_on_the_way_lets_go(server, solver, sent):
    usual = sys.getswitchinterval()
    server._handle(start())
    server._handle(DragTo(5, (0.0,) * 3, ALONG))
    solver.hold.error = EngineError(REFUSED)
    server._guarded(server._go)
    assert sent[1:] == [DragEnded(5, finding=REFUSED)] and server._aim is None
    assert sys.getswitchinterval() == pytest.approx(usual)
    server._handle(EndDrag(5, True))
    assert len(sent) == 2


def test_the_times_of_a_pull_are_not_felt():
    """Two slices come in a frame of the screen, and threads change many times in each."""
    assert 2 * SLICE <= 1 / 60 and 10 * SWITCH < SLICE and FINISHING < 0.5


def test_one_thread_serves_all(server, solver, sent):
    import time

    server.take(start())
    thread = server._thread
    server.take(DragTo(5, (0.5, 0.0, 0.0), ALONG))
    server.take(EndDrag(5, True))
    end = time.monotonic() + 10.0
    while not isinstance(sent[-1] if sent else None, DragEnded) and time.monotonic() < end:
        time.sleep(0.002)
    assert [type(r) for r in sent] == [Dragged] * 3 + [DragEnded]
    assert server._thread is thread and thread.daemon and thread.name == "drag"
