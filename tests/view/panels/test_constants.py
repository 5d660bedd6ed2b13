"""Conserved quantities stand in the Structure tab with their drift, and a click plots how they have
changed.
"""

import shutil

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.application.resources import sample_folder
from mechstudio.view.idle_tasks import turns

Qt = QtCore.Qt


@pytest.fixture
def spun(solved, qtbot, tmp_path):
    """The heavy top after its run, the Structure tab open."""
    studio = solved.studio
    assert studio.files.open(
        shutil.copy(sample_folder() / "heavy_top.mech", tmp_path / "heavy_top.mech")
    )
    qtbot.waitUntil(
        lambda: (
            studio.questions.analysis is not None
            and studio.questions.session.status.phase == "ready"
        )
    )
    solved.docks.pages.chosen.emit("structure")
    solved.set_workspace("analyse")
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    turns().finish()
    yield solved
    studio.questions.analyses.cancel()
    solved.docks.pages.chosen.emit("equations")


@pytest.mark.slow
def test_the_spin_stands_beside_the_vertical_and_is_plotted(spun, qtbot):
    studio, lines = spun.studio, spun.docks.structure.constants
    assert [line._constant.words for line in lines] == [
        "angular momentum about Z",
        "angular momentum of top about its own axis x",
    ]
    assert all("±" in line._change.text() for line in lines)
    QtTest.QTest.mouseClick(lines[1], Qt.MouseButton.LeftButton)
    turns().finish()
    keys = [c.key for pane in spun.docks.plots for c in pane.pane.curves if "own axis" in c.key]
    assert len(keys) == 1
    qtbot.waitUntil(lambda: studio.questions.curves.series(keys[0]) is not None, timeout=240_000)
    t, y = studio.questions.curves.series(keys[0])
    spin = float(lines[1]._change.text().replace("\u2212", "-").split()[0])
    assert y[0] == 0 and t[-1] == pytest.approx(8.0) and np.abs(y).max() < 1e-6 * abs(spin)


@pytest.mark.slow
def test_lines_of_another_drawing_are_not_judged_by_a_run(spun, qtbot, tmp_path):
    """Put away, the tab keeps the lines of the drawing that it showed last: a run of the next one
    says nothing of them.
    """
    studio = spun.studio
    spun.docks.pages.chosen.emit("equations")
    assert studio.files.open(
        shutil.copy(sample_folder() / "cart_pole.mech", tmp_path / "cart_pole.mech")
    )
    qtbot.waitUntil(
        lambda: (
            studio.questions.analysis is not None
            and studio.questions.session.status.phase == "ready"
        )
    )
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
