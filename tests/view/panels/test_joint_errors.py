"""The card of constraint errors, opened by a click on its pill: joints by name, worst first, of the
real solver's run.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.application.plots.panes import shown_plots
from mechstudio.engine.analyses.over_time import joint_errors
from mechstudio.engine.analyses.registry import options_of, system_for

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def running(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.playback.complete, timeout=120_000)
    studio.runs.playback.pause()
    return window


def test_a_click_on_the_pill_lists_joints_and_selects_the_worst(running, qtbot):
    window, studio = running, running.studio
    pill = window.status.constraint
    QtTest.QTest.mouseClick(pill, LEFT)
    card = window.joint_errors
    qtbot.waitUntil(lambda: bool(card.errors))
    project, recording = studio.document.project, studio.runs.recording
    found = {e.name: e for e in card.errors}
    assert set(found) == {j.name for j in project.mechanism.joints.values()}
    # an independent way: the engine's own residuals at the same samples
    system = system_for(project.mechanism, options_of(project, 6.0, 1 / 60))
    table = joint_errors(system, np.array(recording.rows), list(project.mechanism.joints))
    for name, e in found.items():
        own = table.rows[:, table.columns.index(f"{name} error")]
        assert e.largest == pytest.approx(own.max(), rel=0.2, abs=1e-15), "but for rounding"
    worst_of_run = recording.rows[:, recording.layout.constraint.start].max()
    assert card.errors[0].largest <= worst_of_run * 1.2 + 1e-15
    largest = [e.largest for e in card.errors]
    assert largest == sorted(largest, reverse=True)
    worst = card.errors[0]
    assert card.sentence.text().startswith(f"{worst.name} is worst")
    assert studio.selection.current == worst.joint
    # a click on another one selects it and brings the time to its largest error
    line = 2
    rect = card.table.visualItemRect(card.table.item(line, 0))
    QtTest.QTest.mouseClick(card.table.viewport(), LEFT, pos=rect.center())
    assert studio.selection.current == card.errors[line].joint
    assert studio.runs.playback.time == pytest.approx(card.errors[line].at, abs=0.02)
    # the scene shows the gap there, magnified
    figures = studio.marks.shown_figures(True, "mm-N-deg")
    name = card.errors[line].name
    assert any(symbol.words.startswith(f"{name}: gap") for symbol in figures.symbols)
    QtTest.QTest.mouseClick(card.plot, LEFT)
    plot = shown_plots(studio.document.project)[-1]
    assert plot.log and plot.channels[0] == f"closure/{worst.joint}/error"
    QtTest.QTest.keyClick(card.table, Qt.Key.Key_Escape)
    assert window.joint_errors is None and studio.questions.curves.joint_errors == ()
    assert not studio.marks.shown_figures(True, "mm-N-deg").symbols


def test_without_a_run_the_card_says_what_to_do(window):
    QtTest.QTest.mouseClick(window.status.constraint, LEFT)
    assert "press Space" in window.joint_errors.sentence.text()
    QtTest.QTest.mouseClick(window.status.constraint, LEFT)
    assert window.joint_errors is None
