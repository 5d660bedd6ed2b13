"""Springs and dampers against the step: those of steps with contacts are explicit, so that one
which is too stiff for them would gain energy without end.
"""

import numpy as np

from mechstudio.engine.contacts.workspace import pushed_nodes
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.events.frictions import rubbing, slide
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.impulses import velocity_jump
from mechstudio.engine.kernels.right_hand_side import move, right_hand_side
from mechstudio.engine.system.system import System
from mechstudio.model.findings import Finding
from mechstudio.translation import tr

# step times rate of the fastest motion up to which steps are stable: 2, less what the rate may grow
# by
STABLE = 1.9
GENTLE = 0.05  # the same up to which the midpoint rule gains no energy to speak of


def fastest(system: System) -> tuple[float, str]:
    """(rate of the fastest small motion that springs and dampers make at the start, soft stops as
    if they were touched [1/s], id of its element, "" for springs and forces).
    """
    T, y = system.fresh_tables(), system.start
    # friction that sticks is no stiff damper
    slide(rubbing(system), T)
    found = [(_springs(T, y), "")]
    for joint in system.mechanism.joints.values():
        for limit in joint.limits:
            if (
                limit.stiffness is not None
                and (mass := _mass(system, joint.id, limit.coordinate)) > 0.0
            ):
                found.append(
                    (
                        max(np.sqrt(limit.stiffness.value / mass), limit.damping.value / mass),
                        joint.id,
                    )
                )
    return max(found)


def refuse_stiff(system: System, step: float) -> bool:
    """True if springs are too stiff for the midpoint rule.  step [s].  Raises EngineError, with the
    longest stable step, if the step is unstable.
    """
    rate, id = fastest(system)
    if step * rate <= STABLE:
        return step * rate > GENTLE
    m = system.mechanism
    what = (
        tr("the stop of joint {joint}", joint=m.joints[id].name) if id else tr("a spring or damper")
    )
    raise EngineError(
        Finding(
            "error",
            id or "settings",
            tr(
                "The step with contacts of {step:.3g} ms is too long for {what}, which makes "
                "motions of {rate:.3g} per second: what it drives would fly apart.",
                step=1e3 * step,
                what=what,
                rate=rate,
            ),
            tr(
                "Take a step with contacts of at most {stable:.2g} ms, or a softer spring.",
                stable=500.0 * STABLE / rate,
            ),
        )
    )


def _springs(T: k.Tables, y: np.ndarray) -> float:
    """The largest eigenvalue of the motions of what forces act on, all else standing still: a = A
    dq + B v by differences.
    """
    nodes = sorted(i for i in pushed_nodes(T) if i < len(T.nodes) - 1)
    dofs = [j for i in nodes for j in range(T.nodes[i, k.V0], T.nodes[i, k.V0] + T.nodes[i, k.DOF])]
    if not dofs:
        return 0.0
    nq, nv, n = int(T.size[k.NQ]), int(T.size[k.NV]), len(dofs)

    def accelerations(increments: np.ndarray, rates: np.ndarray) -> np.ndarray:
        z, out = y.copy(), np.zeros_like(y)
        move(z, T, increments)
        z[nq : nq + nv] += rates
        right_hand_side(z, T, out, True)
        return out[nq : nq + nv][dofs]

    A, B, none, unit = np.zeros((n, n)), np.zeros((n, n)), np.zeros(nv), np.zeros(nv)
    small, slow = 1e-6 * float(T.settings[k.LENGTH]), 1e-4
    for c, j in enumerate(dofs):
        unit[:] = 0.0
        unit[j] = 1.0
        A[:, c] = (accelerations(small * unit, none) - accelerations(-small * unit, none)) / (
            2.0 * small
        )
        B[:, c] = (accelerations(none, slow * unit) - accelerations(none, -slow * unit)) / (
            2.0 * slow
        )
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        return 0.0
    return float(np.abs(np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [A, B]]))).max())


def _mass(system: System, joint: str, coordinate: int) -> float:
    """Effective mass of a joint coordinate, from the impulse of a unit velocity jump of its row [kg
    or kg m^2], 0 if it cannot move.
    """
    y = system.start
    first = list(system.mechanism.joints).index(joint)
    at = int(system.where.coordinates[sum(system.layout.dofs[:first]) + coordinate])
    T, kept = system.reselected(y, [(joint, coordinate, float(y[at]))])
    if len(system.rows) not in kept:
        return 0.0
    row = kept.index(len(system.rows))
    right_hand_side(y.copy(), T, np.zeros_like(y), False)
    changes, impulses = np.zeros(T.size[k.KEPT]), np.zeros(T.size[k.KEPT])
    changes[row] = 1.0
    velocity_jump(T, changes, np.zeros(T.size[k.NV]), impulses)
    return float(impulses[row])
