"""Rows and headings of the model tree as plain data."""

from collections.abc import Iterator
from typing import NamedTuple

from mechstudio.model import fields
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import icon_of
from mechstudio.translation import tr
from mechstudio.view.element_names import connection


class Row(NamedTuple):
    """One line.  icon: a picture's name, or a body's colour index.  seen: whether it is shown in
    the view, None for what has no such.

    members: rows of a group's bodies; a group has an id of its own.  points: names of the named
    points of a body.
    """

    id: str
    text: str
    icon: str | int
    seen: bool | None = None
    members: tuple["Row", ...] = ()
    points: tuple[str, ...] = ()


def headings(project: Project) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """(heading, its rows) in the order of the tree."""
    m = project.mechanism
    yield tr("Bodies"), tuple(_bodies(project))
    if m.joints:
        yield (
            tr("Joints"),
            tuple(
                Row(
                    id,
                    f"{j.name}  {connection(project, j)}" if len(j.name) < 4 else j.name,
                    icon_of(j.type),
                    j.visible,
                )
                for id, j in m.joints.items()
            ),
        )
    if m.couplings:
        yield (
            tr("Couplings"),
            tuple(
                Row(id, c.name, f"coupling_{c.type}", c.visible) for id, c in m.couplings.items()
            ),
        )
    if m.drives:
        yield (
            tr("Drives"),
            tuple(
                Row(
                    id,
                    d.name if d.enabled else tr("{name} (off)", name=d.name),
                    "tool_motor",
                    d.visible,
                )
                for id, d in m.drives.items()
            ),
        )
    motors = tuple(
        Row(id, f.name, FORCE_TYPES[f.type].icon, f.visible)
        for id, f in m.forces.items()
        if FORCE_TYPES[f.type].motor
    )
    if motors:
        yield tr("Motors"), motors
    yield (
        tr("Forces"),
        (
            Row(fields.GRAVITY, tr("gravity"), "tool_force"),
            *(
                Row(id, f.name, FORCE_TYPES[f.type].icon, f.visible)
                for id, f in m.forces.items()
                if not FORCE_TYPES[f.type].motor
            ),
        ),
    )
    if m.contacts.enabled or m.contacts.floor is not None:
        yield (
            tr("Contacts"),
            (
                Row(
                    fields.CONTACTS,
                    (tr("floor") if m.contacts.floor is not None else tr("between bodies"))
                    + ("" if m.contacts.enabled else f" ({tr('off')})"),
                    "tool_floor" if m.contacts.floor is not None else "tool_contact",
                ),
            ),
        )
    if project.gauges:
        yield (
            tr("Gauges"),
            tuple(Row(id, g.name, "tool_measure", g.visible) for id, g in project.gauges.items()),
        )
    if project.pictures:
        yield (
            tr("Pictures"),
            tuple(Row(id, p.name, "picture", p.visible) for id, p in project.pictures.items()),
        )
    if project.parameters:
        yield tr("Parameters"), tuple(Row(name, name, "parameter") for name in project.parameters)
    yield tr("Run"), (Row(fields.SETTINGS, tr("method"), "settings"),)


def _bodies(project: Project) -> Iterator[Row]:
    """Ground, then all bodies in drawing order; a group stands where its first body would."""
    m = project.mechanism
    group_of = {id: g for g in project.groups.values() for id in g.members}
    named = lambda body: tuple(p.name for p in body.points)
    yield Row(GROUND, m.ground.name, m.ground.color, points=named(m.ground))
    row = lambda id: Row(
        id,
        m.bodies[id].name,
        m.bodies[id].color,
        m.bodies[id].visible,
        points=named(m.bodies[id]),
    )
    reported = set()
    for id in m.bodies:
        group = group_of.get(id)
        if group is None:
            yield row(id)
        elif group.id not in reported:
            reported.add(group.id)
            members = tuple(row(b) for b in m.bodies if b in group.members)
            yield Row(group.id, group.name, "group", any(r.seen for r in members), members)
