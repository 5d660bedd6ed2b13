"""Changes of what a project holds already, by ids; each raises ValueError with one sentence."""

from collections.abc import Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from mechstudio.builder.geometry import Number, known_type
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.mechanism import GROUND, Coupling, Force, Joint
from mechstudio.model.project import Project
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

# types that an element may have, and its noun
TYPES: dict[type, tuple[Mapping[str, Any], str]] = {
    Joint: (JOINT_TYPES, "joint"),
    Force: (FORCE_TYPES, "force"),
    Coupling: (COUPLING_TYPES, "coupling"),
}
# fields of a body that ground does not have
MOVED = ("placement", "mass", "center_of_mass", "inertia", "initial_velocity")


def without(project: Project, id: str) -> Project:
    """A project without an element, and without what stands on it."""
    element(project, id)
    if id == GROUND:
        raise ValueError(tr("Ground cannot be removed."))
    return elements.remove(project, id)


def with_number(project: Project, id: str, path: str, number: Number | None) -> Project:
    """A project with another number of an element; path: as Builder.set takes it."""
    owner = element(project, id)
    known = {
        ".".join(map(str, field.path)): field
        for field in fields.fields(owner, id, project.mechanism)
    }
    if path not in known:
        raise ValueError(
            tr(
                "{id} has no number {path}; it has {known}.",
                id=id,
                path=path,
                known=comma().join(known) or tr("none"),
            )
        )
    exact = not isinstance(number, str) and number is not None
    text = repr(float(number)) if exact else (number or "")  # type: ignore[arg-type]
    try:
        changed = elements.set_quantity(project, id, known[path].path, str(text))
    except ExpressionError as error:
        raise ValueError(f"{id}, {path}: {error}") from None
    if not exact:
        return changed
    # a computed number has no text
    typed = element(changed, id)
    value = fields.read(typed, known[path].path)
    assert value is not None
    plain = msgspec.structs.replace(value, text="")
    return elements.put_element(changed, id, fields.write(typed, known[path].path, plain))


def with_words(project: Project, id: str, words: Mapping[str, Any]) -> Project:
    """A project with other words of an element: its name, type, color, note …"""
    owner = element(project, id)
    known = get_type_hints(type(owner))
    if unknown := [name for name in words if name not in known]:
        raise ValueError(tr("{id} has no {unknown}.", id=id, unknown=comma().join(unknown)))
    table = TYPES.get(type(owner))
    if table is not None and "type" in words:
        known_type(table[0], words["type"], table[1])
    for name, value in words.items():
        if name == "id" or (id == GROUND and name in MOVED):
            raise ValueError(tr("{name} of {id} cannot be changed.", name=name, id=id))
        if not _fits(value, known[name]):
            raise ValueError(
                tr("{id}: {name} cannot be {value}.", id=id, name=name, value=repr(value)[:80])
            )
    try:
        return elements.set_attribute(project, id, **words)
    except ExpressionError as error:
        raise ValueError(f"{id}: {error}") from None


def _fits(value: object, hint: Any) -> bool:
    """True if a value is of a class that an annotation names."""
    kinds = get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)
    classes = tuple(get_origin(kind) or kind for kind in kinds)
    if not all(isinstance(kind, type) for kind in classes):
        return True  # a choice of words, which its table checks
    return isinstance(value, classes) and (not isinstance(value, bool) or bool in classes)


def element(project: Project, id: str) -> Any:
    """An element by its id, or a parameter by its name."""
    try:
        return project.mechanism.ground if id == GROUND else fields.find(project, id)
    except KeyError:
        raise ValueError(tr("There is nothing with the id {id}.", id=id)) from None
