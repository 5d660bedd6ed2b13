"""Places of bars and of what is on them, worked out by hand: the strip of tools, the history, the
time bar and its track.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent, QKeyEvent, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from mechstudio.application.actions import edit, simulate
from mechstudio.application.actions.registry import Action
from mechstudio.application.preferences import Preferences
from mechstudio.application.runs.playback import Playback
from mechstudio.application.signal import Signal
from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.project import EndCondition
from mechstudio.model.quantity import Quantity
from mechstudio.view.bars import strip_place
from mechstudio.view.bars.history import HistoryPanel
from mechstudio.view.bars.strip_place import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    Around,
    Place,
    StripPlace,
    best_side,
    covered,
    outlines,
    places,
)
from mechstudio.view.bars.time_bar import TimeBar, speed_text
from mechstudio.view.bars.tool_strip import Form, ToolStrip
from mechstudio.view.bars.track import HERE, MENU, Track, tick_step, word_start
from tests.view.conftest import sample_file
from tests.view.recorder import painted

BUTTON = Qt.MouseButton.LeftButton
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


# the strip of tools


def around(**other):
    """A scene of 1000 px by 700."""
    usual = {
        "size": QSize(1000, 700),
        "edge": 12,
        "shown": QSize(100, 30),
        "cube": 90,
        "ruler": 40,
        "badge": QSize(80, 24),
    }
    return Around(**usual | other)


def test_each_edge_leaves_the_room_of_what_stands_there():
    """A strip that takes all of the length that it is offered, and is 40 px wide."""
    strip = SimpleNamespace(
        form=lambda upright, length: Form(upright, 30, length),
        size_of=lambda form: QSize(40, form.shown) if form.upright else QSize(form.shown, 40),
    )
    for scene, rooms in (
        (
            around(),
            {
                LEFT: (12, 12, 40, 636),  # over the ruler
                RIGHT: (948, 90, 40, 552),  # below the cube, over ruler and badge
                TOP: (124, 12, 774, 40),  # between the button and the cube
                BOTTOM: (12, 602, 976, 40),
            },
        ),
        (
            around(badge=QSize(80, 64)),  # higher than the ruler
            {
                LEFT: (12, 12, 40, 636),
                RIGHT: (948, 90, 40, 528),
                TOP: (124, 12, 774, 40),
                BOTTOM: (12, 578, 976, 40),
            },
        ),
    ):
        found = places(scene, strip)
        assert {side: place.room.getRect() for side, place in found.items()} == rooms
        assert {side: place.form.upright for side, place in found.items()} == {
            side: side in (LEFT, RIGHT) for side in rooms
        }


@pytest.mark.parametrize(
    ("now", "cost", "best"),
    [
        (LEFT, (0, 0, 0, 0), LEFT),
        (TOP, (0, 0, 0, 0), LEFT),
        (LEFT, (150, 0, 0, 0), LEFT),  # next to nothing
        (LEFT, (151, 99, 0, 0), TOP),
        (LEFT, (151, 0, 0, 0), RIGHT),  # the first of equals
        (LEFT, (200, 300, 80, 90), LEFT),  # 80 px² are no less than two fifths of it
        (LEFT, (200, 300, 90, 79), BOTTOM),
        (TOP, (100, 0, 100, 0), LEFT),  # no worse than now
        (TOP, (101, 0, 100, 0), TOP),
        (TOP, (900, 90, 400, 10), BOTTOM),
        (RIGHT, (900, 400, 170, 500), RIGHT),
    ],
)
def test_the_strip_goes_where_it_covers_much_less(monkeypatch, now, cost, best):
    found = {
        side: Place(Form(True, 30, 9), area)
        for side, area in zip((LEFT, RIGHT, TOP, BOTTOM), cost, strict=True)
    }
    monkeypatch.setattr(strip_place, "covered", lambda room, bodies: float(room))
    assert best_side(now, found, ()) == best


def test_covered_areas():
    triangle = QPolygonF([QPointF(0, 0), QPointF(10, 0), QPointF(0, 20)])
    far = QPolygonF([QPointF(500, 0), QPointF(510, 0), QPointF(500, 20)])
    whole = QRect(0, 0, 100, 100)
    assert covered(whole, [triangle]) == 100.0
    assert covered(whole, [triangle, far, triangle]) == 200.0
    # half as wide and half as high at the tip
    assert covered(QRect(0, 10, 100, 100), [triangle]) == 25.0
    assert covered(whole, []) == 0.0
    two = np.array([[0.0, 0.0], [5.0, 5.0]])
    assert covered(whole, outlines([two, two[:1], two[:0]])) == 0.0
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [4.0, 3.0], [0.0, 6.0]])
    (hull,) = outlines([corners])
    assert covered(whole, [hull]) == 48.0


def test_the_strip_waits_while_it_may_not_move(qapp, qtbot, monkeypatch):
    strip, busy, moved = QWidget(), [False], []
    qtbot.addWidget(strip)
    strip.take_form = lambda form: None
    strip.form = lambda upright, length: Form(upright, 30, length)
    strip.size_of = lambda form: QSize(40, 40)
    place = StripPlace(strip, list, lambda: busy[0])
    place.moved.connect(lambda: moved.append(place.side))
    best = lambda now, found, bodies: BOTTOM if now == LEFT and LEFT in found else now
    monkeypatch.setattr(strip_place, "best_side", best)
    strip.show()
    place._look()
    assert moved == [], "it has no place yet"
    place.arrange(around())
    assert place._late.isActive() and place._late.isSingleShot()
    assert strip.pos() == QPoint(12, 12)
    place.stop()
    strip.hide()
    place._look()
    assert moved == [] and not place._late.isActive()
    strip.show()
    held = {
        "mouseButtons": (BUTTON, Qt.MouseButton.NoButton),
        "activePopupWidget": (strip, None),
    }
    for name, (value, _) in held.items():
        with monkeypatch.context() as patch:
            patch.setattr(QApplication, name, lambda value=value: value)
            place._look()
        assert moved == [] and place._late.isActive(), name
        place.stop()
    with monkeypatch.context() as patch:
        patch.setattr(QWidget, "underMouse", lambda widget: True)
        place._look()
    busy[0] = True
    place._look()
    assert moved == [] and place.side == LEFT
    busy[0] = False
    place._look()
    place._look()
    assert moved == [BOTTOM], "once"
    place.stop()


def test_the_strip_has_in_each_form_the_size_that_was_reckoned(qapp, theme, qtbot):
    """Of groups of three, two and four buttons, of which some are in the menu."""
    host = QWidget()
    qtbot.addWidget(host)
    groups = [
        [
            ("play", Action(f"a{g}{k}", lambda studio: None, f"Do {g}{k}", "Edit"))
            for k in range(count)
        ]
        for g, count in enumerate((3, 2, 4))
    ]
    strip = ToolStrip(theme, groups, lambda action: QAction(host), lambda action: None, host)
    for upright in (True, False):
        for side in (30, 26):
            for count in range(1, 10):
                form = Form(upright, side, count)
                strip.take_form(form)
                assert strip.sizeHint() == strip.size_of(form), form
                assert len(strip.more.menu().actions()) == 9 - count
    # nine buttons, two lines between groups: 9·31 − 1 + 2·(2·4 + 1 − 1) + 2·4 + 2
    assert strip.size_of(Form(True, 30, 9)) == QSize(40, 304)
    assert strip.size_of(Form(False, 26, 9)) == QSize(268, 36)
    # one group and one button of the next, with the menu behind a line of its own
    assert strip.size_of(Form(True, 26, 4)) == QSize(36, 5 * 27 - 1 + 16 + 10)
    assert strip.form(True, 304) == Form(True, 30, 9) and strip.form(True, 303).side == 26
    assert strip.form(False, 268) == Form(False, 26, 9)
    assert strip.form(True, 267) == Form(True, 26, 7), "8 with the menu are 9"
    assert strip.form(True, 5) == Form(True, 26, 1)


# the history


@pytest.fixture
def history(qapp, theme, qtbot):
    """history(width, height, left): the panel over a host, with a studio of its own."""
    made, done = [], []
    copy = Action("copy_steps", lambda studio: None, "Copy steps", "Edit")

    def make(size, left):
        host = QWidget()
        host.resize(*size)
        host.show()
        qtbot.addWidget(host)
        studio = Studio(Preferences())
        panel = HistoryPanel(theme, studio, host, done.append, copy, lambda: left)
        panel.show_panel()
        made.append(host)
        return panel, studio, done, copy

    yield make
    made.clear()


@pytest.mark.parametrize(
    ("size", "left", "steps", "geometry"),
    [
        # three lines at least: 3·26 + 44, over the 36 px of the ruler, beside the tools
        ((900, 600), 50, 0, (62, 442, 264, 122)),
        ((900, 600), 50, 3, (62, 416, 264, 148)),
        ((900, 600), 0, 13, (12, 156, 264, 408)),
        ((900, 600), 0, 20, (12, 156, 264, 408)),  # no more than fourteen
        ((900, 200), 50, 20, (62, -12, 264, 176)),  # as high as there is room
        ((300, 600), 50, 0, (24, 442, 264, 122)),  # it moves to the left
        ((200, 600), 50, 0, (12, 442, 176, 122)),
    ],
)
def test_the_history_stands_at_the_lower_left(history, size, left, steps, geometry):
    panel, studio, _, _ = history(size, left)
    for k in range(steps):
        studio.document.commit(f"{k}", elements.replace(studio.document.project, note=str(k)))
    assert panel.geometry().getRect() == geometry
    host = panel.parentWidget()
    host.resize(950, 650)
    QApplication.processEvents()
    assert panel.geometry().bottom() == 650 - 36 - 1


def test_the_history_can_do_what_there_is_to_do(history, theme):
    panel, studio, done, copy = history((900, 600), 0)
    buttons = (panel.undo, panel.redo, panel.copy)
    can = lambda: tuple(button.isEnabled() for button in buttons)
    colors = lambda: [panel.list.item(k).foreground().color() for k in range(panel.list.count())]
    plain, ahead = theme.color("text"), theme.color("text3")
    assert can() == (False, False, False)
    assert [(w.text(), w.objectName()) for w in panel.findChildren(QLabel)] == [
        ("History", "title")
    ]
    for k in range(3):
        studio.document.commit(f"Step {k}", elements.replace(studio.document.project, note=str(k)))
    assert can() == (True, False, True) and colors() == [plain] * 4
    assert panel.list.item(3).toolTip() == "Step 2"
    studio.document.go_to(1)
    assert can() == (True, True, True) and colors() == [plain, plain, ahead, ahead]
    studio.document.go_to(0)
    assert can() == (False, True, False) and panel.list.currentRow() == 0
    for button in buttons:
        button.setEnabled(True)
        button.click()
    assert done == [edit.undo, edit.redo, copy]
    # what comes instead takes the place of the others
    studio.document.commit("Other", elements.replace(studio.document.project, note="x"))
    assert [panel.list.item(k).text() for k in range(panel.list.count())] == ["As opened", "Other"]
    assert panel.list.item(1).toolTip() == "Other"
    # the list's own keys stay here, others go on to the window
    keys = Qt.Key
    for key, modifier, own in (
        *((key, NONE, True) for key in (keys.Key_Up, keys.Key_End, keys.Key_Escape)),
        (keys.Key_Space, NONE, False),
        (keys.Key_Up, SHIFT, False),
    ):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier)
        event.ignore()
        QApplication.sendEvent(panel, event)
        assert event.isAccepted() == own, key
    closed = []
    panel.closed.connect(lambda: closed.append(1))
    QTest.keyClick(panel, keys.Key_Escape)
    assert panel.isHidden() and closed == [1]
    studio.document.commit("More", elements.replace(studio.document.project, note="y"))
    assert panel.list.count() == 2, "what is out of sight follows when it is seen"
    panel.show_panel()
    assert panel.list.count() == 3


# the time


@pytest.mark.parametrize(
    ("speed", "text"),
    [(1 / 32, "1/32×"), (0.5, "1/2×"), (0.75, "0.75×"), (1.0, "1.00×"), (1.5, "1.5×"), (8.0, "8×")],
)
def test_speeds_are_written_as_parts_and_multiples(speed, text):
    assert speed_text(speed) == text


class Run:
    """A studio with a run of 10 s from 2 s on, of which 6 s are recorded."""

    def __init__(self):
        playback = self.playback = Playback()
        playback.set_range(8.0, 10.0, False, 0.1, 2.0)
        playback.time = 4.0
        self.recording = None
        self.is_running = False
        self.runs = self
        self.plots = SimpleNamespace(
            changed=Signal(), stretch=None, set_follow=lambda on: self.reported.append(on)
        )
        self.plots.show = lambda first, last: self.reported.append((first, last))
        self.reported = []
        self.preferences = SimpleNamespace(units="mm-N-deg")
        self.recorded = Signal()
        self.document = SimpleNamespace(changed=Signal(), has_bodies=True)
        self.questions = SimpleNamespace(solver_changed=Signal(), analysed=Signal())

    def record(self, **more):
        usual = {"events": (), "parts": (None,), "ended_by": None, "statistics": None}
        self.recording = SimpleNamespace(**usual | more)


@pytest.fixture
def run():
    return Run()


@pytest.fixture
def track(qapp, theme, run, qtbot):
    """A track whose band goes from 100 px to 600 px: 50 px are a second."""
    made = Track(theme, run, lambda action: None)
    qtbot.addWidget(made)
    made.resize(600 + 10, 40)
    left = made._ends[0]
    made.resize(left + 500 + 10, 40)
    made.left = left
    made.show()
    return made


def test_places_along_the_track_are_instants(track, run):
    assert track.left == track._design_width + 8 >= 66
    for time, part in ((2.0, 0), (4.0, 100), (12.0, 500), (1.0, 0), (13.0, 500)):
        assert track.x_of(time) == track.left + part
    for part, time in ((0, 2.0), (100, 4.0), (500, 12.0), (-9, 2.0), (600, 12.0)):
        assert track.time_at(track.left + part) == time
    assert track.spoken_value() == "4.000 s of 10 s"
    run.playback.time = 2.0
    assert track.spoken_value() == "the drawing"
    run.playback.duration = 0.0
    assert track.x_of(5.0) == track.left


def press(track, part, y=20, modifier=NONE, button=BUTTON):
    QTest.mousePress(track, button, modifier, QPoint(track.left + part, y))


def drag(track, part, y=20):
    QTest.mouseMove(track, QPoint(track.left + part, y))


def release(track, button=BUTTON):
    QTest.mouseRelease(track, button, NONE, QPoint(track.left, 20))


def test_drags_along_the_track(track, run):
    playback = run.playback
    press(track, 150, button=Qt.MouseButton.RightButton)
    drag(track, 200)
    release(track, Qt.MouseButton.RightButton)
    assert playback.time == 4.0
    playback.playing = True
    press(track, 150)
    assert playback.time == 5.0 and not playback.playing
    drag(track, 250)
    assert playback.time == 7.0
    release(track)
    drag(track, 50)
    assert playback.time == 7.0
    press(track, -20)
    release(track)
    assert playback.at_design, "the end that goes back to the drawing"
    # Shift chooses a part; its brackets are taken within 6 px
    press(track, 50, modifier=SHIFT)
    drag(track, 200)
    release(track)
    assert playback.section == (3.0, 6.0)
    for at, to, section in ((206, 250, (3.0, 7.0)), (44, 0, (2.0, 7.0)), (0, 100, (4.0, 7.0))):
        press(track, at)
        drag(track, to)
        release(track)
        assert playback.section == section, at
    press(track, 107)
    release(track)
    assert playback.section == (4.0, 7.0) and playback.time == pytest.approx(4.14)
    for part, shape in (
        (105, Qt.CursorShape.SizeHorCursor),
        (120, Qt.CursorShape.PointingHandCursor),
    ):
        drag(track, part)
        assert track.cursor().shape() == shape


def test_the_stretch_of_zoomed_plots_is_dragged_below_the_track(track, run):
    run.plots.stretch = (4.0, 8.0)
    # the band is 22 px high, in the middle of 40
    for y, taken in ((30, False), (31, True)):
        press(track, 200, y)
        release(track)
        assert (track.cursor().shape() is not None) and (run.playback.time == 6.0) != taken
        run.playback.seek(2.5)
    for at, to, shown in (
        (104, 150, (5.0, 8.0)),
        (100, 400, (8.0, 10.0)),  # beyond the other end
        (296, 250, (4.0, 7.0)),
        (200, 250, (5.0, 9.0)),  # as a whole
        (107, 157, (5.0, 9.0)),
    ):
        run.reported.clear()
        press(track, at, 35)
        drag(track, to, 35)
        release(track)
        assert run.reported == [False, pytest.approx(shown)], at
    run.reported.clear()
    press(track, 50, 35)
    release(track)
    assert run.reported == [] and run.playback.time == 3.0, "beside it"
    drag(track, 200, 35)
    assert track.cursor().shape() == Qt.CursorShape.SizeHorCursor


def test_the_menu_of_the_track_is_about_the_instant_under_the_pointer(qapp, theme, qtbot):
    """Of an instant, of the run, of its steps and speeds, each as far as it can be done."""
    studio, done = Studio(Preferences()), []
    track = Track(theme, studio, lambda action: done.append(action.id), (simulate.play,))
    qtbot.addWidget(track)
    track.resize(600, 40)
    track.show()
    for run in (False, True):
        if run:
            studio.files.show(sample_file("four_bar").project, None, None)
            studio.runs.playback.set_range(10.0, 10.0, True, 0.1)
            studio.runs.playback.set_repeat("loop")
        at = QPoint(round(track.x_of(4.0)), 20)
        track.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at))
        entries = [entry for entry in track.menu.actions() if not entry.isSeparator()]
        actions = [action for group in (*MENU, (simulate.play,)) for action in group]
        assert [e.objectName() for e in entries] == [a.id for a in actions]
        for entry, action in zip(entries, actions, strict=True):
            reason = action.unless(studio)
            assert entry.isEnabled() == (not reason)
            assert not reason or entry.toolTip() == reason
            assert entry.text().startswith(action.text)
            assert entry.isCheckable() == (action.checked is not None)
            assert entry.isChecked() == bool(action.checked and action.checked(studio))
        separators = [k for k, e in enumerate(track.menu.actions()) if e.isSeparator()]
        assert separators == [5, 9, 14, 18, 20]
        if run:
            entries[-1].trigger()
            assert studio.runs.playback.time == 0.0 and done == ["play"]
            entries[0].setEnabled(True)
            entries[0].trigger()
            assert studio.runs.playback.time == pytest.approx(4.0, abs=0.02)
            assert done[1:] == [HERE[0].id]
        track.menu.close()


def test_changes_near_the_pointer_are_named(track, run):
    part = lambda begin, words: SimpleNamespace(begin=begin, words=words)
    run.record(parts=(part(2.0, ""), part(4.0, "L1"), *(part(6.0, f"L{k}") for k in range(2, 9))))

    def tip(place):
        at = QPoint(track.left + place, 20)
        QApplication.sendEvent(track, QHelpEvent(QEvent.Type.ToolTip, at, at))
        return track.toolTip()

    assert tip(0) == tip(107) == "" and tip(94) == tip(106) == "L1 at 4 s"
    assert tip(200) == "\n".join(f"L{k} at 6 s" for k in range(4, 9)), "the last five"
    project = sample_file("four_bar").project
    run.record(
        ended_by=EndCondition("joint/A/0", Quantity(np.pi / 2)), project=project, parts=(None,)
    )
    assert tip(0).startswith("The run ended when A angle ") and tip(0).endswith("90 deg")


@pytest.mark.parametrize(
    ("left", "width", "cursor", "start"),
    [
        (10, 50, 0, 10),
        (10, 50, 4, 10),
        (10, 50, 5, 72),
        (10, 50, 65, 72),
        (10, 50, 66, 10),
    ],
)
def test_a_word_makes_way_for_the_cursor(left, width, cursor, start):
    assert word_start(left, width, cursor, 6) == start
    assert tick_step(10.0, 620.0) == 2.0 and tick_step(10.0, 0.0) == tick_step(0.0, 9.0) == 1.0
    assert tick_step(10.0, 620.0, 310.0) == 5.0


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_states_of_the_track_are_painted_as_approved(track, run, monkeypatch, approved):
    lines = []
    project = sample_file("four_bar").project
    ended = EndCondition("joint/A/0", Quantity(np.pi / 2))
    hit = lambda time: SimpleNamespace(time=time)
    playback = run.playback

    def shown(name):
        lines.extend([f"# {name}", *painted(track, monkeypatch)])

    shown("recorded so far")
    run.is_running = True
    shown("simulating")
    playback.set_range(2.0, 10.0, False, 0.1, 2.0)
    shown("waiting")
    run.is_running = False
    shown("nothing")
    playback.set_range(12.0, 10.0, True, 0.1, 2.0)
    playback.time = 3.2
    shown("recorded, with the cursor at the word")
    run.record(events=[hit(3.0), hit(3.001), hit(7.0)])
    shown("impacts")
    run.record(parts=(None, SimpleNamespace(begin=5.0, words="L1")))
    shown("a change")
    run.recording = None
    playback.set_section(3.0, 9.0)
    run.plots.stretch = (4.0, 8.0)
    shown("a section and a stretch")
    playback.section, run.plots.stretch = None, None
    run.record(ended_by=ended, project=project)
    for end in (6.0, 11.0, 2.5):
        playback.set_range(end, 10.0, True, 0.1, 2.0)
        shown(f"ended at {end} s")
    run.recording = None
    for duration in (0.02, 3600.0):
        playback.set_range(duration, duration, True, 0.1, 0.0)
        shown(f"of {duration} s")
    approved.holds("strokes_of_the_track.txt", "\n".join(lines) + "\n")


def test_the_time_bar_tells_the_time_and_the_speed(qapp, theme, run, qtbot):
    done = []
    bar = TimeBar(theme, run, lambda action: done.append(action.id))
    qtbot.addWidget(bar)
    texts = lambda: (bar.clock.text(), bar.total.text(), bar.rate.text(), bar.possible.text())
    assert texts() == ("4.000 s", "/ 12 s", "1.00×", "can do –")
    for rate, words in ((0.0, "–"), (6.34, "6.3×"), (99.9, "99.9×"), (100.4, "100×")):
        run.record(statistics=SimpleNamespace(rate=rate))
        bar.refresh()
        assert bar.possible.text() == f"can do {words}"
    run.record()
    run.playback.behind, run.playback.speed, run.playback.time = 0.123, 0.25, 5.1235
    bar.refresh()
    assert texts() == ("5.123 s", "/ 12 s", "0.12× of 1/4×", "can do –")
    assert bar.play.toolTip() == "Play (Space)" and all(b.isEnabled() for b in bar.buttons.values())
    for way, again, words in (
        ("loop", True, "Loop. Click for the next way"),
        ("ping_pong", True, "To and fro. Click for the next way"),
        ("once", False, "Play once. Click for the next way"),
    ):
        bar.loop.click()
        assert run.playback.repeat == way and bar.loop.isChecked() == again
        assert bar.loop.toolTip() == words
    for button in (bar.play, *bar.buttons.values()):
        button.click()
    assert done == ["play", "to_design", "step_back", "step_forward"]
    run.playback.play()
    assert bar.play.toolTip() == bar.play.accessibleName() == "Pause (Space)"
    run.playback.pause()
    run.document.has_bodies = False
    run.playback.set_range(0.0, 10.0, False, 0.1)
    assert not bar.play.isEnabled() and not any(b.isEnabled() for b in bar.buttons.values())
    entries = bar.rate.menu().actions()
    assert [a.text() for a in entries][:2] + [entries[-1].text()] == ["1/32×", "1/16×", "8×"]
    entries[-1].trigger()
    assert run.playback.speed == 8.0 and bar.rate.text() == "8×"
