"""Kept runs: names by changes, duplicates, ticks, room; and their files beside the project."""

import json
import shutil

import numpy as np
import pytest

from mechstudio.application.files.run_store import RunStore
from mechstudio.application.notifications import Notifications
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.kept_runs import KeptRuns, changes, legend_word
from mechstudio.application.runs.recording import Recording
from mechstudio.files import runs as run_files
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.contact import NUMBERS_WIDTH, ContactSample
from mechstudio.model.edits import elements
from mechstudio.model.results.events import StopEvent
from mechstudio.model.results.methods import method_parts
from mechstudio.model.results.run_statistics import RunStatistics


@pytest.fixture(scope="module")
def project():
    return load(sample_folder() / "four_bar.mech").project


def longer(project, text="140 mm"):
    return elements.set_quantity(project, "L1", ("value",), text)


def run_of(project, rows, complete=True):
    """A recording whose balance error has these values [J], a second apart."""
    recording = Recording(project)
    full = np.zeros((len(rows), recording.layout.width))
    full[:, 0] = np.arange(len(rows))
    full[:, recording.layout.energy.start + 3] = rows
    recording.append(full)
    recording.finish(complete)
    return recording


def test_runs_are_named_by_what_changed(project):
    kept = KeptRuns()
    assert kept.keep(run_of(project, [1.0])).note == "as drawn"
    assert kept.keep(run_of(longer(project), [1.0])).note == "L1 = 140 mm"
    method = elements.set_attribute(
        longer(project),
        fields.SETTINGS,
        integrator="rk4",
        formulation="absolute",
        drift="baumgarte",
    )
    last = kept.keep(run_of(method, [1.0]))
    assert last.note == "RK4 1 ms, absolute coordinates, Baumgarte"
    assert [run.title for run in kept.runs] == ["Run 1", "Run 2", "Run 3"]
    # a legend names the differences of a run from the present drawing
    assert legend_word(kept.runs[0], method).startswith("L1 = ")
    assert method_parts(project.settings).integrator in legend_word(kept.runs[1], method)
    kept.rename(last, "  Textbook   way ")
    assert last.title == legend_word(last, project) == "Textbook way"


def test_edits_without_a_parameter_name_a_run_by_their_labels(project):
    kept = KeptRuns()
    kept.keep(run_of(project, [1.0]))
    other = elements.set_quantity(project, "A", ("values", 0), "10 deg")
    assert other.mechanism != project.mechanism
    run = kept.keep(run_of(other, [1.0]), ["Angle of A", "Angle of A", "Mass of crank"])
    assert run.note == "Angle of A, Mass of crank"
    assert changes(project, project) == "as before"


def test_a_run_like_a_kept_one_is_not_kept_twice(project):
    kept, heard = KeptRuns(), []
    kept.changed.connect(lambda: heard.append(len(kept.runs)))
    first = kept.keep(run_of(project, [1.0, 2.0]))
    kept.rename(first, "Mine")
    kept.keep(run_of(longer(project), [3.0]))
    again = run_of(project, [1.0, 2.0])
    assert kept.keep(again) is first and first.recording is again and first.name == "Mine"
    assert len(kept.runs) == 2
    assert kept.like(project) is first
    assert heard == [1, 1, 2, 2]


def test_a_run_that_stopped_early_is_no_twin(project):
    kept = KeptRuns()
    kept.keep(run_of(project, [1.0], complete=False))
    assert kept.like(project) is None
    kept.keep(run_of(project, [1.0, 2.0]))
    assert len(kept.runs) == 2


def test_the_drag_of_a_slider_is_one_run(project):
    kept = KeptRuns()
    kept.keep(run_of(project, [1.0]))
    for text in ("131 mm", "135 mm", "140 mm"):
        kept.keep(run_of(longer(project, text), [1.0]), movement="slider L1")
    assert [run.note for run in kept.runs] == ["as drawn", "L1 = 140 mm"]
    kept.keep(run_of(longer(project, "150 mm"), [1.0]), movement="slider L2")
    assert len(kept.runs) == 3


def test_curves_of_ticked_runs_lie_beside_else_those_of_the_run_before(project):
    kept = KeptRuns()
    first = kept.keep(run_of(project, [1.0, 2.0, 3.0]))
    second = kept.keep(run_of(longer(project), [4.0, 5.0]))
    third = kept.keep(run_of(longer(project, "150 mm"), [6.0]))
    assert kept.beside(third.recording) == [] and kept.before(third.recording) is second
    kept.set_ticked(first, True)
    kept.set_ticked(third, True)
    assert kept.beside(third.recording) == [first] and kept.before(third.recording) is None
    kept.add_series(first.recording, {"measured/x": (np.zeros(1), np.ones(1), False)})
    assert first.series["measured/x"][1] == [1.0] and not second.series


def test_the_oldest_run_that_is_not_pinned_goes_first_and_it_is_reported(project):
    size = run_of(project, [0.0] * 10).size
    kept, gone = KeptRuns(budget=3 * size), []
    kept.dropped.connect(lambda run: gone.append(run.number))
    for k in range(3):
        kept.keep(run_of(longer(project, f"{130 + k} mm"), [0.0] * 10))
    kept.set_pinned(kept.runs[0], True)
    kept.set_ticked(kept.runs[1], True)
    kept.keep(run_of(longer(project, "150 mm"), [0.0] * 10))
    assert gone == [3] and [run.number for run in kept.runs] == [1, 2, 4]
    kept.keep(run_of(longer(project, "151 mm"), [0.0] * 10))
    assert gone == [3, 4], "the present one stays, ticked ones go last"


def test_samples_of_earlier_runs_leave_memory(project):
    kept = KeptRuns()
    rows = np.random.default_rng(1).random(20_000)
    first = kept.keep(run_of(project, rows))
    before = first.recording.rows.copy()
    assert first.recording._file is None
    kept.keep(run_of(longer(project), [1.0]))
    assert first.recording._file is not None
    np.testing.assert_array_equal(first.recording.rows, before)


# files


def saved_and_opened(kept, path):
    """The runs of another window that opens the project after these were saved."""
    store = RunStore(kept, Notifications())
    store.saved(str(path))
    while store.is_busy:
        store.poll()
    return opened(path)


def opened(path):
    again, said = KeptRuns(), Notifications()
    store = RunStore(again, said)
    store.opened(str(path))
    while store.is_busy:
        store.poll()
    return again, said.messages


def test_runs_are_there_after_reopening(project, tmp_path):
    kept, path = KeptRuns(), tmp_path / "four_bar.mech"
    first = kept.keep(run_of(project, np.linspace(0.0, 1.0, 100)))
    second = kept.keep(run_of(longer(project), [4.0, 5.0]))
    event = StopEvent(0.5, "A", 0, True, 1.0, 2.0)
    second.recording.events.append(event)
    statistics = RunStatistics(2.0, 2, 9, 1, 0.1, 0.1, 1e-9, 1e-12, 20.0, notes=("a note",))
    second.recording.finish(False, "It stopped.", statistics)
    kept.rename(first, "Short crank")
    kept.set_pinned(first, True)
    kept.set_ticked(second, True)
    again, said = saved_and_opened(kept, path)
    assert said == []
    assert [(r.number, r.name, r.note, r.pinned, r.ticked) for r in again.runs] == [
        (1, "Short crank", "as drawn", True, False),
        (2, "", "L1 = 140 mm", False, True),
    ]
    for old, new in zip(kept.runs, again.runs, strict=True):
        np.testing.assert_array_equal(new.recording.rows, old.recording.rows)
        np.testing.assert_array_equal(new.recording.time, old.recording.time)
        assert new.project == old.project
    recording = again.runs[1].recording
    assert recording.events == [event] and recording.statistics == statistics
    assert (recording.complete, recording.reason) == (False, "It stopped.")
    assert again.keep(run_of(longer(project, "9 mm"), [0.0])).number == 3
    # NumPy alone reads the samples
    assert np.load(tmp_path / "four_bar.runs" / "0001.npy").shape == (100, recording.layout.width)


def test_a_run_that_is_forgotten_leaves_the_folder_at_the_next_save(project, tmp_path):
    kept, path = KeptRuns(), tmp_path / "a.mech"
    for text in ("131 mm", "132 mm"):
        kept.keep(run_of(longer(project, text), [1.0]))
    saved_and_opened(kept, path)
    kept.forget(lambda run: run.number == 1)
    again, _ = saved_and_opened(kept, path)
    assert [run.number for run in again.runs] == [2]
    kept.forget()
    saved_and_opened(kept, path)
    assert not run_files.folder_of(path).exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "0001.npy").unlink(),
        lambda folder: (folder / "0001.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr': '|O'"),
        lambda folder: np.save(folder / "0001.npy", np.zeros((3, 2))),
        lambda folder: saved_as(folder, lambda rows: rows.astype("f4")),
        lambda folder: saved_as(folder, lambda rows: rows.ravel()),
        lambda folder: np.save(folder / "0001.npy", np.array([{}], object), allow_pickle=True),
        lambda folder: (folder / "0001.json").write_text("{"),
        lambda folder: (folder / "0001.json").write_bytes(b"\xff\xfe"),
        lambda folder: rewrite(folder, drawing="no project"),
        lambda folder: rewrite(folder, format=99),
        lambda folder: rewrite(folder, number=7),
    ],
)
def test_a_damaged_run_is_named_and_the_others_are_there(project, tmp_path, damage):
    kept, path = KeptRuns(), tmp_path / "a.mech"
    for text in ("131 mm", "132 mm"):
        kept.keep(run_of(longer(project, text), [1.0, 2.0]))
    saved_and_opened(kept, path)
    damage(run_files.folder_of(path))
    again, said = opened(path)
    assert [run.number for run in again.runs] == [2]
    assert len(said) == 1 and "saved run 1" in said[0].text


def saved_as(folder, change):
    path = folder / "0001.npy"
    np.save(path, change(np.load(path)))


def rewrite(folder, **changed):
    path = folder / "0001.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))


def test_a_folder_that_cannot_be_written_is_reported(project, tmp_path):
    (tmp_path / "a.runs").write_text("in the way")
    kept, said = KeptRuns(), Notifications()
    kept.keep(run_of(project, [1.0]))
    store = RunStore(kept, said)
    store.saved(str(tmp_path / "a.mech"))
    while store.is_busy:
        store.poll()
    assert [m.kind for m in said.messages] == ["warning"]
    assert "could be saved" in said.messages[0].text


def test_a_save_that_waits_is_written_before_the_end(project, tmp_path):
    """Two saves in a row: the second one waits for the first, and the window closes at once."""
    kept, path = KeptRuns(), tmp_path / "a.mech"
    kept.keep(run_of(project, [1.0]))
    store = RunStore(kept, Notifications())
    store.saved(str(path))
    kept.keep(run_of(longer(project), [1.0, 2.0, 3.0]))
    store.saved(str(path))
    store.close()
    assert not store.is_busy
    again, _ = opened(path)
    assert [run.recording.count for run in again.runs] == [1, 3]


def test_a_copy_of_the_project_alone_has_no_runs(project, tmp_path):
    kept, path = KeptRuns(), tmp_path / "a.mech"
    kept.keep(run_of(project, [1.0]))
    saved_and_opened(kept, path)
    shutil.move(tmp_path / "a.runs", tmp_path / "elsewhere")
    again, said = opened(path)
    assert again.runs == () and said == []


def touching_run(count, in_memory=1 << 20):
    """A run of a sample with contacts, each sample with some."""
    project = load(sample_folder() / "bouncing_ball.mech").project
    recording = Recording(project, in_memory=in_memory)
    rows = np.zeros((count, recording.layout.width))
    rows[:, 0] = 0.1 * np.arange(count)
    recording.append(rows)
    samples = [
        ContactSample(
            0.1 * k,
            np.array([[0, -1]] * (k % 3), np.int32).tobytes(),
            np.full((k % 3, NUMBERS_WIDTH), k + 0.5).tobytes(),
            sunk=1e-4 * k,
        )
        for k in range(count)
    ]
    recording.contacts.extend(samples)
    recording.finish(True)
    return recording, samples


@pytest.mark.parametrize("in_memory", [1 << 20, 100])
def test_contacts_are_there_after_reopening(tmp_path, in_memory):
    kept, path = KeptRuns(), tmp_path / "ball.mech"
    recording, samples = touching_run(40, in_memory)
    kept.keep(recording)
    again, said = saved_and_opened(kept, path)
    assert said == []
    (run,) = again.runs
    assert [run.recording.contacts[k] for k in range(40)] == samples
    assert run.remark == run.note
    kept.forget()
    saved_and_opened(kept, path)
    assert not list(tmp_path.glob("ball.runs/*"))


def test_contacts_that_are_lost_are_reported(tmp_path):
    kept, path = KeptRuns(), tmp_path / "ball.mech"
    kept.keep(touching_run(40)[0])
    saved_and_opened(kept, path)
    file = tmp_path / "ball.runs" / "0001.contacts"
    file.write_bytes(file.read_bytes()[:-7])
    again, said = opened(path)
    assert "contacts of the saved run 1" in said[0].text
    (run,) = again.runs
    # the motion is there, and its row says what is not
    assert run.recording.count == 40 and not len(run.recording.contacts)
    assert run.remark.endswith("saved without contacts")
    # a run of an older program has none
    rewrite(tmp_path / "ball.runs", contacts=0)
    again, said = opened(path)
    assert said == [] and again.runs[0].remark.endswith("saved without contacts")
