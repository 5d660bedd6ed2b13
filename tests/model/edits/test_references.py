"""The one walk of references: no attribute that names an element is unknown to it, and what it
renames comes back."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements, references
from mechstudio.model.edits.references import BODY, JOINT, PARAMETER, map_references, places
from mechstudio.model.mechanism import CoordinateOf, Coupling, Drive, Frame
from mechstudio.model.project import Group, Project
from tests.strategies import projects

SAMPLES = sorted(sample_folder().glob("*.mech"))
# attributes that are words, and names of classes rather than of elements
WORDS = {"id", "name", "type", "note", "title", "text", "between", "axes", "quantity", "material"}
WORDS |= {"source", "kept", "path", "dimension", "direction", "section", "method", "impacts"}
WORDS |= {"integrator", "formulation", "drift", "questions", "claims", "color"}
WORDS |= {"kind", "window"}  # of diagrams
WORDS |= {"form"}  # of curves
WORDS |= {"chapters", "left_out", "paper"}  # of reports
WORDS |= {"parts"}  # ids of plots, which no element has
WORDS |= {"answer", "because", "choices", "hints", "notes", "equation", "topic"}  # of lessons
# keys of recorded quantities: they outlive their elements
CHANNELS = {"channel", "channels", "across", "gate"}
# what a step of a lesson shows and sets: what is gone is passed over, and may come back
CHANNELS |= {"hidden", "parameters", "plots", "sliders", "terms", "view"}

# a study names parameters in texts as they are typed, and says itself what is gone
CHANNELS |= {
    "parameter",
    "values",
    "level",
    "limit",
    "target",
    "of",
    "a",
    "b",
    "duration",
    "sample_step",
}
WORDS |= {"statistic", "sign", "goal", "method"}
WORDS |= {"data", "clock", "column"}  # file of a fit and heads of its columns


def holding(annotation: Any) -> Iterator[type]:
    """The classes that an annotation names, those inside of others too."""
    yield from [annotation] if isinstance(annotation, type) else []
    keys = 1 if get_origin(annotation) is Mapping else 0
    for inner in get_args(annotation)[keys:]:
        yield from holding(inner)


def structs(root: type, known: set[type] | None = None) -> set[type]:
    """A class and all classes that can stand in it."""
    known = set() if known is None else known
    if root not in known and issubclass(root, msgspec.Struct):
        known.add(root)
        for field in msgspec.structs.fields(root):
            for inner in holding(field.type):
                structs(inner, known)
    return known


def unknown_attributes() -> set[tuple[str, str]]:
    """Attributes that hold texts and are neither words nor known to name something."""
    out = set()
    for owner in structs(Project):
        named = {name for holder in references.HOLDERS.get(owner, ()) for name in holder[1:]}
        out |= {
            (owner.__name__, field.name)
            for field in msgspec.structs.fields(owner)
            if str in holding(field.type) and field.name not in named | WORDS | CHANNELS
        }
    return out


def test_every_attribute_that_names_an_element_is_known():
    assert unknown_attributes() == set()


@pytest.mark.parametrize("owner", references.HOLDERS)
def test_one_that_is_forgotten_is_found(owner, monkeypatch):
    monkeypatch.delitem(references.HOLDERS, owner)
    assert {name for name, _ in unknown_attributes()} == {owner.__name__}


def strings(value: Any) -> Iterator[str]:
    """Every text in a value that is no word."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        for field in set(value.__struct_fields__) - WORDS:
            yield from strings(getattr(value, field))
    elif isinstance(value, Mapping | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from strings(inner)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_id_of_a_sample_is_a_reference(path):
    project = load(path).project
    known = {*project.mechanism.bodies, *project.mechanism.joints}
    m = project.mechanism
    for section in (m.joints, m.couplings, m.drives, m.forces, project.groups, {"": m.contacts}):
        for element in section.values():
            named = {text for reference in places(element) for text in reference[1:]}
            assert known.intersection(strings(element)) == named & known


def called(suffix: str):
    """All bodies, joints and others called otherwise."""
    return lambda r: r if r.kind == PARAMETER or r.id == "ground" else r._replace(id=r.id + suffix)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_names_that_are_changed_leave_nothing_behind_and_come_back(path):
    project = load(path).project
    there = map_references(project, called("_new"))
    old = {*project.mechanism.bodies, *project.mechanism.joints}
    for element in (*there.mechanism.joints.values(), *there.mechanism.forces.values()):
        assert not {r.id for r in places(element)} & old
    back = lambda r: r._replace(id=r.id.removesuffix("_new"))
    assert map_references(there, back) == project
    assert map_references(project, lambda r: r) is project


@settings(max_examples=15, deadline=None)
@given(projects())
def test_any_project_comes_back(project):
    there = map_references(project, called("_new"))
    back = lambda r: r if r.kind == PARAMETER else r._replace(id=r.id.removesuffix("_new"))
    assert map_references(there, back) == project


@settings(max_examples=15, deadline=None)
@given(projects())
def test_nothing_names_what_was_removed(project):
    for id in (*project.mechanism.bodies, *project.mechanism.joints, *project.parameters):
        left = elements.remove(project, id)
        for key, element in (*fields.elements(left), *left.groups.items()):
            assert key != id and id not in {r.id for r in places(element)}
            if id in project.parameters:
                named = references.names(element, left.mechanism)
                assert id not in {r.id for _, r in named if r.kind == PARAMETER}


def test_each_kind_of_place_is_read():
    assert places(Frame("A", "tip")) == {(BODY, "A", "tip")}
    assert places(Drive("d", "d", "J", 1)) == {(JOINT, "J", 1)}
    ends = (CoordinateOf("J"), CoordinateOf("K", 1))
    assert places(Coupling("c", "c", "gear", ends)) == {(JOINT, "J", 0), (JOINT, "K", 1)}
    assert places(Group("g", "g", ("A", "B"))) == {(BODY, "A", ""), (BODY, "B", "")}
