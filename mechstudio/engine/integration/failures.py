"""Causes for which a run cannot continue: the drive that stands at a dead point, and the law that
has no value, as a logarithm of a negative number or a division by zero.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.loads.law_interpreter import law_jets
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.kernels.stepping import FALLEN, STUCK
from mechstudio.engine.system.independent_rows import scaled_jacobian
from mechstudio.engine.system.law_tables import every_law
from mechstudio.engine.system.row_tables import element_name
from mechstudio.engine.system.system import System
from mechstudio.model.mechanism import Law, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import localised, tr

if TYPE_CHECKING:
    from mechstudio.engine.integration.smooth_run import SmoothRun

# least singular value of the kept rows over the one at the start, below which a pose counts as a
# dead point
SINGULAR = 0.1
SHARE = 0.02  # of a drive in the dependence of the rows, from which it has to do with it


def failure(run: "SmoothRun", what: int) -> str:
    """Sentence on a step that failed: its time, and the likely cause.  what: one of the results of
    the stepping kernel (kernels/run_tables.py).
    """
    start = tr("The run stopped at {time:.6g} s: ", time=run.time)
    y, where = run.state.y, run.system.where
    speed = np.abs(y[where.nq : where.nq + where.nv]).max(initial=0.0)
    if law := unfit_law(
        run.system.mechanism,
        run.tables,
        y,
        run.state.K[0],
        float(run.state.clock[run_tables.STEP]),
        run.options.duration,
    ):
        return start + law + "."
    # a step that failed may have ended beyond the point where nothing goes on
    if dead := dead_drive(run.system, run.tables, run.kept, y):
        return start + dead
    if what == run_tables.NOT_FINITE and not run.kind.adaptive:
        return start + tr(
            "a velocity has grown beyond all bounds; the fixed step is too long for a stiff "
            "spring or damper, so take a shorter step or Radau IIA."
        )
    if what == run_tables.OPEN_BETWEEN:
        return start + tr(
            "between the ends of its steps the joints could not be closed; take a smaller "
            "tolerance or a shorter step."
        )
    if what == run_tables.OPEN:
        return start + tr(
            "the joints could not be closed again after a step; take a shorter step or DOP853."
        )
    if speed > 1e9:
        return start + tr(
            "a velocity has grown beyond all bounds; look for a force that keeps on pushing a "
            "light body."
        )
    pivot, begun = run.state.clock[[run_tables.PIVOT, run_tables.BEGUN]]
    # as the kernel `fallen` says, which Python cannot call
    if pivot < STUCK and pivot < FALLEN * begun:
        return start + tr(
            "the mechanism stands in a singular position in which its motion is not "
            "determined; change a length or the start a little."
        )
    return start + tr(
        "no step is short enough for the tolerance; look for a very stiff spring, a very "
        "strong damper (Radau IIA takes them) or a force on an angle near gimbal lock."
    )


def dead_drive(system: System, T: Tables, kept: list[int], y: np.ndarray) -> str:
    """The drive that stands at a dead point in the state y, in words; empty where none does.

    T, kept: tables and kept rows of the run.  The rows of joints and drives depend on each other
    there: u^T J = 0, and the drive with the largest share in u is the one that prescribes a motion
    which the joints do not give.
    """
    drives = {
        n: system.rows[r].owner
        for n, r in enumerate(kept)
        if r < len(system.rows) and system.rows[r].owner in system.mechanism.drives
    }
    if not drives or not np.isfinite(y).all():
        return ""
    J = scaled_jacobian(y, T, system.units)[: len(kept)]
    J = J / np.linalg.norm(J, axis=1, keepdims=True)
    first = scaled_jacobian(system.start, T, system.units)[: len(kept)]
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    U, s, _ = np.linalg.svd(J)
    if s[-1] > SINGULAR * np.linalg.svd(first, compute_uv=False)[-1]:
        return ""
    row = max(drives, key=lambda n: abs(U[n, -1]))
    if abs(U[row, -1]) < SHARE:
        return ""
    drive = system.mechanism.drives[drives[row]]
    joint = system.mechanism.joints[drive.joint]
    coordinate = JOINT_TYPES[joint.type].coordinates[drive.coordinate]
    first_of = sum(
        JOINT_TYPES[j.type].dof
        for id, j in list(system.mechanism.joints.items())[
            : list(system.mechanism.joints).index(drive.joint)
        ]
    )
    value = float(y[system.where.coordinates[first_of + drive.coordinate]])
    angle = coordinate.dimension == "angle"
    where = localised(f"{math.degrees(value):.4g}°") if angle else localised(f"{value:.4g} m")
    names = {
        "id": element_name(system.mechanism, drive.id),
        "joint": joint.name,
        "where": where,
    }
    return (
        tr(
            "{id} cannot turn joint {joint} further: there is a dead point at {where}; let the "
            "drive turn back before it, or drive another joint.",
            **names,
        )
        if angle
        else tr(
            "{id} cannot move joint {joint} further: there is a dead point at {where}; let the "
            "drive turn back before it, or drive another joint.",
            **names,
        )
    )


# parts of a run's duration, and of the step that failed, for which laws are examined beyond the
# last good state
AHEAD = (0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
STEPS = (0.03, 0.3, 1.0)
SUDDEN, SOON = (
    0.5,
    1e-8,
)  # change of a law, in its own size, that no smooth one makes within that part of the duration


def unfit_law(
    mechanism: Mechanism,
    tables: Tables,
    y: np.ndarray,
    slope: np.ndarray,
    step: float,
    duration: float,
) -> str:
    """Message about the first typed law that has no finite value, or jumps, at a state or just
    after it, without full stop, empty if none does.

    y, slope: a good state (n,) and its rate.  step: the step that failed [s].  tables: of the run;
    its working memory is overwritten.
    """
    entries = [
        (row, key, law)
        for row, (key, law) in enumerate(every_law(mechanism))
        if law.type == "expression"
    ]
    if not entries:
        return ""
    out, start = np.empty_like(y), {}
    slope = np.where(np.isfinite(slope), slope, 0.0)
    for ahead in sorted({*(part * duration for part in AHEAD), *(part * step for part in STEPS)}):
        z = y + ahead * slope
        z[-1] = y[-1] + ahead
        right_hand_side(z.copy(), tables, out, True)
        for row, key, law in entries:
            found = _result(tables, row, key[0], float(z[-1]))
            if not np.isfinite(found).all():
                return tr(
                    "{law} has no value or slope there; change the expression so that it has one "
                    "wherever the motion leads",
                    law=_named(mechanism, key, law),
                )
            first = start.setdefault(row, found)
            if (
                ahead <= SOON * duration
                and np.abs(found[0] - first[0]) > SUDDEN * max(abs(found[0]), abs(first[0])) > 0.0
            ):
                return tr(
                    "{law} jumps or grows beyond all bounds there; smooth it, for instance with a "
                    "hypot or a min",
                    law=_named(mechanism, key, law),
                )
    return ""


def _result(tables: Tables, row: int, section: str, time: float) -> np.ndarray:
    """Result of a typed law in the last evaluation, or at the given time: its value, and its slope
    and curvature as far as they are requested.
    """
    if section == "drive":
        out = np.empty((1, 3))
        law_jets(tables, row, np.array([time]), out)
        return out[0]
    last = tables.laws[row, k.L_FIRST] + tables.laws[row, k.L_COUNT] - 1
    requested = 3 if section == "coupling" else 2 if tables.laws[row, k.L_RATE] >= 0 else 1
    return tables.code_const[last, k.C_VALUE : k.C_VALUE + requested].copy()


def _named(mechanism: Mechanism, key: tuple[str, ...], law: Law) -> str:
    element = {
        "drive": mechanism.drives,
        "coupling": mechanism.couplings,
        "force": mechanism.forces,
    }[key[0]][key[1]]
    what = tr("law")
    if key[0] == "force":
        parameters = FORCE_TYPES[element.type].parameters
        what = next(tr(p.label).lower() for p in parameters if p.name == key[2])
    name = element.name or key[1]
    return tr("the {what} of {element}, {text},", what=what, element=name, text=law.text)
