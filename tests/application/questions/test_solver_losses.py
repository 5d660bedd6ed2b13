"""Solvers that die, hang, do not start or talk nonsense: what the session says, what is kept, how
it goes on.
"""

import os
import signal
import time

import msgspec
import numpy as np
import pytest

from mechstudio.application.questions.solver import SILENT
from mechstudio.protocol import client
from mechstudio.protocol.client import BACK_OFF
from tests.worker.sessions import STAND_IN, drive, heavier

__all__ = ["drive"]

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@posix
@pytest.mark.parametrize("with_spare", [False, True])
@pytest.mark.thinned(2)
def test_a_killed_solver_is_noticed_and_replaced(drive, with_spare):
    d = drive("pace 0.01", with_spare=with_spare)
    d.ready()
    if with_spare:
        d.until(lambda: d.session.client.spare_is_ready)
    d.session.simulate()
    recording = d.session.recording
    d.until(lambda: recording.count > 20)
    os.kill(d.session.client.pid, signal.SIGKILL)
    assert d.until(lambda: d.session.status.phase == "lost") < 0.5
    sentence = d.session.status.sentence
    assert sentence.startswith(
        "The solver stopped unexpectedly (killed). The run is kept up to t = 0.2"
    )
    assert sentence.endswith(
        "a new solver is ready." if with_spare else "a new solver is being prepared."
    )
    assert recording.finished and recording.count > 20 and recording.reason == sentence
    count = recording.count
    d.session.simulate()
    second = d.session.recording
    d.until(lambda: second.count > 5)
    assert recording.count == count
    d.document.commit(
        "Duration",
        msgspec.structs.replace(d.document.project, note="", settings=d.document.project.settings),
    )
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


@posix
def test_an_idle_solver_that_is_killed_is_replaced_too(drive, monkeypatch):
    """At once: only one that never was ready is waited for before the next."""
    monkeypatch.setattr(client, "BACK_OFF", [3600.0] * len(BACK_OFF))
    d = drive()
    d.ready()
    os.kill(d.session.client.pid, signal.SIGTERM)
    d.until(lambda: d.session.status.phase == "lost")
    assert (
        d.session.status.sentence
        == "The solver stopped unexpectedly (terminated). A new solver is being prepared."
    )
    d.until(lambda: d.session.status.phase == "ready")
    assert d.session.analysis is not None


def test_a_crash_names_its_cause(drive):
    d = drive()
    d.ready()
    d.session.fault = "crash@1"
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert "(aborted)" in d.session.recording.reason or os.name != "posix"
    assert 0.9 < d.session.recording.end < 1.01


def test_a_hung_solver_is_called_silent_after_a_second_and_not_killed(drive):
    d = drive()
    d.ready()
    pid = d.session.client.pid
    d.session.fault = "hang@1"
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 90)
    assert 0.8 < d.until(lambda: d.session.status.phase == "silent") < 1.6
    assert d.session.status.sentence == SILENT
    d.for_(0.5)
    assert d.session.client.pid == pid and d.session.status.phase == "silent"
    d.session.keep_waiting()
    assert d.session.status.phase == "running"
    d.session.stop_worker()
    d.until(lambda: d.session.recording.finished)
    assert (
        d.session.recording.reason.startswith("The solver was stopped. The run is kept up to t = ")
        and d.session.recording.count > 90
    )
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


@posix
def test_a_solver_that_answers_again_goes_on(drive):
    d = drive("pace 0.002; rows 3")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 20)
    os.kill(d.session.client.pid, signal.SIGSTOP)
    d.until(lambda: d.session.status.phase == "silent")
    os.kill(d.session.client.pid, signal.SIGCONT)
    d.until(lambda: d.session.status.phase == "running", 1.0)
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete and d.session.recording.count == 501


def test_one_slow_step_is_waited_for(drive):
    d = drive()
    d.ready()
    d.session.fault = "slow@1"
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert (
        d.session.recording.complete
        and d.session.recording.count == 501
        and d.phases.count("silent") == 1
    )


@posix
def test_a_solver_hung_when_it_is_needed_is_silent_too(drive):
    d = drive()
    d.ready()
    os.kill(d.session.client.pid, signal.SIGSTOP)
    d.session.simulate()
    assert d.until(lambda: d.session.status.phase == "silent") < 1.6
    d.session.stop_worker()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


def test_a_window_that_was_away_does_not_blame_the_solver(drive):
    d = drive("pace 0.002", duration=20.0)
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 5)
    time.sleep(1.3)
    d.for_(0.3)
    assert "silent" not in d.phases


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("nan@1", "infinite just after t = 0.99 s"),
        ("error@1", "ZeroDivisionError"),
        ("memory@1", "not enough memory"),
    ],
)
@pytest.mark.thinned(3)
def test_faults_inside_a_run_leave_solver_and_samples_alive(drive, fault, words):
    d = drive()
    d.ready()
    pid = d.session.client.pid
    d.session.fault = fault
    d.session.simulate()
    recording = d.session.recording
    d.until(lambda: recording.finished)
    assert words in recording.reason and not recording.complete and recording.count == 100
    assert np.isfinite(recording.rows).all()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete and d.session.client.pid == pid


def test_faults_are_refused_without_the_flag(drive):
    d = drive(command=[c for c in STAND_IN if c != "--allow-faults"])
    d.ready()
    d.session.fault = "nan@1"
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


@pytest.mark.slow
def test_a_solver_that_never_starts_is_tried_three_times(drive):
    d = drive(command=[*STAND_IN, "--broken"])
    d.until(lambda: d.session.client.trouble, 30.0)
    assert (
        "No module named 'stand_in_engine'" in d.session.status.sentence
        and d.session.status.phase == "lost"
    )
    starts = len(list((d.session._folder / "log").glob("*.log")))
    assert starts == 3
    d.document.commit("Edit", heavier(d.document.project, 2.0))
    d.for_(0.5)
    assert len(list((d.session._folder / "log").glob("*.log"))) == 3
    d.session.simulate()  # the user tries again
    d.until(lambda: d.session.client.trouble, 30.0)
    assert (
        d.session.recording.finished and len(list((d.session._folder / "log").glob("*.log"))) == 6
    )


def test_a_program_that_is_not_there_is_a_sentence(drive):
    d = drive(command=["/nowhere/python"])
    d.for_(0.05)
    assert d.session.status.phase == "lost" and "does not start" in d.session.status.sentence


def test_worker_that_prints_into_its_pipe_is_replaced_after_the_back_off(drive, tmp_path):
    """A worker that writes nonsense into its pipe is replaced, not believed, and not at once."""
    d = drive(
        command=[STAND_IN[0], "-c", "print('hello ' * 9, flush=True); import time; time.sleep(60)"]
    )
    assert d.until(lambda: d.session.client.trouble, 30.0) > sum(BACK_OFF)
    assert d.session.status.phase == "lost"
