"""Texts of a lesson with quantities in braces, which stand for their numbers at the time cursor.

In the file a quantity stands by its key, {joint/D/0}; where it is typed, by its name in the list of
quantities, {D angle}.  A parameter stands by its name, {L1}.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.application.lessons.checking import course_now
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.model.project import Project
from mechstudio.model.units import format_value

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

BRACES = re.compile(r"\{([^{}\n]*)\}")
DIGITS = 4


def key_of(name: str, project: Project) -> str:
    """Key of the quantity of a key or a name, "" for none."""
    name = name.strip()
    if not name:
        return ""
    if quantity(project, name) is not None:
        return name
    found = quantities(project).values()
    return next((q.key for q in found if q.name.casefold() == name.casefold()), "")


def stored(text: str, project: Project) -> str:
    """A typed text as the file keeps it: keys of quantities in its braces."""
    return BRACES.sub(
        lambda m: f"{{{_parameter(m[1], project) or key_of(m[1], project) or m[1]}}}", text
    )


def spoken(text: str, project: Project) -> str:
    """A kept text as it is typed: names of quantities in its braces."""

    def name(m: re.Match[str]) -> str:
        known = None if m[1] in project.parameters else quantity(project, m[1])
        return m[0] if known is None else f"{{{known.name}}}"

    return BRACES.sub(name, text)


def unknown(text: str, project: Project) -> list[str]:
    """Names in braces that are neither a quantity nor a parameter."""
    return [
        name
        for name in BRACES.findall(text)
        if not _parameter(name, project) and not key_of(name, project)
    ]


def _parameter(name: str, project: Project) -> str:
    return name.strip() if name.strip() in project.parameters else ""


def keys_in(text: str, project: Project) -> tuple[str, ...]:
    """Keys of the quantities of a text."""
    names = [n for n in BRACES.findall(text) if not _parameter(n, project)]
    return tuple(filter(None, (key_of(name, project) for name in names)))


def filled(text: str, studio: Studio, now: bool = True) -> str:
    """A text with the numbers of now in place of its braces, a dash where one is not known.  now:
    False for names of quantities instead.
    """
    project = studio.document.project
    if not now:
        text = BRACES.sub(
            lambda m: _number(m[1], project, studio) if _parameter(m[1], project) else m[0], text
        )
        return BRACES.sub(lambda m: m[1], spoken(text, project))
    return BRACES.sub(lambda m: _number(m[1], project, studio), text)


def _number(name: str, project: Project, studio: Studio) -> str:
    units = studio.preferences.units
    parameter = project.parameters.get(_parameter(name, project))
    if parameter is not None:
        return format_value(parameter.value.value, parameter.dimension, units, DIGITS)
    known = quantity(project, key_of(name, project))
    course = None if known is None else course_now(studio, known.key)
    if known is None or course is None or not len(course.times):
        return "–"
    now = studio.runs.playback.time
    if not course.times[0] <= now <= course.times[-1]:
        return "–"
    value = float(np.interp(now, course.times, course.values))
    return format_value(value, known.dimension, units, DIGITS) if np.isfinite(value) else "–"
