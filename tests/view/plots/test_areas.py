"""Areas of plots on their own: places, ranges, widths and readings of curves made by hand, the
strip of the whole run, and legends.
"""

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mechstudio.application.lessons.predictions import Predictions
from mechstudio.application.plots.diagrams import DiagramCurve, Drawing, Peak
from mechstudio.application.plots.panes import DASHES, Curve, Pane
from mechstudio.application.plots.traces import Trace
from mechstudio.application.runs.playback import Playback
from mechstudio.application.signal import Signal
from mechstudio.model.project import Diagram
from mechstudio.view.plots.area import PlotArea
from mechstudio.view.plots.diagrams.area import DiagramArea, frequency_text
from mechstudio.view.plots.diagrams.bands import BandArea
from mechstudio.view.plots.legend import Entry, Legend
from mechstudio.view.plots.overview import Overview
from mechstudio.view.widgets.pens import color_of
from tests.view.recorder import Recorder, painted

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
TIMES = np.linspace(0.0, 4.0, 41)


class Plots:
    """Choice of what is shown of a run of 4 s; reported: calls."""

    def __init__(self):
        self.changed, self.reported = Signal(), []
        self.whole = self.shown = (0.0, 4.0)
        self.stretch = self.a = self.b = None

    def show(self, begin, end):
        self.stretch = self.shown = begin, end

    def __getattr__(self, name):
        return lambda *given: self.reported.append((name, *given))


@pytest.fixture
def studio():
    playback = Playback()
    playback.set_range(4.0, 4.0, True, 0.1)
    return SimpleNamespace(
        plots=Plots(),
        runs=SimpleNamespace(playback=playback, recording=None),
        document=SimpleNamespace(movement=""),
        preferences=SimpleNamespace(still=True),
        lecture=SimpleNamespace(predictions=Predictions(), step=None),
        questions=SimpleNamespace(curves=SimpleNamespace(loose=lambda key: key == "loose")),
    )


def curve(key, **more):
    usual = {"word": key, "color": 0, "dash": 0, "hidden": False, "measured": False, "factor": 1.0}
    return Curve(key, **usual | {"unit": "mm", "label": key} | more)


def trace(key, values, times=TIMES, color=0, run="", points=False, **more):
    values = np.asarray(values, float)
    return Trace(key, curve(key, **more), run, key, "", color, 0, times, values, points)


def pane(units=("mm", ""), log=False, **more):
    curves = more.pop("curves", ())
    return Pane("p", "P", units, log, tuple(curves), **more)


def layers(name, area):
    """Calls of painters behind and over the curves of an area."""
    lines, ground = [], QtGui.QPixmap(area.size())
    for layer in (area.drawBackground, area.drawForeground):
        Recorder.lines = []
        painter = Recorder(ground)
        layer(painter, area.rect())
        painter.end()
        lines += [f"# {name}, {layer.__name__}", *Recorder.lines]
    return lines


# curves over the time


@pytest.fixture
def plot(theme, studio, qtbot):
    """plot(traces, pane): an area of 400 px by 240."""
    made = []

    def make(traces, shown=None, kind=PlotArea):
        shown = shown or pane(curves=[t.curve for t in traces])
        area = kind(theme, studio, shown, lambda: list(traces))
        area.resize(400, 240)
        area.show()
        qtbot.waitExposed(area)
        QApplication.processEvents()
        made.append(area)
        return area

    yield make
    for area in made:
        area.hide()
        area.deleteLater()


def test_curves_have_their_places_on_both_axes(plot, studio):
    """On the left axis from 0 to 10, on the right one from −50 to 50: zeros at one height."""
    second = curve("b", second=True, unit="N")
    traces = [trace("a", 2.5 * TIMES), trace("b", 25 * TIMES - 50, second=True, unit="N")]
    area = plot(traces, pane(("mm", "N"), curves=[traces[0].curve, second]))
    (left, right), (low, high) = area._box.viewRange()
    assert (left, right) == (0.0, 4.0)
    assert area._right[0] == pytest.approx(0.0) and low == pytest.approx(-high)
    frame = area._box.sceneBoundingRect()
    for t, value, x, y in ((0.0, 0.0, 0.0, 0.5), (2.0, high, 0.5, 0.0), (4.0, low, 1.0, 1.0)):
        at = area.place(t, value)
        assert at.x() == pytest.approx(frame.left() + x * frame.width(), abs=0.6)
        assert at.y() == pytest.approx(frame.top() + y * frame.height(), abs=0.6)
        assert area.time_at(at.x()) == pytest.approx(t, abs=0.02)
    # both are at the same height where they have the same share of their axes
    slope = area._right[1]
    assert area._placed(traces[1], np.array([50.0]))[0] == pytest.approx(50.0 / slope)
    assert area.place_of("b", 4.0) == area.place(4.0, 50.0 / slope).toPoint()
    assert area.place_of("a", 4.0) == area.place(4.0, 10.0).toPoint()
    ticks = area._ticks
    assert ticks[0] and ticks[1] and ticks[2]
    for value, text in ticks[2]:
        assert value * slope == pytest.approx(float(text.replace("−", "-")), abs=1e-9)
    assert area._axis_of("a") == (0.0, 1.0)
    zero, one = area._axis_of("b")
    assert (zero, one) == (pytest.approx(0.0, abs=1e-9), pytest.approx(1 / slope))
    # readings have the digits of their own axes
    assert area.value_text(traces[0], 1.0) == "2.50 mm"
    assert area.value_text(traces[1], 1.0) == "−25.0 N"
    assert area.value_text(traces[1], 1.0, False) == "−25.0"
    assert area.value_text(traces[0], 9.0) == "– mm"


def test_a_band_bears_its_name_where_it_has_room(plot):
    """Of two bands the upper one is a hundredth as thick: no word fits into it."""
    traces = [trace("thick", 10.0 * TIMES), trace("thin", 0.1 * TIMES)]
    area = plot(traces, kind=BandArea)
    written = [line for line in layers("bands", area) if line.startswith("drawText")]
    (named,) = (line for line in written if "thick" in line)
    assert not any("thin" in line for line in written)
    x, y, width, height = map(float, named.split("[")[1].split("]")[0].split())
    middle = QPointF(x + width / 2, y + height / 2)
    # the band reaches from zero up to its curve
    assert area.place(0.0, 0.0).y() > middle.y()
    assert middle.y() > area.place(area.time_at(middle.x()), 10.0 * area.time_at(middle.x())).y()


def test_the_nearest_curve_is_pointed_at(plot, studio):
    traces = [trace("a", TIMES), trace("b", 4.0 - TIMES), trace("gap", np.full(41, np.nan))]
    area, reported = plot(traces), []
    area.pointed.connect(reported.append)
    for t, value, off, key in (
        (1.0, 1.0, 0, "a"),
        (1.0, 3.0, 8, "b"),
        (1.0, 1.0, 10, ""),
        (2.1, 2.1, -1, "a"),
        (1.9, 2.1, 1, "b"),
    ):
        at = area.place(t, value) + QPointF(0, off)
        area._point(at)
        found = "" if area._hover is None else area._hover[0].key
        assert found == key, (t, value, off)
    assert reported == ["a", "b", "", "a", "b"]
    assert area.reading == f"b   {area.value_text(traces[1], area._hover[1])}   1.900 s"
    studio.lecture.predictions.cover(("p",), 1.0)
    area._point(area.place(1.9, 2.1))
    assert area._hover is None, "it is covered"
    area._point(None)
    assert area.reading == ""


def test_cursors_are_taken_within_six_pixels(plot, studio):
    area = plot([trace("a", TIMES)])
    plots, x = studio.plots, area.x_of
    plots.a, plots.b = 1.0, 3.0
    area._time = 2.0
    for time, off, name in (
        (1.0, 6, "a"),
        (1.0, 6.5, ""),
        (3.0, -6, "b"),
        (2.0, 0, "time"),
        (2.0, 20, ""),
    ):
        assert area._at_mark(x(time) + off) == name, (time, off)
    shapes = Qt.CursorShape
    for time, stretch, shape in (
        (1.0, None, shapes.SplitHCursor),
        (1.5, None, shapes.PointingHandCursor),
        (1.5, (0.0, 2.0), shapes.OpenHandCursor),
    ):
        plots.stretch = stretch
        area._point(QPointF(x(time), 100))
        assert area.cursor().shape() == shape
    plots.stretch = None
    at = lambda time: QPointF(x(time), 100)
    assert area._take(at(1.5)) == "time" and studio.runs.playback.time == pytest.approx(
        1.5, abs=0.02
    )
    area._grip = "a"
    area._drag(at(2.5))
    assert plots.reported[-1][:2] == ("set_cursor", "a")
    assert plots.reported[-1][2] == pytest.approx(2.5, abs=0.02)
    plots.stretch = (0.0, 4.0)
    assert area._take(at(0.5)) == "pan"
    # to the left by a second, to what is a unit higher, by the hand's own range alone
    area._pan(QPointF(2.0, 1.0), QPointF(1.0, 0.0))
    assert plots.reported[-2:] == [("set_follow", False), ("pan", 1.0)] and area._by_hand is None
    area._zoom_to(QPointF(1.0, -1.0), QPointF(2.0, 3.0))
    assert plots.shown == (1.0, 2.0) and area._by_hand == (-1.0, 3.0)
    assert area._box.viewRange()[1] == [-1.0, 3.0]
    area._pan(QPointF(2.0, 1.0), QPointF(1.0, 0.0))
    assert area._by_hand == (0.0, 4.0)
    area.show_all()
    assert area._by_hand is None and plots.reported[-1] == ("show_whole",)
    area.show_pane(area._pane)
    area._by_hand = (0.0, 9.0)
    area.show_pane(pane(curves=area._pane.curves))
    assert area._by_hand == (0.0, 9.0), "the range is still right"
    area.show_pane(pane(("N", "")))
    assert area._by_hand is None


def test_what_curves_are_drawn_with(plot, theme, studio):
    """Wide, thin where they are of an earlier run, thick where they are pointed at, faint where
    rigid bodies do not determine them.
    """
    usual, old = trace("a", TIMES), trace("a", TIMES, color=-1, run="r")
    own, loose = trace("c", TIMES, width=3.0), trace("loose", TIMES)
    area = plot([usual, old, own, loose])
    width = lambda t: area._pen(t).widthF()
    alpha = lambda t: round(area._pen(t).color().alphaF(), 2)
    assert [width(t) for t in (usual, old, own)] == [1.7, 1.2, 3.0]
    assert [alpha(t) for t in (usual, old, loose)] == [1.0, 1.0, 0.5]
    area.thick = frozenset(("a",))
    assert [width(t) for t in (usual, old, own)] == [2.6, 2.6, 3.0]
    crowd = area._pen(usual, True)
    assert crowd.widthF() == 1.0 and crowd.isCosmetic()
    depth = [line.zValue() for line in area._lines]
    assert depth == [0.0, -0.5, 0.0, 0.0]
    # an earlier run turns grey while another one appears
    area.fade.setCurrentTime(0)
    assert area._ink(old) == (theme["text3"], 1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(area), "_faded_in", property(lambda area: 0.5))
        assert area._ink(usual) == (color_of(theme, 0), 0.5)
        name, ink = area._ink(old)
        own_color, grey = QtGui.QColor(color_of(theme, 0)), QtGui.QColor(theme["text3"])
        assert ink == 1.0
        assert QtGui.QColor(name).red() == pytest.approx((own_color.red() + grey.red()) / 2, abs=1)
        assert area._ink(trace("k", TIMES, run="r", color=2)) == (color_of(theme, 2), 1.0)


def test_many_points_are_thinned_and_crowds_drawn_plainly(plot):
    times = np.linspace(0.0, 4.0, 20_001)
    busy = trace("busy", np.sin(400 * times), times)
    calm = trace("calm", np.sin(times), times)
    rings = trace("rings", TIMES, points=True)
    area = plot([busy, calm, rings])
    drawn = {t.key: len(x) for t, x, _ in area._points(0.0, 4.0)}
    assert drawn["busy"] == drawn["calm"] == 4 * (area._width // 2) and drawn["rings"] == 41
    assert [crowd for _, crowd in area._lined] == [True, False, False]
    # five widths of the pane are a crowd, of points that are a quarter of its width at least
    high, wide = area._box.sceneBoundingRect().height(), area._width
    zigzag = lambda count, sum_: np.where(np.arange(count) % 2, sum_ / (count - 1), 0.0)
    scale = (0.0, 1.0)
    for count, share, crowd in ((wide, 0.99, False), (wide, 1.01, True), (wide // 4 - 1, 2, False)):
        values = zigzag(count, share * 5 * wide / high)
        assert area._is_crowd(values, scale) is crowd, (count, share)
    assert not area._is_crowd(zigzag(wide, 1.5 * 5 * wide / high), (0.0, 2.0))
    few, many = area._marks(rings, wide // 7), area._marks(rings, wide // 7 + 1)
    assert (few["symbolSize"], many["symbolSize"]) == (6.0, 3.5) and few["pen"] is None


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_what_is_painted_over_curves_is_as_approved(plot, studio, approved, theme):
    """Units, cursors with their flags and dots, readings at the edges, a box, an empty pane."""
    traces = [trace("a", 3 * TIMES), trace("b", 12 - 3 * TIMES, color=2, second=True, unit="N")]
    area = plot(traces, pane(("mm", "N"), curves=[t.curve for t in traces]))
    plots, lines = studio.plots, []

    def shown(name):
        lines.extend(layers(name, area))

    studio.runs.playback.seek(1.0)
    area.move_cursor()
    shown("plain")
    plots.a, plots.b = 2.0, 0.5
    area._point(area.place(3.9, 11.7))
    shown("two cursors, and a reading at the right edge")
    plots.a, plots.b = None, 9.0
    area._point(area.place(0.05, 0.15))
    shown("one out of sight, and a reading at the lower edge")
    area._grip, area._moved = "box", True
    area._from, area._corner = QPointF(200, 150), QPointF(120, 60)
    shown("a box")
    area._grip = ""
    area._point(None)
    studio.runs.playback.seek(0.0)
    area.move_cursor()
    plots.shown = (1.0, 2.0)
    area.refresh()
    shown("without the instant")
    empty = plot([], pane(("mm", "")))
    area = empty
    shown("empty")
    approved.holds("strokes_over_curves.txt", "\n".join(lines) + "\n")


def turn(area, across, up, keys=NONE, at=QPointF(150, 100)):
    """Turn the wheel over an area by so many notches."""
    angle = QPoint(round(120 * across), round(120 * up))
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    area.wheelEvent(QtGui.QWheelEvent(at, at, QPoint(), angle, none, keys, phase, False))


def sent(area, kind, at, button=LEFT, keys=NONE):
    """Give an area an event of the mouse."""
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    event = QtGui.QMouseEvent(kind, at, at, button, held, keys)
    handler = {
        QEvent.Type.MouseButtonPress: area.mousePressEvent,
        QEvent.Type.MouseMove: area.mouseMoveEvent,
        QEvent.Type.MouseButtonRelease: area.mouseReleaseEvent,
    }[kind]
    handler(event)


PRESS, MOVE, RELEASE = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)


def test_wheel_and_keys_change_the_stretch(plot, studio, monkeypatch):
    area, plots, requests = plot([trace("a", TIMES)]), studio.plots, []
    at = QPointF(area.x_of(1.0), 100)
    here = area.time_at(at.x())
    plots.shown = (1.0, 3.0)
    for (across, up), keys, reported in (
        ((0, 1), NONE, [("zoom", 1.25, here)]),
        ((0, -2), NONE, [("zoom", 1.25**-2, here)]),
        ((1, 0), NONE, [("set_follow", False), ("pan", -0.2)]),
        ((0, 2), SHIFT, [("set_follow", False), ("pan", -0.4)]),
    ):
        plots.reported.clear()
        turn(area, across, up, keys, at)
        assert plots.reported == reported, (across, up)
    monkeypatch.setattr(type(area), "_pointer_time", property(lambda area: 1.5))
    monkeypatch.setattr(area, "show_all", lambda: requests.append("all"))
    area.requested.connect(lambda: requests.append("choice"))
    area.copied.connect(lambda: requests.append("copy"))
    keys, mod = Qt.Key, Qt.KeyboardModifier
    for key, held, reported in (
        (keys.Key_Plus, NONE, [("zoom", 1.5625, 1.5)]),
        (keys.Key_Equal, NONE, [("zoom", 1.5625, 1.5)]),
        (keys.Key_Minus, NONE, [("zoom", 0.64, 1.5)]),
        (keys.Key_A, NONE, [("set_cursor", "a", 1.5)]),
        (keys.Key_B, SHIFT, [("set_cursor", "b", 1.5)]),
        (keys.Key_0, NONE, ["all"]),
        (keys.Key_Insert, NONE, ["choice"]),
        (keys.Key_C, CTRL, ["copy"]),
        (keys.Key_C, NONE, []),
        (keys.Key_A, CTRL, []),
        (keys.Key_A, mod.AltModifier, []),
        (keys.Key_B, mod.MetaModifier, []),
    ):
        plots.reported.clear()
        requests.clear()
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            event = QtGui.QKeyEvent(kind, key, held)
            event.setAccepted(kind == QEvent.Type.KeyPress)
            area.event(event)
            assert event.isAccepted() == bool(reported), (key, held)
        assert plots.reported + requests == reported, (key, held)


def test_drags_over_curves(plot, studio, monkeypatch):
    """A box with Shift, the view where it is zoomed, else the time; the right button's menu."""
    area, plots, reported = plot([trace("a", TIMES)]), studio.plots, []
    area.used.connect(lambda: reported.append("used"))
    area.menu_requested.connect(lambda at: reported.append(at.toTuple()))
    a, b = area.place(1.0, 1.0), area.place(3.0, 3.0)
    sent(area, PRESS, QPointF(7, 8), RIGHT)
    assert reported == ["used", (7, 8)]
    sent(area, PRESS, a, Qt.MouseButton.MiddleButton)
    assert area._grip == "" and reported[-1] == "used"
    sent(area, PRESS, b, LEFT, SHIFT)
    assert area._grip == "box"
    sent(area, MOVE, b - QPointF(1, 2))
    assert not area._moved
    sent(area, MOVE, a)
    sent(area, RELEASE, a)
    assert plots.shown == pytest.approx((1.0, 3.0), abs=0.02)
    assert area._by_hand == pytest.approx((1.0, 3.0), abs=0.03) and area._grip == ""
    # a box that was not drawn, or has no height, shows nothing new
    before = plots.shown
    for end in (QPointF(1, 1), QPointF(40, 0)):
        sent(area, PRESS, a, LEFT, SHIFT)
        sent(area, MOVE, a + end)
        sent(area, RELEASE, a + end)
        assert plots.shown == before
    # what is zoomed is panned, or the time put by a click
    moved = []
    monkeypatch.setattr(area, "_pan", lambda first, last: moved.append(last.x() - first.x()))
    a = QPointF(area.x_of(2.2), 100)
    second = area.x_of(2.0) - area.x_of(1.0)
    studio.runs.playback.seek(0.0)
    sent(area, PRESS, a)
    for far in (2, 10, 30):
        sent(area, MOVE, a + QPointF(far, 0))
    sent(area, RELEASE, a + QPointF(30, 0))
    assert moved == [pytest.approx(10 / second, abs=1e-6), pytest.approx(20 / second, abs=1e-6)]
    assert studio.runs.playback.time == 0.0
    sent(area, PRESS, a)
    sent(area, RELEASE, a)
    assert studio.runs.playback.time == pytest.approx(2.2, abs=0.02)
    QTest.mouseDClick(area.viewport(), LEFT)
    assert area._by_hand is None


# diagrams


@pytest.fixture
def diagram(theme, studio, qtbot):
    """diagram(drawing, kind, log): the area of a diagram, 400 px by 240."""
    made = []

    def make(drawing, kind="xy", log=False):
        across = curve("x", label="x", unit="mm")
        shown = pane(("N", ""), log, diagram=Diagram(kind, across="x"), across=across)
        area = DiagramArea(theme, studio, shown, list, lambda traces: drawing)
        area.resize(400, 240)
        area.show()
        qtbot.waitExposed(area)
        QApplication.processEvents()
        made.append(area)
        return area

    yield make
    for area in made:
        area.hide()
        area.deleteLater()


def drawn(x, y, points=False, peaks=(), **more):
    x, y = np.asarray(x, float), np.asarray(y, float)
    instants = more.pop("instants", np.linspace(0.0, 4.0, len(x)))
    path = more.pop("path", (np.zeros(0), np.zeros(0)))
    return DiagramCurve(trace("c", y, x, **more), x, y, instants, points, peaks, path)


def test_a_diagram_shows_all_of_its_curves(diagram):
    line = drawn([0.0, 10.0], [-5.0, 5.0])
    area = diagram(Drawing((line,)))
    (left, right), (low, high) = area._box.viewRange()
    assert (left, right) == pytest.approx((-0.6, 10.6)) and (low, high) == pytest.approx(
        (-5.6, 5.6)
    )
    # what the motion of a section does belongs to it
    dots = drawn([4.0], [0.0], True, path=(np.array([0.0, 10.0]), np.array([1.0, 2.0])))
    (left, right), (low, high) = diagram(Drawing((dots,)))._box.viewRange()
    assert (left, right) == pytest.approx((-0.6, 10.6)) and (low, high) == pytest.approx(
        (-0.12, 2.12)
    )
    # a spectrum begins at nothing, and has room for words over its peaks
    x = np.linspace(0.0, 100.0, 201)
    spectrum = drawn(x, np.where(x == 40.0, 2.0, 0.0), peaks=(Peak(40.0, 2.0),), instants=x[:0])
    area = diagram(Drawing((spectrum,)), "spectrum")
    (left, right), (low, high) = area._box.viewRange()
    assert (left, right, low) == (0.0, 50.0, 0.0), "a quarter beyond the last peak"
    assert high == pytest.approx(2.12 + 0.08 * 2.24)


def test_points_of_a_diagram_have_places_and_instants(diagram, studio):
    turn = np.linspace(0.0, 2 * math.pi, 401)
    circle = drawn(10 * np.cos(turn), 10 * np.sin(turn))
    area = diagram(Drawing((circle,)))
    frame = area._box.sceneBoundingRect()
    places = area._placed(np.array([0.0, -11.2, 11.2, np.nan]), np.array([0.0, -11.2, 11.2, 0.0]))
    assert places[0] == pytest.approx((frame.center().x(), frame.center().y()), abs=0.01)
    assert places[1] == pytest.approx((frame.left(), frame.bottom()), abs=0.01)
    assert places[2] == pytest.approx((frame.right(), frame.top()), abs=0.01)
    assert np.isnan(places[3, 0]) and places[3, 1] == places[0, 1]
    # neighbours in one pixel are drawn once
    (_, keep, near) = area._near[0]
    assert keep[0] == 0 and keep[-1] == 400 and len(keep) <= 401 and len(near) == len(keep)
    area._point(area.place(10.0 * math.cos(1.0), 10.0 * math.sin(1.0)))
    name, x, y, time = area.reading.split("   ")
    assert (name, x) == ("c", f"{float(x.split()[0]):.2f} mm") and y.endswith(" N")
    # an instant of 4 s for the whole turn
    assert float(time.split()[0]) == pytest.approx(4.0 / (2 * math.pi), abs=0.05)
    assert area._take(area.place(-10.0, 0.0)) == "time"
    assert studio.runs.playback.time == pytest.approx(2.0, abs=0.05)
    assert area._take(frame.center()) == ""
    assert (
        area.value_text(circle.trace, 1.0) == "10.00 N"
        and area.value_text(circle.trace, 9.0) == "– N"
    )
    assert area.value_text(trace("other", TIMES), 1.0) == "–"
    # a zoom leaves what is under the pointer where it is
    at = area.place(5.0, -5.0)
    area.zoom(2.0, at)
    (left, right), (low, high) = area._box.viewRange()
    assert right - left == pytest.approx(11.2) and high - low == pytest.approx(11.2)
    assert area.place(5.0, -5.0).x() == pytest.approx(at.x(), abs=0.5)
    assert area.place(5.0, -5.0).y() == pytest.approx(at.y(), abs=0.5)
    assert area._take(frame.topLeft() + QPointF(1, 1)) == "pan"
    area._pan(QPointF(1.0, 2.0), QPointF(0.0, 4.0))
    assert area._by_hand[0] == pytest.approx((left + 1, right + 1))
    assert area._by_hand[1] == pytest.approx((low - 2, high - 2))
    area.show_all()
    assert area._by_hand is None
    area._zoom_to(QPointF(0.0, 1.0), QPointF(2.0, 3.0))
    assert area._box.viewRange() == [[0.0, 2.0], [1.0, 3.0]]


def test_a_spectrum_zooms_along_its_frequencies(diagram):
    x = np.linspace(0.0, 100.0, 201)
    peaks = (Peak(40.0, 2.0), Peak(20.0, 1.0))
    area = diagram(
        Drawing((drawn(x, np.exp(-((x - 40) ** 2)), peaks=peaks, instants=x[:0]),)), "spectrum"
    )
    assert area.value_text(area.drawing.curves[0].trace, 0.0) == "40.00 Hz"
    (_, right), up = area._box.viewRange()
    area.zoom(0.5, area.place(10.0, 0.5))
    assert area._box.viewRange()[0][0] == 0.0 and area._box.viewRange()[1] == up
    assert area._box.viewRange()[0][1] == pytest.approx(10 + 2 * (right - 10), rel=0.01)
    section = drawn([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], True)
    assert diagram(Drawing((section,))).value_text(section.trace, 0.0) == "3"
    assert frequency_text(0.49838) == "0.4984 Hz"


def test_the_wheel_over_a_diagram(diagram):
    area = diagram(Drawing((drawn([0.0, 10.0], [-5.0, 5.0]),)))
    whole = area._whole
    zoomed = []
    area.zoom = lambda factor, at: zoomed.append((factor, at))
    at = QPointF(150, 100)
    turn(area, 0, 2, NONE, at)
    assert zoomed == [(1.5625, at)]
    for across, up, keys, share in ((1, 0, NONE, -0.1), (0, -2, SHIFT, 0.2)):
        area.show_all()
        turn(area, across, up, keys)
        by = share * 11.2
        assert area._by_hand[0] == pytest.approx((whole[0][0] + by, whole[0][1] + by))
        assert area._by_hand[1] == whole[1] and len(zoomed) == 1


def test_a_diagram_that_is_being_found_keeps_the_one_before(diagram):
    reported, state = [], [Drawing((drawn([0.0, 10.0], [-5.0, 5.0]),), "how")]
    area = diagram(state[0])
    area.drew.connect(reported.append)
    area._make = lambda traces: state[0]
    state[0] = Drawing(refusal="It is being found.", pending=True)
    area.refresh()
    assert reported[-1].note == "It is being found." and reported[-1].pending
    assert len(reported[-1].curves) == 1 and area.drawing is reported[-1]
    state[0] = Drawing(refusal="There is none.")
    area.refresh()
    assert reported[-1] is state[0]
    count = len(reported)
    area.refresh()
    assert len(reported) == count, "it is the same"
    # another kind of diagram finds its range again, another colour does not
    area._by_hand = ((0.0, 1.0), (0.0, 1.0))
    area.show_pane(area._pane)
    assert area._by_hand is not None
    area.show_pane(
        pane(("N", ""), diagram=Diagram("spectrum", across="x"), across=area._pane.across)
    )
    assert area._by_hand is None


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_diagrams_are_painted_as_approved(diagram, studio, approved):
    lines = []
    turn = np.linspace(0.0, 2 * math.pi, 41)
    x = np.linspace(0.0, 100.0, 201)
    peaks = (Peak(40.0, 2.0), Peak(41.0, 1.9), Peak(2.0, 1.0), Peak(90.0, 0.5))
    spectrum = drawn(x, np.where(x == 40.0, 2.0, 0.2), peaks=peaks, instants=x[:0])
    studio.runs.playback.seek(1.0)
    for name, made, kind in (
        ("circle", Drawing((drawn(10 * np.cos(turn), 10 * np.sin(turn), color=1),)), "xy"),
        ("earlier run", Drawing((drawn(np.cos(turn), np.sin(turn), color=-1, run="r"),)), "xy"),
        ("spectrum", Drawing((spectrum,)), "spectrum"),
        (
            "refused",
            Drawing(refusal="There is no run yet, and so nothing to be drawn of it."),
            "xy",
        ),
    ):
        area = diagram(made, kind)
        if name == "circle":
            area._point(area.place(10.0, 0.0))
        lines += layers(name, area)
    approved.holds("strokes_of_diagrams.txt", "\n".join(lines) + "\n")


# the whole run, and the legend


@pytest.fixture
def overview(theme, studio, qtbot):
    """The strip of a run of 4 s, of which 400 px are to be seen: a second is 100 px."""
    made = Overview(theme, studio, lambda: [trace("none", [], TIMES[:0]), trace("a", TIMES**2)])
    qtbot.addWidget(made)
    made.resize(420, 38)
    made.show()
    return made


def test_the_overview_moves_the_stretch(overview, studio):
    plots = studio.plots
    plots.shown = (1.0, 2.0)
    assert (overview.x_of(0.0), overview.x_of(1.0), overview.x_of(4.0)) == (10.0, 110.0, 410.0)
    assert (overview.time_at(10.0), overview.time_at(260.0)) == (0.0, 2.5)
    parts = {101: "", 102: "begin", 118: "begin", 119: "all", 201: "all", 202: "end", 218: "end"}
    assert {x: overview._at(x) for x in parts} == parts and overview._at(219) == ""

    def drag(first, last, button=LEFT):
        QTest.mousePress(overview, button, NONE, QPoint(first, 19))
        QTest.mouseMove(overview, QPoint(last, 19))
        QTest.mouseRelease(overview, button, NONE, QPoint(last, 19))

    for first, last, shown in (
        (112, 62, (0.5, 2.0)),
        (110, 300, (2.0 - 1e-9, 2.0)),
        (210, 260, (1.0, 2.5)),
        (210, 50, (1.0, 1.0 + 1e-9)),
        (160, 210, (1.5, 2.5)),
        (160, 400, (3.0, 4.0)),  # to the end of the run
        (160, 20, (0.0, 1.0)),
        (310, 310, (2.5, 3.5)),  # beside it: it comes there
        (310, 335, (2.75, 3.75)),
    ):
        plots.shown = (1.0, 2.0)
        plots.reported.clear()
        drag(first, last)
        assert plots.shown == pytest.approx(shown), (first, last)
        assert plots.reported == [("set_follow", False)] and overview._grip == ""
    plots.shown = (1.0, 2.0)
    drag(160, 210, RIGHT)
    assert plots.shown == (1.0, 2.0)
    shapes = Qt.CursorShape
    for x, shape in (
        (110, shapes.SplitHCursor),
        (210, shapes.SplitHCursor),
        (160, shapes.OpenHandCursor),
    ):
        QTest.mouseMove(overview, QPoint(x, 19))
        assert overview.cursor().shape() == shape
    QTest.mouseDClick(overview, LEFT, NONE, QPoint(300, 19))
    assert ("show_whole",) in plots.reported


def test_the_overview_is_painted_as_approved(overview, studio, monkeypatch, approved):
    studio.plots.shown = (1.0, 2.0)
    studio.runs.playback.seek(3.0)
    overview.resize(430, 38)  # its curve is painted again
    lines = painted(overview, monkeypatch)
    assert any(line.startswith("drawPolyline") for line in lines)
    again = painted(overview, monkeypatch)
    assert not any(line.startswith("drawPolyline") for line in again), "the curve is the same"
    other = trace("a", np.append(TIMES[:-1] ** 2, 20.0))
    overview._source = lambda: [other]
    again = painted(overview, monkeypatch)
    assert any(line.startswith("drawPolyline") for line in again), "its end is another"
    approved.holds("strokes_of_the_overview.txt", "\n".join(lines) + "\n")


def test_the_overview_draws_four_points_for_two_pixels(overview, monkeypatch):
    times = np.linspace(0.0, 4.0, 10_001)
    for dense, places in ((trace("a", np.sin(9 * times), times), 800), (trace("b", TIMES), 41)):
        overview._source = lambda dense=dense: [dense]
        lines = painted(overview, monkeypatch)
        (line,) = [line for line in lines if line.startswith("drawPolyline")]
        assert line.startswith(f"drawPolyline {places} places")
    # a level one is at the foot, and one without numbers is none
    for values, ends in ((np.full(2, 3.0), "(10.0 30.0) (410.0 30.0)"), (np.full(2, np.nan), "")):
        level = trace("c", values, np.array([0.0, 4.0]))
        overview._source = lambda level=level: [level]
        lines = painted(overview, monkeypatch)
        drawn = [line for line in lines if line.startswith("drawPolyline")]
        assert drawn == ([f"drawPolyline {ends}"] if ends else [])


def entry(key, word="", value="", **more):
    return Entry(key, word, value, "#112233", 0, **more)


@pytest.fixture
def legend(theme, qtbot):
    made = Legend(theme)
    qtbot.addWidget(made)
    made.resize(300, 30)
    made.show()
    return made


def rooms(legend):
    return {e.key: rect.getRect()[::2] for rect, e, _ in legend._places}


def test_a_legend_leaves_words_out_first_then_entries(legend):
    """Without words an entry is 26 px wide, with a value more."""
    bare = tuple(entry(k) for k in "abc")
    legend.show_entries(bare)
    assert rooms(legend) == {"a": (192, 36), "b": (228, 36), "c": (264, 36)}, "24 px and 12"
    assert all(words for _, _, words in legend._places) and legend._more.isNull()
    assert legend.place_of("b") == QRect(228, 0, 36, 30).center()
    legend.resize(108, 30)
    QApplication.processEvents()
    assert legend._width(bare[0], True) == 36 and rooms(legend)["a"] == (0, 36)
    legend.resize(107, 30)
    QApplication.processEvents()
    assert rooms(legend) == {"a": (29, 26), "b": (55, 26), "c": (81, 26)}
    # 30 px for the number of those that are left out, the hidden ones before the others
    for hidden, width, shown, more in (
        ("", 103, {"a": (21, 26), "b": (47, 26)}, (73, 30)),
        ("ac", 103, {"b": (21, 26), "d": (47, 26)}, (73, 30)),
        ("b", 81, {"a": (25, 26)}, (51, 30)),
        ("", 55, {}, (25, 30)),
        ("", 104, {k: (26 * n, 26) for n, k in enumerate("abcd")}, (0, 0)),
    ):
        legend.show_entries(tuple(entry(k, hidden=k in hidden) for k in "abcd"))
        legend.resize(width, 30)
        QApplication.processEvents()
        assert rooms(legend) == shown and legend._more.getRect()[::2] == more, width
    measure = QtGui.QFontMetrics(legend._font).horizontalAdvance
    assert legend._width(entry("a", "word", "1.5"), True) == 48 + measure("word") + measure("1.5")
    assert legend._width(entry("a", "word", "1.5"), False) == 33 + measure("1.5")


def test_a_legend_is_used_by_keys_and_clicks(legend, theme):
    reported = []
    for name in ("toggled", "isolated", "pointed"):
        getattr(legend, name).connect(lambda key, name=name: reported.append((name, key)))
    legend.styled.connect(lambda key, at: reported.append(("styled", key)))
    press = lambda key, modifier=NONE: QTest.keyClick(legend, key, modifier)
    press(Qt.Key.Key_Right)
    assert reported == [], "nothing is in it"
    legend.show_entries(tuple(entry(k, tip=f"tip {k}") for k in "abc"))
    keys = Qt.Key
    press(keys.Key_Return)
    press(keys.Key_Menu)
    assert reported == [], "nothing is pointed at"
    for key, modifier, expected in (
        (keys.Key_Right, NONE, ("pointed", "a")),
        (keys.Key_Right, NONE, ("pointed", "b")),
        (keys.Key_Left, NONE, ("pointed", "a")),
        (keys.Key_Left, NONE, ("pointed", "c")),
        (keys.Key_Return, NONE, ("toggled", "c")),
        (keys.Key_Enter, CTRL, ("isolated", "c")),
        (keys.Key_Menu, NONE, ("styled", "c")),
        (keys.Key_Right, NONE, ("pointed", "a")),
    ):
        reported.clear()
        press(key, modifier)
        assert reported == [expected], key
    at = {key: legend.place_of(key) for key in "abc"}
    reported.clear()
    QTest.mouseClick(legend, LEFT, NONE, at["b"])
    QTest.mouseClick(legend, RIGHT, NONE, at["b"])
    assert reported == [("toggled", "b"), ("styled", "b")]
    QTest.mouseMove(legend, at["b"])
    assert legend.toolTip() == "tip b" and reported[-1] == ("pointed", "b")
    QTest.mouseDClick(legend, LEFT, NONE, at["c"])
    assert reported[-1] == ("isolated", "c")
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert reported[-1] == ("pointed", "")
    legend.show_entries((entry("a", "x & y"), entry("b", "z", hidden=True), entry("c", "w")))
    legend.resize(60, 30)
    QApplication.processEvents()
    QTest.mouseClick(legend, LEFT, NONE, legend._more.center())
    assert [(a.text(), a.isChecked()) for a in legend.menu.actions()] == [
        ("x && y", True),
        ("z", False),
        ("w", True),
    ]
    legend.menu.actions()[1].trigger()
    legend.menu.close()
    assert reported[-1] == ("toggled", "b")


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_legends_are_painted_as_approved(legend, monkeypatch, approved):
    lines = []
    entries = (
        entry("a", "word", "1.5"),
        entry("b", "hidden", "2", hidden=True),
        entry("c", "loose", "", faint=True),
        entry("d", "", "7", points=True),
        entry("e", "wide", "", width=4.0),
    )
    legend.show_entries(entries)
    for width in (420, 200, 100, 40):
        legend.resize(width, 30)
        QApplication.processEvents()
        legend._at = "c"  # wherever the pointer is
        lines += [f"# {width} px", *painted(legend, monkeypatch)]
    legend.show_entries(tuple(Entry(str(k), "", "", "#112233", k) for k in range(len(DASHES))))
    legend.resize(300, 30)
    QApplication.processEvents()
    legend._at = ""
    lines += ["# dashes", *painted(legend, monkeypatch)]
    approved.holds("strokes_of_legends.txt", "\n".join(lines) + "\n")
