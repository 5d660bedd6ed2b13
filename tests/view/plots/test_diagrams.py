"""Diagrams played by mouse and keys on the real window, against the stand-in run: coordinates
sin 2t rad.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.application.plots.choice import with_curves
from mechstudio.application.plots.panes import shown_plots
from mechstudio.files.project_file import load, save
from mechstudio.view.actions.help import palette
from mechstudio.view.idle_tasks import turns
from tests.view.plots.test_computed_curves import chosen
from tests.view.plots.test_measuring import LEFT, drag, panel, settle, wheel  # noqa: F401
from tests.view.plots.test_taking_home import choose_file, rows_of  # noqa: F401

Qt = QtCore.Qt


def made(panel, qtbot, *words):
    """The pane of a diagram that the menu of the first pane makes, by real clicks."""
    before = set(panel.panes)
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    chosen(panel.menu, *words).trigger()
    panel.menu.close()
    turns().finish()
    settle(panel, qtbot)
    settle(panel, qtbot)
    (id,) = set(panel.panes) - before
    return panel.panes[id]


@pytest.mark.slow
def test_a_phase_plot_is_the_ellipse_and_its_dot_follows_the_time(window, panel, qtbot):
    pane = made(panel, qtbot, "New diagram", "Phase plot")
    studio, area = window.studio, pane.area
    assert pane.title.text() == "Phase plot of A angle" and pane.pane.units == ("deg/s", "")
    assert area.across == ("A angle", "deg") and "differences" in pane.foot.note.text()
    (c,) = area.drawing.curves
    x, y = np.radians(c.x), np.radians(c.y)
    assert x**2 + (y / 2) ** 2 == pytest.approx(1.0, abs=1e-3)
    # a click at the curve brings the time there, a drag along it takes the time along
    for time in (0.9, 1.4):
        place = area.place(
            math.degrees(math.sin(2 * time)), math.degrees(2 * math.cos(2 * time))
        ).toPoint()
        QtTest.QTest.mouseClick(area.viewport(), LEFT, pos=place)
        off = (studio.runs.playback.time - time) % math.pi
        assert min(off, math.pi - off) < 0.05
    assert area.value_text(area.drawn[0], 0.0, False).startswith("114.")
    # the wheel zooms where the pointer is, a double click shows all again
    frame, all_ = area._box.sceneBoundingRect(), area._box.viewRange()
    at = frame.center().toPoint()
    wheel(area, at, 3)
    ends = area._box.viewRange()[0]
    assert ends[1] - ends[0] == pytest.approx((all_[0][1] - all_[0][0]) / 1.25**3)
    start = QtCore.QPoint(round(frame.left()) + 12, round(frame.top()) + 8)
    drag(area, start, start + QtCore.QPoint(40, 0))
    assert area._box.viewRange()[0][0] < ends[0], "a drag pans"
    QtTest.QTest.mouseDClick(area.viewport(), LEFT, pos=at)
    assert np.array(area._box.viewRange()) == pytest.approx(np.array(all_))
    # back to curves over the time, and again
    QtTest.QTest.mouseClick(pane.more, LEFT)
    chosen(panel.menu, "Show as", "Over the time").trigger()
    panel.menu.close()
    settle(panel, qtbot)
    assert pane.pane.diagram is None and pane.foot.isHidden() and pane.title.text() == "A angle"
    studio.document.undo()
    settle(panel, qtbot)
    assert pane.title.text() == "Phase plot of A angle" and pane.foot.isVisible()


@pytest.mark.slow
def test_a_spectrum_marks_its_peak_and_changes_its_window(window, panel, qtbot, choose_file):
    pane = made(panel, qtbot, "New diagram", "Spectrum")
    (c,) = pane.area.drawing.curves
    (peak,) = c.peaks
    assert peak.frequency == pytest.approx(1 / math.pi, rel=0.02)
    assert "Hann window" in pane.foot.note.text()
    spot = pane.area.place(peak.frequency, peak.value)
    QtTest.QTest.mouseMove(pane.area.viewport(), spot.toPoint())
    qtbot.waitUntil(lambda: "Hz" in pane.area.reading)
    pane.foot.settings["window"].choose("flattop")
    qtbot.waitUntil(lambda: pane.pane.diagram.window == "flattop")
    settle(panel, qtbot)
    assert "Flattop window" in pane.foot.note.text()
    assert window.studio.document.undo_label == "Window"
    # powers of ten
    QtTest.QTest.mouseClick(pane.more, LEFT)
    chosen(panel.menu, "Powers of ten").trigger()
    panel.menu.close()
    settle(panel, qtbot)
    assert pane.pane.log and pane.area.drawing.curves[0].y.max() < 3
    # its table has frequencies
    QtTest.QTest.mouseClick(pane.more, LEFT)
    chosen(panel.menu, "Export table…").trigger()
    panel.menu.close()
    heads, numbers = rows_of(choose_file("spectrum.csv"))
    assert heads == ["Frequency [Hz]", "A angle [rad]"], "powers are of bare units"
    # a flat top is wide: less than two periods do not place it better
    assert numbers[np.argmax(numbers[:, 1]), 0] == pytest.approx(1 / math.pi, rel=0.3)
    for ending in (".svg", ".pdf"):
        with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
            panel.exporter.save([panel.shown(pane.pane.id)], choose_file.path / f"s{ending}")
    assert "Frequency [Hz]" in (choose_file.path / "s.svg").read_text("utf-8")


@pytest.mark.slow
def test_a_section_from_the_palette_changes_level_and_direction(window, panel, qtbot, tmp_path):
    studio = window.studio
    window.actions_.trigger(palette)
    QtTest.QTest.keyClicks(window.finder.edit, "poincare section of a angle")
    assert window.finder.found[0].text == "Poincaré section of A angle"
    before = set(panel.panes)
    QtTest.QTest.keyClick(window.finder.edit, Qt.Key.Key_Return)
    turns().finish()
    settle(panel, qtbot)
    settle(panel, qtbot)
    (id,) = set(panel.panes) - before
    pane = panel.panes[id]
    (c,) = pane.area.drawing.curves
    # every coordinate is sin 2t: through zero in both directions, at 0 and ± 2 rad/s
    assert c.points and set(np.round(np.abs(np.radians(c.y)), 2)) == {2.0}
    assert np.abs(c.x).max() < 1e-3 and len(c.path[0]) > 100
    if pane.foot.more.isVisible():
        QtTest.QTest.mouseClick(pane.foot.more, LEFT)
    pane.foot.settings["direction"].choose("rising")
    qtbot.waitUntil(lambda: pane.pane.diagram.direction == "rising")
    if pane.foot.popup is not None:
        pane.foot.popup.close()
    settle(panel, qtbot)
    (c,) = pane.area.drawing.curves
    assert set(np.round(np.radians(c.y), 2)) == {2.0}
    field = pane.foot.settings["level"]
    field.edit.setFocus()
    field.edit.selectAll()
    QtTest.QTest.keyClicks(field.edit, "30 deg")
    QtTest.QTest.keyClick(field.edit, Qt.Key.Key_Return)
    settle(panel, qtbot)
    assert pane.pane.diagram.level == pytest.approx(math.radians(30))
    assert pane.area.drawing.curves[0].x == pytest.approx(30.0, abs=0.01)
    # it is saved with the project
    project = studio.document.project
    save(tmp_path / "d.mech", project)
    assert shown_plots(load(tmp_path / "d.mech").project) == shown_plots(project)


@pytest.mark.slow
def test_one_over_another_compares_runs_and_says_what_is_gone(window, panel, qtbot):
    studio = window.studio
    pane = made(panel, qtbot, "New diagram", "Over", "D angle")
    (c,) = pane.area.drawing.curves
    assert np.allclose(c.x, c.y) and pane.title.text() == "A angle over D angle"
    QtTest.QTest.mouseClick(pane.more, LEFT)
    assert not next(a for a in panel.menu.actions() if a.text() == "Powers of ten").isEnabled()
    panel.menu.close()
    project = studio.document.project
    plots = shown_plots(project)
    assert plots[-1].diagram.across == "joint/D/0"
    assert isinstance(pane.grab().toImage(), QtGui.QImage)


def test_a_pane_draws_one_of_its_curves_over_another_one(window, panel, qtbot):
    studio = window.studio
    one, another = [c.key for c in panel.panes["plot_1"].pane.curves][:1], "joint/D/0"
    project = with_curves(studio.document.project, "plot_1", [another], True).project
    studio.document.commit("Plot D angle", project)
    settle(panel, qtbot)
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    over = [a.text() for a in chosen(panel.menu, "New diagram", "Over").menu().actions()]
    panel.menu.close()
    assert over[:3] == ["A angle", "D angle", ""] and over[-2:] == ["", "Other quantity…"]
    assert len(over) < 20 and not any("Yaw" in name for name in over)
    pane = made(panel, qtbot, "New diagram", "Over", "D angle")
    assert [c.key for c in pane.pane.curves] == one and pane.pane.across.key == another


def test_any_quantity_lies_along_an_axis_by_the_list_of_all(window, panel, qtbot):
    studio, before = window.studio, set(panel.panes)
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    chosen(panel.menu, "New diagram", "Over", "Other quantity…").trigger()
    panel.menu.close()
    for words, key in (("yaw crank", "attitude/crank/yaw"), ("kinetic", "energy/kinetic")):
        chooser = panel.chooser
        assert chooser.foot.text() == "The quantity that you tick lies along the axis."
        QtTest.QTest.keyClicks(chooser.search, words)
        place = chooser.tree.visualRect(chooser.row_of(key)).center()
        QtTest.QTest.mouseClick(chooser.tree.viewport(), LEFT, pos=place)
        turns().finish()
        settle(panel, qtbot)
        (id,) = set(panel.panes) - before
        diagram = lambda id=id: panel.panes[id].pane.diagram
        qtbot.waitUntil(lambda key=key, diagram=diagram: diagram().across == key)
        qtbot.waitUntil(lambda: panel.chooser is None)
        if panel.panes[id].foot.more.isVisible():
            QtTest.QTest.mouseClick(panel.panes[id].foot.more, LEFT)
        panel.panes[id].foot.settings["across"].choose("Other quantity…")
    assert studio.document.undo_label == "Horizontal axis"


def test_the_energy_account_stacks_its_parts_to_the_balance(window, panel, qtbot, choose_file):
    pane = made(panel, qtbot, "New diagram", "Energy account")
    traces = {t.key: t for t in pane.area.drawn}
    assert list(traces)[-1] == "account/balance" and pane.title.text() == "Energy account"
    parts = [t for key, t in traces.items() if key != "account/balance"]
    kinetic = traces["account/Kinetic energy"]
    assert kinetic.values == pytest.approx(np.sin(4 * kinetic.time), abs=1e-9), "less the start"
    assert pane.foot.note.text().startswith("Parts add up")
    # a band is found by the pointer inside of it, and a click in the legend takes it out
    area = pane.area
    spot = area.place(0.4, 0.5 * math.sin(1.6)).toPoint()
    QtTest.QTest.mouseMove(area.viewport(), spot)
    qtbot.waitUntil(lambda: area.reading.startswith("Kinetic energy"))
    before = area._box.viewRange()[1]
    pane.toggle("account/Kinetic energy")
    assert not len(next(t for t in area.drawn if t.key == kinetic.key).time)
    pane.toggle("account/Kinetic energy")
    assert area._box.viewRange()[1] == before
    QtTest.QTest.mouseClick(pane.more, LEFT)
    chosen(panel.menu, "Export table…").trigger()
    panel.menu.close()
    heads, _ = rows_of(choose_file("account.csv"))
    assert heads[1] == "Kinetic energy [J]" and len(heads) == len(parts) + 2
    with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
        panel.exporter.save([panel.shown(pane.pane.id)], choose_file.path / "account.svg")
    assert (choose_file.path / "account.svg").read_text("utf-8").count("<polygon") == len(parts)
