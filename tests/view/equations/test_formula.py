"""A formula on its own: its marks, its numbers and its edges, of a picture made by hand; and the
numbers of an instant beside it.
"""

import sys
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from mechstudio.application.questions.equations.styles import Picture, Style
from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.equations.terms import VALUE
from mechstudio.protocol.derivation_messages import LinkArea
from mechstudio.view.equations import numbers
from mechstudio.view.equations.formula import Formula
from mechstudio.view.equations.numbers import GAP, Flow, IndependentChoice, NowView
from tests.view.recorder import painted

LEFT = Qt.MouseButton.LeftButton
STYLE = Style({}, size=20.0, density=2.0, width=400.0)
# a wide term with a small one in it, another beside them, and one in the next line; the places of
# numbers: a narrow one below x, a wide one for a cell
AREAS = (
    LinkArea((10.0, 10.0, 100.0, 30.0), ("rod",), "m x"),
    LinkArea((60.0, 15.0, 20.0, 20.0), ("rod", "A"), "x"),
    LinkArea((150.0, 8.0, 40.0, 30.0), ("A",), "y"),
    LinkArea((12.0, 50.0, 40.0, 20.0), ("spring",), "k"),
    LinkArea((60.0, 36.0, 20.0, 12.0), (f"{VALUE}x",)),
    LinkArea((200.0, 36.0, 80.0, 16.0), (f"{VALUE}=M",)),
    LinkArea((290.0, 36.0, 5.0, 5.0), ()),
)


def picture_of(wide=300.0, high=80.0, areas=AREAS):
    """A picture and its pixels, two for each of the screen."""
    image = QImage(int(2 * wide), int(2 * high), QImage.Format.Format_ARGB32)
    image.fill(0)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return Picture(data.data(), (wide, high), areas, STYLE), image


@pytest.fixture
def formula(theme, qtbot):
    made = Formula(theme)
    made.resize(400, 90)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.hide()
    made.deleteLater()


def rounded(box):
    return f"[{box.x():.1f} {box.y():.1f} {box.width():.1f} {box.height():.1f}]"


def test_a_formula_is_as_high_as_its_picture_and_scrolls_what_is_wider(formula, monkeypatch):
    assert formula.height() == 22 and formula._bar.isHidden()
    assert formula.shows(None, 20.0) and not formula.shows(picture_of()[0], 20.0)
    assert formula.on_ground() is None
    picture, image = picture_of()
    formula.show_picture(picture, image, 20.0)
    assert formula.height() == 80 and formula._bar.isHidden() and formula.shows(picture, 20.0)
    assert not formula.shows(picture, 10.0)
    assert formula.on_ground().size() == image.size()
    side = formula._bar.sizeHint().height()
    formula.show_picture(picture, image, 30.0)  # half as large again: 450 px wide, 120 high
    assert formula.height() == 120 + side and formula._bar.isVisible()
    bar = formula._bar
    assert (bar.minimum(), bar.maximum(), bar.pageStep(), bar.singleStep()) == (0, 50, 400, 32)
    assert bar.geometry().getRect() == (0, 120, 400, side)
    # places of terms follow both, 1.5 px larger on each side
    assert formula.box_of(2) == QRectF(223.5, 10.5, 63, 48)
    bar.setValue(20)
    assert formula.box_of(2) == QRectF(203.5, 10.5, 63, 48)
    assert formula.boxes("A") == [formula.box_of(1), formula.box_of(2)]
    # one pixel more is no reason to scroll
    formula.show_picture(*picture_of(401.0), 20.0)
    assert bar.isHidden() and bar.value() == 0
    formula.show_picture(*picture_of(402.0), 20.0)
    assert bar.isVisible() and bar.maximum() == 2
    # pixel for pixel, or smoothly at another size
    formula.show_picture(picture, image, 20.0)
    formula.grab()
    assert formula.image.devicePixelRatio() == 2.0
    formula.show_picture(picture, image, 21.0)
    formula.grab()
    assert formula.image.devicePixelRatio() == 1.0
    formula.show_picture(None, QImage(), 1.0)
    assert formula.height() == 22 and painted(formula, monkeypatch) == []


def test_a_term_out_of_sight_is_scrolled_to(formula):
    formula.show_picture(*picture_of(1000.0), 20.0)
    bar = formula._bar
    formula.to_sight(2)
    assert bar.value() == 0, "it is in sight"
    bar.setValue(500)
    formula.to_sight(2)
    # its middle comes to that of the widget, as far as there is anything to scroll
    assert bar.value() == 0
    far = LinkArea((700.0, 8.0, 40.0, 30.0), ("B",), "z")
    formula.show_picture(*picture_of(1000.0, 80.0, (far,)), 20.0)
    formula.to_sight(0)
    assert bar.value() == 720 - 200
    formula.to_sight(0)
    assert bar.value() == 520


def test_the_smallest_term_is_under_the_pointer(formula, theme):
    formula.show_picture(*picture_of(), 20.0)
    reported, clicked, zoomed = [], [], []
    formula.hovered.connect(reported.append)
    formula.clicked.connect(clicked.append)
    formula.zoomed.connect(zoomed.append)
    formula.explain = lambda words, sources: f"{words} of {' '.join(sources)}" * (words != "k")
    at = lambda x, y: QPointF(x, y).toPoint()
    for place, number in (((70, 20), 1), ((20, 20), 0), ((111, 20), 0), ((112, 20), -1)) + (
        ((70, 45), -1),
        ((292, 38), -1),
        ((20, 60), 3),
    ):
        assert formula.link_area_at(QPointF(*place)) == number, place
        QTest.mouseMove(formula, at(*place))
        shape = Qt.CursorShape.PointingHandCursor if number >= 0 else Qt.CursorShape.ArrowCursor
        assert formula.cursor().shape() == shape
    assert reported == [("rod", "A"), ("rod",), (), ("spring",)]
    QTest.mouseClick(formula, LEFT, pos=at(70, 20))
    QTest.mouseClick(formula, LEFT, pos=at(120, 20))
    QTest.mouseClick(formula, Qt.MouseButton.RightButton, pos=at(70, 20))
    assert clicked == [("rod", "A")]
    QApplication.sendEvent(formula, QEvent(QEvent.Type.Leave))
    assert reported[-1] == ()
    assert formula.spoken_value() == "m x, x, y, k", "line by line"
    assert formula.words_at(2) == "y of A"
    said_here, hidden = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QToolTip, "showText", lambda *given: said_here.append(given))
        patch.setattr(QToolTip, "hideText", lambda: hidden.append(1))
        for place in ((160, 20), (20, 60), (140, 20)):
            event = QHelpEvent(QEvent.Type.ToolTip, at(*place), at(*place))
            assert QApplication.sendEvent(formula, event)
    assert [(text, room.getRect()) for _, text, _, room in said_here] == [
        ("y of A", (148, 6, 44, 34))
    ]
    assert len(hidden) == 2

    def turn(x, y, modifiers=Qt.KeyboardModifier.NoModifier):
        none = Qt.MouseButton.NoButton
        event = QWheelEvent(
            QPointF(50, 50),
            QPointF(50, 50),
            QPoint(),
            QPoint(x, y),
            none,
            modifiers,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        event.ignore()
        formula.wheelEvent(event)
        return event.isAccepted()

    keys = Qt.KeyboardModifier
    assert turn(0, 240, keys.ControlModifier) and zoomed == [2.0]
    assert not turn(0, 120) and not turn(40, 0) and not turn(0, 40, keys.ShiftModifier)
    formula.show_picture(*picture_of(600.0), 20.0)
    formula._bar.setValue(100)
    assert turn(40, 0) and formula._bar.value() == 60
    assert turn(0, -30, keys.ShiftModifier) and formula._bar.value() == 90
    assert not turn(0, 120) and formula._bar.value() == 90, "that belongs to the panel"


def test_terms_are_found_line_by_line_and_the_inner_ones_alone(formula):
    areas = (
        LinkArea((100.0, 10.0, 50.0, 20.0), ("rod",), "b"),
        LinkArea((10.0, 12.0, 50.0, 20.0), ("rod",), "a"),
        LinkArea((10.0, 12.0, 50.0, 20.0), ("rod",), "a again"),
        LinkArea((99.0, 9.0, 60.0, 30.0), ("rod",), "around b"),
        LinkArea((5.0, 60.0, 50.0, 20.0), ("rod",), "c"),
        LinkArea((5.0, 90.0, 50.0, 20.0), (f"{VALUE}rod",), "number"),
        LinkArea((5.0, 90.0, 50.0, 20.0), (), "nothing"),
    )
    formula.show_picture(*picture_of(areas=areas), 20.0)
    assert formula.link_areas_that(lambda area: "rod" in area.sources) == [1, 2, 0, 4]
    assert formula.link_areas_that(lambda area: area.words == "around b") == [3]
    assert formula.link_areas_that(lambda area: not area.sources) == [6]


def test_numbers_stand_below_their_symbols_or_in_their_cells(formula, monkeypatch):
    formula.show_picture(*picture_of(), 20.0)
    # a narrow place gives four letters of 60 %: 48 px about its middle, 1.5 px lower; a wide one
    # keeps 4 px to its bracket
    assert formula._room(4) == QRectF(70 - 24, 34.5 + 1.5, 48, 15)
    assert formula._room(5) == QRectF(198.5, 34.5, 79, 19)
    changed = []
    monkeypatch.setattr(formula, "update", lambda *region: changed.append(region))
    formula.show_values({"x": "1.5", "=M": "2"})
    (region,) = changed.pop()
    boxes = [formula._room(k).toAlignedRect() for k in (4, 5)]
    assert region.boundingRect() == boxes[0].united(boxes[1])
    formula.show_values({"x": "1.5", "=M": "3"})
    assert changed.pop()[0].boundingRect() == boxes[1]
    formula.show_values({"x": "1.5", "=M": "3"})
    assert changed.pop()[0].isEmpty()
    formula.show_picture(*picture_of(areas=AREAS[:4]), 20.0)
    changed.clear()
    formula.show_values({"x": "7"})
    assert changed == [], "there is no place for it"


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_a_formula_is_painted_as_approved(formula, monkeypatch, approved):
    lines = []

    def shown(name, under=-1):
        formula._point_at(under)  # wherever an earlier test left the pointer
        lines.extend([f"# {name}", *painted(formula, monkeypatch)])

    formula.show_picture(*picture_of(), 20.0)
    shown("plain, without numbers")
    formula.show_values({"x": "1.5", "=M": "2"})
    shown("with numbers")
    formula.show_values({"x": "≈ 1.5", "=M": "≈ 2"})
    shown("with numbers that are not determined")
    formula.show_picture(*picture_of(areas=AREAS[:4]), 20.0)
    formula.mark("rod")
    shown("an element pointed at")
    formula.mark("", ("A", "spring"))
    shown("two chosen")
    formula.mark("")
    formula.show_found((0, 3))
    formula.show_current(3)
    shown("two found, one of them shown")
    formula.show_found(())
    shown("a term under the pointer", 3)
    formula.show_picture(*picture_of(600.0, 80.0, AREAS[:4]), 20.0)
    for place in (0, 100, 200):
        formula._bar.setValue(place)
        shown(f"scrolled by {place} px")
    approved.holds("strokes_of_a_formula.txt", "\n".join(lines) + "\n")


def test_only_what_changes_is_painted_again(formula, monkeypatch):
    formula.show_picture(*picture_of(), 20.0)
    updates = []
    monkeypatch.setattr(formula, "update", lambda *region: updates.append(1))
    for change in (
        lambda: formula.mark("rod", ("A",)),
        lambda: formula.show_found((0, 3)),
        lambda: formula.show_current(3),
    ):
        for _ in range(2):
            change()
        assert updates == [1]
        updates.clear()
    formula.show_found((0, 2))
    assert formula._current == -1, "another search"
    formula.mark("rod")
    assert formula._chosen == ()


# numbers of an instant


def test_small_widgets_flow_into_lines(qapp, qtbot):
    flow = Flow()
    qtbot.addWidget(flow)
    flow.resize(200, 10)

    def sized(wide, high):
        item = QWidget()
        item.sizeHint = lambda: QSize(wide, high)
        return item

    sizes = ((90, 20), (104, 30), (60, 10), (300, 20), (10, 20))
    flow.fill([sized(*size) for size in sizes])
    assert [item.geometry().getRect() for item in flow._items] == [
        (0, 0, 90, 20),
        (96, 0, 104, 30),  # to the last pixel
        (0, 36, 60, 10),
        (0, 52, 300, 20),  # wider than a line
        (0, 78, 10, 20),
    ]
    assert flow.height() == 98 and GAP == 6
    flow.fill([sized(101, 20), sized(94, 20)])
    assert [item.y() for item in flow._items] == [0, 26] and flow.height() == 46
    flow.fill([])
    assert flow.height() == 0


def symbol(name):
    return SimpleNamespace(
        position=SimpleNamespace(name=name, label=name, sub="", dots=0, base=name),
        meaning=f"angle {name}",
    )


@pytest.fixture
def equations(monkeypatch):
    """Three coordinates and three rows."""
    monkeypatch.setattr(numbers, "shown", lambda position: position.name.upper())
    return SimpleNamespace(
        coordinates=tuple(map(symbol, ("u", "v", "w"))), multipliers=("l1", "l2", "l3")
    )


def instant(**more):
    usual = {"rank": 2, "independent": ("u",), "determined": (True, True, True)}
    return InstantNumbers(0.5, {}, {"B": ((1.0,),)}, **usual | more)


def test_a_coordinate_takes_the_place_of_the_oldest(qapp, qtbot, equations):
    choice, chosen = IndependentChoice(), []
    qtbot.addWidget(choice)
    choice.chosen.connect(chosen.append)
    pressed = lambda: [name for name, b in choice.buttons.items() if b.isChecked()]
    choice.show_choice(equations, None, ())
    assert [b.text() for b in choice.buttons.values()] == ["U", "V", "W"]
    assert choice.buttons["v"].toolTip() == "angle v" and pressed() == []
    choice.buttons["w"].click()
    assert chosen.pop() == ("w",) and pressed() == [], "it is pressed when it is kept"
    choice.show_choice(equations, instant(independent=("u", "v")), ())
    assert pressed() == ["u", "v"] and choice.refusal.isHidden()
    choice.buttons["w"].click()
    assert chosen.pop() == ("v", "w")
    choice.buttons["v"].click()
    assert chosen.pop() == ("u", "v"), "one that is kept stays"
    # what was requested and cannot be is shown with its reason
    choice.show_choice(equations, instant(refusal="They cannot."), ("v", "w"))
    assert pressed() == ["v", "w"] and not choice.refusal.isHidden()
    assert choice.refusal.text() == "They cannot."
    choice.show_choice(equations, instant(), ("v", "w"))
    assert pressed() == ["u"] and choice.refusal.isHidden() and choice.refusal.text() == ""
    own = next(b for b in choice.flow._items if b not in choice.buttons.values())
    own.click()
    assert own.text() == "Program's choice" and chosen.pop() == ()


def test_the_rank_is_given_in_words(theme, qtbot, equations):
    view, played = NowView(theme, lambda formula, words: formula), []
    qtbot.addWidget(view)
    view.played.connect(played.append)
    open_free = SimpleNamespace(coordinates=equations.coordinates, multipliers=())
    assert not view.show_numbers(open_free, instant(), ())
    assert all(w.isHidden() for w in view._closed) and set(view.parts) == {"now/state", "now/M"}
    assert not view.show_numbers(equations, None, ())
    head = "Rank {} of 3 rows and 3 coordinates: {} free."
    tail = " Singular values, each of which shows its motion:"
    for rank, middle in (
        (3, ""),
        (2, " 1 row holds what others hold already."),
        (1, " 2 rows hold what others hold already."),
    ):
        values = (2.0, 0.5, 1.9e-8)
        view.show_numbers(equations, instant(rank=rank, singular_values=values), ())
        assert view.rank.text() == head.format(rank, 3 - rank) + middle + tail
    assert [chip.text() for chip in view.chips] == ["2.000", "0.5000", "0"]
    assert [chip.toolTip().startswith("Nothing") for chip in view.chips] == [False, False, True]
    assert len({chip.minimumWidth() for chip in view.chips}) == 1
    view.chips[1].click()
    assert played == [1]
    chips = view.chips
    view.show_numbers(equations, instant(singular_values=(1.0, 1.0, 1.1e-8)), ())
    assert view.chips is chips and chips[2].text() != "0"
    # the partition has pictures of its own for each choice
    assert view.parts.keys() >= {"now/B:u", "now/embedded:u"}
    assert not view.show_numbers(equations, instant(), ())
    assert view.show_numbers(equations, instant(independent=("u", "v")), ())
    assert "now/B:u,v" in view.parts and view.note.isHidden()
    for without in ({"refusal": "No."}, {"independent": ()}):
        view.show_numbers(equations, instant(), ())
        assert view.show_numbers(equations, instant(**without), ())
        assert view.formulas["B"].isHidden() and view.formulas["embedded"].isHidden()
    view.show_numbers(equations, instant(determined=(True, False, True)), ())
    assert not view.note.isHidden() and "not determined" in view.note.text()
    titles = [w.text() for w in view.findChildren(QLabel) if w.objectName() == "title"]
    assert titles[:2] == ["Coordinates", "Mass matrix"]
