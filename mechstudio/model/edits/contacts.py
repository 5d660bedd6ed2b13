"""Edits of contacts: on or off, the floor, surfaces, and the pairs of bodies that touch."""

import msgspec

from mechstudio.model import fields
from mechstudio.model.contact import SURFACE_TYPES, ContactPair, Contacts, Floor, Surface
from mechstudio.model.joints.touching import apart_by_joints, touches
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity

replace = msgspec.structs.replace


def with_contacts(project: Project, contacts: Contacts) -> Project:
    """The project with other contacts."""
    return replace(project, mechanism=replace(project.mechanism, contacts=contacts))


def enable(project: Project, on: bool) -> Project:
    """Bodies touch, or pass through each other."""
    return with_contacts(project, replace(project.mechanism.contacts, enabled=on))


def put_floor(project: Project, height: float) -> Project:
    """With a floor at a height z in W [m]; it is of no use while nothing touches, so contacts are
    on.
    """
    return with_contacts(
        project, replace(project.mechanism.contacts, enabled=True, floor=Floor(Quantity(height)))
    )


def take_floor(project: Project) -> Project:
    """Project without the floor; other contacts stay."""
    return with_contacts(project, replace(project.mechanism.contacts, floor=None))


def surface_of(project: Project, id: str) -> Surface:
    """The surface of a body (ground included), or of the floor by fields.CONTACTS."""
    if id == fields.CONTACTS:
        floor = project.mechanism.contacts.floor
        return floor.surface if floor is not None else Surface()
    return project.mechanism.body(id).surface


def set_surface_type(project: Project, id: str, type: str) -> Project:
    """Another preset for a body or the floor; numbers that were typed over the old one go, the
    speed of a belt stays.  Raises KeyError for an unknown one.
    """
    SURFACE_TYPES[type]
    before = surface_of(project, id)
    surface = Surface(type, belt_speed=before.belt_speed, extra=before.extra)
    if id == fields.CONTACTS:
        contacts = project.mechanism.contacts
        return (
            project
            if contacts.floor is None
            else with_contacts(
                project, replace(contacts, floor=replace(contacts.floor, surface=surface))
            )
        )
    m = project.mechanism
    if id == GROUND:
        return replace(project, mechanism=replace(m, ground=replace(m.ground, surface=surface)))
    return replace(
        project,
        mechanism=replace(m, bodies={**m.bodies, id: replace(m.bodies[id], surface=surface)}),
    )


def set_pair(project: Project, a: str, b: str, touch: bool) -> Project:
    """Two bodies touch or not; what is so without a word is not written down."""
    return _say(project, a, b, touch, pair_surface(project.mechanism, a, b))


def pair_surface(mechanism: Mechanism, a: str, b: str) -> Surface | None:
    """The surface that was said of a pair; None where it follows from those of both bodies."""
    return next(
        (p.surface for p in mechanism.contacts.pairs if {p.body_a, p.body_b} == {a, b}), None
    )


def set_pair_surface(project: Project, a: str, b: str, type: str) -> Project:
    """A preset for what two bodies do to each other; an empty one for what follows from their
    surfaces.  Raises KeyError for an unknown one.
    """
    if type:
        SURFACE_TYPES[type]
    old = pair_surface(project.mechanism, a, b)
    surface = Surface(type, extra=old.extra if old is not None else {}) if type else None
    return _say(project, a, b, touches(project.mechanism, a, b), surface)


def _say(project: Project, a: str, b: str, touch: bool, surface: Surface | None) -> Project:
    """Put the entry of a pair in the place of the old one, or remove it where the pair is so
    without an entry.
    """
    contacts = project.mechanism.contacts
    old = next((p for p in contacts.pairs if {p.body_a, p.body_b} == {a, b}), None)
    new = replace(old or ContactPair(a, b), touch=touch, surface=surface)
    by_itself = frozenset((a, b)) not in apart_by_joints(project.mechanism)
    if touch == by_itself and surface is None and not new.extra:
        return with_contacts(
            project, replace(contacts, pairs=tuple(p for p in contacts.pairs if p is not old))
        )
    pairs = (
        (*contacts.pairs, new)
        if old is None
        else tuple(new if p is old else p for p in contacts.pairs)
    )
    return with_contacts(project, replace(contacts, pairs=pairs))


def set_contacts(project: Project, id: str, on: bool) -> Project:
    """A body (ground included) touches, or passes through everything."""
    m = project.mechanism
    if id == GROUND:
        return replace(project, mechanism=replace(m, ground=replace(m.ground, touches=on)))
    return replace(
        project, mechanism=replace(m, bodies={**m.bodies, id: replace(m.bodies[id], touches=on)})
    )
