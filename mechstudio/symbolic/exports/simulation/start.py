"""Start of a motion, and its coordinates over a run: the engine assembles the drawing, finds its
initial velocities and integrates.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import POTENTIAL, SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations
    from mechstudio.symbolic.plan.plan import Plan

Start = dict[tuple[str, int], tuple[float, float]]
Sample = tuple[np.ndarray, SampleLayout]
TIGHT = 1e-11  # tolerance of a run that others are compared with


def start_of(
    derivation: "DerivedEquations",
) -> tuple[np.ndarray, np.ndarray, Start, float, Sample]:
    """q, v as the engine starts, (value, rate) of all joints' coordinates by (joint, component),
    the potential energy [J] and the sample.  Raises ValueError (EngineError is one).
    """
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import run
    from mechstudio.engine.system.system import compile_system

    plan, mechanism = derivation.plan, derivation.plan.mechanism
    try:
        system = compile_system(mechanism)
        first = np.array(next(iter(run(system, RunOptions(duration=1e-9, sample_step=1e-9))))[0])
    except EngineError as error:
        raise ValueError(f"{error.finding.message} {error.finding.cure}".strip()) from error
    except (RunStopped, StopIteration) as error:
        raise ValueError(str(error)) from error
    values = _values(mechanism, system.layout, first)
    energy = float(first[system.layout.energy][POTENTIAL])
    return *_solved(plan, values), values, energy, (first, system.layout)


def coordinates_of_run(plan: "Plan", duration: float, count: int) -> np.ndarray | None:
    """Coordinates (count + 1, n) of a run at even instants; None where it cannot be run."""
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import run
    from mechstudio.engine.system.system import compile_system

    try:
        system = compile_system(plan.mechanism)
        options = RunOptions(duration=duration, sample_step=duration / count, tolerance=TIGHT)
        rows = np.concatenate([np.array(block) for block in run(system, options)])
    except (EngineError, RunStopped, ValueError):
        return None
    layout = system.layout
    return np.array([_solved(plan, _values(plan.mechanism, layout, row))[0] for row in rows])


def _values(mechanism: Mechanism, layout: SampleLayout, first: np.ndarray) -> Start:
    """(value, rate) of all joints' coordinates, and of free bodies, of a sample."""
    from mechstudio.engine.constraints.joint_coordinates import coordinate_wrenches
    from mechstudio.engine.constraints.rows import JointRows

    poses, velocities = first[layout.poses].reshape(-1, 7), first[layout.velocities].reshape(-1, 6)
    rows = JointRows(mechanism)
    frames = [f[0] for f in rows.frames(poses[None])]
    attitudes = {id: _matrix(p[3:]) for id, p in zip(mechanism.bodies, poses)}
    twists = {
        id: (v[:3], attitudes[id] @ v[3:], p[:3])
        for id, v, p in zip(mechanism.bodies, velocities, poses)
    }
    values: Start = {}
    for k, (id, joint) in enumerate(mechanism.joints.items()):
        x = first[layout.joint(id)]
        F, M = coordinate_wrenches(joint, k, rows, frames, x)
        over, under = (
            _at(twists.get(f.body), frames[2][k]) for f in (joint.frame_b, joint.frame_a)
        )
        rates = F @ (over[0] - under[0]) + M @ (over[1] - under[1])
        values |= {
            (id, c): (float(x[c]), float(rates[c])) for c in range(JOINT_TYPES[joint.type].dof)
        }
    for id, p in zip(mechanism.bodies, poses):
        angles, rates = _cardan(attitudes[id], twists[id][1])
        for c, pair in enumerate(zip((*p[:3], *angles), (*twists[id][0], *rates))):
            values[f"body {id}", c] = pair
    return values


def _at(twist, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of a body's point in W and its angular velocity; ground rests."""
    if twist is None:
        return np.zeros(3), np.zeros(3)
    v, w, origin = twist
    return v + np.cross(w, point - origin), w


def _solved(plan: "Plan", values: Start) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of the plan from those of joints: a link's angle is a sum of them."""
    n = len(plan.coordinates)
    A, x, u = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    for k, c in enumerate(plan.coordinates):
        form = plan.joint_forms.get((c.joint, c.component)) if c.joint else None
        x[k], u[k] = values[c.joint or f"body {c.body}", c.component]
        for variable, factor in form or ((k, 1),):
            if variable >= 0:
                A[k, variable] += factor
            else:
                x[k] -= factor * plan.symbols.value_of(-1 - variable)
    return np.linalg.solve(A, x), np.linalg.solve(A, u)


def _matrix(q: np.ndarray) -> np.ndarray:
    from mechstudio.model.geometry.rotation import matrix

    return np.array(matrix(tuple(q)))


def _cardan(R: np.ndarray, w: np.ndarray) -> tuple[tuple[float, float, float], np.ndarray]:
    """psi, theta, phi of R = Rz(psi) Ry(theta) Rx(phi), and their rates at an angular velocity in
    W.
    """
    theta = math.asin(max(-1.0, min(1.0, -float(R[2, 0]))))
    psi, phi = math.atan2(R[1, 0], R[0, 0]), math.atan2(R[2, 1], R[2, 2])
    axes = np.array([[0.0, 0.0, 1.0], [-math.sin(psi), math.cos(psi), 0.0], R[:, 0]]).T
    return (psi, theta, phi), np.linalg.pinv(axes) @ w
