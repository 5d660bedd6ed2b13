"""The window under real mouse and key events, on a session in closed form."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import ACTIONS
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Message
from mechstudio.model.edit import set_attribute
from mechstudio.model.fields import SETTINGS
from mechstudio.project.file import load
from mechstudio.view.panels.model_tree import ID
from mechstudio.view.panels.choice import Choice
from mechstudio.view.panels.run_settings import applies

from .conftest import settle
from .standin import StandinSession

Qt = QtCore.Qt
LENGTH = ("shapes", 0, "dimensions", "length")


def click(widget, point=None, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, modifier, point or widget.rect().center())


def click_in_tree(window, id, modifier=Qt.KeyboardModifier.NoModifier):
    tree = window.docks.tree
    item = next(i for i in tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive) if i.data(0, ID) == id)
    item.parent().setExpanded(True)
    click(tree.viewport(), tree.visualItemRect(item).center(), modifier)


def type_into(field, text, key=Qt.Key.Key_Return):
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, text)
    if key is not None:
        QTest.keyClick(field.edit, key)


def press(window, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.focusWidget() or window, key, modifier)


def select(window, id):
    click_in_tree(window, id)
    assert window.studio.selection.selected == (id,)


def length_of(window, id="crank"):
    return window.studio.document.project.mechanism.bodies[id].shapes[0].dimensions["length"]


# selection

def test_a_click_in_the_tree_selects_in_inspector_and_viewport(window):
    select(window, "coupler")
    assert window.docks.by_key["inspector"].title.text() == "coupler"
    assert window.viewport._selected == {"coupler"}
    click_in_tree(window, "A", Qt.KeyboardModifier.ControlModifier)
    assert window.studio.selection.selected == ("coupler", "A")


def test_a_click_in_the_viewport_selects_in_the_tree(window, qtbot):
    view = window.viewport
    center = np.array([[*window.studio.document.project.mechanism.bodies["coupler"].placement.pose[0]]]) + np.array([[0.15, 0.0, 0.09]])
    x, y = view.world_to_pixel(center)[0]
    click(view, QtCore.QPoint(round(x), round(y)))
    assert window.studio.selection.current == "coupler"
    assert [i.data(0, ID) for i in window.docks.tree.selectedItems()] == ["coupler"]
    click(view, QtCore.QPoint(view.width() // 2, view.height() - 6))
    assert window.studio.selection.selected == ()


def test_hovering_in_the_tree_marks_the_body_in_the_viewport(window, qtbot):
    item = next(i for i in window.docks.tree.findItems("rocker", Qt.MatchFlag.MatchRecursive))
    QTest.mouseMove(window.docks.tree.viewport(), window.docks.tree.visualItemRect(item).center())
    qtbot.waitUntil(lambda: window.viewport._hovered_id == "rocker")
    QTest.mouseMove(window.status)
    qtbot.waitUntil(lambda: window.studio.selection.hovered == "")


# inspector

def test_a_typed_length_is_one_undo_step(window):
    select(window, "rocker")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    type_into(field, "50 mm")
    document = window.studio.document
    assert document.undo_label == "Width of rocker 50 mm"
    assert document.project.mechanism.bodies["rocker"].shapes[0].dimensions["width"].value == pytest.approx(0.05)
    assert window.isWindowModified() and window.top.modified.isVisible()
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project.mechanism.bodies["rocker"].shapes[0].dimensions["width"].text == "44 mm"
    assert not document.is_modified


def test_a_bare_number_gets_the_unit_of_the_project(window):
    select(window, "crank")
    type_into(window.docks.inspector.number(LENGTH), "120")
    assert (length_of(window).text, length_of(window).value) == ("120 mm", pytest.approx(0.12))


def test_a_formula_shows_its_value_and_where_it_comes_from(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    assert field.edit.text() == "130 mm" and field._note.text() == "= L1"
    click(field.edit)
    assert field.edit.text() == "L1"


@pytest.mark.parametrize("text, word", [("90 deg", "angle"), ("12 +", ""), ("nothing", "nothing"), ("-3 mm", "larger than zero"), ("", "needs a number")])
def test_what_cannot_be_read_is_red_with_the_reason_and_changes_nothing(window, text, word):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    before = window.studio.document.project
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClick(field.edit, Qt.Key.Key_Backspace)
    QTest.keyClicks(field.edit, text)
    assert field.reason and word in field.reason.lower()
    assert field._frame.property("wrong") is True
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.studio.document.project is before
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.edit.text() == "L1" and not field.reason


def test_leaving_an_unreadable_field_restores_it(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "1/0", None)
    window.viewport.setFocus()
    assert field.edit.text() == "130 mm" and not field.reason


def test_arrows_nudge_the_second_digit_and_make_one_step(window, qtbot):
    select(window, "crank")
    field = window.docks.inspector.number(("shapes", 0, "dimensions", "width"))
    click(field.edit)
    for _ in range(3):
        QTest.keyClick(field.edit, Qt.Key.Key_Up)
    QTest.keyClick(field.edit, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field.edit, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert field.edit.text() == "56.9 mm"
    qtbot.waitUntil(lambda: window.studio.document.undo_label == "Width of crank 56.9 mm")
    assert window.studio.document.history[1] == 1


def test_a_formula_is_not_nudged(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    click(field.edit)
    QTest.keyClick(field.edit, Qt.Key.Key_Up)
    assert field.edit.text() == "L1" and field.reason == ""
    assert field._wrong.text() == "A formula stays as it is: type a number to replace it" and field._wrong.isVisibleTo(field)


def test_mass_comes_from_shapes_until_it_is_typed_and_again_when_it_is_cleared(window):
    select(window, "crank")
    field = window.docks.inspector.number(("mass",))
    assert field._note.text() == "auto"
    type_into(field, "2 kg")
    assert window.studio.document.project.mechanism.bodies["crank"].mass.text == "2 kg"
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClick(field.edit, Qt.Key.Key_Delete)
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.studio.document.project.mechanism.bodies["crank"].mass is None


def test_every_number_of_every_element_has_a_field(window):
    from mechstudio.model.fields import elements, fields
    for id, element in elements(window.studio.document.project):
        window.studio.selection.select(id)
        for f in fields(element, id):
            assert id == SETTINGS and not applies(element, f) or window.docks.inspector.number(f.path).field == f
    # numbers of the run that only some methods need come with these
    document = window.studio.document
    window.studio.selection.select(SETTINGS)
    for change, names in (({"drift": "baumgarte"}, {"alpha", "beta", "tolerance"}), ({"drift": "none", "integrator": "generalized_alpha"}, {"spectral_radius"})):
        document.commit("Another method", set_attribute(document.project, SETTINGS, **change))
        assert {n.field.path[0] for n in window.docks.inspector.numbers} == {"duration", "sample_step", "step", *names}


def test_renaming_and_colouring_a_body_keep_its_run(window, qtbot):
    window.studio.play()
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    select(window, "crank")
    name = window.docks.inspector.parts(QtWidgets.QLineEdit)[0]
    click(name)
    name.selectAll()
    QTest.keyClicks(name, "handle")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert window.studio.document.undo_label == "Rename crank to handle"
    assert window.studio.recording is not None
    assert window.docks.tree.findItems("handle", Qt.MatchFlag.MatchRecursive)


def test_the_integrator_is_chosen_by_words(window):
    window.studio.selection.select(SETTINGS)
    choice = next(c for c in window.docks.inspector.parts(Choice) if c.accessibleName() == "Method")
    assert choice.text() == "DOP853" and len(choice.keys()) == 6
    choice.choose("rk4")
    assert window.studio.document.project.settings.integrator == "rk4" and choice.text() == "RK4"
    assert window.studio.document.undo_label == "Method RK4"


def test_the_lesson_stands_where_nothing_is_selected(window):
    texts = [w.text() for w in window.docks.inspector.parts(QtWidgets.QLabel)]
    lesson = window.studio.document.project.lesson
    assert lesson.text in texts and all(q in texts for q in lesson.questions)


# playing

def test_space_plays_and_pauses_from_any_panel(window, qtbot):
    playback = window.studio.playback
    for widget in (window.viewport, window.docks.tree, window.time_bar.play, window.docks.plots[0].legend):
        widget.setFocus()
        press(window, Qt.Key.Key_Space)
        assert playback.playing, widget
        press(window, Qt.Key.Key_Space)
        assert not playback.playing, widget


def test_space_is_a_space_in_a_text_field(window):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "2 * L1", None)
    assert field.edit.text() == "2 * L1" and not window.studio.playback.playing


def test_the_picture_moves_and_the_clock_runs(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.time > 0.3, timeout=5000)
    assert window.time_bar.clock.text() != "0.000 s"
    assert window.status.constraint.text() == "|C| 1e−12 m"
    assert "Energy" in window.status.energy.text() and "–" not in window.status.energy.text()


def test_scrubbing_moves_everything_to_one_time(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    track, playback = window.time_bar.track, window.studio.playback
    target = QtCore.QPoint(round(track.x_of(3.0)), track.height() // 2)
    QTest.mousePress(track, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QtCore.QPoint(round(track.x_of(1.0)), track.height() // 2))
    QTest.mouseMove(track, target)
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, target)
    assert playback.time == pytest.approx(3.0, abs=0.02) and not playback.playing
    qtbot.waitUntil(lambda: window.docks.plots[0].area._time == playback.time)


def test_dragging_the_cursor_of_a_plot_moves_the_time(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    area = window.docks.plots[1].area
    box = area.getPlotItem().vb
    at = [area.mapFromScene(box.mapViewToScene(QtCore.QPointF(t, 0))) for t in (1.0, 4.0)]
    QTest.mousePress(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at[0])
    assert window.studio.playback.time == pytest.approx(1.0, abs=0.05)
    QTest.mouseMove(area.viewport(), at[1])
    QTest.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at[1])
    qtbot.waitUntil(lambda: abs(window.studio.playback.time - 4.0) < 0.05)


def test_arrows_home_and_end_step_through_the_samples(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    window.viewport.setFocus()
    playback = window.studio.playback
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
    assert window.studio.playback.speed == 8


def test_an_edit_goes_back_to_the_design_and_the_next_space_runs_again(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.time > 0.1)
    select(window, "rocker")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "60 mm")
    assert window.studio.playback.at_design and window.studio.recording is None and not window.studio.playback.playing
    assert window.status.constraint.text() == "|C| –"
    runs = window.studio.session.calls.count("simulate")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Space)
    assert window.studio.session.calls.count("simulate") == runs + 1 and window.studio.recording is not None


def test_a_slider_is_one_step_and_runs_again(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    slider = window.docks.controls.sliders["L1"]
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert window.studio.document.undo_label.startswith("L1 = ")
    assert window.studio.recording is not None and window.studio.recording.project is window.studio.document.project


def test_a_word_of_a_legend_hides_its_curve(window, qtbot):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.playback.complete)
    plot = window.docks.plots[1]
    assert plot.area.hidden == {"energy/balance"}
    plot.legend._fill()
    next(a for a in plot.legend._menu.actions() if a.text() == "balance").trigger()
    assert plot.area.hidden == set()


# status

def test_the_status_line_is_a_dash_while_unknown_and_neutral_about_redundancy(window):
    assert [p.text() for p in (window.status.mobility, window.status.hyperstatic, window.status.loops)] == ["Mobility 1", "Hyperstatic 3", "Loops 1"]
    assert not window.status.hyperstatic.property("kind")
    window.studio.session.analysis = None
    window.studio.analysed.emit()
    assert window.status.mobility.text() == "Mobility –" and window.status.hyperstatic.text() == "Hyperstatic –"


def test_preparing_is_told_with_its_progress(window):
    window.studio.session.set_status("preparing", 0.4, "Preparing the solver, first run only, 40 %")
    assert window.status.preparing.text() == "Preparing the solver, first run only, 40 %" and window.status.preparing.isVisible()
    # what to do next is said all the same
    assert "L draws a link" in window.status.hint.text() and window.status.preparing.window() is window
    assert window.status.progress.isVisible() and window.status.progress.value() == 40


def test_a_silent_solver_asks_to_wait_or_stop(window):
    session = window.studio.session
    for word, call in (("Wait", "keep_waiting"), ("Stop", "stop_worker")):
        session.set_status("silent", 0.0, "The solver is not answering: wait or stop.")
        banner = window.banners.shown[-1]
        assert banner.text.text() == "The solver is not answering: wait or stop."
        click(next(b for b in banner.findChildren(QtWidgets.QPushButton) if b.text() == word))
        assert session.calls[-1] == call
    session.set_status("ready", 1.0, "")
    assert not window.banners.shown


def test_a_lost_solver_is_told_and_can_be_dismissed(window):
    window.studio.session.set_status("lost", 0.0, "The solver was lost and is started again; the recording is kept.")
    banner = window.banners.shown[-1]
    assert "kept" in banner.text.text()
    click(banner.findChildren(QtWidgets.QToolButton)[0])
    assert not window.banners.shown


def test_a_finding_selects_its_element(window):
    card = window.docks.doctor.findChild(QtWidgets.QFrame, "card")
    click(card)
    assert window.studio.selection.current == "C"


# files

def test_saved_and_opened_again_it_is_the_same(window, four_bar, qtbot):
    select(window, "crank")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "48 mm")
    camera = window.viewport.camera
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not window.studio.document.is_modified and window.status.saved.text() == "Saved"
    project = window.studio.document.project
    assert load(four_bar).project == project
    window.studio.new()
    assert window.studio.open(four_bar)
    assert window.studio.document.project == project
    assert window.viewport.camera == camera


@pytest.mark.parametrize("data", [b"", b"{", b"\x00\xff garbage", b'{"mechstudio": 1, "bodies": [{"id": 3}]}', b"[" * 100_000])
def test_bad_files_are_told_in_a_sentence_and_lose_nothing(window, tmp_path, qtbot, data):
    bad = tmp_path / "bad.mech"
    bad.write_bytes(data)
    before = window.studio.document.project
    window.commands.open_path(bad)
    qtbot.waitUntil(lambda: not window.studio.opening.is_reading)
    if window.studio.document.project is before:
        banner = window.banners.shown[-1]
        assert banner.message.kind == "error" and "bad" in banner.text.text() and "Traceback" not in banner.text.text()
    else:
        assert window.banners.shown, "what could not be read is told"


def test_a_missing_file_is_told(window, tmp_path, qtbot):
    window.commands.open_path(tmp_path / "gone.mech")
    qtbot.waitUntil(lambda: not window.studio.opening.is_reading)
    assert "gone.mech" in window.banners.shown[-1].text.text()


def test_a_drawing_that_is_changed_while_a_file_is_read_stays(window, four_bar, qtbot):
    window.commands.open_path(four_bar)
    assert window.studio.opening.is_reading
    change(window)
    kept = window.studio.document.project
    qtbot.waitUntil(lambda: not window.studio.opening.is_reading)
    assert window.studio.document.project is kept
    assert "was not opened" in window.banners.shown[-1].text.text()


def change(window):
    select(window, "crank")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "48 mm")
    assert window.studio.document.is_modified


def choose(window, word):
    button = next(b for b in window.commands.sheet.findChildren(QtWidgets.QPushButton) if b.text() == word)
    click(button)


def test_unsaved_changes_are_asked_about_before_another_document(window):
    change(window)
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    choose(window, "Cancel")
    assert window.studio.document.is_modified
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    choose(window, "Don't save")
    assert not window.studio.document.project.mechanism.bodies


def test_closing_asks_and_saves(make_window, four_bar):
    window = make_window(four_bar)
    change(window)
    window.close()
    assert window.isVisible()
    choose(window, "Cancel")
    window.close()
    choose(window, "Save")
    assert not window.isVisible()
    assert load(four_bar).project.mechanism.bodies["crank"].shapes[0].dimensions["width"].text == "48 mm"


def test_escape_closes_a_question(window):
    change(window)
    window.close()
    sheet = window.commands.sheet
    press(window, Qt.Key.Key_Escape)
    assert not sheet.isVisible() and window.isVisible() and window.studio.document.is_modified


def test_space_does_not_play_behind_a_sheet(window):
    window.commands.trigger("shortcuts")
    press(window, Qt.Key.Key_Space)
    assert not window.studio.playback.playing


def test_save_as_writes_where_the_user_says(window, tmp_path, qtbot):
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    dialog = window.findChild(QtWidgets.QFileDialog)
    target = tmp_path / "copy"
    dialog.selectFile(str(target))
    dialog.accept()
    assert load(tmp_path / "copy.mech").project == window.studio.document.project
    assert window.windowTitle() == "copy.mech[*]"


# actions, palette, theme, layouts

def test_the_palette_finds_actions_bodies_and_samples(window):
    for query, found in (("undo", None), ("coupler", "coupler"), ("dark", "Dark"), ("heavy", "Heavy top"), ("isometric", "Corner")):
        press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        palette = window.commands.sheet
        QTest.keyClicks(palette.edit, query)
        texts = [e.text for e in palette.found]
        # what cannot be done now stands last
        assert texts[-1] == "Undo" if found is None else texts[0] == found, (query, texts)
        press(window, Qt.Key.Key_Escape)
        assert not palette.isVisible()


def test_the_palette_runs_what_is_chosen(window):
    press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.commands.sheet.edit, "rocker")
    press(window, Qt.Key.Key_Return)
    assert window.studio.selection.current == "rocker"


def test_a_sample_opens_as_a_copy_and_plays(window, qtbot):
    next(run for text, _, run in window.commands.samples() if text == "Heavy top")()
    qtbot.waitUntil(lambda: not window.studio.opening.is_reading)
    assert window.studio.document.path is None and window.studio.playback.playing
    assert [*window.studio.document.project.mechanism.bodies] == [*load(sample_folder() / "heavy_top.mech").project.mechanism.bodies]


def test_every_colour_changes_with_the_theme(window, theme):
    light = window.grab().toImage()
    window.commands.trigger("theme_dark")
    assert theme.name == "dark"
    dark = window.grab().toImage()
    spots = [QtCore.QPoint(20, 15), QtCore.QPoint(60, 400), QtCore.QPoint(window.width() - 20, 300), QtCore.QPoint(700, window.height() - 6), QtCore.QPoint(230, 600)]
    for spot in spots:
        assert QtGui.QColor(light.pixel(spot)).lightness() > 150 > 90 > QtGui.QColor(dark.pixel(spot)).lightness(), spot
    window.commands.trigger("theme_system")
    assert theme.choice == "system"


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("workspace", ["build", "analyse", "explain"])
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
        if label.isVisible() and label.text() and not label.wordWrap() and label.parent() in (window.status.mobility, window.status.energy, window.time_bar.clock):
            assert label.width() >= label.sizeHint().width() - 1, label.text()


# every kind of element once; the other samples take minutes
QUICK = ("four_bar.mech", "gear_train.mech", "rolling_disc.mech")


@pytest.mark.parametrize("sample", [pytest.param(p.name, marks=[] if p.name in QUICK else pytest.mark.slow) for p in sorted(sample_folder().glob("*.mech"))])
def test_every_action_runs_on_every_sample(make_window, sample, qtbot):
    window = make_window(sample_folder() / sample)
    for row in ACTIONS:
        if row.id in ("quit", "open", "save", "save_as", "body_mesh") or (sample != QUICK[0] and row.menu in ("View/Theme", "View/Text size")):
            continue        # the look of the window, which takes a second each time, is the same for every sample
        window.studio.selection.select(next(iter(window.studio.document.project.mechanism.bodies), ""))
        window.actions_.trigger(row.id)
        QtWidgets.QApplication.processEvents()
        if window.commands.sheet is not None and row.id != "new":
            window.commands.sheet.close_sheet()
            window.commands.sheet = None


def test_every_action_has_a_method_a_condition_and_a_key_of_its_own(window):
    keys = [s for row in ACTIONS for s in row.shortcuts]
    assert len(keys) == len(set(keys))
    for row in ACTIONS:
        assert callable(getattr(window.commands, row.id))
        assert isinstance(getattr(window.studio, row.when), bool)
        if row.checked:
            assert isinstance(getattr(window.commands, row.checked), bool)


def test_menus_hold_every_action(window):
    found = set()

    def walk(menu):
        for action in menu.actions():
            found.add(action.objectName())
            if action.menu():
                walk(action.menu())
    for top in window.top.menu.actions():
        walk(top.menu())
    assert {row.id for row in ACTIONS} <= found


def test_the_window_remembers_theme_and_recent_files(make_window, four_bar):
    window = make_window(four_bar)
    window.commands.trigger("theme_dark")
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
    window.studio.say(Message("info", "One.", "a"))
    window.studio.say(Message("error", "Two.", "a"))
    assert [b.text.text() for b in window.banners.shown] == ["Two."]
    press(window, Qt.Key.Key_Space)
    assert window.studio.playback.playing


# guards that guard

def test_the_leftover_guard_sees_a_forgotten_timer_and_thread():
    import threading

    from .conftest import leftovers
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


def test_the_standin_has_what_the_window_asks_of_a_session():
    """Planted: a session without one of these would only fail in the field."""
    from mechstudio.application.session import Session
    for name in ("simulate", "cancel", "stop_worker", "keep_waiting", "poll", "close"):
        assert callable(getattr(Session, name)) and callable(getattr(StandinSession, name))


def test_the_palette_opens_again_after_it_was_used(window, qtbot):
    for _ in range(2):
        window.actions_.trigger("palette")
        palette = window.commands.sheet
        assert palette.isVisible()
        palette.close_sheet()
        qtbot.wait(50)


def test_readings_of_what_was_just_deleted_are_not_asked_for(window, qtbot):
    """A tool that starts anew goes back to the drawing before the selection follows."""
    select(window, "A")
    studio, told = window.studio, []
    qtbot.waitUntil(lambda: bool(window.docks.inspector.live))

    def first(*_):
        studio.playback.changed.emit()
        told.append(studio.selection.selected)
    studio.document.changed._listeners.insert(0, first)
    try:
        studio.delete()
    finally:
        studio.document.changed.disconnect(first)
    assert told == [("A",)] and "A" not in studio.document.project.mechanism.joints and studio.selection.selected == ()
