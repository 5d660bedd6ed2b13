"""Answers to the questions of a lesson, each checked in a sentence: what was said, what is right,
how near.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mechstudio.application.lessons.predictions import (
    LEAST_DRAWN,
    LEAST_KNOWN,
    Comparison,
    compared,
)
from mechstudio.application.plots.series import course_of
from mechstudio.curves.course import Course
from mechstudio.curves.quantities import quantity
from mechstudio.model.equations.lecture import DIFFERENT, EXACT, Proof
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project, Question
from mechstudio.model.units import DEFAULT_SYSTEM, format_value, unit
from mechstudio.translation import Words, localised, tr

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

RIGHT, NEAR, WRONG, UNREAD = "right", "near", "wrong", "unread"
ROUNDING = 1e-12  # part of a number that arithmetic may change
ALMOST = 3.0  # times the tolerance within which an answer is called near


class Reply(NamedTuple):
    """Verdict on an answer: RIGHT, NEAR, WRONG, or UNREAD where it says nothing; and its
    sentence.
    """

    verdict: str
    words: str


def check_choice(question: Question, chosen: int) -> Reply:
    """Verdict on a choice, counted from 1."""
    if question.answer.strip() not in {str(k) for k in range(1, len(question.choices) + 1)}:
        return Reply(UNREAD, tr("The lesson does not say which of them is right."))
    if str(chosen) == question.answer.strip():
        return Reply(RIGHT, tr("Right: {because}", because=question.because or tr("that is it.")))
    return Reply(WRONG, tr("Not that one."))


def names_of(project: Project) -> dict[str, tuple[float, str]]:
    """Values [SI] and dimensions of parameters, for typed answers."""
    return {name: (p.value.value, p.dimension) for name, p in project.parameters.items()}


def _default(question: Question, units: str) -> str:
    return unit(question.dimension, units).symbol if question.dimension != "number" else ""


def value_of(text: str, question: Question, project: Project, units: str) -> float:
    """A typed number [SI]; one without a unit is in that of display.  Raises ExpressionError."""
    default, text = _default(question, units), with_points(text)
    return expression.evaluate(text, question.dimension, names_of(project), default)


def with_unit(text: str, question: Question, project: Project, units: str) -> str:
    """A right number as the file keeps it: it means the same anywhere.  Raises ExpressionError."""
    default, text = _default(question, units), with_points(text)
    return expression.quantity(text, question.dimension, names_of(project), default).text


def check_number(question: Question, text: str, project: Project, units: str) -> Reply:
    """Verdict on a number as it was typed, against the right one within its tolerance."""
    try:
        said = value_of(text, question, project, units)
    except ExpressionError as error:
        return Reply(UNREAD, str(error))
    try:
        # one without a unit means the same for every reader
        right = value_of(question.answer, question, project, DEFAULT_SYSTEM)
    except ExpressionError as error:
        return Reply(UNREAD, tr("The right answer of this question: {error}", error=error))
    apart = abs(said - right)
    allowed = question.tolerance * abs(right) + ROUNDING * max(abs(right), abs(said))
    shown = lambda value: format_value(value, question.dimension, units, 4)
    if apart <= allowed:
        verdict = tr("Right: {right}, you said {said}.", right=shown(right), said=shown(said))
        return Reply(RIGHT, f"{verdict} {question.because}".strip())
    if apart <= ALMOST * allowed:
        return Reply(
            NEAR, tr("Close: {said} is within {apart}.", said=shown(said), apart=shown(apart))
        )
    if math.isclose(said, -right, rel_tol=question.tolerance):
        return Reply(NEAR, tr("The size is right; look at the sign."))
    return Reply(WRONG, tr("{said} is too {way}.", said=shown(said), way=_way(said, right)))


def _way(said: float, right: float) -> str:
    return tr("much") if said > right else tr("little")


def check_sketch(
    question: Question,
    found: Comparison | None,
    project: Project,
    units: str,
    is_drawn: bool = False,
) -> Reply:
    """Verdict on a curve that was drawn ahead of the run.  is_drawn: something is drawn, if the
    run does not tell how near it is.
    """
    known = quantity(project, question.channel)
    if known is None:
        return Reply(UNREAD, tr("The quantity of this question is gone."))
    late = tr("The run has not come over what is drawn. Compare again when it has.")
    if found is None and is_drawn:
        return Reply(UNREAD, late)
    if found is None:
        return Reply(UNREAD, tr("Draw on the covered part of the plot first."))
    if found.drawn < LEAST_DRAWN:
        return Reply(UNREAD, tr("Draw the rest of the curve too."))
    if found.known < LEAST_KNOWN:
        return Reply(UNREAD, late)
    if not found.scale:
        return Reply(UNREAD, tr("The run stays at zero there: no drawn curve can be measured."))
    shown = lambda value: format_value(value, known.dimension, units, 3)
    sentence: Words = (
        "Farthest from the run by {largest} at {time}, {mean} on average of a height of {height}."
    )
    if found.is_level:
        sentence = "Farthest from the run by {largest} at {time}, {mean} on average of {height}."
    verdict = tr(
        sentence,
        largest=shown(found.largest),
        time=localised(f"{found.time:.3g} s"),
        mean=shown(found.mean),
        height=shown(found.scale),
    )
    if found.is_near(question.tolerance):
        return Reply(RIGHT, f"{tr('Right.')} {verdict} {question.because}".strip())
    near = found.is_near(ALMOST * question.tolerance)
    return Reply(NEAR if near else WRONG, f"{tr('Close.') if near else tr('Not so.')} {verdict}")


def check_equation(question: Question, proof: Proof, row: int = 0) -> Reply:
    """Verdict on an equation, by its comparison with the derived ones.  row: number of the one
    that is requested, 0 where any is right.
    """
    if proof.how == EXACT and row and proof.row != row:
        return Reply(WRONG, f"{tr('True, but not the requested one.')} {proof.detail}")
    if proof.how == EXACT:
        return Reply(RIGHT, f"{tr('Right.')} {proof.detail} {question.because}".strip())
    if proof.how == DIFFERENT:
        return Reply(WRONG, f"{tr('Not yet.')} {proof.detail}".removesuffix(":") + ":")
    return Reply(UNREAD, proof.detail)


# curves


def course_now(studio: Studio, key: str) -> Course | None:
    """Course of a quantity over the present run; None where it is not known."""
    recording = studio.runs.recording
    if recording is None or not recording.count:
        return None
    return course_of(recording, key, studio.questions.curves.answers)


def sketch_difference(studio: Studio, key: str) -> Comparison | None:
    """Difference of the sketch of a quantity from the run; None where either is missing."""
    sketch, course = studio.lecture.predictions.sketches.get(key), course_now(studio, key)
    return None if sketch is None or course is None else compared(sketch, course)
