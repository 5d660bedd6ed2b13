"""Every editable number of every element, with its dimension: one table read by inspector, file,
expressions and checks.
"""

from collections.abc import Iterator
from typing import Any

from mechstudio.model.contact import Contacts
from mechstudio.model.element_fields.bodies import body_fields
from mechstudio.model.element_fields.contacts import contacts_fields
from mechstudio.model.element_fields.field import LARGEST, Field, Path, problem
from mechstudio.model.element_fields.joints import joint_fields
from mechstudio.model.element_fields.laws import coupling_fields, drive_fields, force_fields
from mechstudio.model.element_fields.paths import read, write
from mechstudio.model.element_fields.project import (
    GRAVITY_FIELDS,
    START_FIELDS,
    picture_fields,
    settings_fields,
)
from mechstudio.model.mechanism import GROUND, Body, Coupling, Drive, Force, Joint, Mechanism
from mechstudio.model.project import Gauge, Picture, Project, Settings
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.translation import tr

# what belongs to no element, whose names are not the user's; a parameter may be called start
SETTINGS, GRAVITY, CONTACTS, START = "settings", "gravity", "contacts", "run start"
OF_PROJECT = (SETTINGS, GRAVITY, CONTACTS, START)
_OF_ROW = {GRAVITY: GRAVITY_FIELDS, START: START_FIELDS}


def find(project: Project, element: str) -> Any:
    """An element by id: a body (ground included), joint, force, picture, gauge, parameter,
    "settings", "gravity", "contacts" or "run start".  Raises KeyError.
    """
    m = project.mechanism
    if element == GROUND:
        return m.ground
    if element == SETTINGS:
        return project.settings
    if element == GRAVITY:
        return m.gravity
    if element == CONTACTS:
        return m.contacts
    if element == START:
        return (m.start,)
    for section in (
        m.bodies,
        m.joints,
        m.couplings,
        m.drives,
        m.forces,
        project.pictures,
        project.gauges,
        project.parameters,
    ):
        if element in section:
            return section[element]
    raise KeyError(tr("The project has no element {element}.", element=element))


def fields(element: Any, id: str = "", mechanism: Mechanism | None = None) -> tuple[Field, ...]:
    """The editable numbers of an element in the order in which an inspector shows them.

    mechanism: what the element stands in; drives and cams take their dimensions from its joints.
    """
    if isinstance(element, Body):
        return tuple(body_fields(element, mechanism is not None and mechanism.contacts.enabled))
    if isinstance(element, Joint):
        return tuple(joint_fields(element))
    if isinstance(element, Force):
        return tuple(force_fields(element))
    if isinstance(element, Coupling):
        return tuple(coupling_fields(element, mechanism))
    if isinstance(element, Drive):
        return tuple(drive_fields(element, mechanism))
    if isinstance(element, Picture):
        return tuple(picture_fields())
    if isinstance(element, Gauge):
        return ()
    if isinstance(element, Contacts):
        return tuple(contacts_fields(element))
    if isinstance(element, Settings):
        return settings_fields(element, mechanism)
    if id in _OF_ROW:
        return _OF_ROW[id]
    d = element.dimension
    return (
        Field(("value",), "Value", d),
        Field(("minimum",), "Least", d, "Range", True),
        Field(("maximum",), "Most", d, "Range", True),
    )


def every(element: Any, id: str = "", mechanism: Mechanism | None = None) -> Iterator[Field]:
    """The fields, and the numbers that wait behind laws: they come back when the law is taken
    away.
    """
    yield from fields(element, id, mechanism)
    if isinstance(element, Force):
        yield from (
            Field(("parameters", p.name), p.label, p.dimension)
            for p in FORCE_TYPES[element.type].parameters
            if p.name in element.laws and p.name in element.parameters
        )


def elements(project: Project) -> Iterator[tuple[str, Any]]:
    """(id, element) of everything that has fields, ground and settings included."""
    m: Mechanism = project.mechanism
    yield from project.parameters.items()
    yield GROUND, m.ground
    drawn = (m.bodies, m.joints, m.couplings, m.drives, m.forces)
    for section in (*drawn, project.pictures, project.gauges):
        yield from section.items()
    yield SETTINGS, project.settings
    yield GRAVITY, m.gravity
    yield CONTACTS, m.contacts
    yield START, (m.start,)


__all__ = [
    "CONTACTS",
    "GRAVITY",
    "LARGEST",
    "OF_PROJECT",
    "SETTINGS",
    "START",
    "Field",
    "Path",
    "elements",
    "every",
    "fields",
    "find",
    "problem",
    "read",
    "write",
]
