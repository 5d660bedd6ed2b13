"""Reasons why actions cannot be done, their marks and their details, in states of the program: an
empty drawing, one with each kind of element selected, a active tool, and a run in its middle.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mechstudio.application.actions import registry
from mechstudio.application.actions.registry import Action
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.files import project_file
from mechstudio.model.project import Project
from tests.view.standin import StandinSession

SAMPLES = Path(__file__).parents[2] / "samples"
SELECTED = ((), ("crank",), ("crank", "rocker"), ("ground",), ("A",), ("A", "B"), ("crank", "A"))


@pytest.fixture
def studio():
    made = Studio(Preferences(kept=False))
    loaded = project_file.load(SAMPLES / "four_bar.mech")
    made.files.show(loaded.project, None, loaded.camera)
    made.attach(StandinSession(made.document))
    made.questions.session.poll()
    yield made
    made.close()


def ran(studio: Studio) -> None:
    """Run to the end, and stand in the middle."""
    studio.runs.simulate()
    while not studio.runs.recording.complete:
        studio.questions.session.poll()
    studio.runs.playback.pause()
    studio.runs.playback.seek(1.0)


def action(id: str) -> Action:
    return next(a for a in registry.actions() if a.id == id)


def drawing(studio: Studio) -> None:
    studio.tools.take("select")
    action("draw_link")(studio)


# states one after the other
STATES: dict[str, Callable[[Studio], object]] = {
    "as opened": lambda studio: None,
    "a tool in hand": drawing,
    "a run": lambda studio: (studio.tools.take("select"), ran(studio)),
    "playing": lambda studio: studio.runs.playback.play(),
    "changed since": lambda studio: (
        studio.runs.playback.pause(),
        studio.selection.select("crank"),
        action("duplicate")(studio),
    ),
    "undone": lambda studio: studio.document.undo(),
    "at the design": lambda studio: studio.runs.playback.to_design(),
    "empty": lambda studio: studio.files.show(Project(), None, None),
}


def facts(studio: Studio) -> Iterator[str]:
    """Lines of all actions that are done without a window."""
    for action in registry.actions():
        if action.window:
            continue
        words = [action.unless(studio)]
        if action.checked is not None:
            words.append("on" if action.checked(studio) else "off")
        if action.detail is not None:
            words.append(action.detail(studio))
        if any(words):
            yield f"{action.id}: {' | '.join(filter(None, words))}"


def test_guards_are_as_approved(studio, approved):
    lines: list[str] = []
    before: set[str] = set()
    for state, begin in STATES.items():
        begin(studio)
        for selected in SELECTED if studio.document.project.mechanism.bodies else ((),):
            studio.selection.select(*selected)
            found = list(facts(studio))
            lines.append(f"# {state}, {' and '.join(selected) or 'nothing'} selected")
            # what is otherwise than in the state before
            lines += [line for line in found if line not in before]
            lines += [f"no more: {line}" for line in sorted(before - set(found))]
            before = set(found)
    approved.holds("guards.txt", "\n".join(lines) + "\n")
