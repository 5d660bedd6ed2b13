"""The search as a whole: no pair is missed, nothing depends on order or frame, and nothing is
allocated.
"""

import tracemalloc

import numpy as np
import pytest

from mechstudio.engine.contacts.geometry.search import contacts_of, find_contacts, make_room
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CONE,
    GROUND,
    HULL,
    MESH,
    PLANE,
    SPHERE,
    ContactShape,
    ContactShapeError,
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from tests.engine.contacts.geometry.test_gaps import PAIRS, SOME, scene
from tests.engine.contacts.geometry.test_manifolds import contacts, poses
from tests.engine.contacts.reference import matrix


def rows(points, count, normal=1.0):
    """Contacts as sorted rows of gap, point, normal."""
    table = np.column_stack(
        [points.gap[:count], points.point[:count], normal * points.normal[:count]]
    )
    return table[np.lexsort(np.round(table, 7).T)]


def cloud(count, seed, spread, sizes):
    rng = np.random.default_rng(seed)
    where = np.column_stack([rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))])
    where[:, 3:] /= np.linalg.norm(where[:, 3:], axis=1)[:, None]
    return where, sizes(rng, count)


@pytest.mark.parametrize(
    "way", ["alike", "far from the origin", "odd sizes", "alike with few large"]
)
def test_no_pair_of_spheres_is_missed(way):
    alike = lambda rng, n: rng.uniform(0.04, 0.06, n)
    sizes = {
        "odd sizes": lambda rng, n: 0.05 * 10 ** rng.uniform(-1, 1, n),
        "alike with few large": lambda rng, n: np.where(np.arange(n) < 4, 0.5, alike(rng, n)),
    }
    where, r = cloud(400, 4, 0.6, sizes.get(way, alike))
    if way == "far from the origin":
        where[:, :3] += [1e3, -2e3, 5e2]
        where[17, :3] = 1e7
    points, count = contacts([ContactShape(SPHERE, (r[k],), k) for k in range(400)], where, 0.01)
    d = np.linalg.norm(where[:, None, :3] - where[None, :, :3], axis=2) - r[:, None] - r[None, :]
    a, b = np.nonzero(np.triu(d <= 0.01, 1))
    assert sorted(zip(points.shape_a[:count], points.shape_b[:count])) == sorted(zip(a, b))
    assert count > 200 and len(set(points.key[:count])) == count


def test_bodies_on_a_regular_grid_are_neighbours_once():
    # centres on the limits of cells, through zero and around the repetition of the grid
    n = 7
    where = poses(
        *[
            [0.1 * x, 0.1 * y, 0.1 * z]
            for x in range(-n, n)
            for y in range(-2, 2)
            for z in range(-2, 2)
        ]
    )
    points, count = contacts(
        [ContactShape(SPHERE, (0.05,), k) for k in range(len(where))], where, 1e-6
    )
    assert count == (2 * n - 1) * 16 + 2 * n * 12 * 2 and len(set(points.key[:count])) == count


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_order_and_frame_do_not_matter(a, b):
    for seed in range(3):
        first, second, where = scene(a, b, seed, [-1e-3, 1e-4, 2e-3][seed])
        points, count = contacts([first, second], where, 0.02)
        again, other = contacts([second, first], where, 0.02)
        assert count == other >= 0
        assert rows(again, count, -1.0) == pytest.approx(rows(points, count), abs=5e-6)
        # the whole scene moved by one rotation Q and shift
        rng = np.random.default_rng(seed)
        q, shift = rng.normal(size=4), rng.normal(size=3)
        q /= np.linalg.norm(q)
        Q = matrix(q)
        if PLANE in (a, b):
            continue
        moved = where.copy()
        moved[:, :3] = where[:, :3] @ Q.T + shift
        for k, (w, x, y, z) in enumerate(where[:, 3:]):
            moved[k, 3] = q[0] * w - q[1:] @ [x, y, z]
            moved[k, 4:] = q[0] * np.array([x, y, z]) + w * q[1:] + np.cross(q[1:], [x, y, z])
        rotated, number = contacts([first, second], moved, 0.02)
        # a corner on the very edge of the other's side may count as inside or not
        assert (number == 0) == (count == 0)
        if count:
            by_key = {k: n for n, k in enumerate(rotated.key[:number])}
            at = int(np.argmin(points.gap[:count]))
            assert rotated.gap[:number].min() == pytest.approx(points.gap[at], abs=1e-8)
            if points.key[at] in by_key:
                n = by_key[points.key[at]]
                assert rotated.normal[n] == pytest.approx(
                    Q @ points.normal[at], abs=2e-4
                ) and rotated.point[n] == pytest.approx(Q @ points.point[at] + shift, abs=2e-5)


def test_margin_only_says_how_far_one_looks():
    for a, b in PAIRS:
        first, second, where = scene(a, b, 1, 2e-3)
        wide, n = contacts([first, second], where, 0.05)
        if n == 0:
            continue
        least = wide.gap[:n].min()
        near, m = contacts([first, second], where, least + 1e-6)
        assert (
            m >= 1
            and near.gap[:m].min() == pytest.approx(least, abs=1e-8)
            and near.gap[:m].max() <= least + 1e-6
        )
        at, to = int(np.argmin(near.gap[:m])), int(np.argmin(wide.gap[:n]))
        assert near.normal[at] == pytest.approx(wide.normal[to], abs=1e-4)
        assert contacts([first, second], where, least - 1e-6)[1] == 0


def fly(shapes, where, velocity, step, margin=1e-3):
    points = contacts_of(
        shape_table(shapes), where, np.array(velocity, float), margin, contact_points(), step
    )[1]
    return points, int(points.count[0])


def test_fast_bodies_are_seen_in_time():
    wall = ContactShape(BOX, (0.005, 1.0, 1.0), GROUND)
    ball = ContactShape(SPHERE, (0.02,), 0)
    # 100 m/s, a step of 10 ms: 1 m, through a wall of 1 cm
    points, count = fly([wall, ball], poses([-0.6, 0.1, 0.2]), [[100, 0, 0, 0, 0, 0]], 0.01)
    assert count == 1 and points.normal[0] == pytest.approx([-1, 0, 0], abs=1e-12)
    # a step that respects the gap ends in touch
    assert points.gap[0] == pytest.approx(0.6 - 0.005 - 0.02, abs=1e-9)
    # not if it flies the other way, past the wall, or stops short of it
    assert fly([wall, ball], poses([-0.6, 0.1, 0.2]), [[-100, 0, 0, 0, 0, 0]], 0.01)[1] == 0
    assert fly([wall, ball], poses([-0.6, 0.9, 0.2]), [[100, 100, 0, 0, 0, 0]], 0.01)[1] == 0
    assert fly([wall, ball], poses([-0.6, 0.1, 0.2]), [[50, 0, 0, 0, 0, 0]], 0.01)[1] == 0
    assert fly([wall, ball], poses([-0.6, 0.1, 0.2]), [[100, 0, 0, 0, 0, 0]], 0.0)[1] == 0
    # two bodies that pass each other closer than they are now: a glancing shot misses, a slanting
    # one has the normal of the touch
    other = ContactShape(SPHERE, (0.02,), 1)
    pair = poses([0, 0, 0], [1.0, 0.045, 0])
    assert fly([ball, other], pair, [[100, 0, 0, 0, 0, 0], [-100, 0, 0, 0, 0, 0]], 0.01)[1] == 0
    pair = poses([0, 0, 0], [1.0, 0.02, 0])
    points, count = fly([ball, other], pair, [[100, 0, 0, 0, 0, 0], [-100, 0, 0, 0, 0, 0]], 0.01)
    s = np.sqrt(0.04**2 - 0.02**2)
    assert count == 1 and points.normal[0] == pytest.approx([s / 0.04, 0.5, 0], abs=0.02)
    # half of the way for each until they touch; the gap along that normal
    assert points.gap[0] == pytest.approx((1.0 - s) * points.normal[0][0], rel=2e-3)
    # the tip of a rod that turns fast
    rod = ContactShape(BOX, (0.5, 0.01, 0.01), 0)
    post = ContactShape(SPHERE, (0.02,), GROUND, (0.0, 0.48, 0.0))
    assert fly([rod, post], poses([0, 0, 0]), [[0, 0, 0, 0, 0, 200]], 0.005)[1] == 0
    points, count = fly([rod, post], poses([0, 0, 0]), [[0, 0, 0, 0, 0, 400]], 0.005)
    assert count >= 1 and abs(points.normal[0][0]) > 0.9


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("axis", range(3))
def test_the_gap_of_a_slanting_shot_is_what_is_left_along_the_normal(axis, way):
    """0.6 m less half of the wall and the radius, whichever way the wall faces and however fast the
    ball goes along it.
    """
    half, start, velocity, normal = np.ones(3), np.full(3, 0.1), np.full(3, 20.0), np.zeros(3)
    half[axis], start[axis], velocity[axis], normal[axis] = 0.005, -0.6 * way, 100.0 * way, -way
    wall, ball = ContactShape(BOX, tuple(half), GROUND), ContactShape(SPHERE, (0.02,), 0)
    points, count = fly([wall, ball], poses(start.tolist()), [[*velocity, 0, 0, 0]], 0.01)
    assert count == 1 and points.normal[0] == pytest.approx(normal, abs=1e-12)
    assert points.gap[0] == pytest.approx(0.6 - 0.005 - 0.02, abs=1e-9)


def test_bodies_that_may_not_touch_are_left_alone():
    shapes = [
        ContactShape(SPHERE, (0.1,), 0),
        ContactShape(SPHERE, (0.1,), 1),
        ContactShape(SPHERE, (0.1,), 1, (0.05, 0.0, 0.0)),
        ContactShape(PLANE),
    ]
    where = poses([0, 0, 0.05], [0.1, 0, 0.05])
    pairs = lambda **more: {
        (int(a), int(b))
        for p, n in [contacts(shapes, where, **more)]
        for a, b in zip(p.body_a[:n], p.body_b[:n])
    }
    assert pairs() == {(0, 1), (0, -1), (1, -1)}
    assert pairs(excluded=[(1, 0)]) == {(0, -1), (1, -1)} and pairs(excluded=[(-1, 1), (0, 5)]) == {
        (0, 1),
        (0, -1),
    }
    grouped = [ContactShape(**{**s.__dict__, "group": 3}) for s in shapes[:3]]
    assert contacts(grouped, where)[1] == 0


def test_nothing_is_allocated_and_rooms_grow_on_request():
    where, _r = cloud(200, 7, 0.3, lambda rng, n: np.full(n, 0.05))
    table, points = (
        shape_table([ContactShape(SPHERE, (0.05,), k) for k in range(200)] + [ContactShape(PLANE)]),
        contact_points(8),
    )
    velocities = np.zeros((200, 6))
    requested = find_contacts(table, where, velocities, 0.01, points)
    assert requested > 8 and points.count[0] == 0
    new, more = make_room(table, points, requested)
    assert len(more.gap) > 8 or len(new.work.pairs) > len(table.work.pairs)
    table, points = contacts_of(table, where, velocities, 0.01, points)
    assert points.count[0] > 200 and contacts_of(table, where, velocities, 0.01, points) == (
        table,
        points,
    )
    tracemalloc.start()
    for _ in range(20):
        find_contacts(table, where, velocities, 0.01, points)
    arrays = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    made = tracemalloc.take_snapshot().filter_traces([arrays]).traces
    tracemalloc.stop()
    # data of arrays alone: the way into a kernel keeps some objects of its own
    assert len(made) == 0, list(made)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (ContactShape(SPHERE, (0.0,), 0, name="ball"), "ball"),
        (ContactShape(BOX, (1.0, 1.0), 0), "3 lengths"),
        (ContactShape(PLANE, body=0), "cannot move"),
        (ContactShape(CONE, (0.0, 0.0, 1.0), 0), "no width"),
        (ContactShape(HULL, points=np.eye(4)[:, :3] * [1, 1, 0], body=0), "enclose nothing"),
        (ContactShape(SPHERE, (1.0,), 0, (np.nan, 0, 0)), "nowhere"),
        (ContactShape(MESH), "points"),
    ],
)
def test_a_shape_that_cannot_touch_is_named(shape, words):
    with pytest.raises(ContactShapeError, match=words):
        shape_table([shape])


def test_degenerate_poses_have_numbers():
    for a, b in PAIRS:
        if PLANE in (a, b):
            continue
        for where in (
            poses([0, 0, 0], [0, 0, 0]),
            poses([0, 0, 0], [0, 0, 1e-13]),
            poses([0, 0, 0], [0.05, 0, 0]),
        ):
            first, second = (
                ContactShape(**{**SOME[k].__dict__, "body": n}) for n, k in enumerate((a, b))
            )
            points, count = contacts([first, second], where)
            assert (
                count >= 1
                and np.all(np.isfinite(points.gap[:count]))
                and np.all(np.isfinite(points.point[:count]))
            )
            assert (
                np.linalg.norm(points.normal[:count], axis=1) == pytest.approx(1.0, abs=1e-9)
                and points.gap[:count].min() < 0
            )
