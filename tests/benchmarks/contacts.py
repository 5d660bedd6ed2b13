"""What a step with contacts costs: piles of balls and boxes settling in a tray, a stack, and a four-bar that touches.

    python -m tests.benchmarks.contacts [NAME …]

One thread, CPU time, after a warm-up; the tray, the bodies and their starts are those of the peers' figures in README.md.   Columns: CPU ms per step and its
median, contacts, iterations per step, ns per contact and iteration, largest residual [m/s] and overlap [m] in the measured steps.
"""

import sys
import time

import numpy as np

from mechstudio.engine.contacts import stage as s
from mechstudio.engine.contacts.shapes import BOX, PLANE, SPHERE, ContactShape, shape_table
from mechstudio.engine.contacts.world import StepOptions, Surface, World
from mechstudio.engine.system import compile_system
from mechstudio.model.mechanism import Body, Mechanism, Placement
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.rotation import to_angles

R, DENSITY = 0.05, 1000.0
HALF = (0.05, 0.04, 0.03)
SIDE = {100: 5, 1000: 12, 5000: 20}
BOX_SIDE = {10: 2, 100: 5, 500: 8}


def tray(width: float) -> list[ContactShape]:
    """A floor and four walls as planes; width: half of the inside [m]."""
    half = np.sqrt(0.5)
    walls = (((-width, 0.0, 0.0), (half, 0.0, half, 0.0)), ((width, 0.0, 0.0), (half, 0.0, -half, 0.0)), ((0.0, -width, 0.0), (half, -half, 0.0, 0.0)),
             ((0.0, width, 0.0), (half, half, 0.0, 0.0)))
    return [ContactShape(PLANE), *(ContactShape(PLANE, place=at, turn=turn) for at, turn in walls)]


def _world(bodies: list[Body], shapes: list[ContactShape], **options) -> World:
    system = compile_system(Mechanism({b.id: b for b in bodies}))
    return World(system, shape_table(shapes), [Surface(0.5)], StepOptions(**{"step": 2e-3, "tolerance": 1e-3, "most": 200, "margin": 0.005, "projection": False, **options}))


def _body(n: int, at, mass: float, inertia, angles=(0.0, 0.0, 0.0)) -> Body:
    return Body(f"b{n}", f"b{n}", placement=Placement(vector(*at), vector(*angles)), mass=Quantity(mass), center_of_mass=vector(0, 0, 0),
                inertia=tuple(Quantity(float(x)) for x in (*inertia, 0, 0, 0)))


def balls(count: int, seed: int = 0, **options) -> World:
    n, pitch = SIDE[count], 0.108
    k = np.arange(count)
    at = np.stack([(k % n - (n - 1) / 2) * pitch, ((k // n) % n - (n - 1) / 2) * pitch, 0.06 + k // (n * n) * pitch], 1)
    at += np.random.default_rng(seed).uniform(-0.003, 0.003, at.shape)
    mass = DENSITY * 4 / 3 * np.pi * R ** 3
    bodies = [_body(i, p, mass, (0.4 * mass * R * R,) * 3) for i, p in enumerate(at)]
    return _world(bodies, [*tray((n * pitch + 0.02) / 2), *(ContactShape(SPHERE, (R,), body=i) for i in range(count))], **options)


def boxes(count: int, seed: int = 0, **options) -> World:
    n, pitch = BOX_SIDE[count], 0.14
    rng, k = np.random.default_rng(seed), np.arange(count)
    at = np.stack([(k % n - (n - 1) / 2) * pitch, ((k // n) % n - (n - 1) / 2) * pitch, 0.08 + k // (n * n) * pitch], 1)
    at += rng.uniform(-0.003, 0.003, at.shape)
    turns = rng.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    a, b, c = HALF
    mass = DENSITY * 8 * a * b * c
    inertia = (mass / 3 * (b * b + c * c), mass / 3 * (a * a + c * c), mass / 3 * (a * a + b * b))
    bodies = [_body(i, p, mass, inertia, to_angles(tuple(q))) for i, (p, q) in enumerate(zip(at, turns))]
    return _world(bodies, [*tray((n * pitch + 0.02) / 2), *(ContactShape(BOX, HALF, body=i) for i in range(count))], **options)


def touching_fourbar(**options) -> World:
    """Crank, coupler and rocker; a ball of the coupler on one block, one of the rocker on another: two contacts that push."""
    from tests.engine.contacts.test_solver import fourbar
    drawn = fourbar(contacts=False)
    shapes = [ContactShape(SPHERE, (0.03,), body=1, place=(0.0, 0.0, -0.02)), ContactShape(BOX, (0.1, 0.1, 0.02), place=(0.2, 0.0, 0.13)),
              ContactShape(SPHERE, (0.03,), body=2, place=(0.0, 0.0, 0.0)), ContactShape(BOX, (0.05, 0.05, 0.05), place=(0.48, 0.0, 0.1))]
    return World(compile_system(drawn), shape_table(shapes), [Surface(0.5)], StepOptions(**{"step": 1e-3, "margin": 0.005, "tolerance": 1e-6, **options}))


CASES = {"balls 1000": (lambda: balls(1000), 700, 100), "balls 5000": (lambda: balls(5000), 700, 50), "boxes 10": (lambda: boxes(10), 700, 200),
         "boxes 100": (lambda: boxes(100), 700, 100), "boxes 500": (lambda: boxes(500), 700, 50), "fourbar": (touching_fourbar, 2000, 20000)}


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
    return (f"{name:12} {1e3 * np.mean(times):9.4f} {1e3 * np.median(times):9.4f} ms  {np.median(contacts):7.0f} contacts {np.median(iterations):6.1f} iterations "
            f"{1e9 * each:6.0f} ns  {world.S.tally[s.WORST_RESIDUAL]:8.1e} m/s {world.S.tally[s.WORST_OVERLAP]:8.1e} m")


if __name__ == "__main__":
    for wanted in sys.argv[1:] or CASES:
        print(measure(wanted), flush=True)
