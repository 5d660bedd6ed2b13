"""Cost of a step with contacts: piles of balls and boxes settling in a tray, a stack, and a
four-bar that touches.

    python -m tests.benchmarks.contacts [NAME …] [--peers]

One thread, CPU time, after a warm-up.  Columns: CPU ms per step and its median, contacts,
iterations per step, ns per contact and iteration, largest residual [m/s] and overlap [m] in the
measured steps.  --peers: beside them MuJoCo and PyBullet in the same tray with the same bodies and
starts (contact_peers.py), in turn in one run, with their overlaps and residuals.
"""

import sys
import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    HULL,
    PLANE,
    SPHERE,
    ContactShape,
    shape_table,
)
from mechstudio.engine.contacts.world import StepOptions, Surface, World
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.mechanism import Body, Mechanism, Placement
from mechstudio.model.quantity import Quantity, vector
from tests.benchmarks.machine import describe

R, DENSITY = 0.05, 1000.0
HALF = (0.05, 0.04, 0.03)
# of this engine beside its peers [m/s], the first of them in all other figures
TOLERANCES = (1e-3, 5e-4, 3e-3, 1e-2)
COMPARED = ("boxes 10", "hulls 20", "boxes 100", "capsules 100", "boxes 500", "balls 1000")


def tray(width: float) -> list[ContactShape]:
    """A floor and four walls as planes; width: half of the inside [m]."""
    half = np.sqrt(0.5)
    walls = (
        ((-width, 0.0, 0.0), (half, 0.0, half, 0.0)),
        ((width, 0.0, 0.0), (half, 0.0, -half, 0.0)),
        ((0.0, -width, 0.0), (half, -half, 0.0, 0.0)),
        ((0.0, width, 0.0), (half, half, 0.0, 0.0)),
    )
    return [ContactShape(PLANE), *(ContactShape(PLANE, place=at, turn=turn) for at, turn in walls)]


def _world(bodies: list[Body], shapes: list[ContactShape], **options) -> World:
    system = compile_system(Mechanism({b.id: b for b in bodies}))
    return World(
        system,
        shape_table(shapes),
        [Surface(0.5)],
        StepOptions(
            **{
                "step": 2e-3,
                "tolerance": 1e-3,
                "most": 400,
                "margin": 0.005,
                "projection": False,
                **options,
            }
        ),
    )


def _body(n: int, at, mass: float, inertia, angles=(0.0, 0.0, 0.0)) -> Body:
    return Body(
        f"b{n}",
        f"b{n}",
        placement=Placement(vector(*at), vector(*angles)),
        mass=Quantity(mass),
        center_of_mass=vector(0, 0, 0),
        inertia=tuple(Quantity(float(x)) for x in (*inertia, 0, 0, 0)),
    )


def places(
    count: int, side: int, pitch: float, low: float, seed: int
) -> tuple[np.ndarray, np.random.Generator]:
    """Centres (count, 3) of a lattice that is not quite one, and the generator for more."""
    rng, k = np.random.default_rng(seed), np.arange(count)
    at = np.stack(
        [
            (k % side - (side - 1) / 2) * pitch,
            ((k // side) % side - (side - 1) / 2) * pitch,
            low + k // (side * side) * pitch,
        ],
        1,
    )
    return at + rng.uniform(-0.003, 0.003, at.shape), rng


# a round of points for hulls, the same for all
CORNERS = np.random.default_rng(5).normal(size=(20, 3))
CORNERS *= R / np.linalg.norm(CORNERS, axis=1)[:, None]
CAPSULE_SIZE = (0.03, 0.03)  # radius, half of the straight height [m]


class Kind(NamedTuple):
    """Bodies of one shape.  pitch, low: of the lattice they begin on [m].  turned: at random."""

    shape: ContactShape
    pitch: float
    low: float
    turned: bool


KINDS = {
    "balls": Kind(ContactShape(SPHERE, (R,)), 0.108, 0.06, False),
    "boxes": Kind(ContactShape(BOX, HALF), 0.14, 0.08, True),
    "capsules": Kind(ContactShape(CAPSULE, CAPSULE_SIZE), 0.14, 0.08, True),
    "hulls": Kind(ContactShape(HULL, points=CORNERS), 0.12, 0.08, True),
}
SIDES = {10: 2, 20: 3, 100: 5, 500: 8, 1000: 12, 5000: 20}


def scene(kind: str, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """(centres (count, 3), quaternions (count, 4), half of the tray's width [m])."""
    row, side = KINDS[kind], SIDES[count]
    at, rng = places(count, side, row.pitch, row.low, seed)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    if row.turned:
        turns = rng.normal(size=(count, 4))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
    return at, turns, (side * row.pitch + 0.02) / 2


def mass_of(kind: str) -> tuple[float, tuple[float, float, float]]:
    """Mass [kg] and moments of inertia about the axes of the shape [kg m2]; of hulls those of the
    ball about them, in all engines.
    """
    if kind == "boxes":
        a, b, c = HALF
        mass = DENSITY * 8 * a * b * c
        moments = tuple(mass / 3 * (x * x + y * y) for x, y in ((b, c), (a, c), (a, b)))
        return mass, moments  # type: ignore[return-value]
    if kind == "capsules":
        r, half = CAPSULE_SIZE
        rod, ball = DENSITY * 2 * np.pi * r * r * half, DENSITY * 4 / 3 * np.pi * r**3
        along = 0.5 * rod * r * r + 0.4 * ball * r * r
        across = rod * (r * r / 4 + half * half / 3) + ball * (
            0.4 * r * r + half * half + 0.75 * half * r
        )
        return rod + ball, (across, across, along)
    mass = DENSITY * 4 / 3 * np.pi * R**3
    return mass, (0.4 * mass * R * R,) * 3


def pile(kind: str, count: int, seed: int = 0, **options) -> World:
    """Bodies of a kind in a tray."""
    at, turns, width = scene(kind, count, seed)
    mass, moments = mass_of(kind)
    bodies = [
        _body(i, p, mass, moments, to_angles(tuple(q))) for i, (p, q) in enumerate(zip(at, turns))
    ]
    shape = KINDS[kind].shape
    return _world(
        bodies, [*tray(width), *(replace(shape, body=i) for i in range(count))], **options
    )


def touching_fourbar(**options) -> World:
    """Crank, coupler and rocker; a ball of the coupler on one block, one of the rocker on another:
    two contacts that push.
    """
    from tests.engine.contacts.cone.test_island_solution import fourbar

    drawn = fourbar(contacts=False)
    shapes = [
        ContactShape(SPHERE, (0.03,), body=1, place=(0.0, 0.0, -0.02)),
        ContactShape(BOX, (0.1, 0.1, 0.02), place=(0.2, 0.0, 0.13)),
        ContactShape(SPHERE, (0.03,), body=2, place=(0.0, 0.0, 0.0)),
        ContactShape(BOX, (0.05, 0.05, 0.05), place=(0.48, 0.0, 0.1)),
    ]
    return World(
        compile_system(drawn),
        shape_table(shapes),
        [Surface(0.5)],
        StepOptions(**{"step": 1e-3, "margin": 0.005, "tolerance": 1e-6, **options}),
    )


CASES = {
    "balls 1000": (lambda: pile("balls", 1000), 700, 100),
    "balls 5000": (lambda: pile("balls", 5000), 700, 50),
    "boxes 10": (lambda: pile("boxes", 10), 700, 200),
    "boxes 100": (lambda: pile("boxes", 100), 700, 100),
    "boxes 500": (lambda: pile("boxes", 500), 700, 50),
    "hulls 20": (lambda: pile("hulls", 20), 700, 100),
    "capsules 100": (lambda: pile("capsules", 100), 700, 100),
    "fourbar": (touching_fourbar, 2000, 20000),
}


def measure(name: str) -> str:
    """One line of the table."""
    make, settle, count = CASES[name]
    world = make()
    world.advance(settle)
    world.S.tally[[s.WORST_RESIDUAL, s.WORST_OVERLAP]] = 0.0
    contacts, iterations, times, chunk = [], [], [], max(1, count // 50)
    for _ in range(count // chunk):
        before, start = world.S.tally[s.ALL_ITERATIONS], time.thread_time()
        world.advance(chunk)
        times.append((time.thread_time() - start) / chunk)
        contacts.append(world.contacts)
        iterations.append((world.S.tally[s.ALL_ITERATIONS] - before) / chunk)
    each = np.median(times) / max(np.median(contacts) * max(np.median(iterations), 1.0), 1.0)
    return (
        f"{name:12} {1e3 * np.mean(times):9.4f} {1e3 * np.median(times):9.4f} ms  "
        f"{np.median(contacts):7.0f} contacts {np.median(iterations):6.1f} iterations "
        f"{1e9 * each:6.0f} ns  {world.S.tally[s.WORST_RESIDUAL]:9.2e} m/s "
        f"{world.S.tally[s.WORST_OVERLAP]:8.1e} m"
    )


def compare(name: str, rounds: int = 10) -> str:
    """Lines of this engine, at several tolerances, and of its peers in one scene, their steps in
    turn; each has settled by itself for 1.4 s.  A peer is compared with the cheapest of ours whose
    overlap and residual are no larger than its own.
    """
    from tests.benchmarks import contact_peers

    kind, count = name.split()
    steps = {"10": 40, "20": 20, "100": 10, "500": 3, "1000": 3}[count]
    ours = {
        f"mechstudio, {tolerance:g}": pile(kind, int(count), tolerance=tolerance)
        for tolerance in TOLERANCES
    }
    racers = {own: world.advance for own, world in ours.items()}
    racers |= {
        peer: make(kind, int(count))
        for peer, make in contact_peers.PEERS.items()
        if int(count) <= contact_peers.MOST.get(peer, 10_000)
    }
    for advance in racers.values():
        advance(700)
    for world in ours.values():
        world.S.tally[[s.WORST_RESIDUAL, s.WORST_OVERLAP]] = 0.0
    times: dict[str, list[float]] = {racer: [] for racer in racers}
    # overlap [m] and residual [m/s], the worst of each
    errors = {racer: np.zeros(2) for racer in racers}
    for _ in range(rounds):
        for racer, advance in racers.items():
            start = time.thread_time()
            advance(steps)
            times[racer].append((time.thread_time() - start) / steps)
            found = (
                ours[racer].S.tally[[s.WORST_OVERLAP, s.WORST_RESIDUAL]]
                if racer in ours
                else (advance.overlap(), advance.residual())
            )
            errors[racer] = np.maximum(errors[racer], found)
    took = {racer: float(np.median(t)) for racer, t in times.items()}
    strict = next(iter(ours))
    lines = []
    for racer in racers:
        equal = [own for own in ours if (errors[own] <= errors[racer]).all()]
        fair = min(equal, key=lambda own: took[own], default=strict)
        ratio = (
            ""
            if racer in ours
            else (
                f"theirs / ours {took[racer] / took[strict]:6.2f}, as exact "
                f"{took[racer] / took[fair]:6.2f} ({fair if equal else 'none of ours is'})"
            )
        )
        lines.append(
            f"{name:12} {racer:24} {1e3 * took[racer]:9.3f} ms, least "
            f"{1e3 * min(times[racer]):8.3f}   overlap {errors[racer][0]:8.1e} m   residual "
            f"{errors[racer][1]:8.1e} m/s   {ratio}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    names = [a for a in sys.argv[1:] if a != "--peers"]
    if "--peers" in sys.argv:
        print(describe())
        for requested in names or COMPARED:
            print(compare(requested), flush=True)
    else:
        for requested in names or CASES:
            print(measure(requested), flush=True)
