"""Bodies that pass each other by less than they move in a step: what never touches goes on."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from tests.engine.contacts.parts import ring

G, R = 9.81, 0.05


def simulated(m, body, duration, restitution=0.0):
    """Result of a run without friction."""
    for one in (m.ground, body):
        m.surface(one, friction=0, restitution=restitution)
    m.touch()
    return ms.simulate(m.project(), duration=duration, sample_step=1e-3)


@pytest.mark.parametrize(
    ("kind", "play"), [("cylinder", 5e-4), ("cylinder", 1e-4), ("tube", 2.5e-4)]
)
def test_a_plug_falls_into_a_wider_bore(kind, play):
    """Coaxial, its bottom passes the mouth after 0.135 s: it falls freely."""
    m = ms.Builder("plug")
    m.ground.tube(2 * R, R, 0.4)
    plug = m.body("b", (0, 0, 0.3))
    plug.tube(R - play, 0.8 * R, 0.02) if kind == "tube" else plug.cylinder(R - play, 0.02)
    result = simulated(m, plug, 0.25, 0.8)
    assert result.velocities[:, 0, 2] == pytest.approx(-G * result.time, abs=1e-9)
    assert not result.events


HOUSINGS = {
    "post": lambda q, x: q.cylinder(0.1, 0.4, at=(x + 0.1, 0, 0), angles=(0, 0, "90 deg")),
    "half-pipe": lambda q, x: q.half_pipe(x + 0.1, x, 0.3, angles=(0, 0, "90 deg")),
    "corner": lambda q, x: q.box(
        0.1, 0.3, 0.1, at=(x + 0.05 * math.sqrt(2), 0, 0), angles=(0, "45 deg", 0)
    ),
    "wall": lambda q, x: q.box(0.1, 0.3, 0.4, at=(x + 0.05, 0, 0)),
}


def rotor(housing, gap, rate):
    """Rate after two turns, of a rotor past a housing beyond its tip."""
    m = ms.Builder("rotor", gravity=(0, 0, 0))
    b = m.body("b", (0, 0, 0)).box(1.0, 0.1, 0.02)
    m.pin("A", m.ground, b, at=(0, 0, 0), rate=rate)
    HOUSINGS[housing](m.ground, math.hypot(0.5, 0.01) + gap)
    m.pair(b, m.ground, True, friction=0)
    return abs(simulated(m, b, 0.3).velocities[-1, 0, 4])


@pytest.mark.parametrize("gap", [5e-3, 1e-3])
@pytest.mark.parametrize("housing", HOUSINGS)
def test_a_rotor_keeps_its_speed_past_a_housing(housing, gap):
    assert rotor(housing, gap, 50.0) == pytest.approx(50.0, rel=1e-9)


@pytest.mark.parametrize("housing", [name for name in HOUSINGS if name != "half-pipe"])
def test_a_rotor_strikes_what_reaches_into_its_path(housing):
    assert rotor(housing, -1e-3, 50.0) < 1.0


def washer(body, radius, height, **where):
    mesh = Mesh(*packed(*ring(32, radius, 0.6 * radius, height / 2)), "washer.stl")
    body.mesh(mesh, **where)


BODIES = {
    "cylinder": lambda b: b.cylinder(R, 0.1),
    "tube": lambda b: b.tube(R, 0.6 * R, 0.1),
    "washer": lambda b: washer(b, R, 0.1),
    "box": lambda b: b.box(2 * R, 2 * R, 0.1),
}
POSTS = {
    "cylinder": lambda q: q.cylinder(0.1, 0.2, at=(0.1, 0, 0)),
    "tube": lambda q: q.tube(0.1, 0.06, 0.2, at=(0.1, 0, 0)),
    "washer": lambda q: washer(q, 0.1, 0.2, at=(0.1, 0, 0)),
    "box": lambda q: q.box(0.2, 0.4, 0.2, at=(0.1, 0, 0)),
}


def flown(body, post, play, speed, way=0.3):
    """Velocity of a body after a flight past a post, and the events."""
    m = ms.Builder("flight", gravity=(0, 0, 0))
    POSTS[post](m.ground)
    b = m.body("b", (-R - play, 0, 0.2003)).velocity((0, 0, -speed))
    BODIES[body](b)
    result = simulated(m, b, way / speed)
    return result.velocities[-1, 0], result.events


FLIGHTS = [
    ("cylinder", "box", 5e-4, 5.0),
    ("cylinder", "cylinder", 1e-4, 1.0),
    ("tube", "box", 3e-5, 1.0),
    ("washer", "tube", 1e-3, 5.0),
    ("box", "tube", 3e-5, 5.0),
    ("tube", "washer", 5e-4, 5.0),
    ("washer", "washer", 3e-5, 5.0),
]


@pytest.mark.parametrize(("body", "post", "play", "speed"), FLIGHTS)
def test_what_flies_past_an_edge_goes_on(body, post, play, speed):
    velocity, events = flown(body, post, play, speed)
    assert velocity == pytest.approx([0, 0, -speed, 0, 0, 0], abs=1e-9)
    assert not events


@pytest.mark.parametrize(("body", "post", "_play", "speed"), FLIGHTS)
def test_what_overlaps_an_edge_strikes_it(body, post, _play, speed):
    """By 2 mm, of which facets take one at most."""
    velocity, events = flown(body, post, -2e-3, speed, 0.06)
    assert events and np.linalg.norm(velocity - (0, 0, -speed, 0, 0, 0)) > 0.05 * speed
