"""Methods of Builder for bodies: any body, links and arms."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from mechstudio.builder import links
from mechstudio.builder.geometry import Number, Point
from mechstudio.builder.handles import STEEL, BodyHandle
from mechstudio.model.edits.bodies.arms import add_arm
from mechstudio.model.edits.links import next_color
from mechstudio.model.geometry.work_plane import FRONT as FRONT_PLANE
from mechstudio.model.mechanism import Body
from mechstudio.model.quantity import values
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder

_replace = msgspec.structs.replace


def body(
    self: "Builder",
    name: str,
    at: Point = (0, 0, 0),
    angles: Point = (0, 0, 0),
    *,
    mass: Number | None = None,
    center_of_mass: Point | None = None,
    inertia: Sequence[Number] | None = None,
    color: int | None = None,
    note: str = "",
    id: str = "",
) -> BodyHandle:
    """A body whose frame stands at `at` with angles (psi, theta, phi).

    mass, center_of_mass in body axes, inertia (xx, yy, zz) or (xx, yy, zz, xy, xz, yz) about it
    in body axes with the matrix sign of the products: those left out follow from the shapes.
    color: index of a series colour.  id: of the body in files; without it, made of the name.
    """
    draft, entries = self._draft, None
    if inertia is not None:
        if len(inertia) not in (3, 6):
            raise ValueError(
                tr(
                    "{name}: an inertia has 3 or 6 entries, not {count}.",
                    name=name,
                    count=len(inertia),
                )
            )
        xx, yy, zz, xy, xz, yz = (
            draft.quantity(c, "inertia", tr("{name}, inertia", name=name))
            for c in (*inertia, 0, 0, 0)[:6]
        )
        entries = (xx, yy, zz, xy, xz, yz)
    body = Body(
        draft.id(name, draft.mechanism.bodies.values(), id),
        name,
        (),
        draft.placement(at, angles, name),
        None if mass is None else draft.quantity(mass, "mass", tr("{name}, mass", name=name)),
        None
        if center_of_mass is None
        else draft.point_quantities(center_of_mass, tr("{name}, centre of mass", name=name)),
        entries,
        color=next_color(draft.mechanism) if color is None else color,
        note=note,
    )
    draft.put_body(body)
    return BodyHandle(draft, body.id)


def link(
    self: "Builder",
    name: str,
    start: Point,
    end: Point | None = None,
    *,
    length: Number | None = None,
    angle: Number | None = None,
    width: Number | None = None,
    thickness: Number | None = None,
    layer: Number = 0.0,
    density: Number = STEEL,
    material: str = "paint",
    color: int | None = None,
) -> BodyHandle:
    """A bar with round ends from `start` to `end`, or of a `length` at an `angle` in the front
    plane; its body x runs along it.

    A length beside an end keeps the direction and takes the length.  layer: how far the bar
    stands behind the plane of its pins, along body y, so that links can pass each other.
    """
    span, angles = links.span(self._draft, name, start, end, length, angle)
    return self.body(name, start, angles, color=color).bar(
        span.text or span.value,
        0.12 * span.value if width is None else width,
        0.04 * span.value if thickness is None else thickness,
        at=(0, layer, 0),
        density=density,
        material=material,
    )


def arm(self: "Builder", name: str, *points: Point, material: str = "paint") -> BodyHandle:
    """A steel arm through three points of W or more, its points named "corner 1", "corner 2",
    …: a plate with round corners, or where they lie in no plane a ring of bars.
    """
    draft = self._draft
    draft.id(name, draft.mechanism.bodies.values())
    corners = [values(draft.point_quantities(point, name)) for point in points]
    if len(corners) < 3:
        raise ValueError(tr("{name}: an arm goes through three points or more.", name=name))
    project, id = add_arm(self.project(), FRONT_PLANE, corners)
    self.take(project)
    body = self.mechanism.bodies[id]
    shapes = tuple(_replace(shape, material=material) for shape in body.shapes)
    draft.put_body(_replace(body, name=name, shapes=shapes))
    return BodyHandle(draft, id)
