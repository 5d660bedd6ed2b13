"""The derived equations against the simulator: accelerations at random states, every sample, 1e-9
relative.

The engine is compiled with the same closing joints, so its tree's velocities are the derivation's:
rates of hinges and slides, and for a ball the angular velocity that psi', theta', phi' make
together.
"""

import msgspec
import numpy as np
import pytest
import scipy.linalg

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.system import compile_system
from mechstudio.files import project_file
from mechstudio.model.project import Project
from mechstudio.symbolic import derive
from tests.symbolic.newton import accelerations, bodies, poses, random_state, slots
from tests.symbolic.samples import SAMPLES, spread_of, with_curves
from tests.symbolic.test_against_newton import LOADS, loaded

# the engine counts balls beyond ground, and joints that it gives to the rows, by other columns;
# Newton-Euler in absolute coordinates is the reference there
BY_ROWS = (
    "hyperstatic_cure",
    "stewart_platform",
    "bead_on_circle",
    "fillets_and_ellipse",
    "bead_two_ways",
    "table_of_four_legs",
    "robot_vacuum",
    "double_wishbone",
    "spatial_four_bar",
    "dzhanibekov_nut",
    "flat_faced_follower",
)
COMPARED = [p for p in SAMPLES if p.stem not in BY_ROWS]


def undriven(path):
    """A sample's derivation without its drives and the laws of its forces, which the derivation
    does not evaluate.
    """
    project = project_file.load(path).project
    forces = {
        id: msgspec.structs.replace(force, laws={})
        for id, force in project.mechanism.forces.items()
    }
    bare = msgspec.structs.replace(project.mechanism, drives={}, forces=forces)
    return with_curves(derive(msgspec.structs.replace(project, mechanism=bare)))


def engine_motion(system, place, moving, v, a):
    """Velocities and accelerations in the order of the engine's columns, at the pose for which it
    was compiled.
    """
    velocity, acceleration = [], []
    for node in system.tree.nodes:
        if node.motion in (k.SCREW, k.TRACK):
            first = place[node.joint] + node.coordinate
            velocity.append(v[first])
            acceleration.append(a[first])
        else:
            # a ball's columns are its node's axes, which are W's at the start for a ball on ground;
            # a free body's are those of its node's origin before them
            assert node.motion in (k.BALL, k.FREE) and node.parent == -1
            body = moving[node.bodies[0]]
            if node.motion == k.FREE:
                origin = body.fixed(np.eye(3), body.R.T @ (node.arm - body.p))
                velocity += list(origin.v)
                acceleration += list(origin.a)
            velocity += list(body.w)
            acceleration += list(body.alpha)
    return np.array(velocity), np.array(acceleration)


def engine_accelerations(mechanism, closing, q, v, a):
    """(the engine's accelerations, the derived ones in the engine's columns) at one state."""
    moving = bodies(mechanism, q, v, a)
    system = compile_system(mechanism, poses(mechanism, moving), closing=closing)
    assert set(system.tree.closing) == set(closing)
    place, _ = slots(mechanism)
    velocity, expected = engine_motion(system, place, moving, v, a)
    y, T, where = system.start.copy(), system.fresh_tables(), system.where
    y[where.nq : where.nq + where.nv] = velocity
    out = np.zeros_like(y)
    right_hand_side(y, T, out, True)
    return out[where.nq : where.nq + where.nv], expected


def disagreement(derivation, seed, change=lambda numbers: numbers, spread=0.3):
    q, v = random_state(derivation, np.random.default_rng(seed), spread)
    numbers = change(derivation.function()(q, v))
    a = accelerations(numbers, derivation.forces_function()(q, v))
    found, expected = engine_accelerations(
        derivation.plan.mechanism, derivation.plan.tree.closing, q, v, a
    )
    return np.abs(found - expected).max() / max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("path", COMPARED, ids=lambda p: p.stem)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.thinned(4)
def test_accelerations_agree(path, seed):
    assert disagreement(undriven(path), seed, spread=spread_of(path)) < 1e-9


@pytest.mark.parametrize("path", COMPARED, ids=lambda p: p.stem)
def test_planted_faults_are_seen(path):
    """A flipped sign of b, a flipped sign of g, a dropped coupling: each turns some comparison
    red.
    """
    d = undriven(path)
    faults = [
        lambda n: (n[0], -n[1], *n[2:]),
        lambda n: (n[0], n[1], -n[2], *n[3:]),
        lambda n: (n[0] * (1 + 1e-6), *n[1:]),
    ]
    spread = spread_of(path)
    seen = [disagreement(d, 0, change=f, spread=spread) > 1e-9 for f in faults]
    f = d.function()
    q, v = random_state(d, np.random.default_rng(0), spread)
    _, b, g, _, C_q, _ = f(q, v)
    # what lies along the reactions changes them and no acceleration
    free = scipy.linalg.null_space(C_q, rcond=1e-9) if len(C_q) else np.eye(len(q))
    assert seen[0] or np.abs(free.T @ b).max(initial=0.0) < 1e-9
    assert seen[1] or np.abs(free.T @ g).max(initial=0.0) < 1e-9
    # nothing accelerates gears that are in balance
    pull = d.forces_function()(q, v) - b - g
    assert seen[2] or np.abs(free.T @ pull).max(initial=0.0) < 1e-9


@pytest.mark.parametrize(("type", "more"), LOADS)
def test_every_load_is_the_engine_s(type, more):
    assert disagreement(derive(Project(loaded(type, **more))), 1) < 1e-9
