"""Studies that run beside the window: the bits of the terminal, cancel, a process that is killed,
a drawing that changes, and what is there after a reopening.
"""

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.notifications import Notifications
from mechstudio.application.studies.runs import StudyRuns
from mechstudio.folders import sample_folder
from mechstudio.model.edits import elements
from mechstudio.model.studies import edits
from mechstudio.studies import table_file
from tests.patience import within
from tests.studies.test_stored import with_study

LONG = {"vary": ("L2=310..350 mm:60", "L3=250..270 mm:20"), "duration": "1 s"}


@pytest.fixture
def made(tmp_path):
    """make(project, path) gives studies of a document; all of them end with the test."""
    there = []

    def make(project, path=None):
        document = Document(project, path)
        runs = StudyRuns(document, Notifications(), tmp_path / "log", cache=tmp_path / "cache")
        there.append(runs)
        return document, runs

    yield make
    for runs in there:
        runs.close()


def wait(runs, true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, [r.sentence for r in runs._runs.values()]
        runs.poll()
        time.sleep(0.005)


def test_rows_are_those_of_the_typed_study_and_stand_beside_the_project(made, tmp_path):
    project = with_study(vary=("L2=310|330|1000 mm", "L3=250|270 mm"), duration="0.3 s")
    file = tmp_path / "a.mech"
    _, runs = made(project, str(file))
    runs.start("study1")
    run = runs.of("study1")
    assert run.state == "starting"
    wait(runs, lambda: run.state == "done")
    typed = ms.study(project, name="Smaller motor", workers=1)
    assert run.table.measured.tobytes() == typed.measured.tobytes()
    assert run.table.varied.tobytes() == typed.varied.tobytes()
    assert run.table.reasons == typed.reasons and run.failed == 2 and run.table.title == typed.title
    # another window finds it, as long as the drawing is the same
    _, again = made(project, str(file))
    assert again.of("study1").state == "done" and not again.is_outdated("study1")
    assert again.of("study1").table.measured.tobytes() == typed.measured.tobytes()
    changed = elements.set_quantity(project, "L1", ("value",), "131 mm")
    _, later = made(changed, str(file))
    assert later.is_outdated("study1") and later.of("study1").done == 6
    # what is varied itself may change: that is what a study is applied by
    applied = elements.set_quantity(project, "L2", ("value",), "310 mm")
    assert not made(applied, str(file))[1].is_outdated("study1")


@pytest.mark.slow
def test_study_pauses_within_a_second_and_continues_in_another_window(made, tmp_path):
    project = with_study(**LONG)
    file = tmp_path / "a.mech"
    _, runs = made(project, str(file))
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: run.done > 20)
    assert run.rate > 0 and run.left > 0
    pids = family(runs.channel.process.pid)
    assert len(pids) > 2  # with those that compute
    begun = time.monotonic()
    runs.pause()
    assert run.state == "paused" and run.done < 1200
    limit = within(1.0)
    wait(runs, lambda: not living(pids), limit)
    assert time.monotonic() - begun < limit
    done = run.done
    _, again = made(project, str(file))
    assert again.of("study1").state == "paused"
    again.start("study1")
    wait(again, lambda: again.of("study1").done)
    assert again.of("study1").done >= done  # at once, before anything is computed again
    again.pause()


def family(pid: int) -> set[int]:
    """A process with all that it has started, directly or through others."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            # behind the name, which is in brackets: state and parent
            parents[int(name)] = int(
                Path("/proc", name, "stat").read_text().rsplit(")")[-1].split()[1]
            )
        except OSError:
            continue
    found, more = set(), {pid}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in more}
    return found


def living(pids: set[int]) -> set[int]:
    """Those of the processes that still run, without zombies."""
    found = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.add(pid)
    return found


def test_a_killed_process_is_reported_and_nothing_is_lost(made, tmp_path):
    project = with_study(**LONG)
    _, runs = made(project)  # without a file
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: run.done > 20)
    pids = family(runs.channel.process.pid)
    assert len(pids) > 2
    os.kill(runs.channel.process.pid, signal.SIGKILL)
    wait(runs, lambda: run.state == "failed")
    assert "stopped unexpectedly (killed)" in run.sentence and runs.working is None
    wait(runs, lambda: not living(pids), 2.0)  # those that it had started end with it
    done = run.done
    runs.start("study1")
    wait(runs, lambda: run.state == "running" and run.done > done)
    runs.cancel()
    assert run.state == "idle" and run.done > done
    assert not list((tmp_path / "cache").glob("*.unfinished"))


def test_a_drawing_that_changes_stops_its_study(made):
    project = with_study(**LONG)
    document, runs = made(project)
    runs.start("study1")
    run = runs.of("study1")
    document.commit("a note", edits.changed(project, "study1", note="x"))
    assert runs.working is run
    document.commit("longer", elements.set_quantity(project, "L1", ("value",), "131 mm"))
    assert runs.working is None and "was changed" in run.sentence
    runs.start("study1")
    document.commit("gone", edits.without(document.project, "study1"))
    assert runs.working is None


def test_a_study_that_makes_no_sense_says_so(made):
    _, runs = made(with_study(vary=("L2=330 mm:3",)))
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: not run.is_working)
    assert run.state == "failed" and "L2" in run.sentence


def test_tables_are_written_beside_a_project_that_is_saved(made, tmp_path):
    project = with_study(vary=("L2=310|330 mm",), duration="0.1 s")
    document, runs = made(project)
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: run.state == "done")
    file = tmp_path / "b" / "later.mech"
    file.parent.mkdir()
    document.mark_saved(str(file))
    runs.saved(str(file))
    wait(runs, lambda: table_file.path_of(file, "study1").exists())
    table, digest = table_file.read(table_file.path_of(file, "study1"), project, project.studies[0])
    assert np.array_equal(table.measured, run.table.measured) and digest == run.digest


def test_courses_of_single_runs_are_those_of_a_simulation(made):
    project = with_study(vary=("L2=310|330|1000 mm",), duration="0.2 s")
    _, runs = made(project)
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: run.state == "done")
    runs.courses.want(run.digest, project.studies[0], run.table, [0, 2])
    (key,) = {m.quantity for m in run.table.measures}
    wait(runs, lambda: runs.courses.of(run.digest, 0))
    course = runs.courses.of(run.digest, 0)[key]
    other = elements.set_quantity(project, "L2", ("value",), "310 mm")
    (same,) = ms.simulate(other, duration=0.2).courses("D angle")
    assert course.values.tobytes() == same.values.tobytes()
    assert not runs.courses.of(run.digest, 2)  # a run that fails has none


@pytest.mark.slow
def test_nothing_is_written_beside_a_sample_and_the_window_says_where_it_went(made, tmp_path):
    project = with_study(vary=("L2=320|330 mm",), duration="0.1 s")
    sample = sample_folder() / "four_bar.mech"
    _, runs = made(project, str(sample))
    before = sorted(sample.parent.iterdir())
    runs.start("study1")
    run = runs.of("study1")
    wait(runs, lambda: run.state == "done")
    assert run.written.parent == tmp_path / "cache" and run.written.exists()
    (message,) = runs._notifications.messages
    assert f"{run.written}" in message.text and "four_bar.mech" in message.text
    runs.saved(str(sample))
    runs._join()
    assert sorted(sample.parent.iterdir()) == before
    # under a name of its own the project has the table beside it
    file = tmp_path / "mine.mech"
    runs.saved(str(file))
    runs._join()
    assert table_file.read(table_file.path_of(file, "study1"), project, project.studies[0])


@pytest.mark.slow
def test_single_runs_are_closed_the_last_requested_one_first(made):
    project = with_study(vary=("L2=310..350 mm:5",), duration="0.1 s")
    document, runs = made(project)
    poses = runs.poses
    rows = [(("L2", length),) for length in (0.31, 0.32, 0.33, 0.35, 9.0)]
    for row in rows[:4]:
        poses.want([row])
    wait(runs, lambda: poses.of(rows[3]) is not None)
    # those between the one under way and the last are passed over
    assert [poses.of(row) is None for row in rows[:4]] == [False, True, True, False]
    closed = poses.of(rows[3]).project
    drawn = elements.set_quantity(project, "L2", ("value",), "350 mm")
    assert closed.mechanism.joints == drawn.mechanism.joints
    requested = ms.assemble(drawn).mechanism.bodies
    for id, body in closed.mechanism.bodies.items():
        (p, q), (p2, q2) = body.placement.pose, requested[id].placement.pose
        assert p == pytest.approx(p2, abs=1e-12) and q == pytest.approx(q2, abs=1e-12)
    poses.want([rows[4]])
    wait(runs, lambda: poses.of(rows[4]) is not None)
    found = poses.of(rows[4])
    assert found.project is None and found.sentence
    document.commit("elsewhere", drawn)
    assert poses.of(rows[3]) is None
    # a process that is killed says so, and another one answers the next question
    poses.want([rows[0]])
    os.kill(poses.channel.process.pid, signal.SIGKILL)
    wait(runs, lambda: poses.of(rows[0]) is not None)
    assert "stopped unexpectedly" in poses.of(rows[0]).sentence
    poses.want([rows[1]])
    wait(runs, lambda: poses.of(rows[1]) is not None and poses.of(rows[1]).project is not None)
