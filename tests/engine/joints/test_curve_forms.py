"""Beads on polylines with fillets and on arcs against their closed forms: times, places, and the
forces on both sides of the places where the curvature jumps.
"""

import math

import msgspec
import numpy as np
import pytest
from scipy.integrate import quad

import mechstudio as ms
from mechstudio.model.quantity import Quantity

G, MASS, R = 9.81, 2.0, 0.3
PIPE = [(0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0)]


def bead(points, at, speed=0.0, gravity=G, **curve):
    m = ms.Builder("bead", gravity=(0, 0, -gravity))
    b = m.body("bead", at, mass=MASS, center_of_mass=(0, 0, 0), inertia=(1e-3, 1e-3, 1e-3))
    m.on_curve("wire", m.ground, b, points, at=at, rate=(speed, 0, 0, 0), **curve)
    m.run(tolerance=1e-12)
    return m.project()


def at_end(project, duration, **settings):
    """Place and velocity (3,) of the bead after a time [s]."""
    result = ms.simulate(project, duration=duration, sample_step=duration, **settings)
    return result.poses[-1, 0, :3], result.velocities[-1, 0, :3], result


def force(project, duration):
    """Force of the wire on the bead after a time [s], in W [N]."""
    table = ms.analyse(project, "reactions", axes="world", duration=duration, sample_step=duration)
    return np.array(table.rows)[-1, 1:4]


def pipe(height=0.8):
    """Bead that falls down the side of a pipe, its fall's time and that through the fillet [s]."""
    fall = math.sqrt(2 * (height - R) / G)
    speed = lambda turn: math.sqrt(2 * G * (height - R + R * math.sin(turn)))
    through, _ = quad(lambda turn: R / speed(turn), 0, math.pi / 2, epsabs=1e-14, epsrel=1e-13)
    return bead(PIPE, (0.0, 0.0, height), form="polyline", fillet=R), fall, through


def test_a_bead_is_in_time_through_a_fillet():
    project, fall, through = pipe()
    speed = math.sqrt(2 * G * 0.8)
    place, velocity, _ = at_end(project, fall + through + 0.2 / speed)
    assert place == pytest.approx((0.5, 0.0, 0.0), abs=1e-10)
    assert velocity == pytest.approx((speed, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("share", [1e-7, 0.4, 1 - 1e-7])
def test_the_force_on_a_fillet_is_that_of_its_curvature(share):
    """From end to end, where it jumps."""
    project, fall, through = pipe()
    duration = fall + share * through
    place, velocity, _ = at_end(project, duration)
    out = (place - (R, 0.0, R)) / R
    assert math.hypot(*out) == pytest.approx(1.0, abs=1e-13)
    found = force(project, duration)
    assert found @ -out == pytest.approx(MASS * (velocity @ velocity / R - G * out[2]), abs=1e-9)
    assert found @ -out > MASS * 2 * G * 0.5 / R - 1e-3
    assert abs(found @ velocity) < 1e-9


@pytest.mark.parametrize("aside", [1e-7, 1e-3])
def test_the_force_beside_a_fillet_is_the_weight_alone(aside):
    project, fall, through = pipe()
    assert force(project, fall - aside) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    known = (0.0, 0.0, MASS * G)
    assert force(project, fall + through + aside) == pytest.approx(known, abs=1e-9)


def test_a_run_that_steps_over_the_edges_is_wrong(monkeypatch):
    """The plant of the tests above: without edges the place is wrong by 4e-6."""
    from mechstudio.engine.integration import smooth_run

    project, fall, through = pipe()
    duration = fall + through + 0.2 / math.sqrt(2 * G * 0.8)
    right, _, _ = at_end(project, duration, tolerance=1e-6)
    monkeypatch.setattr(smooth_run, "edges", lambda system: ())
    wrong, _, _ = at_end(project, duration, tolerance=1e-6)
    assert abs(right[0] - 0.5) < 1e-9 < 1e-6 < abs(wrong[0] - 0.5)


@pytest.mark.parametrize("radius", [1e-3, 1e-5])
def test_a_fast_bead_passes_short_fillets_within_a_step(radius):
    """Without gravity its speed is constant; the wire turns it by half a turn."""
    speed = 50.0
    project = bead(PIPE, (0.0, 0.0, 0.8), speed, 0.0, form="polyline", fillet=radius)
    short = 2 * radius * (1 - math.pi / 4)  # by which a fillet is shorter than its corner
    place, velocity, result = at_end(project, (0.8 + 1.0 + 0.5 - 2 * short) / speed)
    assert place == pytest.approx((1.0, 0.0, 0.5), abs=1e-9)
    assert velocity == pytest.approx((0.0, 0.0, speed), abs=1e-9)
    assert result.statistics["steps"] < 400


@pytest.mark.parametrize("sense", [1, -1])
def test_a_bead_that_starts_on_a_junction_goes_its_way(sense):
    project = bead(PIPE, (0.0, 0.0, R), sense * 3.0, 0.0, form="polyline", fillet=R)
    found = force(project, 1e-9)
    assert found == pytest.approx((MASS * 9.0 / R if sense > 0 else 0.0, 0.0, 0.0), abs=1e-5)
    place, velocity, _ = at_end(project, 0.1)
    turn = 0.3 / R
    known = (R - R * math.cos(turn), 0.0, R - R * math.sin(turn)) if sense > 0 else (0, 0, 0.6)
    assert place == pytest.approx(known, abs=1e-10)
    assert math.hypot(*velocity) == pytest.approx(3.0, abs=1e-10)


@pytest.mark.parametrize("points", [PIPE, PIPE[::-1]])
def test_a_closed_wire_is_run_round(points):
    project = bead(points, (0.0, 0.0, 0.5), 2.0, 0.0, form="polyline", closed=True, fillet=0.2)
    length = 4.0 - 8 * 0.2 + 2 * math.pi * 0.2
    place, _, result = at_end(project, 3 * length / 2.0)
    assert place == pytest.approx((0.0, 0.0, 0.5), abs=1e-9)
    ways = result.joint_coordinates["wire"][:, 0]
    assert ways[-1] - ways[0] == pytest.approx(3 * length, abs=1e-9)


def test_a_bead_leaves_an_arc_along_its_tangent():
    """A quarter of a circle from its right to its top, by way of a point between."""
    points = [(R * math.cos(a), 0.0, R * math.sin(a)) for a in (0.0, 0.3, math.pi / 2)]
    project = bead(points, points[0], 4.0, form="arc")
    speed = lambda turn: math.sqrt(16.0 - 2 * G * R * math.sin(turn))
    up, _ = quad(lambda turn: R / speed(turn), 0, math.pi / 2, epsabs=1e-14, epsrel=1e-13)
    last = speed(math.pi / 2)
    place, velocity, _ = at_end(project, up + 0.1)
    assert place == pytest.approx((-0.1 * last, 0.0, R), abs=1e-9)
    assert velocity == pytest.approx((-last, 0.0, 0.0), abs=1e-9)
    on, off = force(project, up - 1e-8), force(project, up + 1e-8)
    assert on[2] == pytest.approx(MASS * (G - last**2 / R), abs=1e-5)
    assert off[2] == pytest.approx(MASS * G, abs=1e-5)


def test_a_line_of_two_points_is_a_slope():
    project = bead([(0, 0, 0), (0.6, 0, -0.8)], (0, 0, 0), form="polyline", fillet=0.1)
    place, _, _ = at_end(project, 0.5)
    down = 0.5 * 0.8 * G * 0.25
    assert place == pytest.approx((0.6 * down, 0.0, -0.8 * down), abs=1e-12)
    assert force(project, 0.5) == pytest.approx((0.48 * MASS * G, 0.0, 0.36 * MASS * G), abs=1e-10)


@pytest.mark.parametrize("form", ["polyline", "arc"])
@pytest.mark.parametrize("plane", "xyz")
@pytest.mark.parametrize("center", [(0, 0, 0), (0.05, 0.02, 0.03)])
def test_equations_of_exact_curves_agree_with_the_engine(form, plane, center):
    from mechstudio.symbolic.proofs.random_point import random_proofs

    m = ms.Builder("bead")
    flat = [(0.1, 0.8), (0.0, 0.0), (1.0, 0.3)]
    points = [{"x": (0.1, u, v), "y": (u, 0.1, v), "z": (u, v, 0.1)}[plane] for u, v in flat]
    b = m.body("bead", points[0], mass=2.0, inertia=(1e-3, 1e-3, 1e-3), center_of_mass=center)
    fillet = {"fillet": 0.2} if form == "polyline" else {}
    m.on_curve("wire", m.ground, b, points, at=points[0], form=form, rate=(3, 0, 0, 0), **fillet)
    d = ms.derive(m.project())
    made = d.by("lagrange")
    if not any(center):
        (mass,) = d.ring.terms(d.ring.untagged(made.M[0][0]))
        assert len(mass) == 1 and not made.b[0], "m s̈, and no term of the speed"
    assert d.proofs and all(p.holds for p in (*d.proofs, *random_proofs(d)))
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail


@pytest.mark.parametrize("end", [(0, 0, 0.5), (0.3, 0, 0.4)])
def test_equations_of_a_line_are_those_of_a_slope(end):
    m = ms.Builder("bead")
    b = m.body("bead", mass=2.0, inertia=(1e-3, 1e-3, 1e-3), center_of_mass=(0, 0, 0))
    m.on_curve("wire", m.ground, b, [(0, 0, 0), end], at=(0, 0, 0), form="polyline")
    d = ms.derive(m.project())
    made = d.by("lagrange")
    (mass,) = d.ring.terms(d.ring.untagged(made.M[0][0]))
    assert len(mass) == 1 and not made.b[0]
    assert all(p.holds for p in d.proofs) and ms.agreement(d).holds


@pytest.mark.parametrize("tolerance", [1e-6, 1e-10, 1e-12])
def test_a_bead_in_absolute_coordinates_passes_a_fillet(tolerance):
    """There the relative pivot is small all the way, which is no singular position."""
    project, fall, through = pipe()
    speed = math.sqrt(2 * G * 0.8)
    settings = msgspec.structs.replace(
        project.settings, formulation="absolute", tolerance=Quantity(tolerance)
    )
    project = msgspec.structs.replace(project, settings=settings)
    place, velocity, _ = at_end(project, fall + through + 0.2 / speed)
    near = max(1e-9, 100 * tolerance)
    assert place == pytest.approx((0.5, 0.0, 0.0), abs=near)
    assert velocity == pytest.approx((speed, 0.0, 0.0), abs=10 * near)


@pytest.mark.parametrize(
    ("pivot", "begun", "words"),
    [
        (1e-6, 1.0, "stands in a singular position"),
        (1e-6, 1e-6, "no step is short enough"),
        (0.5, 1.0, "no step is short enough"),
    ],
)
def test_a_singular_position_is_detected_by_a_fallen_pivot(pivot, begun, words, monkeypatch):
    """The sentence of a run whose steps have shrunk to nothing."""
    from mechstudio.engine.integration import smooth_run
    from mechstudio.engine.kernels import run_tables

    def stuck(state, *_):
        state.clock[run_tables.PIVOT], state.clock[run_tables.BEGUN] = pivot, begun
        return run_tables.UNDERFLOW, 0

    monkeypatch.setattr(smooth_run, "advance", stuck)
    with pytest.raises(ms.SimulationStopped, match=words):
        ms.simulate(pipe()[0], duration=0.1)
