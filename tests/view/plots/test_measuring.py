"""Zoom, cursors, statistics, peaks, legend and pointing on the real window, by real events, against
the closed form of the stand-in run: coordinates sin 2t rad, kinetic energy 1 + sin 4t J.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest, QtWidgets

from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.ticks import reading

Qt = QtCore.Qt
LEFT, PLAIN, SHIFT = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def panel(window, qtbot):
    window.resize(1920, 1080)
    window.set_workspace("analyse")
    window.studio.runs.simulate()
    qtbot.waitUntil(lambda: window.studio.runs.recording.complete)
    window.studio.runs.playback.pause()
    panel = window.docks.plots_panel
    # sizes settle in a turn, and ticks and places in the one after
    settle(panel, qtbot)
    settle(panel, qtbot)
    yield panel
    plots = window.studio.plots
    plots.show_whole()
    plots.set_cursors(False)
    plots.set_follow(True)
    window.studio.selection.hover("")
    window.resize(1280, 800)
    window.set_workspace("build")


def settle(panel, qtbot):
    turns().finish()
    qtbot.wait(30)
    panel.follow()
    qtbot.wait(10)


def wheel(area, at, notches, modifier=PLAIN):
    event = QtGui.QWheelEvent(
        QtCore.QPointF(at),
        QtCore.QPointF(area.viewport().mapToGlobal(at)),
        QtCore.QPoint(),
        QtCore.QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QtWidgets.QApplication.sendEvent(area.viewport(), event)


def drag(area, start, end, modifier=PLAIN):
    view = area.viewport()
    QtTest.QTest.mousePress(view, LEFT, modifier, start)
    for part in (0.3, 0.7, 1.0):
        place = start + (end - start) * part
        move = QtGui.QMouseEvent(
            QtCore.QEvent.Type.MouseMove,
            QtCore.QPointF(place),
            QtCore.QPointF(view.mapToGlobal(place)),
            Qt.MouseButton.NoButton,
            LEFT,
            modifier,
        )
        QtWidgets.QApplication.sendEvent(view, move)
    QtTest.QTest.mouseRelease(view, LEFT, modifier, end)


def test_the_wheel_zooms_where_the_pointer_is_and_all_panes_follow(window, panel, qtbot):
    plots, area = window.studio.plots, panel.panes["plot_1"].area
    assert plots.stretch is None and not panel.overview.isVisible()
    at = QtCore.QPoint(round(area.x_of(2.0)), area.height() // 2)
    before = area.time_at(at.x())
    wheel(area, at, 4)
    settle(panel, qtbot)
    begin, end = plots.shown
    assert end - begin == pytest.approx(6.0 / 1.25**4, rel=1e-6)
    assert area.time_at(at.x()) == pytest.approx(before, abs=0.02), "it stays under the pointer"
    assert panel.overview.isVisible() and f"{end:.4g}" in panel.bar.range.text()
    for pane in panel.panes.values():
        assert pane.area._box.viewRange()[0] == pytest.approx([begin, end])
    # a drag pans, and what shows is the same instant under the pointer
    start = QtCore.QPoint(round(area.x_of(begin + 0.3)), area.height() // 2)
    drag(area, start, start + QtCore.QPoint(60, 0))
    assert plots.shown[0] < begin and plots.shown[1] - plots.shown[0] == pytest.approx(end - begin)
    assert not plots.follow
    # a click without a movement brings the time there, and never moves the stretch
    shown = plots.shown
    QtTest.QTest.mouseClick(area.viewport(), LEFT, pos=start)
    assert plots.shown == shown
    assert window.studio.runs.playback.time == pytest.approx(area.time_at(start.x()), abs=0.02)
    QtTest.QTest.mouseDClick(area.viewport(), LEFT, pos=start)
    settle(panel, qtbot)
    assert plots.stretch is None and not panel.overview.isVisible()


@pytest.mark.slow
def test_a_box_with_shift_zooms_both_axes_and_0_shows_all(window, panel, qtbot):
    plots, area = window.studio.plots, panel.panes["plot_2"].area
    start, end = area.place(1.0, 1.8).toPoint(), area.place(2.0, 0.9).toPoint()
    drag(area, start, end, SHIFT)
    settle(panel, qtbot)
    assert plots.shown == pytest.approx((1.0, 2.0), abs=0.05)
    assert area._box.viewRange()[1] == pytest.approx([0.9, 1.8], abs=0.05)
    QtTest.QTest.keyClick(area, Qt.Key.Key_0)
    assert plots.stretch is None and area._by_hand is None
    QtTest.QTest.keyClick(area, Qt.Key.Key_Plus)
    assert plots.stretch is not None
    QtTest.QTest.keyClick(area, Qt.Key.Key_Minus)
    assert plots.stretch is None


def test_a_stretch_follows_the_time_or_stays(window, panel, qtbot):
    plots, playback = window.studio.plots, window.studio.runs.playback
    plots.show(1.0, 2.0)
    playback.seek(1.5)
    assert plots.shown == (1.0, 2.0)
    playback.seek(2.5)
    assert plots.shown[0] < 2.5 < plots.shown[1]
    QtTest.QTest.mouseClick(panel.bar.follow.button("stay"), LEFT)
    shown = plots.shown
    playback.seek(5.5)
    assert plots.shown == shown
    QtTest.QTest.mouseClick(panel.bar.follow.button("follow"), LEFT)
    assert plots.shown[0] < 5.5 < plots.shown[1]


def test_the_overview_moves_and_resizes_the_stretch(window, panel, qtbot):
    plots, strip = window.studio.plots, panel.overview
    plots.show(1.0, 2.0)
    settle(panel, qtbot)
    middle = strip.height() // 2

    def pull(begin, end):
        start, stop = (QtCore.QPoint(round(strip.x_of(t)), middle) for t in (begin, end))
        QtTest.QTest.mousePress(strip, LEFT, pos=start)
        move = QtGui.QMouseEvent(
            QtCore.QEvent.Type.MouseMove,
            QtCore.QPointF(stop),
            QtCore.QPointF(strip.mapToGlobal(stop)),
            LEFT,
            LEFT,
            PLAIN,
        )
        QtWidgets.QApplication.sendEvent(strip, move)
        QtTest.QTest.mouseRelease(strip, LEFT, pos=stop)

    pull(1.5, 3.5)
    assert plots.shown == pytest.approx((3.0, 4.0), abs=0.03)
    pull(4.0, 5.0)
    assert plots.shown == pytest.approx((3.0, 5.0), abs=0.03)
    pull(4.5, 9.0)
    assert plots.shown == pytest.approx((4.0, 6.0), abs=0.03), "it stays inside the run"
    QtTest.QTest.mouseDClick(strip, LEFT, pos=QtCore.QPoint(round(strip.x_of(5.0)), middle))
    assert plots.stretch is None


def test_cursors_are_set_by_keys_and_dragged_and_measure_between(window, panel, qtbot):
    studio, pane = window.studio, panel.panes["plot_2"]
    area = pane.area
    area.setFocus()
    for name, time in (("a", 1.0), ("b", 4.0)):
        studio.runs.playback.seek(time)
        QtTest.QTest.keyClick(area, Qt.Key[f"Key_{name.upper()}"])
    plots = studio.plots
    assert plots.between == pytest.approx((1.0, 4.0)) and panel.numbers.isVisible()
    # B is dragged by its line
    studio.runs.playback.seek(0.2)
    settle(panel, qtbot)
    start = QtCore.QPoint(round(area.x_of(4.0)), area.height() // 2)
    drag(area, start, QtCore.QPoint(round(area.x_of(5.0)), start.y()))
    assert plots.b == pytest.approx(5.0, abs=0.02) and studio.runs.playback.time == 0.2
    plots.set_cursor("b", 5.0)
    settle(panel, qtbot)
    panel.numbers.refresh()
    numbers = {t.key: s for t, s in panel.numbers.numbers}["energy/kinetic"]
    kinetic = lambda t: 1 + math.sin(4 * t)
    fine = np.linspace(1.0, 5.0, 200001)
    assert numbers.first == pytest.approx(kinetic(1.0), abs=1e-3)
    assert numbers.change == pytest.approx(kinetic(5.0) - kinetic(1.0), abs=2e-3)
    assert numbers.mean == pytest.approx((1 + np.sin(4 * fine)).mean(), abs=1e-3)
    assert numbers.rms == pytest.approx(np.sqrt(((1 + np.sin(4 * fine)) ** 2).mean()), abs=1e-3)
    assert (numbers.least, numbers.greatest) == pytest.approx((0.0, 2.0), abs=1e-4)
    assert numbers.period == pytest.approx(math.pi / 2, rel=1e-3)
    # what the table shows are these numbers
    table = panel.numbers.table
    heads = [table.horizontalHeaderItem(k).text() for k in range(table.columnCount())]
    assert heads[0].startswith("Energy") and "4.000 s" in heads[0] and heads[1] == "A  1.000 s"
    shown = dict(zip(heads, (table.item(0, k).text() for k in range(table.columnCount()))))
    assert shown["Greatest"] == reading(numbers.greatest, 2.0) == "2.000"
    assert shown["Period"] == "1.571 s" and shown["Frequency"] == "0.6366 Hz"
    # a click on the greatest value jumps to its instant
    column = heads.index("Greatest")
    place = table.visualItemRect(table.item(0, column)).center()
    QtTest.QTest.mouseClick(table.viewport(), LEFT, pos=place)
    assert kinetic(studio.runs.playback.time) == pytest.approx(2.0, abs=1e-4)
    QtTest.QTest.mouseClick(panel.bar.cursors, LEFT)
    assert plots.a is None and plots.b is None and not panel.numbers.isVisible()


def test_less_than_a_period_between_the_cursors_is_a_dash(window, panel, qtbot):
    plots = window.studio.plots
    plots.activate("plot_2")
    plots.set_cursor("a", 1.0)
    plots.set_cursor("b", 1.5)
    settle(panel, qtbot)
    panel.numbers.refresh()
    table = panel.numbers.table
    assert table.item(0, 9).text() == table.item(0, 10).text() == "–"


def test_peaks_are_listed_and_a_click_jumps_there(window, panel, qtbot):
    window.studio.plots.activate("plot_1")
    QtTest.QTest.mouseClick(panel.bar.statistics, LEFT)
    settle(panel, qtbot)
    panel.numbers.refresh()
    table = panel.numbers.peaks
    times = [float(table.item(k, 2).text().removesuffix(" s")) for k in range(table.rowCount())]
    expected = [(k + 0.5) * math.pi / 2 for k in range(4) if (k + 0.5) * math.pi / 2 < 6.0]
    assert times == pytest.approx(expected, abs=2e-3)
    assert table.item(0, 1).text() == f"{reading(math.degrees(1.0), 114.6)} deg"
    table.scrollToItem(table.item(1, 2))
    place = table.visualItemRect(table.item(1, 2)).center()
    QtTest.QTest.mouseClick(table.viewport(), LEFT, pos=place)
    assert window.studio.runs.playback.time == pytest.approx(expected[1], abs=1e-4)


def test_pointing_at_a_curve_reads_it_and_lights_its_body(window, panel, qtbot):
    studio, pane = window.studio, panel.panes["plot_1"]
    area = pane.area
    place = area.place_of("joint/A/0", 1.2)
    QtTest.QTest.mouseMove(area.viewport(), place)
    qtbot.waitUntil(lambda: area.reading != "")
    name, value, time = area.reading.split("   ")
    assert name == "A angle" and float(time.removesuffix(" s")) == pytest.approx(1.2, abs=0.01)
    at = area.time_at(place.x())
    assert float(value.removesuffix(" deg")) == pytest.approx(
        math.degrees(math.sin(2 * at)), abs=0.1
    )
    assert studio.selection.lit == ("A", "crank") and area.thick == {"joint/A/0"}
    QtTest.QTest.mouseMove(area.viewport(), QtCore.QPoint(place.x(), 4))
    qtbot.waitUntil(lambda: area.reading == "")
    assert studio.selection.lit == () and area.thick == frozenset()
    # and the reverse: a body that is pointed at in the scene
    studio.selection.hover("crank")
    assert area.thick == {"joint/A/0"}
    studio.selection.hover("coupler")
    assert area.thick == frozenset()


@pytest.mark.slow
def test_the_legend_hides_and_isolates_and_shows_values(window, panel, qtbot):
    pane = panel.panes["plot_2"]
    window.studio.runs.playback.seek(1.0)
    settle(panel, qtbot)
    legend = pane.legend
    values = {e.key: e.value for e in legend.entries}
    assert float(values["energy/kinetic"]) == pytest.approx(1 + math.sin(4.0), abs=0.01)
    drawn = lambda: [t.key for t in pane.area.drawn if len(t.time)]
    assert drawn() == ["energy/kinetic", "energy/potential", "energy/total"]
    QtTest.QTest.mouseClick(legend, LEFT, pos=legend.place_of("energy/kinetic"))
    assert drawn() == ["energy/potential", "energy/total"]
    QtTest.QTest.mouseClick(legend, LEFT, pos=legend.place_of("energy/kinetic"))
    # a double click is a press first, as a hand makes it
    for count in (1, 4):
        qtbot.wait(QtWidgets.QApplication.doubleClickInterval() + 100)
        place = legend.place_of("energy/kinetic")
        QtTest.QTest.mouseDClick(legend, LEFT, pos=place)
        assert len(drawn()) == count, "alone, and all again"
    pane.toggle("energy/balance")


def test_statistics_leave_the_curves_a_height_to_be_read_in(window, panel, qtbot):
    window.studio.plots.set_statistics(True)
    shown = []
    for size, workspace in (
        ((1280, 800), "build"),
        ((1280, 800), "analyse"),
        ((1920, 1080), "build"),
    ):
        window.resize(*size)
        window.set_workspace(workspace)
        settle(panel, qtbot)
        shown.append(panel.numbers.isVisible())
        heights = [p.area._box.sceneBoundingRect().height() for p in panel.panes.values()]
        assert min(heights) >= 80, (size, workspace)
    window.studio.plots.set_statistics(False)
    assert shown == [False, True, True]


@pytest.mark.parametrize(("size", "outside"), [((1280, 800), True), ((1920, 1080), False)])
def test_a_pane_shows_values_and_its_whole_title_at_any_width(window, panel, qtbot, size, outside):
    window.resize(*size)
    window.set_workspace("build")
    window.studio.runs.playback.seek(1.0)
    for _ in range(2):
        settle(panel, qtbot)
    for pane in panel.panes.values():
        legend, title, area = pane.legend, pane.title, pane.area
        shown = [e.key for _, e, _ in legend._places if e.value and not e.hidden]
        assert legend.isVisible() and shown, (pane.pane.title, "no value")
        assert title.width() >= title.sizeHint().width(), pane.pane.title
        place = lambda widget, rect: rect.translated(widget.mapTo(pane, QtCore.QPoint(0, 0)))
        at = place(legend, legend.rect())
        if legend.parent() is pane.head:
            assert all(rect.left() >= 0 for rect, _, _ in legend._places)
            continue
        # between the units, above the curves and below the head
        frame = place(area, area._box.sceneBoundingRect().toAlignedRect())
        wide = QtGui.QFontMetrics(area._font).horizontalAdvance(pane.pane.units[0])
        assert pane.head.geometry().bottom() < at.top() and at.bottom() <= frame.top()
        assert area.x() + wide < at.left() and at.right() <= pane.width()
    # one curve beside a short title, and four that have room there in a wide pane only
    pane = panel.panes["plot_2" if outside else "plot_1"]
    assert (pane.legend.parent() is pane) is outside


@pytest.mark.slow
def test_the_heads_of_the_axes_name_their_units_and_zeros_lie_at_one_height(window, panel, qtbot):
    pane = panel.panes["plot_1"]
    pane.take(["body/coupler/vx"])
    settle(panel, qtbot)
    area = pane.area
    assert pane.pane.units == ("deg", "mm/s")
    left, _, right = area._ticks
    zero = next(v for v, text in left if text == "0")
    assert next(v for v, text in right if text == "0") == pytest.approx(zero, abs=1e-9)
    # the curve of the right axis is drawn where that axis says: 0.25 m/s is 250 mm/s
    offset, slope = area._right
    line = next(l for t, l in zip(area.drawn, area._lines) if t.key == "body/coupler/vx")
    assert offset + slope * line.yData[0] == pytest.approx(250.0)
    window.actions_.trigger("undo")
    settle(panel, qtbot)


@pytest.mark.slow
def test_the_stretch_stands_in_the_time_bar_and_is_dragged_there(window, panel, qtbot):
    plots, track = window.studio.plots, window.time_bar.track
    plots.show(1.0, 3.0)
    settle(panel, qtbot)
    foot = track.height() // 2 + window.theme.dp(22) // 2 + 4
    row = lambda time: QtCore.QPoint(round(track.x_of(time)), foot)

    def pull(start, end):
        QtTest.QTest.mousePress(track, LEFT, pos=row(start))
        QtTest.QTest.mouseMove(track, row(end))
        QtTest.QTest.mouseRelease(track, LEFT, pos=row(end))

    ink = QtGui.QColor(window.theme["text2"])
    image = track.grab().toImage()
    lit = [x for x in range(image.width()) if image.pixelColor(x, foot) == ink]
    assert lit
    now = window.studio.runs.playback.time
    pull(3.0, 4.0)
    assert plots.shown == pytest.approx((1.0, 4.0), abs=0.02) and not plots.follow
    pull(2.0, 2.5)
    assert plots.shown == pytest.approx((1.5, 4.5), abs=0.03)
    assert window.studio.runs.playback.time == now, "the time cursor stays"
    # above it the track seeks as ever, and where nothing is zoomed so does its foot
    plots.show_whole()
    QtTest.QTest.mouseClick(track, LEFT, pos=row(2.0))
    assert window.studio.runs.playback.time == pytest.approx(2.0, abs=0.02)
