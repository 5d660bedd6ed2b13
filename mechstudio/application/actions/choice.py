"""Chosen elements: what is selected, by kind and in words."""

from collections.abc import Collection

from mechstudio.application.selection import counts
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.edits.groups import group_chosen
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Group, Project

WORDS = {
    "bodies": ("body", "bodies"),
    "joints": ("joint", "joints"),
    "couplings": ("coupling", "couplings"),
    "drives": ("drive", "drives"),
    "forces": ("force", "forces"),
}


def elements(studio: Studio) -> tuple[str, ...]:
    """Drawn elements among what is selected."""
    m = studio.document.project.mechanism
    return tuple(
        id for id in studio.selection.selected if any(id in getattr(m, s) for s in SECTIONS)
    )


def bodies(studio: Studio) -> tuple[str, ...]:
    """Bodies among what is selected, without the ground."""
    known = studio.document.project.mechanism.bodies
    return tuple(id for id in studio.selection.selected if id in known)


def joints(studio: Studio) -> tuple[str, ...]:
    """Joints among what is selected, in the order of selecting."""
    known = studio.document.project.mechanism.joints
    return tuple(id for id in studio.selection.selected if id in known)


def group(studio: Studio) -> Group | None:
    """The group whose bodies, and no other element, are selected."""
    selected = studio.selection.selected
    return (
        group_chosen(studio.document.project, selected)
        if selected and len(bodies(studio)) == len(selected)
        else None
    )


def seen(studio: Studio, *sections: str) -> list[str]:
    """Ids of all elements that can be seen, or of those in some sections of the mechanism."""
    m = studio.document.project.mechanism
    return [id for s in sections or SECTIONS for id, e in getattr(m, s).items() if e.visible]


def words(studio: Studio) -> str:
    """Phrase for the selection in the texts of actions: a name or a count."""
    project = studio.document.project
    known = {id for id, _ in fields.elements(project)}
    # an action may read the selection between the removal of an element and the update of the
    # selection
    return counted(project, [id for id in studio.selection.selected if id in known])


def counted(project: Project, ids: Collection[str]) -> str:
    """Phrase for elements given by id: the name of a single one, else "2 bodies, 1 joint"."""
    if len(ids) == 1:
        return _name(project, next(iter(ids)))
    return counts(project, ids)


def _name(project: Project, id: str) -> str:
    return "" if not id or id in (GROUND, *fields.OF_PROJECT) else fields.find(project, id).name
