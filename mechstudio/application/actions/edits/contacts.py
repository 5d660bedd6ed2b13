"""Contacts in the document: edits with their undo labels, and their words."""

from collections.abc import Sequence

import numpy as np

from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.contact import SURFACE_TYPES, touched_name
from mechstudio.model.edits import contacts as contact_edits
from mechstudio.model.joints.touching import apart_by_joints
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.units import format_value
from mechstudio.translation import tr


def toggle_contacts(studio: Studio) -> None:
    """Put contacts on, selected so that their numbers are at hand, or off."""
    on = not studio.contact.is_on
    studio.document.change(
        tr("Contacts on") if on else tr("Contacts off"), lambda p: contact_edits.enable(p, on)
    )
    if on:
        studio.selection.select(fields.CONTACTS)


def let_touch(studio: Studio, ids: Sequence[str]) -> None:
    """Put contacts on, and those of bodies that pass through everything."""
    off = [id for id in ids if not studio.document.project.mechanism.body(id).touches]

    def put(project: Project) -> Project:
        for id in off:
            project = contact_edits.set_contacts(project, id, True)
        return contact_edits.enable(project, True)

    label = (
        tr("{name} touches", name=studio.document.name(off[0]))
        if studio.contact.is_on and len(off) == 1
        else tr("Contacts on")
    )
    studio.document.change(label, put)


def toggle_floor(studio: Studio) -> None:
    """A floor where the view shows it, selected so that its height can be typed; or none."""
    if studio.contact.has_floor:
        studio.document.change(tr("Remove floor"), contact_edits.take_floor)
        return
    # a height of a picture's precision is no number to read
    height = float(f"{studio.contact.floor_height():.4g}")
    studio.document.change(tr("Floor"), lambda p: contact_edits.put_floor(p, height))
    studio.selection.select(fields.CONTACTS)


def set_surface(studio: Studio, id: str, type: str) -> None:
    """A preset for the surface of a body, of the ground, or of the floor by fields.CONTACTS."""
    name = tr("floor") if id == fields.CONTACTS else studio.document.name(id)
    studio.document.change(
        tr("Surface of {name} {type}", name=name, type=tr(SURFACE_TYPES[type].label).lower()),
        lambda p: contact_edits.set_surface_type(p, id, type),
    )


def set_pair(studio: Studio, a: str, b: str, touch: bool) -> None:
    """Let two bodies touch or not."""
    studio.document.change(
        tr("{a} and {body} touch", a=studio.document.name(a), body=studio.document.name(b))
        if touch
        else tr(
            "{a} and {body} do not touch", a=studio.document.name(a), body=studio.document.name(b)
        ),
        lambda p: contact_edits.set_pair(p, a, b, touch),
    )


def set_pair_surface(studio: Studio, a: str, b: str, type: str) -> None:
    """A preset for what two bodies do to each other; an empty one for what follows from the
    surfaces of both.
    """
    names = tr("{a} and {body}", a=studio.document.name(a), body=studio.document.name(b))
    studio.document.change(
        f"{names} {tr(SURFACE_TYPES[type].label).lower()}"
        if type
        else tr("{names} by their own surfaces", names=names),
        lambda p: contact_edits.set_pair_surface(p, a, b, type),
    )


def toggle_shape_contacts(studio: Studio, id: str) -> None:
    """A body touches, or passes through everything."""
    on = not studio.document.project.mechanism.body(id).touches
    name = studio.document.name(id)
    studio.document.change(
        tr("{name} touches", name=name)
        if on
        else tr("{name} passes through everything", name=name),
        lambda p: contact_edits.set_contacts(p, id, on),
    )


def why_apart(studio: Studio, a: str, b: str) -> str:
    """Reason why two bodies do not touch by themselves, in a few words; empty if they do."""
    joint = apart_by_joints(studio.document.project.mechanism).get(frozenset((a, b)))
    if joint is None:
        return ""
    if not joint:
        return tr("fixed to each other")
    return tr("share joint {joint}", joint=studio.document.name(joint))


def pair_names(studio: Studio, bodies: np.ndarray) -> str:
    """The names of both bodies of a contact: "box on floor"."""
    m = studio.document.project.mechanism
    ids = tuple(m.bodies)
    named = lambda k: touched_name(m, ids[k] if 0 <= k < len(ids) else GROUND)
    return tr("{body} on {body_1}", body=named(int(bodies[1])), body_1=named(int(bodies[0])))


def contact_words(studio: Studio, value: float, dimension: str) -> str:
    """A number of a contact as it is shown."""
    return format_value(value, dimension, studio.preferences.units, 3)
