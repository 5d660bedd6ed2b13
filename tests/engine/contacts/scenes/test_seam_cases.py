"""Bodies that slide over the joint of two plates: nothing catches on an edge that is flush."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from tests.engine.contacts.geometry.test_mesh import CUBE, CUBE_TRIANGLES
from tests.engine.contacts.parts import ring

G = 9.81
SLIDING = {
    "box": (0.025, lambda body: body.box(0.3, 0.1, 0.05)),
    "box aslant": (0.025, lambda body: body.box(0.3, 0.1, 0.05, angles=("10 deg", 0, 0))),
    "cylinder on end": (0.025, lambda body: body.cylinder(0.1, 0.05)),
    "cylinder on its side": (0.05, lambda body: body.cylinder(0.05, 0.3, angles=(0, "90 deg", 0))),
    "frustum": (0.025, lambda body: body.cone(0.1, 0.06, 0.05)),
}


def slid(body, height, gap, higher, friction=0.0, duration=0.4):
    """Motion of a body by 1 m/s from one plate onto another one, `gap` away and so much higher."""
    m = ms.Builder("seam")
    m.ground.box(0.6, 0.6, 0.1, at=(-0.3, 0, -0.05))
    m.ground.box(0.6, 0.6, 0.1, at=(0.3 + gap, 0, -0.05 + higher))
    slider = m.body("slider", (-0.2, 0, height)).velocity((1, 0, 0))
    body(slider)
    for one in (m.ground, slider):
        m.surface(one, friction=friction, restitution=0)
    m.touch()
    return ms.simulate(m.project(), duration=duration, sample_step=0.01)


@pytest.mark.parametrize("gap", [0.0, 1e-3])
@pytest.mark.parametrize("name", SLIDING)
def test_nothing_catches_on_a_flush_joint(name, gap):
    """Without friction the velocity stays."""
    height, body = SLIDING[name]
    result = slid(body, height, gap, 0.0)
    assert result.velocities[-1, 0] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-5)
    assert result.position("slider")[-1] == pytest.approx((0.2, 0, height), abs=1e-5)


def test_friction_alone_brakes_over_a_joint():
    """x = v t - mu g t^2 / 2."""
    height, body = SLIDING["box"]
    result = slid(body, height, 1e-3, 0.0, friction=0.1)
    t = result.time
    x = -0.2 + t - 0.05 * G * t**2
    assert result.position("slider")[:, 0] == pytest.approx(x, abs=1e-5)


@pytest.mark.parametrize("name", SLIDING)
def test_a_curb_stops(name):
    """A millimetre higher, the next plate is struck: the body comes to a stand or rises."""
    height, body = SLIDING[name]
    result = slid(body, height, 0.0, 1e-3)
    assert result.velocities[-1, 0, 0] < 0.6
    assert result.events and result.kinetic_energy[-1] < 0.5 * result.kinetic_energy[0]


def test_what_falls_past_an_edge_while_it_nears_is_stopped():
    """Level with the top of a plate but on its way down: its side is struck, within one step."""
    m = ms.Builder("beside")
    m.ground.box(0.6, 0.6, 0.1, at=(0.3, 0, -0.05))
    box = m.body("box", (-0.1004, 0, 0.05)).velocity((1, 0, -1))
    box.box(0.2, 0.1, 0.1)
    for one in (m.ground, box):
        m.surface(one, friction=0, restitution=0)
    m.touch(step="1 ms")
    events = ms.simulate(m.project(), duration=0.01, sample_step=1e-3).events
    assert [(e.before, e.after) for e in events] == [pytest.approx((1.0, 0.0), abs=1e-5)]


def plate(body, x):
    """A plate of triangles, its top at z = 0, about x."""
    body.mesh(Mesh(*packed(CUBE * (0.6, 0.6, 0.1), CUBE_TRIANGLES), "plate.stl"), at=(x, 0, -0.05))


HOLLOW = {
    "tube on end": (0.025, lambda body: body.tube(0.1, 0.08, 0.05)),
    "half-pipe on end": (0.025, lambda body: body.half_pipe(0.1, 0.08, 0.05)),
    "washer": (
        0.025,
        lambda body: body.mesh(Mesh(*packed(*ring(24, 0.1, 0.08, 0.025)), "washer.stl")),
    ),
}


@pytest.mark.parametrize("name", HOLLOW)
def test_no_hollow_body_catches_on_a_flush_joint(name):
    height, body = HOLLOW[name]
    result = slid(body, height, 0.0, 0.0)
    assert result.velocities[-1, 0] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-5)


# neither a line of a round side nor a mesh has a flat side to glide along
@pytest.mark.parametrize("name", [name for name in SLIDING if name != "cylinder on its side"])
def test_nothing_catches_on_flush_meshes(name):
    height, body = SLIDING[name]
    m = ms.Builder("meshes")
    plate(m.ground, -0.3)
    plate(m.ground, 0.3)
    slider = m.body("slider", (-0.2, 0, height)).velocity((1, 0, 0))
    body(slider)
    for one in (m.ground, slider):
        m.surface(one, friction=0, restitution=0)
    m.touch()
    result = ms.simulate(m.project(), duration=0.4, sample_step=0.1)
    assert result.velocities[-1, 0] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-5)


def wavy(cells, seed, height):
    """A floor of triangles 2 m wide, whose corners lie up to `height` above or below z = 0."""
    draw = np.random.default_rng(seed)
    x = np.linspace(-1, 1, cells + 1)
    points = np.stack(np.meshgrid(x, x, [0.0], indexing="ij"), -1).reshape(-1, 3)
    inner = np.abs(points[:, :2]).max(1) < 1
    points[inner, :2] += draw.uniform(-0.3, 0.3, (inner.sum(), 2)) * 2 / cells
    points[:, 2] = draw.uniform(-height, height, len(points))
    corner = np.arange(len(points)).reshape(cells + 1, cells + 1)
    a, b, c, d = (
        part.reshape(-1)
        for part in (corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:])
    )
    turned = draw.random(len(a)) < 0.5
    first = np.where(turned, [a, b, c], [a, b, d]).T
    second = np.where(turned, [a, c, d], [b, c, d]).T
    # closed by a corner far below
    rim = np.concatenate([corner[:-1, 0], corner[-1, :-1], corner[:0:-1, -1], corner[0, :0:-1]])
    below = np.column_stack([np.roll(rim, -1), rim, np.full(len(rim), len(points))])
    corners = np.vstack([points, (0, 0, -2)])
    return Mesh(*packed(corners, np.vstack([first, second, below])), "floor.stl")


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ["box", "cylinder on end", "frustum"])
def test_nothing_catches_on_a_floor_that_is_not_quite_even(name, seed):
    """Slopes of 1e-4 change the velocity of 1 m/s by as much: no corner of the floor is a wall."""
    height, body = SLIDING[name]
    m = ms.Builder("wavy")
    m.ground.mesh(wavy(10, seed, 1e-5))
    slider = m.body("slider", (-0.4, -0.2, height + 1e-5)).velocity((1, 0.37, 0), (0, 0, 3))
    body(slider)
    for one in (m.ground, slider):
        m.surface(one, friction=0, restitution=0)
    m.touch()
    result = ms.simulate(m.project(), duration=0.6, sample_step=0.1)
    assert result.velocities[-1, 0, :2] == pytest.approx([1, 0.37], abs=1e-3)
    assert result.velocities[-1, 0, 5] == pytest.approx(3, abs=5e-3)


@pytest.mark.parametrize("thickness", [1e-2, 1e-5, 1e-6])
def test_thin_sheets_meet_edge_on_edge(thickness):
    """Shifted by a tenth of their thickness, they do not glide over each other."""
    m = ms.Builder("sheets", gravity=(0, 0, 0))
    m.ground.box(0.3, 1, thickness)
    sheet = m.body("sheet", (-0.35, 0.01, 0.1 * thickness)).velocity((1, 0, 0))
    sheet.box(0.3, 1, thickness)
    m.touch()
    result = ms.simulate(m.project(), duration=0.1, sample_step=0.01)
    assert result.position("sheet")[-1, 0] == pytest.approx(-0.3, abs=1e-6)


def test_a_long_egg_beside_the_edge_of_a_table_stays():
    """By the directions of sides alone they overlap by 153 mm; they are 0.4 mm apart."""
    m = ms.Builder("beside", gravity=(0, 0, 0))
    m.ground.cylinder(0.5, 0.05)
    egg = m.body("egg", (0.6152, -0.2862, -0.0118), angles=(0.4003, -1.0808, 2.3923))
    egg.ellipsoid(0.05, 0.05, 0.8)
    m.touch()
    result = ms.simulate(m.project(), duration=0.01, sample_step=0.01)
    assert not result.statistics["notes"] and not result.events
    assert result.position("egg")[-1] == pytest.approx(result.position("egg")[0], abs=1e-12)
