"""Analyses against closed forms or computations of their own; each names its reference above it."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses import drift, linearisation, over_time
from mechstudio.engine.analyses.drift import injected
from mechstudio.engine.analyses.equilibria import equilibria
from mechstudio.engine.analyses.linearisation import linearise
from mechstudio.engine.analyses.loads import joint_loads
from mechstudio.engine.analyses.record import Record, instant_at
from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.dynamics.load_wrenches import Loads
from mechstudio.engine.dynamics.partition import NoPartition, Partition
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import GROUND, Drive, Frame, Law, Limit, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from tests.engine.problems import body, joint, rod
from tests.engine.test_closed_forms import ANCHOR, BLOCK, force, slider, with_rates

G = 9.81


def pendulum(angle=0.0, limits=()):
    """A rod of 2 kg and 1 m on a pin at the origin, in the plane xz, at an angle from the level
    [rad].
    """
    d = np.array((math.cos(angle), 0.0, math.sin(angle)))
    bodies = {"rod": body("rod", 2.0, 0.5 * d, rod(2.0, 1.0, d))}
    pin = joint("A", "revolute", GROUND, "rod", (0, 0, 0), (0, -1, 0), bodies)
    return Mechanism(bodies, {"A": msgspec.structs.replace(pin, limits=limits)})


def double_pendulum():
    """Two equal rods of 1 kg and 1 m, hanging, pins along -y."""
    bodies = {
        f"rod_{k}": body(f"rod_{k}", 1.0, (0, 0, -0.5 - k), rod(1.0, 1.0, (0, 0, 1)))
        for k in (0, 1)
    }
    joints = {
        "A": joint("A", "revolute", GROUND, "rod_0", (0, 0, 0), (0, -1, 0), bodies),
        "B": joint("B", "revolute", "rod_0", "rod_1", (0, 0, -1), (0, -1, 0), bodies),
    }
    return Mechanism(bodies, joints)


def record(mechanism, duration=1.0, step=0.05, tolerance=1e-11):
    return Record(mechanism, RunOptions(duration, step, tolerance=tolerance))


@pytest.mark.parametrize("formulation", ["joint", "absolute", "independent"])
@pytest.mark.thinned(3)
def test_analyses_see_the_run_that_is_shown(formulation):
    # a coarse tolerance parts the formulations by far more than the bound
    project = ms.load("samples/four_bar.mech")
    settings = msgspec.structs.replace(
        project.settings, formulation=formulation, tolerance=Quantity(1e-3), until=()
    )
    project = msgspec.structs.replace(project, settings=settings)
    shown = ms.simulate(project, duration=2.0)
    found = analyse(project, "kinematics", duration=2.0, frames=("coupler",))
    where = [found.columns.index(f"coupler x{axis}") for axis in "xyz"]
    assert np.abs(found.rows[:, where] - shown.position("coupler")).max() < 1e-12


def test_reaction_of_a_falling_rod():
    # from the level at rest: along the rod F_t = m g sin a + m w^2 l / 2 with w^2 = 3 g sin a / l,
    # so 5/2 m g sin a; across it m g cos a / 4 (e.g. Meriam,
    # Kraige, Dynamics, section 6/6), a the angle below the level
    r = record(pendulum(), 0.5)
    for k in range(len(r.samples)):
        now = r.instant(k)
        a = -now.motion.coordinates[0]
        along, across = (
            np.array((math.cos(a), 0, -math.sin(a))),
            np.array((math.sin(a), 0, math.cos(a))),
        )
        F = now.reactions[0].wrench[:3]
        assert F @ along == pytest.approx(-2.5 * 2.0 * G * math.sin(a), abs=1e-7)
        assert F @ across == pytest.approx(0.25 * 2.0 * G * math.cos(a), abs=1e-7)
        assert now.reactions[0].determined.all() and now.residual < 1e-12


def test_a_rod_at_rest_against_its_stop():
    # level, held from below by the stop: its moment is m g l / 2, the pin carries the weight, and
    # the accelerations are zero
    now = instant_at(
        compile_system(pendulum(limits=(Limit(0, Quantity(0.0)),))),
        compile_system(pendulum(limits=(Limit(0, Quantity(0.0)),))).start,
    )
    (effort,) = now.efforts
    assert effort.effort == pytest.approx(2.0 * G * 0.5, rel=1e-12) and effort.power == 0.0
    assert now.reactions[0].wrench[2] == pytest.approx(2.0 * G, rel=1e-12)
    assert np.abs(now.accelerations).max() < 1e-12


def test_reactions_across_the_plane_of_a_four_bar_are_undetermined():
    # THEORY 4: hyperstatic of degree 3 by the tilts about x and z and the shift along y of the
    # plane; forces in the plane are determined
    project = ms.load("samples/four_bar.mech")
    table = analyse(project, "reactions", duration=0.1, sample_step=0.05)
    loose = {table.columns[c] for c in np.flatnonzero(table.hatched[0])}
    # joint axes: z along the pin, so that Fz, Mx and My stand across the plane
    assert loose == {f"{j} {c}" for j in "ABCD" for c in ("Fz", "Mx", "My")}
    assert table.residual < 1e-12


@pytest.mark.parametrize(
    "name",
    [
        "four_bar",
        "gear_train",
        "stewart_platform",
        "rolling_disc",
        "screw_jack",
        "cam_profile",
        "gimbal_lock",
    ],
)
def test_balances_close_at_every_instant(name):
    # loads are read in plain numpy and accelerations come from the kernels: Newton and Euler must
    # hold body by body, virtual power for every field
    project = ms.load(f"samples/{name}.mech")
    r = Record(
        project.mechanism,
        msgspec.structs.replace(
            RunOptions.from_settings(project.settings), duration=0.4, sample_step=0.2
        ),
    )
    instants = [r.instant(k) for k in range(len(r.samples))]
    assert max(now.residual for now in instants) < 1e-12
    assert (
        max(over_time.torsors(now, list(project.mechanism.bodies)).residual for now in instants)
        < 1e-12
    )
    assert max(over_time.power(now, y).residual for now, y in zip(instants, r.states)) < 1e-12
    assert over_time.momenta(instants).residual < 1e-12


def crossing():
    """A disc of 3 kg on its way along x, and a slider of 2 kg along y from the origin."""
    m = ms.Builder(gravity=(0, 0, 0))
    m.body("disc", (0, 5, 0), mass=3, inertia=(1, 1, 1)).velocity((4, 0, 0), (0, 0, 7))
    other = m.body("other", mass=2, inertia=(1, 1, 1)).velocity((0, 0.5, 0), (0, 0, 0))
    other.point("P", (0, 0, 0))
    m.slider("S", m.ground, other, at=(0, 0, 0), axis=(0, 1, 0), rate=0.5)
    return m.project()


@pytest.mark.parametrize("point", ["other", "other.P", "S"])
def test_momenta_about_a_moving_point_follow_it(point):
    # N = I ω - (5 m - u t) m v about P = (0, u t, 0); its rate is M - v_P x p = u m v, M = 0
    found = analyse(crossing(), "momenta", duration=2.0, sample_step=0.5, point=point)
    t = found.rows[:, 0]
    assert np.abs(found.rows[:, 6] - (7.0 - (5.0 - 0.5 * t) * 3.0 * 4.0)).max() < 1e-9
    assert found.rows[:, 12] == pytest.approx(0.5 * 3.0 * 4.0, rel=1e-9)
    assert "less v × p" in found.notes[0]
    assert found.residual < 1e-12
    shaking = analyse(crossing(), "shaking", duration=2.0, sample_step=0.5, point=point)
    assert np.abs(shaking.rows[:, 1:]).max() < 1e-9


def test_momenta_about_a_turning_point_are_those_of_their_differences():
    m = ms.Builder.of(ms.load("samples/double_pendulum.mech"))
    project = m.project()
    body = list(project.mechanism.bodies.values())[-1].name
    step = 2e-3
    found, origin, shaking = (
        analyse(project, what, duration=0.2, sample_step=step, point=point)
        for what, point in (("momenta", body), ("momenta", None), ("shaking", body))
    )
    places = ms.simulate(project, duration=0.2, sample_step=step).position(body)
    moved = lambda torsor: torsor[:, 3:] - np.cross(places, torsor[:, :3])
    N = found.rows[:, 4:7]
    assert np.abs(N - moved(origin.rows[:, 1:7])).max() < 1e-9 * np.abs(N).max()
    assert np.abs(shaking.rows[:, 4:7] + moved(origin.rows[:, 7:13])).max() < 1e-9
    slope = (N[:-4] - 8 * N[1:-3] + 8 * N[3:-1] - N[4:]) / (12 * step)
    rates = found.rows[2:-2, 10:13]
    assert np.abs(slope - rates).max() < 1e-5 * np.abs(rates).max()


def test_a_wrong_load_opens_the_balance(monkeypatch):
    # the check can fail: a gyroscopic or gravity term of a hundredth too much is seen
    now = instant_at(compile_system(double_pendulum()), compile_system(double_pendulum()).start)
    assert now.residual < 1e-12
    true = Loads._gravity
    monkeypatch.setattr(
        Loads,
        "_gravity",
        lambda self, at: true(self, at)._replace(
            wrenches={b: 1.01 * w for b, w in true(self, at).wrenches.items()}
        ),
    )
    wrong = instant_at(
        compile_system(double_pendulum()), compile_system(double_pendulum()).start + 0.1
    )
    assert wrong.residual > 1e-4


def test_coriolis_of_a_bead_on_a_turning_rod():
    # x = r0 cosh(w t) on a rod driven at w: v_rel = x', transport w x, Coriolis 2 w x', relative
    # x'' = w^2 x
    w, r0 = 3.0, 0.2
    bodies = {
        "rod": body("rod", 1.0, (0, 0, 0), 0.1 * np.eye(3)),
        "bead": body("bead", 0.5, (r0, 0, 0), 0.001 * np.eye(3)),
    }
    joints = {
        "A": joint("A", "revolute", GROUND, "rod", (0, 0, 0), (0, 0, 1), bodies),
        "S": joint("S", "prismatic", "rod", "bead", (0, 0, 0), (1, 0, 0), bodies),
    }
    m = Mechanism(bodies, joints, gravity=vector(0, 0, 0))
    m = msgspec.structs.replace(
        m,
        drives={"d": Drive("d", "d", "A", 0, "velocity", Law("constant", {"value": Quantity(w)}))},
    )
    r = record(m, 0.5, 0.1, 1e-12)
    table = over_time.relative(
        [r.instant(k) for k in range(len(r.samples))], "bead", Frame("bead"), "rod"
    )
    column = lambda part: np.linalg.norm(
        table.rows[:, [table.columns.index(f"bead {part} {a}") for a in "xyz"]], axis=1
    )
    t = table.rows[:, 0]
    x, rate = r0 * np.cosh(w * t), r0 * w * np.sinh(w * t)
    for part, expected in (
        ("v_rel", rate),
        ("v_tr", w * x),
        ("a_cor", 2 * w * rate),
        ("a_rel", w * w * x),
        ("a_tr", w * w * x),
    ):
        assert column(part) == pytest.approx(expected, abs=1e-8), part
    assert table.residual < 1e-8
    # the rod presses on the bead with the Coriolis force, and the drive's torque is 2 m x x' w
    efforts = joint_loads.efforts([r.instant(k) for k in range(len(r.samples))])
    assert efforts.rows[:, 1] == pytest.approx(2 * 0.5 * x * rate * w, abs=1e-8)


# a nut slides along the axis about which it is turned, and a disc is seen from ground: no Coriolis
# there
@pytest.mark.parametrize(
    ("name", "bends"),
    [
        ("four_bar", True),
        ("cam_profile", True),
        ("stewart_platform", True),
        ("rolling_disc", False),
        ("screw_jack", False),
    ],
)
def test_velocities_and_accelerations_against_differences_of_places(name, bends, monkeypatch):
    # reference: central differences of the bodies' places, in which no formula of a moving frame
    # occurs; each fault of a hundredth is seen
    project = ms.load(f"samples/{name}.mech")
    bodies = list(project.mechanism.bodies)
    seen, seen_from = bodies[-1], bodies[0] if len(bodies) > 1 else GROUND
    r = Record(
        project.mechanism,
        msgspec.structs.replace(
            RunOptions.from_settings(project.settings), duration=0.3, sample_step=0.1
        ),
    )
    instants = [r.instant(k) for k in range(len(r.samples))]
    both = lambda: (
        over_time.kinematics(instants, [(b, Frame(b)) for b in bodies]).residual,
        over_time.relative(instants, seen, Frame(seen), seen_from).residual,
    )
    assert max(both()) < 1e-6
    cross, twist = over_time.cross, Instant.velocity_at
    with monkeypatch.context() as patch:
        patch.setattr(over_time, "cross", lambda a, b: 1.01 * cross(a, b))
        assert both()[1] > 1e-4 or not bends
    with monkeypatch.context() as patch:
        patch.setattr(
            Instant, "velocity_at", lambda self, body, point: 1.01 * twist(self, body, point)
        )
        assert both()[0] > 1e-4 and (both()[1] > 1e-4 or not bends)
    for now in instants:
        now.accelerations = now.accelerations * 1.01
    assert both()[0] > 1e-4 and (both()[1] > 1e-4 or not bends)


def test_inverse_dynamics_of_a_rod():
    # a = A sin(w t) from the level: torque I a'' + m g (l / 2) cos a with I = m l^2 / 3; positive
    # counter-clockwise
    project = Project(pendulum())
    table = analyse(
        project, "inverse", motion={"A": "0.5 rad*sin(3 rad/s*t)"}, duration=1.0, sample_step=0.1
    )
    t = table.rows[:, 0]
    a, acc = 0.5 * np.sin(3 * t), -4.5 * np.sin(3 * t)
    assert table.rows[:, 1] == pytest.approx(2.0 / 3.0 * acc + 2.0 * G * 0.5 * np.cos(a), abs=1e-7)
    assert table.rows[:, 2] == pytest.approx(table.rows[:, 1] * 1.5 * np.cos(3 * t), abs=1e-7)
    with pytest.raises(ValueError, match="needs a motion"):
        analyse(project, "inverse")
    with pytest.raises(ValueError, match="angle"):
        analyse(project, "inverse", motion={"A": "3 mm*t"})


def test_modes_of_a_double_pendulum():
    # M a'' + K a = 0 in absolute angles: M = m l^2 (4/3 1/2; 1/2 1/3), K = m g l (3/2 0; 0 1/2)
    M, K = np.array(((4 / 3, 0.5), (0.5, 1 / 3))), G * np.diag((1.5, 0.5))
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K))) / (2 * math.pi)
    system = compile_system(double_pendulum())
    found = linearise(system, system.start, inputs=[("A", 0), ("B", 0)])
    assert sorted(m.frequency for m in found.modes) == pytest.approx(sorted(expected), rel=1e-7)
    assert max(abs(m.damping) for m in found.modes) < 1e-9 and found.rest < 1e-12
    # a torque at A acts on the first rod alone, one at B on the second and against the first: in
    # relative angles T^-1 M^-1 (1 -1; 0 1)
    T = np.array(((1.0, 0.0), (1.0, 1.0)))
    assert found.B[2:] == pytest.approx(
        np.linalg.solve(T, np.linalg.solve(M, np.array(((1.0, -1.0), (0.0, 1.0))))), abs=1e-9
    )


@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("four_bar", 0.3),
        ("cart_pole", 0.0),
        ("rolling_disc", 0.2),
        ("slider_crank", 0.1),
        ("heavy_top", 0.1),
    ],
)
def test_linearisations_against_other_differences(name, time, monkeypatch):
    # reference: the engine's accelerations at states pushed along the tangent and projected by the
    # kernels, and with a motor added; each fault of a hundredth is seen
    project = ms.load(f"samples/{name}.mech")
    residual = lambda: analyse(project, "linearise", time=time).residual
    assert residual() < 1e-6
    closed, efforts = Partition.closed, linearisation._generalised
    with monkeypatch.context() as patch:
        patch.setattr(
            Partition,
            "closed",
            lambda self, y, step, velocities: closed(self, y, 1.01 * step, velocities),
        )
        assert residual() > 1e-4
    with monkeypatch.context() as patch:
        patch.setattr(linearisation, "_generalised", lambda *given: 1.01 * efforts(*given))
        assert residual() > 1e-4


def test_a_linearisation_reports_its_distance_from_rest():
    # the level rod: m g l / 2 over m l^2 / 3; hanging it rests
    level = analyse(Project(pendulum()), "linearise")
    assert (
        "no equilibrium: A accelerates by -14.7 rad/s²" in level.notes[0] and level.residual < 1e-7
    )
    hanging = analyse(Project(pendulum(-math.pi / 2)), "linearise")
    assert "is an equilibrium" in hanging.notes[0]
    # A and B in words: a'' = -3 g / (2 l) a + 3 / (m l^2) M
    found = analyse(Project(pendulum(-math.pi / 2)), "matrices")
    assert found.columns == ["A", "A'", "effort on A"] and found.labels == [
        "rate of A",
        "rate of A'",
    ]
    assert found.rows == pytest.approx(np.array(((0, 1, 0), (-1.5 * G, 0, 1.5))), abs=1e-6)
    assert (
        hanging.more["A"] == found.rows[:, :2].tolist()
        and hanging.more["states"] == found.columns[:2]
    )


def test_damping_ratio_of_a_slider():
    # m x'' + c x' + k x = 0: s = -c / 2m +- i sqrt(k / m - (c / 2m)^2), ratio c / (2 sqrt(k m))
    k, c, m = 80.0, 4.0, 2.0
    system = compile_system(
        slider(
            force("k", "spring", stiffness=k, free_length=0.5, frame_a=ANCHOR, frame_b=BLOCK),
            force("c", "damper", damping=c, frame_a=ANCHOR, frame_b=BLOCK),
        )
    )
    (mode,) = linearise(system, system.start).modes
    assert mode.damping == pytest.approx(c / (2 * math.sqrt(k * m)), rel=1e-7)
    assert mode.eigenvalue == pytest.approx(
        complex(-c / (2 * m), math.sqrt(k / m - (c / (2 * m)) ** 2)), rel=1e-7
    )


def test_modes_in_other_independent_coordinates_and_a_bad_choice():
    # eigenvalues do not depend on which coordinate of the four-bar is called independent
    project = ms.load("samples/four_bar.mech")
    system = compile_system(project.mechanism)
    rest = equilibria(system, 6).equilibria[0].state
    first, second = (linearise(system, rest, (name,)) for name in ("A", "D"))
    assert first.names == ("A",) and second.names == ("D",)
    assert [m.eigenvalue for m in first.modes] == pytest.approx(
        [m.eigenvalue for m in second.modes], rel=1e-5, abs=1e-5
    )
    with pytest.raises(NoPartition, match="1 of the coordinates"):
        linearise(system, rest, ("A", "B"))


def ramp(step):
    """Mean square of a line from 0 to 1 by the trapezoidal rule over a second: each interval h adds
    h³/6 to the exact third.
    """
    h = np.diff(np.append(np.arange(0.0, 1.0, step), 1.0))
    return 1.0 / 3.0 + (h**3).sum() / 6.0


# the last sample of a run may come sooner than the others
@pytest.mark.parametrize("step", [0.1, 0.3])
def test_rms_of_the_load_table_is_over_the_time(step):
    b = ms.Builder(gravity=(0, 0, 0))
    block = b.body("block", mass=1, inertia=(1, 1, 1))
    b.drive("D", b.slider("S", b.ground, block, at=(0, 0, 0), axis=(1, 0, 0)), position="0 m")
    b.force("force", "F", body=block, vector=("10 N*t/1 s", 0, 0))
    table = analyse(b.project(), "loads", duration=1.0, sample_step=step)
    row = table.rows[table.labels.index("D on S [N]")]
    assert row[4] == pytest.approx(10.0 * math.sqrt(ramp(step)), rel=1e-9)


def test_rms_of_a_sensitivity_is_over_the_time():
    b = ms.Builder(gravity=(0, 0, 0))
    b.parameter("v", "2 m/s", "velocity")
    block = b.body("block", mass=1, inertia=(1, 1, 1))
    b.drive("D", b.slider("S", b.ground, block, at=(0, 0, 0), axis=(1, 0, 0)), position="v*t")
    table = analyse(
        b.project(), "sensitivity", duration=1.0, sample_step=0.3, channels=("joint/S/0",)
    )
    # ends at v t, of which the RMS is v times that of the line
    assert table.rows[0] == pytest.approx([1.0, math.sqrt(ramp(0.3))], rel=1e-6)


def test_sensitivity_of_a_spring():
    # x = a cos(w t), w = sqrt(k / m): dx / dk = -a t sin(w t) / (2 sqrt(k m))
    b = ms.Builder("spring")
    b.parameter("k", "80 N/m", "stiffness")
    block = b.body(
        "block",
        (0.5, 0, 0),
        mass=2.0,
        center_of_mass=(0, 0, 0),
        inertia=(0.01, 0.01, 0.01, 0, 0, 0),
    )
    slide = b.slider("S", b.ground, block, at=(0.3, 0, 0), axis=(1, 0, 0))
    b.force("slide_spring", "s", joint=slide, stiffness="k", free_length=0)
    table = analyse(
        b.project(), "sensitivity", duration=0.7, sample_step=0.1, channels=("joint/S/0",)
    )
    a, w = ms.simulate(b.project(), duration=0.1).joint_coordinates["S"][0, 0], math.sqrt(40.0)
    assert table.labels == ["k"]
    assert table.rows[0, 0] == pytest.approx(
        -a * 0.7 * math.sin(w * 0.7) / (2 * math.sqrt(160.0)), rel=1e-4
    )


def test_bodies_without_joints_have_loads_and_sensitivities():
    """None, and those of their places: x = v t."""
    b = ms.Builder("throw")
    b.parameter("v", "3 m/s", "velocity")
    b.body("ball", (0, 0, 1), mass=1.0, inertia=(1, 1, 1, 0, 0, 0)).velocity(("v", 0, 0))
    span = {"duration": 0.5, "sample_step": 0.1}
    assert not analyse(b.project(), "loads", **span).labels
    table = analyse(b.project(), "sensitivity", **span)
    of = dict(zip(table.columns, table.rows[0]))
    assert of["end of ball x"] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(
    ("how", "settings"),
    [("none", {}), ("baumgarte", {"alpha": 20.0, "beta": 30.0}), ("projection", {})],
)
def test_drift_opens_a_row_of_places(how, settings, monkeypatch):
    # a prescribed velocity comes first and holds no place: what is opened is the prescribed angle,
    # and its error follows the equation
    law = lambda value: Law("constant", {"value": Quantity(value)})
    drives = {
        "v": Drive("v", "v", "A", 0, "velocity", law(1.0)),
        "x": Drive("x", "x", "B", 0, "position", law(0.0)),
    }
    m = msgspec.structs.replace(double_pendulum(), drives=drives)
    options = RunOptions(0.5, 0.05, tolerance=1e-11, drift=how, **settings)
    table = injected(m, options, 1e-5)
    assert (
        table.rows[0, 1] == pytest.approx(1e-5, rel=1e-6)
        and "Drive x is open" in table.notes[0]
        and table.residual < 1e-6
    )
    closed = drift.decay
    monkeypatch.setattr(drift, "decay", lambda t, alpha, beta: closed(t, 1.01 * alpha, beta) * 1.01)
    assert injected(m, options, 1e-5).residual > 1e-3 or how == "projection"


def test_drift_of_what_only_rolls_is_refused():
    with pytest.raises(ValueError, match="no position can drift"):
        analyse(ms.load("samples/rolling_disc.mech"), "drift", duration=0.1)


def test_wrong_options_of_an_analysis_are_refused():
    project = ms.load("samples/four_bar.mech")
    with pytest.raises(ValueError, match="no analysis"):
        analyse(project, "colour")
    with pytest.raises(KeyError, match="crank, coupler, rocker"):
        analyse(project, "torsors", bodies=["crnk"])
    with pytest.raises(ValueError, match="Axes are"):
        analyse(project, "reactions", axes="mine")
    with pytest.raises(ValueError, match="one frame"):
        analyse(project, "relative")


def test_moments_at_another_point():
    # M(P) = M(A) + F x AP; and joint axes turned into W give the same wrench
    project = ms.load("samples/slider_crank.mech")
    world = analyse(project, "reactions", joints=["A"], axes="world", duration=0.1, sample_step=0.1)
    there = analyse(
        project,
        "reactions",
        joints=["A"],
        axes="world",
        point=(0.3, -0.2, 0.1),
        duration=0.1,
        sample_step=0.1,
    )
    A = np.array(project.mechanism.frame_in_world(project.mechanism.joints["A"].frame_a)[0])
    F, M = world.rows[:, 1:4], world.rows[:, 4:7]
    assert there.rows[:, 4:7] == pytest.approx(
        M + np.cross(F, np.array((0.3, -0.2, 0.1)) - A), abs=1e-9
    )


def test_rates_given_to_a_rod_show_in_its_reaction():
    # at the level with rate w: towards the pin m w^2 l / 2 beside the weight's quarter
    system = compile_system(with_rates(pendulum(), A=(4.0,)))
    F = instant_at(system, system.start).reactions[0].wrench[:3]
    assert pytest.approx([-2.0 * 16.0 * 0.5, 0.0, 0.25 * 2.0 * G], abs=1e-9) == F


def test_torsors_in_axes_of_the_body():
    # the same torsors, turned by the body's attitude, which for a rod in its plane is one angle
    # about y
    project = ms.load("samples/four_bar.mech")
    world, own = (
        analyse(project, "torsors", bodies=["crank"], axes=axes, time=0.2)
        for axes in ("world", "body")
    )
    R = ms.simulate(project, duration=0.2, sample_step=0.2).poses[
        -1, list(project.mechanism.bodies).index("crank"), 3:
    ]
    turn = 2 * math.atan2(float(np.linalg.norm(R[1:])), float(R[0])) * math.copysign(1.0, R[2])
    c, s = math.cos(turn), math.sin(turn)
    matrix = np.array(((c, 0, s), (0, 1, 0), (-s, 0, c)))
    for row, rotated in zip(world.rows, own.rows):
        assert np.concatenate(
            (matrix @ rotated[:3], matrix @ rotated[3:6], rotated[6:])
        ) == pytest.approx(row, abs=1e-9)
    assert "body" in own.notes[0]


def test_a_point_of_a_moving_joint_moves_along():
    # read at the joint itself nothing changes, though it moves
    project = ms.load("samples/four_bar.mech")
    usual, there = (
        analyse(
            project,
            "reactions",
            joints=["B"],
            axes="world",
            point=point,
            duration=0.2,
            sample_step=0.1,
        )
        for point in (None, "B")
    )
    assert there.rows == pytest.approx(usual.rows, abs=1e-9)


@pytest.mark.parametrize("step", [0.005, 0.013, 0.02])
def test_the_load_table_finds_peaks_between_samples(step):
    # a rod released level on its pin: at the bottom w^2 = 3 g / l, and the pin carries m g + m w^2
    # l / 2 = 2.5 m g; level it carries m g / 4
    found = analyse(Project(pendulum()), "loads", duration=1.5, sample_step=step)
    numbers = dict(zip(found.labels, found.rows))["A force [N]"]
    weight = 2.0 * 9.81
    assert numbers[0] == numbers[3] == pytest.approx(2.5 * weight, rel=1e-5)
    assert numbers[2] == pytest.approx(0.25 * weight, rel=1e-3)
    # the bottom is passed after a quarter of the period, K(1/2) sqrt(2 l / 3 g)
    assert (
        numbers[1]
        == pytest.approx(1.8540746773 * math.sqrt(2.0 / (3.0 * 9.81)), abs=1e-3 * step + 1e-5)
        or numbers[1] > 1.0
    )


def test_a_jump_has_its_peak_at_a_sample():
    times = np.linspace(0.0, 1.0, 101)
    step = np.where(times < 0.5, 1.0, -2.0)
    assert joint_loads._least(times, step)[1] == -2.0
    kink = np.abs(times - 0.504)
    assert joint_loads._least(times, kink)[1] == kink.min()
    smooth = -np.cos(7.0 * (times - 0.333))
    assert joint_loads._least(times, smooth) == pytest.approx((0.333, -1.0), abs=1e-6)
    assert math.isnan(joint_loads._least(times, np.full(101, np.nan))[1])


def test_the_load_table_marks_what_rigid_bodies_do_not_determine():
    project = ms.load("samples/four_bar.mech")
    table = analyse(project, "loads", duration=0.2, sample_step=0.01)
    marked = {label for label, row in zip(table.labels, table.hatched) if row.all()}
    reactions = analyse(project, "reactions", duration=0.2, sample_step=0.01)
    loose = {
        column.rpartition(" ")[0]
        for column, hatched in zip(reactions.columns, reactions.hatched.T)
        if hatched.any()
    }
    assert marked and {label.rpartition(" ")[0].rpartition(" ")[0] for label in marked} == loose
    assert any("not determined" in note for note in table.notes)


@pytest.mark.parametrize("step", [0.4, 5.0])
def test_analyses_know_the_end_of_a_run_and_an_instant_between_two_samples(step):
    """A slider of 2 kg under 3 N from rest has 9 T^2 / 4 of kinetic energy; 9 T / 2 of power goes
    in.
    """
    push = force("push", "force", x=3.0, y=0.0, z=0.0, frame_b=BLOCK)
    project = Project(slider(push))
    found = analyse(project, "energy", duration=1.0, sample_step=step)
    assert found.rows[[0, -1], 0].tolist() == [0.0, 1.0]
    assert found.rows[-1, found.columns.index("kinetic")] == pytest.approx(9 / 4)
    power = analyse(project, "power", time=0.7, sample_step=step)
    assert power.rows[-1, power.columns.index("push")] == pytest.approx(9 * 0.7 / 2)


def slide_that_is_pushed(start):
    """A mass of 2 kg that 3 N push along x from rest, from a start [s] on."""
    m = ms.Builder(gravity=(0, 0, 0))
    m.run(duration=1, sample_step=0.1, start=start)
    body = m.body("b", mass=2.0).box(0.1, 0.1, 0.1)
    slide = m.slider("S", m.ground, body, at=body.world(), axis=(1, 0, 0))
    m.force("motor_force", "push", joint=slide, force=3)
    return m.project()


def test_an_instant_is_the_typed_one_and_the_start_without_a_word():
    project = slide_that_is_pushed(2.0)
    momentum = lambda **at: analyse(project, "torsors", bodies=["b"], **at).rows[1][0]
    assert momentum() == pytest.approx(0.0, abs=1e-12)
    assert momentum(time="2.5 s") == pytest.approx(1.5, rel=1e-9)
    for before in (0.0, "0 s", 1.9):
        with pytest.raises(ValueError, match="before the start of the motion"):
            momentum(time=before)


def test_tables_of_forces_tell_of_impacts_at_stops():
    """A rod falls onto a stop: rigid bodies give an impulse there, and no force."""
    m = ms.Builder()
    rod = m.link("rod", (0, 0, 0), length="0.4 m", angle="0 deg")
    m.pin("A", m.ground, rod, at=rod.start, limits=[ms.limit("-60 deg", None, restitution=0.5)])
    said = lambda what, duration: (
        "rigid bodies give"
        in " ".join(analyse(m.project(), what, duration=duration, sample_step=0.01).notes)
    )
    for what in ("loads", "reactions"):
        assert said(what, 0.5) and not said(what, 0.05), what
