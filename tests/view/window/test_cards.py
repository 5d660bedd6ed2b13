"""Words on cards and beside fields and marks are readable: heights of cards, values of formulas,
names of points, lists at the cursor.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest, QtWidgets
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from mechstudio import tokens
from mechstudio.model.edits.bodies.points import add_point
from mechstudio.model.edits.contacts import enable, set_contacts
from mechstudio.model.findings import Finding
from mechstudio.model.project import Camera
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels.doctor import Card, Doctor
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays import point_marks
from mechstudio.view.scene.overlays.canvas import Canvas, Words
from mechstudio.view.scene.overlays.choice_card import card_room, paint_choices
from mechstudio.view.widgets.fields.number_field import NumberField

WORDS = ("end of a link with a long name", "grid", "free")


def test_a_new_card_has_its_height_at_once(window, monkeypatch):
    """Not only after the posted events: until then it would be seen squeezed."""
    doctor, studio = window.findChildren(Doctor)[0], window.studio
    long = (
        "Something long is said of this mechanism, so that it takes several lines in a "
        "narrow panel, more than would fit on one or two of them."
    )
    found = [Finding("warning", "crank", f"{k}. {long}", long) for k in range(4)]
    monkeypatch.setattr(type(studio.questions), "findings", property(lambda self: found))
    doctor._shown = None
    doctor.refresh()
    cards = [c for c in doctor.findChildren(Card) if c.isVisible()]
    assert len(cards) == 4
    assert all(c.height() >= c.heightForWidth(c.width()) > 60 and c.width() < 300 for c in cards)
    monkeypatch.undo()
    doctor._shown = None
    doctor.refresh()


@pytest.mark.parametrize("contacts", [False, True])
def test_a_body_that_falls_through_everything_is_let_touch(window, monkeypatch, contacts):
    """The button of the finding puts the contacts of the drawing and of the body on, in one step
    that comes undone.
    """
    studio = window.studio
    before = studio.document.project
    drawn = set_contacts(enable(before, contacts), "crank", not contacts)
    studio.document.commit("Contacts", drawn)
    finding = Finding("warning", "crank", "crank falls.", "Let bodies touch.", action="let_touch")
    card = Card(window.theme, studio, finding)
    (button,) = card.findChildren(QtWidgets.QPushButton)
    assert button.text() == "Let bodies touch"
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)
    after = studio.document.project.mechanism
    assert after.contacts.enabled and after.bodies["crank"].touches
    assert studio.selection.current == "crank"
    assert studio.document.undo_label == ("crank touches" if contacts else "Contacts on")
    studio.document.undo()
    assert studio.document.project == drawn
    studio.document.undo()
    card.deleteLater()


def test_value_of_a_formula_is_never_shortened(window):
    """Beside the formula where there is room, beneath where there is not; as it is left the formula
    may be shortened, the number not.
    """
    window.studio.selection.select("crank")
    turns().finish()
    field = next(
        f
        for f in window.findChildren(NumberField)
        if f.isVisible() and f.field.dimension == "length"
    )
    field._edit.setFocus()
    for text, beside in (("1+2", True), ("206.155/3+206/1.7-3+0*12345678", False)):
        field._edit.selectAll()
        QtTest.QTest.keyClicks(field._edit, text)
        note = field._note.text()
        assert note.startswith("= ") and field._note.isVisible() == beside
        assert field._note._label.text() == note if beside else field._wrong.text() == note
    QtTest.QTest.keyClick(field._edit, QtCore.Qt.Key.Key_Escape)
    window.viewport.setFocus()
    assert field._wrong.text() == ""


def test_names_of_points_keep_out_of_other_words(qapp, four_bar_project):
    """The name goes above or beside the point where a joint's letter stands below it."""
    project, _ = add_point(four_bar_project, "crank", (0.0, 0.0, 0.0), "tip")
    body = project.mechanism.bodies["crank"]
    at, turn = body.placement.pose
    camera, size = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 2.0), (400, 300)
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter, words, painted = QPainter(image), Words(), []
    paint, words.paint = words.paint, lambda *a: painted.append(paint(*a)) or painted[-1]

    def placed(taken):
        painted.clear()
        canvas = Canvas(painter, words, camera, size, "light")
        placer = Placer(size, taken)
        point_marks.paint_points(canvas, [(body, np.array([*turn, *at]))], placer)
        return painted[-1]

    free = placed([])
    for block in (free, free.united(QRectF(0, free.top(), 400, free.height()))):
        moved = placed([block])
        assert not moved.adjusted(3, 4, -3, -4).intersects(block)
    painter.end()


@pytest.fixture
def four_bar_project():
    from tests import scenes

    return scenes.four_bar()


@pytest.mark.parametrize(("x", "y"), [(10, 10), (390, 10), (200, 150), (10, 290), (395, 295)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_card_of_choices_stays_in_the_picture_and_off_the_cursor(qapp, x, y, scale):
    room = card_room(WORDS, QPointF(x, y), y + 24 * scale, (400, 300), scale)
    assert QRectF(0, 0, 400, 300).contains(room) and not room.contains(QPointF(x, y))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_card_lies_behind_its_words(qapp, theme):
    """Ground of the card between the rows, the chosen row on another one, whatever lies beneath."""
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0xFF00FF)
    painter, t = QPainter(image), tokens.theme(theme)
    room = card_room(WORDS, QPointF(10, 10), 30, (300, 200))
    paint_choices(painter, WORDS, 1, room, t)
    painter.end()
    right = int(room.right()) - 8
    assert image.pixelColor(right, int(room.top()) + 15).name().upper() == t["raised"].upper()
    assert image.pixelColor(right, int(room.top()) + 37).name().upper() == t["accent_soft"].upper()
