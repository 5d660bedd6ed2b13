"""Inspector lines of the base of a joint or force: its bodies, or its joint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mechstudio.model.edits import elements
from mechstudio.model.edits.poses.anchors import reconnected
from mechstudio.model.mechanism import GROUND, CoordinateOf, Force, Joint
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr
from mechstudio.view.inspector.elements.choices import change, choice, coordinate_name, current
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

OTHER = {"frame_a": "frame_b", "frame_b": "frame_a"}


def connection_lines(page: Inspector, form: Form, element: Joint | Force) -> None:
    """A choice for each body, or for the joint that a force acts on."""
    if isinstance(element, Force) and element.joint:
        form.add(tr("Acts on"), _joint(page))
        return
    names = [tr("Connects") if isinstance(element, Joint) else tr("Acts on"), tr("With")]
    sides = [side for side in OTHER if getattr(element, side) is not None]
    for name, side in zip(names, sides):
        form.add(name, _body(page, side, name))


def _body(page: Inspector, side: str, name: str) -> Choice:
    """Choice of the body at one end; all bodies stay, and the end stays where it is."""
    leaf = page.leaf

    def entries() -> Iterable[tuple[str, str, str]]:
        m = page.studio.document.project.mechanism
        element = current(page, leaf.id)
        other = getattr(element, OTHER[side]) if element is not None else None
        return [
            (id, m.body(id).name, "")
            for id in (GROUND, *m.bodies)
            if other is None or id != other.body
        ]

    def chosen(body: str) -> None:
        id, document = leaf.id, page.studio.document
        change(
            page,
            tr(
                "Connect {element} with {body}",
                element=document.name(id),
                body=document.project.mechanism.body(body).name,
            ),
            lambda project: reconnected(project, id, side, body),
        )

    return choice(page, name, entries, lambda: getattr(current(page, leaf.id), side).body, chosen)


def _joint(page: Inspector) -> Choice:
    """Choice of the joint coordinate that a force acts on; those of its dimension."""
    leaf = page.leaf

    def entries() -> Iterable[tuple[str, str, str]]:
        m, force = page.studio.document.project.mechanism, current(page, leaf.id)
        needed = FORCE_TYPES[force.type].joint_dimension
        return [
            (f"{j}/{c}", coordinate_name(page, CoordinateOf(j, c)), f"joint_{joint.type}")
            for j, joint in m.joints.items()
            for c, coordinate in enumerate(JOINT_TYPES[joint.type].coordinates)
            if coordinate.dimension == needed
        ]

    def now() -> str:
        force = current(page, leaf.id)
        return f"{force.joint}/{force.coordinate}"

    def chosen(text: str) -> None:
        id, name = leaf.id, page.studio.document.name
        joint, coordinate = text.rsplit("/", 1)
        change(
            page,
            tr("Joint of {id} {joint}", id=name(id), joint=name(joint)),
            lambda p: elements.set_attribute(p, id, joint=joint, coordinate=int(coordinate)),
        )

    return choice(page, tr("Acts on"), entries, now, chosen)
