"""Search for the best in the study page: goals, limits, compromises, Cancel, Apply."""

import shutil

import numpy as np
import pytest
from PySide6.QtTest import QTest

from mechstudio.application.resources import sample_folder
from mechstudio.application.studies import changes
from mechstudio.studies.optimisation.optimisation import Optimisation
from mechstudio.view.study.pictures.search_pictures import BestSoFar, Compromises
from tests.view.hands import click, type_into
from tests.view.study_hand import measure, open_study, run, vary


@pytest.fixture
def page(make_window, qtbot, tmp_path):
    path = tmp_path / "stroke.mech"
    shutil.copy(sample_folder() / "slider_crank.mech", path)
    window = make_window(path, size=(1600, 900))
    page = open_study(window, qtbot)
    vary(page, qtbot, "L1", "80 mm", "120 mm", "")
    measure(page, qtbot, "D slide")
    page.setup.measures[0]["statistic"].choose("range")
    qtbot.wait(10)
    click(page.setup.way.button("best"))
    qtbot.wait(10)
    type_into(page.setup.duration, "1 s")
    qtbot.wait(10)
    type_into(page.setup.sample_step, "1 ms")
    qtbot.wait(10)
    return page


def shown(page, kind):
    return next(v for p in page.panes for v in p.views.values() if isinstance(v, kind))


def test_a_target_is_met_applied_and_undone(page, qtbot):
    """The stroke of a centred slider-crank is twice its crank."""
    window, studio = page._window, page._studio
    page.setup.measures[0]["goal"].choose("target")
    qtbot.wait(10)
    type_into(page.setup.measures[0]["target"], "210 mm")
    qtbot.wait(10)
    page.setup.method.choose("local")
    qtbot.wait(10)
    assert page.setup.wrong.text() == "" and "2,000" in page.setup.count.text()
    table = run(window, qtbot)
    assert table.measured[page.shown.best, 0] == pytest.approx(0.21, rel=1e-5)
    assert table.varied[page.shown.best, 0] == pytest.approx(0.105, rel=1e-4)
    # what the terminal says of the answer stands beside it
    made, places = Optimisation.stored(studio.document.project, page.shown.setup)
    found = made.run(workers=1)
    assert places == (0,) and table.remarks == found.notes
    # the same points, in the order in which the processes gave them
    assert np.array_equal(np.sort(table.varied, axis=0), np.sort(found.table.varied, axis=0))
    assert all(note in page.chosen_row.note.text() for note in found.notes)
    qtbot.waitUntil(lambda: page.shown.course(page.shown.best) is not None)
    picture = shown(page, BestSoFar)
    other = 0 if page.shown.best else 1
    click(picture, picture.place_of(other).toPoint())
    assert page.shown.chosen == other
    click(page.chosen_row.best)
    before = studio.document.project
    click(page.chosen_row.apply)
    own = studio.document.project.parameters["L1"].value.value
    assert own == pytest.approx(0.105, rel=1e-4)
    studio.document.undo()
    assert studio.document.project is before


@pytest.mark.slow
def test_a_number_at_its_bound_is_reported(page, qtbot):
    page.setup.measures[0]["goal"].choose("greatest")
    qtbot.wait(10)
    page.setup.method.choose("local")
    qtbot.wait(10)
    table = run(page._window, qtbot)
    assert table.varied[page.shown.best, 0] == 0.12
    assert "L1 stands at its bound" in page.chosen_row.note.text()


def test_a_search_without_a_goal_or_bounds_says_so(page, qtbot):
    studio, id = page._studio, page.shown.id
    page.setup.measures[0]["goal"].choose("show")
    qtbot.wait(10)
    assert "the goal" in page.setup.wrong.text()
    page.setup.measures[0]["goal"].choose("least")
    qtbot.wait(10)
    changes.set_values(studio.document, id, "L1", "normal(100, 1) mm")
    qtbot.wait(10)
    assert "gives no bounds" in page.setup.wrong.text()


@pytest.mark.slow
def test_two_goals_give_compromises_of_which_one_applies(page, qtbot):
    pytest.importorskip("pymoo")
    window, studio = page._window, page._studio
    page.setup.measures[0]["goal"].choose("greatest")
    qtbot.wait(10)
    measure(page, qtbot, "Kinetic energy")
    page.setup.measures[1]["goal"].choose("least")
    qtbot.wait(10)
    assert "compromises" in page.setup.wrong.text()
    page.setup.method.choose("pareto")
    qtbot.wait(10)
    type_into(page.setup.runs, "120")
    qtbot.wait(10)
    table = run(window, qtbot)
    # a longer stroke takes more energy: every crank is a compromise
    assert table.done == 120 and len(page.shown.front) > 20
    energies = table.measured[page.shown.front, 1]
    assert (np.diff(energies) < 0).all()
    picture = shown(page, Compromises)
    chosen = int(page.shown.front[len(page.shown.front) // 2])
    click(picture, picture.place_of(chosen).toPoint())
    assert page.shown.chosen == chosen
    click(page.chosen_row.apply)
    own = studio.document.project.parameters["L1"].value.value
    assert own == pytest.approx(float(table.varied[chosen, 0]), rel=1e-14)


@pytest.mark.slow
def test_cancel_keeps_the_best_and_the_next_search_begins_again(page, qtbot):
    window, studio = page._window, page._studio
    page.setup.measures[0]["goal"].choose("least")
    qtbot.wait(10)
    click(page.progress.run)
    study = studio.studies.of(page.shown.id)
    qtbot.waitUntil(lambda: study.done > 20)
    assert page.progress.pause.isHidden() and page.progress.cancel.isVisible()
    click(page.progress.cancel)
    assert not study.is_working and page.shown.best is not None
    assert "was stopped" in page.chosen_row.note.text()
    assert page.progress.run.text() == "Search" and page.chosen_row.apply.isEnabled()
    # chosen rows may not exist in the next search yet
    page.shown.hover(study.done - 1)
    click(page.progress.run)
    qtbot.waitUntil(lambda: study.done > 2)
    QTest.qWait(50)
    click(page.progress.cancel)
    assert window.shows_study
