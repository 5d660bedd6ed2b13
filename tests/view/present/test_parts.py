"""Parts of the window in front of a class on their own: what lies over it, its lines, the card in
which is chosen what it shows, and the notes.
"""

import sys
from types import SimpleNamespace

import msgspec
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QVBoxLayout, QWidget

from mechstudio.application.actions.registry import Action
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.equations.styles import Picture, Style
from mechstudio.application.signal import Signal
from mechstudio.application.studio import Studio
from mechstudio.model.project import Project, Step
from mechstudio.view.present import notes as notes_module
from mechstudio.view.present.column import WordsBox
from mechstudio.view.present.equation import EquationCard
from mechstudio.view.present.foot import Foot, Hint, KeyHint
from mechstudio.view.present.header import Header
from mechstudio.view.present.notes import Notes
from mechstudio.view.present.overlays import Blank, Frozen, LaserPointer
from mechstudio.view.present.present import scale_of
from mechstudio.view.present.shown_parts import STRUCTURE, Shown, ShownChoice
from mechstudio.view.widgets.widgets import column, wrapped
from tests.view.conftest import sample_file
from tests.view.recorder import painted

LEFT = Qt.MouseButton.LeftButton
replace = msgspec.structs.replace


@pytest.fixture
def host(qapp, qtbot):
    made = QWidget()
    made.resize(800, 600)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def studio(qapp):
    """A studio without a window, with the four-bar and three steps."""
    made = Studio(Preferences())
    steps = (Step("s1", "One", "First.", "Say it."), Step("s2", "", "Second."), Step("s3", "Last"))
    made.files.show(replace(sample_file("four_bar").project, steps=steps), None, None)
    return made


@pytest.mark.parametrize(
    ("own", "size", "scale"),
    [
        (1.0, (1280, 800), None),
        (1.0, (700, 300), 1.0),
        (1.25, (700, 300), 1.25),
        (1.25, (900, 300), 1.0),
    ],
)
def test_letters_keep_their_size_where_there_is_no_room(own, size, scale):
    found = scale_of(own, *size)
    assert found == scale if scale else found > 1.0


# over the window


def test_the_pointer_stands_where_the_mouse_is(host, theme, monkeypatch):
    pointer, cursors = LaserPointer(theme, host), []
    monkeypatch.setattr(QCursor, "pos", lambda: host.mapToGlobal(QPoint(300, 200)))
    monkeypatch.setattr(QApplication, "setOverrideCursor", cursors.append)
    monkeypatch.setattr(QApplication, "restoreOverrideCursor", lambda: cursors.append(None))
    assert not pointer.is_on
    for on in (False, True, True, False, False):
        pointer.turn(on)
        assert pointer.is_on == on == pointer._timer.isActive()
    assert cursors == [Qt.CursorShape.BlankCursor, None]
    assert pointer.geometry() == QRect(272, 172, 56, 56)


def test_what_lies_over_the_window_covers_its_room(host, theme):
    blank, frozen, clicks = Blank(host), Frozen(theme, host), []
    assert blank.isHidden() and frozen.isHidden()
    blank.clicked.connect(lambda: clicks.append(1))
    blank.turn(True)
    assert blank.isVisible() and blank.geometry() == host.rect()
    QTest.mouseClick(blank, LEFT)
    assert clicks == [1] and blank.grab().toImage().pixelColor(400, 300) == QColor("#000000")
    blank.turn(False)
    assert blank.isHidden()
    room = QRect(100, 50, 300, 200)
    frozen.hold(room)
    assert frozen.isVisible() and frozen.geometry() == room
    assert frozen._picture.deviceIndependentSize().toSize() == room.size()
    frozen.release()
    assert frozen.isHidden() and frozen._picture.isNull()


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_what_lies_over_the_window_is_painted_as_approved(host, theme, monkeypatch, approved):
    lines = []
    for made in (LaserPointer(theme, host), Frozen(theme, host), Blank(host)):
        made.resize(60, 60)
        lines += [f"# {type(made).__name__}", *painted(made, monkeypatch)]
    approved.holds("strokes_over_a_class.txt", "\n".join(lines) + "\n")


# lines above and below


def actions(*names):
    return [Action(name, lambda studio: None, name.title(), "View") for name in names]


def test_as_many_keys_are_named_as_there_is_room_for(studio, theme, host):
    done, on = [], set()
    a, b, c = actions("a", "b", "c")
    d = Action("d", lambda studio: None, "D", "View", unless=lambda studio: "not now")
    hints = [
        Hint(a, "A", "do a"),
        Hint(b, "B", "do b", 600),
        Hint(c, "C", "do c", 900),
        Hint(d, "D", "d"),
    ]
    foot = Foot(theme, studio, done.append, lambda: ("L1",), hints, lambda x: x.id in on, host)
    shown = lambda: [h.key for h in hints if not foot.hint(h.action).isHidden()]
    foot.show()
    for wide, keys in ((599, "A"), (600, "AB"), (899, "AB"), (900, "ABC")):
        foot.resize(wide, 128)
        QApplication.processEvents()
        assert shown() == list(keys), wide
    key = foot.hint(b)
    assert isinstance(key, KeyHint) and key.accessibleName() == "do b (B)"
    assert [part.text() for part in key.findChildren(QLabel)] == ["B", "do b"]
    assert key.minimumSizeHint() == key.sizeHint() == key.layout().sizeHint()
    key.click()
    assert done == [b]
    on.add("c")
    foot.refresh()
    assert [foot.hint(x).property("on") for x in (a, b, c)] == [False, False, True]
    foot.close()


def test_the_foot_tells_the_time_in_front_of_a_class(studio, theme, host):
    done = []
    foot = Foot(theme, studio, lambda action: done.append(action.id), tuple, (), bool, host)
    foot.show()
    playback = studio.runs.playback
    assert not any(button.isEnabled() for button in foot.sides)
    playback.set_range(5.0, 5.0, True, 0.1)
    playback.seek(1.255)
    assert foot.clock.text() == "1.25 s" and all(button.isEnabled() for button in foot.sides)
    assert foot.speed.isHidden()
    playback.set_speed(0.25)
    assert foot.speed.text() == "1/4× speed" and not foot.speed.isHidden()
    playback.set_speed(1.0)
    assert foot.speed.isHidden()
    assert (foot.play.toolTip(), foot.play.accessibleName()) == ("Play (Space)", "Play")
    playback.play()
    assert (foot.play.toolTip(), foot.play.accessibleName()) == ("Pause (Space)", "Pause")
    playback.pause()
    for way in ("loop", "ping_pong", "once"):
        playback.set_repeat(way)
        assert foot.loop.isChecked() == (way == "loop")
    for button in (foot.play, *foot.sides, foot.loop):
        button.click()
    assert done == ["play", "to_design", "step_back", "step_forward", "loop"]
    # out of sight it does not follow
    foot.hide()
    playback.seek(3.0)
    assert foot.clock.text() == "1.25 s"
    foot.show()
    assert foot.clock.text() == "3.00 s"
    foot.close()


def test_the_header_counts_the_steps(studio, theme, host):
    header = Header(theme, studio, lambda: "Four-bar", lambda: None, lambda: None, host)
    said = lambda: (header.title.text(), header.count.text(), header.bar.accessibleDescription())
    assert said() == ("Four-bar", "3 steps", "0 of 3") and not header.bar.isHidden()
    for k, title in enumerate(("One", "Four-bar", "Last")):
        studio.lecture.go(k)
        assert said() == (title, f"{k + 1} of 3", f"{k + 1} of 3")
    header.bar.chosen.emit(1)
    assert studio.lecture.index == 1
    studio.files.show(Project(), None, None)
    header.refresh()
    assert header.bar.isHidden() and header.count.isHidden()


def test_notes_are_those_of_the_step(studio, theme, host, monkeypatch):
    notes = Notes(theme, studio, host)
    plain = lambda text: text.replace("\u200b", "")
    said = lambda: [plain(w.text()) for w in (notes.where, notes.title, notes.words, notes.next)]
    lesson = studio.document.project.lesson
    assert said() == ["", lesson.title, lesson.text, "Next: One"]
    for k, words in enumerate(
        (
            ["1 of 3", "One", "Say it.", "Next: "],  # the next one has no title
            ["2 of 3", "", "Second.", "Next: Last"],
            ["3 of 3", "Last", "", ""],
        )
    ):
        studio.lecture.go(k)
        assert said() == words
    for seconds, shown in ((0, "0:00"), (61, "1:01"), (605.9, "10:05")):
        monkeypatch.setattr(notes_module.time, "monotonic", lambda s=seconds: notes._since + s)
        notes._show_time()
        assert notes.clock.text() == shown
    monkeypatch.setattr(host, "activateWindow", lambda: None)
    screen = host.screen()
    monkeypatch.setattr(host, "screen", lambda: screen)
    monkeypatch.setattr(notes_module, "screens", lambda: [screen])
    notes.turn(True)
    room = screen.availableGeometry()
    assert notes.isVisible() and notes._tick.isActive()
    assert notes.geometry().getRect() == (room.right() - 600, room.top() + 60, 560, 640)
    notes.turn(False)
    assert notes.isHidden() and not notes._tick.isActive()
    other = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, 500, 400))
    monkeypatch.setattr(notes_module, "screens", lambda: [screen, other])
    notes.turn(True)
    assert notes.windowState() & Qt.WindowState.WindowMaximized
    notes.turn(False)
    notes.deleteLater()


# the card and what is in it


def test_words_scroll_only_where_there_is_no_room(host, theme):
    content = QWidget()
    lines = column(content, 0)
    words = wrapped("word " * 60)
    lines.addWidget(words)
    box = WordsBox(content)
    box.setParent(host)
    box.resize(300, 400)
    box.show()
    QApplication.processEvents()
    high = lines.totalHeightForWidth(300)
    assert high > 100 and box.sizeHint() == QSize(100, high)
    assert box.minimumSizeHint() == QSize(0, 72)
    box.resize(150, 400)
    assert box.sizeHint().height() > 1.6 * high
    words.setText("One.")
    assert box.minimumSizeHint().height() == box.sizeHint().height() < 72
    # without words that wrap the height is that of the parts
    tall = QWidget()
    inner = QVBoxLayout(tall)
    inner.setContentsMargins(0, 0, 0, 0)
    part = QWidget()
    part.setFixedSize(50, 90)
    inner.addWidget(part)
    assert WordsBox(tall).sizeHint() == QSize(100, 90)


@pytest.fixture
def choice(studio, theme, host):
    """The card in which is chosen what is shown, with two sliders and an equation."""
    shown = [Shown()]
    docks = SimpleNamespace(equations=SimpleNamespace(equations=None))
    made = ShownChoice(theme, studio, docks, lambda: shown[0], host)
    made.changed.connect(lambda new: shown.__setitem__(0, new))
    made.shown = shown
    return made


def test_what_is_shown_is_chosen_two_at_most(choice, studio):
    choice.open(700, 60, 500)
    sliders = [key for kind, key in choice.boxes if kind == "sliders"]
    plots = [key for kind, key in choice.boxes if kind == "plots"]
    equations = [key for kind, key in choice.boxes if kind == "equation"]
    parameters = studio.document.project.parameters
    assert sliders == [n for n, p in parameters.items() if p.slider] and len(sliders) >= 2
    assert len(plots) >= 2 and equations == ["", STRUCTURE]
    on = lambda: {key for key, button in choice.boxes.items() if button.isChecked()}
    assert on() == {("equation", "")}
    for kind, keys in (("sliders", sliders), ("plots", plots)):
        for key in (*keys[:2], keys[0]):
            choice.boxes[kind, key].click()
        assert getattr(choice.shown[0], kind) == (keys[1],)
        choice.boxes[kind, keys[0]].click()
        assert getattr(choice.shown[0], kind) == (keys[1], keys[0])
        if len(keys) > 2:
            choice.boxes[kind, keys[2]].click()
            assert getattr(choice.shown[0], kind) == (keys[0], keys[2]), "the oldest goes"
    choice.boxes["equation", STRUCTURE].click()
    assert choice.shown[0].equation == STRUCTURE
    assert {k for k in on() if k[0] == "equation"} == {("equation", STRUCTURE)}
    assert {key for kind, key in on() if kind == "plots"} == set(choice.shown[0].plots)
    # a step may show what is in no list
    hidden = (
        next(n for n, p in parameters.items() if not p.slider)
        if any(not p.slider for p in parameters.values())
        else sliders[0]
    )
    choice.shown[0] = Shown((hidden,), (), "dynamics/lagrange")
    choice.open(700, 60, 500)
    assert choice.boxes["sliders", hidden].isChecked()
    assert choice.boxes["equation", "dynamics/lagrange"].text() == "lagrange"
    assert on() == {("sliders", hidden), ("equation", "dynamics/lagrange")}
    kinds = {kind: isinstance(box, QCheckBox) for (kind, _), box in choice.boxes.items()}
    assert kinds == {"sliders": True, "plots": True, "equation": False}


def test_the_card_of_choices_hangs_below_its_button(choice):
    for bottom in (500, 120):
        choice.open(700, 60, bottom)
        high = choice._inner.sizeHint().height() + 4
        assert choice.geometry().getRect() == (440, 60, 260, min(high, bottom - 60))
        assert choice.isVisible()
    QTest.keyClick(choice, Qt.Key.Key_A)
    assert choice.isVisible()
    QTest.keyClick(choice, Qt.Key.Key_Escape)
    assert choice.isHidden()


class Derived:
    """Derived equations whose pictures are all of one size."""

    def __init__(self, size):
        self.changed, self.visible, self.size = Signal(), False, size
        self.equations, self.requested = object(), []
        self.pictures = SimpleNamespace(ready=Signal(), picture=self._picture)
        self.chapters = SimpleNamespace(chapter_ready=Signal(), chapter=lambda key: self.known)
        self.known = None

    def _picture(self, part, style):
        self.requested.append((part, style))
        image = QImage(10, 10, QImage.Format.Format_ARGB32)
        return (
            None if self.size is None else Picture(bytes(image.constBits()), self.size, (), style)
        )


@pytest.mark.parametrize(
    ("size", "room", "share"),
    [
        ((300.0, 50.0), 400, 1.0),
        ((398.0, 50.0), 400, 1.0),
        ((497.5, 50.0), 400, 0.8),  # as wide as the card
        ((300.0, 250.0), 400, 0.8),  # half as high as the column
        ((300.0, 250.0), 200, 0.5),  # no smaller than half
        ((3000.0, 50.0), 400, 0.5),
    ],
)
def test_an_equation_shrinks_to_fit(theme, host, size, room, share):
    found = Derived(size)
    style = Style({}, size=17.0, density=1.0, width=100.0, with_numbers=True)
    panel = SimpleNamespace(
        derivations=found,
        pictures=SimpleNamespace(style=lambda part: style),
        isVisible=lambda: False,
    )
    card = EquationCard(theme, panel)
    card.setParent(host)
    card.resize(400, 100)
    drawn = []
    card.formula.show_picture = lambda picture, image, letters: drawn.append((picture, letters))
    card.show_part("rows", ("rod",), room)
    card._ask()
    assert drawn == [] and not found.visible, "the class has not begun"
    card.begin()
    card._ask()
    ((part, requested),) = found.requested
    assert part == "rows" and requested.width == 398.0 and not requested.with_numbers
    ((picture, letters),) = drawn
    assert (
        letters == pytest.approx(share * requested.size) and picture.size == size and found.visible
    )
    assert card.formula._chosen == ("rod",) and card.formula.marked == ""
    for part, known, equations in (
        ("chapter/step", object(), object()),  # of a file that somebody wrote
        ("rows", None, None),
        ("constraints/step", None, object()),  # still being found
    ):
        found.known, found.equations = known, equations
        drawn.clear()
        card.show_part(part, (), room)
        card._ask()
        assert drawn == [(None, 1.0)], part
    found.equations, found.size = object(), None
    drawn.clear()
    card.show_part("rows", (), room)
    card._ask()
    found.size = size
    card.show_part("rows", (), 0)
    card._ask()
    card.show_part("", (), room)
    card._ask()
    assert drawn == [] and card.isHidden()
    found.changed.emit()
    assert card._late.isActive()
    card.end()
    assert not card._late.isActive() and not found.visible
    found.changed.emit()
    assert not card._late.isActive(), "it follows no more"
    card.deleteLater()
