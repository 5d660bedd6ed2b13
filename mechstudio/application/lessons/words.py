"""Words of lessons in other languages: samples hold English, a copy of one speaks the language
shown.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import ProjectFileError, load
from mechstudio.model.project import Project, Question, Step
from mechstudio.translation import ENGLISH, LANGUAGES, sample_text

replace = msgspec.structs.replace
Words = Callable[[str], str]


def _question(q: Question, words: Words) -> Question:
    return replace(
        q,
        text=words(q.text),
        choices=tuple(map(words, q.choices)),
        because=words(q.because),
        hints=tuple(map(words, q.hints)),
    )


def _step(step: Step, words: Words) -> Step:
    return replace(
        step,
        title=words(step.title),
        text=words(step.text),
        notes=words(step.notes),
        questions=tuple(_question(q, words) for q in step.questions),
    )


def with_words(project: Project, words: Words) -> Project:
    """A project with every text of its lesson and steps, and the titles of its plots, passed
    through a function.
    """
    lesson = project.lesson
    lesson = replace(
        lesson,
        title=words(lesson.title),
        text=words(lesson.text),
        questions=tuple(map(words, lesson.questions)),
    )
    return replace(
        project,
        lesson=lesson,
        steps=tuple(_step(s, words) for s in project.steps),
        plots=tuple(replace(plot, title=words(plot.title)) for plot in project.plots),
    )


def texts(project: Project) -> list[str]:
    """Every text of the lesson, the steps and the plots of a project, each once, in their order."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        if text:
            found[text] = None
        return text

    with_words(project, note)
    return list(found)


def translated(project: Project) -> Project:
    """A copy of a sample in the language shown; texts that are none of a sample stay."""
    return with_words(project, sample_text)


def in_shown_language(project: Project, origin: Project, before: str) -> Project:
    """A copy of a sample, which spoke another language, in the language shown.

    origin: the sample as its file has it.  before: code of the language of the copy.
    """
    known: Mapping[str, str] = {
        sample_text(text, before): sample_text(text) for text in texts(origin)
    }
    return with_words(project, lambda text: known.get(text, text))


def in_english(project: Project, origin: Project) -> Project:
    """A sample that speaks the language shown, in the words of its file."""
    known: Mapping[str, str] = {sample_text(text): text for text in texts(origin)}
    return with_words(project, lambda text: known.get(text, text))


def is_sample(path: str | Path) -> bool:
    """True if a file is one of the samples that ship."""
    try:
        return Path(path).resolve().parent == sample_folder().resolve()
    except OSError:
        return False


def origin_of(project: Project) -> tuple[Project, str] | None:
    """The sample whose lesson a project has, as its file has it, and the code of the language that
    the project speaks; None where it has a lesson of its own.
    """
    title = project.lesson.title
    if not title:
        return None
    for path in sorted(sample_folder().glob("*.mech")):
        try:
            origin = load(path).project
        except (ProjectFileError, OSError):
            continue
        for code in (ENGLISH, *LANGUAGES):
            if sample_text(origin.lesson.title, code) == title:
                return origin, code
    return None
