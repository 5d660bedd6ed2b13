"""Static equilibria against dense scans of the potential energy, which closed forms or poses alone
give.
"""

import math

import msgspec
import numpy as np
import pytest
from scipy.optimize import root

import mechstudio as ms
from mechstudio.engine.analyses import equilibria as search
from mechstudio.engine.analyses.equilibria import equilibria
from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.kernels.right_hand_side import settle_readings
from mechstudio.engine.system.system import compile_system
from mechstudio.model.edits import elements
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Frame, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import vector
from tests.engine.analyses.test_analyses import G, double_pendulum, pendulum
from tests.engine.problems import body, joint, rod
from tests.engine.test_closed_forms import force

TURN = 2 * math.pi


def at(place):
    return Frame(GROUND, "", Placement(vector(*place)))


def on(id, place):
    """A frame on a body whose own frame stands parallel to W, `place` from it."""
    return Frame(id, "", Placement(vector(*place)))


def with_forces(mechanism, *forces):
    return msgspec.structs.replace(
        mechanism, forces={**mechanism.forces, **{f.id: f for f in forces}}
    )


def stretched(k, free, a, b):
    """Energy of a spring between two places."""
    return 0.5 * k * (math.dist(a, b) - free) ** 2


def critical(energy, cells, dof):
    """Angles (n, dof) at which a periodic energy is level, and whether it is least there: from the
    middle of every cell of a dense grid, by its own slope.
    """
    h = 1e-5
    steps = h * np.eye(dof)
    slope = lambda x: np.array([energy(x + s) - energy(x - s) for s in steps]) / (2 * h)
    found = []
    for x in np.stack(np.meshgrid(*[np.arange(cells) * TURN / cells] * dof), -1).reshape(-1, dof):
        answer = root(slope, x, tol=1e-12)
        y = np.mod(answer.x, TURN)
        if np.abs(slope(y)).max() < 1e-7 and not any(near(y, z) for z, _ in found):
            bend = np.array(
                [
                    [
                        energy(y + 30 * (s + t))
                        - energy(y + 30 * (s - t))
                        - energy(y - 30 * (s - t))
                        + energy(y - 30 * (s + t))
                        for s in steps
                    ]
                    for t in steps
                ]
            )
            found.append((y, bool(np.linalg.eigvalsh(bend)[0] > 0)))
    return found


def near(a, b, by=1e-4):
    return np.abs((np.asarray(a) - np.asarray(b) + math.pi) % TURN - math.pi).max() < by


def same(found, expected):
    """True if equilibria are those of a scan, each with its stability."""
    return len(found) == len(expected) and all(
        any(near(e.coordinates, x) and e.stable is stable for x, stable in expected) for e in found
    )


@pytest.mark.parametrize(
    ("arm", "mass", "away"),
    [(1e-6, 1e-9, 0.0), (1e-6, 1.0, 0.3), (1e-4, 1.0, 0.0), (1e-5, 1e6, 0.0), (1e3, 1e6, 0.0)],
)
def test_an_arm_of_any_length_rests_hanging_and_upright(arm, mass, away):
    # nothing of it is drawn, so that the size says nothing of the arm; a body's frame away from the
    # pin lets the moments of its weight cancel
    b = ms.Builder("Arm")
    inertia = (0.1 * mass * arm**2,) * 3
    bob = b.body("bob", (away, 0, 0), mass=mass, center_of_mass=(-away, 0, -arm), inertia=inertia)
    b.pin("A", b.ground, bob, at=(0, 0, 0))
    found = analyse(b.project(), "equilibria", starts=16)
    assert found.labels == ["stable", "unstable"] and found.residual < 1e-8
    assert near([0.0], found.rows[0, 0], 2e-7) and near([math.pi], found.rows[1, 0], 2e-7)


def test_a_short_arm_beside_a_long_one_has_its_own_scale():
    b = ms.Builder("Two arms")
    for name, arm in (("long", 1.0), ("short", 1e-5)):
        inertia = (0.1 * arm**2,) * 3
        bob = b.body(name, (0, 0, 0), mass=1, center_of_mass=(0, 0, -arm), inertia=inertia)
        b.pin(f"pin of {name}", b.ground, bob, at=(0, 0, 0))
    found = analyse(b.project(), "equilibria", starts=30)
    poses = {(round(math.cos(p), 9), round(math.cos(q), 9)) for p, q in found.rows[:, :2]}
    assert len(found.rows) == 4 and poses == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    assert found.labels.count("stable") == 1 and found.residual < 1e-8


def test_what_is_left_on_a_short_arm_is_seen(monkeypatch):
    # an arm of 1e-6 m half a degree off its rest is no equilibrium, though its moment is small
    # beside its weight
    b = ms.Builder("Arm")
    bob = b.body("bob", (0, 0, 0), mass=1, center_of_mass=(0, 0, -1e-6), inertia=(1e-13,) * 3)
    b.pin("A", b.ground, bob, at=(0, 0, 0))
    monkeypatch.setattr(search, "AT_REST", 1e-2)
    assert analyse(b.project(), "equilibria", starts=8).residual > 1e-5


@pytest.mark.slow
def test_equilibria_of_a_double_pendulum():
    # hanging or upright each: four, of which one is stable; its reduced stiffness in relative
    # angles is m g l (2 1/2; 1/2 1/2)
    found = equilibria(compile_system(double_pendulum()), 25).equilibria
    assert len(found) == 4 and [e.stable for e in found].count(True) == 1
    stable = next(e for e in found if e.stable)
    assert stable.poses[:, 2] == pytest.approx([-0.5, -1.5], abs=1e-9)
    assert stable.stiffness == pytest.approx(
        np.linalg.eigvalsh(G * np.array(((2.0, 0.5), (0.5, 0.5))))[0], rel=1e-6
    )


def test_equilibria_of_a_pendulum_with_a_spring():
    # the energy of the weight and of a spring from the tip to a place beside it, over the angle
    # from the level
    anchor, k, free = (0.7, 0.0, 0.9), 60.0, 0.8
    m = with_forces(
        pendulum(),
        force(
            "s",
            "spring",
            stiffness=k,
            free_length=free,
            frame_a=at(anchor),
            frame_b=on("rod", (0.5, 0, 0)),
        ),
    )
    tip = lambda a: (math.cos(a), 0.0, math.sin(a))
    expected = critical(
        lambda x: 2.0 * G * 0.5 * math.sin(x[0]) + stretched(k, free, anchor, tip(x[0])), 90, 1
    )
    found = equilibria(compile_system(m), 20).equilibria
    assert len(expected) == 4 and same(found, expected)


@pytest.mark.slow
def test_equilibria_of_a_double_pendulum_with_a_spring():
    # the same of two rods; angles from hanging, the second one relative
    anchor, k, free = (1.2, 0.0, -0.4), 25.0, 0.5
    m = with_forces(
        double_pendulum(),
        force(
            "s",
            "spring",
            stiffness=k,
            free_length=free,
            frame_a=at(anchor),
            frame_b=on("rod_1", (0, 0, -0.5)),
        ),
    )

    def energy(x):
        a, b = x[0], x[0] + x[1]
        tip = (math.sin(a) + math.sin(b), 0.0, -math.cos(a) - math.cos(b))
        return -G * (1.5 * math.cos(a) + 0.5 * math.cos(b)) + stretched(k, free, anchor, tip)

    expected = critical(energy, 16, 2)
    found = equilibria(compile_system(m), 60).equilibria
    assert len(expected) >= 4 and same(found, expected)


@pytest.mark.slow
def test_equilibria_of_a_spatial_chain():
    # two rods on pins along skew axes, so that both leave every plane: Rodrigues' formula gives the
    # places, a spring pulls at the tip
    first, second = (
        np.array((1.0, 2.0, 3.0)) / math.sqrt(14.0),
        np.array((2.0, -1.0, 0.5)) / math.sqrt(5.25),
    )
    anchor, k, free = (0.6, -0.5, 0.4), 12.0, 0.3
    elbow, tip = np.array((0.8, 0.0, 0.0)), np.array((0.8, 0.0, 0.7))
    bodies = {
        "one": body("one", 1.5, 0.5 * elbow, rod(1.5, 0.8, (1, 0, 0), 0.02)),
        "two": body("two", 1.0, 0.5 * (elbow + tip), rod(1.0, 0.7, (0, 0, 1), 0.02)),
    }
    joints = {
        "A": joint("A", "revolute", GROUND, "one", (0, 0, 0), first, bodies),
        "B": joint("B", "revolute", "one", "two", elbow, second, bodies),
    }
    m = with_forces(
        Mechanism(bodies, joints),
        force(
            "s",
            "spring",
            stiffness=k,
            free_length=free,
            frame_a=at(anchor),
            frame_b=on("two", 0.5 * (tip - elbow)),
        ),
    )
    rotated = lambda v, u, a: (
        v * math.cos(a) + np.cross(u, v) * math.sin(a) + u * (u @ v) * (1 - math.cos(a))
    )

    def energy(x):
        joint_at = rotated(elbow, first, x[0])
        end = joint_at + rotated(rotated(tip - elbow, second, x[1]), first, x[0])
        return G * (1.5 * 0.5 * joint_at[2] + 1.0 * 0.5 * (joint_at + end)[2]) + stretched(
            k, free, anchor, end
        )

    expected = critical(energy, 16, 2)
    found = equilibria(compile_system(m), 60).equilibria
    assert len(expected) >= 4 and same(found, expected)


SPRING = force(
    "s",
    "spring",
    stiffness=300.0,
    free_length=0.1,
    frame_a=at((0.15, 0.0, 0.6)),
    frame_b=Frame("coupler", "P"),
)
LOAD = force("load", "force", x=-6.0, y=0.0, z=0.0, frame_b=Frame("slider"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes", "loads"),
    [
        ("four_bar", {}, ()),
        ("four_bar", {"L1": "70 mm", "L2": "400 mm"}, ()),
        ("four_bar", {"L3": "330 mm"}, ()),
        ("slider_crank", {}, ()),
        ("four_bar", {}, (SPRING,)),
        ("slider_crank", {}, (LOAD,)),
    ],
)
def test_equilibria_of_one_freedom_against_a_dense_scan(name, changes, loads):
    # one freedom: the potential energy over the crank angle, the mechanism put at every sixth
    # degree by ms.at, has as many extrema as there are equilibria
    project = ms.load(f"samples/{name}.mech")
    for parameter, text in changes.items():
        project = elements.set_quantity(project, parameter, ("value",), text)
    project = ms.assemble(project) if changes else project
    project = msgspec.structs.replace(project, mechanism=with_forces(project.mechanism, *loads))
    found = equilibria(compile_system(project.mechanism), 20)
    bodies = list(project.mechanism.bodies.values())
    energy, put = [], project
    for degrees in range(0, 360, 6):
        put = ms.at(put, "A", math.radians(degrees))
        pose = {b.id: put.mechanism.bodies[b.id].placement.pose for b in bodies}
        energy.append(
            sum(
                G * mass_properties(b).mass * transform(pose[b.id], mass_properties(b).center)[2]
                for b in bodies
            )
        )
        if SPRING in loads:
            energy[-1] += stretched(
                300.0,
                0.1,
                (0.15, 0.0, 0.6),
                transform(pose["coupler"], put.mechanism.frame_in_body(Frame("coupler", "P"))[0]),
            )
        if LOAD in loads:
            energy[-1] += 6.0 * pose["slider"][0][0]
    slope = np.sign(np.diff(energy + energy[:1]))
    extrema = np.flatnonzero(slope != np.roll(slope, 1))
    assert len(extrema) == len(found.equilibria) >= 2
    # each lies where the energy turns, and is stable where that is a hollow
    A = list(project.mechanism.joints).index("A")
    for e in found.equilibria:
        (k,) = [
            k for k in extrema if near(e.coordinates[A], math.radians(6 * k), math.radians(6.001))
        ]
        assert e.stable is bool(slope[k] > 0)


def test_residual_of_equilibria_detects_a_faulty_search(monkeypatch):
    # the balance of every body is another path than the search's; a search that stops short, or a
    # stiffness of the wrong sign, is seen
    project = Project(double_pendulum())
    residual = lambda: analyse(project, "equilibria", starts=5)
    good = residual()
    assert (
        good.residual < 1e-9
        and "says the same" in good.notes[1]
        and set(good.labels) <= {"stable", "unstable"}
    )
    with monkeypatch.context() as patch:
        patch.setattr(search, "AT_REST", 1e-2)
        assert residual().residual > 1e-8
    true = search._stiffnesses
    with monkeypatch.context() as patch:
        wrong_sign = lambda *given: (lambda K, parts: (-K, parts))(*true(*given))
        patch.setattr(search, "_stiffnesses", wrong_sign)
        wrong = residual()
        assert (
            wrong.residual == 1.0
            and "doubtful" in wrong.labels
            and "says otherwise" in wrong.notes[2]
        )


def test_angles_are_folded_where_nothing_counts_turns():
    # pi/2 and 5 pi/2 are one pose of a pendulum
    for e in equilibria(compile_system(double_pendulum()), 40).equilibria:
        assert (np.abs(e.coordinates) <= math.pi + 1e-9).all()
    # a torsion spring counts turns: k a = m g l sin(a) has roots beyond half a turn
    m = double_pendulum()
    first = next(iter(m.joints))
    wound = with_forces(
        m, force("coil", "torsion_spring", joint=first, stiffness=0.3, free_angle=0.0)
    )
    assert (
        max(abs(e.coordinates[0]) for e in equilibria(compile_system(wound), 60).equilibria)
        > math.pi
    )


def test_a_spring_along_a_slide_rests_on_the_side_where_it_was_drawn():
    """m x'' = -k (x - l0) for a spring from the wall at 0 to a cart drawn at x > 0; the engine's
    length |x| would rest at -l0 too, the equations' x does not.
    """
    b = ms.Builder("Cart")
    cart = b.body("cart", (0.5, 0, 0), mass=1, inertia=(1, 1, 1))
    b.slider("rail", b.ground, cart, at=(0.5, 0, 0), axis=(1, 0, 0))
    b.force(
        "spring",
        "wall spring",
        a=b.ground,
        b=cart,
        at=((0, 0, 0), (0.5, 0, 0)),
        stiffness=10,
        free_length=0.3,
    )
    found = analyse(b.project(), "equilibria")
    rows = (
        np.frombuffer(found.rows).reshape(-1, len(found.columns))
        if isinstance(found.rows, bytes)
        else found.rows
    )
    assert rows[:, 0] == pytest.approx([-0.2])
    assert any("wall spring have passed each other" in note for note in found.notes)


def test_a_spring_that_stretches_over_its_pivot_keeps_both_equilibria():
    # a pendulum on a spring from above its pivot rests hanging and upright, in opposite directions
    # from the anchor: both are equilibria of the equations
    m = with_forces(
        pendulum(),
        force(
            "over",
            "spring",
            frame_a=at((0, 0, 0.2)),
            frame_b=on("rod", (0.5, 0, 0)),
            stiffness=5.0,
            free_length=0.05,
        ),
    )
    found = equilibria(compile_system(m), 30)
    assert found.passed == () and len(found.equilibria) >= 2


def test_the_angles_of_a_ball_are_those_of_the_pose():
    project = ms.load("samples/spherical_pendulum.mech")
    found = equilibria(compile_system(project.mechanism), 20).equilibria
    # hanging and upright, each whatever its turn about the vertical and its own axis
    assert [e.stable for e in found] == [None, False] and all(e.family for e in found)
    system = compile_system(project.mechanism)
    for e in found:
        y = e.state.copy()
        settle_readings(y, system.fresh_tables())
        assert (
            np.abs(np.exp(1j * y[system.where.coordinates]) - np.exp(1j * e.coordinates)).max()
            < 1e-9
        )


@pytest.mark.parametrize(("spring_on", "other"), [("A", "C"), ("C", "D"), ("D", "A")])
@pytest.mark.thinned(3)
def test_springs_on_joints_that_close_loops_are_felt(spring_on, other):
    """The same four-bar with another joint closing its loop rests at the same poses."""
    m = ms.load("samples/four_bar.mech").mechanism
    m = with_forces(
        msgspec.structs.replace(m, drives={}),
        force("coil", "torsion_spring", joint=spring_on, stiffness=40.0, free_angle=0.3),
    )
    places = []
    for closing in (spring_on, other):
        found = equilibria(compile_system(m, closing=[closing]), 10).equilibria
        places.append(sorted(tuple(np.round(e.poses[:, [0, 2]].ravel(), 6)) for e in found))
    assert places[0] == places[1] and len(places[0]) >= 1
