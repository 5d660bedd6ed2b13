"""The free-body view in the window, by real events and pixels."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import free_body
from mechstudio.model import free_bodies as of
from mechstudio.model.edits import elements
from mechstudio.model.results.analysis_results import Measured
from mechstudio.tokens import rgb, theme
from mechstudio.view.scene import camera as lens
from tests.view.conftest import settle

Qt = QtCore.Qt
NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def cut(solved_four_bar, qtbot):
    """The four-bar, run, its coupler cut free by the key at 0.9 s."""
    window = solved_four_bar
    studio = window.studio
    window.viewport.look.reduced_motion = True
    window.viewport.framing.view_from("front")
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    studio.runs.playback.seek(0.9)
    studio.selection.select("coupler")
    settled(window)
    QTest.keyClick(window.viewport, Qt.Key.Key_C)
    assert studio.free_body.body == "coupler"
    qtbot.waitUntil(lambda: studio.free_body.whole and free_body.cut(studio) is not None)
    settled(window)
    yield window
    studio.free_body.leave()
    settled(window)


def settled(window):
    # the card takes its size in turns, and its polygon is laid out when it is painted
    settle(QtWidgets.QApplication.instance())
    window.viewport.painter._draw(1.0)
    window.viewport.repaint()
    window.card.repaint()


def pixels(window):
    """The viewport alone, (height, width, 3)."""
    image = QtGui.QImage(window.viewport.size(), QtGui.QImage.Format.Format_RGB32)
    window.viewport.render(image)
    return (
        np.frombuffer(image.constBits(), "u1")
        .reshape(image.height(), image.width(), 4)[..., 2::-1]
        .astype(float)
        / 255
    )


def mark(window, kind, id=None, couple=False):
    return next(
        m
        for m in window.viewport.free_body.marks
        if m.slot.kind == kind and m.couple == couple and id in (None, m.slot.id) and not m.dashed
    )


def middle(m, share=0.5):
    (x0, y0), (x1, y1) = m.line[0], m.line[-1]
    return QtCore.QPoint(round(x0 + share * (x1 - x0)), round(y0 + share * (y1 - y0)))


def has_color(picture, at, color, reach=2):
    """True if a colour is within some pixels of a place."""
    box = picture[at.y() - reach : at.y() + reach + 1, at.x() - reach : at.x() + reach + 1].reshape(
        -1, 3
    )
    return bool((np.abs(box - rgb(color)).max(axis=1) < 0.02).any())


def test_the_rest_fades_and_arrows_have_their_colours(cut):
    view, t = cut.viewport, theme("light")
    covered = [*(m.label.toRect() for m in view.free_body.marks), cut.card.geometry()]
    # a place well inside the rocker's face
    x, y = next(
        (x, y)
        for x in range(20, view.width() - 20, 9)
        for y in range(20, view.height() - 20, 9)
        if all(
            (hit := view.navigator.hit(x + i, y + j)) is not None
            and hit.id == "rocker"
            and not hit.on_mark
            for i in (-6, 6)
            for j in (-6, 6)
        )
        and not any(r.adjusted(-8, -8, 8, 8).contains(x, y) for r in covered)
    )
    now, veil = pixels(cut), (np.array(rgb(t["view_top"])) + rgb(t["view_bottom"])) / 2
    faded = np.abs(now[y - 3 : y + 4, x - 3 : x + 4] - veil).mean()
    assert has_color(now, middle(mark(cut, of.WEIGHT)), t["vector"])
    assert has_color(now, middle(mark(cut, of.INERTIA)), t["text"])
    # what the crank puts on it has the crank's colour
    pin = mark(cut, of.REACTION, "B")
    assert has_color(now, middle(pin), pin.color) and pin.color != t["vector"]
    cut.studio.free_body.leave()
    settled(cut)
    whole = np.abs(pixels(cut)[y - 3 : y + 4, x - 3 : x + 4] - veil).mean()
    assert whole > 0.2 and faded < 0.4 * whole


@pytest.mark.slow
def test_the_card_does_not_cover_the_body_in_another_workspace(cut, qtbot):
    view = cut.viewport
    left = lambda: lens.project(
        view.framing.camera,
        (view.width(), view.height()),
        view.shown.scene.points_of(("coupler",), view.shown.poses),
    )[:, 0].min()
    for name in ("analyse", "build"):
        # brought under the card, as far as it goes
        view.framing.go(
            lens.replaced(
                view.framing.camera,
                target=np.array(view.framing.camera.target)
                + 250
                * lens.pixel(view.framing.camera, (view.width(), view.height()))
                * lens.axes(view.framing.camera)[0],
            ),
            at_once=True,
        )
        cut.set_workspace(name)
        settle(QtWidgets.QApplication.instance())
        assert cut.card.geometry().right() < left(), name


@pytest.mark.slow
def test_symbols_do_not_cover_each_other(cut):
    rooms = [m.label.adjusted(4, 5, -4, -5) for m in cut.viewport.free_body.marks]
    assert len(rooms) >= 4
    assert not any(a.intersects(b) for k, a in enumerate(rooms) for b in rooms[:k])
    card = QtCore.QRectF(cut.card.geometry())
    assert not any(room.intersects(card) for room in rooms)


def test_an_arrow_is_pointed_at_and_clicked(cut, qtbot):
    studio, view = cut.studio, cut.viewport
    QTest.mouseMove(view, middle(mark(cut, of.REACTION, "B"), 0.6))
    qtbot.waitUntil(lambda: studio.selection.hovered == "B")
    assert studio.free_body.hovered == of.Slot("coupler", of.REACTION, "B")
    t = theme("light")
    settled(cut)
    label = mark(cut, of.REACTION, "B").label.toRect()
    assert has_color(
        pixels(cut), QtCore.QPoint(label.left() + 3, label.center().y()), t["accent_soft"], 1
    )
    QTest.mouseClick(view, LEFT, NONE, middle(mark(cut, of.REACTION, "B"), 0.6))
    assert studio.selection.selected == ("B",) and studio.free_body.body == "coupler"
    # the other way: a joint that is pointed at elsewhere lights its arrow
    studio.selection.select()
    QTest.mouseMove(view, QtCore.QPoint(view.width() - 20, view.height() // 2))
    qtbot.waitUntil(lambda: studio.free_body.hovered is None)
    studio.selection.hover("C")
    assert cut.free_body._is_lit(
        of.Slot("coupler", of.REACTION, "C")
    ) and not cut.free_body._is_lit(of.Slot("coupler", of.REACTION, "B"))


def test_arrows_of_the_polygon_point_from_start_to_end(cut):
    polygon, width = cut.card.polygon, 2.0
    long = [s for s in polygon.sides if np.hypot(*np.subtract(s.end, s.start)) > 30]
    assert long
    for side in long:
        image = QtGui.QImage(polygon.size(), QtGui.QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QtGui.QPainter(image)
        polygon._arrow(painter, side, width, 1.0)
        painter.end()
        drawn = np.frombuffer(image.constBits(), "u1").reshape(image.height(), image.width(), 4)
        y, x = np.nonzero(drawn[..., :3].min(axis=2) < 200)
        way = np.subtract(side.end, side.start)
        length = np.hypot(*way)
        along, across = (
            np.array([way, (-way[1], way[0])])
            @ np.stack([x, y] - np.array([[side.start[0]], [side.start[1]]]))
            / length
        )
        assert along.min() > -2 and along.max() < length + 2
        # the head, which is wider than the line, is at the end
        head = along[np.abs(across) > width]
        assert len(head) and head.min() > length / 2


def test_polygon_and_list_answer_the_pointer(cut, qtbot):
    studio, polygon = cut.studio, cut.card.polygon
    side = next(s for s in polygon.sides if s.slot.id == "B" and not s.stroke.loose)
    QTest.mouseMove(polygon, QtCore.QPoint(2, 2))
    QTest.mouseMove(
        polygon, QtCore.QPoint(*(round(0.5 * (a + b)) for a, b in zip(side.start, side.end)))
    )
    qtbot.waitUntil(lambda: studio.selection.hovered == "B")
    lines = cut.card.list
    k = next(k for k, s in enumerate(lines.lines) if s.action.slot.id == "B")
    QTest.mouseClick(lines, LEFT, NONE, QtCore.QPoint(30, round(19 * k + 9)))
    assert studio.selection.selected == ("B",)


@pytest.mark.slow
def test_another_body_and_back(cut, qtbot):
    studio = cut.studio
    studio.selection.select("rocker")
    assert studio.free_body.body == "rocker" and free_body.cut(studio).body == "rocker"
    settled(cut)
    assert cut.viewport.look.focus == frozenset(("rocker",)) and "rocker" in cut.card.title.text()
    studio.selection.select("D")
    assert studio.free_body.body == "rocker"
    QTest.keyClick(cut.viewport, Qt.Key.Key_Escape)
    settled(cut)
    assert (
        not studio.free_body.is_open
        and cut.card.isHidden()
        and cut.viewport.look.focus is None
        and cut.viewport.free_body.marks == []
    )
    # Esc once more selects nothing, as ever
    QTest.keyClick(cut.viewport, Qt.Key.Key_Escape)
    assert studio.selection.selected == ()


@pytest.mark.slow
def test_no_handles_stand_among_the_arrows(cut):
    studio = cut.studio
    studio.runs.playback.to_design()
    assert cut.viewport.navigator.tool is None
    studio.free_body.leave()
    assert cut.viewport.navigator.tool is not None


@pytest.mark.slow
def test_playing_makes_no_widgets(cut):
    studio = cut.studio
    count = len(cut.findChildren(QtCore.QObject))
    numbers = set()
    for k in range(20):
        studio.runs.playback.seek(0.5 + 0.03 * k)
        settled(cut)
        numbers.add(mark(cut, of.INERTIA).text[2])
        assert cut.card.forces.holds and cut.card.moments.holds
    assert len(numbers) > 15 and len(cut.findChildren(QtCore.QObject)) == count


@pytest.mark.slow
def test_a_wrong_sign_turns_the_closing_red(cut):
    studio, view = cut.studio, cut.studio.free_body
    table, all_ = view._table, of.slots(studio.document.project.mechanism)
    k = all_.index(of.Slot("coupler", of.WEIGHT, "coupler"))
    rows = np.frombuffer(table.rows).reshape(-1, len(table.columns)).copy()
    rows[:, 1:].reshape(len(rows), -1, of.WIDTH)[:, k, of.FORCE] *= -1
    # a soft red ground behind the sum, which nothing else has
    soft = np.array(rgb(theme("light")["error_soft"]))
    red = lambda: int((np.abs(shown(cut.card) - soft).max(axis=2) < 0.01).sum())
    good = red()
    assert cut.card.forces.holds
    view._table, view._course = (
        Measured(table.what, table.columns, table.dimensions, rows.tobytes(), table.hatched),
        None,
    )
    cut.free_body.refresh()
    settled(cut)
    assert (
        cut.card.forces.holds is False
        and cut.card.moments.holds
        and cut.card.polygon.gap is not None
    )
    assert good == 0 and red() > 1000
    assert cut.card.forces.number.text().startswith("50.")
    view._table, view._course = table, None


def shown(widget):
    image = widget.grab().toImage().convertToFormat(QtGui.QImage.Format.Format_RGB32)
    return (
        np.frombuffer(image.constBits(), "u1")
        .reshape(image.height(), image.width(), 4)[..., 2::-1]
        .astype(float)
        / 255
    )


@pytest.mark.slow
def test_arrows_are_made_longer(cut):
    def length():
        (x0, y0), (x1, y1) = mark(cut, of.WEIGHT).line
        return float(np.hypot(x1 - x0, y1 - y0))

    before = length()
    QTest.mouseClick(cut.card.longer, LEFT)
    settled(cut)
    assert length() == pytest.approx(1.25 * before, rel=1e-2) and cut.card.scale.text() == "× 1.25"
    QTest.mouseClick(cut.card.scale, LEFT)
    settled(cut)
    assert length() == pytest.approx(before, rel=1e-6)


def test_before_a_run_the_start_is_shown(solved_four_bar, qtbot):
    window, studio = solved_four_bar, solved_four_bar.studio
    # a drawing of which no test before has a run
    studio.document.commit(
        "Heavier", elements.set_quantity(studio.document.project, "coupler", ("mass",), "3.21 kg")
    )
    studio.selection.select("coupler")
    window.actions_.trigger("free_body")
    qtbot.waitUntil(lambda: free_body.cut(studio) is not None)
    settled(window)
    qtbot.waitUntil(lambda: "Press Space" in window.card.note.text())
    assert window.card.forces.holds
    assert studio.runs.recording is None
    # a active tool puts the body back
    window.actions_.trigger("draw_link")
    assert not studio.free_body.is_open
    studio.tools.take("select")


def test_the_ways_there(solved_four_bar, qtbot):
    window, studio = solved_four_bar, solved_four_bar.studio
    assert not window.actions_.by_id["free_body"].isEnabled()
    studio.selection.select("crank")
    assert window.actions_.by_id["free_body"].isEnabled()
    menu = window.actions_.popup(window, QtCore.QPoint(100, 100))
    assert window.actions_.by_id["free_body"] in menu.actions()
    menu.close()
    qtbot.waitUntil(lambda: any(b.text() == "Cut free" for b in buttons(window)))
    QTest.mouseClick(next(b for b in buttons(window) if b.text() == "Cut free"), LEFT)
    assert studio.free_body.body == "crank"
    assert [b.text() for b in buttons(window)] == ["Put back"]
    QTest.mouseClick(window.card.close_button, LEFT)
    assert not studio.free_body.is_open and [b.text() for b in buttons(window)] == ["Cut free"]


def buttons(window):
    return [
        b
        for b in window.docks.inspector.findChildren(QtWidgets.QPushButton)
        if b.objectName() == "cut free" and b.isVisibleTo(window.docks.inspector)
    ]
