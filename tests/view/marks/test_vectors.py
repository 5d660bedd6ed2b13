"""Vectors and the list of marks in the real window: keys, pixels, numbers of the engine, and words
that cover nothing.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui
from PySide6.QtTest import QTest

from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.tokens import theme
from mechstudio.view.scene.marks.arrows import layout
from mechstudio.view.scene.overlays.canvas import Canvas, Words
from tests.view.hands import press
from tests.view.marks.test_trails import changed, near, picture, run

Qt = QtCore.Qt


@pytest.fixture(autouse=True)
def closed(shared_solver):
    """The card is closed before and after."""
    yield
    shared_solver.shown_button.card.close_card()


def settle(window):
    """Let the change that a menu has requested happen."""
    QtCore.QCoreApplication.processEvents()


def types(window):
    return sorted((m.type, m.body, m.joint) for m in window.studio.document.project.marks)


def found_out(window, qtbot, *kinds):
    arrows = window.studio.marks.arrows
    qtbot.waitUntil(lambda: all(arrows.is_known(kind) for kind in kinds), timeout=90_000)


def drawn(window):
    """Arrows as they stand on the screen, with their scales."""
    view, look = window.viewport, window.viewport.look
    canvas = Canvas(None, Words(), view.framing.current, view.framing.size, "light")
    measures = look.arrow_measures({m.dimension: m for m in view.shown.scene.measures})
    return layout(canvas, look.arrows, measures, view.shown.scene.size)[0], measures


def test_v_shows_reactions_of_joints_and_velocities_of_bodies(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    run(window, qtbot)
    studio.selection.select("A", "coupler")
    before = picture(window)
    view.setFocus()
    press(window, Qt.Key.Key_V)
    points = [p.name for p in studio.document.project.mechanism.bodies["coupler"].points]
    velocities = [m for m in studio.document.project.marks if m.type == "velocity"]
    assert [(m.body, m.point) for m in velocities] == [("coupler", name) for name in points]
    assert [m.joint for m in studio.document.project.marks if m.type == "reaction"] == ["A"]
    found_out(window, qtbot, "reaction")
    qtbot.waitUntil(lambda: len(view.look.arrows) == 1 + len(points))
    after = picture(window)
    arrows, measures = drawn(window)
    assert {a.arrow.type for a in arrows} == {"reaction", "velocity"}
    fresh = changed(before, after)
    for each in arrows:
        role = {"reaction": "vector", "velocity": "velocity"}[each.arrow.type]
        ink = fresh & near(after, theme("light")[role], 40)
        along = each.root + np.linspace(0.0, 1.0, 40)[:, None] * (each.tip - each.root)
        seen = [ink[y - 2 : y + 3, x - 2 : x + 3].any() for x, y in along.round().astype(int)]
        assert np.mean(seen) > 0.4, each.arrow.type
        # as long as its number says, seen in the plane through its root
        measure = measures[each.arrow.dimension]
        length = np.linalg.norm(each.arrow.vector) * measure.length / measure.value
        seen = float(np.hypot(*(each.tip - each.root))) * view.framing.pixel
        assert seen < 1.3 * length and seen > 0.3 * length
    press(window, Qt.Key.Key_V)
    assert types(window) == [] and view.look.arrows == []
    assert changed(before, picture(window)).mean() < 0.01


def test_the_list_opens_by_its_button_and_switches_by_keys_and_mouse(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    button, card = window.shown_button.button, window.shown_button.card
    studio.selection.select()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert card.isVisible() and card.isAncestorOf(window.focusWidget())
    # with nothing selected all that can have it has it
    QTest.mouseClick(card.kinds["reaction"].check, Qt.MouseButton.LeftButton)
    assert [m.joint for m in studio.document.project.marks] == ["A", "B", "C", "D"]
    assert card.isVisible() and card.kinds["reaction"].holds.text() == "A, B, C, D"
    # a run of the same drawing may be there from the test before
    known = studio.runs.recording is not None
    assert card.kinds["reaction"].value.text() == ("being found" if known else "–")
    card.components.check.setFocus()
    press(window, Qt.Key.Key_Space)
    assert studio.marks.components
    card.length.setFocus()
    press(window, Qt.Key.Key_Right)
    assert studio.marks.length > 1.0
    press(window, Qt.Key.Key_Left)
    assert studio.marks.length == 1.0
    QTest.mouseClick(card.plain["labels"].check, Qt.MouseButton.LeftButton)
    assert not studio.preferences.stored.labels
    QTest.mouseClick(card.plain["labels"].check, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card.kinds["reaction"].check, Qt.MouseButton.LeftButton)
    assert [m.type for m in studio.document.project.marks] == ["components"]
    # each of these was a step of its own
    press(window, Qt.Key.Key_Escape)
    assert not card.isVisible() and not button.isChecked()
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert sum(m.type == "reaction" for m in studio.document.project.marks) == 4


def test_a_click_elsewhere_closes_the_list_and_a_trail_can_come_back(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    button, card = window.shown_button.button, window.shown_button.card
    project = with_marks(studio.document.project, "trail", [Place("coupler", "P")])
    studio.document.commit("Trail", project)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    (line,) = card._trails.values()
    assert (line.word.text(), line.holds.text()) == ("P", "of coupler")
    QTest.mouseClick(line.check, Qt.MouseButton.LeftButton)
    assert studio.document.project.marks == () and card._trails
    QTest.mouseClick(line.check, Qt.MouseButton.LeftButton)
    assert [m.point for m in studio.document.project.marks] == ["P"]
    entries = {a.text(): a for a in line.findChildren(QtGui.QAction)}
    entries["last 2 s"].trigger()
    settle(window)
    assert studio.document.project.marks[0].value == 2.0
    entries = {a.text(): a for a in next(iter(card._trails.values())).findChildren(QtGui.QAction)}
    entries["By speed"].trigger()
    settle(window)
    assert studio.document.project.marks[0].color == "speed"
    QTest.mouseClick(window.viewport, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(700, 20))
    assert not card.isVisible()


@pytest.mark.slow
def test_words_cover_neither_each_other_nor_arrows_at_any_sample(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    project = studio.document.project
    points = [Place("coupler", "P"), Place(joint="B"), Place(joint="C")]
    project = with_marks(project, "velocity", points)
    project = with_marks(project, "reaction", [Place(joint=j) for j in "ABCD"])
    studio.document.commit("Marks", project)
    studio.selection.select("coupler")
    run(window, qtbot)
    found_out(window, qtbot, "reaction")
    furniture = view.painter._furniture
    words = 0
    for time in studio.runs.recording.time[::12]:
        studio.runs.playback.seek(float(time))
        view.repaint()
        placed = furniture.placer.words
        words += len(placed)
        for k, room in enumerate(placed):
            assert not any(room.intersects(other) for other in placed[:k]), time
        for each in drawn(window)[0]:
            for share in np.linspace(0.0, 1.0, 20):
                x, y = each.root + share * (each.tip - each.root)
                assert not any(room.contains(x, y) for room in placed), time
    assert words > 4 * len(studio.runs.recording.time[::12]) * 0.9


@pytest.mark.parametrize("type", ["velocity", "acceleration", "force"])
def test_many_arrows_are_painted_as_few_are_but_for_their_halo(qapp, type):
    from mechstudio.application.marks.arrows import Arrow
    from mechstudio.view.scene.marks.arrows import HALOES, Drawn, paint_arrows

    count, color = HALOES + 6, QtGui.QColor(theme("light")["vector" if type == "force" else type])
    image = QtGui.QImage(600, 400, QtGui.QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    arrows = [
        Drawn(
            Arrow(type, f"m{k}", type, np.zeros(3), np.ones(3), False, k == 3, ""),
            np.array([10.0 + 18 * k, 350.0]),
            np.array([10.0 + 18 * k, 50.0]),
            1.0,
        )
        for k in range(count)
    ]
    painter = QtGui.QPainter(image)
    canvas = Canvas(painter, Words(), None, (600.0, 400.0), "light")
    paint_arrows(canvas, arrows, {5}, {}, False)
    painter.end()
    for k in range(count):
        column = [image.pixelColor(10 + 18 * k, y) for y in range(60, 340)]
        same = [abs(c.red() - color.red()) + abs(c.blue() - color.blue()) < 30 for c in column]
        # the one that is not determined is dashed, and the one that is cut has its strokes
        assert (0.3 < np.mean(same) < 0.9) if k == 3 else np.mean(same) > 0.9, k
    heads = [image.pixelColor(10 + 18 * k - 3, 57) for k in range(count)]
    side = [image.pixelColor(10 + 18 * k + 3, 57) for k in range(count)]
    drawn = [h != Qt.GlobalColor.white or s != Qt.GlobalColor.white for h, s in zip(heads, side)]
    assert all(drawn)
