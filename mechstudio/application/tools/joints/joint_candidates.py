"""Bodies that a joint could join at a place, and directions along which its axis could lie."""

import math

from mechstudio.application.scene.joints.joint_glyphs import glyph
from mechstudio.application.tools.joints.stack import along, on_link, stacked
from mechstudio.application.tools.snapping.candidates import (
    Snap,
    between_faces,
    candidates_of,
    joint_axis,
    link_normal,
    shape_axes,
)
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.geometry.rotation import (
    Triple,
    frame_on_axis,
    rotate,
    triple,
)
from mechstudio.model.geometry.work_plane import WorkPlane, parallel, unit
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES, TWIST
from mechstudio.translation import tr

STEPS = 24  # points of an arc of a previewed glyph


def letter(direction: Triple) -> str:
    """X, Y or Z for a world axis, otherwise a description."""
    return next(
        (letter for k, letter in enumerate("XYZ") if abs(abs(direction[k]) - 1.0) < 1e-9),
        tr("the plane"),
    )


def axes_at(
    m: Mechanism,
    plane: WorkPlane,
    type: str,
    place: Snap,
    bodies: tuple[str, ...],
    pointer: Pointer | None,
) -> list[tuple[str, Triple]]:
    """Directions for a joint's axis with their words, the sensible one for its type first; each
    line but once.

    pointer: what is under it: the normal of a face.   bodies: that the joint would join.
    """
    moving = [m.bodies[id] for id in bodies if id in m.bodies]
    across = _across(m, plane, place, moving)
    under = (
        m.body(pointer.body)
        if pointer is not None and pointer.body in (*m.bodies, GROUND)
        else None
    )
    face: list[tuple[str, Triple]] = []
    if (
        under is not None
        and link_normal(under) is None
        and pointer is not None
        and pointer.normal is not None
    ):
        face = [(tr("across the face of {under}", under=under.name), pointer.normal)]
    round_ = [(a.word, a.direction) for body in moving for a in shape_axes(body)]
    hit = [(_axis_word(m, place), place.axis)] if place.axis is not None else []
    links = [
        (tr("along {body}", body=b.name), d)
        for b in reversed(moving)
        if (d := _direction(b)) is not None
    ]
    beside = [
        (tr("as joint {joint}", joint=j.name), d)
        for j in m.joints.values()
        if {j.frame_a.body, j.frame_b.body} & {b.id for b in moving}
        and (d := joint_axis(m, j)) is not None
    ]
    within = [(tr("along {letter}", letter=letter(d)), d) for d in (plane.u, plane.v)]
    world = [
        (tr("along {value}", value="XYZ"[k]), tuple(float(i == k) for i in range(3)))
        for k in range(3)
    ]
    kind = JOINT_TYPES[type]
    halves = TWIST in kind.primitives
    if halves and links:
        links[0] = (tr("along the links"), links[0][1])
    if kind.slides_along_axis or halves:
        order = [*links[:1], *hit, *round_, *within, *across, *face, *links[1:], *world, *beside]
    elif face and place.off:  # on a face that the work plane does not go along
        order = [*hit, *face, *across, *round_, *links, *within, *world, *beside]
    else:
        order = [
            *[h for h in hit if not place.joint],
            *across,
            *hit,
            *round_,
            *face,
            *links,
            *within,
            *world,
            *beside,
        ]
    out: list[tuple[str, Triple]] = []
    for word, d in order:
        if not any(parallel(d, other) for _, other in out):  # type: ignore[arg-type]
            out.append((word, d))  # type: ignore[arg-type]
    return out


def _across(
    m: Mechanism, plane: WorkPlane, place: Snap, moving: list[Body]
) -> list[tuple[str, Triple]]:
    """Across the plane in which the link at the place lies, then across the work plane."""
    normal = next(
        (n for b in moving if b.id == place.body and (n := link_normal(b)) is not None), None
    )
    own = (
        []
        if normal is None or parallel(normal, plane.normal)
        else [(tr("across {body}", body=m.bodies[place.body].name), normal)]
    )
    return [*own, (tr("across the plane"), plane.normal)]


def _axis_word(m: Mechanism, place: Snap) -> str:
    return (
        tr("as joint {joint}", joint=m.joints[place.joint].name)
        if place.joint in m.joints
        else place.word
        if place.word.startswith("axis")
        else tr("along the axis")
    )


def _direction(body: Body) -> Triple | None:
    ends = link_ends(body)
    return None if ends is None else unit(triple(q - p for p, q in zip(*ends)))


def carries_axis(body: Body, axis: Triple) -> bool:
    """True if a link, or a round shape of a body, lies along a unit direction."""
    along = _direction(body)
    own = [along] if along is not None else [a.direction for a in shape_axes(body)]
    return any(parallel(d, axis) for d in own)


def bodies_at(
    m: Mechanism,
    plane: WorkPlane,
    place: Snap,
    reach: float,
    under: str,
    normal: Triple | None = None,
) -> tuple[str, ...]:
    """Bodies that meet at a place, in drawing order: links with an end there or that a pin there
    goes through, solids that hold it or are stacked on such, and the one under the pointer.

    normal: of the surface under the pointer, along which a place off the work plane is gone
    through.
    """
    known = candidates_of(m)
    through = (place.off and normal) or plane.normal
    chosen = {*known.around(place.point, through, reach), under, place.body}
    links = {id for id in chosen & m.bodies.keys() if link_ends(m.bodies[id]) is not None}
    met = {id for id in links if _at_link(m.bodies[id], plane, place, reach)}
    solids = chosen & m.bodies.keys() - links
    met |= set(stacked(m, solids, place.point, through, 1e-6 * max(known.size, 1e-9)))
    return tuple(id for id in m.bodies if id in met or (id in chosen and id in (under, place.body)))


def _at_link(body: Body, plane: WorkPlane, place: Snap, reach: float) -> bool:
    """True if a link has an end at a place, or goes through it."""
    ends = link_ends(body)
    assert ends is not None
    at_end = any(
        min(
            distance(e, place.point),
            distance(plane.to_world(*plane.to_plane(e)), place.point)
            if not place.off
            else math.inf,
        )
        <= reach
        for e in ends
    )
    return at_end or on_link(body, place.point, 0.0)


def behind_at(
    m: Mechanism, place: Snap, bodies: tuple[str, ...], view_direction: Triple
) -> tuple[str, ...]:
    """Further bodies under the pointer, before or behind those that meet at a place.
    view_direction: along the line of sight, unit.
    """
    known = candidates_of(m)
    tolerance = 1e-6 * max(known.size, 1e-9)
    chosen = {*known.around(place.point, view_direction, tolerance)} - {*bodies}
    return tuple(
        id
        for id, body in m.bodies.items()
        if id in chosen and along(body, place.point, view_direction, tolerance) is not None
    )


def pairs_at(
    m: Mechanism, bodies: tuple[str, ...], under: str, behind: tuple[str, ...] = ()
) -> list[tuple[str, str]]:
    """Pairs of bodies that a joint could join, the likeliest first: two that meet and are not
    joined yet, then each with the ground, then the one under the pointer with what lies before or
    behind.
    """
    joined = {frozenset((j.frame_a.body, j.frame_b.body)) for j in m.joints.values()}
    couples = [(a, b) for k, a in enumerate(bodies) for b in bodies[k + 1 :]]
    couples.sort(key=lambda pair: (frozenset(pair) in joined, bool(under) and under not in pair))
    fresh = [pair for pair in couples if frozenset(pair) not in joined]
    return [
        *fresh,
        *((GROUND, id) for id in bodies),
        *(pair for pair in couples if pair not in fresh),
        *((under if under in bodies else bodies[-1], id) for id in behind if bodies),
    ]


def surface_place(
    m: Mechanism, plane: WorkPlane, place: Snap | None, pointer: Pointer
) -> Snap | None:
    """The place under the pointer on the body there, where no point of a name was caught; on a link
    the one between its faces.

    A planar drawing stays so: on a face along a plane that goes through the body the place in the
    plane is meant.
    """
    caught = (
        place is not None and place.word not in ("", "grid") and not place.word.startswith("on ")
    )
    if (
        caught
        or pointer.surface is None
        or pointer.normal is None
        or pointer.ctrl
        or not pointer.body
    ):
        return place
    body = m.body(pointer.body)
    normal, at = link_normal(body), pointer.surface
    if candidates_of(m).cuts(plane, pointer.body) and parallel(
        normal or unit(pointer.normal) or plane.normal, plane.normal
    ):
        return place
    return Snap(between_faces(body, at), tr("on {body}", body=body.name), pointer.body, off=True)


def glyph_lines(
    m: Mechanism, type: str, at: Triple, axis: Triple, quarters: int
) -> list[tuple[Triple, ...]]:
    """The lines of the glyph that a joint will wear [m, W], turned as it will be."""
    q, size = frame_on_axis(axis), candidates_of(m).glyph
    x, y = (rotate(q, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
    n = unit(axis) or axis
    place = lambda a, b, z: tuple(
        o + size * ((c * a - s * b) * i + (s * a + c * b) * j + z * k)
        for o, i, j, k in zip(at, x, y, n)
    )
    return [tuple(place(*p) for p in line.points.tolist()) for line in glyph(type, STEPS).lines]


def axis_arrow(
    plane: WorkPlane, at: Triple, axis: Triple, reach: float
) -> list[tuple[Triple, Triple]]:
    """An axis as a line through a point with a head at its positive end [m, W]."""
    n, u = plane.normal, plane.u
    side = tuple(
        n[(k + 1) % 3] * axis[(k + 2) % 3] - n[(k + 2) % 3] * axis[(k + 1) % 3] for k in range(3)
    )
    side = side if distance(side, (0.0, 0.0, 0.0)) > 0.1 else u  # type: ignore[arg-type]

    def along(s: float, t: float = 0.0) -> Triple:
        return triple(c + reach * (s * d + t * e) for c, d, e in zip(at, axis, side))

    return [
        (along(-1.0), along(1.0)),
        (along(1.0), along(0.78, 0.12)),
        (along(1.0), along(0.78, -0.12)),
    ]
