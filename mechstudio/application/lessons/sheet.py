"""Lesson as a sheet of paper: its steps, questions, answers given, and solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.application.lessons.filled_text import filled
from mechstudio.curves.quantities import quantity
from mechstudio.model.equations.report import Exercise, SheetQuestion
from mechstudio.model.project import CHOOSE, EQUATION, NUMBER, PREDICT, Question, Step
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

# lines to write on, by types of questions
ROOM = {NUMBER: 1, EQUATION: 3}


def exercises(studio: Studio, solutions: bool) -> tuple[Exercise, ...]:
    """Steps of the lesson with the answers that were given.  solutions: with the right ones."""
    return tuple(_exercise(studio, step, solutions) for step in studio.lecture.steps)


def _exercise(studio: Studio, step: Step, solutions: bool) -> Exercise:
    questions = tuple(
        _sheet_question(studio, step, k, solutions) for k in range(len(step.questions))
    )
    # numbers of now would be numbers of another step on paper
    return Exercise(step.title, filled(step.text, studio, now=False), questions)


def _sheet_question(studio: Studio, step: Step, number: int, solutions: bool) -> SheetQuestion:
    question = step.questions[number]
    given = studio.lecture.given(step, number)
    said = ""
    if given is not None:
        said = tr("Answer: {said}. {verdict}", said=given.said, verdict=given.reply.words)
    right = solution(studio, question) if solutions else ""
    choices = question.choices if question.type == CHOOSE else ()
    axis = ""
    if question.type == PREDICT:
        known = quantity(studio.document.project, question.channel)
        axis = "" if known is None else tr("{name} over the time", name=known.name)
    return SheetQuestion(question.text, choices, said, right, ROOM.get(question.type, 1), axis)


def solution(studio: Studio, question: Question) -> str:
    """Right answer in words, with its reason."""
    right = question.answer
    if question.type == CHOOSE:
        place = int(right) - 1 if right.strip().isdigit() else -1
        right = question.choices[place] if 0 <= place < len(question.choices) else "–"
        return f"{right}: {question.because}" if question.because else right
    elif question.type == PREDICT:
        known = quantity(studio.document.project, question.channel)
        name = "–" if known is None else known.name
        right = tr("{name}, as the run shows it", name=name)
    return f"{right}. {question.because}".strip(". ") + "." if question.because else right
