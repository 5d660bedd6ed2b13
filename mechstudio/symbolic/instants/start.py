"""Start of a motion, and its coordinates over a run: the engine assembles the drawing, finds its
initial velocities and integrates.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import POTENTIAL, SampleLayout

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations
    from mechstudio.symbolic.plan.plan import Plan

Start = dict[tuple[str, int], tuple[float, float]]
Values = dict[tuple[str, int], float]  # by joint, or free body, and component
Sample = tuple[np.ndarray, SampleLayout]
TIGHT = 1e-11  # tolerance of a run that others are compared with


def start_of(
    derivation: "DerivedEquations",
) -> tuple[np.ndarray, np.ndarray, Start, float, Sample]:
    """q, v as the engine starts, (value, rate) of all joints' coordinates by (joint, component),
    the potential energy [J] and the sample.  Raises ValueError (EngineError is one).
    """
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.run import first_sample

    plan = derivation.plan
    try:
        first, layout = first_sample(plan.mechanism)
    except EngineError as error:
        raise ValueError(f"{error.finding.message} {error.finding.cure}".strip()) from error
    except RunStopped as error:
        raise ValueError(str(error)) from error
    places = _places(plan.mechanism, layout, first)
    rates = _rates(plan.mechanism, layout, first)
    energy = float(first[layout.energy][POTENTIAL])
    values = {key: (place, rates[key]) for key, place in places.items()}
    q, v = _solved(plan, places), _solved(plan, rates, are_rates=True)
    return q, v, values, energy, (first, layout)


def coordinates_at(plan: "Plan", row: np.ndarray, layout: SampleLayout) -> np.ndarray:
    """q (n,) of a sample (layout.width,) of a run."""
    return _solved(plan, _places(plan.mechanism, layout, row))


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
    return np.array([coordinates_at(plan, row, system.layout) for row in rows])


def _places(mechanism: Mechanism, layout: SampleLayout, sample: np.ndarray) -> Values:
    """Coordinates of all joints and of free bodies."""
    values: Values = {
        (id, c): float(x) for id in mechanism.joints for c, x in enumerate(sample[layout.joint(id)])
    }
    for id, p in zip(mechanism.bodies, sample[layout.poses].reshape(-1, 7)):
        values |= {(f"body {id}", c): x for c, x in enumerate((*p[:3], *_cardan(_matrix(p[3:]))))}
    return values


def _rates(mechanism: Mechanism, layout: SampleLayout, sample: np.ndarray) -> Values:
    """Rates of all joints' coordinates and of free bodies'."""
    from mechstudio.engine.constraints.joint_coordinates import coordinate_wrenches
    from mechstudio.engine.constraints.rows import JointRows

    poses = sample[layout.poses].reshape(-1, 7)
    velocities = sample[layout.velocities].reshape(-1, 6)
    rows = JointRows(mechanism)
    frames = [f[0] for f in rows.frames(poses[None])]
    attitudes = {id: _matrix(p[3:]) for id, p in zip(mechanism.bodies, poses)}
    twists = {
        id: (v[:3], attitudes[id] @ v[3:], p[:3])
        for id, v, p in zip(mechanism.bodies, velocities, poses)
    }
    values: Values = {}
    for k, (id, joint) in enumerate(mechanism.joints.items()):
        F, M = coordinate_wrenches(joint, k, rows, frames, sample[layout.joint(id)])
        over, under = (
            _at(twists.get(f.body), frames[2][k]) for f in (joint.frame_b, joint.frame_a)
        )
        found = F @ (over[0] - under[0]) + M @ (over[1] - under[1])
        values |= {(id, c): float(x) for c, x in enumerate(found)}
    for id, (v, w, _) in twists.items():
        found = (*v, *_cardan_rates(attitudes[id], w))
        values |= {(f"body {id}", c): x for c, x in enumerate(found)}
    return values


def _at(twist, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of a body's point in W and its angular velocity; ground rests."""
    if twist is None:
        return np.zeros(3), np.zeros(3)
    v, w, origin = twist
    return v + np.cross(w, point - origin), w


def _solved(plan: "Plan", values: Values, are_rates: bool = False) -> np.ndarray:
    """The coordinates of the plan from those of joints, or their rates: a link's angle is a sum of
    them.
    """
    n = len(plan.coordinates)
    A, x = np.zeros((n, n)), np.zeros(n)
    for k, c in enumerate(plan.coordinates):
        form = plan.joint_forms.get((c.joint, c.component)) if c.joint else None
        x[k] = values[c.joint or f"body {c.body}", c.component]
        for variable, factor in form or ((k, 1),):
            if variable >= 0:
                A[k, variable] += factor
            elif not are_rates:
                x[k] -= factor * plan.symbols.value_of(-1 - variable)
    return np.linalg.solve(A, x)


def _matrix(q: np.ndarray) -> np.ndarray:
    from mechstudio.model.geometry.rotation import matrix

    return np.array(matrix(tuple(q)))


def _cardan(R: np.ndarray) -> tuple[float, float, float]:
    """psi, theta, phi of R = Rz(psi) Ry(theta) Rx(phi)."""
    theta = math.asin(max(-1.0, min(1.0, -float(R[2, 0]))))
    return math.atan2(R[1, 0], R[0, 0]), theta, math.atan2(R[2, 1], R[2, 2])


def _cardan_rates(R: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Rates of psi, theta, phi at an angular velocity in W."""
    psi = math.atan2(R[1, 0], R[0, 0])
    axes = np.array([[0.0, 0.0, 1.0], [-math.sin(psi), math.cos(psi), 0.0], R[:, 0]]).T
    return np.linalg.pinv(axes) @ w
