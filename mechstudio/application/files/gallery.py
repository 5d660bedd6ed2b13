"""The samples as a gallery: found by topic, level and words."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mechstudio.application.resources import resource, sample_folder
from mechstudio.files.format.heads import Head, head
from mechstudio.files.versions import versions
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.lessons import LEVELS, TOPICS
from mechstudio.translation import LANGUAGES, sample_text, tr

SUFFIX = ".mech"


class Sample(NamedTuple):
    """A sample.  summary: the first sentence of its text.  topic, level: keys of TOPICS and
    LEVELS.  steps: of its lesson, 0 for a text alone.  searched: all its words, in small letters.
    picture: moving one; None where it lacks.
    """

    path: Path
    title: str
    summary: str
    text: str
    questions: tuple[str, ...]
    topic: str
    level: int
    steps: int
    searched: str
    picture: Path | None


def samples() -> list[Sample]:
    """All samples, in the order of the topics and then of the levels."""
    order = list(TOPICS)
    known = [
        _sample(path, found)
        for path in sorted(sample_folder().glob(f"*{SUFFIX}"))
        if (found := head(path)) is not None
    ]
    place = {topic: k for k, topic in enumerate(order)}
    return sorted(known, key=lambda s: (place.get(s.topic, len(place)), s.level, s.title))


def _sample(path: Path, found: Head) -> Sample:
    lesson = found.lesson
    title = sample_text(lesson.title) or path.stem.replace("_", " ").capitalize()
    text = sample_text(lesson.text)
    picture = _thumbnail(path.stem)
    words = (lesson.title, lesson.text, *lesson.questions)
    parts = [path.stem, *(sample_text(word, each) for each in LANGUAGES for word in words)]
    parts += [tr(TOPICS[lesson.topic])] if lesson.topic in TOPICS else []
    for rows, elements in (
        (JOINT_TYPES, found.joints),
        (COUPLING_TYPES, found.couplings),
        (FORCE_TYPES, found.forces),
    ):
        parts += {tr(rows[e.type].label) for e in elements if e.type in rows}
    return Sample(
        path,
        title,
        first_sentence(text),
        text,
        tuple(map(sample_text, lesson.questions)),
        lesson.topic,
        lesson.level,
        len(found.steps),
        " ".join(parts).casefold().replace("_", " "),
        picture,
    )


def first_sentence(text: str) -> str:
    """A text up to its first full stop."""
    ends = [k for mark in (". ", "。") if (k := text.find(mark)) > 0]
    return text[: min(ends)] if ends else text.rstrip(".")


def _thumbnail(name: str) -> Path | None:
    try:
        return resource("thumbnails", f"{name}.webp")
    except FileNotFoundError:
        return None


def chosen(
    known: Iterable[Sample], words: str = "", topic: str = "", level: int = 0
) -> list[Sample]:
    """Samples of a topic and a level, in which all words stand; "" and 0 for any."""
    searched = words.casefold().split()
    return [
        s
        for s in known
        if topic in ("", s.topic)
        and level in (0, s.level)
        and all(word in s.searched for word in searched)
    ]


def level_word(level: int) -> str:
    """The level in words, "" for none; one that a file has by another program by its number."""
    if level in LEVELS:
        return tr(LEVELS[level])
    return tr("Level {level}", level=level) if level else ""


def picture_of(path: Path) -> Path | None:
    """The picture of the last save of a file; None where none is kept."""
    return next((v.picture for v in versions(path) if v.picture is not None), None)
