"""The report as it is requested: which chapters in which order, and what only the window knows."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Structure
from mechstudio.translation import Words


class Figure(msgspec.Struct, frozen=True):
    """A picture of a report.  svg: its text.  title: its subject. wide: over the whole page, not
    beside another one.
    """

    svg: str
    title: str = ""
    wide: bool = False


class Exercise(msgspec.Struct, frozen=True):
    """Step of a lesson on a sheet.  questions: its questions."""

    title: str
    text: str = ""
    questions: tuple["SheetQuestion", ...] = ()


class SheetQuestion(msgspec.Struct, frozen=True):
    """Question on a sheet.  choices: to tick.  said: answer that was given, and the verdict on it,
    "" for none.  solution: "" on a sheet without.  room: lines to write on, where nothing was said.
    axis: of a curve to draw over the time, in words.
    """

    text: str
    choices: tuple[str, ...] = ()
    said: str = ""
    solution: str = ""
    room: int = 1
    axis: str = ""


class ChapterType(msgspec.Struct, frozen=True):
    """A chapter that a report may have.  key: for programs.  label: its head and its choice."""

    key: str
    label: Words
    usual: bool = True


DRAWING, DIAGRAM, PARAMETERS, MOBILITY, EQUATIONS = (
    "drawing",
    "diagram",
    "parameters",
    "mobility",
    "equations",
)
MOTION, PLOTS, PEAKS, RUNS, NOTES = "motion", "plots", "peaks", "runs", "notes"
DERIVATION, LOADS, STUDIES = "derivation", "loads", "studies"
LESSON, SOLUTIONS = "lesson", "solutions"
CHAPTERS: tuple[ChapterType, ...] = (
    ChapterType(DRAWING, "Drawing"),
    ChapterType(DIAGRAM, "Kinematic diagram", usual=False),
    ChapterType(PARAMETERS, "Parameters and masses"),
    ChapterType(MOBILITY, "Mobility and findings"),
    ChapterType(EQUATIONS, "Equations"),
    ChapterType(DERIVATION, "Derivation", usual=False),
    ChapterType(MOTION, "Motion", usual=False),
    ChapterType(PLOTS, "Plots of the window"),
    ChapterType(PEAKS, "Greatest values"),
    ChapterType(LOADS, "Loads of joints", usual=False),
    ChapterType(RUNS, "Runs compared", usual=False),
    ChapterType(STUDIES, "Studies"),
    ChapterType(NOTES, "Notes", usual=False),
    ChapterType(LESSON, "Lesson with its questions", usual=False),
    ChapterType(SOLUTIONS, "Solutions beside the questions", usual=False),
)
LABELS: dict[str, Words] = {chapter.key: chapter.label for chapter in CHAPTERS}
# chapters that are made of a derivation, an analysis or a run
DERIVED = frozenset({PARAMETERS, MOBILITY, EQUATIONS, DERIVATION, MOTION, LOADS})
PAPERS: tuple[tuple[str, Words], ...] = (("a4", "A4"), ("us-letter", "Letter"))


class Report(msgspec.Struct, frozen=True):
    """Wishes for a report.

    chapters: keys of CHAPTERS in their order.  paper: of PAPERS.  subtitle: a line under the title.
    figures: of chapters.  tables: of chapters, rows of cells, the first one their heads.
    sentences: of chapters.  preview: pixels per inch of pages as pictures instead of a file, 0 for
    none.  moving: scene and motion for a page of HTML (application/films/moving_drawing.py).
    structure: its numbers where they are known already.
    exercises: steps of the lesson.
    """

    chapters: tuple[str, ...]
    paper: str = "a4"
    subtitle: str = ""
    figures: Mapping[str, tuple[Figure, ...]] = {}
    tables: Mapping[str, tuple[tuple[str, ...], ...]] = {}
    sentences: Mapping[str, tuple[str, ...]] = {}
    preview: float = 0.0
    moving: str = ""
    structure: Structure | None = None
    exercises: tuple[Exercise, ...] = ()


def listed_chapters(project: Project) -> tuple[tuple[str, bool], ...]:
    """Every chapter that there is in the order of the project's choice, and whether its report has
    it.
    """
    usual = {c.key: c.usual for c in CHAPTERS}
    kept = project.report
    if kept is None:
        return tuple(usual.items())
    named = dict.fromkeys(key for key in kept.chapters if key in usual)
    found = {key: key not in kept.left_out for key in named}
    return tuple({**found, **{k: False for k in usual if k not in found}}.items())


def notes_of(project: Project) -> tuple[str, ...]:
    """Text of the lesson and notes of bodies, joints and forces."""
    m, lesson = project.mechanism, project.lesson
    parts = [*lesson.text.splitlines()]
    for each in (*m.bodies.values(), *m.joints.values(), *m.forces.values()):
        if each.note:
            parts.append(f"{each.name}: {each.note}")
    return tuple(p for p in parts if p.strip())


# what is reported where nothing is chosen
USUAL = Report((DRAWING, PARAMETERS, MOBILITY, EQUATIONS, MOTION, LOADS))
