"""Motion generation: linkages with a link that goes through poses (Burmester's problem).

A point of the coupler that stays on a circle of ground, or on a line, is the end of a link to
ground (a dyad); two of them carry the coupler.  For the pose with origin d and direction w = exp(i
φ), a point z of the coupler on a circle about c obeys

    |d|² + |z|² + |c|² - r² + 2 Re(conj(d) w z) - 2 Re(conj(c) d) - 2 Re(conj(c) z w) = 0,

which is linear in z, c, m = conj(c) z and K = |z|² + |c|² - r²: n poses are n rows on eight
homogeneous numbers, and m p0 = conj(c) z, K stands for itself.  Five poses leave a plane on which
two conics meet in at most four dyads; four a curve of them; three any point of the coupler.
"""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.synthesis import defects
from mechstudio.synthesis.atlas import nearest
from mechstudio.synthesis.linkages import (
    LINKAGES,
    Linkage,
    LinkageType,
    Placed,
    along,
    moved,
    no_such_linkage,
)
from mechstudio.synthesis.refinement import Candidate, Task, distinct, refined, shifted
from mechstudio.translation import tr

FAMILY = 400  # dyads that are tried where there are infinitely many
FAR = 20.0  # sizes beyond which a link is as good as a slide, and is left out
REAL = 1e-7  # imaginary part of a root that counts as rounding
SAME = 1e-9  # singular value, as a share of the greatest, below which poses determine nothing more
EXACT = 1e-9  # of an exact answer, as a share of the size
PAIRS, ENOUGH = 4000, 150  # pairs of dyads that are examined, until so many linkages are found
SQUARES = 30  # pairs that are refined by least squares
STARTS, EVALUATIONS = 60, 80  # linkages of the atlas that are refined, and evaluations of each
POLISHED, LAST = 5, 400  # best ones that are refined to their ends, with so many evaluations

Start = tuple[np.ndarray, np.ndarray, np.ndarray]  # parameters, sides, crank angles


def generate(
    points: Sequence[complex] | np.ndarray,
    angles: Sequence[float] | np.ndarray,
    type: str = "four_bar",
    task: Task = Task(turn=False),
    seed: int = 1,
    starts: int = STARTS,
    progress: Callable[[float], bool] = lambda _: True,
    heard: Callable[[Candidate], object] = lambda _: None,
) -> list[Candidate]:
    """Linkages with a link that goes through poses with origins x + i y (k,) [m] and angles (k,)
    [rad], the best first: those that meet them exactly by their transmission, then the others by
    their error.  Their tracer is the origin of the pose.

    Four-bars meet three to five poses by Burmester's dyads; with more poses, and of other types,
    linkages of the atlas are refined by least squares, `starts` of them.
    Raises ValueError for fewer than three poses, equal neighbours, or no linkage of such a type.
    """
    kind, d, w, size = _checked(points, angles, type)
    # sizes are small beside a place far from the origin
    middle = complex(d.mean())
    d, task = d - middle, shifted(task, -middle)
    rng = np.random.default_rng(seed)
    found: list[Candidate] = []

    def back(c: Candidate) -> Candidate:
        p = moved(kind, c.linkage.parameters, np.array(1.0 + 0j), np.array(middle))
        return c._replace(linkage=c.linkage._replace(parameters=p))

    def add(linkage: Linkage | None, least: float) -> None:
        if linkage is None or defects.defect(linkage, task.turn, task.closed):
            return
        ordered = defects.ordered(linkage.angles, task.closed)
        assert ordered is not None, "without a defect of order"
        linkage = linkage._replace(angles=ordered)
        sine = defects.transmission(linkage, task.turn or task.closed)
        error = _error(linkage, d, w, size)
        if sine >= task.transmission and error < least and _fits(linkage, task):
            worst = float(np.abs(linkage.place(linkage.angles).pins[kind.tracer] - d).max())
            found.append(Candidate(linkage, error, sine, linkage.turns, worst))
            heard(back(found[-1]))

    misses = lambda placed: _off(kind, placed, d, w, size)
    is_exact = type == "four_bar" and len(d) <= 5
    begun: list[Start] = []
    if type == "four_bar":
        pairs = _pairs(d, w, task, rng)
        for k, (first, second) in enumerate(pairs):
            if len(found) >= ENOUGH or (k % 10 == 0 and not progress(k / len(pairs))):
                break
            linkage = _four_bar(d, w, *first, *second)
            if linkage is not None and is_exact:
                add(linkage, EXACT * size)
            elif linkage is not None:
                begun.append(_start(linkage, task))
    if not is_exact:
        begun += nearest(kind, d, rng, starts, task, w)
        for k, start in enumerate(begun):
            if not progress(k / len(begun)):
                break
            add(refined(type, start, task, size, misses, EVALUATIONS), math.inf)
        # the best of them to their ends
        for best in distinct(best_first(found, size), size)[:POLISHED]:
            start = _start(best.linkage, task)
            add(refined(type, start, task, size, misses, LAST), math.inf)
    return [back(c) for c in distinct(best_first(found, size), size)]


def best_first(found: Sequence[Candidate], size: float) -> list[Candidate]:
    """Linkages for a motion: those that meet its poses by their transmission, then the others by
    their error.  size [m]: of the places of the poses.
    """
    exact = lambda c: c.error < EXACT * size
    return sorted(found, key=lambda c: (0, -c.transmission) if exact(c) else (1, c.error))


def _pairs(
    d: np.ndarray, w: np.ndarray, task: Task, rng: np.random.Generator
) -> list[tuple[tuple[complex, complex], tuple[complex, complex]]]:
    """Pairs of dyads, each its point of the coupler and its centre, within the conditions."""
    z, c = dyads(d, w, rng)
    if task.region is not None:
        x0, y0, x1, y1 = task.region
        inside = (np.real(c) >= x0) & (np.real(c) <= x1) & (np.imag(c) >= y0) & (np.imag(c) <= y1)
        z, c = z[inside], c[inside]
    if task.lengths is not None:
        r = np.abs(d[0] + w[0] * z - c)
        inside = (r >= task.lengths[0]) & (r <= task.lengths[1])
        z, c = z[inside], c[inside]
    ends = list(zip(z.tolist(), c.tolist(), strict=True))
    pairs = list(itertools.permutations(ends, 2))
    most = PAIRS if len(d) <= 5 else SQUARES
    if len(pairs) > most:
        pairs = [pairs[k] for k in rng.choice(len(pairs), most, replace=False)]
    return pairs


def _fits(linkage: Linkage, task: Task) -> bool:
    """True if the coupler of a four-bar that was not refined is as long as is requested."""
    if task.lengths is None:
        return True
    low, high = task.lengths
    return low * (1 - 1e-9) <= abs(linkage.values()["AB"]) <= high * (1 + 1e-9)


def _start(linkage: Linkage, task: Task) -> Start:
    """Parameters, sides and crank angles in their order, from which a linkage is refined."""
    angles = defects.ordered(linkage.angles, task.closed)
    return linkage.parameters, linkage.sides, linkage.angles if angles is None else angles


def _checked(
    points: Sequence[complex] | np.ndarray, angles: Sequence[float] | np.ndarray, type: str
) -> tuple[LinkageType, np.ndarray, np.ndarray, float]:
    if type not in LINKAGES:
        raise ValueError(no_such_linkage(type))
    d, w = np.asarray(points, complex), np.exp(1j * np.asarray(angles, float))
    if len(d) != len(w):
        raise ValueError(tr("Each point of the coupler needs its angle."))
    if len(d) < 3 or not (np.isfinite(d).all() and np.isfinite(w).all()):
        raise ValueError(tr("A motion has at least three poses."))
    if (np.abs(np.diff(d)) + np.abs(np.diff(w)) == 0.0).any():
        raise ValueError(tr("Two neighbouring poses are the same."))
    size = float(np.ptp(np.real(d)) + np.ptp(np.imag(d)))
    if size == 0.0:
        raise ValueError(tr("The coupler turns about one point, which a pin does alone."))
    return LINKAGES[type], d, w, size


def dyads(d: np.ndarray, w: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Points z of the coupler and centres c (m,) of their circles for poses with origins d and
    directions w (n,): all of them for five poses, some of the family for fewer, those of least
    algebraic squares for more.
    """
    middle, size = d.mean(), float(np.ptp(np.real(d)) + np.ptp(np.imag(d)))
    own = (d - middle) / size
    columns = [
        np.abs(own) ** 2,
        2 * (np.conj(own) * w).real,
        -2 * (np.conj(own) * w).imag,
        -2 * np.real(own),
        -2 * np.imag(own),
        -2 * np.real(w),
        2 * np.imag(w),
        np.ones(len(own)),
    ]
    matrix = np.stack(columns, axis=1)
    _, sizes, rows = np.linalg.svd(matrix)
    # poses of which some add nothing, as those of a parallelogram, leave a family too
    free = max(3, 8 - int((sizes > SAME * sizes[0]).sum()))
    base = rows[8 - free :]
    if free == 3:
        found = _meeting(base)
    else:
        # the family is cut by random planes
        cuts = []
        for _ in range(FAMILY):
            mix, _ = np.linalg.qr(rng.normal(size=(free, 3)))
            cuts.append(_meeting(mix.T @ base))
        found = np.concatenate(cuts)
    p0 = found[:, 0]
    finite = np.abs(p0) * FAR > np.abs(found[:, 1:7]).max(axis=1)
    p = found[finite] / p0[finite, None]
    z, c = p[:, 1] + 1j * p[:, 2], p[:, 3] + 1j * p[:, 4]
    return z * size, c * size + middle


def _meeting(base: np.ndarray) -> np.ndarray:
    """Rows (m, 8) of the plane of three rows (3, 8) that are dyads: m p0 = conj(c) z in both
    parts.
    """
    # quadratic forms of the plane's coordinates: the real and the imaginary part
    one = _form(base, ((0, 5, 1.0), (1, 3, -1.0), (2, 4, -1.0)))
    two = _form(base, ((0, 6, 1.0), (2, 3, -1.0), (1, 4, 1.0)))
    # a pencil of conics has a degenerate one, whose two lines meet the other conic
    with np.errstate(all="ignore"):
        roots = _conics(one, two)
    return roots @ base if len(roots) else np.zeros((0, 8))


def _form(base: np.ndarray, terms: tuple[tuple[int, int, float], ...]) -> np.ndarray:
    out = np.zeros((3, 3))
    for i, j, factor in terms:
        product = factor * np.outer(base[:, i], base[:, j])
        out += (product + product.T) / 2
    return out


def _conics(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Real points (m, 3) in which two conics x' A x = 0 meet, m <= 4."""
    # resultant in the third coordinate after a turn that no conic is special to
    turn = _TURN
    a, b = turn.T @ one @ turn, turn.T @ two @ turn

    # a conic as a quadratic in y with z = 1: q2 y² + q1(x) y + q0(x)
    def parts(m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return (
            np.array([m[1, 1]]),
            np.array([2 * m[0, 1], 2 * m[1, 2]]),
            np.array([m[0, 0], 2 * m[0, 2], m[2, 2]]),
        )

    a2, a1, a0 = parts(a)
    b2, b1, b0 = parts(b)
    mul, sub = np.polymul, np.polysub
    first = sub(mul(a2, b0), mul(b2, a0))
    quartic = sub(
        mul(first, first),
        mul(sub(mul(a2, b1), mul(b2, a1)), sub(mul(a1, b0), mul(b1, a0))),
    )
    out = []
    for x in np.roots(quartic):
        if abs(x.imag) > REAL * max(1.0, abs(x)):
            continue
        x = x.real
        linear = np.polyval(sub(mul(a2, b1), mul(b2, a1)), x)
        y = -np.polyval(first, x) / linear if linear else math.nan
        if not math.isfinite(y):
            continue
        point = _polished(np.array([x, y, 1.0]), a, b)
        if point is not None:
            out.append(turn @ point)
    return np.array(out).reshape(len(out), 3)


def _polished(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """A meeting point of two conics to rounding by Newton's method; None where it is none."""
    x = x / np.linalg.norm(x)
    for _ in range(8):
        residual = np.array([x @ a @ x, x @ b @ x])
        matrix = np.stack([2 * a @ x, 2 * b @ x])
        step = np.linalg.lstsq(matrix, -residual, rcond=None)[0]
        x = x + step
        x = x / np.linalg.norm(x)
    scale = max(np.abs(a).max(), np.abs(b).max())
    return x if np.abs([x @ a @ x, x @ b @ x]).max() < 1e-12 * scale else None


# a turn of the plane's coordinates by odd angles
_TURN = np.linalg.qr(np.array([[1.0, 0.37, -0.61], [0.23, 1.0, 0.43], [0.71, -0.29, 1.0]]))[0]


def _four_bar(
    d: np.ndarray, w: np.ndarray, z: complex, c: complex, y: complex, b: complex
) -> Linkage | None:
    """The four-bar of two dyads at the poses; None where they are one, or lie on two sides."""
    first, second = d + w * z, d + w * y
    line = y - z
    if abs(line) < 1e-6 * max(abs(z), abs(y), 1e-300) or abs(c - b) == 0.0:
        return None
    crank = first - c
    # the point of the dyad left of the line from the crank's end to the rocker's pivot
    side = np.sign((np.conj(b - first) * (second - first)).imag)
    if not (side == side[0]).all() or side[0] == 0.0:
        return None
    tracer = -z / line * abs(line)
    parameters = np.array(
        [
            c.real,
            c.imag,
            b.real,
            b.imag,
            abs(crank[0]),
            abs(line),
            abs(second[0] - b),
            tracer.real,
            tracer.imag,
        ]
    )
    return Linkage("four_bar", parameters, side[:1], np.angle(crank))


def _off(
    kind: LinkageType, placed: Placed, d: np.ndarray, w: np.ndarray, size: float
) -> np.ndarray:
    """Distances of poses (..., 4 k) by the size: of the origin, and of the direction, whose first
    one is where the carrier's own axes lie as is best.
    """
    at = (placed.pins[kind.tracer] - d) / size
    way = along(kind, placed) / w
    mean = way.mean(axis=-1, keepdims=True)
    turned = way - mean / np.maximum(np.abs(mean), 1e-300)
    return np.concatenate((at.real, at.imag, turned.real, turned.imag), axis=-1)


def _error(linkage: Linkage, d: np.ndarray, w: np.ndarray, size: float) -> float:
    off = _off(LINKAGES[linkage.type], linkage.place(linkage.angles), d, w, size)
    return size * math.sqrt(float(off @ off) / len(d))
