"""Joint, absolute and independent coordinates: the same accelerations, reactions and motions; drift
as Baumgarte says.
"""

import math

import msgspec
import numpy as np
import pytest

from mechstudio.engine.analyses.drift import injected
from mechstudio.engine.analyses.record import instant_at as instant_of
from mechstudio.engine.integration.embedded import Embedded
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.run import run, system_for
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, Force, Frame, InitialVelocity, Placement
from mechstudio.model.quantity import Quantity, vector
from tests.engine.joints.test_any_mechanism import mechanism
from tests.engine.problems import chain, fourbar

# a body between two chains without mass is badly conditioned in absolute coordinates:
# compile_system says so
CHAINED = {
    "rolling_disc",
    "rolling_wheel",
    "point_on_curve",
    "point_on_ellipse",
    "flat_follower",
}


def moving(seed):
    """A random mechanism with springs and dampers to ground, and random velocities typed on its
    bodies.
    """
    random, m = np.random.default_rng(seed + 1000), mechanism(seed)
    bodies = {
        id: msgspec.structs.replace(
            b,
            initial_velocity=InitialVelocity(
                vector(*random.normal(size=3)), vector(*random.normal(size=3))
            ),
        )
        for id, b in m.bodies.items()
    }
    forces = {}
    for n, id in enumerate(bodies):
        ends = (
            Frame(GROUND, "", Placement(vector(*random.uniform(-2, 2, 3)))),
            Frame(id, "", Placement(vector(*random.uniform(-0.3, 0.3, 3)))),
        )
        forces[f"k{n}"] = Force(
            f"k{n}",
            "k",
            "spring",
            {"stiffness": Quantity(40.0), "free_length": Quantity(0.5)},
            *ends,
        )
        forces[f"c{n}"] = Force(f"c{n}", "c", "damper", {"damping": Quantity(3.0)}, *ends)
        forces[f"f{n}"] = Force(
            f"f{n}",
            "f",
            "force",
            {"x": Quantity(2.0), "y": Quantity(-3.0), "z": Quantity(1.0)},
            None,
            ends[1],
            axes="body",
        )
    return msgspec.structs.replace(m, bodies=bodies, forces=forces)


@pytest.mark.parametrize("block", range(3))
def test_accelerations_and_reactions_agree_at_random_states(block):
    compared = 0
    for seed in range(24 * block, 24 * block + 24):
        drawn = moving(seed)
        if CHAINED & {j.type for j in drawn.joints.values()}:
            continue
        tree, absolute = compile_system(drawn), compile_system(drawn, coordinates="absolute")
        first, second = instant_of(tree, tree.start), instant_of(absolute, absolute.start)
        scale = max(1.0, float(np.abs(first.accelerations).max()))
        assert first.residual < 1e-9 and second.residual < 1e-9, seed
        assert np.abs(first.accelerations - second.accelerations).max() < 1e-9 * scale, seed
        own = Embedded(tree, tree.tables).accelerations(tree.start)
        out = np.zeros_like(tree.start)
        right_hand_side(tree.start.copy(), tree.tables, out, True)
        assert (
            np.abs(own - out[tree.where.nq : tree.where.nq + tree.where.nv]).max() < 1e-9 * scale
        ), seed
        strongest = max(1.0, max((np.abs(r.wrench).max() for r in first.reactions), default=1.0))
        R = first.at.frames[3]
        for j, (a, b) in enumerate(zip(first.reactions, second.reactions)):
            assert (a.determined == b.determined).all(), (seed, a.joint)
            rotated = lambda w: np.concatenate((R[j].T @ w[:3], R[j].T @ w[3:]))
            assert (
                np.abs(rotated(a.wrench) - rotated(b.wrench))[a.determined].max(initial=0.0)
                < 1e-9 * strongest
            ), (seed, a.joint)
        compared += 1
    assert compared >= 2


def test_a_wrong_inertia_is_seen():
    # planted: a thousandth more inertia in the embedded form alone turns the comparison red
    tree = compile_system(moving(4))
    true, wrong = (Embedded(tree, tree.tables) for _ in range(2))
    wrong.inertias = [1.001 * I for I in wrong.inertias]
    assert np.abs(wrong.accelerations(tree.start) - true.accelerations(tree.start)).max() > 1e-7


@pytest.mark.parametrize("name", ["chain", "fourbar2"])
def test_the_same_motion_in_all_three(name):
    m = fourbar(2) if name == "fourbar2" else chain(2)
    ends = []
    for formulation in ("joint", "absolute", "independent"):
        options = RunOptions(0.3, 0.15, tolerance=1e-8, formulation=formulation)
        system = system_for(m, options)
        ends.append(np.concatenate(list(run(system, options)))[:, system.layout.poses])
        assert system.statistics.constraint_error_m < 1e-12
    for other in ends[1:]:
        assert np.abs(other - ends[0]).max() < 2e-7


def drifting(**how):
    """Largest open joint over two seconds of the four-bar, from its statistics and its samples."""
    options = RunOptions(2.0, 0.05, "rk4", step=4e-3, **how)
    system = system_for(load("samples/four_bar.mech").project.mechanism, options)
    samples = np.concatenate(list(run(system, options)))
    return samples[:, system.layout.constraint.start]


def test_drift_grows_is_damped_or_is_projected():
    none, damped, held = (
        drifting(drift="none"),
        drifting(drift="baumgarte", alpha=20.0, beta=20.0),
        drifting(),
    )
    assert none[-1] > 1e-9 and damped[-1] < 0.2 * none[-1] and held.max() < 1e-13


@pytest.mark.parametrize(("alpha", "beta"), [(10.0, 10.0), (4.0, 12.0), (16.0, 8.0)])
def test_an_injected_error_decays_as_baumgarte_says(alpha, beta):
    # C'' + 2 alpha C' + beta^2 C = 0 from C = d, C' = 0: critical d (1 + a t) e^(-a t),
    # under-damped with w = sqrt(b^2 - a^2), over-damped with its two rates
    table = injected(
        fourbar(1),
        RunOptions(0.6, 0.02, tolerance=1e-10, drift="baumgarte", alpha=alpha, beta=beta),
        1e-6,
    )
    t = table.rows[:, 0]
    if alpha == beta:
        expected = (1 + alpha * t) * np.exp(-alpha * t)
    elif alpha < beta:
        w = math.sqrt(beta**2 - alpha**2)
        expected = np.exp(-alpha * t) * (np.cos(w * t) + alpha / w * np.sin(w * t))
    else:
        s = math.sqrt(alpha**2 - beta**2)
        p, q = -alpha + s, -alpha - s
        expected = (p * np.exp(q * t) - q * np.exp(p * t)) / (p - q)
    assert table.rows[:, 1] / table.rows[0, 1] == pytest.approx(expected, abs=2e-3)
    assert table.rows[:, 2] == pytest.approx(expected * table.rows[0, 1], rel=1e-9)


def test_incompatible_run_options_raise():
    with pytest.raises(ValueError, match="explicit methods"):
        RunOptions(integrator="radau", formulation="independent").check()
    with pytest.raises(ValueError, match="nothing drifts"):
        RunOptions(drift="none", formulation="independent").check()
    with pytest.raises(ValueError, match="no formulation"):
        RunOptions(formulation="mine").check()
    with pytest.raises(ValueError, match="spectral radius"):
        RunOptions(radius=2.0).check()
