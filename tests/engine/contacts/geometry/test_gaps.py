"""Gaps and normals of every pair of shapes at random poses, against a search over directions that
knows support functions only.
"""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mechstudio.engine.contacts.geometry.search import contacts_of
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    DISC,
    ELLIPSOID,
    GROUND,
    HULL,
    NAMES,
    PLANE,
    SPHERE,
    ContactShape,
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from tests.engine.contacts.reference import best_direction, outside, pose_of, separation

SOME = {
    SPHERE: ContactShape(SPHERE, (0.07,)),
    PLANE: ContactShape(PLANE),
    BOX: ContactShape(BOX, (0.09, 0.05, 0.03)),
    CAPSULE: ContactShape(CAPSULE, (0.03, 0.06)),
    CYLINDER: ContactShape(CYLINDER, (0.05, 0.06)),
    CONE: ContactShape(CONE, (0.06, 0.02, 0.05)),
    DISC: ContactShape(DISC, (0.08, 0.01)),
    ELLIPSOID: ContactShape(ELLIPSOID, (0.09, 0.05, 0.03)),
    HULL: ContactShape(
        HULL, points=np.random.default_rng(5).normal(size=(14, 3)) * [0.05, 0.04, 0.06]
    ),
}
KINDS = [k for k in SOME]
PAIRS = [
    (a, b) for a, b in itertools.combinations_with_replacement(KINDS, 2) if (a, b) != (PLANE, PLANE)
]


def unit(rng, n):
    v = rng.normal(size=n)
    return v / np.linalg.norm(v)


def scene(a, b, seed, gap):
    """Two shapes at random poses about `gap` apart, A on the ground if it is a plane; gap NaN:
    anywhere near each other.
    """
    rng = np.random.default_rng(seed)
    fixed = PLANE in (a, b)
    first = SOME[a].__class__(
        **{
            **SOME[a].__dict__,
            "body": GROUND if a == PLANE else 0,
            "place": tuple(0.1 * rng.normal(size=3)),
            "turn": tuple(unit(rng, 4)),
        }
    )
    second = SOME[b].__class__(
        **{
            **SOME[b].__dict__,
            "body": GROUND if b == PLANE else (0 if fixed else 1),
            "place": tuple(0.1 * rng.normal(size=3)),
            "turn": tuple(unit(rng, 4)),
        }
    )
    poses = np.zeros((2, 7))
    for k in range(2):
        poses[k, :3], poses[k, 3:] = 0.3 * rng.normal(size=3), unit(rng, 4)
    mover = second.body if second.body >= 0 else first.body
    n = unit(rng, 3)
    if fixed:
        n = pose_of(first, poses)[1][:, 2] if a == PLANE else -pose_of(second, poses)[1][:, 2]
    else:
        # one behind the other along n, a little aside
        at = [pose_of(s, poses)[0] for s in (first, second)]
        poses[mover, :3] += at[0] - at[1] + 0.02 * rng.normal(size=3)
    # bring them to the requested distance along n
    sign = 1.0 if second.body >= 0 else -1.0
    poses[mover, :3] += sign * n * (gap - separation(first, second, poses, n))
    return first, second, poses


def contacts(shapes, poses, margin, **more):
    _table, points = contacts_of(shape_table(shapes, **more), poses, None, margin, contact_points())
    return points


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=[f"{NAMES[a]}-{NAMES[b]}" for a, b in PAIRS])
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10**6), gap=st.sampled_from([-0.02, -1e-3, -1e-5, 0.0, 1e-5, 1e-3, 0.004])
)
@pytest.mark.thinned(3)
def test_the_least_gap_is_the_signed_distance(a, b, seed, gap):
    first, second, poses = scene(a, b, seed, gap)
    points = contacts([first, second], poses, 0.05)
    count = points.count[0]
    if count == 0:
        # s(n) is a lower bound, so they may be farther apart than along n
        assert best_direction(first, second, poses, seed)[1] > 0.05 - 1e-4
        return
    least = int(np.argmin(points.gap[:count]))
    n, found = points.normal[least], points.gap[least]
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
    # it is s(n): for shapes that are apart no pair of points is nearer, for others n is a way out;
    # of 9 900 wild poses of all pairs one in 600 differs by more than 2e-7 m, none by 8e-7 m
    assert separation(first, second, poses, n) == pytest.approx(found, abs=1e-6)
    if PLANE in (a, b):
        return
    # and no direction, near or far, has more; where the shapes are apart s has no other hill, so
    # that what is best nearby is best
    rng = np.random.default_rng(seed)
    for size in (1e-6, 1e-4, 1e-2, 0.3, 3.0):
        for _ in range(12):
            m = n + size * rng.normal(size=3)
            assert separation(first, second, poses, m / np.linalg.norm(m)) <= found + 2e-7
    # every contact lies on both surfaces: outside neither, and the nearest not inside either
    for c in {0, least, int(count) - 1}:
        assert (
            points.gap[c] >= found
            and separation(first, second, poses, points.normal[c]) <= points.gap[c] + 2e-7
        )
        half = 0.5 * points.gap[c] * points.normal[c]
        for shape, sign in ((first, -1.0), (second, 1.0)):
            # by 0.1 mm at 6 cm: between two round sides that are centimetres apart the search ends
            # before the points have all their digits, the gap has them
            most = outside(
                shape, poses, points.point[c] + sign * half, -sign * points.normal[c], rng
            )
            assert most < 1e-4 and (c != least or most > -1e-4)


@pytest.mark.parametrize(
    ("a", "b"), [p for p in PAIRS if PLANE not in p], ids=lambda kind: NAMES[kind]
)
@pytest.mark.parametrize("size", [1e-5, 1e-3, 2e-2, 0.3])
@pytest.mark.thinned(5)
def test_a_search_that_begins_with_the_last_one_finds_what_a_first_one_does(a, b, size):
    """Shapes that move by `size` of their own size, from a little each time to somewhere else."""
    met = 0
    for seed in range(6):
        gap = (-0.02, -1e-3, -1e-5, 0.0, 1e-5, 1e-3)[seed]
        first, second, poses = scene(a, b, seed, gap)
        table, rng = shape_table([first, second]), np.random.default_rng(seed)
        for _ in range(8):
            _, again = contacts_of(table, poses, None, 0.05, contact_points())
            points = contacts([first, second], poses, 0.05)
            assert (again.count[0] > 0) == (points.count[0] > 0)
            if points.count[0]:
                met += 1
                gaps = [c.gap[: c.count[0]].min() for c in (again, points)]
                assert gaps[0] == pytest.approx(gaps[1], abs=1e-8)
            poses[:, :3] += 0.05 * size * rng.normal(size=(2, 3))
            poses[:, 3:] += size * rng.normal(size=(2, 4))
            poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1)[:, None]
    assert met > 10


@pytest.mark.parametrize(
    ("a", "b"), [p for p in PAIRS if PLANE not in p], ids=lambda kind: NAMES[kind]
)
@pytest.mark.thinned(3)
def test_a_search_near_a_known_normal_finds_the_same(a, b):
    """The search with the normal that the contact had before, 6 degrees off, ends where that of
    all sides does.
    """
    met = 0
    for seed in range(40):
        gap = (-1e-3, -1e-5, 0.0, 1e-5, 1e-3)[seed % 5]
        first, second, poses = scene(a, b, seed, gap)
        table = shape_table([first, second])
        _, points = contacts_of(table, poses, None, 0.05, contact_points())
        count = points.count[0]
        if count == 0:
            continue
        met += 1
        least = int(np.argmin(points.gap[:count]))
        gap, normal = float(points.gap[least]), points.normal[least].copy()
        n = normal + 0.1 * unit(np.random.default_rng(seed), 3)
        # A is the one of the lower kind
        table.work.toward[:] = *(n / np.linalg.norm(n) * (1.0 if a <= b else -1.0)), 1.0
        _, again = contacts_of(table, poses, None, 0.05, contact_points())
        least = int(np.argmin(again.gap[: again.count[0]]))
        assert again.gap[least] == pytest.approx(gap, abs=1e-6)
        assert again.normal[least] == pytest.approx(normal, abs=2e-5)
    assert met > 10
