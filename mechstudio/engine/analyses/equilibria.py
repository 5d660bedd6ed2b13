"""Static equilibria: poses at which nothing accelerates, searched from many starts, each with its stability (THEORY 5)."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.model.mechanism import Force

from ..instant import Instant
from ..loads import Loads
from ..system import System
from .linear import linearise
from .over_time import coordinate_names
from .partition import Partition

STARTS = 40
WALK = 3.2              # radians or parts of the size that one stride of a walk to a new start goes at most
ITERATIONS = 60
HALVINGS = 3            # of a step that does not lessen the force
LONGEST = 0.4           # radians or parts of the size, of one step of the search
AT_REST = 1e-9          # part of the largest load that may be left over
NEUTRAL = 1e-7          # least stiffness over the largest below which neither is said
DECAYS = 1e-5           # growth over the fastest rate up to which small motions count as not growing
GROWS = 1e-10           # the same from which they count as growing
SAME = 1e-6             # radians or parts of the size between poses that are one


class Equilibrium(NamedTuple):
    """poses (n, 7); coordinates (f,): of all joints; stable: True, False, or None where it is neutral; stiffness: least eigenvalue of the reduced stiffness
    [N m or N], of conservative loads; growth: largest real part of the eigenvalues there [1/s]; state: (ny,).   left: part of the largest load that the
    joints do not hold, by the balance of every body.   sure: whether stiffness and growth, each found by itself, say the same of its stability."""

    poses: np.ndarray
    coordinates: np.ndarray
    stable: bool | None
    stiffness: float
    growth: float
    state: np.ndarray
    left: float
    sure: bool = True


class Search(NamedTuple):
    """equilibria found; starts: how many were tried; conservative: whether stability follows from the stiffness alone."""

    equilibria: tuple[Equilibrium, ...]
    starts: int
    conservative: bool


def equilibria(system: System, starts: int = STARTS, seed: int = 0, progress: Callable[[float], None] | None = None) -> Search:
    """Equilibria that are found from `starts` poses: the drawn one, and others walked to at random on the constraint manifold.

    Drives are taken as they are: a driven coordinate rests where the drawing has it.   A search can miss some: it tells from how many starts it looked.
    """
    random = np.random.default_rng(seed)
    loads = Loads(system.mechanism, system.joint_rows)
    names = coordinate_names(system)
    found: list[np.ndarray] = []
    rest = system.start.copy()
    rest[system.where.nq:system.where.nq + system.where.nv] = 0.0
    at = rest
    for n in range(starts):
        try:
            state = _descend(system, at, names, loads)
        except np.linalg.LinAlgError:
            state = None
        if state is not None and not any(_same(system, state, other, loads) for other in found):
            found.append(state)
        if progress is not None:
            progress((n + 1) / starts)
        at = _walked(system, rest, names, random)
    conservative = all(_has_potential(force) for force in system.mechanism.forces.values())
    out = [_judged(system, y, names, conservative, loads) for y in found]
    return Search(tuple(sorted(out, key=lambda e: (e.stable is False, tuple(e.coordinates)))), starts, conservative)


def _walked(system: System, y: np.ndarray, names, random) -> np.ndarray:
    """A pose some strides along the manifold away."""
    for _ in range(4):
        p = Partition(system, y, names)
        if not p.independent:
            return y
        step = random.uniform(-WALK, WALK, len(p.independent)) * p.natural[list(p.independent)]
        # in pieces, so that closing stays on its branch
        for _ in range(16):
            y = p.closed(y, step / 16, np.zeros(len(p.independent)))
            if not np.isfinite(y).all():
                return system.start.copy()
    return y


def _force(system: System, y: np.ndarray, partition: Partition, loads: Loads) -> np.ndarray:
    """Reduced static force (d,): B^T Q at rest, from the loads themselves."""
    from ..initial import body_jacobians
    now = Instant(system, y, loads)
    J, B = body_jacobians(y, system.tables), partition.B(y)
    Q = np.zeros(J.shape[2])
    for action in now.loads:
        for body, w in action.wrenches.items():
            if body:
                Q += w @ J[body - 1]
    return B.T @ Q


def _descend(system: System, y: np.ndarray, names, loads: Loads) -> np.ndarray | None:
    """Newton's method on B^T Q = 0 with differences, steps limited and halved while the force does not shrink; None where it does not arrive."""
    scale = 0.0
    for _ in range(ITERATIONS):
        p = Partition(system, y, names)
        d, units = len(p.independent), p.natural[list(p.independent)]
        zero = np.zeros(d)
        if not d:
            return y
        r = _force(system, y, p, loads) * units
        scale = max(scale, float(np.abs(r).max(initial=0.0)), _weight(system))
        if np.abs(r).max() <= AT_REST * scale:
            return y
        h = 1e-5
        K = np.column_stack([(_force(system, p.closed(y, s, zero), p, loads) - _force(system, p.closed(y, -s, zero), p, loads)) * units / (2 * h)
                             for s in (h * units[c] * np.eye(d)[c] for c in range(d))])
        step = -np.linalg.lstsq(K, r, rcond=1e-10)[0]
        largest = float(np.abs(step).max())
        if largest == 0.0:
            return None                                        # no slope leads on from here
        step *= min(1.0, LONGEST / largest) * units
        # where no part of the step lessens the force, the whole of it leads out of the hollow
        tried = [p.closed(y, step, zero)]
        while len(tried) <= HALVINGS and not _lessens(system, tried[-1], p, loads, r, units):
            tried.append(p.closed(y, step * 0.5 ** len(tried), zero))
        y = tried[-1] if len(tried) <= HALVINGS else tried[0]
        if not np.isfinite(y).all():
            return None
    return None


def _lessens(system: System, y: np.ndarray, partition: Partition, loads: Loads, before: np.ndarray, units: np.ndarray) -> bool:
    """Whether the force at a pose is less than before, in natural units."""
    return bool(np.isfinite(y).all()) and float(np.linalg.norm(_force(system, y, partition, loads) * units)) < float(np.linalg.norm(before))


def _has_potential(force: Force) -> bool:
    """Whether a force at rest is the slope of an energy; what only slows motion down counts as such, since it vanishes there."""
    if force.laws:
        return False
    if force.type == "force":
        return force.axes == "world"
    # a moment that keeps its direction in space is the slope of no energy when the body may turn about several axes
    return force.type != "torque"


def _weight(system: System) -> float:
    """The moment of the whole weight at the mechanism's size [N m]: what a force is compared with."""
    g = np.linalg.norm([q.value for q in system.mechanism.gravity])
    return float(sum(n.mass for n in system.tree.nodes) * g * system.size)


def _same(system: System, a: np.ndarray, b: np.ndarray, loads: Loads) -> bool:
    first, second = Instant(system, a, loads).motion.poses, Instant(system, b, loads).motion.poses
    turn = 1.0 - np.abs(np.sum(first[:, 3:] * second[:, 3:], axis=1))
    return bool(np.abs(first[:, :3] - second[:, :3]).max(initial=0.0) < SAME * system.size and np.sqrt(2 * np.maximum(turn, 0.0)).max(initial=0.0) < SAME)


def _judged(system: System, y: np.ndarray, names, conservative: bool, loads: Loads) -> Equilibrium:
    p = Partition(system, y, names)
    d, units = len(p.independent), p.natural[list(p.independent)]
    now = Instant(system, y, loads)
    poses, coordinates, left = now.motion.poses, now.motion.coordinates, now.unheld()
    if not d:
        return Equilibrium(poses, coordinates, True, float("nan"), float("nan"), y, left)
    h, zero = 1e-5, np.zeros(d)
    K = -np.column_stack([(_force(system, p.closed(y, s, zero), p, loads) - _force(system, p.closed(y, -s, zero), p, loads)) * units / (2 * h)
                          for s in (h * units[c] * np.eye(d)[c] for c in range(d))])
    K = 0.5 * (K + K.T)
    least = float(np.linalg.eigvalsh(K)[0])
    scale = max(float(np.abs(K).max()), 1e-12 * _weight(system), 1e-300)
    modes = linearise(system, y).modes
    growth = max((m.eigenvalue.real for m in modes), default=0.0)
    part = growth / max(max((abs(m.eigenvalue) for m in modes), default=0.0), 1e-300)
    if not conservative:
        return Equilibrium(poses, coordinates, None if abs(part) < 1e-6 else growth < 0, least, growth, y, left)
    stable = None if abs(least) < NEUTRAL * scale else least > 0
    sure = stable is None or (part < DECAYS if stable else part > GROWS)
    return Equilibrium(poses, coordinates, stable, least, growth, y, left, sure)
