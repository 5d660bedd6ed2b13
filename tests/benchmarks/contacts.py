"""Cost of a step with contacts: piles of balls and boxes settling in a tray, a stack, and a
four-bar that touches.

    python -m tests.benchmarks.contacts [NAME …] [--peers]

One thread, CPU time, after a warm-up.  Columns: CPU ms per step and its median, contacts,
iterations per step, ns per contact and iteration, largest residual [m/s] and overlap [m] in the
measured steps.  --peers: beside them MuJoCo and PyBullet in the same tray with the same bodies and
starts (contact_peers.py), in turn in one run.
"""

import sys
import time

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.geometry.shapes import BOX, PLANE, SPHERE, ContactShape, shape_table
from mechstudio.engine.contacts.world import StepOptions, Surface, World
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.mechanism import Body, Mechanism, Placement
from mechstudio.model.quantity import Quantity, vector
from tests.benchmarks.machine import describe

R, DENSITY = 0.05, 1000.0
HALF = (0.05, 0.04, 0.03)
SIDE = {100: 5, 1000: 12, 5000: 20}
BOX_SIDE = {10: 2, 100: 5, 500: 8}


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


def ball_scene(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """(centres (count, 3), quaternions (count, 4), half of the tray's width [m])."""
    at, _ = places(count, SIDE[count], 0.108, 0.06, seed)
    return at, np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)), (SIDE[count] * 0.108 + 0.02) / 2


def box_scene(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """The same of boxes, turned at random."""
    at, rng = places(count, BOX_SIDE[count], 0.14, 0.08, seed)
    turns = rng.normal(size=(count, 4))
    return at, turns / np.linalg.norm(turns, axis=1)[:, None], (BOX_SIDE[count] * 0.14 + 0.02) / 2


def balls(count: int, seed: int = 0, **options) -> World:
    at, _, width = ball_scene(count, seed)
    mass = DENSITY * 4 / 3 * np.pi * R**3
    bodies = [_body(i, p, mass, (0.4 * mass * R * R,) * 3) for i, p in enumerate(at)]
    return _world(
        bodies,
        [*tray(width), *(ContactShape(SPHERE, (R,), body=i) for i in range(count))],
        **options,
    )


def boxes(count: int, seed: int = 0, **options) -> World:
    at, turns, width = box_scene(count, seed)
    a, b, c = HALF
    mass = DENSITY * 8 * a * b * c
    inertia = (mass / 3 * (b * b + c * c), mass / 3 * (a * a + c * c), mass / 3 * (a * a + b * b))
    bodies = [
        _body(i, p, mass, inertia, to_angles(tuple(q))) for i, (p, q) in enumerate(zip(at, turns))
    ]
    return _world(
        bodies, [*tray(width), *(ContactShape(BOX, HALF, body=i) for i in range(count))], **options
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
    "balls 1000": (lambda: balls(1000), 700, 100),
    "balls 5000": (lambda: balls(5000), 700, 50),
    "boxes 10": (lambda: boxes(10), 700, 200),
    "boxes 100": (lambda: boxes(100), 700, 100),
    "boxes 500": (lambda: boxes(500), 700, 50),
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
    """Lines of this engine and of its peers in one scene, their steps in turn; each has settled by
    itself for 1.4 s.
    """
    from tests.benchmarks import contact_peers

    kind, count = name.split()
    steps = {"10": 40, "100": 10, "500": 3, "1000": 3}[count]
    world = (balls if kind == "balls" else boxes)(int(count))
    racers = {"mechstudio": world.advance}
    racers |= {
        peer: make(kind, int(count))
        for peer, make in contact_peers.PEERS.items()
        if (peer, name) not in contact_peers.TOO_SLOW
    }
    for advance in racers.values():
        advance(700)
    world.S.tally[[s.WORST_RESIDUAL, s.WORST_OVERLAP]] = 0.0
    times: dict[str, list[float]] = {peer: [] for peer in racers}
    deepest = dict.fromkeys(racers, 0.0)
    for _ in range(rounds):
        for peer, advance in racers.items():
            start = time.thread_time()
            advance(steps)
            times[peer].append((time.thread_time() - start) / steps)
            deepest[peer] = max(
                deepest[peer],
                world.S.tally[s.WORST_OVERLAP] if advance == world.advance else advance.overlap(),
            )
    ours = np.median(times["mechstudio"])
    lines = [
        (
            f"{name:12} {peer:12} {1e3 * np.median(t):9.3f} ms, least {1e3 * min(t):8.3f}   ours "
            f"/ theirs {ours / np.median(t):5.2f}   overlap {deepest[peer]:8.1e} m"
        )
        for peer, t in times.items()
    ]
    return "\n".join(lines) + (
        f"\n{'':12} residual {world.S.tally[s.WORST_RESIDUAL]:9.2e} m/s, {world.contacts} contacts"
    )


if __name__ == "__main__":
    names = [a for a in sys.argv[1:] if a != "--peers"]
    if "--peers" in sys.argv:
        print(describe())
        for requested in names or ("boxes 10", "boxes 100", "boxes 500", "balls 1000"):
            print(compare(requested), flush=True)
    else:
        for requested in names or CASES:
            print(measure(requested), flush=True)
