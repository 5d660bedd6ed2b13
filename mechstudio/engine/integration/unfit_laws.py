"""Search for the law that has no value where a run cannot continue: a logarithm of a negative
number, a division by zero.
"""

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.loads.law_interpreter import law_jets
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.law_tables import every_law
from mechstudio.model.mechanism import Law, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES

# parts of a run's duration, and of the step that failed, for which laws are looked at beyond the
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
                return _named(mechanism, key, law) + (
                    " has no value or slope there; change the expression so that it has "
                    "one wherever the motion leads"
                )
            first = start.setdefault(row, found)
            if (
                ahead <= SOON * duration
                and np.abs(found[0] - first[0]) > SUDDEN * max(abs(found[0]), abs(first[0])) > 0.0
            ):
                return _named(mechanism, key, law) + (
                    " jumps or grows beyond all bounds there; smooth it, for instance "
                    "with a hypot or a min"
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
    wanted = 3 if section == "coupling" else 2 if tables.laws[row, k.L_RATE] >= 0 else 1
    return tables.code_const[last, k.C_VALUE : k.C_VALUE + wanted].copy()


def _named(mechanism: Mechanism, key: tuple[str, ...], law: Law) -> str:
    element = {
        "drive": mechanism.drives,
        "coupling": mechanism.couplings,
        "force": mechanism.forces,
    }[key[0]][key[1]]
    what = "law of "
    if key[0] == "force":
        what = (
            next(p.label.lower() for p in FORCE_TYPES[element.type].parameters if p.name == key[2])
            + " of "
        )
    return f"the {what}{element.name or key[1]}, {law.text},"
