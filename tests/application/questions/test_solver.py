"""The session against real worker processes: analyses after edits, and runs."""

import time

import msgspec
import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.questions import solver as session_module
from mechstudio.application.questions.solver import COMPILING, Session
from mechstudio.model.edits import elements
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.events import StopEvent
from mechstudio.protocol.news import AnalysisCame, RunEnded, SamplesCame
from tests.worker.sessions import REAL, STAND_IN, drive, heavier, project, renamed

__all__ = ["drive"]


# analyses


def test_a_drawing_is_analysed_at_the_start_and_after_each_edit(drive):
    d = drive("one")
    assert d.session.analysis is None
    d.ready()
    assert d.session.analysis.findings[0].message == "one"
    d.document.commit("Edit", heavier(msgspec.structs.replace(d.document.project, note="two"), 3.0))
    assert d.session.analysis is None  # unknown is a dash, never the old number
    assert d.until(lambda: d.session.analysis is not None) < 0.5
    assert d.session.analysis.findings[0].message == "two"


def test_edits_outside_the_mechanism_start_no_analysis(drive):
    d = drive("one")
    d.ready()
    before, news = d.session.analysis, []
    d.session.analysed.connect(lambda: news.append(1))
    d.document.commit("Note", msgspec.structs.replace(d.document.project, note="two"))
    d.for_(0.2)
    assert d.session.analysis is before and not news
    # a name appears in findings, so that it is analysed; until then the numbers stay
    d.document.commit("Rename", renamed(d.document.project, "Kurbel"))
    assert d.session.analysis is before
    d.until(lambda: news)
    assert d.session.analysis is not before


def test_many_edits_are_analysed_once_and_the_newest_wins(drive):
    d = drive("analysis 0.2")
    d.ready()
    news = []
    d.session.analysed.connect(lambda: news.append(d.session.analysis.findings[0].message))
    for k in range(20):
        d.document.commit(
            "Edit",
            heavier(
                msgspec.structs.replace(d.document.project, note=f"analysis 0.2; {k}"), 1.0 + k
            ),
        )
        d.for_(0.02)
    d.until(lambda: news)
    assert news == ["analysis 0.2; 19"] and len(news) == 1
    d.for_(0.5)
    assert len(news) == 1


def test_an_analysis_that_fails_says_so_and_the_next_edit_is_read(drive):
    d = drive("raise")
    d.until(lambda: d.session.analysis is not None)
    assert "ZeroDivisionError: planted" in d.session.analysis.findings[0].message
    d.document.commit(
        "Edit", heavier(msgspec.structs.replace(d.document.project, note="fine"), 2.0)
    )
    d.until(lambda: d.session.analysis is not None)
    assert d.session.analysis.findings[0].message == "fine"
    assert "ZeroDivisionError" in next((d.session._folder / "log").glob("*.log")).read_text()


def test_an_analysis_that_kills_the_solver_is_tried_twice_and_then_given_up(drive):
    d = drive("die")
    d.until(lambda: d.session.analysis is not None)
    assert (
        d.session.analysis.findings[0].severity == "error"
        and "twice" in d.session.analysis.findings[0].message
    )
    assert (
        sum("unexpectedly (exit code 9)" in s for _, _, s in d.log) == 1
    )  # the second loss has the same words
    d.document.commit(
        "Edit", heavier(msgspec.structs.replace(d.document.project, note="fine"), 2.0)
    )
    d.until(
        lambda: d.session.analysis is not None and d.session.analysis.findings[0].message == "fine"
    )


# runs


def test_a_run_is_recorded_in_full(drive):
    d = drive(duration=100.0)
    d.ready()
    ended, grown = [], []
    d.session.run_finished.connect(lambda: ended.append(1))
    d.session.recorded.connect(lambda: grown.append(d.session.recording.count))
    d.session.simulate()
    recording = d.session.recording
    d.until(lambda: ended)
    assert (
        recording.complete and recording.finished and not recording.reason and not recording.stale
    )
    assert recording.count == 10001 and recording.statistics.samples == 10001
    assert np.allclose(recording.time, 0.01 * np.arange(10001)) and np.array_equal(
        recording.rows[:, 1], np.sin(recording.time)
    )
    assert len(grown) > 1 and grown == sorted(grown)
    assert d.session.status.phase == "ready" and "running" in d.phases


def test_impacts_at_stops_come_with_the_samples(drive):
    # the stand-in strikes at every sample but the first
    d = drive("strike; rows 7", duration=1.0)
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    events = d.session.recording.events
    assert [e.time for e in events] == pytest.approx(0.01 * np.arange(1, 101)) and events[
        0
    ] == StopEvent(events[0].time, "J", 0, True, 1.0, 2.0)


def test_no_sample_is_lost_when_the_window_is_slow(drive):
    """Ring of 8192 samples at most, 51 numbers each; 40001 samples and a window that looks four
    times a second.
    """
    d = drive("rows 900", duration=400.0)
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished, 60.0, pause=0.25)
    assert d.session.recording.complete and d.session.recording.count == 40001
    assert np.allclose(np.diff(d.session.recording.time), 0.01) and "silent" not in d.phases


def test_a_run_is_cancelled_at_once_and_kept(drive):
    d = drive("pace 0.01")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 5)
    count = d.session.recording.count
    d.session.cancel()
    recording = d.session.recording
    assert (
        recording.finished
        and not recording.complete
        and recording.count == count
        and d.session.status.phase == "ready"
    )
    d.for_(0.3)
    assert (
        recording.count == count and d.session.recording is recording
    )  # what comes late is dropped
    assert d.until(lambda: not d.session.client.is_busy) < 0.5  # the solver has dropped it too


def test_a_long_run_is_not_called_silent(drive):
    d = drive("pace 0.005")
    d.ready()
    d.session.simulate()
    assert d.until(lambda: d.session.recording.finished) > 1.5
    assert "silent" not in d.phases and d.session.recording.complete


class Belated:
    """A client whose answers come when the test wants."""

    trouble, is_ready, is_silent, contacts_progress = "", True, False, 1.0

    def __init__(self):
        self.requested, self.events = 0, []

    def analyse(self, project):
        self.requested += 1
        return self.requested

    def simulate(self, project, fault=""):
        self.requested += 1
        return self.requested

    def cancel(self):
        pass

    def close(self):
        pass

    def poll(self):
        events, self.events = self.events, []
        return events


def test_late_answers_are_dropped(tmp_path):
    client = Belated()
    document = Document(project())
    session = Session(document, client, tmp_path)
    session.poll()  # requests analysis 1
    session.simulate()  # run 2
    width = session.recording.layout.width
    session.simulate()  # run 3
    document.commit("Edit", heavier(document.project, 2.0))
    session.simulate()  # run 4
    assert client.requested == 4
    client.events = [
        AnalysisCame(1, Analysis(None)),
        SamplesCame(3, np.zeros((5, width))),
        RunEnded(3, True),
        SamplesCame(4, np.zeros((2, width))),
    ]
    session.poll()
    assert (
        session.analysis is None and session.recording.count == 2 and not session.recording.finished
    )
    assert client.requested == 5  # the analysis of the drawing as it is now
    client.events = [
        AnalysisCame(1, Analysis(None)),
        AnalysisCame(5, Analysis(None, gap=1.0)),
        RunEnded(4, True),
    ]
    session.poll()
    assert session.analysis.gap == 1.0 and session.recording.complete
    session.close()


def test_a_new_run_ends_the_old_one_and_takes_none_of_its_samples(drive):
    d = drive("pace 0.002; rows 3")
    d.ready()
    d.session.simulate()
    first = d.session.recording
    d.until(lambda: first.count > 30)
    d.session.simulate()
    second = d.session.recording
    assert second is not first and first.finished and second.count == 0
    d.until(lambda: second.finished)
    assert second.complete and np.allclose(second.time, 0.01 * np.arange(501))


def test_an_edit_ends_the_run_and_marks_it_stale(drive):
    d = drive("pace 0.01")
    d.ready()
    d.session.simulate()
    recording = d.session.recording
    d.until(lambda: recording.count > 5)
    d.document.commit("Rename", renamed(d.document.project, "Kurbel"))
    d.for_(0.1)
    assert not recording.stale and not recording.finished and d.session.status.phase == "running"
    d.document.commit("Mass", heavier(d.document.project, 2.0))
    assert recording.stale and recording.finished and not recording.complete
    assert d.until(lambda: d.session.analysis is not None) < 1.0
    d.document.undo()
    assert not recording.stale


def test_analyses_are_answered_during_a_run(drive):
    d = drive("pace 0.005")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 5)
    news = []
    d.session.analysed.connect(lambda: news.append(1))
    d.document.commit("Rename", renamed(d.document.project, "Kurbel"))
    assert d.until(lambda: news) < 0.5
    assert not d.session.recording.finished
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


def test_a_refused_run_says_why(drive):
    d = drive("refuse")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert (
        d.session.recording.reason == "Pin A has nothing to hold. Delete it."
        and d.session.recording.finding.element == "A"
    )
    assert d.session.status == msgspec.structs.replace(
        d.session.status, phase="ready", sentence=d.session.recording.reason
    )


def test_a_run_that_stops_keeps_its_samples_and_says_why(drive):
    d = drive("stop 2.0")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.finished)
    assert (
        d.session.recording.reason == "The step became too small."
        and d.session.recording.count == 200
    )


def test_a_run_that_cannot_be_stored_is_refused(drive):
    d = drive(duration=1e7, sample_step=1e-6)
    d.ready()
    d.session.simulate()
    assert (
        d.session.recording.finished and "Choose a longer sample step" in d.session.recording.reason
    )
    assert d.session.status.phase == "ready"


def test_a_disk_that_fills_up_ends_the_run(drive, monkeypatch):
    d = drive("pace 0.002", duration=50.0)
    d.ready()
    d.session.simulate()
    recording = d.session.recording
    d.until(lambda: recording.count > 20)
    count = recording.count

    def full(rows):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recording, "append", full)
    d.until(lambda: recording.finished)
    assert (
        recording.count == count
        and "No space left on device" in recording.reason
        and "kept up to t = " in recording.reason
    )


def test_runs_wait_for_the_kernels(drive):
    d = drive(command=[*STAND_IN, "--prepare", "0.8"])
    d.session.simulate()
    d.until(lambda: d.session.analysis is not None)
    assert not d.session.client.is_ready  # analyses do not wait
    d.until(lambda: d.session.status.progress >= 0.5)
    assert d.session.status.phase == "preparing" and d.session.status.sentence.startswith(
        "Preparing the solver, first run only, "
    )
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete


def test_contacts_are_prepared_before_the_first_run_that_has_any(drive):
    """Said with its progress in place of the run's, and nothing once it is over."""
    d = drive("contacts 0.6")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.status.phase == "preparing")
    assert (
        d.session.status.progress == 0.25
        and d.session.status.sentence == "Preparing contacts, first run only, 25 %"
    )
    d.until(lambda: d.session.recording.finished)
    assert d.session.recording.complete and d.session.status.phase != "preparing"


@pytest.mark.slow
def test_two_sessions_run_side_by_side(drive):
    one, two = drive("pace 0.001; rows 2"), drive("pace 0.001; rows 2")
    one.ready()
    two.ready()
    one.session.simulate()
    two.session.simulate()
    one.until(
        lambda: (
            two.session.poll()
            or (one.session.recording.finished and two.session.recording.finished)
        )
    )
    assert one.session.recording.complete and two.session.recording.complete
    assert np.array_equal(one.session.recording.rows, two.session.recording.rows)


def test_after_closing_a_tick_does_nothing(drive):
    d = drive("pace 0.01")
    d.ready()
    d.session.simulate()
    d.session.close()
    d.session.poll()
    assert not d.session.client._processes and not d.session.client._rings
    d.document.commit("Edit", heavier(d.document.project, 2.0))
    d.session.poll()
    assert not d.session.client._processes


def test_polling_is_cheap(drive):
    d = drive()
    d.ready()
    d.for_(0.1)
    times = []
    for _ in range(500):
        start = time.perf_counter()
        d.session.poll()
        times.append(time.perf_counter() - start)
    assert sorted(times)[len(times) // 2] < 2e-4


def test_a_first_run_with_contacts_says_that_its_kernels_are_compiled(tmp_path, monkeypatch):
    """Nothing is heard of the solver while it compiles: that is no hang until it has taken longer
    than any machine needs.
    """
    client, document = Belated(), Document(project())
    session = Session(document, client, tmp_path)
    client.is_silent = True
    session.simulate()
    session.poll()
    assert session.status.phase == "silent"
    m = document.project.mechanism
    document.commit(
        "Contacts",
        msgspec.structs.replace(
            document.project,
            mechanism=msgspec.structs.replace(
                m, contacts=msgspec.structs.replace(m.contacts, enabled=True)
            ),
        ),
    )
    session.simulate()
    session.poll()
    assert (session.status.phase, session.status.sentence) == ("running", COMPILING)
    monkeypatch.setattr(session_module, "COMPILES", 0.0)
    session.poll()
    assert session.status.phase == "silent"
    session.close()


def test_the_closed_pose_of_an_open_drawing_is_reported_before_the_rest(drive):
    d = drive("analysis 0.3; closed")
    d.ready()
    reported = []
    d.session.closed.connect(
        lambda project, poses: reported.append((project, len(poses), d.session.analysis))
    )
    d.document.commit("Edit", heavier(d.document.project, 2.0))
    d.until(lambda: len(reported) > 1)
    assert [(project is d.document.project, bodies) for project, bodies, _ in reported] == [
        (True, 3),
        (True, 0),
    ]
    assert reported[0][2] is None and reported[1][2] is d.session.analysis is not None


def test_the_real_worker_sends_the_closed_poses_first(drive):
    d = drive("", command=REAL)
    reported = []
    d.session.closed.connect(lambda project, poses: reported.append((poses, d.session.analysis)))
    d.document.commit(
        "Longer",
        elements.set_quantity(
            d.document.project, "coupler", ("placement", "position", 0), "-30 mm"
        ),
    )
    d.until(lambda: d.session.analysis is not None and d.session.analysis.moved > 0, 120.0)
    assert (
        reported[-2][1] is None and reported[-2][0] == reported[-1][0] == d.session.analysis.poses
    )


# what a run says beside its samples


def test_a_slow_run_says_so_while_it_is_slow(drive):
    d = drive("slow 0.5; pace 0.02", duration=1.0)
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.status.sentence == "The run is slow: it was ordered.")
    assert d.session.status.phase == "running" and d.session.recording.slow
    d.until(lambda: not d.session.status.sentence)
    assert not d.session.recording.finished, "it got on before its end"
    d.until(lambda: d.session.recording.finished)
    assert not d.session.recording.slow


def test_a_slow_run_that_is_cancelled_is_over(drive):
    d = drive("slow 100; pace 0.02")
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.slow)
    d.session.cancel()
    assert not d.session.recording.slow and not d.session.status.sentence


def test_a_run_that_the_disk_does_not_hold_is_refused_in_a_sentence(drive, monkeypatch):
    from mechstudio.application.runs import recording

    d = drive("pace 0.01")
    d.ready()
    monkeypatch.setattr(recording, "IN_MEMORY", 1)
    monkeypatch.setattr(
        recording.Recording,
        "too_large",
        lambda self: "This run would record 3 GB. Choose a longer sample step.",
    )
    d.session.simulate()
    assert (
        d.session.recording.finished
        and d.session.recording.reason == "This run would record 3 GB. Choose a longer sample step."
    )
    assert d.session.recording.finding is not None and not d.session.is_running
