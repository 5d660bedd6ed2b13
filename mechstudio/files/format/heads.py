"""The head of a project file: data for a list of files, without the drawing."""

import os
from pathlib import Path

import msgspec


class LessonHead(msgspec.Struct, frozen=True):
    """The lesson, as in the file; see model.project.Lesson."""

    title: str = ""
    text: str = ""
    questions: tuple[str, ...] = ()
    topic: str = ""
    level: int = 0


class Typed(msgspec.Struct, frozen=True):
    """An element of which only the type counts."""

    type: str = ""


class Head(msgspec.Struct, frozen=True):
    """The lesson of a project file, the types of its elements, and the number of its steps."""

    lesson: LessonHead = LessonHead()
    joints: tuple[Typed, ...] = ()
    couplings: tuple[Typed, ...] = ()
    forces: tuple[Typed, ...] = ()
    steps: tuple[msgspec.Raw, ...] = ()


def head(path: str | os.PathLike[str]) -> Head | None:
    """The head of a project file; None for one that cannot be read, which opening it explains."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Head)
    except (OSError, ValueError, RecursionError):
        return None
