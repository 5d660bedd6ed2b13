"""Actions that go through the steps of a lesson."""

from mechstudio.application.actions.display import labels
from mechstudio.application.actions.registry import action
from mechstudio.application.studio import Studio
from mechstudio.translation import tr


def needs_steps(studio: Studio) -> str:
    """Refusal where the drawing has no lesson by steps, "" where it has one."""
    return "" if studio.lecture.steps else tr("This drawing has no lesson by steps")


def _needs_next(studio: Studio) -> str:
    last = studio.lecture.index == len(studio.lecture.steps) - 1
    return needs_steps(studio) or (tr("This is the last step") if last else "")


def _needs_previous(studio: Studio) -> str:
    return needs_steps(studio) or (
        tr("This is the first step") if studio.lecture.index <= 0 else ""
    )


@action(
    "Next step of the lesson",
    "View/In class",
    "PgDown",
    words="lesson page slide forward lecture",
    unless=_needs_next,
    before=labels,
)
def next_step(studio: Studio) -> None:
    """Take the next step of the lesson, or the first one."""
    studio.lecture.turn(1)


@action(
    "Previous step of the lesson",
    "View/In class",
    "PgUp",
    words="lesson page slide back lecture",
    unless=_needs_previous,
    before=labels,
)
def previous_step(studio: Studio) -> None:
    """Take the step before."""
    studio.lecture.turn(-1)
