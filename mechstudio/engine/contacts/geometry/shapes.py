"""Shapes that can touch, as a struct of arrays that kernels read.

| kind      | size                                    | in its own axes                            |
|-----------|-----------------------------------------|--------------------------------------------|
| SPHERE    | radius                                  | about the origin                           |
| PLANE     | -                                       | half-space below z = 0, on the ground only |
| BOX       | three half extents                      | centred on the origin                      |
| CAPSULE   | radius, half of the straight height     | axis z, centred                            |
| CYLINDER  | radius, radius, half height             | axis z, centred                            |
| CONE      | bottom radius, top radius, half height  | axis z, centred; pointed if top is 0       |
| DISC      | as CYLINDER; the half height may be 0   |                                            |
| HULL      | -                                       | hull of points, origin moved inside        |
| ELLIPSOID | half lengths                            | centred                                    |
| MESH      | -                                       | triangles, counter-clockwise from outside  |
| TUBE      | outer radius, inner radius, half height | axis z, centred; facets where not round    |
| TROUGH    | as TUBE                                 | half a tube, where x > 0                   |

A mesh on a body that moves is replaced by its convex hull where it is convex, or is not closed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mechstudio.engine.contacts.geometry.surfaces import Surfaces, hollow
from mechstudio.engine.contacts.geometry.work import Work, working_memory
from mechstudio.model.geometry.forms import FACETS, OFF
from mechstudio.model.geometry.hollow import trough, tube
from mechstudio.translation import Words, tr

SPHERE, PLANE, BOX, CAPSULE, CYLINDER, CONE, DISC, HULL, ELLIPSOID, MESH, TUBE, TROUGH = range(12)
NAMES: tuple[Words, ...] = (
    "sphere",
    "plane",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "disc",
    "hull",
    "ellipsoid",
    "mesh",
    "tube",
    "half-pipe",
)
GROUND = -1

Triple = tuple[float, float, float]


class ContactShapeError(ValueError):
    """A shape without possible contacts; the text has its name, the reason and the remedy."""


@dataclass(frozen=True)
class ContactShape:
    """One shape of a body.  size: see above [m].  body: its number, GROUND if fixed.  place [m],
    turn (unit quaternion w x y z): in the body frame.

    points: of a HULL or MESH (n, 3) [m]. triangles: of a MESH (m, 3). material: a number chosen by
    the caller.
    group: shapes of one group never touch each other; 0 is no group.   name: for messages.
    """

    kind: int
    size: tuple[float, ...] = ()
    body: int = GROUND
    place: Triple = (0.0, 0.0, 0.0)
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    points: np.ndarray | None = None
    triangles: np.ndarray | None = None
    material: int = 0
    group: int = 0
    name: str = ""


class Shapes(NamedTuple):
    """Tables that the contact search reads.

    ints, numbers: one row per shape, columns below.  excluded: sorted codes of pairs of bodies that
    never touch.  small: shapes of like size, for the grid; large: the rest but planes; planes.
    calls: addresses of kernels (engine/contacts/kernel_calls.py).  The others: surfaces.py.
    """

    ints: np.ndarray
    numbers: np.ndarray
    excluded: np.ndarray
    small: np.ndarray
    large: np.ndarray
    planes: np.ndarray
    calls: np.ndarray
    vertices: np.ndarray
    faces: np.ndarray
    face_first: np.ndarray
    loops: np.ndarray
    triangles: np.ndarray
    surroundings: np.ndarray
    nodes: np.ndarray
    tree: np.ndarray


# columns of `ints`: kind, body, material, group; of hulls first vertex and count, first face and
# count; of meshes first triangle, first node and their counts, whether they are closed, how many of
# the vertices, the first ones, are all corners of the convex hull; FACE0 of a mesh: the first of
# the loops of the corners joined to each corner
(
    KIND,
    BODY,
    MATERIAL,
    GROUP,
    VERTEX0,
    VERTICES,
    FACE0,
    FACES,
    TRIANGLE0,
    TRIANGLES,
    NODE0,
    NODES,
    CLOSED,
    OUTER,
    SHAPE_INTS,
) = range(15)
# columns of `numbers`: size, place, turn, radius about the shape's origin (infinite for planes)
SIZE, PLACE, TURN, BOUND, SHAPE_NUMBERS = 0, 4, 7, 11, 12
# places in `calls`: by kinds KINDS a + b, searches for pairs, any two convex shapes, fast ones,
# those that glide past each other, those that pass each other
KINDS = len(NAMES)
GRID, SWEEP, CONVEX, FAST, GLIDE, PASS, CALLS = (KINDS * KINDS + k for k in range(7))


class ShapeTable(NamedTuple):
    """Shapes that may be in contact.  kind, body, material, group (s,), size (s, 4), place (s, 3)
    [m], turn (s, 4) of all shapes; shapes and work belong to the contact search.
    """

    kind: np.ndarray
    body: np.ndarray
    material: np.ndarray
    group: np.ndarray
    size: np.ndarray
    place: np.ndarray
    turn: np.ndarray
    shapes: Shapes
    work: Work


_NEEDS = {
    SPHERE: 1,
    PLANE: 0,
    BOX: 3,
    CAPSULE: 2,
    CYLINDER: 2,
    CONE: 3,
    DISC: 2,
    HULL: 0,
    ELLIPSOID: 3,
    MESH: 0,
    TUBE: 3,
    TROUGH: 3,
}
_MAY_BE_ZERO = {CAPSULE: (1,), CONE: (0, 1), DISC: (1,)}
_ALIKE = 2.5  # shapes whose bounds differ by less than this factor share a grid


def pair_code(a: int, b: int) -> int:
    """The code of a pair of bodies in `excluded`; the ground counts as -1."""
    low, high = min(a, b) + 1, max(a, b) + 1
    return (low << 31) | high


def _called(shape: ContactShape, number: int) -> str:
    return f"{shape.name or tr('shape {number}', number=number)} ({NAMES[shape.kind]})"


def _checked(shape: ContactShape, number: int) -> ContactShape:
    if len(shape.size) < _NEEDS[shape.kind]:
        raise ContactShapeError(
            tr(
                "{shape} needs {kind} lengths, not {count}: give all of them.",
                shape=_called(shape, number),
                kind=_NEEDS[shape.kind],
                count=len(shape.size),
            )
        )
    for k, value in enumerate(shape.size[: _NEEDS[shape.kind]]):
        zero = k in _MAY_BE_ZERO.get(shape.kind, ())
        if not np.isfinite(value) or value < 0.0 or (value == 0.0 and not zero):
            raise ContactShapeError(
                tr(
                    "{shape} has a length of {value:g} m: give one above zero.",
                    shape=_called(shape, number),
                    value=value,
                )
            )
    if shape.kind == CONE and shape.size[0] == 0.0 and shape.size[1] == 0.0:
        raise ContactShapeError(
            tr(
                "{shape} has no width at either end: give one of its radii.",
                shape=_called(shape, number),
            )
        )
    if shape.kind in (TUBE, TROUGH) and not shape.size[1] < shape.size[0]:
        raise ContactShapeError(
            tr(
                "{shape} has no wall: give an inner radius below the outer one.",
                shape=_called(shape, number),
            )
        )
    if shape.kind == PLANE and shape.body != GROUND:
        raise ContactShapeError(
            tr(
                "{shape} has no end and cannot move with a body: use a box, or put it on the "
                "ground.",
                shape=_called(shape, number),
            )
        )
    norm = float(np.linalg.norm(shape.turn))
    if not (np.isfinite(norm) and norm > 0.0 and np.all(np.isfinite(shape.place))):
        raise ContactShapeError(
            tr(
                "{shape} stands nowhere: its position or orientation is no number.",
                shape=_called(shape, number),
            )
        )
    return replace(shape, turn=tuple(float(x) / norm for x in shape.turn))


def _sizes(shape: ContactShape) -> tuple[float, ...]:
    if shape.kind in (CYLINDER, DISC):
        return (shape.size[0], shape.size[0], shape.size[1])
    if shape.kind in (TUBE, TROUGH):
        outer, inner, half = shape.size
        return (outer, outer, half, inner)
    return shape.size[: _NEEDS[shape.kind]]


def _bound(shape: ContactShape, size: np.ndarray) -> float:
    match shape.kind:
        case 0:
            return float(size[0])
        case 1:
            return np.inf
        case 2:
            return float(np.linalg.norm(size[:3]))
        case 8:
            return float(np.max(size[:3]))
        case 3:
            return float(size[0] + size[1])
        case _:
            return float(np.hypot(max(size[0], size[1]), size[2]))


def shape_table(
    shapes: Iterable[ContactShape], excluded: Iterable[tuple[int, int]] = ()
) -> ShapeTable:
    """The table of shapes.  excluded: pairs of body numbers that never touch (joined by a joint, or
    switched off by the user).

    Shapes of one body never touch each other, nor do two on the ground.  Compiles the kernels that
    these kinds need.  Raises ContactShapeError.
    """
    given = [_checked(s, i) for i, s in enumerate(shapes)]
    given = [_solid(s) for s in given]
    ints, numbers = (
        np.zeros((len(given), SHAPE_INTS), np.int64),
        np.zeros((len(given), SHAPE_NUMBERS)),
    )
    surfaces = Surfaces()
    for i, s in enumerate(given):
        ints[i, :VERTEX0] = s.kind, s.body, s.material, s.group
        own = _sizes(s)
        numbers[i, : len(own)], numbers[i, PLACE : PLACE + 3], numbers[i, TURN : TURN + 4] = (
            own,
            s.place,
            s.turn,
        )
        if s.kind in (HULL, MESH, TUBE, TROUGH):
            shift, numbers[i, BOUND], ints[i, VERTEX0:] = surfaces.add(
                s, _called(s, i), s.kind == HULL
            )
            numbers[i, PLACE : PLACE + 3] += _rotated(s.turn, shift)
        else:
            numbers[i, BOUND] = _bound(s, numbers[i])
    small, large = _by_size(ints[:, KIND], numbers[:, BOUND], ints[:, BODY] >= 0)
    codes = np.array(sorted({pair_code(a, b) for a, b in excluded}), np.int64)
    planes = np.flatnonzero(ints[:, KIND] == PLANE).astype(np.int64)
    own = Shapes(
        ints, numbers, codes, small, large, planes, np.zeros(CALLS, np.int64), *surfaces.arrays()
    )
    copy = np.ascontiguousarray
    table = ShapeTable(
        ints[:, KIND].astype(np.int8),
        copy(ints[:, BODY]),
        copy(ints[:, MATERIAL]),
        copy(ints[:, GROUP]),
        copy(numbers[:, SIZE : SIZE + 4]),
        copy(numbers[:, PLACE : PLACE + 3]),
        copy(numbers[:, TURN : TURN + 4]),
        own,
        working_memory(len(given)),
    )
    # late import: the kernels read the columns above
    from mechstudio.engine.contacts.geometry.search import prepare

    prepare(table)
    return table


def _solid(shape: ContactShape) -> ContactShape:
    """The shape with facets if it is a tube; its convex hull if it is a mesh that moves and has no
    hollows, or no inside.
    """
    if shape.kind in (TUBE, TROUGH):
        outer, inner = ((1.0 + OFF) * r for r in shape.size[:2])
        made = tube if shape.kind == TUBE else trough
        points, triangles = made(outer, inner, shape.size[2], FACETS)
        return replace(shape, points=np.array(points), triangles=np.array(triangles))
    if shape.kind == MESH and shape.body != GROUND and not hollow(shape):
        return replace(shape, kind=HULL, triangles=None)
    return shape


def _rotated(turn: Sequence[float], vector: np.ndarray) -> np.ndarray:
    w, u = turn[0], np.array(turn[1:])
    return vector + 2.0 * np.cross(u, np.cross(u, vector) + w * vector)


def _by_size(
    kind: np.ndarray, bound: np.ndarray, moving: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(shapes of like size for the grid, the others): the widest window of sizes within a factor;
    only where it pays.
    """
    finite = np.flatnonzero((kind != PLANE) & ((kind != MESH) | moving))
    order = finite[np.argsort(bound[finite], kind="stable")]
    values = bound[order]
    ends = np.searchsorted(values, _ALIKE * values, side="right")
    best = int(np.argmax(ends - np.arange(len(values)))) if len(values) else 0
    chosen = order[best : ends[best]] if len(values) else order
    rest = np.setdiff1d(np.flatnonzero(kind != PLANE), chosen)
    if len(chosen) < 48 or len(rest) > 32:
        rest, chosen = np.flatnonzero(kind != PLANE), chosen[:0]
    return np.sort(chosen).astype(np.int64), rest.astype(np.int64)
