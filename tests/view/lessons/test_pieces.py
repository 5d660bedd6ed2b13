"""Pieces of a lesson on their own: the bar of steps, covers, questions as written and as shown."""

import math
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mechstudio.application.lessons.predictions import Predictions
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.curves.course import Course
from mechstudio.model.project import (
    CHOOSE,
    EQUATION,
    NUMBER,
    PREDICT,
    QUESTIONS,
    Project,
    Question,
    Step,
)
from mechstudio.view.lessons import covers
from mechstudio.view.lessons.covers import Cover
from mechstudio.view.lessons.progress import StepBar
from mechstudio.view.lessons.questions import Option, Questions
from mechstudio.view.lessons.writing import TYPES, LineField, QuestionWriter, StepWriter, TextField
from tests.view.conftest import sample_file
from tests.view.recorder import painted, recording
from tests.view.scene.strokes import said

LEFT = Qt.MouseButton.LeftButton


def test_steps_lie_side_by_side_and_a_click_takes_one(qapp, theme, monkeypatch):
    bar, taken = StepBar(theme), []
    bar.resize(206, 13)
    bar.chosen.connect(taken.append)
    assert bar.piece(0) == QRectF(0, 4, 206, 5), "without steps"
    bar.show_step(4, 2)
    assert bar.accessibleDescription() == "3 of 4"
    pieces = [bar.piece(k) for k in range(4)]
    # 206 px are four of 49.25 px with 3 px between
    assert pieces == [QRectF(k * 52.25, 4, 49.25, 5) for k in range(4)]
    for x in (0, 49, 51, 53, 200):
        QTest.mouseClick(bar, LEFT, pos=QPointF(x, 6).toPoint())
    assert taken == [0, 0, 0, 1, 3], "the gap belongs to the piece before it"
    tones = [theme.color(role) for role in ("ok", "ok", "accent", "press")]
    strokes = [s for s in painted(bar, monkeypatch) if not s.startswith("setPen")]
    expected = ["setBrush " + said(tones[0])]
    for k, piece in enumerate(pieces):
        if k > 1:
            expected.append("setBrush " + said(tones[k]))
        x = piece.x()
        expected.append(f"drawRoundedRect [{x:.1f} 4.0 49.2 5.0] 2.5 2.5")
    assert strokes == expected


# covers


def pane_of(*keys, log=False):
    return SimpleNamespace(id="p", log=log, curves=[SimpleNamespace(key=k) for k in keys])


@pytest.fixture
def covered(theme):
    """A studio with a pane that is covered from 2 s on, and its cover; zero of the left axis is at
    10, one unit at 4 more.
    """
    studio = SimpleNamespace(
        lecture=SimpleNamespace(predictions=Predictions(), step=None),
        runs=SimpleNamespace(playback=SimpleNamespace(time=0.0)),
        plots=SimpleNamespace(whole=(0.0, 6.0)),
    )
    studio.lecture.predictions.cover(("p",), 2.0)
    return studio, Cover(theme, studio, lambda key: (10.0, 4.0))


def test_a_cover_gives_way_to_the_time_unless_somebody_draws_on_it(covered):
    studio, cover = covered
    drawn, playback = studio.lecture.predictions, studio.runs.playback
    pane, other = pane_of("x", "y"), pane_of("z")
    assert cover.begin(SimpleNamespace(id="q")) == math.inf
    for now, drawing, begin in ((1.0, "", 2.0), (3.0, "", 3.0), (3.0, "y", 2.0)):
        playback.time, drawn.drawing = now, drawing
        assert cover.begin(pane) == begin
        assert cover.draws(pane, begin) == bool(drawing)
        assert not cover.draws(pane, begin - 0.1) and not cover.draws(other, 5.0)


def test_what_is_drawn_on_a_cover_is_in_units_of_the_curve(covered):
    studio, cover = covered
    drawn = studio.lecture.predictions
    pane = pane_of("x", "y")
    assert not cover.draw(pane, 3.0, 18.0), "nothing is to be drawn"
    drawn.begin_drawing("y")
    assert not cover.draw(pane_of("y", log=True), 3.0, 18.0) and not cover.draw(pane, 1.0, 18.0)
    assert cover.draw(pane, 3.0, 18.0) and cover.draw(pane, 4.0, 14.0)
    sketch = drawn.sketches["y"]
    assert (sketch.times[0], sketch.times[-1]) == (2.0, 6.0)
    known = np.isfinite(sketch.values)
    # 18 is two units above zero, 14 is one
    assert np.allclose(sketch.values[known], 2.0 - (sketch.times[known] - 3.0), atol=0.01)
    # a stroke that has begun may go over the edge, to the beginning
    assert cover.draw(pane, 1.0, 10.0) and sketch.values[0] == 0.0
    assert not cover.draw(pane_of("z"), 3.0, 10.0)
    cover.lift()
    assert not cover.draw(pane, 1.0, 10.0)
    assert cover.draw(pane, 5.5, 10.0)
    between = (sketch.times > 4.1) & (sketch.times < 5.4)
    assert np.isnan(sketch.values[between]).all(), "another stroke"
    # a step shows a part, which ends no later than the run
    for end, last in ((5.0, 5.0), (9.0, 6.0), (None, 6.0)):
        studio.lecture.step = SimpleNamespace(end=end)
        cover.draw(pane, 3.0, 18.0)
        assert drawn.sketches["y"].times[-1] == last


def test_a_sketch_is_painted_with_its_gaps_and_its_largest_difference(covered, theme, monkeypatch):
    studio, cover = covered
    drawn = studio.lecture.predictions
    drawn.draw("y", 2.0, 6.0, 2.0, 0.0)
    sketch = drawn.sketches["y"]
    sketch.times, sketch.values = np.array([2.0, 3, 4, 5, 6]), np.array([0, 1, np.nan, 3, 4.0])
    course = Course(np.array([0.0, 10.0]), np.array([0.0, 20.0]))
    monkeypatch.setattr(covers, "sketch_difference", lambda s, key: SimpleNamespace(time=5.0))
    monkeypatch.setattr(covers, "course_now", lambda s, key: course)
    place = lambda x, y: QPointF(100 * x, 300 - 2 * y)

    def strokes(pane, *kinds):
        with recording(monkeypatch) as lines:
            ground = QPixmap(800, 400)
            painter = covers.QtGui.QPainter(ground)
            cover.paint(painter, QRectF(50, 20, 650, 300), place, pane)
            painter.end()
        return [line for line in lines if line.startswith(kinds)]

    parts = ["drawPolyline (200.0 280.0) (300.0 272.0)", "drawPolyline (500.0 256.0) (600.0 248.0)"]
    pane = pane_of("x", "y")
    assert strokes(pane, "drawPolyline") == parts
    assert strokes(pane, "fillRect") == [f"fillRect [200.0 20.0 501.0 301.0] {hover(theme)}"]
    (word,) = strokes(pane, "drawText")
    assert word.startswith("drawText [208.0 28.0 485.0 285.0]") and word.endswith("covered")
    assert not strokes(pane, "drawLine"), "nothing is compared yet"
    # the cover begins at the left edge, and ends before the right one
    drawn.covered["p"] = 0.2
    assert strokes(pane, "fillRect") == [f"fillRect [50.0 20.0 651.0 301.0] {hover(theme)}"]
    drawn.covered["p"] = 7.0
    assert not strokes(pane, "fillRect")
    # at 5 s the run is at 10, the sketch at 3: a line between, with a bar of 8 px at each end
    drawn.reveal()
    assert strokes(pane, "fillRect", "drawText") == []
    assert [line.removeprefix("drawLine ") for line in strokes(pane, "drawLine")] == [
        "(500.0 200.0) (500.0 256.0)",
        "(496.0 200.0) (504.0 200.0)",
        "(496.0 256.0) (504.0 256.0)",
    ]
    for name in ("sketch_difference", "course_now"):
        with monkeypatch.context() as patch:
            patch.setattr(covers, name, lambda s, key: None)
            assert not strokes(pane, "drawLine"), "there is nothing to compare"
    assert strokes(pane_of("x"), "drawPolyline") == []


def hover(theme):
    return said(theme.color("hover"))


# questions


@pytest.fixture
def studio(qapp):
    """A studio without a window, with the four-bar and one step."""
    made = Studio(Preferences())
    project = sample_file("four_bar").project
    made.files.show(project, None, None)
    return made


def with_steps(studio, *steps):
    project = msgspec.structs.replace(sample_file("four_bar").project, steps=steps)
    studio.files.show(project, None, None)
    studio.lecture.go(0)


def test_each_type_of_question_has_its_fields(studio, theme):
    """Texts that are typed into each are kept, those that cannot be read reported."""
    common = {"text": ("  Why? ", "Why?"), "because": (" It is. ", "It is.")}
    rows = {"hints": (" one \n\n two", ("one", "two"))}
    choices = {"choices": ("this\n  \n that ", ("this", "that")), "answer": (" 2 ", "2")}
    tolerance = {"tolerance": ("5%", 0.05)}
    of_type = {
        CHOOSE: choices,
        NUMBER: {"answer": ("130", "130 mm"), **tolerance},
        PREDICT: {"channel": ("a ANGLE", "joint/A/0"), **tolerance},
        EQUATION: {"answer": (" x'' = 0 ", "x'' = 0")},
    }
    assert set(of_type) == set(TYPES)
    for type, more in of_type.items():
        reported = []
        dimension = "length" if type == NUMBER else "number"
        writer = QuestionWriter(theme, studio, Question(type, dimension=dimension), reported.append)
        assert writer.wrong.isHidden() and reported == []
        fields = common | rows | more
        for name in ("choices", "answer", "channel", "tolerance", "dimension"):
            has = name in fields or (name == "dimension" and type == NUMBER)
            assert hasattr(writer, name) == has, (type, name)
        for name, (typed, kept) in fields.items():
            getattr(writer, name).edited.emit(typed)
            assert getattr(writer.question, name) == kept and reported[-1] is writer.question
            count = len(reported)
            getattr(writer, name).edited.emit(typed)
            assert len(reported) == count, "nothing new"
            assert writer.wrong.isHidden()
        writer.show_question(writer.question)
        texts = {
            name: field.toPlainText() if isinstance(field, TextField) else field.text()
            for name in fields
            if (field := getattr(writer, name))
        }
        shown = {"text": "Why?", "because": "It is.", "hints": "one\ntwo", "choices": "this\nthat"}
        shown |= {"tolerance": "5 %", "channel": "A angle", "answer": writer.question.answer}
        assert texts == {name: shown[name] for name in fields}
        writer.deleteLater()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("0.3", 0.3),
        ("1", 1.0),
        ("100 %", 1.0),
        ("2 %", 0.02),
        *[(wrong, None) for wrong in ("0", "-1", "1.01", "101 %", "much", "")],
    ],
)
def test_a_tolerance_is_a_part(studio, theme, typed, kept):
    writer = QuestionWriter(theme, studio, Question(NUMBER, tolerance=0.5), lambda new: None)
    writer.tolerance.edited.emit(typed)
    assert writer.question.tolerance == (0.5 if kept is None else kept)
    assert writer.wrong.isHidden() == (kept is not None)
    assert bool(writer.wrong.text()) == (kept is None)
    writer.deleteLater()


def test_a_right_number_that_cannot_be_read_is_kept_and_reported(studio, theme):
    reported = []
    question = Question(NUMBER, answer="130 mm", dimension="length")
    writer = QuestionWriter(theme, studio, question, reported.append)
    assert writer.dimension.currentText() == "length"
    writer.answer.edited.emit("130 kg")
    assert writer.question.answer == "130 kg" and "length expected" in writer.wrong.text()
    assert not writer.wrong.isHidden()
    # it can, in another dimension
    writer.dimension.setCurrentText("mass")
    writer.dimension.activated.emit(0)
    assert writer.question.dimension == "mass" and writer.wrong.isHidden()
    writer.answer.edited.emit("")
    assert writer.question.answer == "" and writer.wrong.isHidden()
    writer.answer.edited.emit("130")
    assert writer.question.answer == "130 kg", "in the unit of display"
    writer.deleteLater()


def test_fields_are_shown_unless_somebody_types_there(qapp, theme, qtbot):
    for field in (TextField(theme, "Name", 2), LineField(theme, "Name")):
        reported = []
        field.edited.connect(reported.append)
        qtbot.addWidget(field)
        field.show()
        read = field.toPlainText if isinstance(field, TextField) else field.text
        field.show_text("one")
        assert read() == "one" and field.accessibleName() == "Name"
        field.finish()
        assert reported == [], "nothing was typed"
        field.activateWindow()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        QTest.keyClicks(field, "x")
        typed = read()
        field.show_text("two")
        assert read() == typed != "two"
        field.finish()
        assert reported == [typed]
        field.finish()
        assert reported == [typed], "once"
        field.show_text("two", True)
        assert read() == "two"
        field.hide()
    assert TextField(theme, "Name", 2).minimumHeight() == 46


def test_steps_are_listed_and_their_fields_shown(studio, theme):
    calls = []
    writer = StepWriter(theme, studio, lambda: calls.append("add"), lambda: calls.append("record"))
    studio.files.show(Project(), None, None)
    writer.refresh()
    needing = (writer.record, writer.up, writer.down, writer.drop)
    assert writer.list.isHidden() and writer._fields.isHidden() and writer.add.isEnabled()
    assert not any(button.isEnabled() for button in needing)
    questions = (Question(CHOOSE, "Which?"), Question(NUMBER, "How long?"))
    steps = (
        Step("s1", "One", "At {joint/A/0}.", "Slowly.", covered=True, questions=questions),
        Step("s2", plays=True),
        *(Step(f"s{k}") for k in range(3, 10)),
    )
    with_steps(studio, *steps)
    writer.refresh()
    titles = [writer.list.item(k).text() for k in range(writer.list.count())]
    assert titles[:3] == ["1  One", "2  s2", "3  s3"] and len(titles) == 9
    assert writer.list.height() == 6 * 26 + 4 and writer.list.currentRow() == 0
    assert all(button.isEnabled() for button in needing) and not writer._fields.isHidden()
    assert (writer.title.text(), writer.text.toPlainText()) == ("One", "At {A angle}.")
    assert writer.notes.toPlainText() == "Slowly."
    assert (writer.covered.isChecked(), writer.plays.isChecked()) == (True, False)
    assert [w.question.type for w in writer.questions] == [CHOOSE, NUMBER]
    studio.lecture.go(1)
    writer.refresh()
    assert writer.list.currentRow() == 1 and writer.questions == []
    assert (writer.covered.isChecked(), writer.plays.isChecked()) == (False, True)
    # what the ticks and buttons do to the current step
    writer.covered.click()
    writer.plays.click()
    assert (studio.lecture.step.covered, studio.lecture.step.plays) == (True, False)
    entries = {a.text(): a for a in writer.asks.menu().actions()}
    for words, tolerance in (("Choose", 0.02), ("Draw a curve", 0.15), ("Equation", 0.02)):
        entries[words].trigger()
        assert studio.lecture.step.questions[-1].tolerance == tolerance
    assert [q.type for q in studio.lecture.step.questions] == [CHOOSE, PREDICT, EQUATION]
    writer.refresh()
    writer.text.edited.emit("{A angle} and {one} and {two}")
    assert writer.wrong.text() == "No quantity and no parameter is called one."
    assert not writer.wrong.isHidden() and studio.lecture.step.text.startswith("{joint/A/0} and")
    writer.text.edited.emit("{A angle}")
    assert writer.wrong.isHidden()
    writer.questions[1].because.edited.emit("Yes.")
    assert [q.because for q in studio.lecture.step.questions] == ["", "Yes.", ""]
    writer._put_question(0, None)
    assert [q.type for q in studio.lecture.step.questions] == [PREDICT, EQUATION]
    writer.up.click()
    assert [s.id for s in studio.lecture.steps[:2]] == ["s2", "s1"]
    writer.down.click()
    assert [s.id for s in studio.lecture.steps[:2]] == ["s1", "s2"]
    writer.drop.click()
    assert [s.id for s in studio.lecture.steps[:2]] == ["s1", "s3"]
    with_steps(studio, Step("s1", "One"))
    writer.refresh()
    assert writer.list.height() == 26 + 4
    for button in (writer.add, writer.record):
        button.click()
    assert calls == ["add", "record"]
    writer.deleteLater()


def test_hints_come_one_by_one(studio, theme):
    """With each wrong answer the next one, the last one again at the end."""
    number = Question(NUMBER, "How long?", (), "100 mm", "length", hints=("a", "b"))
    plain = Question(NUMBER, "How many?", (), "3")
    choice = Question(CHOOSE, "Which?", ("this", "that"), "2", because="It is.")
    with_steps(studio, Step("s1", questions=(number, plain, choice)))
    requested = Questions(theme, studio, lambda text, answered: False)
    one, two, three = requested.cards
    assert [c.number for c in requested.cards] == [0, 1, 2]

    def answer(card, text):
        card.field.setText(text)
        card.check.click()

    shown = lambda: (one.hint.text(), one.count.text(), not one.hint.isHidden())
    assert one.hint.isHidden() and one.mark.isHidden() and one.reply.isHidden()
    answer(one, " ")
    assert one.reply.text() == "Type an answer first." and one.hint.isHidden()
    for text, hint in (("7", "a"), ("8", "b"), ("9 mm", "b"), ("101 kg", None), ("103", "b")):
        answer(one, text)
        if hint is None:
            assert one.hint.isHidden() and one.count.isHidden()
        else:
            k = "ab".index(hint) + 1
            assert shown() == (f"Hint: {hint}", f"{k} of 2 hints", True), text
            assert not one.count.isHidden() and one.mark.isHidden()
    answer(one, "101")
    assert not one.mark.isHidden() and one.hint.isHidden() and not one.reply.isHidden()
    answer(two, "4")
    assert two.reply.text() == "4 is too much." and two.hint.isHidden() and two.count.isHidden()
    three.choices[0].click()
    assert three.reply.text() == "Not that one." and three.mark.isHidden()
    three.choices[1].click()
    assert three.reply.text() == "Right: It is." and not three.mark.isHidden()
    # another step, and back: what was chosen and typed stands there
    made = Questions(theme, studio, lambda text, answered: False)
    assert made.cards[0].field.text() == "101" and made.cards[2].choices[1].isChecked()
    assert [not c.mark.isHidden() for c in made.cards] == [True, False, True]
    requested.deleteLater()
    made.deleteLater()


@pytest.mark.parametrize("type", QUESTIONS)
def test_the_number_of_hints_stands_in_the_card(studio, theme, type):
    """A label without a place would be a window of its own, in the corner of the screen."""
    question = Question(type, "Which?", ("this", "that"), "2", "length", hints=("a", "b"))
    with_steps(studio, Step("s1", questions=(question,)))
    requested = Questions(theme, studio, lambda text, answered: False)
    (card,) = requested.cards
    assert card.isAncestorOf(card.count)
    if type == CHOOSE:
        card.choices[0].click()
        assert not card.count.isHidden() and card.count.text() == "1 of 2 hints"
    requested.deleteLater()


def test_a_choice_wraps_its_words(qapp, theme):
    words = "A long & winding choice of many words"
    option = Option(words)
    wide = option.sizeHint().width()

    def resize(width):
        option.resize(width, 100)
        QApplication.sendEvent(option, QResizeEvent(option.size(), QSize()))

    resize(120)
    lines = option.text().split("\n")
    room = 120 - 3 * option.iconSize().width()
    measure = option.fontMetrics().horizontalAdvance
    assert len(lines) > 1 and " ".join(lines).replace("&&", "&") == words
    assert all(measure(line.replace("&&", "&")) <= room for line in lines)
    assert option.minimumSizeHint().width() == 0 and option.minimumSizeHint().height() > 20
    font = option.font()
    font.setPixelSize(2 * option.fontInfo().pixelSize())
    option.setFont(font)
    measure = option.fontMetrics().horizontalAdvance
    assert len(option.text().split("\n")) > len(lines)
    assert all(measure(line.replace("&&", "&")) <= room for line in option.text().split("\n"))
    resize(2000)
    assert option.text() == words.replace("&", "&&") and wide < 2000
    option.deleteLater()
