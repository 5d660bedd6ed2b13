"""References of a drawing: every place where one element names another, in one table and one walk.

`map_references` takes a project to one whose references name something else, or nothing: to remove,
rename and copy is one call each.  `references` lists those of one element.  Keys of recorded
quantities, in plots, studies and end conditions, are not among them, since a missing quantity may
come back.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, cast, get_args

import msgspec

from mechstudio.model.contact import ContactPair
from mechstudio.model.fields import Path
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import (
    GROUND,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Law,
    Mechanism,
)
from mechstudio.model.project import Camera, Feature, Group, Mark, Project, View
from mechstudio.model.quantity import Quantity
from mechstudio.model.studies.renaming import renamed as renamed_studies
from mechstudio.translation import tr

replace = msgspec.structs.replace

BODY, JOINT, PARAMETER, OTHER = "body", "joint", "parameter", "other"


class Reference(NamedTuple):
    """Name of an element, or of a part of it.

    kind: BODY, JOINT, PARAMETER, or OTHER for what no other element names.  part: a body's point by
    name or a joint's coordinate by number, "" for the element itself.
    """

    kind: str
    id: str
    part: str | int = ""


class Holder(NamedTuple):
    """Attributes that name an element and a part of it.  id: its attribute may hold several."""

    kind: str
    id: str
    part: str = ""


Change = Callable[[Reference], Reference | None]

HOLDERS: dict[type, tuple[Holder, ...]] = {
    Frame: (Holder(BODY, "body", "point"),),
    CoordinateOf: (Holder(JOINT, "joint", "coordinate"),),
    Drive: (Holder(JOINT, "joint", "coordinate"),),
    Force: (Holder(JOINT, "joint", "coordinate"),),
    ContactPair: (Holder(BODY, "body_a"), Holder(BODY, "body_b")),
    Group: (Holder(BODY, "members"),),
    Camera: (Holder(BODY, "body"),),
    Feature: (Holder(JOINT, "joint"),),
    Mark: (Holder(BODY, "body", "point"), Holder(BODY, "other"), Holder(JOINT, "joint")),
}
LOOSE = (ContactPair, Mark, View)  # entries whose owner stays when they go


def map_references(project: Project, f: Change) -> Project:
    """The project with f(reference) in place of every reference; f is called for each element too.

    An element for which f gives another id is called so; None removes it, with all that stands on
    it.  Texts that named a removed parameter keep its value, laws that named a coordinate of a
    removed joint keep its name.  Raises ExpressionError where a parameter's new name would mean
    something else in a text.
    """
    m, gone = project.mechanism, set[str]()
    new_names = {
        name: r.id if (r := f(Reference(PARAMETER, name))) is not None else None
        for name in project.parameters
    }
    new_names = {old: new for old, new in new_names.items() if new != old}

    def still(reference: Reference) -> Reference | None:
        return None if reference.id in gone else f(reference)

    def section(entries: Mapping[str, Any], kind: str = OTHER) -> Mapping[str, Any]:
        out: dict[str, Any] = {}
        for id, element in entries.items():
            own = still(Reference(kind, id))
            new = None if own is None else with_places(element, still)
            if own is None or new is None:
                gone.add(id)
            else:
                out[own.id] = new if own.id == id else replace(new, id=own.id)
        same = len(out) == len(entries) and all(out.get(id) is e for id, e in entries.items())
        return entries if same else out

    # what others stand on comes first
    sections = {"bodies": section(m.bodies, BODY), "joints": section(m.joints, JOINT)}
    sections |= {s: section(getattr(m, s)) for s in ("couplings", "drives", "forces")}
    after = _with(m, **sections, contacts=with_places(m.contacts, still))
    written = {
        old: texts.written(project.parameters[old].value.value, project.parameters[old].dimension)
        for old, new in new_names.items()
        if new is None
    }
    after = with_names(m, after, still, new_names, written)
    project = _with(
        project,
        mechanism=after,
        groups=section(project.groups),
        pictures=section(project.pictures),
        marks=with_places(project.marks, still),
        views=with_places(project.views, still),
        gauges=section(project.gauges),
    )
    if not new_names:
        return project
    parameters = {
        to: _with(p, name=to)
        for name, p in project.parameters.items()
        if (to := new_names.get(name, name)) is not None
    }
    # a study says itself that a parameter is gone, and the name may come back
    called = {old: new for old, new in new_names.items() if new is not None}
    studies = renamed_studies(project.studies, called)
    named = _with(project, parameters=parameters, studies=studies)
    return _walk(named, (Quantity,), lambda q, _: _with_new_text(q, new_names))


def with_places(element: Any, f: Change) -> Any:
    """An element with f(reference) in place of every body, point and joint that it names; None
    where one that it needs is gone.
    """

    def changed(holder: Any, _: Path) -> Any:
        changes: dict[str, Any] = {}
        for kind, id, part in HOLDERS[type(holder)]:
            now = getattr(holder, id)
            if isinstance(now, tuple):
                named = cast(tuple[str, ...], now)
                new = [r.id for name in named if (r := f(Reference(kind, name))) is not None]
                if named and not new:
                    return None
                changes |= {id: tuple(new)} if (*new,) != named else {}
            elif now:
                old = Reference(kind, now, getattr(holder, part) if part else "")
                reference = f(old)
                if reference is None:
                    return None
                if reference != old:
                    changes |= {id: reference.id} | ({part: reference.part} if part else {})
        return replace(holder, **changes) if changes else holder

    return _walk(element, tuple(HOLDERS), changed)


def with_names(
    before: Mechanism,
    after: Mechanism,
    f: Change = lambda reference: reference,
    new_names: Mapping[str, str | None] = {},
    written: Mapping[str, str] = {},
) -> Mechanism:
    """`after`, its laws naming by their present names what f makes of the joint coordinates that
    they named in `before`.

    new_names: parameters that are called otherwise; written: the texts that take the place of those
    that are gone.
    """
    joints = any(True for force in after.forces.values() for _ in _formulas(force))
    was, now = (evaluation.coordinate_variables(m) if joints else {} for m in (before, after))
    called: dict[tuple[str, str, str | int], str] = {
        (v.kind, v.joint, v.place): name for name, v in now.items()
    }

    def coordinate(name: str) -> str:
        v = was[name]
        to = f(Reference(JOINT, v.joint, v.place))
        new = None if to is None else called.get((v.kind, to.id, to.part))
        if new is None:
            # what is gone is unknown from now on, also where another joint has taken its name
            new = name
            while new in now:
                new += "_gone"
        return new

    def changed(element: Coupling | Drive | Force, _: str, law: Law) -> Law:
        if law.type != "expression":
            return law
        new: dict[str, str] = {}
        named = evaluation.names(law.text) - evaluation.own_variables(after, element).keys()
        for name in named:
            if name in was and isinstance(element, Force):
                new[name] = coordinate(name)
            elif name in written:
                new[name] = written[name]
            elif (to := new_names.get(name)) is not None:
                new[name] = _checked(after, element, law, name, to)
        law = texts.renamed(law, new)
        if named.isdisjoint(written):
            return law
        numbers = {k: q for k, q in law.parameters.items() if k not in written.values()}
        return replace(law, parameters=numbers)

    return texts.changed(after, changed)


def places(element: Any) -> frozenset[Reference]:
    """The bodies, points, joints and coordinates that an element names by their ids."""
    found: set[Reference] = set()

    def noted(reference: Reference) -> Reference:
        found.add(reference)
        return reference

    with_places(element, noted)
    return frozenset(found)


def bodies_of(element: Any) -> set[str]:
    """Ids of the bodies that an element names, ground left out."""
    return {r.id for r in places(element) if r.kind == BODY} - {GROUND}


def joints_of(element: Any) -> set[str]:
    """Ids of the joints on whose coordinates an element acts."""
    return {r.id for r in places(element) if r.kind == JOINT}


def names(element: Any, mechanism: Mechanism) -> list[tuple[Path, Reference]]:
    """The parameters, there or not, and the joint coordinates that texts of an element name, each
    with the path of its Quantity or Law.
    """
    found: list[tuple[Path, Reference]] = []

    def noted(text: Quantity, path: Path) -> Quantity:
        found.extend(
            (path, Reference(PARAMETER, name))
            for name in (expression.names_in(text.text) if text.text else ())
        )
        return text

    _walk(element, (Quantity,), noted)
    for key, law in _formulas(element):
        known = evaluation.variables(mechanism, element)
        path = ("laws", key) if key else ("law",)
        for name in evaluation.names(law.text):
            if name not in known:
                found.append((path, Reference(PARAMETER, name)))
            elif known[name].joint:
                found.append((path, Reference(JOINT, known[name].joint, known[name].place)))
    return found


def _formulas(element: Any) -> Iterator[tuple[str, Law]]:
    """The laws of an element that are typed, by the number that they rule."""
    for key, law in texts.laws_of(element).items():
        if law.type == "expression":
            yield key, law


def _with_new_text(q: Quantity, new_names: Mapping[str, str | None]) -> Quantity:
    """A number whose text calls parameters otherwise; a plain one where one of them is gone."""
    found = expression.names_in(q.text) & new_names.keys() if q.text else ()
    text = q.text
    for name in found:
        new = new_names[name]
        if new is None:
            return Quantity(q.value)
        text = _renamed(text, name, new)
    return Quantity(q.value, text) if found else q


def _renamed(text: str, old: str, new: str, variables: frozenset[str] = frozenset()) -> str:
    """A text with a parameter called otherwise.  Raises ExpressionError where the new name would be
    read as a unit.
    """
    if not expression.stays(text, old, new, variables):
        raise ExpressionError(
            tr(
                "In {text} the name {new} would be read as the unit; choose another name.",
                text=expression.shortened(text),
                new=new,
            )
        )
    return expression.renamed(text, old, new, variables)


def _checked(m: Mechanism, element: Any, law: Law, old: str, new: str) -> str:
    """The new name of a parameter in a law.  Raises ExpressionError where the law would take it for
    something else.
    """
    known = evaluation.variables(m, element)
    if new in known:
        raise ExpressionError(
            tr(
                "{new} already means the {meaning} in the law of {element}; choose another name.",
                new=new,
                meaning=known[new].meaning,
                element=element.name,
            )
        )
    _renamed(law.text, old, new, evaluation.VARIABLES)
    return new


# the walk over the classes


def _classes(annotation: Any) -> set[type]:
    """The classes of Struct that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return {annotation}
    return {c for inner in get_args(annotation) for c in _classes(inner)}


@cache
def _leads(owner: type, requested: tuple[type, ...]) -> tuple[str, ...]:
    """Attributes of a class in which some classes can be found."""
    return tuple(
        field.name
        for field in msgspec.structs.fields(owner)
        if not _inside(field.type).isdisjoint(requested)
    )


def _inside(annotation: Any) -> set[type]:
    """The classes that an annotation names, and all that can be found in these, which may hold
    themselves.
    """
    found: set[type] = set()
    waiting = [*_classes(annotation)]
    while waiting:
        owner = waiting.pop()
        if owner not in found:
            found.add(owner)
            fields = msgspec.structs.fields(owner)
            waiting += [c for field in fields for c in _classes(field.type)]
    return found


def _walk(
    value: Any, requested: tuple[type, ...], change: Callable[[Any, Path], Any], path: Path = ()
) -> Any:
    """A value with change(found, path) in place of everything in it that is of some classes, what
    is inside first; itself where nothing changes, None where a part that it needs is gone.
    """
    if isinstance(value, msgspec.Struct):
        changes: dict[str, Any] = {}
        for name in _leads(type(value), requested):
            old = getattr(value, name)
            new = _walk(old, requested, change, (*path, name))
            if new is None and old is not None:
                return None
            if new is not old:
                changes[name] = new
        value = replace(value, **changes) if changes else value
        return change(value, path) if isinstance(value, requested) else value
    if isinstance(value, tuple):
        items = cast(tuple[Any, ...], value)
        row = [_walk(v, requested, change, (*path, k)) for k, v in enumerate(items)]
        if all(new is old for new, old in zip(row, items)):
            return items
        kept = tuple(n for n, old in zip(row, items) if n is not None or not isinstance(old, LOOSE))
        return None if None in kept else kept
    if isinstance(value, Mapping):
        entries = cast(Mapping[str, Any], value)
        new = {key: _walk(v, requested, change, (*path, key)) for key, v in entries.items()}
        return entries if all(new[key] is v for key, v in entries.items()) else new
    return value


def _with(owner: Any, **changes: Any) -> Any:
    """An owner with other attributes; itself where they are the same."""
    same = all(getattr(owner, name) is value for name, value in changes.items())
    return owner if same else replace(owner, **changes)
