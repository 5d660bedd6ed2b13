"""Actions, palette, theme and layouts of the window, and the guards of its tests."""

from itertools import pairwise

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.application.actions.registry import MENUS, actions
from mechstudio.application.notifications import Message
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.view.actions.file import samples
from mechstudio.view.actions.help import action_entry
from tests.view.conftest import settle
from tests.view.hands import click, press, select
from tests.view.standin import StandinSession

Qt = QtCore.Qt


def test_the_palette_finds_actions_bodies_and_samples(window):
    for query, found in (
        ("undo", None),
        ("coupler", "coupler"),
        ("dark", "Dark"),
        ("heavy", "Heavy top"),
        ("isometric", "Corner"),
    ):
        press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        palette = window.sheet
        QTest.keyClicks(palette.edit, query)
        texts = [e.text for e in palette.found]
        # what cannot be done now stands last
        assert texts[-1] == "Undo" if found is None else texts[0] == found, (query, texts)
        press(window, Qt.Key.Key_Escape)
        assert not palette.isVisible()


def test_the_palette_runs_what_is_chosen(window):
    press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.sheet.edit, "rocker")
    press(window, Qt.Key.Key_Return)
    assert window.studio.selection.current == "rocker"


def test_the_menu_simulate_has_one_column_and_lines_stand_between_actions(window):
    simulate, playback = window.menus["Simulate"], window.actions_._inner["Simulate/Playback"]
    assert simulate.sizeHint().height() < 760, "a small screen is 800 high"
    assert playback.menuAction() in simulate.actions()
    for menu in (simulate, playback):
        lines = [action.isSeparator() for action in menu.actions()]
        assert any(lines) and not lines[0] and not lines[-1]
        assert not any(one and other for one, other in pairwise(lines))


def test_an_action_names_the_selection_after_a_colon(window):
    select(window, "coupler")
    window.actions_.refresh()
    texts = {id: window.actions_.by_id[id].text() for id in ("ground", "repeat_in_row", "delete")}
    assert texts == {
        "ground": "Ground on or off: coupler",
        "repeat_in_row": "Repeat in a row: coupler",
        "delete": "Delete: coupler",
    }
    press(window, Qt.Key.Key_Escape)
    window.actions_.refresh()
    assert window.actions_.by_id["ground"].text() == "Ground on or off"


def test_a_sample_opens_as_a_copy_and_plays(window, qtbot):
    next(run for text, _, run in samples(window) if text == "Heavy top")()
    qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
    assert window.studio.document.path is None and window.studio.runs.playback.playing
    assert [*window.studio.document.project.mechanism.bodies] == [
        *load(sample_folder() / "heavy_top.mech").project.mechanism.bodies
    ]


@pytest.mark.slow
def test_every_colour_changes_with_the_theme(window, theme):
    light = window.grab().toImage()
    window.actions_.trigger("theme_dark")
    assert theme.name == "dark"
    dark = window.grab().toImage()
    spots = [
        QtCore.QPoint(20, 15),
        QtCore.QPoint(60, 400),
        QtCore.QPoint(window.width() - 20, 300),
        QtCore.QPoint(700, window.height() - 6),
        QtCore.QPoint(230, 600),
    ]
    for spot in spots:
        assert (
            QtGui.QColor(light.pixel(spot)).lightness()
            > 150
            > 90
            > QtGui.QColor(dark.pixel(spot)).lightness()
        ), spot
    window.actions_.trigger("theme_system")
    assert theme.choice == "system"


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("workspace", ["build", "analyse", "explain"])
@pytest.mark.thinned(4)
def test_the_layout_fits(window, size, workspace):
    window.resize(*size)
    window.set_workspace(workspace)
    settle(QtWidgets.QApplication.instance())
    assert (window.width(), window.height()) == size
    shown = [d for d in window.findChildren(QtWidgets.QDockWidget) if d.isVisible()]
    for k, a in enumerate(shown):
        assert window.rect().contains(a.geometry()), a.windowTitle()
        assert not any(a.geometry().intersects(b.geometry()) for b in shown[:k])
    assert window.host.height() >= 160 and window.host.width() >= 320
    for label in window.findChildren(QtWidgets.QLabel):
        if (
            label.isVisible()
            and label.text()
            and not label.wordWrap()
            and label.parent()
            in (window.status.mobility, window.status.energy, window.time_bar.clock)
        ):
            assert label.width() >= label.sizeHint().width() - 1, label.text()


# nearly every kind of element; the other samples take minutes
QUICK = "gear_train.mech"


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(p.name, marks=[] if p.name == QUICK else pytest.mark.slow)
        for p in sorted(sample_folder().glob("*.mech"))
    ],
)
def test_every_action_runs_on_every_sample(make_window, sample, qtbot, unstyled):
    window = make_window(sample_folder() / sample)
    for row in actions():
        if row.id in ("quit", "open", "save", "save_as", "body_mesh") or (
            sample != QUICK and row.menu in ("View/Theme", "View/Text size")
        ):
            # the look of the window, which takes a second each time, is the same for every sample
            continue
        window.studio.selection.select(
            next(iter(window.studio.document.project.mechanism.bodies), "")
        )
        window.actions_.trigger(row.id)
        QtWidgets.QApplication.processEvents()
        if window.sheet is not None and row.id != "new":
            window.sheet.close_sheet()
            window.sheet = None


def test_every_action_has_a_function_a_condition_and_a_key_of_its_own(window):
    keys = [s for row in actions() for s in row.keys]
    assert len(keys) == len(set(keys))
    for row in actions():
        assert callable(row.run) and row.path[0] in MENUS
        assert isinstance(row.unless(window.studio), str)
        if row.checked is not None:
            subject = window if row.window else window.studio
            assert isinstance(row.checked(subject), bool)


def test_the_search_shows_the_key_of_an_action_or_else_its_menu(window):
    for row in actions():
        entry = action_entry(window, row)
        if row.keys:
            key = QtGui.QKeySequence(row.keys[0]).toString(QtGui.QKeySequence.NativeText)
            assert (entry.note, entry.shortcut) == (key, True)
        else:
            assert (entry.note, entry.shortcut) == (row.path[-1], False)
        assert entry.key == row.id and row.menu.replace("/", " ") in entry.words
        assert entry.why == row.unless(window.studio)


def test_menus_hold_every_action(window):
    found = set()

    def walk(menu):
        for action in menu.actions():
            found.add(action.objectName())
            if action.menu():
                walk(action.menu())

    for top in window.top.menu.actions():
        walk(top.menu())
    assert {row.id for row in actions()} <= found


@pytest.mark.slow
def test_the_window_remembers_theme_and_recent_files(make_window, four_bar, unstyled):
    window = make_window(four_bar)
    window.actions_.trigger("theme_dark")
    assert [path.name for path in window.studio.preferences.recent] == ["four_bar.mech"]
    from mechstudio.application.preferences import Preferences

    assert Preferences().stored.theme == "dark"


def test_deleting_a_body_removes_what_stands_on_it(window):
    select(window, "coupler")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert "coupler" not in window.studio.document.project.mechanism.bodies
    assert window.studio.document.undo_label == "Delete coupler with B, C"
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "coupler" in window.studio.document.project.mechanism.bodies


def test_messages_do_not_block(window):
    window.studio.notifications.say(Message("info", "One.", "a"))
    window.studio.notifications.say(Message("error", "Two.", "a"))
    assert [b.text.text() for b in window.banners.shown] == ["Two."]
    press(window, Qt.Key.Key_Space)
    assert window.studio.runs.playback.playing


def test_the_palette_opens_again_after_it_was_used(window, qtbot):
    for _ in range(2):
        window.actions_.trigger("palette")
        palette = window.sheet
        assert palette.isVisible()
        palette.close_sheet()
        qtbot.wait(50)


def test_readings_of_deleted_elements_are_not_requested(window, qtbot):
    """A tool that starts again goes back to the drawing before the selection follows."""
    select(window, "A")
    studio, reported = window.studio, []
    qtbot.waitUntil(lambda: bool(window.docks.inspector.on_time))

    def first(*_):
        studio.runs.playback.changed.emit()
        reported.append(studio.selection.selected)

    studio.document.changed._listeners.insert(0, first)
    try:
        edit.delete(studio)
    finally:
        studio.document.changed.disconnect(first)
    assert (
        reported == [("A",)]
        and "A" not in studio.document.project.mechanism.joints
        and studio.selection.selected == ()
    )


def test_the_leftover_guard_sees_a_forgotten_timer_and_thread():
    import threading

    from tests.view.conftest import leftovers

    before = threading.enumerate()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="forgotten")
    thread.start()
    timer = QtCore.QTimer(interval=10_000)
    timer.start()
    try:
        found = leftovers(before)
        assert "forgotten" in found and any("10000 ms" in x for x in found)
    finally:
        stop.set()
        thread.join()
        timer.stop()


def test_the_standin_has_what_the_window_needs_of_a_session():
    """Planted: a session without one of these would only fail in the field."""
    from mechstudio.application.questions.solver import Session

    for name in ("simulate", "cancel", "stop_worker", "keep_waiting", "poll", "close"):
        assert callable(getattr(Session, name)) and callable(getattr(StandinSession, name))


def test_escape_stops_the_tool_in_hand_from_another_panel(window):
    tree, tools = window.docks.tree, window.studio.tools
    press(window, Qt.Key.Key_M)
    click(tree.viewport(), tree.visualItemRect(tree.topLevelItem(1)).center())
    assert tree.hasFocus() and tools.is_drawing
    press(window, Qt.Key.Key_Escape)
    assert not tools.is_drawing
