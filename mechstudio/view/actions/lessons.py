"""Actions that write a lesson: steps recorded from the window, and sheets of its questions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mechstudio.application.actions.lessons.steps import needs_steps
from mechstudio.application.lessons import edits
from mechstudio.application.lessons.sheet import exercises
from mechstudio.application.studio import Studio
from mechstudio.model.equations.report import LESSON, SOLUTIONS, Report
from mechstudio.model.project import Step
from mechstudio.model.types.exports import BY_ID, EXPORTS
from mechstudio.translation import tr
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.present.shown_parts import Shown, present_equation, usual, visible_plots

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

SHEETS = (".pdf", ".html")
MOST = 2  # plots and sliders of a step


def _shown(window: MainWindow) -> Shown:
    """Sliders, plots and equation that are to be seen now."""
    if window.present is not None and window.present.is_on:
        return window.present.shown
    shown = usual(window.studio, window.docks)
    front = visible_plots(window.docks)[:MOST]
    equation = present_equation(window.docks) if window.workspace == "explain" else ""
    return shown._replace(plots=front or shown.plots, equation=equation)


def recorded(window: MainWindow, step: Step) -> Step:
    """A step that shows the window as it is now, with the words and questions of another one."""
    studio, project = window.studio, window.studio.document.project
    shown, playback = _shown(window), studio.runs.playback
    first, last = playback.section if playback.section is not None else (None, None)
    has_run = studio.runs.recording is not None
    terms = studio.selection.selected if shown.equation else ()
    return msgspec.structs.replace(
        step,
        camera=window.viewport.framing.kept,
        view="",
        parameters={
            name: p.value.text or repr(p.value.value)
            for name, p in project.parameters.items()
            if p.slider
        },
        begin=first,
        end=last,
        at=playback.time if has_run else None,
        plays=playback.playing,
        sliders=shown.sliders[:MOST],
        plots=shown.plots[:MOST],
        equation=shown.equation,
        terms=tuple(terms),
        hidden=tuple(id for id, body in project.mechanism.bodies.items() if not body.visible),
        covered=bool(studio.lecture.predictions.covered),
    )


def _needs_bodies(studio: Studio) -> str:
    return "" if studio.document.has_bodies else tr("There is no body yet")


@window_action(
    "Lesson",
    "Tools",
    words="steps teach exercise questions class panel write",
    checked=lambda window: window.docks.shows_lesson,
    section=True,
)
def lesson(window: MainWindow) -> None:
    """Show the lesson beside the scene, or put it away."""
    window.docks.show_lesson(not window.docks.shows_lesson)


@window_action(
    "Add step to the lesson",
    "Tools",
    words="record lesson teach present slide camera state",
    unless=_needs_bodies,
)
def add_step(window: MainWindow) -> None:
    """Add a step that shows the window as it is now: camera, values, run, plots, equation."""
    studio = window.studio
    count = len(studio.lecture.steps) + 1
    step = Step(edits.new_id(studio), tr("Step {number}", number=count))
    edits.add(studio, recorded(window, step))
    if not studio.lecture.presenting:
        window.docks.show_lesson(True)
        window.docks.write_lesson.setChecked(True)
        window.docks.lesson.write(True)


def _needs_step(studio: Studio) -> str:
    return needs_steps(studio) or (
        "" if studio.lecture.step is not None else tr("Take a step of the lesson first")
    )


@window_action(
    "Set step as the window is now",
    "Tools",
    words="record lesson again update camera state",
    unless=_needs_step,
)
def record_step(window: MainWindow) -> None:
    """Let the current step show the window as it is now; its words and questions stay."""
    studio, step = window.studio, window.studio.lecture.step
    if step is not None:
        new = recorded(window, step)
        names = [f for f in new.__struct_fields__ if getattr(new, f) != getattr(step, f)]
        edits.change(studio, step.id, **{name: getattr(new, name) for name in names})


def _save_sheet(window: MainWindow, solutions: bool) -> None:
    """Ask for a file, and write the questions of the lesson."""
    studio = window.studio
    formats = [f for f in EXPORTS if f.report and f.suffix in SHEETS][::-1]
    derivations = window.docks.equations.derivations
    method = derivations.method if derivations is not None else "lagrange"

    def write(path: Path) -> None:
        found = next((f for f in formats if f.suffix == path.suffix.lower()), formats[0])
        chapters = (LESSON, SOLUTIONS) if solutions else (LESSON,)
        report = Report(chapters, exercises=exercises(studio, solutions))
        units = studio.preferences.units
        studio.questions.exports.request(found.id, method, units, path, report=report)

    kinds = {
        tr("{label} (*{suffix})", label=tr(BY_ID[f.id].kind), suffix=f.suffix): f.suffix
        for f in formats
    }
    end = tr("solutions") if solutions else tr("questions")
    ask_target(
        window,
        studio.preferences.stored.folder,
        tr("Save the questions of the lesson"),
        kinds,
        f"{studio.questions.exports.stem}_{end}.pdf",
        write,
        "lesson sheet",
    )


@window_action(
    "Questions of the lesson…",
    "File/Export as",
    icon="file",
    words="sheet exercise paper pdf html answers print class",
    unless=needs_steps,
)
def export_questions(window: MainWindow) -> None:
    """Ask for a file and write the lesson with its questions and the answers that were given."""
    _save_sheet(window, False)


@window_action(
    "Questions with solutions…",
    "File/Export as",
    icon="file",
    words="sheet exercise paper pdf html answers print class correction",
    unless=needs_steps,
)
def export_solutions(window: MainWindow) -> None:
    """Ask for a file and write the lesson with its questions, answers and solutions."""
    _save_sheet(window, True)


def bind(window: MainWindow) -> None:
    """Give the panel of the lesson its recorder."""
    window.docks.add_step = partial(window.actions_.trigger, add_step)
    window.docks.record_step = partial(window.actions_.trigger, record_step)
