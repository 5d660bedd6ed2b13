"""The hand over the first drawing: its way, the room of its words, and its strokes by gesture."""

import sys
from types import SimpleNamespace

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF

from mechstudio.view.start.hand import Gesture, Hand, _overlap
from tests.view.recorder import painted

ROOM = QRectF(0, 0, 800, 600)
PLACE = QRectF(400, 300, 0, 0)  # nothing but a place
BUTTON, PANEL = QRectF(380, 285, 40, 30), QRectF(300, 200, 200, 200)
CYCLE, WAY, PRESS = 2600, 0.42, 0.72


@pytest.fixture(scope="module")
def hand(theme):
    host = QtWidgets.QWidget()
    host.resize(800, 600)
    made = Hand(theme, host)
    made.resize(800, 600)
    yield made
    made.stop()
    host.deleteLater()


@pytest.fixture
def at_phase(hand, monkeypatch):
    """at_phase(part): the hand in motion, in so much of its cycle."""

    def set_phase(part):
        clock = SimpleNamespace(elapsed=lambda: CYCLE + part * CYCLE, start=lambda: None)
        monkeypatch.setattr(hand, "_clock", clock)
        hand._timer.timeout.emit()

    return set_phase


def show(hand, target, still=True, **more):
    """Show a gesture, and give it."""
    gesture = Gesture(target, room=more.pop("room", ROOM), **more)
    hand.show_gesture(gesture, still)
    return gesture


def test_the_finger_comes_to_what_it_touches_and_rests_there(hand, at_phase):
    """From beside or from its start, slowly at both ends; on a button it leaves the words free."""
    for target, start, end in (
        (PLACE, None, (400, 300)),
        (PLACE, QPointF(100, 200), (400, 300)),
        (BUTTON, None, (409, 310)),
        (QRectF(380, 285, 16, 80), None, (394, 360)),  # narrow, as high as a button may be
        (PANEL, None, (400, 300)),
        (QRectF(380, 285, 40, 81), None, (400, 325.5)),
    ):
        show(hand, target, start=start)
        assert hand.phase == (WAY + PRESS) / 2 and not hand.moves
        assert hand.at == QPointF(*end)
        show(hand, target, False, start=start)
        assert hand.moves
        begun = start or QPointF(*end) + QPointF(34, 30)
        for part, way in ((0.0, 0.0), (0.25, 0.15625), (0.5, 0.5), (1.0, 1.0), (2.0, 1.0)):
            at_phase(part * WAY)
            expected = begun + (QPointF(*end) - begun) * way
            assert (hand.at - expected).manhattanLength() < 0.1, (target, part)
    show(hand, None)
    assert hand.at is None and not hand.moves
    hand.show_gesture(Gesture(None, words="Press Enter"), False)
    assert not hand.moves, "nothing is shown that moves"


def test_only_another_gesture_begins_the_way_anew(hand, monkeypatch):
    begun = []
    clock = SimpleNamespace(start=lambda: begun.append(1), elapsed=lambda: 0)
    monkeypatch.setattr(hand, "_clock", clock)
    show(hand, PLACE, False, words="Click")
    show(hand, PLACE, False, words="Click")
    show(hand, PLACE, False, words="Click", covered=(QRectF(0, 0, 9, 9),))
    assert len(begun) == 1, "the same, with less room"
    show(hand, BUTTON, False, words="Click")
    hand.stop()
    assert not hand.moves and hand.isHidden()
    show(hand, BUTTON, False, words="Click")
    assert len(begun) == 3


def test_a_picture_between_two_frames_is_that_of_the_last_one(hand, at_phase):
    show(hand, PLACE, False)
    assert hand.phase == 0.0
    at_phase(0.3)
    before = hand.at
    hand._clock.elapsed = lambda: 2.0 * CYCLE
    assert hand.at == before, "the hand would be cut where only a part of it is painted"
    hand._timer.timeout.emit()
    assert hand.phase == 0.0 and hand.at != before


def beside(hand, size):
    """Rooms of words of a size around the middle of ROOM by target, in the order of preference."""
    w, h = size
    level, middle = 300 - h / 2, 400 - w / 2
    place = {
        "right": (451, level),
        "left": (364 - w, level),
        "above": (middle, 264 - h),
        "below": (middle, 351),
        "right above": (436, 264 - h),
        "left above": (364 - w, 264 - h),
        "left below": (364 - w, 351),
        "right below": (451, 351),
    }
    button = {
        "right": (456, level),
        "left": (366 - w, level),
        "above": (middle, 271 - h),
        "below": (middle, 351),
        "right above": (434, 271 - h),
        "left above": (366 - w, 271 - h),
        "left below": (366 - w, 351),
        "right below": (456, 351),
    }
    panel = {
        "above": (middle, 186 - h),
        "right": (536, level),
        "left": (286 - w, level),
        "below": (middle, 436),
    }
    return (PLACE, place), (BUTTON, button), (PANEL, panel)


def test_words_stand_beside_the_target_where_nothing_is(hand):
    """On each side in turn, while those before it are taken."""
    show(hand, PLACE, words="Go")
    size = hand.words.size().toTuple()
    assert size[0] < 72 and size[1] == 28 and hand.said == "Go"
    for target, rooms in beside(hand, size):
        taken = []
        for name, corner in rooms.items():
            show(hand, target, words="Go", covered=tuple(taken))
            expected = QRectF(QPointF(*corner), QSizeF(*size))
            assert hand.words == expected, (target, name)
            assert not any(_overlap(hand.words, r) for r in taken)
            taken.append(expected.adjusted(1, 1, -1, -1))


def test_words_never_leave_their_room_and_go_where_there_is_any(hand):
    show(hand, PLACE, words="Click here")
    wide = hand.words.width()
    # at an edge the other side comes first, in a corner the words move in
    at = lambda x, y: QRectF(x, y, 0, 0)
    show(hand, at(790, 300), words="Click here")
    assert hand.words.right() == 754
    room = QRectF(0, 0, 100, 60)
    show(hand, at(50, 30), words="Click here", room=room)
    assert room.adjusted(4, 4, -4, -4).contains(hand.words) and hand.words.width() <= 92
    # a narrow room cuts the words short
    show(hand, at(20, 30), words="Click here", room=QRectF(0, 0, 50, 400))
    assert hand.words.width() == 42 < wide
    # everything beside the place is taken: the nearest place anywhere
    around = QRectF(200, 100, 400, 400)
    show(hand, PLACE, words="Click here", covered=(around,))
    assert hand.words.topLeft() == QPointF(604, 304), "of a grid of 12 px"
    # nothing is free at all: the key alone has room, or nothing is said
    top, low = QRectF(0, 0, 800, 560), QRectF(60, 560, 740, 40)
    show(hand, PLACE, words="Click here", key="L", covered=(top, low))
    assert hand.said == "" and hand.words.size() == QSizeF(22 + 9 + 9, 28)
    show(hand, PLACE, words="Click here", covered=(ROOM,))
    assert hand.said == "" and hand.words.isNull()
    show(hand, PLACE)
    assert hand.words.isNull()
    # without a target the words stand at the middle of the lower edge
    show(hand, None, words="Press Enter")
    assert hand.words.bottom() == 596 - 36 and abs(hand.words.center().x() - 400) < 1


def test_words_leave_the_way_of_a_link_free(hand):
    """Thirteen squares along it, as wide as the link."""
    ends = QPointF(400, 300), QPointF(640, 300)
    show(hand, PLACE, words="Click here", link=ends)
    rooms = hand._link_room()
    assert len(rooms) == 13 and rooms[0] == QRectF(383, 283, 34, 34)
    assert rooms[1].left() == 403 and rooms[-1] == QRectF(623, 283, 34, 34)
    assert hand.words.right() == 364, "on the other side"
    # a button's words keep away from its whole strip
    strip = QRectF(370, 100, 60, 400)
    show(hand, BUTTON, words="Click here", covered=(strip,))
    assert hand.words.left() == 430 + 14 + 22


def test_the_cheapest_place_is_the_first_that_covers_nothing(hand):
    size, room = QSizeF(10, 10), QRectF(0, 0, 100, 100)
    cheapest = lambda places, taken, stray: hand._cheapest(
        places, size, room, taken, stray
    ).topLeft()
    half = [QRectF(0, 0, 5, 10)]
    assert cheapest([(0, 0), (50, 50), (60, 60)], half, 1.0) == QPointF(50, 50)
    assert cheapest([(0, 0), (3, 0)], half, 1.0) == QPointF(3, 0), "20 px² instead of 50"
    assert cheapest([(0, 0), (-40, 90)], half, 1.0) == QPointF(0, 90), "40 px out cost less than 50"
    assert cheapest([(0, 0), (-60, 90)], half, 1.0) == QPointF(0, 0)
    assert cheapest([(0, 0), (160, 90)], half, 0.0) == QPointF(90, 90), "what is out is for nothing"
    assert _overlap(QRectF(0, 0, 4, 6), QRectF(2, 3, 9, 9)) == 6.0
    assert _overlap(QRectF(0, 0, 4, 6), QRectF(5, 7, 9, 9)) == 0.0


def test_what_moves_is_painted_again_and_nothing_else(hand, at_phase, monkeypatch):
    show(hand, PLACE, False, start=QPointF(100, 200))
    at_phase(0.5 * WAY)
    # from the start to the finger half-way, a hand's size about; from a button to the finger
    room = hand._room
    assert room == QRect(56, 156, 239, 139)
    painted, reported = QRect(0, 0, 10, 10), []
    monkeypatch.setattr(hand, "_painted", painted)
    monkeypatch.setattr(hand, "update", reported.append)
    hand._next()
    assert reported == [room.united(painted)] and hand._painted == room
    monkeypatch.undo()
    show(hand, BUTTON)
    assert hand._room == QRect(336, 241, 128, 118)


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_gestures_are_painted_as_approved(hand, at_phase, monkeypatch, approved):
    link = (QPointF(400, 300), QPointF(520, 240))
    show(hand, None, words="Press Enter", key="Enter")
    lines = ["# nothing", *painted(hand, monkeypatch)]
    for name, target, more in (
        ("place", PLACE, {"words": "Click the origin", "start": QPointF(300, 200)}),
        ("link", QRectF(520, 240, 0, 0), {"link": link, "start": link[0]}),
        ("button", BUTTON, {"words": "Choose the motor", "key": "M"}),
        ("panel", PANEL, {"words": "Read the energy"}),
        (
            "narrow",
            PLACE,
            {"words": "Click the end of the rocker", "room": QRectF(350, 0, 90, 600)},
        ),
    ):
        show(hand, target, **more)
        lines += [f"# {name}", *painted(hand, monkeypatch)]
        for part in (0.2, 0.45, 0.6, 0.8):
            at_phase(part)
            show(hand, target, False, **more)
            lines += [f"# {name} at {part}", *painted(hand, monkeypatch)]
    hand.stop()
    approved.holds("strokes_of_the_hand.txt", "\n".join(lines) + "\n")
