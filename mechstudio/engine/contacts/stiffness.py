"""Stiffness of springs and dampers relative to the step.  In steps with contacts those that are
stiff for the step act by soft rows (engine/contacts/soft_forces.py), and such frictions by the rate
at its end (engine/contacts/stepping/joint_friction.py).  The others, including soft stops, are
explicit, and one that is too stiff would gain energy without limit.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.engine.contacts.soft_forces import measure_lengths, soft_tables
from mechstudio.engine.contacts.stepping.soft_rows import SHORT, stopping_share
from mechstudio.engine.contacts.workspace import pushed_nodes
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.events.frictions import rubbing, slide
from mechstudio.engine.integration.law_features import over_time
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.impulses import velocity_jump
from mechstudio.engine.kernels.right_hand_side import move, right_hand_side
from mechstudio.engine.system.system import System
from mechstudio.engine.system.tables import copy_tables
from mechstudio.model.findings import Finding
from mechstudio.model.types.force_laws import friction
from mechstudio.model.types.forces import FORCE_TYPES, sticks
from mechstudio.translation import tr

# step times rate of the fastest motion up to which steps are stable: 2, less a margin for a growing
# rate
STABLE = 1.9
GENTLE = 0.05  # the same up to which the energy gain of the midpoint rule is negligible
LIGHT = 1e-12  # mass of what is so light that any friction is stiff on it [kg or kg m^2]
# step times rate up to which the midpoint rule gains less than 1e-4 of the energy in 100 periods
SLOW = 0.008
SEEN = 0.01  # share of a period by which a vibration may be wrong before a note
# largest growth factor of a motion per step with the midpoint rule, and without it
GAINS_NOTHING, GROWS_NOT = 1.0 + 1e-6, 1.0 + 1e-4


class Loads(NamedTuple):
    """Choices for the loads of a run with contacts.

    tables: with soft rows for stiff forces; None if there are none. second_order: whether the
    midpoint rule gains no energy. notes: sentences on motions that the steps cannot show.
    frictions: ids of smoothed joint frictions that are stiff for the step.
    """

    tables: Tables | None
    second_order: bool
    notes: tuple[str, ...] = ()
    frictions: frozenset[str] = frozenset()


def stepped_loads(system: System, step: float) -> Loads:
    """Choices for the loads of a system.  step [s].  Raises EngineError, with the longest
    stable step, if that is unstable.
    """
    frictions = _stiff_frictions(system, step)
    return _explicit_loads(system, step, frictions)._replace(frictions=frictions)


def _explicit_loads(system: System, step: float, frictions: frozenset[str]) -> Loads:
    """The same, with smoothed frictions (ids) that are stiff."""
    T, y = system.fresh_tables(), system.start
    # friction that acts by the rate at the end of a step is no stiff damper
    rubs = rubbing(system, frictions)
    slide(rubs, T)
    _leave_out_torques(system, T)
    stops = max(_stops(system), default=(0.0, ""))
    rates = _eigenvalues(_linearised(T, y))
    rate, id = max((float(np.abs(rates).max(initial=0.0)), ""), stops)
    if step * rate <= SHORT:
        return Loads(None, True)
    # forces that are soft one by one may be stiff together
    soft = soft_tables(system, step) or soft_tables(system, step, every=True)
    if soft is not None and step * stops[0] <= STABLE:
        T = copy_tables(soft)
        slide(rubs, T)
        _leave_out_torques(system, T)
        _set_compliance(T, step)
        motion = _linearised(T, y)
        # an unstable motion grows in reality too; so does, for a while, a motion out of
        # equilibrium, and by the other rule equally
        falls = np.exp(step * float(np.real(rates).max(initial=0.0)))
        by_middle, by_end = (_growth(motion, step, second) for second in (True, False))
        stable = by_end <= GROWS_NOT * falls**2
        gains_nothing = by_middle <= GAINS_NOTHING * (max(falls, by_end) if stable else falls)
        if gains_nothing and step * stops[0] <= GENTLE:
            return Loads(soft, True, _notes(rates, step))
        if stable:
            what = _words(system, stops[1] if gains_nothing else "")
            return Loads(soft, False, (*_notes(rates, step), _first_order(step, what)))
    if step * rate <= SLOW:
        return Loads(None, True)
    what = _words(system, id)
    if step * rate <= STABLE:
        return Loads(None, False, (*_notes(rates, step), _first_order(step, what)))
    raise _too_long(step, rate, id, what)


def _too_long(step: float, rate: float, id: str, what: str) -> EngineError:
    """The error of a step [s] in which a motion of `rate` [1/s] would grow.  id: of the element
    that makes it, if it is known; what: its words.
    """
    return EngineError(
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


def _stiff_frictions(system: System, step: float) -> frozenset[str]:
    """Ids of smoothed joint frictions that are no gentle dampers for a step [s] where they are
    steepest, at rest.  Raises EngineError if one of them is smoothed over a speed that follows a
    law, and unstable.
    """
    found: set[str] = set()
    T, y = system.fresh_tables(), system.start
    right_hand_side(y.copy(), T, np.zeros_like(y), True)
    for row, force in enumerate(system.mechanism.forces.values()):
        if FORCE_TYPES[force.type].law is not friction or sticks(force):
            continue
        try:
            mass = _mass(system, force.joint, force.coordinate)
        except EngineError:
            # one of several angles that are only defined together
            mass = LIGHT
        level, speed = np.abs(T.force_const[row, k.FPAR : k.FPAR + 2])
        if "speed" not in force.laws:
            # what nothing moves rubs on its drive alone
            if mass > 0.0 and (force.laws or level * step > GENTLE * mass * speed):
                found.add(force.id)
        elif mass > 0.0 and level * step > STABLE * mass * speed:
            raise _too_long(step, level / max(mass * speed, LIGHT), force.id, force.name)
    return frozenset(found)


def _notes(rates: np.ndarray, step: float) -> tuple[str, ...]:
    """A sentence on the fastest vibration at the start if its period is wrong by a share of SEEN.

    Steps show the rate 2 / h atan(h w / 2) in place of w, explicit ones 2 / h asin(h w / 2): as
    wrong to second order.
    """
    fastest = float(np.abs(np.imag(rates)).max(initial=0.0))
    half = 0.5 * step * fastest
    share = half / np.arctan(half) - 1.0 if half > 0.0 else 0.0
    if share < SEEN:
        return ()
    return (
        tr(
            "The fastest vibration of springs, {rate:.3g} per second, is shown with a period that "
            "is wrong by {share:.2g} %: a step with contacts of {step:.3g} ms is too long for it. "
            "Take one of at most {enough:.2g} ms to see it.",
            rate=fastest,
            share=100.0 * share,
            step=1e3 * step,
            enough=1e3 * np.sqrt(12.0 * SEEN) / fastest,
        ),
    )


def _words(system: System, joint: str) -> str:
    """Words for something too stiff: the soft stop of a joint (id), or a force for an empty id."""
    if not joint:
        return tr("a spring or damper")
    return tr("the stop of joint {joint}", joint=system.mechanism.joints[joint].name)


def _first_order(step: float, what: str) -> str:
    """A sentence on steps without the midpoint rule: they move positions with the velocity at their
    end, which belongs half a step later.
    """
    return tr(
        "Steps with contacts are of first order here, since {what} would gain energy in those of "
        "second order: what accelerates is ahead by half a step, {half:.2g} ms. Take a shorter "
        "step with contacts to come closer.",
        what=what,
        half=500.0 * step,
    )


def _stops(system: System) -> list[tuple[float, str]]:
    """(rate of the fastest small motion [1/s], id of the joint) of soft stops, assuming they are
    touched.
    """
    return [
        (max(np.sqrt(limit.stiffness.value / mass), limit.damping.value / mass), joint.id)
        for joint in system.mechanism.joints.values()
        for limit in joint.limits
        if limit.stiffness is not None and (mass := _mass(system, joint.id, limit.coordinate)) > 0.0
    ]


def _set_compliance(T: Tables, step: float) -> None:
    """Give the soft rows of tables the compliance of a step [s], as stepping/soft_rows.py does."""
    for r in np.flatnonzero(T.row_const[:, k.RSTIFF] + T.row_const[:, k.RDAMP] > 0.0):
        stiffness, damping, mobility = T.row_const[r, [k.RSTIFF, k.RDAMP, k.RPIVOT]]
        share = stopping_share(step, damping, mobility)
        T.row[r, k.SOFT] = 1.0 / (0.25 * step**2 * stiffness + step * share * damping)


def _leave_out_torques(system: System, T: Tables) -> None:
    """Take the torques that are constant, or follow the time alone, out of tables: in the axes of a
    body that turns, one that is fixed in W would look like a stiffness.
    """
    m = system.mechanism
    for row, force in enumerate(m.forces.values()):
        if (
            T.forces[row, k.F_AT] == k.AT_BODY
            and T.forces[row, k.F_MOMENT] == 1
            and all(
                over_time(m, ("force", force.id, name), law) for name, law in force.laws.items()
            )
        ):
            T.forces[row, [k.F_LAW0, k.F_LAW1]] = 0
            T.force_const[row, k.FPAR : k.FPAR + 3] = 0.0


def _linearised(T: Tables, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A and B (n, n) of the coordinates with forces, all others fixed: a = A dq + B v by
    differences; zero where they are not finite.
    """
    nodes = sorted(i for i in pushed_nodes(T) if i < len(T.nodes) - 1)
    dofs = [j for i in nodes for j in range(T.nodes[i, k.V0], T.nodes[i, k.V0] + T.nodes[i, k.DOF])]
    nq, nv, n = int(T.size[k.NQ]), int(T.size[k.NV]), len(dofs)

    def accelerations(increments: np.ndarray, rates: np.ndarray) -> np.ndarray:
        z, out = y.copy(), np.zeros_like(y)
        move(z, T, increments)
        measure_lengths(T)
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
        return np.zeros((n, n)), np.zeros((n, n))
    return A, B


def _eigenvalues(motion: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Rates of a linear motion [1/s]."""
    A, B = motion
    n = len(A)
    return np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [A, B]]))


def _growth(motion: tuple[np.ndarray, np.ndarray], step: float, second_order: bool) -> float:
    """Largest growth factor of a linear motion per step.

    v+ = v + h (A (x + h v / 2) + B v), x+ = x + h (v + v+) / 2 by the midpoint rule; else
    v+ = v + h (A x + B v), x+ = x + h v+.
    """
    A, B = step * step * motion[0], step * motion[1]
    one = np.eye(len(A))
    if not len(A):
        return 0.0
    # displacements per step length: x / h
    by_way, by_rate = A, one + B + (0.5 * A if second_order else 0.0)
    mean = 0.5 if second_order else 1.0
    rest = 0.5 * one if second_order else 0.0
    step_map = np.block([[one + mean * by_way, rest + mean * by_rate], [by_way, by_rate]])
    return float(np.abs(np.linalg.eigvals(step_map)).max())


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
