"""Edits of pictures that lie under the drawing, as pure functions Project -> Project."""

import math

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import WorkPlane, free_id
from mechstudio.model.geometry.rotation import Triple, from_axes, rotate, to_angles
from mechstudio.model.mechanism import Placement
from mechstudio.model.project import Picture, Project
from mechstudio.model.quantity import Quantity, values, vector

replace = msgspec.structs.replace


def plane_of(picture: Picture) -> WorkPlane:
    """The plane in which a picture lies: its centre, its way to the right and its way up, as
    turned.
    """
    q, turn = picture.placement.quaternion, picture.turn.value
    across: Triple = (math.cos(turn), math.sin(turn), 0.0)
    up: Triple = (-math.sin(turn), math.cos(turn), 0.0)
    return WorkPlane(
        picture.name, values(picture.placement.position), rotate(q, across), rotate(q, up)
    )  # type: ignore[arg-type]


def height_of(picture: Picture) -> float:
    """Height of a picture [m]."""
    return picture.width.value * picture.aspect


def corners(picture: Picture) -> tuple[Triple, Triple, Triple, Triple]:
    """Corners in W [m]: lower left, lower right, upper right, upper left."""
    plane, w, h = plane_of(picture), picture.width.value / 2, height_of(picture) / 2
    at = plane.to_world
    return at(-w, -h), at(w, -h), at(w, h), at(-w, h)


def covers(picture: Picture, point: Triple) -> bool:
    """True if a point of a picture's plane lies on the picture."""
    u, v = plane_of(picture).to_plane(point)
    return abs(u) <= picture.width.value / 2 and abs(v) <= height_of(picture) / 2


def picture_name(project: Project, stem: str) -> str:
    """The stem, or the first unused "stem 2", "stem 3", …"""
    taken = {p.name for p in project.pictures.values()}
    k, name = 1, stem
    while name in taken:
        k += 1
        name = f"{stem} {k}"
    return name


def add_picture(
    project: Project,
    path: str,
    stem: str,
    plane: WorkPlane,
    center: Triple,
    width: float,
    aspect: float,
) -> tuple[Project, str]:
    """With a picture in a plane.  center [m, W]; width [m]; aspect: height over width.  Returns its
    id too.
    """
    id = free_id(project, "picture")
    placement = Placement(
        vector(*center), vector(*to_angles(from_axes(plane.u, plane.v, plane.normal)))
    )
    picture = Picture(
        id, picture_name(project, stem), path, placement, width=Quantity(width), aspect=aspect
    )
    return replace(project, pictures={**project.pictures, id: picture}), id


def move_picture(project: Project, id: str, center: Triple) -> Project:
    """With a picture's centre elsewhere [m, W]."""
    picture = project.pictures[id]
    return put_element(
        project,
        id,
        replace(picture, placement=replace(picture.placement, position=vector(*center))),
    )


def scale_picture(
    project: Project, id: str, first: Triple, second: Triple, true: Quantity, level: bool = False
) -> Project:
    """With two points of a picture at a true distance [m]; the first one stays where it is.

    level: turns it too, so that the way from the first to the second is level or upright in its
    untilted axes, whichever is nearer.
    """
    picture, plane = project.pictures[id], plane_of(project.pictures[id])
    (a, b), (c, d) = plane.to_plane(first), plane.to_plane(second)
    factor = true.value / math.hypot(c - a, d - b)
    rotated = 0.0
    if level:
        slope = math.atan2(d - b, c - a) + picture.turn.value
        rotated = round(slope / (math.pi / 2)) * (math.pi / 2) - slope
    # the centre as seen from the first point, scaled and turned about it
    x, y = -a * factor, -b * factor
    x, y = (
        x * math.cos(rotated) - y * math.sin(rotated),
        x * math.sin(rotated) + y * math.cos(rotated),
    )
    center = plane.to_world(a + x, b + y)
    turn = Quantity(_wrapped(picture.turn.value + rotated)) if rotated else picture.turn
    scaled = replace(
        picture,
        width=Quantity(picture.width.value * factor),
        turn=turn,
        placement=replace(picture.placement, position=vector(*center)),
    )
    return put_element(project, id, scaled)


def _wrapped(angle: float) -> float:
    """The angle from -180 to 180 deg [rad]; what is only rounding is zero."""
    angle = math.remainder(angle, 2 * math.pi)
    return 0.0 if abs(angle) < 1e-12 else angle
