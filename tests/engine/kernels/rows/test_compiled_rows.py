"""The rows that the kernels eliminate: rates against finite differences of values, gamma against
finite differences of rates, ranks.

Poses are skew and velocities arbitrary, so that no term vanishes by accident.
"""

import msgspec
import numpy as np
import pytest
import scipy.linalg

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import (
    jacobian,
    move,
    right_hand_side,
    settle_readings,
)
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Drive, Law
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from tests.engine.pairs import pair, velocity_freedoms
from tests.mechanisms import Builder

STEP = 1e-5


def moved(system, y, T, v, h):
    """Values and rates of all rows a time h later along constant velocities v."""
    z = y.copy()
    z[system.where.nq : system.where.nq + system.where.nv] = v
    z[system.where.time] += h
    move(z, T, h * v)
    return T.row[:, k.C].copy(), T.row[:, k.CD].copy()


def rates_and_gamma(system, y, v):
    """C, C' and gamma of all rows at y with velocities v, and the differences of C and C' in time
    there.
    """
    T = system._build(list(range(len(system.rows))))
    z = y.copy()
    z[system.where.nq : system.where.nq + system.where.nv] = v
    right_hand_side(z, T, z.copy(), False)
    gamma = T.row[:, k.GAM].copy()
    (c1, d1), (c0, d0), (_, d) = (moved(system, y, T, v, h) for h in (STEP, -STEP, 0.0))
    return d, gamma, (c1 - c0) / (2 * STEP), (d1 - d0) / (2 * STEP)


def null_velocities(system, y, seed=0):
    """Random velocities that all lasting rows allow, and J."""
    T = system._build(list(range(len(system.rows))))
    J = np.zeros((len(system.rows), system.where.nv))
    jacobian(y.copy(), T, J)
    lasting = [r for r, row in enumerate(system.rows) if row.lasting]
    N = scipy.linalg.null_space(J[lasting], rcond=1e-9) if lasting else np.eye(system.where.nv)
    return N @ np.random.default_rng(seed).normal(size=N.shape[1]), J


def check(system, tolerance=1e-6):
    """Rates and gammas of every row of a system along a motion that its lasting rows allow."""
    y = system.start.copy()
    v, _J = null_velocities(system, y)
    assert np.abs(v).max() > 0.05
    d, gamma, slope, change = rates_and_gamma(system, y, v)
    of_position = np.array([row.level == k.OF_POSITION for row in system.rows])
    scale = 1.0 + np.abs(gamma).max()
    assert slope[of_position] == pytest.approx(d[of_position], abs=tolerance)
    # C' changes by -gamma where the velocities stay
    assert change == pytest.approx(-gamma, abs=tolerance * scale)
    return gamma


@pytest.mark.parametrize("type", JOINT_TYPES)
@pytest.mark.parametrize("how", [{"closing": ("tested",)}, {"coordinates": "absolute"}, {}])
def test_rows_of_joints(type, how):
    system = compile_system(pair(type), **how)
    y = system.start
    _v, J = null_velocities(system, y)
    if len(J):
        # the motions that are left: three of the ball, and the joint's own
        assert system.where.nv - np.linalg.matrix_rank(J, tol=1e-8) == 3 + velocity_freedoms(type)
        # where a curve begins again its third derivative jumps, which a difference sees
        gamma = check(system, 1e-5 if type in ("point_on_curve", "flat_follower") else 1e-6)
        assert type in ("fixed",) or not how or np.abs(gamma).max() > 1e-3


@pytest.mark.parametrize("type", JOINT_TYPES)
def test_the_tree_moves_as_the_rows_allow(type):
    # whatever the tree does satisfies the rows of the same joint: twists of both bodies from the
    # tree, rows from engine/constraints/rows.py
    from mechstudio.engine.system.initial_velocities import body_jacobians

    system = compile_system(pair(type))
    if system.tree.closing:
        pytest.skip("the joint is never in the tree")
    rows = system.joint_rows
    twists = body_jacobians(system.start, system.tables)
    from mechstudio.engine.constraints.attitude import matrices

    poses = np.asarray(rows_poses(system))
    R = matrices(poses[:, 3:])
    J = rows.jacobian(poses)
    local = np.concatenate(
        [np.concatenate((twists[b, :3], R[b].T @ twists[b, 3:])) for b in range(2)]
    )
    assert np.abs(J @ local).max() < 1e-9
    assert np.linalg.matrix_rank(local, tol=1e-8) == system.where.nv == 3 + JOINT_TYPES[type].dof


def rows_poses(system):
    """Body poses (n, 7) at the start."""
    from mechstudio.engine.integration.outputs import Recorder

    sample = Recorder(system, system.fresh_tables()).samples(
        np.zeros(1), system.start[None].copy()
    )[0]
    return sample[system.layout.poses].reshape(-1, 7)


def geared(closing=()):
    """Three bodies on skew hinges and a slide in ground, with a coupling of each kind and drives of
    each quantity.
    """
    b = Builder()
    b.body("one", (0.2, 0.1, 0.0), mass=1.2)
    b.body("two", (0.5, -0.2, 0.3), mass=0.7)
    b.body("three", (0.1, 0.5, 0.2), mass=0.9)
    b.body("four", (0.7, 0.2, 0.2), mass=0.4)
    b.joint("A", GROUND, "one", (0.1, 0.0, 0.0), (1, 2, 3), "revolute")
    b.joint("B", "one", "two", (0.4, 0.0, 0.1), (3, -1, 2), "universal")
    b.joint("C", "one", "three", (0.2, 0.3, 0.1), (-1, 2, 2), "cylindrical")
    b.joint("D", "two", "four", (0.6, 0.0, 0.3), (2, 1, 1), "planar")
    couplings = [
        Coupling(
            "g", "g", "gear", (CoordinateOf("A"), CoordinateOf("B", 1)), {"ratio": Quantity(-1.7)}
        ),
        Coupling(
            "r",
            "r",
            "rack_and_pinion",
            (CoordinateOf("B", 0), CoordinateOf("C", 0)),
            {"radius": Quantity(0.3)},
        ),
        Coupling(
            "d",
            "d",
            "differential",
            (CoordinateOf("A"), CoordinateOf("C", 1), CoordinateOf("D", 2)),
            {},
        ),
        Coupling(
            "c",
            "c",
            "cam",
            (CoordinateOf("B", 0), CoordinateOf("D", 0)),
            {},
            Law("expression", text="0.1 m*sin(2*a)+0.05 m*cos(3*a)"),
        ),
    ]
    drives = [
        Drive(
            "p",
            "p",
            "A",
            0,
            "position",
            Law(
                "sine",
                {"amplitude": Quantity(0.4), "frequency": Quantity(0.7), "phase": Quantity(0.3)},
            ),
        ),
        Drive("v", "v", "D", 1, "velocity", Law("expression", text="0.3 m/s+0.2 m/s^3*t^2")),
        Drive("a", "a", "C", 1, "acceleration", Law("expression", text="0.5 rad/s^2*cos(t/(1 s))")),
    ]
    return msgspec.structs.replace(
        b.mechanism, couplings={c.id: c for c in couplings}, drives={d.id: d for d in drives}
    )


@pytest.mark.parametrize(
    "how", [{}, {"closing": ("A", "B", "C", "D")}, {"coordinates": "absolute"}]
)
def test_rows_of_couplings_and_drives(how):
    system = compile_system(msgspec.structs.replace(geared(), drives={}), **how)
    check(system)
    # drives besides, at a time when every derivative counts; they need not hold here
    system = compile_system(msgspec.structs.replace(geared(), couplings={}), **how)
    y = system.start.copy()
    y[system.where.time] = 0.37
    v, _ = null_velocities(system, y)
    d, gamma, slope, change = rates_and_gamma(system, y, v)
    level = np.array([row.level for row in system.rows])
    assert slope[level == k.OF_POSITION] == pytest.approx(d[level == k.OF_POSITION], abs=1e-6)
    assert change[level < k.OF_ACCELERATION] == pytest.approx(
        -gamma[level < k.OF_ACCELERATION], abs=1e-5
    )
    at = {row.owner: r for r, row in enumerate(system.rows)}
    # closed forms: phi'' of the sine, a = 0.4 t of the speed, and the acceleration itself; gamma
    # holds the bias of the reading besides
    assert gamma[at["a"]] + change_of_term(system, y, v, at["a"]) == pytest.approx(
        0.5 * np.cos(0.37), abs=1e-5
    )


def change_of_term(system, y, v, r):
    """Rate of change, along constant velocities, of the rate of row r."""
    T = system._build(list(range(len(system.rows))))
    (_, d1), (_, d0) = (moved(system, y, T, v, h) for h in (STEP, -STEP))
    return (d1[r] - d0[r]) / (2 * STEP)


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
@pytest.mark.parametrize("how", [{}, {"closing": ("tested",)}])
def test_rates_of_readings(type, how):
    # a reading's rate against the difference of the reading itself
    from mechstudio.engine.kernels.right_hand_side import reading_jacobian

    system = compile_system(pair(type), **how)
    y, T = system.start.copy(), system.fresh_tables()
    v, _ = null_velocities(system, y)
    rates = np.zeros((len(system.where.reads), system.where.nv))
    reading_jacobian(y.copy(), T, rates)
    first, last = system.where.readings, system.where.time
    ends = []
    for h in (STEP, -STEP):
        z = y.copy()
        move(z, T, h * v)
        settle_readings(z, T)
        ends.append(z[first:last].copy())
    assert (ends[0] - ends[1]) / (2 * STEP) == pytest.approx(rates @ v, abs=1e-6)
