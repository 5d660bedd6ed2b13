"""Parts of the contact cases: bodies with typed masses, a world to step, and looks at it. Figures
of a case stand in its test.
"""

from collections.abc import Callable, Iterable

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.bodies import drawn_pairs, drawn_table
from mechstudio.engine.contacts.world import StepOptions, World
from mechstudio.engine.system.system import compile_system
from mechstudio.model.contact import ContactPair, Contacts, Floor, Surface
from mechstudio.model.geometry.rotation import from_angles
from mechstudio.model.mechanism import GROUND, Body, InitialVelocity, Mechanism, Placement, Shape
from mechstudio.model.quantity import Quantity, vector

Q = Quantity
G = 9.81


def skin(mu: float = 0.5, e: float = 0.0, **more: float) -> Surface:
    """A surface of these numbers; of two such surfaces too."""
    return Surface("plain", Q(mu), Q(e), **{name: Q(value) for name, value in more.items()})


def box_shape(
    length: float, depth: float, height: float, at=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0)
) -> Shape:
    return Shape(
        "box",
        {"length": Q(length), "depth": Q(depth), "height": Q(height)},
        placement=Placement(vector(*at), vector(*turn)),
    )


def body(
    id: str,
    shapes: Iterable[Shape],
    mass: float,
    inertia,
    at=(0.0, 0.0, 0.0),
    v=(0.0, 0.0, 0.0),
    w=(0.0, 0.0, 0.0),
    turn=(0.0, 0.0, 0.0),
    surface: Surface | None = None,
) -> Body:
    """turn: angles psi, theta, phi; w: in body axes; inertia: three principal moments, or xx, yy,
    zz, xy, xz, yz.
    """
    return Body(
        id,
        id,
        tuple(shapes),
        Placement(vector(*at), vector(*turn)),
        Q(mass),
        vector(0.0, 0.0, 0.0),
        tuple(Q(x) for x in (*inertia, 0.0, 0.0, 0.0)[:6]),
        InitialVelocity(vector(*v), vector(*w)),
        surface=surface or skin(),
    )


def box(id: str, size, mass: float, at, **more) -> Body:
    a, b, c = size
    return body(
        id,
        [box_shape(a, b, c)],
        mass,
        (mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b)),
        at,
        **more,
    )


def ball(id: str, r: float, mass: float, at, **more) -> Body:
    return body(
        id, [Shape("sphere", {"radius": Q(r)})], mass, (0.4 * mass * r * r,) * 3, at, **more
    )


def tilted(degrees: float) -> tuple:
    """Gravity as a plane tilted by an angle about y sees it: down the plane is +x."""
    a = np.radians(degrees)
    return vector(G * np.sin(a), 0.0, -G * np.cos(a))


def mechanism(
    bodies: Iterable[Body],
    gravity=None,
    floor: Surface | None = None,
    ground: Iterable[Shape] = (),
    ground_surface: Surface | None = None,
    touching: Iterable[tuple[str, str]] = (),
    **more,
) -> Mechanism:
    """Bodies with contacts; floor: surface of a floor at z = 0, None for no floor.  touching: pairs
    that touch though a joint ties them.
    """
    return Mechanism(
        {b.id: b for b in bodies},
        gravity=gravity if gravity is not None else vector(0.0, 0.0, -G),
        contacts=Contacts(
            True,
            Floor(surface=floor) if floor is not None else None,
            tuple(ContactPair(a, b, True) for a, b in touching),
        ),
        ground=Body(GROUND, "ground", tuple(ground), color=-1, surface=ground_surface or skin()),
        **more,
    )


def world(drawn: Mechanism, **options) -> World:
    """Ready to step."""
    table, surfaces = drawn_table(drawn)
    options.setdefault("margin", 0.005)
    return World(compile_system(drawn), table, surfaces, StepOptions(**options), drawn_pairs(drawn))


def run(w: World, duration: float, look: Callable[[World], None] | None = None) -> World:
    """Step for a while; look: called after every step."""
    steps = round(duration / w.options.step)
    if look is None:
        w.advance(steps)
    else:
        for _ in range(steps):
            w.advance()
            look(w)
    return w


def place(w: World, n: int = 0) -> np.ndarray:
    """Position of free body n: its displacement from where it was drawn counts from there."""
    return w.now()[0][n, :3]


def velocity(w: World, n: int = 0) -> np.ndarray:
    """Velocity of body n's origin in W [m/s], then its angular velocity in W [rad/s]."""
    return w.now()[1][n]


def tilt(w: World, n: int = 0) -> float:
    """Angle between body n's z axis and W's [deg]."""
    q = w.now()[0][n, 3:]
    return float(np.degrees(np.arccos(np.clip(1.0 - 2.0 * (q[1] ** 2 + q[2] ** 2), -1.0, 1.0))))


def forces_on(w: World, n: int) -> np.ndarray:
    """Sum of the contact forces on body n in the last step [N, W]."""
    count = int(w.points.count[0])
    f = w.impulses() / w.options.step
    return f[w.points.body_b[:count] == n].sum(axis=0) - f[w.points.body_a[:count] == n].sum(axis=0)


def forces(w: World, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) [m] and forces (n, 3) [N] on body b of its contacts with body a; -1: ground."""
    n = int(w.points.count[0])
    one, two, f = w.points.body_a[:n], w.points.body_b[:n], w.impulses() / w.taken
    along, back = (one == a) & (two == b), (one == b) & (two == a)
    at = w.points.point[:n]
    return np.vstack([at[along], at[back]]), np.vstack([f[along], -f[back]])


def tally(w: World, which: int) -> float:
    return float(w.S.tally[which])


def rotated(psi: float, theta: float, phi: float) -> np.ndarray:
    return np.array(from_angles(psi, theta, phi))


__all__ = [
    "G",
    "Q",
    "ball",
    "body",
    "box",
    "box_shape",
    "forces",
    "forces_on",
    "mechanism",
    "place",
    "rotated",
    "run",
    "s",
    "skin",
    "tally",
    "tilt",
    "tilted",
    "velocity",
    "world",
]
