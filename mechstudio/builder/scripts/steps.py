"""Steps of a drawing written as Python: what was drawn and changed, one comment a step."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mechstudio.builder.builder import Builder
from mechstudio.builder.parts import IN_MECHANISM, key_of
from mechstudio.builder.scripts.elements import write
from mechstudio.builder.scripts.script import text, written
from mechstudio.builder.scripts.source import flat, literal
from mechstudio.builder.scripts.writing import Writing, found, is_same, number
from mechstudio.model import fields
from mechstudio.model.mechanism import Body, Joint
from mechstudio.model.project import Project

VARIABLES = (Body, Joint)  # kinds of elements that later steps name
WORDS = ("name", "color", "visible", "note", "enabled", "axes", "kept")  # that a step may change


def steps(before: Project, labelled: Sequence[tuple[str, Project]], path: str = "") -> str:
    """A Python script of the steps that led from one project to another.

    labelled: the label of each step, and the project after it.  path: of the file with the project
    before them; "" where no file holds it: then the script builds that too.
    """
    if path:
        w = Writing(Builder.of(before))
        w.lines.append(f"m = ms.Builder.of(ms.load({flat(literal(path))}))")
    elif before == Project():
        w = Writing(Builder())
        w.lines.append("m = ms.Builder()")
    else:
        w = written(before)
    for label, after in labelled:
        w.space()
        w.say(label)
        _write_step(w, after)
    return text(w, "", ("", "project = m.project()"))


def _write_step(w: Writing, after: Project) -> None:
    """Write what one step changed, and make sure that nothing else did."""
    for id in _gone(w.builder.project(), after):
        before, lines = w.builder.project(), len(w.lines)
        try:
            w.call("m", w.builder.remove, id)
        except ValueError:  # gone with another one, or left to be replaced below
            w.restore(before, lines)
    # what follows from parameters need not be said of other elements
    for part in (*after.parameters.values(), *_elements(after)):
        old = found(w.builder.project(), part)
        if old is None:
            write(w, part, w.name(key_of(part)) if isinstance(part, VARIABLES) else "")
        elif not is_same(old, part):
            _write_change(w, old, part)
    for owner in (after.mechanism, after):
        built: Any = w.builder.mechanism if owner is after.mechanism else w.builder.project()
        changed = {
            field.name: getattr(owner, field.name)
            for field in msgspec.structs.fields(owner)
            if field.name not in ("mechanism", "unread")
            and not _holds(getattr(built, field.name), getattr(owner, field.name))
        }
        if changed:
            w.replace(changed)


def _holds(built: Any, target: Any) -> bool:
    """True if a field of a project is as required, the order of its elements included."""
    if isinstance(target, Mapping):
        return list(built) == list(target) and all(is_same(built[k], target[k]) for k in target)
    return is_same(built, target)


def _elements(project: Project) -> list[Any]:
    """Elements that have an id, with the ground first."""
    m = project.mechanism
    tables = [getattr(m, name) for name in IN_MECHANISM.values() if name != "contacts"]
    tables += [getattr(project, name) for name in ("gauges", "groups", "pictures")]
    return [m.ground, *(element for table in tables for element in table.values())]


def _gone(before: Project, after: Project) -> list[str]:
    """Ids of elements and names of parameters that are there no more."""
    there = {key_of(part) for part in (*after.parameters.values(), *_elements(after))}
    known = [key_of(part) for part in (*before.parameters.values(), *_elements(before))]
    return [id for id in known if id not in there]


def _write_change(w: Writing, old: Any, new: Any) -> None:
    """Write what changed of an element: typed numbers and words, else the whole element."""

    def say() -> None:
        id, mechanism = key_of(new), w.builder.mechanism
        words = {
            name: getattr(new, name)
            for name in WORDS
            if hasattr(new, name) and getattr(new, name) != getattr(old, name)
        }
        if words:
            w.call("m", w.builder.change, id, **words)
        if id not in dict(fields.elements(w.builder.project())):
            return  # a group has no numbers
        for field in fields.fields(new, id, mechanism):
            typed = fields.read(new, field.path)
            if typed != fields.read(found(w.builder.project(), new), field.path):
                value = None if typed is None else number(typed)
                w.call("m", w.builder.set, id, ".".join(map(str, field.path)), value)

    w.attempt(new, say)
