"""Findings of bodies that may touch and overlap as drawn, by the geometry of contacts.

Boxes along the axes of W come first: shapes whose boxes are apart are never searched, so that most
drawings load no kernels of contacts.
"""

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from mechstudio.engine.checks.elements import named
from mechstudio.engine.constraints.attitude import matrices
from mechstudio.engine.structure.mobility import Rows, analyse
from mechstudio.model.contact import MOST_OVERLAP
from mechstudio.model.findings import Finding
from mechstudio.model.geometry.clearance import skin, support
from mechstudio.model.geometry.forms import Flat, Tube
from mechstudio.model.joints.touching import kept_apart
from mechstudio.model.mechanism import GROUND, Mechanism, Shape
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr, trn

if TYPE_CHECKING:
    from mechstudio.engine.contacts.geometry.shapes import ShapeTable
    from mechstudio.engine.contacts.world import Surface

replace = msgspec.structs.replace
Pair = tuple[str, str]  # two bodies, in drawing order, ground or FLOOR last
FLOOR = "\0floor"
DIGITS = 3  # of a depth
SHARP = 0.5 * 10.0**-DIGITS  # of a depth: the error that these digits do not show


class Near(NamedTuple):
    """The part of a drawing whose shapes may overlap.  poses (n, 7) of its bodies, and the pairs
    that are apart neither by their boxes nor by a joint or a word of the user.
    """

    mechanism: Mechanism
    poses: np.ndarray
    pairs: frozenset[Pair]


class Overlap(NamedTuple):
    """An overlap of a pair.  depth [m]: of what lies deepest, which for convex shapes is the
    shortest way out.  least: it is a lower bound, of two hollow surfaces.  rough: it is of a hollow
    one and of something else than a ball, or of round ends that contacts know as polygons.
    """

    pair: Pair
    depth: float
    least: bool = False
    rough: bool = False


def check(project: Project, closed: Callable[[Rows], object] = lambda poses: None) -> Analysis:
    """The analysis of a drawing (structure.mobility.analyse) with the finding of its overlaps."""
    found = analyse(project, closed)
    if not found.poses:
        return found
    more = overlap_findings(project.mechanism, np.array(found.poses))
    return replace(found, findings=(*found.findings, *more))


def overlap_findings(mechanism: Mechanism, poses: np.ndarray) -> list[Finding]:
    """One warning that names the deepest overlap and counts the others; none where no bodies
    overlap.  poses (n, 7): closed ones, in file order.
    """
    found = overlaps(mechanism, poses)
    if not found:
        return []
    worst = max(found, key=lambda overlap: overlap.depth)
    depth = format_value(worst.depth, "length", DEFAULT_SYSTEM, DIGITS)
    if worst.least:
        depth = tr("at least {depth}", depth=depth)
    elif worst.rough:
        depth = tr("about {depth}", depth=depth)
    a, b = (tr("the floor") if id == FLOOR else named(mechanism.body(id)) for id in worst.pair)
    message = tr(
        "{a} and {b} overlap by {depth} as drawn, and a run begins by pushing them apart.",
        a=a,
        b=b,
        depth=depth,
    )
    if more := len(found) - 1:
        also = trn("One more pair overlaps too.", "{count} more pairs overlap too.", more)
        message = f"{message} {also}"
    cure = tr("Move one of them, or let the two not touch.")
    amounts = ((worst.depth, "length", DIGITS),)
    return [Finding("warning", worst.pair[0], message, cure, amounts=amounts)]


def overlap_notes(mechanism: Mechanism, poses: np.ndarray) -> tuple[str, ...]:
    """The same in sentences, for the statistics of a run that begins at these poses (n, 7)."""
    return tuple(f"{f.message} {f.cure}" for f in overlap_findings(mechanism, poses))


def overlaps(mechanism: Mechanism, poses: np.ndarray) -> list[Overlap]:
    """Pairs that overlap by more than a run leaves alone (MOST_OVERLAP), at poses (n, 7).

    Soft surfaces are left out, since they rest in each other, as are bodies that are fixed to each
    other.  Nothing is found before the kernels of contacts are compiled, which takes minutes and is
    left to the first run.
    """
    if not mechanism.contacts.enabled:
        return []
    near = _near(mechanism, poses)
    if not near.pairs:
        return []
    # late imports: only drawings with contacts load the kernels
    from mechstudio.engine.contacts.contact_kernels import FOLDER
    from mechstudio.engine.kernels.compilation.kernel_cache import is_compiled

    if not is_compiled("search.find_contacts", FOLDER):
        return []
    return _measured(near)


# which shapes may overlap


def _near(mechanism: Mechanism, poses: np.ndarray) -> Near:
    """The shapes of a drawing at poses (n, 7) whose boxes overlap those of others that they may
    touch.
    """
    ids = [*mechanism.bodies, GROUND]
    ground = mechanism.ground.placement.pose
    placed = np.vstack((poses.reshape(-1, 7), (*ground[0], *ground[1])))
    turns = matrices(placed[:, 3:])
    shapes = [
        (n, shape)
        for n, id in enumerate(ids)
        if (body := mechanism.body(id)).touches
        for shape in body.shapes
        if SHAPE_TYPES[shape.type].contacts
    ]
    boxes = [_box(shape, placed[n, :3], turns[n]) for n, shape in shapes]
    low, high = np.array(boxes).reshape(-1, 2, 3).transpose(1, 0, 2)
    # no longer than the size of the shape by which the depth is judged
    least = MOST_OVERLAP * (high - low).max(axis=1, initial=0.0)
    owner = np.array([n for n, _ in shapes], np.int64)
    apart = {frozenset(pair) for pair in kept_apart(mechanism)}

    def meet(a: int, b: int) -> bool:
        return frozenset((ids[a], ids[b])) not in apart

    kept: set[int] = set()
    pairs: set[Pair] = set()
    order = np.argsort(low[:, 0], kind="stable")
    ends = np.searchsorted(low[order, 0], high[order, 0])
    for at, (k, end) in enumerate(zip(order.tolist(), ends.tolist())):
        others = order[at + 1 : end]
        depth = np.minimum(high[k], high[others]) - np.maximum(low[k], low[others])
        deep = (depth > np.minimum(least[k], least[others])[:, None]).all(axis=1)
        for other in others[deep & (owner[others] != owner[k])].tolist():
            a, b = sorted((int(owner[k]), int(owner[other])))
            if meet(a, b):
                kept |= {k, other}
                pairs.add((ids[a], ids[b]))
    floor = mechanism.contacts.floor
    sunk = floor is not None and {
        k
        for k in np.flatnonzero(low[:, 2] < floor.height.value - least).tolist()
        if owner[k] < len(ids) - 1 and meet(int(owner[k]), len(ids) - 1)
    }
    if sunk:
        kept |= sunk
        pairs |= {(ids[owner[k]], FLOOR) for k in sunk}
    left: dict[str, list[Shape]] = {}
    for k in sorted(kept):
        left.setdefault(ids[owner[k]], []).append(shapes[k][1])
    out = replace(
        mechanism,
        bodies={
            id: replace(body, shapes=tuple(left[id]))
            for id, body in mechanism.bodies.items()
            if id in left
        },
        ground=replace(mechanism.ground, shapes=tuple(left.get(GROUND, ()))),
        contacts=replace(mechanism.contacts, floor=floor if sunk else None),
    )
    rows = [n for n, id in enumerate(mechanism.bodies) if id in left]
    return Near(out, np.ascontiguousarray(placed[rows]), frozenset(pairs))


def _box(shape: Shape, place: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest coordinates [m, W] of a shape of a body at a place with axes (3, 3)."""
    position, q = shape.placement.pose
    form = shape.form
    axes = turn @ matrices(np.array([q]))[0]
    middle = place + turn @ np.array(position)
    # the farthest points along the axes of W, and against them
    reach = [
        [axes[k] @ np.array(support(form, tuple((sign * axes[k]).tolist()))) for k in range(3)]
        for sign in (-1.0, 1.0)
    ]
    return middle + reach[0] - skin(form), middle + reach[1] + skin(form)


# how deep


def _measured(near: Near) -> list[Overlap]:
    """The overlaps of what is near, one for each pair."""
    from mechstudio.engine.contacts.bodies import RIM, drawn_pairs
    from mechstudio.engine.contacts.geometry.search import contacts_of
    from mechstudio.engine.contacts.geometry.shapes import BOUND, MESH, PLANE, SPHERE, TROUGH, TUBE
    from mechstudio.engine.contacts.geometry.work import contact_points
    from mechstudio.engine.contacts.world import paired

    m = near.mechanism
    with _one_at_a_time:
        table, surfaces = _table(m)
        _, points = contacts_of(table, near.poses, None, 0.0, contact_points(64))
    count = int(points.count[0])
    first, second = points.shape_a[:count], points.shape_b[:count]
    depth = -points.gap[:count]
    size = np.where(table.body >= 0, 2.0 * table.shapes.numbers[:, BOUND], np.inf)
    facets, ends = np.zeros(len(size)), np.zeros(len(size))
    solid = [s for body in (*m.bodies.values(), m.ground) for s in body.shapes]
    for k, shape in enumerate(solid):
        form = shape.form
        facets[k] = form.facet_error if isinstance(form, Tube) else 0.0
        ends[k] = form.radius * (1.0 - np.cos(np.pi / RIM)) if isinstance(form, Flat) else 0.0
    kind = table.kind
    hollow = np.isin(kind, (MESH, TUBE, TROUGH))
    off, uneven = np.zeros(count), np.zeros(count, bool)
    for own, other in ((first, second), (second, first)):
        # balls touch what is round exactly, and so does a plane all but the facets of half-pipes
        exact = (kind[other] == SPHERE) | ((kind[other] == PLANE) & (kind[own] != TROUGH))
        off += np.where(exact, 0.0, facets[own])
        uneven |= hollow[own] & ~exact
    own = drawn_pairs(m)

    @functools.cache
    def soft(a: int, b: int) -> bool:
        surface = own.get((a, b)) or own.get((b, a)) or paired(surfaces[a], surfaces[b])
        return surface.compliance > 0.0

    deep = depth > MOST_OVERLAP * np.minimum(size[first], size[second]) + off
    ids = [*m.bodies, GROUND]
    found: dict[Pair, Overlap] = {}
    # the deepest of a pair comes last
    for n in sorted(np.flatnonzero(deep).tolist(), key=lambda n: depth[n]):
        i, j = int(first[n]), int(second[n])
        pair = (
            ids[points.body_a[n]],
            FLOOR if kind[j] == PLANE else ids[points.body_b[n]],
        )
        if pair in near.pairs and not soft(int(table.material[i]), int(table.material[j])):
            both = bool(hollow[i] and hollow[j])
            rough = bool(uneven[n] or ends[i] + ends[j] > SHARP * depth[n])
            found[pair] = Overlap(pair, float(depth[n]), both, rough)
    return list(found.values())


def _table(m: Mechanism) -> "tuple[ShapeTable, list[Surface]]":
    """The table and the surfaces of a drawing, the last ones where it has the same solids: hulls
    and trees of meshes take long, and most edits change none.
    """
    from mechstudio.engine.contacts.bodies import drawn_table

    bodies = tuple((id, body.shapes, body.surface) for id, body in m.bodies.items())
    ground = (m.ground.shapes, m.ground.surface, m.ground.placement)
    key = (bodies, ground, m.contacts, kept_apart(m))
    if not _last or _last[0][0] != key:
        _last[:] = [(key, drawn_table(m))]
    return _last[0][1]


# of the drawing before: what its table was made of, and the table
_last: list[tuple[Any, Any]] = []
_one_at_a_time = threading.Lock()
