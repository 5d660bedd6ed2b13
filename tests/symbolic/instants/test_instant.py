"""Numbers under the symbols at instants of real runs, against the run itself and against each
other.
"""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Force, Law
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic.instants.instant import InstantValues
from tests.symbolic.samples import SAMPLES

STEP = 1e-3
# one of each kind: open, closed, driven, hyperstatic, rolling, on a curve, with a cam, in space
CHOSEN = (
    "double_pendulum",
    "four_bar",
    "gear_train",
    "parallelogram_five_bars",
    "rolling_disc",
    "bead_on_circle",
    "cam_profile",
    "universal_joint_pair",
    "knife_edge_sleigh",
    "heavy_top",
)


def load(name):
    return ms.load(next(p for p in SAMPLES if p.stem == name))


def run_with_values(name, project=None, **choices):
    project = project or load(name)
    run = ms.simulate(project, duration=0.1, sample_step=STEP, tolerance=1e-10)
    return InstantValues(ms.derive(project, coordinates="auto"), **choices), run


def column(numbers, key):
    return np.array(numbers.matrices[key])[:, 0]


def assert_is_that_of_the_run(values, run):
    k = len(run.rows) // 2
    (before, _), (q, v), (after, _) = (
        values.state(run.rows[i], run.layout) for i in (k - 1, k, k + 1)
    )
    numbers = values.at_sample(run.rows[k], run.layout)
    names = values.d.names
    a = np.array([numbers.values[n.name] for n in names.a])
    size = 1 + np.abs(a).max() + np.abs(v).max() ** 3
    assert np.allclose((after - before) / (2 * STEP), v, atol=1e-4 * size), (
        "rates are those with which the run goes on"
    )
    assert np.allclose((after - 2 * q + before) / STEP**2, a, atol=2e-3 * size), (
        "and so are accelerations"
    )
    assert [numbers.values[n.name] for n in names.q] == pytest.approx(list(q))
    if len(values.rows):
        assert np.abs(column(numbers, "C")).max() < 1e-7


@pytest.mark.parametrize("name", CHOSEN)
def test_an_instant_is_that_of_the_run(name):
    assert_is_that_of_the_run(*run_with_values(name))


# laws of all that they may name, of each kind of force
LAWS = {
    "own coordinate of a pin": ("motor_torque", "2 N·m + 3 N·m/rad*x - 0.5 N·m·s/rad*v"),
    "other joints": ("motor_torque", "2 N·m*sin({other}) + 0.4 N·m·s/rad*{rate} + 1 N·m/s*t"),
    "distance of two points": ("actuator", "20 N/m*x + 3 N·s/m*v"),
    "place of a point": (
        "force",
        "20 N/m*x - 9 N/m*z + 5 N/m*y + 2 N·s/m*vx + 3 N·s/m*vz - vy*1 N·s/m",
    ),
}


@pytest.mark.parametrize("what", LAWS)
@pytest.mark.parametrize("name", ["four_bar", "universal_joint_pair"])
def test_forces_follow_what_their_laws_name(name, what):
    """Coordinates of closing joints too, which no formula gives."""
    m = ms.Builder.of(load(name))
    joints, bodies = list(m.joints.values()), list(m.bodies.values())
    type, text = LAWS[what]
    for k, joint in enumerate(joints if type == "motor_torque" else joints[:1]):
        known = evaluation.coordinate_variables(m.mechanism)
        angles = [n for n, v in known.items() if v.dimension == "angle"]
        other = angles[(k + 1) % len(angles)]
        law = ms.expression(text.format(other=other, rate=f"v{other[1:]}"))
        if type == "motor_torque":
            kinds = [c.dimension for c in JOINT_TYPES[joint.joint.type].coordinates]
            m.force(type, f"test {k}", joint=joint[kinds.index("angle")], torque=law)
        elif type == "actuator":
            ends = ((0.0, 0.1, 0.5), (0.1, 0.0, 0.2))
            m.force(type, "test", a=m.ground, b=bodies[1], at=ends, force=law)
            m.force(type, "other", a=bodies[0], b=bodies[1], at=ends, force=law)
        else:
            m.force(type, "test", body=bodies[1], at=(0.1, 0.0, 0.2), vector=(law, 0, 1))
    assert_is_that_of_the_run(*run_with_values(name, m.project()))


@pytest.mark.parametrize("name", CHOSEN)
def test_equations_close_in_their_numbers(name):
    values, run = run_with_values(name)
    numbers = values.at_sample(run.rows[30], run.layout)
    M, C_q = (
        np.array(numbers.matrices["M"]),
        np.array(numbers.matrices["C_q"]).reshape(-1, len(values.d.names.q)),
    )
    a = np.array([numbers.values[n.name] for n in values.d.names.a])
    v = np.array([numbers.values[n.name] for n in values.d.names.v])
    multipliers = np.array([numbers.values[n.name] for n in values.d.names.multipliers])
    force = column(numbers, "tau") - column(numbers, "b") - column(numbers, "g")
    size = 1 + np.abs(force).max() + np.abs(M @ a).max()
    assert np.allclose(M @ a - C_q.T @ multipliers, force, atol=1e-7 * size)
    assert numbers.rank == np.linalg.matrix_rank(C_q, tol=1e-8) if len(C_q) else numbers.rank == 0
    # every motion to which a zero singular value belongs is one that the rows allow
    free = np.array(
        [m for m, s in zip(numbers.motions, numbers.singular_values) if s < 1e-8]
    ).reshape(-1, len(v))
    assert len(free) == len(v) - numbers.rank and (
        not len(C_q) or np.allclose(C_q @ free.T, 0, atol=1e-7)
    )
    assert numbers.refusal == ""
    B, beta, c = (
        np.array(numbers.matrices["B"]).reshape(len(v), -1),
        column(numbers, "beta"),
        column(numbers, "c"),
    )
    places = [[n.name for n in values.d.names.q].index(x) for x in numbers.independent]
    assert np.allclose(B @ v[places] + beta, v, atol=1e-6 * (1 + np.abs(v).max()))
    assert np.allclose(B @ a[places] + c, a, atol=1e-6 * (1 + np.abs(a).max()))
    if places:
        embedded = np.array(numbers.matrices["M_i"]) @ a[places]
        assert np.allclose(embedded, column(numbers, "Q_i"), atol=1e-7 * size)


def test_the_rate_of_b_is_its_rate():
    values, run = run_with_values("four_bar")
    before, at, after = (values.at_sample(run.rows[k], run.layout) for k in (29, 30, 31))
    rate = (np.array(after.matrices["B"]) - np.array(before.matrices["B"])) / (2 * STEP)
    assert np.allclose(rate, np.array(at.matrices["Bdot"]), rtol=1e-3, atol=1e-3)


def test_a_dead_centre_refuses_its_coordinate_and_keeps_the_others():
    """Coupler and rocker in one line: the crank's dead centre is where sin(theta_coupler -
    theta_rocker) = 0 (THEORY 5).
    """
    d = ms.derive(load("four_bar"), coordinates="auto")
    L = {k: v for k, v in d.values.items() if k.startswith("L")}
    names = [n.name for n in d.names.q]
    values = d.live(["theta_rocker"])
    from mechstudio.symbolic.methods.partition import partition
    from mechstudio.symbolic.methods.sampling import Compiled, Values

    p = partition(d, ["theta_rocker"])
    N, det = p.null_vectors()
    # rocker dead: crank and coupler in one line.  Newton on C = 0, sin(crank - coupler) = 0
    q = p.pose.copy()
    crank, coupler = names.index("theta_crank"), names.index("theta_coupler")
    rows = [d.rows[i] for i in p.rows]
    value, slopes = (
        Compiled(d.ring, [[*(r.value for r in rows), det]]),
        Compiled(d.ring, [*(r.jacobian for r in rows), d.ring.gradient(det)]),
    )
    for _ in range(60):
        x = Values(d, q)
        q = q - np.linalg.solve(slopes.at(x), value.at(x)[0])
    assert abs(np.sin(q[crank] - q[coupler])) < 1e-9 and len(L) == 4
    numbers = values.at(q, np.zeros(3))
    assert "dead centre of theta_rocker" in numbers.refusal and "B" not in numbers.matrices
    assert values.choose(["theta_crank"]) == "" and values.at(q).refusal == ""
    # the null vector does not vanish with its determinant: it is the motion that goes on
    still = np.array([Values(d, q).of(row[0]) for row in N])
    assert abs(still[names.index("theta_rocker")]) < 1e-9 < np.abs(still).max()


def test_laws_and_drives_prescribe_the_numbers_of_their_symbols():
    project = load("cart_pole")
    mechanism = project.mechanism
    id, motor = next((k, f) for k, f in mechanism.forces.items() if f.type == "motor_force")
    name = next(iter(motor.parameters))
    law = Law(
        "sine",
        {
            "offset": Quantity(1.0),
            "amplitude": Quantity(3.0),
            "frequency": Quantity(0.5),
            "phase": Quantity(0.0),
        },
    )
    followed = msgspec.structs.replace(motor, parameters={name: Quantity(0.0)}, laws={name: law})
    project = msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(mechanism, forces={**mechanism.forces, id: followed}),
    )
    d = ms.derive(project)
    values = d.live()
    symbol = next(s for s in d.plan.symbols.all if "by its law" in s.meaning)
    for t in (0.0, 0.3):
        numbers = values.at(np.zeros(2), np.zeros(2), t)
        assert isinstance(followed, Force) and numbers.t == t
        assert numbers.values[d.names.p[symbol.index].name] == pytest.approx(
            1.0 + 3.0 * np.sin(np.pi * t)
        )
        assert column(numbers, "tau")[0] == pytest.approx(1.0 + 3.0 * np.sin(np.pi * t))


def test_driven_rate_at_an_instant_equals_its_law():
    values, run = run_with_values("gear_train")
    numbers = values.at_sample(run.rows[40], run.layout)
    drive = values.d.setting.targets[0]
    rate = numbers.values[values.d.names.p[drive.rate].name]
    assert rate == pytest.approx(
        evaluation.jet(drive.drive.law, numbers.t)[0 if drive.drive.quantity == "velocity" else 1]
    )


def test_numbers_of_what_is_too_long_to_be_written():
    project = load("four_bar")
    from mechstudio.symbolic.derivation import derive

    long, short = (
        derive(project, coordinates="auto", term_limit=3),
        derive(project, coordinates="auto"),
    )
    assert not long.complete
    q = InstantValues(short).drawn()
    for key in ("M", "C_q", "tau", "g"):
        assert np.allclose(InstantValues(long).drawn().matrices[key], q.matrices[key])
