"""Fit and search of the study page from an empty window to Apply, by mouse and keys alone."""

import shutil

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.curves.tables import text
from mechstudio.view.dialogs.sheet import Sheet
from tests.studies.optimisation.test_fit import pendulum, recording
from tests.view.files import named
from tests.view.hands import click
from tests.view.study_hand import bound, measure, open_study, pick, run, search

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


def opened(window, qtbot, path):
    """Open a file by keys and the dialog."""
    QTest.keyClick(window.viewport, Qt.Key.Key_O, CTRL)
    named(window, qtbot, path)
    qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
    assert window.studio.document.project.mechanism.bodies
    return open_study(window, qtbot)


def undone(window, qtbot, before):
    QTest.keyClick(window.study, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: window.studio.document.project == before)


@pytest.mark.slow
def test_the_friction_of_a_recording_is_fitted_from_an_empty_window(make_window, qtbot, tmp_path):
    path = tmp_path / "pendulum.mech"
    ms.save(pendulum(0.15, 0.4), path)
    (tmp_path / "recording.csv").write_text(text(recording(name="phi")), encoding="utf-8")
    window = make_window(size=(1600, 900))
    page = opened(window, qtbot, path)
    bound(page, qtbot, "c", "0 N·m·s/rad", "0.2 N·m·s/rad")
    bound(page, qtbot, "f", "0 N·m", "0.5 N·m")
    click(page.setup.way.button("fit"))
    qtbot.wait(20)
    click(page.setup.data.choose)
    named(window, qtbot, tmp_path / "recording.csv")
    qtbot.waitUntil(lambda: page.setup.data.sheet is not None)
    sheet = page.setup.data.sheet
    qtbot.waitUntil(lambda: bool(sheet.choices))
    qtbot.wait(50)
    pick(qtbot, sheet.choices[1], "A angle")
    click(sheet.lay)
    qtbot.waitUntil(lambda: not window.findChildren(Sheet))
    qtbot.wait(20)
    click(page.progress.run)
    found = window.studio.studies.of(page.shown.id)
    qtbot.waitUntil(lambda: not found.is_working, timeout=120_000)
    for estimate, truth in zip(found.fit.estimates, (0.02, 0.05), strict=True):
        assert estimate.low < truth < estimate.high
    before = window.studio.document.project
    click(page.fit_result.apply)
    now = window.studio.document.project.parameters
    assert now["c"].value.value == pytest.approx(found.fit.estimates[0].value)
    undone(window, qtbot, before)


@pytest.mark.slow
def test_a_stroke_is_searched_for_from_an_empty_window(make_window, qtbot, tmp_path):
    """The stroke of a centred slider-crank is twice its crank."""
    path = tmp_path / "stroke.mech"
    shutil.copy(sample_folder() / "slider_crank.mech", path)
    window = make_window(size=(1600, 900))
    page = opened(window, qtbot, path)
    bound(page, qtbot, "L1", "80 mm", "120 mm")
    measure(page, qtbot, "D slide")
    search(page, qtbot, "210 mm", "1 s", "1 ms")
    table = run(window, qtbot)
    assert table.varied[page.shown.best, 0] == pytest.approx(0.105, rel=1e-4)
    before = window.studio.document.project
    click(page.chosen_row.apply)
    own = window.studio.document.project.parameters["L1"].value.value
    assert own == pytest.approx(0.105, rel=1e-4)
    undone(window, qtbot, before)
