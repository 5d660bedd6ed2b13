"""Snapping of a click: points that have a name, the grid, and directions and lengths in relation to
other links, each with its word before the click.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mechstudio.application.tools.snapping.candidates import (
    Candidates,
    Snap,
    Straight,
    between_faces,
    candidates_of,
)
from mechstudio.application.tools.snapping.crossings import crossings
from mechstudio.application.tools.snapping.loci import Locus
from mechstudio.application.tools.snapping.rims import on_loci, rims
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.links import distance
from mechstudio.model.geometry.rotation import Triple, minus, plus, triple
from mechstudio.model.geometry.work_plane import WorkPlane, dot, unit
from mechstudio.model.project import Project
from mechstudio.translation import tr

__all__ = ["REACH", "Snap", "angle_of", "candidates", "choices", "snap"]

REACH = 11.0  # pixels within which a point catches the pointer
NODE_REACH = 0.6  # of that, for a node of the grid
SAME = 1e-9  # of a length: a node that lies in a relation
DENSE = 24.0  # pixels between two nodes below which relations come before the grid
LENGTH_REACH = 6.0  # pixels within which the length of another link is taken
ANGLE_STEP = 15.0  # degrees between the directions that Shift knows
# degrees within which a multiple of 45 degrees, or a relation to a link, catches the pointer
ANGLE_REACH = 2.5
FINE_REACH = 0.8  # the same for the other multiples of 15 degrees
NEIGHBOURS = 6  # links, the nearest to the start, that directions and lengths are compared with


def candidates(project: Project, plane: WorkPlane) -> list[tuple[int, Snap]]:
    """Every point that can catch the pointer, with its rank (lower wins), as the work plane has
    it.
    """
    snaps, _, ranks, oblique = candidates_of(project.mechanism).placed(plane)
    return [(int(rank), s) for rank, s, only in zip(ranks, snaps, oblique) if not only]


def snap(
    project: Project,
    plane: WorkPlane,
    grid: float,
    pointer: Pointer,
    start: Triple | None = None,
    exclude: frozenset[Triple] = frozenset(),
    exclude_bodies: frozenset[str] = frozenset(),
) -> Snap | None:
    """Place where a click would land now; None where the ray misses the plane and everything else.

    start: the other end of what is being drawn; Shift holds directions of 15 degrees from it, Ctrl
    suspends all snapping.
    exclude: points that are being moved and cannot catch themselves; exclude_bodies likewise.
    """
    found = choices(project, plane, grid, pointer, start, exclude, exclude_bodies)
    return found[0] if found else None


def choices(
    project: Project,
    plane: WorkPlane,
    grid: float,
    pointer: Pointer,
    start: Triple | None = None,
    exclude: frozenset[Triple] = frozenset(),
    exclude_bodies: frozenset[str] = frozenset(),
    last: str = "",
    loci: Sequence[Locus] = (),
) -> list[Snap]:
    """Every place where a click could land now, the likeliest first, the free one last; as `snap`,
    which takes the first.

    last: the link that was drawn before this one, first among those that directions are compared
    with.  loci: lines and circles of the plane that catch what has a start, beside the rims of
    round bodies.
    """
    point = pointer.point
    if pointer.ctrl:
        return [] if point is None else [Snap(point, body=pointer.body)]
    known = candidates_of(project.mechanism)
    if pointer.shift and start is not None:
        if point is None:
            return []
        end = _on_direction(plane, start, point, ANGLE_STEP)
        return [
            _as_long(
                known,
                plane,
                start,
                Snap(end, _angle_word(plane, start, end), shape="angle"),
                pointer,
                last,
                exclude_bodies,
            )
        ]
    out: list[Snap] = []
    for _, _, s in known.near(plane, pointer, REACH):
        moving = s.body in exclude_bodies or any(distance(s.point, e) < 1e-9 for e in exclude)
        same = any(distance(s.point, o.point) < 1e-9 for o in out) or (
            start is not None and distance(s.point, start) < 1e-9
        )
        if not moving and not same:
            out.append(s)
    if not out:
        out += [
            s
            for _, s in crossings(known, plane, pointer, REACH)
            if s.body not in exclude_bodies
            and (start is None or distance(s.point, start) > 1e-9)
            and not any(distance(s.point, e) < 1e-9 for e in exclude)
        ]
    out += _on_axes(known, pointer, exclude_bodies) if not out else []
    if point is not None:
        if not out:
            out += rims(known, plane, pointer, exclude_bodies)
        out += _in_plane(known, plane, grid, pointer, point, start, last, exclude_bodies)
        if start is not None and distance(start, point) > 3 * REACH * pointer.pixel:
            out += on_loci(plane, pointer, loci)
    free = _free(known, plane, pointer, exclude_bodies)
    return [*out, free] if free is not None else out


def _on_axes(known: Candidates, pointer: Pointer, exclude_bodies: frozenset[str]) -> list[Snap]:
    """The place on the axis of the round body under the pointer that is nearest to the line of
    sight.
    """
    if pointer.eye is None or not pointer.body or pointer.body in exclude_bodies:
        return []
    from mechstudio.application.tools.eye import nearest_on_line

    out = []
    for axis in known.axes:
        if axis.owner == pointer.body and axis.reach > 0:
            at = nearest_on_line(pointer.eye, pointer.x, pointer.y, axis.point, axis.direction)
            if at is None:
                continue
            along = dot(minus(at, axis.point), axis.direction)  # type: ignore[arg-type]
            along = min(axis.reach, max(-axis.reach, along))
            at = plus(axis.point, axis.direction, along)  # type: ignore[assignment]
            pixel = pointer.eye.pixel_of(at)
            if (
                pixel is not None
                and math.hypot(pixel[0] - pointer.x, pixel[1] - pointer.y) <= REACH
            ):
                out.append(Snap(at, axis.word, axis.owner, "", "axis", True, axis.direction))
    return out


def _free(
    known: Candidates, plane: WorkPlane, pointer: Pointer, exclude_bodies: frozenset[str]
) -> Snap | None:
    """The place under the pointer itself: on the work plane, or on the solid there, where the plane
    does not go through it.
    """
    body = pointer.body
    if (
        pointer.surface is not None
        and body
        and body not in exclude_bodies
        and not known.cuts(plane, body)
    ):
        at = between_faces(known.mechanism.body(body), pointer.surface)
        return Snap(
            at,
            tr("on {body}", body=known.mechanism.body(body).name),
            body,
            off=abs(plane.height(at)) > 1e-6 * max(1e-6, known.size),
        )
    return None if pointer.point is None else Snap(pointer.point, "", body)


def _in_plane(
    known: Candidates,
    plane: WorkPlane,
    grid: float,
    pointer: Pointer,
    point: Triple,
    start: Triple | None,
    last: str,
    exclude_bodies: frozenset[str],
) -> list[Snap]:
    """A node of the grid, and a direction from the start, where the pointer is close to them."""
    out, reach = [], REACH * pointer.pixel
    u, v = plane.to_plane(point)
    node = plane.to_world(round(u / grid) * grid, round(v / grid) * grid)
    if distance(node, point) <= NODE_REACH * reach and (
        start is None or distance(node, start) > 1e-9
    ):
        out.append(Snap(node, tr("grid"), pointer.body, shape="cross", grid=True))
    # relations are those of a plane: a start off it has none
    if (
        start is not None
        and distance(start, point) > 3 * reach
        and abs(plane.height(start)) <= 1e-9 * max(1.0, distance(start, point))
    ):
        caught = _direction(known, plane, pointer, point, start, last, exclude_bodies)
        plain = caught or Snap(point, "", pointer.body)
        full = _as_long(known, plane, start, plain, pointer, last, exclude_bodies)
        if full.word and out and _holds_at(node, start, full, bool(caught)):
            full = replace(full, point=node)
        if full.word:
            out.append(full)
    # where the nodes lie so close that there is one under every pointer they say little
    return out[::-1] if grid < DENSE * pointer.pixel else out


def _holds_at(node: Triple, start: Triple, relation: Snap, directed: bool) -> bool:
    """True if a node of the grid lies in the relation that was caught beside it."""
    length, found = distance(start, node), distance(start, relation.point)
    if not length or not found or (relation.as_long and abs(length - found) > SAME * length):
        return False
    if not directed:
        return True
    way = plus(start, minus(relation.point, start), length / found)
    return distance(way, node) <= SAME * length


def _direction(
    known: Candidates,
    plane: WorkPlane,
    pointer: Pointer,
    point: Triple,
    start: Triple,
    last: str,
    exclude_bodies: frozenset[str],
) -> Snap | None:
    """The place nearest to the pointer in the direction that it is close to, if there is one."""
    best: tuple[float, Snap] | None = None

    def offer(gap: float, within: float, place: Snap) -> None:
        nonlocal best
        if gap < within and (best is None or gap < best[0] - 1e-9):
            best = (gap, place)

    for step, within in ((45.0, ANGLE_REACH), (ANGLE_STEP, FINE_REACH)):
        end = _on_direction(plane, start, point, step)
        offer(
            _degrees_between(plane, start, point, end),
            within,
            Snap(end, _angle_word(plane, start, end), pointer.body, shape="angle"),
        )
        if best is not None:
            break
    for straight, joined in _neighbours(known, plane, start, last, exclude_bodies):
        along = unit(minus(straight.end, straight.start))  # type: ignore[arg-type]
        if along is None:
            continue
        across: Triple = tuple(
            plane.normal[(k + 1) % 3] * along[(k + 2) % 3]
            - plane.normal[(k + 2) % 3] * along[(k + 1) % 3]
            for k in range(3)
        )  # type: ignore[assignment]
        for d, word in (
            (along, tr("in line with") if joined else tr("parallel to")),
            (across, tr("right angle to")),
        ):
            reach = dot(minus(point, start), d)  # type: ignore[arg-type]
            end = plus(start, d, reach)  # type: ignore[assignment]
            gap = _degrees_between(plane, start, point, end)
            # what is said of a link is worth more than a number, where both hold
            if best is not None and abs(best[0] - gap) < 1e-6 and best[1].helper is not None:
                continue
            bonus = 1e-3 if best is not None and abs(best[0] - gap) < 1e-6 else 0.0
            offer(
                gap - bonus,
                ANGLE_REACH,
                Snap(
                    end,
                    f"{word} {straight.name}",
                    pointer.body,
                    shape="angle",
                    helper=(straight.start, straight.end),
                ),
            )
    return None if best is None else best[1]


def _as_long(
    known: Candidates,
    plane: WorkPlane,
    start: Triple,
    place: Snap,
    pointer: Pointer,
    last: str,
    exclude_bodies: frozenset[str],
) -> Snap:
    """The place at the length of a neighbouring link, where it is close to that."""
    length = distance(start, place.point)
    if length == 0:
        return place
    best: tuple[float, Straight] | None = None
    for straight, _ in _neighbours(known, plane, start, last, exclude_bodies):
        gap = abs(distance(straight.start, straight.end) - length)
        if gap <= LENGTH_REACH * pointer.pixel and (best is None or gap < best[0]):
            best = (gap, straight)
    if best is None:
        return place
    share = distance(best[1].start, best[1].end) / length
    end: Triple = triple(s + (p - s) * share for s, p in zip(start, place.point))
    word = (
        tr("{word}, as long as {best}", word=place.word, best=best[1].name)
        if place.word
        else tr("as long as {best}", best=best[1].name)
    )
    return Snap(
        end,
        word,
        place.body,
        shape=place.shape,
        helper=place.helper or (best[1].start, best[1].end),
        as_long=True,
    )


def _neighbours(
    known: Candidates, plane: WorkPlane, start: Triple, last: str, exclude_bodies: frozenset[str]
) -> list[tuple[Straight, bool]]:
    """Links parallel to the plane that are near the start, the last one drawn first, and whether
    they end there.
    """
    if not known.straights:
        return []
    a = np.array([s.start for s in known.straights])
    b = np.array([s.end for s in known.straights])
    at, n = np.array(start), np.array(plane.normal)
    gap = np.minimum(np.linalg.norm(a - at, axis=1), np.linalg.norm(b - at, axis=1))
    level = np.abs((b - a) @ n) <= 1e-9 * np.linalg.norm(b - a, axis=1)
    order = sorted(
        np.flatnonzero(level).tolist(), key=lambda k: (known.straights[k].body != last, gap[k])
    )
    size = max(float(np.linalg.norm(b - a, axis=1).max()), 1e-12)
    return [
        (known.straights[k], bool(gap[k] < 1e-6 * size))
        for k in order
        if known.straights[k].body not in exclude_bodies or known.straights[k].body == last
    ][:NEIGHBOURS]


def angle_of(plane: WorkPlane, start: Triple, end: Triple) -> float:
    """Direction from start to end in the plane [deg], -180 to 180, counter-clockwise from u."""
    (a, b), (c, d) = plane.to_plane(start), plane.to_plane(end)
    return math.degrees(math.atan2(d - b, c - a))


def _on_direction(plane: WorkPlane, start: Triple, point: Triple, step: float) -> Triple:
    angle = math.radians(round(angle_of(plane, start, point) / step) * step)
    (a, b), (c, d) = plane.to_plane(start), plane.to_plane(point)
    along = (c - a) * math.cos(angle) + (d - b) * math.sin(angle)
    return _lifted(plane, start, a + along * math.cos(angle), b + along * math.sin(angle))


def _lifted(plane: WorkPlane, start: Triple, u: float, v: float) -> Triple:
    """The point at plane coordinates, as far off the plane as the start is."""
    height = plane.height(start)
    return (
        plus(plane.to_world(u, v), plane.normal, height)
        if abs(height) > 1e-12
        else plane.to_world(u, v)
    )  # type: ignore[return-value]


def _degrees_between(plane: WorkPlane, start: Triple, a: Triple, b: Triple) -> float:
    gap = angle_of(plane, start, a) - angle_of(plane, start, b)
    return abs((gap + 180.0) % 360.0 - 180.0)


def _angle_word(plane: WorkPlane, start: Triple, end: Triple) -> str:
    return f"{round(angle_of(plane, start, end)):d} deg".replace("-", "−")
