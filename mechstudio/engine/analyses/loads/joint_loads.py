"""Loads of joints, instant by instant and at their peaks: reactions, efforts of drives, couplings
and closed stops, and the load table of a motion.
"""

from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.engine.analyses.table import TIME, Table
from mechstudio.engine.dynamics.instant import Instant, transferred
from mechstudio.model.formulas.means import rms
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

WORLD, BODY, JOINT = "world", "body", "joint"
SMOOTH = 0.4  # least bend over the largest, of three samples around a peak that is smooth
MIXED = 1e-9  # share of a component in another one, turned, from which it counts
_SI = {
    "force": "N",
    "torque": "N·m",
    "power": "W",
}  # rows of the load table have units of their own
_FORCE = tuple(
    (f"{part}{axis}", dimension)
    for part, dimension in (("F", "force"), ("M", "torque"))
    for axis in "xyz"
)


def reactions(
    instants: Sequence[Instant],
    joints: Sequence[str],
    axes: str = JOINT,
    at: Callable[[Instant], np.ndarray | None] = lambda now: None,
) -> Table:
    """Reaction forces and moments of joints on their second bodies [N, N m].

    axes: "world", "body" (of the second body) or "joint" (of its frame B).  at: the place in W
    about which moments are taken, which may move; None: the origin of the joint's frame B.
    """
    mechanism = instants[0].mechanism
    index = list(mechanism.joints)
    columns = [TIME] + [
        (f"{mechanism.joints[id].name} {name}", dimension)
        for id in joints
        for name, dimension in _FORCE
    ]
    rows, hatched = (
        np.zeros((len(instants), len(columns))),
        np.zeros((len(instants), len(columns)), bool),
    )
    for r, now in enumerate(instants):
        rows[r, 0] = now.motion.time
        point = at(now)
        for k, id in enumerate(joints):
            j = index.index(id)
            reaction = now.reactions[j]
            wrench = (
                reaction.wrench
                if point is None
                else transferred(reaction.wrench, now.at.frames[2][j], point)
            )
            R = {WORLD: np.eye(3), BODY: now.at.R[now.rows.body_b[j]], JOINT: now.at.frames[3][j]}[
                axes
            ]
            rows[r, 1 + 6 * k : 7 + 6 * k] = np.concatenate((R.T @ wrench[:3], R.T @ wrench[3:]))
            if axes == JOINT and point is None:
                hatched[r, 1 + 6 * k : 7 + 6 * k] = ~reaction.determined
            else:
                # turned, a component mixes with others of its kind: it is determined where all
                # that it is made of are; moved, a moment also with forces
                loose = ~reaction.determined
                mixed = np.abs(R.T @ now.at.frames[3][j]) > MIXED
                hatched[r, 1 + 6 * k : 4 + 6 * k] = (mixed & loose[:3]).any(axis=1)
                hatched[r, 4 + 6 * k : 7 + 6 * k] = (mixed & loose[3:]).any(axis=1) | (
                    point is not None and loose[:3].any()
                )
    notes = (tr("Reactions act on the second body of a joint; the first body feels the opposite."),)
    if hatched.any():
        notes += (
            tr(
                "Marked values are not determined by rigid bodies; they are the least-squares "
                "values."
            ),
        )
    return Table(
        "reactions",
        columns,
        rows,
        residual=max(now.residual for now in instants),
        notes=notes,
        hatched=hatched,
    )


def efforts(instants: Sequence[Instant]) -> Table:
    """Forces and torques of drives, couplings and closed stops along joint coordinates, and the
    power of each.
    """
    mechanism = instants[0].mechanism
    names = {
        id: e.name
        for section in (mechanism.joints, mechanism.drives, mechanism.couplings)
        for id, e in section.items()
    }
    keys = list(
        dict.fromkeys((e.id, e.joint, e.coordinate) for now in instants for e in now.efforts)
    )
    columns: list[tuple[str, str]] = [TIME]
    for id, joint, coordinate in keys:
        kind = JOINT_TYPES[mechanism.joints[joint].type].coordinates[coordinate]
        of = f"{names[id]} on {mechanism.joints[joint].name}" + (
            f" {kind.name}" if JOINT_TYPES[mechanism.joints[joint].type].dof > 1 else ""
        )
        columns += [
            (of, "torque" if kind.dimension == "angle" else "force"),
            (f"{of} power", "power"),
        ]
    rows = np.full((len(instants), len(columns)), np.nan)
    hatched = np.zeros(rows.shape, bool)
    for r, now in enumerate(instants):
        rows[r, 0] = now.motion.time
        for e in now.efforts:
            at = 1 + 2 * keys.index((e.id, e.joint, e.coordinate))
            rows[r, at : at + 2], hatched[r, at : at + 2] = (e.effort, e.power), not e.determined
    return Table(
        "efforts", columns, rows, residual=max(now.residual for now in instants), hatched=hatched
    )


def load_table(instants: Sequence[Instant], axes: str = JOINT) -> Table:
    """Peak, time of the peak and RMS of every joint's force and moment, and of every drive's and
    motor's effort and power, over the motion.
    """
    m = instants[0].mechanism
    times = np.array([now.motion.time for now in instants])
    quantities: list[tuple[str, str, np.ndarray, bool]] = []
    table = reactions(instants, list(m.joints), axes)
    for k, id in enumerate(m.joints):
        for word, dimension, first in (
            ("force", "force", 1 + 6 * k),
            ("moment", "torque", 4 + 6 * k),
        ):
            part = slice(first, first + 3)
            quantities.append(
                (
                    f"{m.joints[id].name} {word}",
                    dimension,
                    np.linalg.norm(table.rows[:, part], axis=1),
                    bool(table.hatched[:, part].any()),
                )
            )
    of = efforts(instants)
    quantities += [
        (name, d, of.rows[:, c], bool(of.hatched[:, c].any()))
        for c, (name, d) in enumerate(zip(of.columns, of.dimensions))
        if c
    ]
    for k, force in enumerate(m.forces.values(), 1):
        series = np.array([now.loads[k].effort for now in instants])
        if not np.isnan(series).all():
            turns = (
                force.joint
                and JOINT_TYPES[m.joints[force.joint].type].coordinates[force.coordinate].dimension
                == "angle"
            )
            quantities.append((force.name, "torque" if turns else "force", series, False))
    rows = []
    for _, _, series, _ in quantities:
        (_, least), (_, most) = _least(times, series), _least(times, -series)
        at, size = _least(times, -np.abs(series))
        peak = np.copysign(-size, np.interp(at, times, np.nan_to_num(series)))
        rows.append(
            (
                peak,
                at,
                least,
                -most,
                rms(times, series),
            )
        )
    columns = [
        ("peak", "number"),
        ("at time", "time"),
        ("least", "number"),
        ("most", "number"),
        ("RMS", "number"),
    ]
    loose = np.array([loose for *_, loose in quantities], bool)
    hatched = np.repeat(loose[:, None], len(columns), axis=1)
    notes = (
        (
            tr(
                "Marked values are not determined by rigid bodies; they are of the least-squares "
                "values."
            ),
        )
        if hatched.any()
        else ()
    )
    return Table(
        "loads",
        columns,
        np.array(rows),
        [f"{name} [{_SI[dimension]}]" for name, dimension, *_ in quantities],
        table.residual,
        notes,
        hatched,
    )


def _least(times: np.ndarray, series: np.ndarray) -> tuple[float, float]:
    """Instant [s] and least value of a series (s,), between its samples where it is smooth there;
    NaN of one without numbers.

    Smooth it is where it bends alike at the least sample and at those beside it; at a jump or a
    kink the sample counts.
    """
    if np.isnan(series).all():
        return float(times[0]), float("nan")
    k = int(np.nanargmin(series))
    sample = float(times[k]), float(series[k])
    around = slice(k - 2, k + 3)
    if k < 2 or k + 2 >= len(series) or np.isnan(series[around]).any():
        return sample
    bends = np.diff(series[around], 2)
    if bends.min() <= SMOOTH * bends.max():
        return sample
    step = times[k + 1] - times[k]
    quartic = np.polyfit((times[around] - times[k]) / step, series[around], 4)
    x = 0.0
    for _ in range(6):
        x = float(
            np.clip(
                x - np.polyval(np.polyder(quartic), x) / np.polyval(np.polyder(quartic, 2), x),
                -1.0,
                1.0,
            )
        )
    return sample[0] + x * step, min(sample[1], float(np.polyval(quartic, x)))
