"""The loop of the worker, handed its requests by the test: what it sends, in which order, and when
it stops.
"""

import io
import math
from types import SimpleNamespace

import numpy as np
import pytest

from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration.memory import full_memory
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import StopEvent
from mechstudio.model.results.run_statistics import RunStatistics
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
    Finished,
    Impacted,
    Pose,
    PoseFound,
    Preparing,
    PreparingContacts,
    Ready,
    Simulate,
    Slow,
)
from mechstudio.worker import faults, solver_process
from mechstudio.worker.faults import with_fault
from mechstudio.worker.solver_process import Prepared, Worker

PROJECT, WIDTH = Project(), 3
REFUSED = Finding("error", "A", "It cannot be closed.", "")
STATISTICS = RunStatistics(1.0, 7, 6, 0, 0.1, 0.1, None, 1e-13, 10.0)
STRUCK = StopEvent(0.5, "J", 0, True, 1.0, 2.0)
POSES = ((1.0,) * 7,)


def block(*times, bad=None):
    rows = np.array(times)[:, None] * np.ones(WIDTH)
    if bad is not None:
        rows[bad, 1] = np.nan
    return rows


class Run:
    """A run of given blocks; functions among them are called in between."""

    def __init__(self, *parts):
        self.width, self.statistics, self._parts = WIDTH, STATISTICS, parts
        self.events, self.contact_samples, self.slow = [], [], []

    @property
    def blocks(self):
        for part in self._parts:
            if callable(part):
                part()
            else:
                yield part


class Solver:
    """Answers its request, or raises `error`."""

    def __init__(self):
        self.error, self.run, self.steps, self.cold = None, Run(block(0.0)), 0, False
        self.requested, self.fractions = [], ()

    def _requested(self, *what):
        self.requested.append(what)
        if self.error:
            raise self.error

    def is_cold(self):
        return self.cold

    def prepare(self, progress):
        self._requested("prepare")
        progress(0.5)

    def complete(self):
        self._requested("complete")

    def analyse(self, project, closed):
        self._requested("analyse", project)
        closed(POSES)
        return Analysis(None)

    def pose(self, *what):
        self._requested("pose", *what)
        return {"a": POSES[0]}, {"A": (1.0,)}, 2.0, "It stops."

    def assemble(self, project, keep, step):
        self._requested("assemble", project, keep)
        for _ in range(self.steps):
            step()
        return AssemblyResult(True, POSES)

    def prepare_contacts(self, project, progress):
        for fraction in self.fractions:
            progress(fraction)

    def start(self, project):
        self._requested("start", project)
        return self.run


class Clock:
    """A clock that goes on by a step at each look, and by what is slept."""

    def __init__(self):
        self.now, self.step, self.computed, self.slept = 10.0, 0.0, 0.0, []

    def monotonic(self):
        self.now += self.step
        return self.now

    def process_time(self):
        return self.computed

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(solver_process, "time", made)
    monkeypatch.setattr(solver_process.process_policy, "bound_log", lambda: None)
    return made


@pytest.fixture
def worker(clock):
    made = Worker(Solver(), io.BytesIO(), io.BytesIO(), allow_faults=True)
    made.sent = []
    made._window.send = made.sent.append
    made._reported, made._prepared = clock.now, True
    return made


@pytest.fixture
def ring():
    made = Ring.create(WIDTH, 4)
    yield made
    made.close()


def finished(worker):
    """The last report."""
    return worker.sent[-1]


def test_answers_come_after_the_word_that_they_are_begun(worker):
    began = lambda id: Began(id, solver_messages.ANALYSIS)
    worker._handle(Analyse(1, PROJECT))
    assert worker.sent == [began(1), Closed(1, POSES), Analysed(1, Analysis(None))]
    del worker.sent[:]
    worker._handle(Pose(2, PROJECT, "A", 1, 0.5, "G"))
    assert worker.sent == [began(2), PoseFound(2, {"a": POSES[0]}, {"A": (1.0,)}, 2.0, "It stops.")]
    del worker.sent[:]
    worker._handle(Assemble(3, PROJECT, ("a",)))
    assert worker.sent == [began(3), AssemblyFound(3, AssemblyResult(True, POSES))]
    assert worker._solver.requested == [
        ("analyse", PROJECT),
        ("pose", PROJECT, "A", 1, 0.5, "G"),
        ("assemble", PROJECT, ("a",)),
    ]


@pytest.mark.parametrize(
    ("error", "finding"),
    [(EngineError(REFUSED), REFUSED), (ValueError("no"), Finding("error", "A", "no"))],
)
def test_a_pose_that_cannot_be_is_said(worker, error, finding):
    worker._solver.error = error
    worker._handle(Pose(2, PROJECT, "A", 1, 0.5))
    assert finished(worker) == PoseFound(2, finding=finding)


def test_assembling_gives_signs_of_life_and_can_be_ended(worker, clock):
    clock.step, worker._solver.steps = 0.0625, 5
    worker._handle(Assemble(3, PROJECT))
    # a sign each tenth of a second at most: at every second step
    assert worker.sent[1:-1] == [Assembling(3, 2), Assembling(3, 4)]
    worker._hear(Cancel(4))
    worker._handle(Assemble(4, PROJECT))
    assert finished(worker) == AssemblyFound(4, None)
    worker._handle(Assemble(4, PROJECT))
    assert finished(worker) == AssemblyFound(4, AssemblyResult(True, POSES))


def test_a_run_is_followed_into_its_ring(worker, ring):
    run = worker._solver.run = Run(
        lambda: run.events.append(STRUCK),
        lambda: run.slow.extend(["one", "two"]),
        block(0.0, 0.1),
        block(),
        block(0.2),
        lambda: run.events.append(STRUCK),
    )
    worker._solver.fractions = (0.5, 1.0)
    worker._handle(Simulate(1, PROJECT, ring.name))
    assert worker.sent == [
        Began(1, solver_messages.ASSEMBLY),
        PreparingContacts(0.5),
        PreparingContacts(1.0),
        Began(1, solver_messages.RUN),
        Impacted(1, (STRUCK,)),
        Slow(1, "two"),
        Impacted(1, (STRUCK,)),
        Finished(1, 3, True, None, STATISTICS),
    ]
    assert np.array_equal(ring.read()[:, 0], [0.0, 0.1, 0.2])
    assert not (run.events or run.slow or run.contact_samples)


def test_contacts_are_reported_once(worker, ring):
    run = worker._solver.run = Run(lambda: run.contact_samples.append((0,)), block(0.0), block(0.1))
    worker._handle(Simulate(1, PROJECT, ring.name))
    assert [r for r in worker.sent if isinstance(r, ContactsReported)] == [
        ContactsReported(1, ((0,),))
    ]


def test_a_full_ring_is_waited_for_with_signs_of_life(worker, ring, clock):
    guest = Ring.attach(ring.name)
    taken = []

    def sleep(seconds):
        clock.slept.append(seconds)
        clock.now += 0.0625
        if len(clock.slept) == 3:
            taken.append(len(ring.read()))

    clock.sleep = sleep
    worker._solver.run = Run(block(0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
    worker._handle(Simulate(1, PROJECT, ring.name))
    guest.close()
    assert taken == [4] and clock.slept == [solver_process.PAUSE] * 3
    assert [r for r in worker.sent if isinstance(r, Alive)] == [Alive(1, 0.5)]
    assert finished(worker).samples == 6 and np.array_equal(ring.read()[:, 0], [0.4, 0.5])


def test_a_cancelled_run_ends_where_it_is(worker, ring):
    run = worker._solver.run = Run(
        block(0.0),
        lambda: worker._hear(Cancel(1)),
        lambda: run.events.append(STRUCK),
        lambda: run.slow.append("slow"),
        lambda: run.contact_samples.append((0,)),
        block(0.1),
        block(0.2),
    )
    worker._handle(Simulate(1, PROJECT, ring.name))
    assert worker.sent[2:] == [Finished(1, 1, False, None, STATISTICS)]
    assert not worker._cancelled and not run.events
    worker._hear(Cancel(2))
    worker._handle(Simulate(2, PROJECT, ring.name))  # it waited for its turn
    assert finished(worker) == Finished(2, 0, False, None, None) and not worker._cancelled
    worker._handle(Simulate(3, PROJECT, "mechst-none"))
    assert finished(worker) == Finished(3, 0, False, None, None)


@pytest.mark.parametrize(
    ("error", "finding"), [(EngineError(REFUSED), REFUSED), (MemoryError(), full_memory())]
)
def test_a_run_that_does_not_begin_is_said(worker, ring, error, finding):
    worker._solver.error = error
    worker._handle(Simulate(1, PROJECT, ring.name))
    assert finished(worker) == Finished(1, 0, False, finding)


def raising(error):
    def strike():
        raise error

    return strike


@pytest.mark.parametrize(
    ("parts", "samples", "finding"),
    [
        ((block(0.0, 0.1), raising(RunStopped("Too small.", 0.1))), 2, "Too small."),
        ((block(0.0), raising(MemoryError())), 1, full_memory().message),
        ((block(0.0, 0.1, 0.2, bad=2), block(0.3)), 2, "just after t = 0.1 s"),
        ((block(0.0), block(0.1, bad=0)), 1, "just after t = 0 s"),
    ],
)
def test_a_run_that_ends_early_says_why(worker, ring, parts, samples, finding):
    worker._solver.run = Run(*parts)
    worker._handle(Simulate(1, PROJECT, ring.name))
    end = finished(worker)
    assert (end.samples, end.complete, end.finding.severity) == (samples, False, "error")
    assert finding in end.finding.message


def test_a_ring_of_another_width_is_an_error(worker):
    other = Ring.create(WIDTH + 1, 4)
    worker._handle(Simulate(1, PROJECT, other.name))
    other.close()
    assert finished(worker).error == (
        "ValueError: the samples are 3 numbers wide, the ring's rows 4"
    )


def test_questions_are_answered_between_blocks_and_runs_wait(worker, ring):
    waiting = (Simulate(2, PROJECT, "later"), Analyse(3, PROJECT), Simulate(4, PROJECT, "later"))
    worker._solver.run = Run(block(0.0), lambda: [*map(worker._hear, waiting)], block(0.1))
    worker._handle(Simulate(1, PROJECT, ring.name))
    kinds = [(type(r), r.id) for r in worker.sent[2:]]
    assert kinds == [(Began, 3), (Closed, 3), (Analysed, 3), (Began, 1), (Finished, 1)]
    assert worker.sent[-2].stage == solver_messages.RUN
    assert [worker._inbox.get().id for _ in range(2)] == [2, 4] and worker._inbox.empty()


def test_drags_go_to_their_thread(worker):
    taken = []
    worker._point_drag = SimpleNamespace(take=taken.append)
    request = DragTo(1, (0.0,) * 3, (0.0, 0.0, 1.0))
    worker._hear(request)
    assert taken == [request] and worker._inbox.empty()


def test_runs_that_come_early_begin_when_the_kernels_are_ready(worker, ring):
    worker._prepared = False
    worker._handle(Simulate(1, PROJECT, ring.name))
    assert not worker.sent
    worker._handle(Prepared())
    assert worker.sent[0] == Ready() and finished(worker).complete
    worker._handle(Prepared())
    assert worker.sent[-1] == Ready()  # it runs once


def test_kernels_are_prepared_and_the_rest_after_them(worker, monkeypatch):
    low = []
    monkeypatch.setattr(solver_process.process_policy, "yield_thread", lambda: low.append(1))
    worker._solver.cold = True
    worker._prepare()
    assert worker._solver.requested == [("prepare",), ("complete",)] and not low
    assert worker._inbox.get() == Prepared() and worker._inbox.empty()
    assert worker.sent == [Preparing(0.5, True)]
    worker._spare, worker._solver.error = True, ZeroDivisionError("planted")
    worker._prepare()
    note = worker._inbox.get()
    assert low and note.error.startswith("Traceback") and "planted" in note.error
    assert worker._inbox.empty()


def test_a_worker_without_kernels_ends_with_the_reason(worker, monkeypatch, capsys):
    ended = []
    monkeypatch.setattr(
        solver_process, "os", SimpleNamespace(_exit=lambda code: ended.append(code))
    )
    worker._become_ready(Prepared("no kernels"))
    assert ended == [1] and capsys.readouterr().err == "no kernels"


@pytest.mark.parametrize(
    ("cold", "computed", "known", "shown", "said"),
    [
        (False, 5.0, 0.0, 0.0, False),
        (False, 5.1, 0.0, 0.95 * (1 - math.exp(-5.1 / 30.0)), True),
        (True, 0.0, 0.25, 0.25, True),
        (True, 30.0, 0.1, 0.95 * (1 - math.exp(-1.0)), True),
        (True, 30.0, 0.9, 0.9, True),
    ],
)
def test_progress_is_guessed_while_nothing_is_known(
    worker, clock, cold, computed, known, shown, said
):
    worker._cold, clock.computed = cold, computed
    worker._note_progress(known)
    assert worker.sent == [Preparing(pytest.approx(shown), said)]


def test_faults_strike_once_at_their_time(monkeypatch):
    struck = []
    monkeypatch.setattr(faults, "_strike", lambda kind, rows: struck.append(kind) or rows + 100.0)
    blocks = [block(0.0), block(), block(0.1, 0.2), block(0.3)]
    got = [rows[:, 0].tolist() for rows in with_fault(iter(blocks), "slow@0.2")]
    assert got == [[0.0], [], [100.1, 100.2], [0.3]] and struck == ["slow"]
    assert next(with_fault(iter(blocks), "nan"))[0, 0] == 100.0
    with pytest.raises(ValueError, match="There is no fault luck; there are hang, slow"):
        next(with_fault(iter(blocks), "luck@1"))


def test_each_fault_is_what_a_user_would_meet(monkeypatch):
    slept = []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            raise KeyboardInterrupt

    stopped = lambda: slept.append("abort")
    monkeypatch.setattr(faults, "time", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(faults, "os", SimpleNamespace(abort=stopped))
    rows = block(0.0, 0.1, 0.2)
    bad = faults._strike("nan", rows)
    assert np.isfinite(rows).all() and np.isnan(bad[1:, 1]).all() and np.isfinite(bad[0]).all()
    assert np.isfinite(bad[:, 0]).all()
    assert faults._strike("slow", rows) is rows and slept == [faults.SLOW]
    faults._strike("crash", rows)
    with pytest.raises(ZeroDivisionError):
        faults._strike("error", rows)
    with pytest.raises(MemoryError):
        faults._strike("memory", rows)
    with pytest.raises(KeyboardInterrupt):
        faults._strike("hang", rows)
    assert slept == [faults.SLOW, "abort", 0.01]


@pytest.mark.parametrize(("allowed", "complete"), [(True, False), (False, True)])
def test_only_a_worker_that_may_obeys_faults(worker, ring, allowed, complete):
    worker._allow_faults = allowed
    worker._handle(Simulate(1, PROJECT, ring.name, "memory"))
    assert finished(worker).complete == complete


def test_the_process_serves_with_what_its_arguments_say(monkeypatch):
    made, calls = [], []

    class Served:
        def __init__(self, *given):
            made.append(given)

        def serve(self):
            calls.append("serve")

    policy = ("ignore_interrupts", "end_with_parent", "be_expendable")
    noted = {name: (lambda name=name: calls.append(name)) for name in policy}
    monkeypatch.setattr(
        solver_process, "process_policy", SimpleNamespace(private_pipes=lambda: (7, 8), **noted)
    )
    opened = lambda *given: given
    monkeypatch.setattr(solver_process, "os", SimpleNamespace(fdopen=opened))
    monkeypatch.setattr(solver_process, "Worker", Served)
    for arguments in ([], ["--spare"], ["--allow-faults"]):
        solver_process.main("solver", arguments)
    pipes = ("solver", (7, "rb", 0), (8, "wb", 0))
    assert made == [(*pipes, False, False), (*pipes, True, False), (*pipes, False, True)]
    assert calls[:4] == [*policy, "serve"]
