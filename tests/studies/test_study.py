"""Studies from beginning to end: closed forms, failures, processes that are killed, a cluster, and
what is left of a study that was stopped.
"""

import concurrent.futures
import errno
import io
import json
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import mechstudio as ms
import mechstudio.studies.table as table_module
from mechstudio.cli.main import main
from mechstudio.folders import sample_folder
from mechstudio.studies import scheduling
from mechstudio.studies.points import Point, Points, Stopped
from mechstudio.studies.scheduling import NO_PROCESS, Done, NoProcess, Slots, computed
from mechstudio.studies.study import Study
from mechstudio.studies.table import SHORT, UNFINISHED, Journal, TableBusy, replaced
from tests.patience import within

FOUR_BAR = ms.load(sample_folder() / "four_bar.mech")
SLIDER = ms.load(sample_folder() / "slider_crank.mech")
TURN = 2 * math.pi / 8.0  # [s] of the slider-crank


def four_bar_study(vary=("L2=310..350 mm:9", "omega=normal(6, 0.5) rad/s"), samples=4, **more):
    return Study(FOUR_BAR, vary, ["range D angle", "final A angle"], samples, **more)


def test_the_stroke_of_toleranced_slider_cranks_is_twice_the_crank():
    """Monte Carlo against the closed form of every row and of the distribution."""
    table = ms.study(
        SLIDER,
        {"L1": "100 mm IT13", "L2": "300 mm IT13"},
        "range D slide",
        samples=64,
        method="random",
        duration=1.05 * TURN,
        sample_step=TURN / 2000,
        workers=1,
    )
    stroke = table.measured[:, 0]
    assert not table.reasons and stroke == pytest.approx(2 * table.varied[:, 0], abs=2e-8)
    # IT13 of 100 mm is 540 µm; the deviation of a cut normal distribution is 0.9866 of a sixth
    assert stroke.std() == pytest.approx(2 * 0.9866 * 540e-6 / 6, rel=0.2)
    assert np.ptp(table.varied[:, 0]) <= 540e-6


def test_the_swing_of_crank_rockers_is_that_of_their_triangles():
    """Crank and coupler in line, stretched and folded: the law of cosines at the rocker's pin."""
    table = ms.study(
        FOUR_BAR,
        ["L2=310..350 mm:5", "L3=250|270 mm"],
        "range D angle",
        duration=1.2,
        sample_step=0.001,
        workers=1,
    )
    a, d = 0.13, 0.34
    b, c = table.varied.T
    angle = lambda reach: np.arccos((c**2 + d**2 - reach**2) / (2 * c * d))
    assert table.measured[:, 0] == pytest.approx(angle(b + a) - angle(b - a), abs=5e-9)


def test_a_point_is_what_a_run_of_that_project_gives():
    made = four_bar_study(duration="0.5 s")
    points = Points(FOUR_BAR, made.names, made.measures, made.options)
    row = made.varied[5]
    project = points.project(row)
    assert project.parameters["L2"].value.value == row[0]
    result = ms.simulate(project, duration=0.5)
    angle = result.courses("A angle")[0].values
    assert points.point(row).values[1] == angle[-1]


def test_a_run_that_fails_is_a_row_with_its_reason():
    # the links reach from 130 + 330 to the ground's 340 and 260 no longer when L2 is 1 m
    table = ms.study(FOUR_BAR, ["L2=330|1000|320 mm"], "range D angle", duration=0.2, workers=1)
    assert list(table.reasons) == [1] and len(table.reasons[1]) > 20
    assert np.isfinite(table.measured[:, 0]).tolist() == [True, False, True]
    columns = {c.name: c.values for c in table.columns()}
    assert columns["failed because"][1] == table.reasons[1]
    assert table.done == 3 and table.best() in (0, 2)


def test_the_best_row_is_among_those_that_keep_every_limit():
    measures = ["final A angle", "final B angle >= 2 rad", "final C angle <= 5 rad"]
    table = Study(FOUR_BAR, ["L2=310..350 mm:5"], measures, duration=0.1).table()
    nan = math.nan
    table.measured[:] = [[4, 3, 4], [1, 1, 4], [2, 3, 6], [3, 2, 5], [nan, nan, nan]]
    assert table.feasible().tolist() == [True, False, False, True, False]
    assert table.best() == 3 and table.best(greatest=True) == 0 and table.best(1) == 3
    table.measured[:, 2] = 9
    assert table.best() is None


def test_an_inexact_run_says_so():
    project = ms.load(sample_folder() / "double_pendulum.mech")
    how = {"duration": 1.0, "workers": 1, "integrator": "semi_implicit_euler"}
    table = ms.study(project, ["L1=L1"], "max Kinetic energy", step=0.01, **how)
    assert "energy is off by" in table.notes[0] and not table.reasons
    assert not ms.study(project, ["L1=L1"], "max Kinetic energy", duration=1.0, workers=1).notes


def test_undetermined_forces_are_noted_in_a_study():
    """Two hinges on one line share the pull along it in a way that no rigid body tells."""
    door = ms.load(sample_folder() / "door_two_hinges.mech")
    name = "Force in lower hinge: z, world axes"
    table = ms.study(door, {"omega": "1|2 rad/s"}, [f"max {name}"], duration=0.05, workers=1)
    assert sorted(table.notes) == [0, 1]
    assert f"{name} is not determined by rigid bodies" in table.notes[0]
    sure = ms.study(door, {"omega": "1 rad/s"}, "max Kinetic energy", duration=0.05, workers=1)
    assert "determined" not in sure.notes.get(0, "")


@pytest.mark.slow
def test_a_force_at_the_end_of_a_run_that_a_condition_ends_is_that_of_the_end():
    """Forces are found at every sample step; the end lies between two."""
    name = "Force in B: x, world axes"
    requested = dict(duration=0.9, until=["A angle > 300 deg"], workers=1)
    coarse, fine = (
        ms.study(FOUR_BAR, {"L2": "330 mm"}, [f"final {name}"], sample_step=step, **requested)
        for step in (0.005, 0.00125)
    )
    # on a straight line between samples, not at the sample before
    assert coarse.measured == pytest.approx(fine.measured, rel=0.02)
    # rigid bodies determine it in the plane of the linkage
    assert not coarse.notes


def test_a_file_that_is_no_table_is_refused_before_anything_is_computed(tmp_path):
    begun = []
    with pytest.raises(ValueError, match=r"no table with the ending \.docx"):
        ms.study(
            FOUR_BAR,
            "L2=330 mm",
            "max A angle",
            duration=0.1,
            workers=1,
            out=tmp_path / "table.docx",
            progress=begun.append,
        )
    assert not begun and not list(tmp_path.iterdir())


@pytest.mark.slow
def test_all_schedulers_give_the_same_bits(cluster_address):
    made = four_bar_study(duration="0.3 s")
    alone = made.run(workers=1)
    assert not alone.reasons and len(alone) == 36
    for table in (made.run(workers=2), made.run(address=cluster_address)):
        assert (table.measured == alone.measured).all()
        assert (table.varied == alone.varied).all()
    assert len(alone.system_names) == 1 and alone.system_names[0]


@pytest.fixture(scope="module")
def cluster_address():
    """A cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_a_worker_that_is_killed_loses_nothing():
    made = four_bar_study(("L2=310..350 mm:40",), 1, duration="1 s")
    killed, before = [], set(multiprocessing.active_children())

    def kill(progress) -> None:
        if progress.done > 3 and not killed:
            victim = next(p for p in multiprocessing.active_children() if p not in before)
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    table = made.run(workers=2, progress=kill)
    assert killed and not table.reasons and table.done == 40
    assert (table.measured == made.run(workers=1).measured).all()


def test_a_study_of_a_moment_begins_no_process():
    """Its rows are those of one worker; two processes would take seconds of computing to begin."""
    made = four_bar_study(("L2=310..350 mm:5",), 1, duration="0.1 s")
    before, begun = set(multiprocessing.active_children()), []
    note = lambda progress: begun.extend(set(multiprocessing.active_children()) - before)
    table = made.run(progress=note)
    assert begun == [] and table.done == 5
    assert (table.measured == made.run(workers=1).measured).all()


@pytest.mark.parametrize(
    ("seconds", "points", "own"),
    [
        # [s] of each point, points, those that the study's process computes before it begins others
        (0.01, 100, 100),
        (0.01, 100_000, 3),
        # the first one also loads what all need
        ([0.9] + [0.01] * 39, 40, 40),
        (5.0, 3, 1),
        (0.6, 4, 2),
    ],
)
def test_processes_begin_where_the_rest_takes_longer_than_their_start(
    seconds, points, own, monkeypatch
):
    times = np.broadcast_to(seconds, points)
    here, others = [], []

    def computed_here(task, batch):
        here.extend(batch.places)
        return Done(batch.places, [None] * len(batch.places), times[batch.places].sum(), "")

    class Other(concurrent.futures.Executor):
        def submit(self, fn, task, batch):
            others.extend(batch.places)
            done = concurrent.futures.Future()
            done.set_result(Done(batch.places, [None] * len(batch.places), 0.2, ""))
            return done

    monkeypatch.setattr(scheduling, "compute", computed_here)
    slots = Slots(Other, 2, None, tries_here=True)
    task, places = four_bar_study().task(), np.arange(points)
    done = [*computed(task, np.zeros((points, 1)), places, slots)]
    assert len(here) == own and [*here, *others] == [*places] == sorted(
        place for batch in done for place in batch.places
    )


@pytest.mark.slow
def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(cluster_address):
    from distributed import Client

    made = four_bar_study(("L2=310..350 mm:40",), 1, duration="1 s")
    killed = []
    with Client(cluster_address, set_as_default=False) as client:

        def kill(progress) -> None:
            if progress.done > 3 and not killed:
                pids = client.run(os.getpid)
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        table = made.run(address=cluster_address, progress=kill)
    assert killed and not table.reasons and table.done == 40
    assert (table.measured == made.run(workers=1).measured).all()


def test_a_stopped_study_goes_on_where_it_was(tmp_path):
    target = tmp_path / "table.csv"
    made = four_bar_study(duration="0.3 s")
    done = []

    def stop_after(rows: int):
        return dict(
            progress=lambda p: done.append(p.done),
            is_cancelled=lambda: bool(done) and done[-1] >= rows,
        )

    with pytest.raises(Stopped):
        made.run(workers=1, beside=target, **stop_after(10))
    journal = target.with_name(target.name + UNFINISHED)
    kept = len(journal.read_text().splitlines()) - 1
    assert kept >= 10 and not target.exists()
    # the last line was cut by a loss of power
    with journal.open("a") as file:
        file.write("[35, [1.0, 2")
    counts = []
    table = made.run(workers=1, beside=target, progress=lambda p: counts.append(p.done))
    assert counts[0] > kept and table.done == 36
    assert (table.measured == made.run(workers=1).measured).all()
    assert target.exists() and not journal.exists()


def test_another_study_does_not_go_on_with_the_rows_of_this_one(tmp_path):
    target = tmp_path / "table.csv"
    journal = target.with_name(target.name + UNFINISHED)
    other = four_bar_study(duration="0.2 s")
    journal.write_text(json.dumps({"study": other.digest()}) + '\n[0, [9, 9], "", "", "x"]\n')
    made = four_bar_study(duration="0.3 s")
    assert made.digest() != other.digest()
    table = made.run(workers=1, beside=target)
    assert table.measured[0, 0] != 9 and table.system_names == made.run(workers=1).system_names


def test_rows_of_another_study_in_the_same_file_are_not_taken(tmp_path):
    """Two studies that wrote into one file at once, where the file system has no locks."""
    target = tmp_path / "table.csv"
    one, two = four_bar_study(duration="0.2 s"), four_bar_study(duration="0.3 s")
    lines = [json.dumps({"study": two.digest()})]
    for k, study in enumerate((one, two)):
        for place in range(3):
            row = [study.digest()[:SHORT], 3 * k + place, [1.0, 2.0], "", "", "x"]
            lines.append(json.dumps(row))
    target.with_name(target.name + UNFINISHED).write_text("\n".join(lines))
    again = two.table()
    Journal(again, target, two.digest()).close()
    assert np.flatnonzero(again.systems >= 0).tolist() == [3, 4, 5]


@pytest.mark.slow
def test_a_second_study_into_the_same_file_is_refused(tmp_path, capsys):
    """Of the same study or of another, in this process or another, until the first has ended."""
    target = tmp_path / "table.csv"
    first, other = four_bar_study(duration="0.2 s"), four_bar_study(duration="0.3 s")
    refused = []

    def again(progress) -> None:
        if progress.done > 3 and not refused:
            for study in (first, other):
                with pytest.raises(TableBusy, match=r"Another study is writing .*table\.csv: wait"):
                    study.run(workers=1, beside=target)
            requested = [
                "study",
                str(sample_folder() / "four_bar.mech"),
                "--vary",
                "L2=310..350 mm:3",
            ]
            requested += ["--measure", "max A angle", "--duration", "0.1 s", "--out", str(target)]
            refused.append(subprocess.run([sys.executable, "-m", "mechstudio", *requested],
                                          capture_output=True, text=True, check=False))  # fmt: skip

    table = first.run(workers=1, beside=target, progress=again)
    (said,) = refused
    assert said.returncode == 2 and "Another study is writing" in said.stderr
    assert "Traceback" not in said.stderr
    assert (table.measured == first.run(workers=1).measured).all() and target.exists()
    assert other.run(workers=1, beside=target).done == 36


class FullDisk(io.FileIO):
    """A file on a disk that has room for some more bytes."""

    room = 0

    def write(self, data) -> int:
        part = bytes(data)[: max(0, FullDisk.room)]
        FullDisk.room -= len(part)
        if not part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(part)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_disk_that_is_full_ends_a_study_and_loses_no_row(tmp_path, monkeypatch, workers):
    target = tmp_path / "table.csv"
    target.write_text("the table of yesterday")
    made = four_bar_study(duration="0.3 s")
    FullDisk.room = 1500  # in the middle of a row
    before = set(multiprocessing.active_children())
    with monkeypatch.context() as full:
        full.setattr(
            table_module, "open", lambda path, *_, **__: FullDisk(path, "a"), raising=False
        )
        with pytest.raises(OSError, match="No space left"):
            made.run(workers=workers, beside=target)
    assert set(multiprocessing.active_children()) <= before
    assert target.read_text() == "the table of yesterday"
    journal = target.with_name(target.name + UNFINISHED)
    lines = journal.read_text().splitlines()
    assert journal.stat().st_size == 1500 and len(lines) > 5
    begun = []
    table = made.run(workers=1, beside=target, begun=lambda t: begun.append(t.done))
    assert begun == [len(lines) - 2]  # without the head and the row that was cut
    assert (table.measured == made.run(workers=1).measured).all() and not journal.exists()


def test_rows_after_a_cut_one_are_kept(tmp_path):
    """A study that goes on after a full disk and is stopped again."""
    target = tmp_path / "table.csv"
    made = four_bar_study(duration="0.3 s")
    whole = json.dumps([made.digest()[:SHORT], 3, [1.0, 2.0], "", "", "x"])
    cut = json.dumps({"study": made.digest()}) + f"\n{whole}\n" + whole[:9]
    target.with_name(target.name + UNFINISHED).write_text(cut)
    journal = Journal(made.table(), target, made.digest())
    journal.write(Done(np.array([7]), [Point((1.0, 2.0))], 0.0, "x"))
    journal.close()
    again = made.table()
    Journal(again, target, made.digest()).close()
    assert np.flatnonzero(again.systems >= 0).tolist() == [3, 7]


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(OSError, match="full"), replaced(path) as file:
        file.write(b"half")
        raise OSError("full")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_the_terminal_reports_a_full_disk(tmp_path, monkeypatch, capsys):
    target = tmp_path / "t.csv"
    requested = ["study", str(sample_folder() / "four_bar.mech"), "--vary", "L2=310..350 mm:30"]
    requested += ["--measure", "max A angle", "--duration", "0.1 s", "--workers", "1"]
    FullDisk.room = 900
    monkeypatch.setattr(
        table_module, "open", lambda path, *_, **__: FullDisk(path, "a"), raising=False
    )
    assert main([*requested, "--out", str(target)]) == 2
    said = capsys.readouterr().err
    assert said.endswith("t.csv cannot be written (No space left on device).\n")
    assert said.count("\n") == 1 and not target.exists()


@pytest.mark.slow
def test_a_script_without_its_main_line_gets_one_sentence(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import mechstudio as ms\n"
        "print('begun')\n"
        f"project = ms.load({str(sample_folder() / 'four_bar.mech')!r})\n"
        "ms.study(project, {'L2': '310..350 mm:9'}, 'max A angle', duration='0.1 s', workers=2)\n"
    )
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert said.returncode == 1 and said.stderr.count("Traceback") == 1
    assert said.stderr.strip().splitlines()[-1].endswith(NO_PROCESS)
    assert "freeze_support" not in said.stderr
    assert said.stdout.count("begun") <= 5  # this process and those of two slots, not three times


@pytest.mark.slow
def test_a_study_is_cancelled_within_a_second_in_the_middle_of_long_runs():
    made = four_bar_study(("L2=310..350 mm:4",), 1, duration="20000 s")
    begun = []

    def is_cancelled() -> bool:
        # three seconds for the processes to begin
        begun.append(time.monotonic())
        return begun[-1] - begun[0] > 3.0

    before = set(multiprocessing.active_children())
    with pytest.raises(Stopped):
        made.run(workers=2, is_cancelled=is_cancelled)
    assert time.monotonic() - begun[-1] < within(1.0)
    assert set(multiprocessing.active_children()) <= before


def test_processes_that_cannot_begin_are_reported(monkeypatch):
    made = four_bar_study(("L2=310..350 mm:4",), 1, duration="0.1 s")
    monkeypatch.setattr("mechstudio.studies.scheduling._begin", os._exit)
    with pytest.raises(NoProcess, match="No process could begin"):
        made.run(workers=2)
    assert "__main__" in NO_PROCESS


@pytest.mark.slow
def test_a_table_is_written_with_names_units_and_the_seed(tmp_path):
    made = four_bar_study(duration="0.1 s", seed=7)
    for ending in (".csv", ".npz", ".tsv"):
        made.run(workers=1, beside=tmp_path / f"t{ending}")
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == "# mechstudio study, 36 runs" and "seed 7" in lines[3]
    head = next(line for line in lines if not line.startswith("#"))
    assert head == "L2 [mm],omega [deg/s],range D angle [deg],final A angle [deg],system"
    assert len(lines) == lines.index(head) + 1 + 36
    with np.load(tmp_path / "t.npz", allow_pickle=False) as arrays:
        assert arrays["L2"] == pytest.approx(made.varied[:, 0] * 1e3, rel=1e-15)
        assert arrays["system"][0] == made.run(workers=1).system_names[0]


def test_a_table_is_written_as_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    made = Study(FOUR_BAR, ["L2=330|1000 mm"], ["final A angle"], duration=0.1)
    table = made.run(workers=1, beside=tmp_path / "t.parquet")
    found = parquet.read_table(tmp_path / "t.parquet").to_pydict()
    assert found["L2 [mm]"] == [330.0, 1000.0]
    assert found["failed because"] == ["", table.reasons[1]]
    assert found["final A angle [deg]"][1] is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (dict(method="sensitivity", samples=6), "a power of two"),
        (dict(method="sensitivity", samples=1 << 22), "12,582,912 runs"),
        (dict(method="sensitivity", samples=4, one_at_a_time=True), "not one at a time"),
        (dict(method="sensitivity", vary=("L2=1..2 mm:3",), samples=1), "drawn parameters"),
        (dict(duration="never"), "The duration"),
    ],
)
def test_a_study_that_makes_no_sense_is_reported(more, words):
    with pytest.raises(ValueError, match=words):
        four_bar_study(**{"vary": ("L2=310..350 mm",), **more})


@pytest.mark.parametrize(
    ("duration", "step"), [(1.02, 0.1), (1.003, None), (0.01, None), (0.3, 5.0), (0.3, 0.1)]
)
def test_the_end_of_a_run_is_measured_wherever_its_samples_are(duration, step):
    """A slide at a speed v goes v T in the duration T, on average v T / 2."""
    made = ms.Builder(gravity=(0, 0, 0))
    made.parameter("v", "1 m/s", "velocity")
    body = made.body("b", (0, 0, 0), mass=1, inertia=(0.1, 0.1, 0.1))
    made.slider("J", made.ground, body, at=(0, 0, 0), axis=(1, 0, 0), rate="v")
    measures = ["final J slide", "max J slide", "mean J slide", f"at {duration} s: J slide"]
    found = ms.study(
        made.project(),
        {"v": "1|2 m/s"},
        measures,
        duration=duration,
        sample_step=step,
        workers=1,
    )
    expected = np.outer([1.0, 2.0], duration * np.array([1.0, 1.0, 0.5, 1.0]))
    np.testing.assert_allclose(found.measured, expected, rtol=1e-9)
    assert found.remarks == ()
