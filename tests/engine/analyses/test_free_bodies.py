"""Bodies cut free, against closed forms."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.engine.analyses.loads import free_bodies as analysis
from mechstudio.engine.analyses.registry import analyse
from mechstudio.model import free_bodies as of
from mechstudio.model.project import Project
from mechstudio.model.quantity import vector
from tests.engine.analyses.test_analyses import G, pendulum
from tests.engine.test_closed_forms import with_rates


def acting(project, time=0.0, **options):
    """Numbers (WIDTH,) and flags of every slot, by (body, kind, id), at the first instant or at a
    time.
    """
    table = analyse(project, "free_bodies", **(options or {"duration": 0.0}))
    row = int(np.argmin(np.abs(table.rows[:, 0] - time)))
    numbers, flags = (v[row, 1:].reshape(-1, of.WIDTH) for v in (table.rows, table.hatched))
    return {
        slot[:3]: (numbers[k], flags[k]) for k, slot in enumerate(of.slots(project.mechanism))
    }, table.residual


@pytest.mark.parametrize(("angle", "rate"), [(0.0, 0.0), (0.7, 0.0), (-1.1, 3.0)])
def test_a_rod_on_a_pin(angle, rate):
    # rod of 2 kg and 1 m: alpha = -3 g cos(angle) / (2 L), a_G = alpha L/2 across - rate^2 L/2
    # along; F_A = m a_G - W
    m, L = 2.0, 1.0
    mechanism = pendulum(angle)
    if rate:
        mechanism = with_rates(mechanism, A=(rate,))
    found, residual = acting(Project(mechanism))
    along, across = (
        np.array((math.cos(angle), 0, math.sin(angle))),
        np.array((-math.sin(angle), 0, math.cos(angle))),
    )
    alpha = -1.5 * G / L * math.cos(angle)
    a = alpha * L / 2 * across - rate**2 * L / 2 * along
    weight, pin, inertia = (
        found["rod", kind, id][0]
        for kind, id in ((of.WEIGHT, "rod"), (of.REACTION, "A"), (of.INERTIA, "rod"))
    )
    assert weight[of.FORCE] == pytest.approx((0, 0, -m * G), abs=1e-12) and weight[
        of.MOMENT
    ] == pytest.approx((0, 0, 0), abs=1e-12)
    assert inertia[of.FORCE] == pytest.approx(-m * a, abs=1e-9)
    # about -y, the pin's axis, positive turns are counter-clockwise: -delta = -J alpha (-y)
    assert inertia[of.COUPLE] == pytest.approx((0, m * L * L / 12 * alpha, 0), abs=1e-9)
    assert pin[of.FORCE] == pytest.approx(m * a - np.array((0, 0, -m * G)), abs=1e-9)
    assert pin[of.COUPLE] == pytest.approx((0, 0, 0), abs=1e-9)
    assert inertia[of.POINT] - pin[of.POINT] == pytest.approx(0.5 * along, abs=1e-12)
    assert residual < 1e-13


def slider_crank(r=0.1, l=0.3, w=12.0):
    """A slider of 1 kg driven over bars of less than a gram, no gravity."""
    m = ms.Builder("slider-crank")
    t, light = 0.6, 1.0
    tilt = -math.asin(r * math.sin(t) / l)
    crank = m.link("crank", (0, 0, 0), length=r, angle=t, density=light)
    rod = m.link("rod", crank.end, length=l, angle=tilt, density=light)
    slider = m.body(
        "slider",
        (r * math.cos(t) + l * math.cos(tilt), 0, 0),
        mass=1.0,
        center_of_mass=(0, 0, 0),
        inertia=(1e-3, 1e-3, 1e-3),
    )
    A = m.pin("A", m.ground, crank, at=crank.start)
    m.pin("B", crank, rod, at=crank.end)
    m.pin("C", rod, slider, at=(rod.end, slider.world()))
    m.slider("D", m.ground, slider, at=slider.world(), axis=(1, 0, 0))
    m.drive("motor", A, speed=w)
    project = m.project()
    return msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, gravity=vector(0.0, 0.0, 0.0))
    )


def test_a_slider_driven_by_a_crank():
    # x = r cos t + sqrt(l^2 - r^2 sin^2 t): the rod pushes along itself, with m x'' along the rail;
    # the rail bears the rest
    r, l, w = 0.1, 0.3, 12.0
    found, _ = acting(slider_crank(r, l, w))
    t = 0.6
    root = math.sqrt(l * l - r * r * math.sin(t) ** 2)
    # second derivative of the root by t, times w^2
    bent = -(r * r * math.cos(2 * t)) / root - (r * r * math.sin(t) * math.cos(t)) ** 2 / root**3
    a = w * w * (-r * math.cos(t) + bent)
    slope = -r * math.sin(t) / root
    push, rail, inertia = (
        found["slider", kind, id][0]
        for kind, id in ((of.REACTION, "C"), (of.REACTION, "D"), (of.INERTIA, "slider"))
    )
    assert inertia[of.FORCE] == pytest.approx((-a, 0, 0), rel=1e-7, abs=1e-7)
    assert push[of.FORCE][0] == pytest.approx(a, rel=1e-7)
    # what the light rod's own inertia takes is below a thousandth
    assert push[of.FORCE][2] == pytest.approx(a * slope, rel=2e-3)
    assert rail[of.FORCE] == pytest.approx((0, 0, -push[of.FORCE][2]), abs=1e-9)
    # points stand in the body's axes: the crank's x is along it, though it is drawn at an angle
    near, far = (found["crank", of.REACTION, id][0][of.POINT] for id in "AB")
    assert far - near == pytest.approx((r, 0, 0), abs=1e-12)
    # the motor's couple on the crank and what pin B puts on it: power in is m x'' x'
    speed = w * (-r * math.sin(t) - r * r * math.sin(t) * math.cos(t) / root)
    motor = found["crank", of.DRIVE, "motor"][0][of.COUPLE]
    assert -motor[1] * w == pytest.approx(a * speed, rel=2e-3)


def test_action_and_reaction_at_one_point():
    found, _ = acting(ms.load(sample_folder() / "four_bar.mech"))
    a, b = found["crank", of.REACTION, "B"][0], found["coupler", of.REACTION, "B"][0]
    assert a[of.FORCE] == pytest.approx(-b[of.FORCE], abs=1e-9) and a[of.COUPLE] == pytest.approx(
        -b[of.COUPLE], abs=1e-9
    )


def test_axial_forces_of_two_hinges_are_undetermined():
    # each could bear the door's weight alone; what bears its turning over is determined
    found, _ = acting(ms.load(sample_folder() / "door_two_hinges.mech"))
    for id in ("lower_hinge", "upper_hinge"):
        hinge, open_ = found["door", of.REACTION, id]
        assert open_[of.LOOSE_FORCE].any()
        assert abs(hinge[of.LOOSE_FORCE][2]) > 100 and hinge[of.LOOSE_FORCE][2] == pytest.approx(
            hinge[of.FORCE][2]
        )


@pytest.mark.parametrize("name", sorted(p.stem for p in sample_folder().glob("*.mech")))
@pytest.mark.thinned(3)
def test_every_body_of_every_sample_closes(name):
    table = analyse(
        ms.load(sample_folder() / f"{name}.mech"), "free_bodies", duration=0.2, sample_step=0.1
    )
    assert len(table.rows) == 3 and table.residual < 1e-12


def test_a_wrong_sign_opens_the_sum(monkeypatch):
    real = analysis._Actions._wrench
    monkeypatch.setattr(
        analysis._Actions,
        "_wrench",
        lambda self, slot, b: (lambda P, w: (P, -w if slot.kind == of.WEIGHT else w))(
            *real(self, slot, b)
        ),
    )
    assert acting(Project(pendulum(0.3)))[1] > 0.5


def test_one_body_alone():
    project = ms.load(sample_folder() / "four_bar.mech")
    table = analyse(project, "free_bodies", duration=0.0, bodies=["rocker"])
    assert table.columns[1:] == [name for name, _ in of.columns(project.mechanism, ["rocker"])]
    assert all(name.startswith("rocker ") for name in table.columns[1:]) and table.residual < 1e-12


def test_comoments_are_the_same_at_every_point():
    # {p; sigma} . {w; v} and {F; M} . {w; v} of a swinging rod, read at its pin and elsewhere, are
    # twice its kinetic energy and the power of the weight
    m, L, w, angle = 2.0, 1.0, 3.0, 0.4
    project = Project(with_rates(pendulum(angle), A=(w,)))
    twice, power = m * L * L / 3 * w * w, -m * G * L / 2 * w * math.cos(angle)
    for point in (None, (0.3, -0.2, 0.7), "A"):
        rows = analyse(project, "torsors", point=point).rows
        assert rows[1:, 6] == pytest.approx([twice, power, power], rel=1e-9)
        kinematic, kinetic, _, action = rows[:, :6]
        field = np.concatenate((kinematic[3:], kinematic[:3]))
        assert kinetic @ field == pytest.approx(
            twice, rel=1e-9
        ) and action @ field == pytest.approx(power, rel=1e-9)


def test_comoments_of_every_pair_of_bodies():
    """Those of two bodies do not depend on where both torsors are read; the columns name the
    bodies.
    """
    project = ms.load("samples/four_bar.mech")
    table, elsewhere = (
        analyse(project, "torsors", time=0.1),
        analyse(project, "torsors", time=0.1, point=(0.4, -0.1, 0.3)),
    )
    assert table.columns[6:] == ["• V crank", "• V coupler", "• V rocker"]
    assert (
        table.rows[:, 6:] == pytest.approx(elsewhere.rows[:, 6:], rel=1e-9, abs=1e-12)
        and np.abs(table.rows[1::4, 6:]).min() > 1e-3
    )
    alone = analyse(project, "torsors", time=0.1, bodies=["rocker", "crank"])
    assert alone.columns[6:] == ["• V rocker", "• V crank"] and alone.rows[0, 7] == pytest.approx(
        table.rows[8, 6]
    )
