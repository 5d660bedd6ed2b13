"""The study page with real events: setup, run, all views, application."""

import gc
import math
import time

import numpy as np
import pytest
from PySide6 import QtCore, QtGui
from PySide6.QtTest import QTest
from scipy.stats import spearmanr

import mechstudio as ms
from mechstudio.application.questions.solver import Session
from mechstudio.application.studies import changes, report_chapter
from mechstudio.application.studies.runs import StudyRun
from mechstudio.curves.quantities import quantities
from mechstudio.files.project_file import load
from mechstudio.model.studies.edits import with_study as put
from mechstudio.studies.study import Study
from mechstudio.studies.table import StudyTable
from mechstudio.view.study.pictures.heat_map import HeatMap
from mechstudio.view.study.pictures.parallel import ParallelAxes
from mechstudio.view.study.pictures.scatter import ScatterMatrix
from mechstudio.view.study.table import StudyTableView
from mechstudio.view.study.views import VIEWS
from tests.studies.test_stored import with_study
from tests.view.hands import click, type_into
from tests.view.study_hand import choose, measure, open_study, run, vary

Qt = QtCore.Qt


@pytest.fixture
def page(make_window, four_bar, qtbot):
    window = make_window(four_bar, size=(1600, 900))
    return open_study(window, qtbot)


def view_of(page, kind):
    return next(v for p in page.panes for v in p.views.values() if isinstance(v, kind))


def test_a_study_is_set_up_run_and_applied(page, qtbot, four_bar):
    window, studio = page._window, page._studio
    assert page.blank.isVisible() and not page.panes[0].isVisible()
    vary(page, qtbot, "L2", "310 mm", "1000 mm", "4")
    vary(page, qtbot, "L3", "250 mm", "270 mm", "3")
    measure(page, qtbot, "D angle")
    page.setup.measures[0]["statistic"].choose("range")
    qtbot.wait(10)
    page.setup.measures[0]["goal"].choose("greatest")
    qtbot.wait(10)
    page.setup.measures[0]["sign"].choose(">=")
    qtbot.wait(10)
    type_into(page.setup.measures[0]["limit"], "1 deg")
    qtbot.wait(10)
    type_into(page.setup.duration, "0.2 s")
    qtbot.wait(10)
    assert page.setup.count.text() == "12 runs of 0.2 s" and page.setup.wrong.text() == ""
    table = run(window, qtbot)
    assert page.panes[0].isVisible() and not page.blank.isVisible()
    project = studio.document.project
    # the window's numbers are those of the interface
    again = ms.study(project, name=project.studies[0].name, workers=1)
    assert table.measured.tobytes() == again.measured.tobytes()
    assert table.varied.tobytes() == again.varied.tobytes()
    assert table.reasons == again.reasons and len(table.reasons) >= 3
    assert f"{len(table.reasons)} failed" in page.progress.note.text()
    # a failed run says why
    heat, rows = view_of(page, HeatMap), view_of(page, StudyTableView)
    failed = next(iter(table.reasons))
    click(heat, heat.place_of(failed).toPoint())
    assert page.shown.chosen == failed and page.chosen_row.note.text().endswith(
        table.reasons[failed]
    )
    assert not page.chosen_row.apply.isEnabled()
    words = rows.rows.index(rows.rows.place(failed), 3).data()
    assert words == table.reasons[failed]
    # the best one, by its line in the table
    best = table.best(0, greatest=True)
    click(rows.viewport(), rows.visualRect(rows.rows.index(rows.rows.place(best), 0)).center())
    assert page.shown.chosen == best == page.shown.best and rows.rows.place(best) == 0
    # a report tells the best run, and shows every run that did not fail
    heads, reported = report_chapter.rows(studio)
    l2, l3 = (f"{1e3 * v:.4g} mm" for v in table.varied[best])
    assert heads == ("Study", "runs", "best parameters", "measured")
    assert reported[:3] == (project.studies[0].name, "12", f"L2 = {l2}, L3 = {l3}")
    assert reported[3] == f"range of D angle = {math.degrees(table.measured[best, 0]):.4g} deg"
    (panel,) = report_chapter.pictures(studio)
    assert panel.lines[0].x[1:-1] == pytest.approx(1e3 * table.varied[:, 0])
    assert panel.lines[0].y[1:-1] == pytest.approx(np.degrees(table.measured[:, 0]), nan_ok=True)
    assert (panel.unit, panel.x_unit, panel.x_title) == ("deg", "mm", "L2")
    assert panel.lines[1].y == pytest.approx([np.degrees(table.measured[best, 0])])
    before = len(studio.document.history[0])
    click(page.chosen_row.apply)
    after = studio.document.project
    values = [after.parameters[n].value.value for n in ("L2", "L3")]
    assert values == pytest.approx(table.varied[best].tolist(), rel=1e-14)
    assert len(studio.document.history[0]) == before + 1
    # the rows are still of this drawing, and one of them is that which is drawn now
    assert page.shown.as_drawn == best and not studio.studies.is_outdated(page.shown.id)
    studio.document.undo()
    assert studio.document.project.parameters["L2"].value.value == pytest.approx(0.33)
    # its course over the time, and that of the drawing
    page.panes[1].show_view("family")
    qtbot.waitUntil(lambda: page.shown.course(best) is not None, timeout=60_000)
    assert all(page.shown.course(row) is not None or row in table.reasons for row in [best])
    page.panes[1].repaint()
    # and is there again when the file is opened
    assert studio.files.save(four_bar)
    assert studio.files.open(four_bar)
    found = studio.studies.of("study1")
    assert found.state == "done" and found.table.measured.tobytes() == table.measured.tobytes()
    assert load(four_bar).project.studies == project.studies


def small(page, qtbot):
    """A study of three lengths of the coupler, of which the last does not close."""
    window, studio = page._window, page._studio
    project = with_study(
        studio.document.project,
        vary=("L2=320|340|1000 mm",),
        measured=("range D angle",),
        duration="0.2 s",
    )
    studio.document.commit("small", put(project, project.studies[0]))
    page.shown.choose_study("study1")
    return run(window, qtbot)


def width(view):
    """Length of the coupler of the mechanism that the scene shows."""
    return view.shown.project.parameters["L2"].value.value


@pytest.mark.slow
def test_the_scene_shows_the_chosen_run_and_the_one_under_the_pointer(page, qtbot):
    table = small(page, qtbot)
    view, studio = page._window.viewport, page._studio
    assert [row in table.reasons for row in range(3)] == [False, False, True]
    rows = view_of(page, StudyTableView)
    at = lambda row: rows.visualRect(rows.rows.index(rows.rows.place(row), 0)).center()
    for row, length in ((0, 0.32), (1, 0.34)):
        click(rows.viewport(), at(row))
        qtbot.waitUntil(lambda length=length: width(view) == pytest.approx(length))
        assert page.run_scene.chip.text() in ("Best run", f"Run {row + 1}")
        # its joints hold: the engine finds nothing to move
        assert ms.check(view.shown.project).moved < 1e-9
    assert not view.look.figures.outlines
    QTest.mouseMove(rows.viewport(), at(0))
    qtbot.waitUntil(lambda: bool(view.look.figures.outlines))
    project = studio.document.project
    ghost = {tuple(np.round(o.pose, 9)) for o in view.look.figures.outlines}
    drawn = page.shown.closed(0).project
    moving = [b for b in drawn.mechanism.bodies.values() if b.visible]
    assert ghost == {
        tuple(np.round((*b.placement.pose[0], *b.placement.pose[1]), 9)) for b in moving
    }
    assert width(view) == pytest.approx(0.34) and studio.document.project is project
    # one that does not close is not shown, and the scene says so
    click(rows.viewport(), at(2))
    qtbot.waitUntil(lambda: page.run_scene.chip.text() == "As drawn")
    assert width(view) == pytest.approx(0.33)
    click(rows.viewport(), at(1))
    qtbot.waitUntil(lambda: width(view) == pytest.approx(0.34))
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert width(view) == pytest.approx(0.33) and not page.run_scene.chip.isVisible()
    assert not view.look.figures.outlines


@pytest.mark.slow
def test_the_best_and_the_worst_run_are_kept_beside_that_of_the_drawing(
    make_window, four_bar, qtbot
):
    page = open_study(make_window(four_bar, size=(1600, 900), session=Session), qtbot)
    table = small(page, qtbot)
    studio, answer = page._studio, page.chosen_row
    values = table.measured[:2, 0]
    runs = studio.runs
    for button, row in ((answer.best, np.argmin(values)), (answer.worst, np.argmax(values))):
        click(button)
        assert page.shown.chosen == row
        click(answer.keep)
        note = f"Smaller motor, run {row + 1}"
        named = lambda note=note: [kept for kept in runs.kept.runs if kept.note == note]
        qtbot.waitUntil(lambda named=named: bool(named()))
        (kept,) = named()
        assert kept.ticked and kept.recording.count > 10
        assert kept.project.parameters["L2"].value.value == pytest.approx(table.varied[row, 0])
        qtbot.waitUntil(lambda: not runs.is_running)
    names = {kept.note for kept in runs.kept.runs}
    assert {"Smaller motor, run 1", "Smaller motor, run 2"} <= names


@pytest.mark.slow
def test_escape_gives_the_window_back(page, qtbot):
    window = page._window
    before = window.viewport.width()
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert not window.shows_study and window.viewport.width() > before
    assert not window.docks.cleared
    open_study(window, qtbot)
    assert len(window.studio.document.project.studies) == 1
    window.set_workspace("analyse")
    assert not window.shows_study


def test_wrong_values_are_explained_below_their_field(page, qtbot):
    vary(page, qtbot, "L2", "310 mm", "350 kg", "3")
    labels = [w.text() for w in page.setup.findChildren(type(page.setup.count))]
    assert any("L2 cannot be read" in text for text in labels)
    click(page.progress.run)
    assert page._studio.studies.working is None
    assert any("measure" in m.text for m in page._studio.notifications.messages)
    choose(page.setup.plus_vary.menu(), "L3")
    qtbot.wait(5)
    assert [v.parameter for v in page.shown.setup.vary] == ["L2", "L3"]
    page._studio.document.undo()
    qtbot.wait(5)
    assert list(page.setup.varied) == ["L2"]


@pytest.mark.slow
def test_correlations_and_crossings_are_set_in_the_column(page, qtbot):
    project = with_study(
        page._studio.document.project,
        vary=("L2=310..350 mm", "L3=250..270 mm", "L1=100|110 mm"),
        measured=("peak D angle",),
        samples=64,
    )
    page._studio.document.commit("drawn", put(project, project.studies[0]))
    page.shown.choose_study("study1")
    page.setup.refresh()
    lines = page.setup.correlations
    (offered,) = lines.plus.menu().actions()
    assert offered.text() == "L2 and L3"  # of the two that are drawn
    offered.trigger()
    qtbot.wait(5)
    type_into(page.setup.correlations.fields["L2", "L3"], "0.8")
    qtbot.wait(5)
    assert not page.setup.wrong.text()
    page.setup.measures[0]["statistic"].choose("when")
    qtbot.wait(5)
    names = {q.name: q.key for q in quantities(project).values()}
    page.setup.measures[0]["of"].choose(names["A angle"])
    qtbot.wait(5)
    page.setup.measures[0]["direction"].choose("falling")
    qtbot.wait(5)
    type_into(page.setup.measures[0]["level"], "90 deg")
    qtbot.wait(5)
    assert not page.setup.wrong.text()
    now = page._studio.document.project
    read = Study.stored(now, now.studies[0])
    assert read.measures[0].text == "when A angle < 90 deg: D angle"
    varied = read.table().varied
    drawn = [list(page.shown.setup.vary).index(v) for v in page.shown.setup.vary[:2]]
    assert spearmanr(varied[:, drawn[0]], varied[:, drawn[1]]).statistic == pytest.approx(
        0.8, abs=0.1
    )
    # what cannot be is reported, and a word is no number
    type_into(page.setup.correlations.fields["L2", "L3"], "much")
    type_into(page.setup.correlations.fields["L2", "L3"], "1.5")
    qtbot.wait(5)
    assert "between -1 and 1" in page.setup.wrong.text()
    changes.uncorrelate(page._studio.document, "study1", "L2", "L3")
    qtbot.wait(5)
    assert not page.setup.wrong.text() and not page.setup.correlations.fields


def filled(page, table):
    """Show a table as that of a study that is done."""
    studio, id = page._studio, page.shown.id
    found = StudyRun(id, "done", table, studio.studies.fingerprint(id), version=5)
    studio.studies._runs[id] = found
    studio.studies.changed.emit()
    return found


def many(page, runs=100_000):
    """A study with as many rows, whose numbers are made up."""
    project = with_study(
        page._studio.document.project, vary=("L2=310..350 mm", "L3=250..270 mm"), samples=runs
    )
    page._studio.document.commit("many", put(project, project.studies[0]))
    page.shown.choose_study("study1")
    made = Study.stored(page._studio.document.project, page._studio.document.project.studies[0])
    table: StudyTable = made.table()
    table.measured[:, 0] = np.sin(40 * table.varied[:, 0]) + 3 * table.varied[:, 1]
    table.mark(np.arange(runs), "here")
    return table


@pytest.mark.slow
def test_a_hundred_thousand_rows_scroll_and_never_block(page, qtbot):
    table = many(page)
    began = time.thread_time()
    filled(page, table)
    page.repaint()
    took = time.thread_time() - began
    rows = view_of(page, StudyTableView)
    assert rows.model().rowCount() == 100_000
    # new rows are read and drawn in pieces that the window's thread does not feel, in every view
    found = page._studio.studies.of(page.shown.id)
    # what other tests have left is not looked through meanwhile
    gc.collect()
    gc.freeze()
    for view in VIEWS:
        page.panes[0].show_view(view.key)
        page.panes[0].repaint()
        # the least of three: a machine that others use stands still now and then
        times = []
        for _ in range(3):
            page.shown._read_at = 0.0
            found.version += 1
            began = time.thread_time()
            page._studio.studies.changed.emit()
            read = time.thread_time()
            page.panes[0].repaint()
            times.append((read - began, time.thread_time() - read))
        reading, drawing = np.min(times, axis=0)
        print(f"{view.key}: {1e3 * reading:.0f} ms to read, {1e3 * drawing:.0f} ms to draw")
        assert reading < 0.1 and drawing < 0.1, view.key
    bar, frames = rows.verticalScrollBar(), 40
    began = time.thread_time()
    for k in range(frames):
        bar.setValue(k * bar.maximum() // frames)
        rows.viewport().repaint()
    each = (time.thread_time() - began) / frames
    print(f"{1e3 * took:.0f} ms to show, {1e3 * each:.1f} ms a redraw")
    # 3 ms at rest; several times as much beside other work
    assert each < 0.1
    began = time.thread_time()
    rows.horizontalHeader().sectionClicked.emit(2)
    sorting = time.thread_time() - began
    values = table.measured[page.shown.order, 0]
    assert (np.diff(values) >= 0).all()
    print(f"{1e3 * sorting:.0f} ms to sort")
    gc.unfreeze()
    assert took < 1.0 and sorting < 0.5


def test_views_share_one_row_and_ranges(page, qtbot):
    table = many(page, 200)
    filled(page, table)
    for view in VIEWS:
        page.panes[0].show_view(view.key)
        image = QtGui.QImage(page.panes[0].size(), QtGui.QImage.Format.Format_RGB32)
        page.panes[0].render(image)
    page.panes[2].show_view("parallel")
    axes = view_of(page, ParallelAxes)
    top, middle = axes.axis_y(1.0), axes.axis_y(0.5)
    x = axes.axis_x(2)
    place = lambda y: QtCore.QPoint(round(x), round(y))
    QTest.mousePress(axes, Qt.MouseButton.LeftButton, pos=place(middle))
    for y in (middle - 20, top + 5, top - 2):
        QTest.mouseMove(axes, place(y))
        qtbot.wait(5)
    QTest.mouseRelease(axes, Qt.MouseButton.LeftButton, pos=place(top))
    kept = page.shown.kept
    values = table.measured[:, 0]
    half = (values.min() + values.max()) / 2
    assert kept.sum() == pytest.approx((values >= half).sum(), abs=4)
    rows = view_of(page, StudyTableView)
    assert rows.model().rowCount() == kept.sum()
    click(rows.viewport(), rows.visualRect(rows.rows.index(3, 0)).center())
    assert page.shown.chosen == rows.rows.row(3)
    click(axes, place(axes.axis_y(0.75)))
    assert page.shown.kept.all()


def test_two_of_three_parameters_span_the_map_and_pairs_are_all_shown(page, qtbot):
    studio = page._studio
    project = with_study(
        studio.document.project,
        vary=("L2=310..350 mm:4", "L3=250..270 mm:3", "L1=100|110 mm"),
        measured=("range D angle",),
    )
    studio.document.commit("three", put(project, project.studies[0]))
    page.shown.choose_study("study1")
    table = Study.stored(project, project.studies[0]).table()
    table.measured[:, 0] = table.varied @ (1.0, 2.0, 4.0)
    table.mark(np.arange(len(table)), "here")
    filled(page, table)
    heat = view_of(page, HeatMap)
    qtbot.wait(5)
    assert heat.across.isVisible() and heat.map().rows.shape == (3, 4)
    # the least value of each cell is shown, that is the least L1
    assert (table.varied[heat.map().rows.ravel(), 2] == 0.1).all()
    heat.up.choose("2")
    assert heat.map().rows.shape == (2, 4) and page.shown.pair == (0, 2)
    heat.across.choose("2")
    assert heat.map().rows.shape == (4, 2) and page.shown.pair == (2, 0)
    row = int(heat.map().rows[1, 1])
    click(heat, heat.place_of(row).toPoint())
    assert page.shown.chosen == row
    page.panes[1].kind.choose("scatter")
    pairs = view_of(page, ScatterMatrix)
    pairs.repaint()
    other = 17
    parts = np.array([[0.0, 0.0, 0.0, 0.0]])
    for k, c in enumerate(page.shown.columns):
        parts[0, k] = (c.values[other] - c.values.min()) / np.ptp(c.values)
    place = QtCore.QPointF(*pairs.places(0, 3, parts)[0].tolist())
    click(pairs, place.toPoint())
    assert page.shown.chosen == other


@pytest.mark.slow
def test_the_whole_table_is_written_beside_the_window_s_thread(page, qtbot, tmp_path):
    filled(page, many(page))
    page.ask_file()
    target = tmp_path / "runs.csv"
    with qtbot.waitSignal(page.files.saved, timeout=60000):
        page.dialog.fileSelected.emit(str(target))
    lines = target.read_text("utf-8").splitlines()
    assert len(lines) == 100_001 and lines[0].startswith("L2 [mm]")
