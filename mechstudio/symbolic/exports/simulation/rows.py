"""Choice of the independent rows of C, that hold all along a motion."""

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.equations.terms import Equations
from mechstudio.symbolic.instants.start import coordinates_of_run

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

SMALL = 1e-9  # of the largest singular value: rows that others imply
POSES = 200  # intervals of a run at whose ends rows are compared
SETS = 300  # of rows that are compared
WEAK = 0.02  # share below which a set of rows is about to repeat itself


def kept_rows(derivation: "DerivedEquations", q: np.ndarray, duration: float) -> tuple[int, ...]:
    """Rows to hold.  Where some repeat others, those that stay independent all along the run, as
    far as any do: rows of a spatial loop that imply the others here may imply each other elsewhere.
    """
    f = derivation.function()
    jacobian = lambda x: f(x, np.zeros(len(x)), 0.0, derivation.values)[4]
    beside = q + np.random.default_rng(0).uniform(-0.1, 0.1, len(q))
    first = jacobian(q)
    kept = _independent(first)
    if len(kept) == int((np.abs(first) + np.abs(jacobian(beside))).any(axis=1).sum()):
        return kept
    run = coordinates_of_run(derivation.plan, duration, POSES)
    if run is None:
        return kept
    return lasting_rows(np.array([first, *map(jacobian, run)]), kept)[0]


def lay_out_curves(derivation: "DerivedEquations") -> None:
    """Put in the numbers of curves, unless they are there."""
    from mechstudio.engine.constraints.tracks import track_tables

    for id, table in track_tables(derivation.plan.mechanism).items():
        derivation.curves.setdefault(id, table.at)


def open_rows(e: Equations) -> int:
    """Number of rows of C that do not hold in every position."""
    rows = e.block("C_q").rows if e.multipliers else ()
    return sum(not all(cell.is_zero for cell in row) for row in rows)


def lasting_rows(
    jacobians: np.ndarray, first: tuple[int, ...]
) -> tuple[tuple[int, ...], np.ndarray]:
    """Rows of C_q (poses, rows, coordinates) that imply the others at all poses, as many as some
    pose has of independent ones; and per pose their least singular value as a share of that of all.
    `first` where it is half as good as the best, or where too many sets would be to be compared.
    """
    values = np.linalg.svd(jacobians, compute_uv=False)
    sizes = values[:, :1]
    count = max(len(first), int((values > 1e3 * SMALL * sizes).sum(axis=1).max()))
    regular = values[:, count - 1] > 1e3 * SMALL * sizes[:, 0]

    def shares(rows: tuple[int, ...]) -> np.ndarray:
        least = np.linalg.svd(jacobians[:, list(rows)], compute_uv=False)[:, -1]
        # at a singular pose of the mechanism no rows are better than others
        return np.where(regular, least / np.where(regular, values[:, count - 1], 1.0), 1.0)

    usable = np.flatnonzero(np.abs(jacobians).max(axis=(0, 2)) > SMALL * sizes.max()).tolist()
    if len(first) < count:
        first = _independent(jacobians[int(np.argmax(values[:, count - 1]))])
    sets = [first]
    if math.comb(len(usable), count) <= SETS:
        sets += itertools.combinations(usable, count)
    found = [shares(rows) for rows in sets]
    best = max(range(len(sets)), key=lambda k: float(found[k].min()))
    chosen = 0 if 2.0 * found[0].min() >= found[best].min() > WEAK else best
    return sets[chosen], found[chosen]


def _independent(jacobian: np.ndarray) -> tuple[int, ...]:
    """Rows that no earlier one implies."""
    taken, out = np.zeros((0, jacobian.shape[1])), []
    size = float(np.abs(jacobian).max(initial=0.0)) or 1.0
    for k, row in enumerate(jacobian):
        rest = row / size
        for _ in range(2):
            rest = rest - (rest @ taken.T) @ taken
        length = float(np.linalg.norm(rest))
        if length > 1e3 * SMALL:
            taken = np.concatenate((taken, rest[None] / length))
            out.append(k)
    return tuple(out)
