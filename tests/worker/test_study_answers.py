"""Answers of the process for studies, in this one: what it sends is what a study, a search and a
fit give when they are called themselves.
"""

import io
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.manifold.diagnosis import close_drawing
from mechstudio.folders import sample_folder
from mechstudio.model.edits import elements
from mechstudio.model.quantity import Quantity
from mechstudio.model.studies.setup import (
    MeasuredColumn,
    MeasuredQuantity,
    StudySetup,
    VariedParameter,
)
from mechstudio.protocol.derivation_messages import Working
from mechstudio.protocol.study_messages import (
    CloseRow,
    FindCourses,
    FitEnded,
    FitProgressed,
    RowClosed,
    RunStudy,
    SearchRows,
    StudyBegan,
    StudyCourse,
    StudyEnded,
    StudyRows,
)
from mechstudio.protocol.synthesis_messages import (
    FUNCTION,
    MOTION,
    LinkageFound,
    Synthesise,
    SynthesisEnded,
    SynthesisTask,
)
from mechstudio.studies import table_file
from mechstudio.studies.optimisation.fit import Fit
from mechstudio.studies.optimisation.optimisation import Optimisation
from mechstudio.studies.study import Study
from mechstudio.synthesis import function, motion, path
from mechstudio.synthesis.linkages import Linkage
from mechstudio.synthesis.refinement import Candidate, Task
from mechstudio.worker import search, study_process, synthesis
from mechstudio.worker.study_process import HANDLERS, Runner
from tests.studies.optimisation.test_fit import pendulum

replace = msgspec.structs.replace
FOUR_BAR = ms.load(sample_folder() / "four_bar.mech")
ANGLE = MeasuredQuantity("max", "joint/D/0")
SETUP = StudySetup(
    "s",
    "S",
    (VariedParameter("L2", "310..350 mm:5"),),
    (ANGLE, replace(ANGLE, statistic="min")),
    duration="200 ms",
    sample_step="20 ms",
)
NEVER, ALWAYS = float("inf"), -1.0  # times between batches


def with_length(text):
    """The four-bar with another coupler, closed."""
    value = Quantity(float(text.split()[0]) / 1e3)
    parameter = replace(FOUR_BAR.parameters["L2"], value=value)
    parameters = {**FOUR_BAR.parameters, "L2": parameter}
    return ms.assemble(elements.reevaluate(replace(FOUR_BAR, parameters=parameters)))


def numbers(data, width=1):
    return np.frombuffer(data, "<f8").reshape(-1, width)


@pytest.fixture
def requested(monkeypatch):
    """requested(request, pause): reports of the process, batches at once or all at the end."""

    def ask(request, pause=NEVER):
        for module, name in (
            (study_process, "TELL"),
            (search, "REPORT_EVERY"),
            (synthesis, "REPORT_EVERY"),
        ):
            monkeypatch.setattr(module, name, pause)
        runner = Runner(io.BytesIO(), io.BytesIO())
        runner._window.send = (sent := []).append
        HANDLERS[type(request)](runner, request)
        assert all(report.id == request.id for report in sent), sent
        return sent

    return ask


def study(folder, setup=SETUP, **more):
    return RunStudy(7, FOUR_BAR, setup, str(folder / "new" / "table.npz"), "d", workers=1, **more)


@pytest.mark.parametrize("pause", [NEVER, ALWAYS])
def test_rows_of_a_study_are_those_of_its_table(requested, tmp_path, pause):
    began, *rows, ended = requested(study(tmp_path), pause)
    known = Study.stored(FOUR_BAR, SETUP).run(1)
    assert isinstance(began, StudyBegan) and (began.runs, began.title) == (5, known.title)
    assert np.array_equal(numbers(began.varied), known.varied)
    places = np.concatenate([np.frombuffer(r.places, "<i8") for r in rows])
    measured = np.concatenate([numbers(r.measured, 2) for r in rows])
    assert sorted(places) == list(range(5)) and np.array_equal(measured, known.measured[places])
    assert all(isinstance(r, StudyRows) and r.system == known.system_names[0] for r in rows)
    assert len(rows) == 1 if pause == NEVER else len(rows) > 1
    assert rows[-1].rate > 0.0
    assert ended == StudyEnded(7, "", b"", known.remarks)
    path = tmp_path / "new" / "table.npz"
    table, digest = table_file.read(path, FOUR_BAR, SETUP)
    assert digest == "d" and np.array_equal(table.measured, known.measured)
    # rows that are there are sent at once
    again = requested(study(tmp_path))
    assert [type(r) for r in again] == [StudyBegan, StudyRows, StudyEnded]
    assert numbers(again[1].measured, 2).tolist() == known.measured.tolist()
    assert (again[1].rate, again[1].left) == (0.0, -1.0)


def test_rows_that_fail_say_why_in_their_places(requested, tmp_path):
    setup = replace(SETUP, vary=(VariedParameter("L2", "330|2000|320 mm"),))
    known = Study.stored(FOUR_BAR, setup).run(1)
    assert known.reasons.keys() == {1}
    for _ in range(2):  # computed, then out of the file
        _, *rows, _ended = requested(study(tmp_path, setup))
        assert {k: v for r in rows for k, v in r.reasons.items()} == known.reasons
        assert {k: v for r in rows for k, v in r.notes.items()} == known.notes


def test_indices_of_a_sensitivity_come_with_its_end(requested, tmp_path):
    setup = replace(SETUP, method="sensitivity", samples=2, duration="20 ms")
    both = (VariedParameter("L2", "310..350 mm"), VariedParameter("L3", "250..270 mm"))
    setup = replace(setup, vary=both)
    found = Study.stored(FOUR_BAR, setup).run(1)
    *_, ended = requested(study(tmp_path, setup))
    indices = np.frombuffer(ended.indices).reshape(2, 2, 2)
    assert np.array_equal(indices, np.stack(found.indices), equal_nan=True)


def test_a_study_that_cannot_be_says_why(requested, tmp_path):
    wrong = replace(SETUP, vary=(VariedParameter("none", "1..2 mm:3"),))
    (ended,) = requested(study(tmp_path, wrong))
    assert isinstance(ended, StudyEnded) and "none" in ended.sentence
    (tmp_path / "new").write_text("no folder")
    *_, ended = requested(study(tmp_path))
    place = tmp_path / "new" / "table.npz"
    assert ended.sentence.startswith(f"The table {place} cannot be written: ")


SEARCH = replace(
    SETUP,
    vary=(VariedParameter("L2", "310..350 mm"),),
    measures=(replace(ANGLE, goal="least"), replace(ANGLE, statistic="min")),
    method="local",
    runs=6,
)


def test_rows_of_a_search_are_those_of_its_table(requested, tmp_path):
    made, places = Optimisation.stored(FOUR_BAR, SEARCH)
    known = made.run(1)
    began, *rows, ended = requested(study(tmp_path, SEARCH), ALWAYS)
    assert (type(began), began.runs, began.varied) == (StudyBegan, 0, b"")
    assert all(isinstance(r, SearchRows) for r in rows) and len(rows) > 1
    varied = np.concatenate([numbers(r.varied) for r in rows])
    measured = np.concatenate([numbers(r.measured, 2) for r in rows])
    # points of one step come in any order
    order, known_order = np.argsort(varied[:, 0]), np.argsort(known.table.varied[:, 0])
    assert np.array_equal(varied[order], known.table.varied[known_order])
    in_places = known.table.measured[:, list(places)]
    assert np.array_equal(measured[order], in_places[known_order])
    assert ended == StudyEnded(7, remarks=known.notes)
    table, digest = table_file.read(tmp_path / "new" / "table.npz", FOUR_BAR, SEARCH)
    assert digest == "d" and np.array_equal(
        table.measured[np.argsort(table.varied[:, 0])], measured[order]
    )
    late = requested(study(tmp_path, SEARCH))
    waited = [r for r in late if isinstance(r, SearchRows)]
    assert sum(len(numbers(r.varied)) for r in waited) == len(varied)
    assert all(r.rate > 0.0 for r in waited)


@pytest.mark.parametrize("setup", [SETUP, SEARCH], ids=["study", "search"])
def test_courses_of_rows_are_those_of_their_runs(requested, setup):
    varied = np.array([0.32, 0.34])
    sent = requested(FindCourses(3, FOUR_BAR, setup, (4, 2), varied.tobytes()))
    assert [c.row for c in sent] == [4] * (len(sent) // 2) + [2] * (len(sent) // 2)
    assert all(isinstance(c, StudyCourse) for c in sent)
    for c in sent:
        length = {4: "320 mm", 2: "340 mm"}[c.row]
        project = with_length(length)
        run = ms.simulate(project, duration=0.2, sample_step=0.02)
        assert c.channel == "joint/D/0"
        known = run.courses("D angle")[0]
        assert np.allclose(np.frombuffer(c.times), known.times)
        assert np.allclose(np.frombuffer(c.values), known.values, atol=1e-6)


def test_a_row_is_closed_with_its_numbers_or_says_why_not(requested):
    (closed,) = requested(CloseRow(1, FOUR_BAR, ("L2",), (0.35,)))
    assert isinstance(closed, RowClosed) and not closed.sentence
    assert closed.project.parameters["L2"].value.value == 0.35
    assert close_drawing(closed.project.mechanism).moved < 1e-6
    (open_,) = requested(CloseRow(1, FOUR_BAR, ("L2",), (2.0,)))
    assert open_.project is None and open_.sentence


def test_a_fit_sends_what_it_finds(requested, tmp_path):
    project = pendulum(0.15, 0.05)
    times = np.round(np.arange(0.0, 0.61, 0.05), 3)
    true = ms.simulate(pendulum(), duration=0.6, sample_step=0.05).courses("A angle")[0]
    data = tmp_path / "data.csv"
    rows = [f"{t:.3f},{v:.9f}" for t, v in zip(times, true.values, strict=False)]
    data.write_text("\n".join(["t [s],phi [rad]", *rows]) + "\n", "utf-8")
    setup = StudySetup(
        "f",
        "F",
        (VariedParameter("c", "0..0.2 N·m·s/rad"),),
        method="fit",
        runs=40,
        clock="t [s]",
        columns=(MeasuredColumn("phi [rad]", "joint/A/0"),),
    )
    request = RunStudy(9, project, setup, str(tmp_path / "t"), "", workers=1, data=str(data))
    *progress, ended = requested(request)
    known = Fit.stored(project, setup, data).run(1)
    assert all(isinstance(p, FitProgressed) for p in progress) and progress
    assert progress[-1].runs <= ended.runs == known.runs and progress[-1].scatter < 0.1
    assert isinstance(ended, FitEnded) and ended.estimates == known.estimates
    assert (ended.scatters, ended.rank, ended.remarks) == (known.scatters, known.rank, known.notes)
    assert np.array_equal(numbers(ended.correlations), known.correlations)
    (curve,) = ended.curves
    assert (curve.dimension, np.frombuffer(curve.times).tolist()) == ("angle", times.tolist())
    measured, residuals = np.frombuffer(curve.measured), np.frombuffer(curve.residuals)
    assert np.allclose(measured, true.values[: len(times)], atol=1e-8)
    assert np.array_equal(residuals, known.residuals[0])
    run_times, run_values = np.frombuffer(curve.run_times), np.frombuffer(curve.run_values)
    assert np.allclose(np.interp(times, run_times, run_values), measured, atol=1e-4)
    (missing,) = requested(msgspec.structs.replace(request, data=str(tmp_path / "none.csv")))
    assert missing.sentence == (
        f"{Path(tmp_path / 'none.csv')} cannot be read (No such file or directory)."
    )


@pytest.mark.parametrize("pause", [NEVER, ALWAYS])
@pytest.mark.parametrize(
    ("module", "task", "given"),
    [
        (path, SynthesisTask(points=((1.0, 2.0), (3.0, 4.0))), ([1 + 2j, 3 + 4j], "four_bar")),
        (
            function,
            SynthesisTask(
                FUNCTION, "slider_crank", inputs=(0.1, 0.3), outputs=(0.0, 0.2), base=0.3
            ),
            ((0.1, 0.3), (0.0, 0.2), "slider_crank"),
        ),
        (
            motion,
            SynthesisTask(MOTION, "watt", points=((1.0, 2.0),), angles=(0.5,)),
            ([1 + 2j], (0.5,), "watt"),
        ),
    ],
    ids=lambda value: getattr(value, "__name__", "").rpartition(".")[2],
)
def test_a_search_for_linkages_is_sent_with_its_rows(
    requested, monkeypatch, module, task, given, pause
):
    """The search itself is held by tests/synthesis; here it reports its arguments."""
    linkage = Linkage(task.linkage, np.array([1.0, 2.0]), np.array([1.0]), np.array([0.5, 0.7]))
    calls = []

    def generate(*what, progress, heard):
        calls.append(what)
        assert progress(0.5) and progress(0.75)
        heard(Candidate(linkage, 0.125, 0.5, True, 0.25))

    monkeypatch.setattr(module, "generate", generate)
    bounds = msgspec.structs.replace(
        task, lengths=(0.1, 0.5), region=(0.0, 1.0, 2.0, 3.0), transmission=0.5, seed=4, closed=True
    )
    *reported, found, ended = requested(Synthesise(8, bounds), pause)
    assert reported == ([] if pause == NEVER else [Working(8, share) for share in (0.5, 0.75)])
    numbers = ((1.0, 2.0), (1.0,), (0.5, 0.7))
    assert found == LinkageFound(8, task.linkage, *numbers, 0.125, 0.5, True, 0.25)
    assert ended == SynthesisEnded(8)
    (what,) = calls
    expected = Task(True, True, (0.1, 0.5), (0.0, 1.0, 2.0, 3.0), None, math.sin(0.5))
    after = (expected, *([0.3] if module is function else []), 4)
    assert what[len(given) :] == after
    assert all(np.array_equal(a, b) for a, b in zip(what, given, strict=False))
    if module is path:
        requested(Synthesise(8, msgspec.structs.replace(task, angles=(0.5, 0.75), turn=False)))
        assert calls[1][2] == Task(False, False, None, None, (0.0, 0.25), 0.0)
