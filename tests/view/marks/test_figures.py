"""Figures beside the drawing in the real window: switched by the mouse in the list and by Ctrl+K's
actions, seen in pixels, saved and undone.
"""

import numpy as np
import pytest
from PySide6 import QtCore

from mechstudio.application.marks.figures.edges import Edges
from mechstudio.application.marks.figures.figure import Figures, Line, Outline
from mechstudio.files.project_file import decode, encode
from mechstudio.tokens import body_color
from mechstudio.view.scene.marks.layer import _box, _places
from tests.view.hands import click, press
from tests.view.marks.test_trails import changed, near, picture, run

Qt = QtCore.Qt


def opened(window, qtbot):
    """The card of all that is shown, opened by its button."""
    click(window.shown_button.button)
    qtbot.waitUntil(window.shown_button.card.isVisible)
    return window.shown_button.card


def tick(card, type):
    line = card.figures[type]
    card._scroller.ensureWidgetVisible(line)
    click(line.check)


def test_ghosts_are_outlines_in_the_hue_of_their_bodies(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    studio.selection.select()
    run(window, qtbot)
    before = picture(window)
    card = opened(window, qtbot)
    tick(card, "ghost_angle")
    assert studio.document.undo_label == "Each step of the input"
    assert card.figures["ghost_angle"].holds.text() == "A"
    press(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(card.isHidden)
    assert len(view.look.figures.outlines) == 6  # three bodies, twice
    after = picture(window)
    fresh = changed(before, after)
    assert 0.0005 < fresh.mean() < 0.05  # lines, no areas
    hues = [body_color("light", b.color) for b in studio.document.project.mechanism.bodies.values()]
    assert all((fresh & near(after, hue, 110)).sum() > 20 for hue in hues)
    # kept in the file, and gone with one step back
    kept = decode(encode(studio.document.project)).project
    assert [m.type for m in kept.marks] == ["ghost_angle"]
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert view.look.figures.outlines == ()
    assert changed(before, picture(window)).mean() < 0.01
    window.actions_.trigger("show_ghost_start")
    assert len(view.look.figures.outlines) == 3
    assert window.actions_.by_id["show_ghost_start"].isChecked()


def test_a_step_is_chosen_in_the_row(solved_four_bar, qtbot):
    window = solved_four_bar
    run(window, qtbot)
    card = opened(window, qtbot)
    tick(card, "ghost_time")
    button = card._steps["ghost_time"]
    assert button.text() == "0.1 s"
    menu = button.menu()
    menu.popup(window.mapToGlobal(QtCore.QPoint(400, 300)))
    entry = next(a for a in menu.actions() if a.text() == "0.02 s")
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    qtbot.waitUntil(lambda: button.text() == "0.02 s")
    (mark,) = window.studio.document.project.marks
    assert mark.value == 0.02
    places = {tuple(np.round(o.pose, 6)) for o in window.viewport.look.figures.outlines}
    assert len(places) == 6
    press(window, Qt.Key.Key_Escape)


def test_body_figures_are_shown_without_a_run_and_move_along(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    view.framing.fit()
    studio.selection.select()
    before = picture(window)
    card = opened(window, qtbot)
    for type in ("frame", "centre", "ellipsoid", "joint_axis"):
        tick(card, type)
    press(window, Qt.Key.Key_Escape)
    figures = view.look.figures
    assert len(figures.symbols) == 3 * 4 and len(figures.lines) > 18
    assert changed(before, picture(window)).mean() > 0.002
    # words of frames keep out of each other's room, and centres are painted where bodies are
    rooms = view.painter._furniture.placer.words
    assert not any(a.intersects(b) for k, a in enumerate(rooms) for b in rooms[:k])
    run(window, qtbot)
    assert view.look.figures.lines is figures.lines  # nothing is made again for a moving body
    # of a hidden body nothing is seen
    studio.selection.select("coupler")
    window.actions_.trigger("hide")
    assert "coupler" not in view.painter._furniture._visible()


@pytest.mark.slow
def test_instant_centre_of_two_selected_bodies_and_the_edge_of_the_view(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    run(window, qtbot)
    studio.selection.select("coupler", "rocker")
    card = opened(window, qtbot)
    tick(card, "pole")
    assert card.figures["pole"].holds.text() == "coupler / rocker"
    tick(card, "pole")
    studio.selection.select()
    tick(card, "pole")
    tick(card, "swept")
    assert card.figures["pole"].holds.text() == "coupler / ground"
    press(window, Qt.Key.Key_Escape)
    assert [s.kind for s in view.look.figures.symbols] == ["pole"]
    # wherever it is, above the view or behind the eye too, something is painted and nothing fails
    for time in np.linspace(0.0, 2.0, 21).tolist():
        studio.runs.playback.seek(time)
        view.repaint()
        assert view.painter.message == "" and view.painter._furniture.placer.words
    picture(window)


@pytest.mark.slow
def test_the_list_is_no_wider_than_the_view_with_large_text(make_window, four_bar, theme, qtbot):
    window = make_window(four_bar, (1280, 800))
    try:
        window.studio.preferences.set(text_size=200)
        card = opened(window, qtbot)
        host = window.host.rect()
        assert host.contains(card.geometry())
        inner = card._scroller.widget()
        for line in (*card.figures.values(), *card.kinds.values(), *card.plain.values()):
            right = line.value.mapTo(inner, QtCore.QPoint(line.value.width(), 0)).x()
            assert right <= card._scroller.viewport().width() and line.word.text()
            assert line.word.width() >= line.word.minimumSizeHint().width()
    finally:
        window.studio.preferences.set(text_size=100)


@pytest.mark.slow
def test_parts_of_motions_name_themselves_and_their_frame_is_chosen(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    studio.selection.select("coupler")
    card = opened(window, qtbot)
    line = card.kinds["acceleration_parts"]
    card._scroller.ensureWidgetVisible(line)
    click(line.check)
    press(window, Qt.Key.Key_Escape)
    assert {m.other for m in studio.document.project.marks} == {"crank"}
    run(window, qtbot)
    arrows = studio.marks.arrows
    qtbot.waitUntil(lambda: arrows.is_known("acceleration_parts"), timeout=90_000)
    view.repaint()
    assert {a.words for a in view.look.arrows} == {"transport", "Coriolis", "relative"}
    card = opened(window, qtbot)
    menu = card._frames["acceleration_parts"].menu()
    entry = next(a for a in menu.actions() if a.text() == "ground")
    menu.popup(window.mapToGlobal(QtCore.QPoint(400, 300)))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    qtbot.waitUntil(lambda: {m.other for m in studio.document.project.marks} == {"ground"})
    view.repaint()
    # seen from the ground all of it is relative
    assert {a.words for a in view.look.arrows} == {"relative"}
    press(window, Qt.Key.Key_Escape)


def test_the_box_of_figures_holds_outlines_and_lines_of_the_world():
    """Lines of a body count with the body, which has its own box."""
    edges = Edges(np.array([[3.0, 4.0, 0.0]]), *(np.zeros((1, 3)),) * 3)
    pose = np.array([10.0, 20.0, 30.0, 1.0, 0.0, 0.0, 0.0])
    fixed, moving = Line(np.array([[-1.0, 0.0, 0.0]])), Line(np.array([[0.0, 0.0, -2.0]]))
    carried = Line(np.array([[0.0, -900.0, 0.0]]), "crank")
    figures = Figures((fixed, carried), (Outline(edges, pose, 0, 1.0),), (), (moving, carried))
    box = _box(_places(figures))
    assert box.shape == (8, 3) and len(np.unique(box, axis=0)) == 8
    assert box.min(axis=0).tolist() == [-1.0, 0.0, -2.0]
    assert box.max(axis=0).tolist() == [15.0, 25.0, 35.0]
    assert _box(_places(Figures())).shape == (0, 3)
