"""Steps of a lesson added, changed, moved and removed, each as one step to undo."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from mechstudio.model.project import Question, Step
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

replace = msgspec.structs.replace


def new_id(studio: Studio) -> str:
    """An id that no step has."""
    project = studio.document.project
    taken = {s.id for s in project.steps} | {u.id for u in project.unread}
    return next(id for k in itertools.count(1) if (id := f"step{k}") not in taken)


def _put(studio: Studio, label: str, steps: tuple[Step, ...], part_of: str = "") -> None:
    project = studio.document.project
    studio.document.commit(label, replace(project, steps=steps), part_of)


def add(studio: Studio, step: Step) -> None:
    """Add a step behind the current one, at the end where none is, and take it."""
    steps, at = studio.lecture.steps, studio.lecture.index
    at = len(steps) if at < 0 else at + 1
    _put(studio, tr("Add step"), (*steps[:at], step, *steps[at:]))
    studio.lecture.hold(step.id)


def change(studio: Studio, id: str, part_of: str = "", **fields: Any) -> None:
    """Change fields of a step.  part_of: names a movement that goes on, as of typing."""
    steps = studio.lecture.steps
    new = tuple(replace(s, **fields) if s.id == id else s for s in steps)
    if new != steps:
        title = next(s.title or s.id for s in new if s.id == id)
        _put(studio, tr("Change step {title}", title=title), new, part_of)


def remove(studio: Studio, id: str) -> None:
    """Remove a step; the one after it is current then."""
    steps = studio.lecture.steps
    at = next(k for k, s in enumerate(steps) if s.id == id)
    rest = (*steps[:at], *steps[at + 1 :])
    if rest:
        studio.lecture.hold(rest[min(at, len(rest) - 1)].id)
    _put(studio, tr("Delete step {title}", title=steps[at].title or id), rest)


def move(studio: Studio, id: str, by: int) -> None:
    """Move a step towards the end or the beginning."""
    steps = [*studio.lecture.steps]
    at = next(k for k, s in enumerate(steps) if s.id == id)
    to = min(max(at + by, 0), len(steps) - 1)
    steps.insert(to, steps.pop(at))
    if to != at:
        _put(studio, tr("Move step {title}", title=steps[to].title or id), tuple(steps))


def put_question(studio: Studio, id: str, number: int, question: Question | None) -> None:
    """Change a question of a step, add one behind the last, or remove it for None."""
    step = next((s for s in studio.lecture.steps if s.id == id), None)
    if step is None:
        return
    questions = list(step.questions)
    if question is None:
        del questions[number]
    elif number < len(questions):
        questions[number] = question
    else:
        questions.append(question)
    change(studio, id, questions=tuple(questions))
