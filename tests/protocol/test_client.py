"""The window's hold on the solver, tested with processes that are none and a clock that stands:
news of every report, and the times after which something is done.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import StopEvent
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import sample_layout
from mechstudio.protocol import client as module
from mechstudio.protocol import news, solver_messages
from mechstudio.protocol.client import WorkerClient
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
    DragEnded,
    Dragged,
    DragTo,
    EndDrag,
    Failed,
    Finished,
    Impacted,
    Pose,
    PoseFound,
    Preparing,
    PreparingContacts,
    Ready,
    Simulate,
    Slow,
    StartDrag,
)
from tests.mechanisms import four_bar

PROJECT = Project(four_bar())
WIDTH = sample_layout(PROJECT.mechanism).width
POINT, ALONG = (1.0, 2.0, 3.0), (0.0, 1.0, 0.0)
ANALYSIS, STATISTICS = Analysis(None), RunStatistics(1.0, 7, 6, 0, 0.1, 0.1, None, 1e-13, 10.0)
STRUCK, FINDING = (StopEvent(0.5, "J", 0, True, 1.0, 2.0),), Finding("error", "A", "m", "c")
LATE = 0.01  # [s] after a time at which nothing is done yet


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 0.5

    def monotonic(self):
        return self.now


class Process:
    """A worker process of which a test says what it reports and when it ends.  sent: requests."""

    made: "list[Process]"
    clock: Clock
    refused = ""  # why the system starts no process, from then on

    def __init__(self, command, log_folder):
        if Process.refused:
            raise OSError(5, Process.refused)
        self.command, self.log_path = command, log_folder / f"{len(Process.made)}.log"
        self.heard = Process.clock.now
        self.is_ready, self.progress, self.cold, self.contacts = False, 0.0, False, 1.0
        self.reports, self.sent, self.pid = [], [], 40 + len(Process.made)
        self.ended, self.killed, self.closed, self.words = False, False, False, ""
        Process.made.append(self)

    @property
    def has_ended(self):
        return self.ended and not self.reports

    def take_all(self):
        self.reports.clear()
        return self.ended

    def send(self, request):
        self.sent.append(request)

    def receive(self):
        return self.reports.pop(0) if self.reports else None

    def kill(self):
        self.killed = True

    def close(self):
        self.closed = True

    def cause(self):
        return "memory fault"

    def last_words(self):
        return self.words


@pytest.fixture
def clock(monkeypatch):
    Process.made, Process.clock, Process.refused = [], Clock(), ""
    monkeypatch.setattr(module, "WorkerProcess", Process)
    monkeypatch.setattr(module, "time", Process.clock)
    return Process.clock


@pytest.fixture
def make(clock, tmp_path):
    made = []

    def client(with_spare=False, ready=True):
        made.append(WorkerClient(tmp_path, ["worker"], with_spare))
        if ready:
            Process.made[-1].reports.append(Ready())
            made[-1].poll()
        return made[-1]

    yield client
    for each in made:
        each.close()


def reported(client, *reports):
    """News of a poll after reports of the worker at work."""
    client._active.reports += reports
    return client.poll()


def came(client, *reports):
    """The same in words: names of the news and what they hold."""
    return [
        (type(n).__name__, *(v for v in msgspec.structs.astuple(n)))
        for n in reported(client, *reports)
    ]


def test_requests_are_sent_with_ids_of_their_own(make):
    client = make()
    assert not client.is_busy and client.pid == 40
    ids = [
        client.analyse(PROJECT),
        client.pose(PROJECT, "A", 1, 0.5, "G"),
        client.assemble(PROJECT, ("crank",)),
        client.start_drag(PROJECT, "crank", POINT, ((0.0,) * 7,), (2.0,)),
    ]
    client.drag_to(4, POINT, ALONG)
    client.end_drag(4)
    client.cancel_assembly(3)
    assert ids == [1, 2, 3, 4] and client.is_busy
    assert Process.made[0].sent == [
        Analyse(1, PROJECT),
        Pose(2, PROJECT, "A", 1, 0.5, "G"),
        Assemble(3, PROJECT, ("crank",)),
        StartDrag(4, PROJECT, "crank", POINT, ((0.0,) * 7,), (2.0,)),
        DragTo(4, POINT, ALONG),
        EndDrag(4, True),
        Cancel(3),
    ]


def test_a_report_is_news_and_answers_its_request(make):
    client = make()
    log = Process.made[0].log_path
    closing = AssemblyResult(True, ())
    for ask, report, expected in (
        (lambda: client.analyse(PROJECT), Analysed(1, ANALYSIS), ("AnalysisCame", 1, ANALYSIS)),
        (
            lambda: client.pose(PROJECT, "A", 0, 1.0),
            PoseFound(2, value=1.0),
            ("PoseCame", 2, PoseFound(2, value=1.0)),
        ),
        (
            lambda: client.assemble(PROJECT),
            AssemblyFound(3, closing),
            ("AssemblyCame", 3, -1, closing),
        ),
        (lambda: client.assemble(PROJECT), Failed(4, "E: x"), ("RequestFailed", 4, "E: x", log)),
    ):
        ask()
        assert client.is_busy
        assert came(client, report) == [expected]
        assert not client.is_busy
    client.analyse(PROJECT)
    poses = ((0.0,) * 7,)
    assert came(client, Closed(5, poses), Assembling(5, 12), Alive(5, 0.1)) == [
        ("ClosedCame", 5, poses),
        ("AssemblyCame", 5, 12, None),
    ]
    assert client.is_busy


def test_of_a_drag_the_last_place_counts(make):
    client = make()
    drag = client.start_drag(PROJECT, "crank", POINT, (), ())
    first, last = (Dragged(drag, bytes([k]), POINT, False, "") for k in (1, 2))
    assert client.is_busy
    assert reported(client, first, last) == [last] and not client.is_busy
    client.end_drag(drag)
    assert client.is_busy
    ended = DragEnded(drag, {}, {})
    assert reported(client, first, ended) == [first, ended] and not client.is_busy
    client.start_drag(PROJECT, "crank", POINT, (), ())
    client.end_drag(2, False)
    assert not client.is_busy and Process.made[0].sent[-1] == EndDrag(2, False)


def test_a_run_comes_with_its_samples_and_its_end(make):
    client = make()
    run = client.simulate(PROJECT, "slow@1")
    requested = Process.made[0].sent[-1]
    assert isinstance(requested, Simulate) and (requested.id, requested.fault) == (run, "slow@1")
    ring = Ring.attach(requested.ring)
    rows = np.arange(3.0)[:, None] * np.ones(WIDTH)
    try:
        assert reported(client) == []
        assert ring.write(rows) == 3
        known = came(
            client,
            Impacted(run, STRUCK),
            Slow(run, "slow"),
            ContactsReported(run, ()),
            *(Impacted(7, STRUCK), Slow(7, "slow"), ContactsReported(7, ())),
        )
        assert known[:-1] == [
            ("StopImpacts", run, STRUCK),
            ("RunSlow", run, "slow"),
            ("ContactsCame", run, ()),
        ]
        assert known[-1][:2] == ("SamplesCame", run) and np.array_equal(known[-1][2], rows)
        assert reported(client, Finished(7, 9, True)) == [] and client.is_busy
        ring.write(rows[:2])
        samples, ended = reported(client, Finished(run, 5, False, FINDING, STATISTICS))
        assert len(samples.rows) == 2
        assert ended == news.RunEnded(run, False, FINDING, STATISTICS)
        assert not client.is_busy and reported(client) == []
    finally:
        ring.close()


def test_a_poll_takes_so_many_samples_and_the_end_of_a_run_waits_for_the_last(make, monkeypatch):
    client = make()
    monkeypatch.setattr(WorkerClient._drain, "__defaults__", (2 * 8 * WIDTH,))
    run = client.simulate(PROJECT)
    ring = Ring.attach(Process.made[0].sent[-1].ring)
    try:
        ring.write(np.zeros((5, WIDTH)))
        polls = [reported(client, Finished(run, 5, True)), reported(client), reported(client)]
        monkeypatch.setattr(WorkerClient._drain, "__defaults__", (1,))
        other = client.simulate(PROJECT)
        ring.close()
        ring = Ring.attach(Process.made[0].sent[-1].ring)
        ring.write(np.zeros((ring.row_count, WIDTH)))
        (one,) = reported(client)
        client.stop()
        rest, lost = client.poll()
    finally:
        ring.close()
    assert len(one.rows) == 1 and len(rest.rows) == module.sample_ring.row_count(WIDTH) - 1
    assert lost == news.Lost("stopped", True, 0, (other,), False)
    assert [len(poll[0].rows) for poll in polls] == [2, 2, 1]
    assert [len(poll) for poll in polls] == [1, 1, 2]
    assert polls[-1][-1] == news.RunEnded(run, True)
    assert module.MOST_BYTES == 2 * 1024**2


def test_a_run_ends_with_the_next_by_hand_and_by_an_error(make):
    client = make()
    first = client.simulate(PROJECT)
    second = client.simulate(PROJECT)
    process = Process.made[0]
    assert [type(r) for r in process.sent] == [Simulate, Cancel, Simulate]
    assert process.sent[1] == Cancel(first) and len(client._rings) == 1
    client.cancel()
    client.cancel()
    assert process.sent[3:] == [Cancel(second)] and not client._rings
    assert reported(client, Slow(second, "late")) == []
    third = client.simulate(PROJECT)
    assert came(client, Failed(third, "E"), Slow(third, "late")) == [
        ("RequestFailed", third, "E", process.log_path)
    ]
    assert not client._rings
    fourth = client.simulate(PROJECT)
    assert len(came(client, Failed(third, "E"))) == 1
    assert client._run == fourth and len(client._rings) == 1


def test_kernels_are_shown_as_they_come(make):
    client = make(ready=False)
    state = lambda: (client.is_ready, client.progress, client.is_cold, client.contacts_progress)
    assert state() == (False, 0.0, False, 1.0)
    assert reported(client, Preparing(0.25, True), PreparingContacts(0.5)) == []
    assert state() == (False, 0.25, True, 0.5)
    reported(client, Preparing(0.5, False), PreparingContacts(1.0), Ready())
    assert state() == (True, 1.0, False, 1.0)


@pytest.mark.parametrize(
    ("stage", "patience"),
    [
        ("", 1.0),
        (solver_messages.ANALYSIS, 5.0),
        (solver_messages.ASSEMBLY, 5.0),
        (solver_messages.RUN, 1.0),
    ],
)
def test_a_worker_is_silent_after_the_patience_for_its_task(make, clock, stage, patience):
    client = make()
    clock.now += 50.0
    assert not client.is_silent  # nothing is requested of it
    id = client.analyse(PROJECT)
    if stage:
        reported(client, Began(id, stage))
    clock.now += patience
    assert not client.is_silent
    clock.now += LATE
    assert client.is_silent
    client._active.heard = clock.now
    assert not client.is_silent
    clock.now += patience + LATE
    assert client.is_silent
    client.keep_waiting()
    clock.now += 10.0
    assert not client.is_silent
    clock.now += LATE
    assert client.is_silent
    reported(client, Analysed(id, ANALYSIS))
    assert not client.is_silent


def test_patience_is_that_of_the_task_at_hand(make, clock):
    client = make()
    first, second = client.analyse(PROJECT), client.assemble(PROJECT)
    reported(client, Began(second, solver_messages.ASSEMBLY), Analysed(first, ANALYSIS))
    clock.now += 4.0
    assert not client.is_silent  # it still assembles
    reported(client, Began(second, solver_messages.ANALYSIS), Failed(second, "E"))
    client.pose(PROJECT, "A", 0, 1.0)
    clock.now += 1.0 + LATE
    assert client.is_silent  # it was at nothing


def test_the_first_question_begins_the_wait_and_a_later_one_does_not(make, clock):
    client = make()
    clock.now += 50.0
    client.analyse(PROJECT)
    clock.now += 1.0
    client.analyse(PROJECT)
    clock.now += LATE
    assert client.is_silent


@pytest.mark.parametrize("begun", [Preparing(0.5, True), PreparingContacts(0.5)])
def test_compiling_takes_a_minute_of_patience(make, clock, begun):
    client = make(ready=isinstance(begun, PreparingContacts))
    client.analyse(PROJECT)
    reported(client, begun)
    clock.now += 60.0
    assert not client.is_silent
    clock.now += LATE
    assert client.is_silent


@pytest.mark.parametrize(("away", "silent"), [(1.0, True), (1.1, False)])
def test_a_window_that_stood_still_counts_no_silence(make, clock, away, silent):
    client = make()
    client.analyse(PROJECT)
    for _ in range(3):
        clock.now += away
        client.poll()
    assert client.is_silent == silent


def test_a_stopped_worker_hands_over_to_the_spare(make, clock):
    client = make(with_spare=True)
    clock.now += 1.0 + LATE
    client.poll()
    first, spare = Process.made
    assert first.command == ["worker"] and spare.command == ["worker", "--spare"]
    assert not client.spare_is_ready
    spare.reports += [Preparing(0.5, True), Ready()]
    client.poll()
    assert client.spare_is_ready and spare.progress == 1.0 and spare.cold
    one, two = client.analyse(PROJECT), client.assemble(PROJECT)
    reported(client, Began(two, solver_messages.ASSEMBLY))
    client.stop()
    assert first.killed and not spare.killed and client.pid == spare.pid
    assert client.poll() == [news.Lost("stopped", True, two, (one, two), True)]
    assert not client.is_busy and not first.closed
    first.ended = True
    client.poll()
    assert first.closed and client._processes == [spare]
    reported(client, Began(two, solver_messages.RUN))
    client.pose(PROJECT, "A", 0, 1.0)
    reported(client, Began(3, solver_messages.RUN), PoseFound(3))
    client.stop()
    client.stop()  # there is none any more
    assert client.poll() == [news.Lost("stopped", True, 0, (), False)]
    client.poll()
    assert len(Process.made) == 3 and client.pid == Process.made[2].pid


def test_a_worker_that_ends_leaves_what_it_said(make, clock):
    client = make()
    run = client.simulate(PROJECT)
    process = Process.made[0]
    ring = Ring.attach(process.sent[-1].ring)
    try:
        ring.write(np.zeros((4, WIDTH)))
        client._finished = None
        process.ended = True
        samples, lost = reported(client, Slow(run, "s"))[1:]
    finally:
        ring.close()
    assert len(samples.rows) == 4
    assert lost == news.Lost("memory fault", False, 0, (run,), False)
    assert not client._rings and client.pid == 0 and client.progress == 0.0
    assert (client.is_cold, client.contacts_progress, client.is_silent) == (False, 1.0, False)
    id = client.analyse(PROJECT)
    client.poll()  # one that was ready is started again at once
    assert Process.made[1].sent == [Analyse(id, PROJECT)]


def test_a_worker_that_never_gets_ready_is_started_thrice(make, clock):
    client = make(ready=False)
    Process.made[0].words = "No module."
    for number, pause in enumerate((0.5, 2.0), 1):
        assert len(Process.made) == number and not client.trouble
        Process.made[-1].ended, at = True, clock.now
        assert [type(n) for n in client.poll()] == [news.Lost]
        clock.now += pause - LATE
        client.poll()
        assert len(Process.made) == number
        clock.now = at + pause
        client.poll()
    Process.made[-1].ended, Process.made[-1].words = True, "No module."
    client.poll()
    log = Process.made[-1].log_path
    assert client.trouble == f"The solver does not start: No module. Its log is {log}."
    clock.now += 100.0
    client.poll()
    assert len(Process.made) == 3
    client.simulate(PROJECT)  # the user tries again
    assert not client.trouble
    client.poll()
    assert len(Process.made) == 4 and isinstance(Process.made[3].sent[-1], Simulate)
    for _ in range(2):
        Process.made[-1].ended = True
        client.poll()
        clock.now += 2.0
        client.poll()
        assert not client.trouble  # counted again


def test_one_that_got_ready_begins_the_count_anew(make, clock):
    client = make(ready=False)
    for _ in range(2):
        Process.made[-1].ended = True
        client.poll()
        clock.now += 3.0
        client.poll()
    reported(client, Ready())
    Process.made[-1].ended = True
    client.poll()
    client.poll()
    assert len(Process.made) == 4
    for _ in range(3):
        assert not client.trouble
        Process.made[-1].ended = True
        client.poll()
        clock.now += 3.0
        client.poll()
    assert client.trouble.startswith("The solver does not start: memory fault.")


def test_a_system_that_starts_no_process_is_named(make):
    client = make()
    Process.refused = "Too many of them"
    Process.made[0].ended = True
    client.poll()
    client.poll()
    assert client.trouble == "The solver does not start: Too many of them."


def test_the_spare_waits_for_a_pause_or_for_long(make, clock):
    client = make(with_spare=True)
    clock.now += 1.0
    client.poll()
    assert len(Process.made) == 1
    id = client.analyse(PROJECT)
    for _ in range(13):
        clock.now += 1.0
        client.poll()
    assert len(Process.made) == 1  # no pause
    reported(client, Analysed(id, ANALYSIS))
    clock.now += 1.0
    client.poll()
    assert len(Process.made) == 1
    client.analyse(PROJECT)
    clock.now += LATE
    client.poll()
    assert len(Process.made) == 2  # after 15 s it does not wait for any
    Process.made[1].ended = True
    client.poll()
    clock.now += 75.0
    client.poll()
    assert Process.made[1].closed and len(Process.made) == 2
    clock.now += LATE
    client.poll()
    assert len(Process.made) == 3  # another one, a minute later


def test_a_pause_brings_the_spare(make, clock):
    client = make(with_spare=True, ready=False)
    clock.now += 5.0
    reported(client, Ready())
    clock.now += 1.0
    client.poll()
    assert len(Process.made) == 1  # it is ready for a second
    reported(client, Analysed(client.analyse(PROJECT), ANALYSIS))
    clock.now += 1.0 + LATE
    client.poll()
    assert len(Process.made) == 2
    bare = make()
    clock.now += 30.0
    bare.poll()
    assert len(Process.made) == 3  # its own
    assert WorkerClient.__init__.__defaults__ == (None, True)


def test_no_room_for_a_spare_is_no_trouble(make, clock):
    client = make(with_spare=True)
    Process.refused = "no room"
    clock.now += 2.0
    client.poll()
    Process.refused = ""
    clock.now += 60.0
    client.poll()
    assert not client.trouble and len(Process.made) == 1


def test_a_closed_client_has_ended_everything(make, clock):
    client = make(with_spare=True)
    clock.now += 2.0
    client.poll()
    client.simulate(PROJECT)
    client.close()
    assert all(p.killed and p.closed for p in Process.made) and len(Process.made) == 2
    assert client.poll() == [] and not client._rings and not client.is_ready
