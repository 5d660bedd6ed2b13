"""Bodies that slide over the joint of two plates: nothing catches on an edge that is flush."""

import pytest

import mechstudio as ms

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
