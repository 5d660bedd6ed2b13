"""Lessons are written in the panel: steps recorded from the window, their words and questions."""

import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.lessons import edits
from mechstudio.application.lessons.checking import check_number
from mechstudio.application.lessons.sheet import exercises
from mechstudio.files.project_file import decode, encode
from mechstudio.model.naming import LONGEST_NAME
from mechstudio.model.project import CHOOSE, NUMBER, PREDICT, Camera, Question
from tests.view.conftest import settle
from tests.view.hands import click, press

Qt = QtCore.Qt


@pytest.fixture
def written(window):
    """The window with a four-bar that has no lesson yet."""
    import msgspec

    document = window.studio.document
    document.load(msgspec.structs.replace(document.project, steps=()), document.path)
    window.resize(1600, 1000)
    yield window
    window.studio.lecture.close()
    window.docks.lesson.write(False)
    window.docks.write_lesson.setChecked(False)
    window.docks.show_lesson(False)


def put(field, text):
    """Type a text over what stands in a field."""
    field.setFocus()
    field.selectAll()
    for k, line in enumerate(text.split("\n")):
        if k:
            QTest.keyClick(field, Qt.Key.Key_Return)
        QTest.keyClicks(field, line)


def test_a_lesson_is_recorded_written_and_undone(written, qtbot):
    window, studio = written, written.studio
    window.actions_.trigger("lesson")
    panel = window.docks.lesson
    assert panel.isVisible() and panel.empty.isVisible()
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.playback.complete)
    studio.runs.playback.seek(1.25)
    window.viewport.framing.kept = Camera(azimuth=-80.0, elevation=11.0, distance=1.7)
    click(panel.first)
    writer = panel.writer
    step = studio.lecture.step
    assert panel.writes and writer.isVisible() and step is not None
    assert step.camera.azimuth == -80.0 and step.at == pytest.approx(1.25)
    assert step.parameters["L1"] == "130 mm" and step.sliders == ("L1", "L2") and step.plots
    # words
    put(writer.title, "Turning")
    QTest.keyClick(writer.title, Qt.Key.Key_Return)
    put(writer.text, "It stands at {A angle}, with {L1}.")
    put(writer.notes, "Slowly.")
    writer.title.setFocus()
    step = studio.lecture.step
    assert (step.title, step.text, step.notes) == (
        "Turning",
        "It stands at {joint/A/0}, with {L1}.",
        "Slowly.",
    )
    assert not writer.wrong.isVisible()
    # no title is longer than the file can hold
    writer.title.setText("Round and round. " * 20)
    QTest.keyClick(writer.title, Qt.Key.Key_Return)
    assert 190 < len(studio.lecture.step.title) <= LONGEST_NAME
    assert not decode(encode(studio.document.project)).findings
    studio.document.undo()
    put(writer.text, "It is {nonsense}.")
    writer.title.setFocus()
    assert "nonsense" in writer.wrong.text() and writer.wrong.isVisible()
    studio.document.undo()
    settle(QtWidgets.QApplication.instance())
    assert studio.lecture.step.text == "It stands at {joint/A/0}, with {L1}."
    assert writer.text.toPlainText() == "It stands at {A angle}, with {L1}."
    # a second step with other values, then the first one again
    studio.document.commit("L1", with_length(studio.document.project))
    window.viewport.framing.kept = Camera(azimuth=10.0, elevation=40.0, distance=2.0)
    click(writer.add)
    assert len(studio.lecture.steps) == 2 and studio.lecture.index == 1
    assert studio.lecture.step.parameters["L1"] == "100 mm"
    click(writer.up)
    assert [s.title for s in studio.lecture.steps] == ["Step 2", "Turning"]
    click(writer.down)
    item = writer.list.visualItemRect(writer.list.item(0)).center()
    click(writer.list.viewport(), item)
    settle(QtWidgets.QApplication.instance())
    assert studio.lecture.index == 0
    assert studio.document.project.parameters["L1"].value.text == "130 mm"
    click(writer.drop)
    assert [s.title for s in studio.lecture.steps] == ["Step 2"] and studio.lecture.index == 0
    studio.document.undo()
    assert len(studio.lecture.steps) == 2
    loaded = decode(encode(studio.document.project))
    assert loaded.project.steps == studio.lecture.steps and loaded.findings == ()


def with_length(project):
    from mechstudio.model.edits import elements

    return elements.set_quantity(project, "L1", ("value",), "100 mm")


def test_questions_are_written_and_answered(written):
    window, studio = written, written.studio
    window.actions_.trigger("add_step")
    writer = window.docks.lesson.writer
    for type in (CHOOSE, NUMBER, PREDICT):
        writer._ask(type)
    settle(QtWidgets.QApplication.instance())
    one, two, three = writer.questions
    put(one.text, "Which one?")
    put(one.choices, "this\nthat")
    put(one.answer, "2")
    put(two.text, "How long?")
    put(two.answer, "130 mm")
    two.dimension.setCurrentText("length")
    two.dimension.activated.emit(0)
    put(two.tolerance, "5 %")
    put(three.channel, "nothing at all")
    QTest.keyClick(three.channel, Qt.Key.Key_Return)
    assert three.wrong.isVisible()
    put(three.channel, "A angle")
    QTest.keyClick(three.channel, Qt.Key.Key_Return)
    writer.title.setFocus()
    settle(QtWidgets.QApplication.instance())
    requested = studio.lecture.step.questions
    assert requested[0].choices == ("this", "that") and requested[0].answer == "2"
    assert (requested[1].dimension, requested[1].tolerance, requested[1].answer) == (
        "length",
        0.05,
        "130 mm",
    )
    assert requested[2].channel == "joint/A/0" and not three.wrong.isVisible()
    click(window.docks.write_lesson)
    cards = window.docks.lesson.questions.cards
    click(cards[0].choices[1], QtCore.QPoint(12, cards[0].choices[1].height() // 2))
    put(cards[1].field, "133")
    QTest.keyClick(cards[1].field, Qt.Key.Key_Return)
    assert [studio.lecture.answered(k).reply.verdict for k in (0, 1)] == ["right", "right"]


def test_the_palette_finds_the_lesson_and_says_why_not(written):
    window = written
    press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.sheet.edit, "lesson")
    assert "Lesson" in [e.text for e in window.sheet.found][:3]
    press(window, Qt.Key.Key_Escape)
    by_id = window.actions_.by_id
    assert by_id["next_step"].toolTip() == "This drawing has no lesson by steps"
    assert not by_id["freeze"].isEnabled() and "F5" in by_id["freeze"].toolTip()


def test_an_earlier_run_comes_back_with_the_lesson_of_now(written, qtbot):
    window, studio = written, written.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.playback.complete)
    run = studio.runs.kept.runs[-1]
    window.actions_.trigger("add_step")
    studio.document.commit("L1", with_length(studio.document.project))
    studio.runs.go_back_to(run)
    assert studio.document.project.parameters["L1"].value.text == "130 mm"
    assert len(studio.lecture.steps) == 1 and studio.lecture.step is not None


def test_words_stay_with_the_step_that_they_were_typed_for(written):
    """Another step is taken by a key or a button while a field still has the keyboard."""
    window, studio = written, written.studio
    window.actions_.trigger("add_step")
    window.actions_.trigger("add_step")
    writer = window.docks.lesson.writer
    studio.lecture.go(0)
    put(writer.title, "One")
    put(writer.text, "First words.")
    studio.lecture.turn(1)
    settle(QtWidgets.QApplication.instance())
    QTest.qWait(500)
    assert [(s.title, s.text) for s in studio.lecture.steps] == [
        ("One", "First words."),
        ("Step 2", ""),
    ]
    assert (writer.title.text(), writer.text.toPlainText()) == ("Step 2", "")
    put(writer.title, "Two")
    studio.lecture.turn(-1)
    settle(QtWidgets.QApplication.instance())
    assert [s.title for s in studio.lecture.steps] == ["One", "Two"]
    # a question that is written on while another step is taken
    writer._ask(CHOOSE)
    settle(QtWidgets.QApplication.instance())
    put(writer.questions[0].text, "Which?")
    studio.lecture.turn(1)
    settle(QtWidgets.QApplication.instance())
    QTest.qWait(500)
    assert [[q.text for q in s.questions] for s in studio.lecture.steps] == [["Which?"], []]


def test_a_right_number_is_kept_with_its_unit(written):
    window, studio = written, written.studio
    window.actions_.trigger("add_step")
    writer = window.docks.lesson.writer
    writer._ask(NUMBER)
    settle(QtWidgets.QApplication.instance())
    card = writer.questions[0]
    card.dimension.setCurrentText("length")
    card.dimension.activated.emit(0)
    put(card.answer, "130")
    QTest.keyClick(card.answer, Qt.Key.Key_Return)
    assert studio.lecture.step.questions[0].answer == "130 mm" and not card.wrong.isVisible()
    put(card.answer, "130 deg")
    QTest.keyClick(card.answer, Qt.Key.Key_Return)
    assert card.wrong.isVisible() and "length" in card.wrong.text()


def test_an_answer_goes_with_its_question(written):
    """A question is deleted or changed after it was answered."""
    window, studio = written, written.studio
    window.actions_.trigger("add_step")
    one, two = (
        Question(NUMBER, "One?", answer="1"),
        Question(NUMBER, "Two?", answer="2"),
    )
    id = studio.lecture.step.id
    edits.change(studio, id, questions=(one, two))
    studio.lecture.answer(0, "1", check_number(one, "1", studio.document.project, "mm-N-deg"))
    edits.put_question(studio, id, 0, None)
    assert studio.lecture.answered(0) is None
    assert exercises(studio, False)[0].questions[0].said == ""
    studio.document.undo()
    assert studio.lecture.answered(0).said == "1" and studio.lecture.answered(1) is None
