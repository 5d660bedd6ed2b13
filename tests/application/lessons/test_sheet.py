"""Sheets of a lesson: questions, answers that were given, and solutions on request."""

import msgspec
import pytest

from mechstudio.application.lessons.checking import check_choice, check_number
from mechstudio.application.lessons.filled_text import filled, spoken, stored, unknown
from mechstudio.application.lessons.sheet import exercises
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load
from mechstudio.model.equations.report import LESSON, SOLUTIONS, Report
from mechstudio.symbolic import derive


@pytest.fixture
def studio():
    made = Studio(Preferences(kept=False))
    made.document.load(load("samples/four_bar.mech").project, None)
    yield made
    made.close()


def written(studio, solutions, format):
    chapters = (LESSON, SOLUTIONS) if solutions else (LESSON,)
    report = Report(chapters, exercises=exercises(studio, solutions))
    return derive(studio.document.project, "lagrange").export(format, report=report)


def test_a_page_has_questions_and_solutions_on_request_only(studio):
    bare, whole = (written(studio, s, "report-html") for s in (False, True))
    for words in ("Where is the dead point?", "How far does it swing?", "Crank upright"):
        assert words in bare and words in whole
    assert "63.33" not in bare and "63.33 deg" in whole and "law of cosines" not in bare
    assert bare.count("<details>") == 0 and whole.count("<details>") == 5
    assert "<script" not in whole
    # an empty box before each choice, by its number in CSS
    assert 'list-style: "\\2610  "' in bare
    # quantities stand by their names, not by the numbers of some instant
    assert "The crank stands at A angle" in bare


def test_answers_that_were_given_stand_on_the_sheet(studio):
    project = studio.document.project
    studio.lecture.hold("step2")
    one, two = studio.lecture.step.questions
    studio.lecture.answer(0, one.choices[1], check_choice(one, 2))
    studio.lecture.answer(1, "63 deg", check_number(two, "63 deg", project, "mm-N-deg"))
    sheet = exercises(studio, False)[1]
    assert sheet.questions[0].said == "Answer: Crank upright. Not that one."
    assert sheet.questions[1].said.startswith("Answer: 63 deg. Right: 63.33 deg, you said 63 deg.")
    assert sheet.questions[0].solution == ""
    solved = exercises(studio, True)[1].questions[0].solution
    assert solved.startswith("Crank and coupler in one line: ")
    # another document has no answers
    studio.files.opened.emit()
    assert exercises(studio, False)[1].questions[0].said == ""


def test_sheets_of_paper_are_made_with_odd_letters_too(studio):
    odd = 'A "quoted" #text(red)[x] $m_1$ \\ *bold* & <b>'
    steps = studio.lecture.steps
    first = msgspec.structs.replace(steps[0], title=odd, text=odd + "\nsecond line")
    project = msgspec.structs.replace(studio.document.project, steps=(first, *steps[1:]))
    studio.document.commit("odd", project)
    for solutions in (False, True):
        assert written(studio, solutions, "report-pdf").startswith(b"%PDF")
    assert "&lt;b&gt;" in written(studio, True, "report-html")


def test_texts_keep_keys_and_are_typed_by_names(studio):
    project = studio.document.project
    typed = "The rocker stands at {D angle}, L1 is {L1}, {nothing} and {}."
    kept = stored(typed, project)
    assert kept == "The rocker stands at {joint/D/0}, L1 is {L1}, {nothing} and {}."
    assert spoken(kept, project) == typed and unknown(typed, project) == ["nothing", ""]
    # without a run a number is not known, a parameter is
    assert filled(kept, studio) == "The rocker stands at –, L1 is 130 mm, – and –."
