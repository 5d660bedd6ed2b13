"""Interference of bodies over the samples of a run, by the geometry of contacts."""

from collections.abc import Iterator

import numpy as np

from mechstudio.engine.contacts.bodies import drawn_table
from mechstudio.engine.contacts.geometry.search import contacts_of
from mechstudio.engine.contacts.geometry.shapes import PLANE
from mechstudio.engine.contacts.geometry.work import ContactPoints, contact_points
from mechstudio.engine.errors import EngineError
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.results.interference import Interference, Overlap
from mechstudio.translation import tr

SHALLOW = 1e-4  # of the mechanism's size: what lies less deep in each other only touches
PART = 20  # instants between two words of progress
ROOM = 64  # contacts at first
Progress = tuple[float, Interference | None]


def interference(project: Project, times: np.ndarray, poses: np.ndarray) -> Interference:
    """Overlaps of the solids of a drawing at times (n,) with poses (n, bodies, 7), place [m] and
    quaternion w x y z in file order.

    Bodies that do not touch are left out, as for contacts, and so is the floor.  Solids are those
    of contacts: ends of plates are polygons.
    """
    *_, (_, found) = search(project, times, poses)
    assert found is not None, "the last progress brings the result"
    return found


def search(project: Project, times: np.ndarray, poses: np.ndarray) -> Iterator[Progress]:
    """The same in parts: yields (share done, None), at last (1, result).  Never raises for what is
    drawn.
    """
    m = project.mechanism
    try:
        table, _ = drawn_table(m)
    except EngineError as error:
        finding = error.finding
        yield 1.0, Interference(problem=finding.message, cure=finding.cure)
        return
    if len(np.unique(table.body)) < 2:
        problem = tr("There are no two bodies with solids that may touch.")
        yield 1.0, Interference(problem=problem, cure=tr("Draw shapes, and let them touch."))
        return
    ids, least = [*m.bodies, GROUND], SHALLOW * max(m.size(), 1e-9)
    points = contact_points(ROOM)
    open_: dict[tuple[str, str], Overlap] = {}
    done: list[Overlap] = []
    for k, (time, pose) in enumerate(zip(times.tolist(), poses)):
        if k % PART == 0:
            yield k / len(times), None
        deepest: dict[tuple[str, str], Overlap] = {}
        if np.isfinite(pose).all():
            # the table and the points are others where the search needed more room
            table, points = contacts_of(table, np.ascontiguousarray(pose), None, 0.0, points)
            solid = table.kind != PLANE
            deepest = _deepest(points, solid, ids, time, least)
        for pair in [pair for pair in open_ if pair not in deepest]:
            done.append(open_.pop(pair))
        for pair, now in deepest.items():
            open_[pair] = _joined(open_.get(pair), now)
    done += open_.values()
    order = sorted(done, key=lambda o: (o.begin, o.bodies))
    yield 1.0, Interference(tuple(order), len(times))


def _deepest(
    points: ContactPoints, solid: np.ndarray, ids: list[str], time: float, least: float
) -> dict[tuple[str, str], Overlap]:
    """The overlap of each pair of bodies by its contacts deeper than `least` between solid shapes:
    the depth of the deepest, and the middle of all.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for n in range(int(points.count[0])):
        if solid[points.shape_a[n]] and solid[points.shape_b[n]] and -points.gap[n] > least:
            first, second = sorted((ids[points.body_a[n]], ids[points.body_b[n]]))
            found.setdefault((first, second), []).append(n)
    out: dict[tuple[str, str], Overlap] = {}
    for pair, numbers in found.items():
        depths = -points.gap[numbers]
        # faces that lie in each other have a contact at each corner
        x, y, z = np.average(points.point[numbers], axis=0, weights=depths).tolist()
        out[pair] = Overlap(pair, time, time, time, float(depths.max()), (x, y, z))
    return out


def _joined(before: Overlap | None, now: Overlap) -> Overlap:
    if before is None:
        return now
    worst = now if now.depth > before.depth else before
    return Overlap(now.bodies, before.begin, now.end, worst.deepest, worst.depth, worst.point)
