"""Known answers of contacts, stepped by 1 ms, and of hard stops, whose impacts are found: flight,
rolling, sliding, sticking and rebound.
"""

import math
from functools import partial

import numpy as np

import mechstudio as ms
from tests.known_answers.rows import Row

G = 9.81
# label, length [m], density of the falling and rolling bodies [kg/m^3]
SCALES = (
    ("of millimetres", 1e-3, 1000.0),
    ("of centimetres", 0.05, 7850.0),
    ("of metres", 2.0, 500.0),
)


def scene(L, slope=0.0, friction=0.5, restitution=0.0):
    """A floor under gravity that leans by `slope`, scaled with the length so that every size takes
    the same time.
    """
    m = ms.Builder(gravity=(10 * L * G * math.sin(slope), 0, -10 * L * G * math.cos(slope)))
    m.floor(0.0, friction=friction, restitution=restitution)
    return m


def ball(L, density, slope=0.0, speed=0.0, spin=0.0, height=0.0, friction=0.5, restitution=0.0):
    """A ball of radius L on the floor or above it; speed and height in L."""
    m = scene(L, slope, friction, restitution)
    b = (
        m.body("b", at=(0, 0, (1 + height) * L))
        .sphere(L, density=density)
        .velocity((speed * L, 0, 0), (0, spin, 0))
    )
    m.surface(b, friction=friction, restitution=restitution)
    return m.project()


def brick(L, density, slope, speed, friction):
    """A flat brick on the floor."""
    m = scene(L, slope, friction)
    b = (
        m.body("b", at=(0, 0, 0.25 * L))
        .box(2 * L, 2 * L, 0.5 * L, density=density)
        .velocity((speed * L, 0, 0), (0, 0, 0))
    )
    m.surface(b, friction=friction)
    return m.project()


def way(L):
    return lambda result: result.poses[:, 0, 0] / L


def height(L):
    return lambda result: result.poses[:, 0, 2] / L


def landing(t, drop):
    """z over L of a ball that falls by `drop` and stays."""
    return 1.0 + drop - np.minimum(5 * G * t**2, drop)


def sliding(t, slope, speed, friction):
    """Distance over L of a body that slides, comes to rest and stays, or continues."""
    a = 10 * G * (math.sin(slope) - friction * math.cos(slope))
    s = np.minimum(t, -speed / a) if a < 0 else t
    return speed * s + 0.5 * a * s**2


def skidding(t, speed, friction):
    """Way of a ball without spin: it skids for 2 v0 / (7 mu g), then rolls at 5/7 v0."""
    end = 2 * speed / (70 * friction * G)
    s = np.minimum(t, end)
    return speed * s - 5 * friction * G * s**2 + np.maximum(t - end, 0.0) * 5 * speed / 7


def peaks(result):
    """Height of the first rebound over the drop's, both over the ball's radius."""
    z = result.poses[:, 0, 2]
    low = int(np.argmax(np.diff(z) > 0.0))
    return float((z[low:].max() - z.min()) / (z[0] - z.min()))


def stopped(L, drop, restitution):
    """A slider that falls on its stop and rebounds."""
    m = ms.Builder(gravity=(0, 0, -10 * L * G))
    b = m.body("b").box(L, L, L)
    m.slider(
        "S",
        m.ground,
        b,
        at=(0, 0, 0),
        axis=(0, 0, 1),
        limits=ms.limit(lower=-drop * L, restitution=restitution),
    )
    return m.project()


def bouncing(t, drop, restitution):
    """Height over the stop: parabolas whose speeds fall by the restitution, then rest."""
    g, out = 10 * G, np.zeros_like(t)
    first = math.sqrt(2 * drop / g)
    out[t < first] = (drop - 0.5 * g * t**2)[t < first]
    start, v = first, restitution * g * first
    while v > 1e-9 and start < t[-1]:
        s = t - start
        flying = (s >= 0) & (s < 2 * v / g)
        out[flying] = (v * s - 0.5 * g * s**2)[flying]
        start, v = start + 2 * v / g, restitution * v
    return out


def rows():
    for label, L, density in SCALES:
        at = (L, density)
        yield Row(
            f"a ball {label} that lands and stays",
            partial(ball, *at, height=2.0),
            1.0,
            height(L),
            partial(landing, drop=2.0),
            "g t^2 / 2, then the radius",
            1e-4,
        )
        for slope in (0.05, 0.4):
            yield Row(
                f"a ball {label} that rolls down {slope:g} rad",
                partial(ball, *at, slope=slope),
                0.6,
                way(L),
                lambda t, s=slope: 25 / 7 * G * math.sin(s) * t**2,
                "a = 5/7 g sin(slope)",
                1e-4,
            )
        yield Row(
            f"a ball {label} that skids, then rolls",
            partial(ball, *at, speed=10.0, friction=0.2),
            1.0,
            way(L),
            partial(skidding, speed=10.0, friction=0.2),
            "v = 5/7 v0 from 2 v0 / (7 mu g) on",
            1e-4,
        )
        yield Row(
            f"a brick {label} that is held",
            partial(brick, *at, 0.45, 0.0, 0.5),
            1.0,
            way(L),
            lambda t: 0 * t,
            "tan(slope) < mu",
            1e-4,
            size=1.0,
        )
        for slope, speed, friction in (
            (0.6, 0.0, 0.5),
            (0.0, 8.0, 0.3),
            (0.3, 5.0, 0.6),
            (0.3, 3.0, 0.0),
        ):
            yield Row(
                f"a brick {label}, slope {slope:g}, {speed:g} L/s, friction {friction:g}",
                partial(brick, *at, slope, speed, friction),
                1.0,
                way(L),
                partial(sliding, slope=slope, speed=speed, friction=friction),
                "a = g (sin - mu cos), at rest for good",
                5e-4,
            )
        for e in (0.9, 0.5):
            yield Row(
                f"a ball {label} that rebounds by {e:g}",
                partial(ball, *at, height=5.0, restitution=e),
                1.0,
                peaks,
                lambda t, e=e: e * e,
                "Newton: e^2 of the height; first order in the step",
                0.02,
                samples=400,
            )
        for e in (1.0, 0.8, 0.3, 0.0):
            yield Row(
                f"a slider {label} on a stop, restitution {e:g}",
                partial(stopped, L, 3.0, e),
                2.0,
                lambda r, L=L: r.joint_coordinates["S"][:, 0] / L + 3.0,
                partial(bouncing, drop=3.0, restitution=e),
                "parabolas, each impact by Newton",
                1e-7,
            )


ROWS = tuple(rows())
