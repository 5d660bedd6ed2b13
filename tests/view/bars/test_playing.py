"""Playing, pausing, scrubbing and stepping under real mouse and key events."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from tests.view.hands import LENGTH, press, select, type_into

Qt = QtCore.Qt


def test_space_plays_and_pauses_from_any_panel(window, qtbot):
    playback = window.studio.runs.playback
    for widget in (
        window.viewport,
        window.docks.tree,
        window.time_bar.play,
        window.docks.plots[0].legend,
    ):
        widget.setFocus()
        press(window, Qt.Key.Key_Space)
        assert playback.playing, widget
        press(window, Qt.Key.Key_Space)
        assert not playback.playing, widget


def test_space_is_a_space_in_a_text_field(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "2 * L1", None)
    assert field.edit.text() == "2 * L1" and not window.studio.runs.playback.playing


@pytest.mark.parametrize("typed", ["", "2 +"])
def test_space_plays_after_escape(window, typed):
    """M puts a drive on a joint and asks for its number; Escape cancels the question, and the next
    Space is the window's.
    """
    select(window, "A")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_M)
    QTest.keyClicks(window.focusWidget(), typed)
    press(window, Qt.Key.Key_Escape)
    press(window, Qt.Key.Key_Space)
    assert window.studio.runs.playback.playing


def test_the_picture_moves_and_the_clock_runs(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.time > 0.3)
    assert window.time_bar.clock.text() != "0.000 s"
    assert window.status.constraint.text() == "|C| 1e−12 m"
    assert "Energy" in window.status.energy.text() and "–" not in window.status.energy.text()


def test_scrubbing_moves_everything_to_one_time(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    track, playback = window.time_bar.track, window.studio.runs.playback
    target = QtCore.QPoint(round(track.x_of(3.0)), track.height() // 2)
    QTest.mousePress(
        track,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QtCore.QPoint(round(track.x_of(1.0)), track.height() // 2),
    )
    QTest.mouseMove(track, target)
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, target)
    assert playback.time == pytest.approx(3.0, abs=0.02) and not playback.playing
    qtbot.waitUntil(lambda: window.docks.plots[0].area._time == playback.time)


def test_dragging_the_cursor_of_a_plot_moves_the_time(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    area = window.docks.plots[1].area
    at = [QtCore.QPoint(round(area.x_of(t)), area.height() // 2) for t in (1.0, 4.0)]
    QTest.mousePress(
        area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at[0]
    )
    assert window.studio.runs.playback.time == pytest.approx(1.0, abs=0.05)
    QTest.mouseMove(area.viewport(), at[1])
    QTest.mouseRelease(
        area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at[1]
    )
    qtbot.waitUntil(lambda: abs(window.studio.runs.playback.time - 4.0) < 0.05)


def drag(track, first, last, modifier=Qt.KeyboardModifier.NoModifier):
    """Drag along the track from one time [s] to another."""
    a, b = (QtCore.QPoint(round(track.x_of(t)), track.height() // 2) for t in (first, last))
    QTest.mousePress(track, Qt.MouseButton.LeftButton, modifier, a)
    QTest.mouseMove(track, (a + b) / 2)
    QTest.mouseMove(track, b)
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, modifier, b)


def test_a_part_of_the_run_is_chosen_on_the_track_and_played_to_and_fro(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    press(window, Qt.Key.Key_Space)
    track, playback = window.time_bar.track, window.studio.runs.playback
    drag(track, 4.0, 2.0, Qt.KeyboardModifier.ShiftModifier)
    assert playback.section == pytest.approx((2.0, 4.0), abs=0.02)
    # the brackets stand at both ends, the rest is veiled
    accent = window.theme.color("accent").rgb()
    picture = track.grab().toImage()
    columns = [round(track.x_of(t) * picture.devicePixelRatio()) for t in (2.0, 4.0)]
    y = picture.height() // 2
    for x in columns:
        assert any(picture.pixel(x + k, y) == accent for k in (-1, 0, 1)), x
    drag(track, playback.section[1], 3.0)
    assert playback.section == pytest.approx((2.0, 3.0), abs=0.04)
    for _ in range(2):
        QTest.mouseClick(window.time_bar.loop, Qt.MouseButton.LeftButton)
    assert playback.repeat == "ping_pong"
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: playback.backwards)
    assert playback.playing and 2.0 <= playback.time <= 3.05
    press(window, Qt.Key.Key_Space)


def test_brackets_are_set_by_keys(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    playback = window.studio.runs.playback
    playback.pause()
    for time, key in ((1.0, Qt.Key.Key_BracketLeft), (2.5, Qt.Key.Key_BracketRight)):
        playback.seek(time)
        press(window, key)
    assert playback.section == pytest.approx((1.0, 2.5))
    window.actions_.by_id["whole_run"].trigger()
    assert playback.section is None


def test_arrows_home_and_end_step_through_the_samples(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    window.viewport.setFocus()
    playback = window.studio.runs.playback
    press(window, Qt.Key.Key_Home)
    assert playback.at_design and not playback.playing
    press(window, Qt.Key.Key_Right)
    press(window, Qt.Key.Key_Right)
    assert playback.time == pytest.approx(2 / 60)
    press(window, Qt.Key.Key_Left)
    assert playback.time == pytest.approx(1 / 60)
    press(window, Qt.Key.Key_End)
    assert playback.time == pytest.approx(6.0)


def test_comma_and_full_stop_change_the_speed(window):
    press(window, Qt.Key.Key_Comma)
    press(window, Qt.Key.Key_Comma)
    assert window.time_bar.rate.text() == "1/4×"
    for _ in range(9):
        press(window, Qt.Key.Key_Period)
    assert window.studio.runs.playback.speed == 8


def test_an_edit_goes_back_to_the_design_and_the_next_space_runs_again(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.time > 0.1)
    select(window, "rocker")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "60 mm")
    assert (
        window.studio.runs.playback.at_design
        and window.studio.runs.recording is None
        and not window.studio.runs.playback.playing
    )
    assert window.status.constraint.text() == "|C| –"
    runs = window.studio.questions.session.calls.count("simulate")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Space)
    assert (
        window.studio.questions.session.calls.count("simulate") == runs + 1
        and window.studio.runs.recording is not None
    )


def test_a_slider_is_one_step_and_runs_again(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    slider = window.docks.controls.sliders["L1"]
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert window.studio.document.undo_label.startswith("L1 = ")
    assert (
        window.studio.runs.recording is not None
        and window.studio.runs.recording.project is window.studio.document.project
    )


def test_a_word_of_a_legend_hides_its_curve(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.complete)
    plot = window.docks.plots[1]
    window.set_workspace("analyse")
    assert plot.hidden == {"energy/balance"}
    # where there is no room its word stands in a menu
    qtbot.waitUntil(lambda: not plot.legend._more.isNull())
    QTest.mouseClick(plot.legend, Qt.MouseButton.LeftButton, pos=plot.legend._more.center())
    menu = plot.legend.menu
    next(a for a in menu.actions() if a.text() == "balance").trigger()
    menu.close()
    assert plot.hidden == set()
    # the plot is the next test's too
    plot.toggle("energy/balance")
    assert plot.hidden == {"energy/balance"}


def test_overlap_turns_the_pill_red(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.time > 0.1)
    window.studio.runs.recording.overlap_share = 0.03
    window.status.refresh()
    pill = window.status.constraint
    assert (
        pill.text() == "|C| 1e−12 m · overlap 3 %"
        and pill.property("kind") == "error"
        and "3 % of their size" in pill.toolTip()
    )
    window.studio.runs.recording.overlap_share = 1e-5
    window.status.refresh()
    assert (
        pill.text() == "|C| 1e−12 m"
        and pill.property("kind") == "ok"
        and "overlap" not in pill.toolTip()
    )


def handle_of(slider):
    """Middle of a slider's handle [px]."""
    option = QtWidgets.QStyleOptionSlider()
    slider.initStyleOption(option)
    style = QtWidgets.QStyle
    place = slider.style().subControlRect(
        style.ComplexControl.CC_Slider, option, style.SubControl.SC_SliderHandle, slider
    )
    return place.center()


def test_a_slider_acts_while_it_is_dragged(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    studio.runs.playback.pause()
    studio.runs.playback.seek(2.0)
    slider, poses = window.docks.controls.sliders["omega"], studio.runs.poses.copy()
    at = handle_of(slider)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=at)
    seen = set()
    for dx in (8, 16, 24):
        QTest.mouseMove(slider, QtCore.QPoint(at.x() + dx, at.y()))
        before = studio.document.project.parameters["omega"].value.value
        qtbot.waitUntil(
            lambda before=before: studio.document.project.parameters["omega"].value.value != before
        )
        # until the new run has come so far, the old pose is shown, and the cursor stays
        assert studio.runs.poses is not None and studio.runs.playback.time == 2.0
        qtbot.waitUntil(lambda: studio.runs.present is not None)
        assert studio.runs.playback.time == 2.0
        seen.add(studio.document.undo_label)
        # the curve of before the drag stays beside it
        assert [run.note for run in studio.runs.beside] == ["as drawn"]
    assert np.abs(studio.runs.poses - poses).max() > 1e-3
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(at.x() + 24, at.y()))
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    assert len(seen) == 3 and len(studio.runs.kept.runs) == 2
    studio.document.undo()
    assert studio.document.undo_label == ""


def test_a_typed_value_beside_a_slider_runs_again(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, controls = window.studio, window.docks.controls
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    studio.runs.playback.pause()
    studio.runs.playback.seek(1.0)
    value = controls.values["omega"]
    # it stands beside the slider and inside the panel
    assert value.geometry().left() > controls.sliders["omega"].geometry().right()
    assert value.geometry().right() <= controls.width()
    QTest.mouseClick(value, Qt.MouseButton.LeftButton)
    field = value.number.edit
    field.selectAll()
    QTest.keyClicks(field, "3 rad/s")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(studio.runs.kept.runs) == 2)
    assert studio.runs.present.note == "omega = 3 rad/s"
    assert studio.document.undo_label == "omega = 3 rad/s"
    assert studio.runs.playback.time == 1.0 and controls._values["omega"].text() == "3 rad/s"
    # what makes no sense is reported, and changes nothing
    before = studio.document.project
    QTest.mouseClick(value, Qt.MouseButton.LeftButton)
    value.number.edit.selectAll()
    QTest.keyClicks(value.number.edit, "3 kg")
    QTest.keyClick(value.number.edit, Qt.Key.Key_Return)
    assert studio.document.project is before
    QTest.keyClick(value.number.edit, Qt.Key.Key_Escape)


@pytest.mark.slow
def test_with_shift_a_slider_goes_on_from_the_time_cursor(solved_four_bar, qtbot, qapp):
    window = solved_four_bar
    studio = window.studio
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    studio.runs.playback.pause()
    studio.runs.playback.seek(2.0)
    whole, poses = studio.runs.recording, studio.runs.recording.layout.poses
    slider = window.docks.controls.sliders["L4"]
    at = handle_of(slider)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, at)
    # back to where it was: only the start is another
    for dx in (12, 0):
        QTest.mouseMove(slider, QtCore.QPoint(at.x() + dx, at.y()))
        qtbot.wait(200)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    studio.runs.playback.pause()
    assert studio.document.undo_label.endswith(", Run 1 from 2 s")
    again = studio.runs.recording
    np.testing.assert_allclose(
        np.abs(again.rows[:60, poses]), np.abs(whole.rows[120:180, poses]), atol=1e-6
    )
    studio.document.undo()
    assert studio.document.undo_label == ""


def chosen_on_track(window, qtbot, time, id):
    """Choose an entry of the menu that a right click on the track opens at a time [s]."""
    track = window.time_bar.track
    place = QtCore.QPoint(round(track.x_of(time)), track.height() // 2)
    event = QtGui.QContextMenuEvent(
        QtGui.QContextMenuEvent.Reason.Mouse, place, track.mapToGlobal(place)
    )
    QtWidgets.QApplication.sendEvent(track, event)
    qtbot.waitUntil(lambda: track.menu.isVisible())
    entry = next(a for a in track.menu.actions() if a.objectName() == id)
    assert entry.isEnabled(), entry.toolTip()
    QTest.mouseClick(
        track.menu,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        track.menu.actionGeometry(entry).center(),
    )
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)


def test_the_menu_of_the_track_acts_at_the_instant_under_the_pointer(window, qtbot):
    press(window, Qt.Key.Key_Space)
    playback, plots = window.studio.runs.playback, window.studio.plots
    qtbot.waitUntil(lambda: playback.complete)
    press(window, Qt.Key.Key_Space)
    chosen_on_track(window, qtbot, 1.0, "cursor_a_here")
    chosen_on_track(window, qtbot, 3.0, "cursor_b_here")
    assert (plots.a, plots.b) == (pytest.approx(1.0, abs=0.02), pytest.approx(3.0, abs=0.02))
    assert plots.statistics
    chosen_on_track(window, qtbot, 2.0, "section_from_here")
    chosen_on_track(window, qtbot, 4.0, "section_to_here")
    assert playback.section == pytest.approx((2.0, 4.0), abs=0.02)
    chosen_on_track(window, qtbot, 2.5, "whole_run")
    chosen_on_track(window, qtbot, 2.5, "slower")
    assert playback.section is None and playback.speed == 0.5
    time = playback.time
    chosen_on_track(window, qtbot, 1.0, "step_forward")
    assert playback.time > time and playback.time - time < 0.1, "a step is from the time cursor on"
    # kept and named: the list of runs takes the words
    run = window.studio.runs.present
    chosen_on_track(window, qtbot, 1.0, "name_run")
    runs = window.docks.runs.list
    qtbot.waitUntil(lambda: isinstance(QtWidgets.QApplication.focusWidget(), QtWidgets.QLineEdit))
    edit = QtWidgets.QApplication.focusWidget()
    assert runs.isAncestorOf(edit)
    edit.selectAll()
    QTest.keyClicks(edit, "first try")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: run.title == "first try")
    assert run.pinned
