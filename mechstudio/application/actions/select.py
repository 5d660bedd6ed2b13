"""Actions that select: everything, nothing, a kind, what is joined to the selection."""

from functools import partial
from typing import Any

from mechstudio.application.actions import choice, conditions, edit
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.studio import Studio
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.edits.groups import group_of
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.references import bodies_of
from mechstudio.model.mechanism import Body
from mechstudio.model.project import Group


@action(
    "Select everything",
    "Edit/Select",
    "Ctrl+A",
    words="select all",
    section=True,
    unless=conditions.needs_bodies,
    before=edit.flip_joint,
)
def select_all(studio: Studio) -> None:
    """Select everything that can be seen."""
    select_section(studio, *SECTIONS)


def select_section(studio: Studio, *sections: str) -> None:
    """Select everything of some kinds, names of SECTIONS, that can be seen."""
    studio.selection.select(*choice.seen(studio, *sections))


@action(
    "Select nothing",
    "Edit/Select",
    "Esc",
    words="deselect escape select nothing",
    unless=conditions.needs_anything_shown,
    before=edit.flip_joint,
)
def select_none(studio: Studio) -> None:
    """Let the active tool step back or stop, or leave what is shown in place of the drawing; else
    select nothing.
    """
    if studio.tools.is_drawing:
        studio.tools.tool.key("escape")
        studio.tools.after_event()
    elif studio.questions.assembly.proposal is not None:
        studio.questions.assembly.leave()
    elif studio.free_body.is_open:
        studio.free_body.leave()
    else:
        studio.selection.select()


@action(
    "Select everything else",
    "Edit/Select",
    "Ctrl+I",
    words="invert inverse selection",
    unless=conditions.needs_bodies,
    before=edit.flip_joint,
)
def select_inverse(studio: Studio) -> None:
    """Everything that can be seen and is not selected."""
    studio.selection.select(
        *(id for id in choice.seen(studio) if id not in studio.selection.selected)
    )


@action(
    "Select what is jointed to it",
    "Edit/Select",
    "Ctrl+L",
    words="select connected linked neighbours bodies grow",
    unless=conditions.needs_connected,
    context=50,
    before=edit.flip_joint,
)
def select_connected(studio: Studio) -> None:
    """The bodies that joints tie to the selection, beside it; once more goes on to the next
    ones.
    """
    m = studio.document.project.mechanism
    selected = studio.selection.selected
    near = set(choice.bodies(studio)).union(
        *(bodies_of(m.joints[id]) for id in selected if id in m.joints),
        *(bodies_of(m.forces[id]) for id in selected if id in m.forces),
    )
    near |= {
        b
        for j in m.joints.values()
        if bodies_of(j) & set(choice.bodies(studio))
        for b in bodies_of(j)
    }
    studio.selection.select(
        *selected,
        *(b for b in m.bodies if b in near and b not in selected and m.bodies[b].visible),
    )


@action(
    "Select all of the same type",
    "Edit/Select",
    "Shift+A",
    words="select similar alike same kind",
    unless=conditions.needs_elements,
    context=51,
    before=edit.flip_joint,
)
def select_alike(studio: Studio) -> None:
    """Select all elements of the type selected last: all links with a link, all pins with a pin."""
    m = studio.document.project.mechanism
    id = studio.selection.current
    section = next((s for s in SECTIONS if id in getattr(m, s)), "")
    if section:
        requested = _type(getattr(m, section)[id])
        studio.selection.select(
            *(
                k
                for k in choice.seen(studio, section)
                if k != id and _type(getattr(m, section)[k]) == requested
            ),
            id,
        )


@action(
    "Select all links",
    "Edit/Select",
    words="width thickness of all links at once bars section size",
    unless=conditions.needs_bodies,
    before=edit.flip_joint,
)
def select_links(studio: Studio) -> None:
    """Select all links, whose width and thickness the inspector then changes at once."""
    bodies = studio.document.project.mechanism.bodies
    seen = choice.seen(studio, "bodies")
    studio.selection.select(*(id for id in seen if link_ends(bodies[id]) is not None))


def _type(element: Any) -> Any:
    return (
        tuple(s.type for s in element.shapes)
        if isinstance(element, Body)
        else getattr(element, "type", "")
    )


def _select_kind(studio: Studio, section: str) -> None:
    """Select everything of one kind that can be seen."""
    select_section(studio, section)


for _section in SECTIONS:
    register(
        Action(
            f"select_{_section}",
            partial(_select_kind, section=_section),
            f"Select all {_section}",
            "Edit/Select",
            words="select by type kind",
            unless=conditions.needs_bodies,
        ),
        edit.flip_joint,
    )


def select_group(studio: Studio, id: str, add: bool = False) -> None:
    """Select all bodies of a group, or of the group that a body is in; nothing happens to a
    body in none.
    """
    project = studio.document.project
    found: Group | None = project.groups.get(id) or group_of(project, id)
    if found is not None:
        kept = tuple(x for x in studio.selection.selected if x not in found.members) if add else ()
        studio.selection.select(*kept, *found.members)
