"""Least distances of bodies over the samples of a run."""

from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from mechstudio.engine.analyses.table import TIME, Table
from mechstudio.model.geometry.clearance import Clearance
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.clearance import body_clearance, hull_note
from mechstudio.model.results.sample import SampleLayout
from mechstudio.translation import tr

MOST_PAIRS = 40  # that are examined if none are chosen
STILL = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def unjointed_pairs(m: Mechanism) -> list[tuple[str, str, str]]:
    """Pairs of solid bodies that share no joint, with the ground, as (name, two ids)."""
    solid = [id for id in (*m.bodies, GROUND) if m.body(id).shapes]
    jointed = {frozenset((j.frame_a.body, j.frame_b.body)) for j in m.joints.values()}
    return [
        (f"{m.body(a).name} – {m.body(b).name}", a, b)
        for a, b in combinations(solid, 2)
        if frozenset((a, b)) not in jointed
    ]


def clearances_over(
    m: Mechanism,
    pairs: Iterable[tuple[str, str, str]],
    layout: SampleLayout,
    rows: np.ndarray,
    progress: Callable[[float], None] | None = None,
) -> Table:
    """Least distances [m] of pairs of bodies (name of the column, two ids) at samples (n, width);
    zero where they touch or lie in each other.

    residual: largest error of the search over the mechanism's size.  Raises ValueError for a body
    without a solid.
    """
    pairs = tuple(pairs)
    values, worst = np.zeros((len(rows), len(pairs))), 0.0
    for n, row in enumerate(rows):
        for k, (name, first, second) in enumerate(pairs):
            found = _at(m, layout, row, first, second)
            if found is None:
                raise ValueError(
                    tr("{name}: a body without a solid has no least distance.", name=name)
                )
            values[n, k] = found.distance
            worst = max(worst, found.error)
        if progress is not None and n % 20 == 0:
            progress(n / len(rows))
    note = hull_note(m, (id for _, *ids in pairs for id in ids))
    return Table(
        "clearance",
        [TIME, *((name, "length") for name, _, _ in pairs)],
        np.column_stack([rows[:, 0], values]),
        residual=worst / m.size(),
        notes=(note,) if note else (),
    )


def _at(
    m: Mechanism, layout: SampleLayout, row: np.ndarray, first: str, second: str
) -> Clearance | None:
    poses = []
    for id in (first, second):
        numbers = row[layout.pose(id)].tolist() if id != GROUND else []
        pose = (tuple(numbers[:3]), tuple(numbers[3:])) if numbers else STILL
        poses.append((id, pose))
    return body_clearance(m, *poses)
