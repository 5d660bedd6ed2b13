"""Comparison of two projects: added and removed elements and every changed number, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

import msgspec

from mechstudio.model import fields, units
from mechstudio.model.findings import listed
from mechstudio.model.formulas.decimal_comma import with_commas
from mechstudio.model.mechanism import GROUND, Coupling, Force, Joint, Mechanism
from mechstudio.model.project import Gauge, Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.gauges import GAUGE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.translation import Words, comma, tr

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


class Difference(NamedTuple):
    """kind: ADDED, REMOVED or CHANGED.  id: of the element, or the field of the project."""

    kind: str
    id: str
    sentence: str


# fields of the mechanism and of the project with elements, and the noun of an element
ELEMENTS: dict[str, Words] = {
    "parameters": "Parameter",
    "bodies": "Body",
    "joints": "Joint",
    "couplings": "Coupling",
    "drives": "Drive",
    "forces": "Force",
    "gauges": "Measure",
    "groups": "Group",
    "pictures": "Picture",
    "plots": "Plot",
    "marks": "Mark",
    "views": "View",
    "measurements": "Measured curve",
    "steps": "Step of the lesson",
    "studies": "Study",
}
# fields with a single value
SINGLE: dict[str, Words] = {
    "ground": "Ground",
    "settings": "Settings",
    "contacts": "Contacts",
    "gravity": "Gravity",
    "start": "Start",
    "lesson": "Lesson",
    "note": "Note",
    "plot_layout": "Arrangement of the plots",
    "report": "Chapters of the report",
    "unread": "Parts of another version",
    "extra": "Parts of another version",
}
# id of a field of the project or mechanism in the list of numbers (model/fields.py)
LISTED = {
    "ground": GROUND,
    "settings": fields.SETTINGS,
    "contacts": fields.CONTACTS,
    "gravity": fields.GRAVITY,
    "start": fields.START,
}
WORDS: dict[str, Words] = {
    "name": "Name",
    "title": "Title",
    "type": "Type",
    "note": "Note",
    "kept": "Reason to keep",
    "axes": "Axes",
    "joint": "Joint",
    "integrator": "Method",
    "formulation": "Formulation",
    "drift": "Drift",
}


# tables with the labels of types
TYPES: tuple[tuple[type, Mapping[str, Any]], ...] = (
    (Joint, JOINT_TYPES),
    (Force, FORCE_TYPES),
    (Coupling, COUPLING_TYPES),
    (Gauge, GAUGE_TYPES),
)
CHOICES: dict[str, Mapping[str, Any]] = {
    "integrator": INTEGRATOR_TYPES,
    "formulation": FORMULATIONS,
    "drift": DRIFTS,
}


def differences(before: Project, after: Project, system: str = "mm-N-deg") -> list[Difference]:
    """Differences of two projects in the order of the drawing; empty if they are equal. system: of
    the units of numbers without a text.

    Numbers that differ because a parameter does are not reported again.
    """
    found: list[Difference] = []
    for name, noun in (*ELEMENTS.items(), *SINGLE.items()):
        old, new = _held(before, name), _held(after, name)
        if old == new:
            continue
        if name in ELEMENTS:
            found += _of_table(_table(old), _table(new), tr(noun), before, after, system)
        else:
            found += _of_one(old, new, name, tr(noun), before, after, system)
    if not found and before != after:
        found.append(Difference(CHANGED, "", tr("Values differ whose texts are the same.")))
    return found


def _held(project: Project, name: str) -> Any:
    return getattr(project if name in _PROJECT else project.mechanism, name)


_PROJECT = {field.name for field in msgspec.structs.fields(Project)}
assert _PROJECT | {f.name for f in msgspec.structs.fields(Mechanism)} == {
    "mechanism",
    *ELEMENTS,
    *SINGLE,
}


def _table(held: Any) -> dict[str, Any]:
    if isinstance(held, Mapping):
        return dict(cast("Mapping[str, Any]", held))
    return {element.id: element for element in held}


def _of_table(
    old: dict[str, Any],
    new: dict[str, Any],
    noun: str,
    before: Project,
    after: Project,
    system: str,
) -> Iterator[Difference]:
    for id, element in old.items():
        if id not in new:
            yield Difference(REMOVED, id, tr("{what} is gone.", what=_titled(noun, element)))
    for id, element in new.items():
        if id not in old:
            yield Difference(ADDED, id, tr("{what} is new.", what=_titled(noun, element)))
        elif old[id] != element:
            title = _titled(noun, old[id])
            changes = _changes(old[id], element, id, before, after, system)
            if changes:
                yield Difference(CHANGED, id, f"{title}: {comma().join(changes)}.")
    if (list(old) != list(new)) and set(old) == set(new):
        yield Difference(CHANGED, noun, tr("{noun}: another order.", noun=noun))


def _of_one(
    old: Any, new: Any, name: str, noun: str, before: Project, after: Project, system: str
) -> Iterator[Difference]:
    listed = LISTED.get(name, "")
    one, other = ((old,), (new,)) if name == "start" else (old, new)
    changes = _changes(one, other, listed, before, after, system) if listed else []
    if changes or not listed:
        words = comma().join(changes) or tr("differs")
        yield Difference(CHANGED, name, f"{noun}: {words}.")


def _titled(noun: str, element: Any) -> str:
    name = getattr(element, "name", "") or getattr(element, "title", "") or element.id
    return f"{noun} {name}"


def _changes(
    old: Any, new: Any, id: str, before: Project, after: Project, system: str
) -> list[str]:
    """Words for all differences between two elements with one id; empty if all follow from
    parameters.
    """
    found: list[str] = []
    for key, label in WORDS.items():
        one, other = getattr(old, key, None), getattr(new, key, None)
        if one != other and isinstance(other, str):
            words = (_word(key, e, x, p) for e, x, p in ((old, one, before), (new, other, after)))
            found.append(f"{tr(label)} {' → '.join(words)}")
    for path, label, dimension in _numbers(old, new, id, before, after):
        one, other = fields.read(old, path), fields.read(new, path)
        if one != other and not _follows(one, other):
            shown = (_shown(q, dimension, system) for q in (one, other))
            found.append(f"{label} {' → '.join(shown)}")
    if isinstance(new, tuple):
        return found
    rest = [
        field.name.replace("_", " ")
        for field in msgspec.structs.fields(new)
        if field.name not in WORDS
        and _without_numbers(getattr(old, field.name)) != _without_numbers(getattr(new, field.name))
    ]
    return [*found, *([tr("changed {what}", what=listed(rest))] if rest else [])]


def _word(key: str, element: Any, value: str | None, project: Project) -> str:
    """A value in the words of the window."""
    if not value:
        return "–"
    if key == "joint":
        joint = project.mechanism.joints.get(value)
        return value if joint is None else joint.name
    tables = [rows for kind, rows in TYPES if key == "type" and isinstance(element, kind)]
    row: Any = next(
        (rows[value] for rows in (*tables, CHOICES.get(key, {})) if value in rows), None
    )
    return value if row is None else tr(row.label)


def _numbers(
    old: Any, new: Any, id: str, before: Project, after: Project
) -> Iterator[tuple[fields.Path, str, str]]:
    """Path, words and dimension of every number that either element has."""
    if id not in dict(fields.elements(after)):
        return
    seen = set[fields.Path]()
    for element, project in ((old, before), (new, after)):
        for field in fields.every(element, id, project.mechanism):
            if field.path not in seen:
                seen.add(field.path)
                group = tr(field.group) if field.group else ""
                yield field.path, f"{group} {tr(field.label)}".strip(), field.dimension


def _follows(one: Quantity | None, other: Quantity | None) -> bool:
    """True if a number differs only in the value of its text: a parameter differs then."""
    return one is not None and other is not None and one.text == other.text != ""


def _shown(q: Quantity | None, dimension: str, system: str) -> str:
    if q is None:
        return "–"
    return with_commas(q.text) or units.format_value(q.value, dimension, system, 9)


def _without_numbers(value: Any) -> Any:
    """A value with its numbers left out, which are reported by their fields."""
    if isinstance(value, Quantity):
        return None
    if isinstance(value, msgspec.Struct):
        held = {f.name: getattr(value, f.name) for f in msgspec.structs.fields(value)}
        return type(value), {name: _without_numbers(each) for name, each in held.items()}
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {key: _without_numbers(each) for key, each in entries.items()}
    if isinstance(value, tuple):
        row = cast("tuple[Any, ...]", value)
        if all(isinstance(each, Quantity) for each in row):
            return None
        return tuple(map(_without_numbers, row))
    return value
