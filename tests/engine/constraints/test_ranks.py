"""The one tolerance of ranks: typed numbers have few digits, rounding has sixteen."""

from pathlib import Path

import numpy as np
import pytest

from mechstudio.engine.constraints import ranks


@pytest.mark.parametrize(
    ("values", "reference", "count"),
    [
        ((1.0, 0.5, 1e-3), None, 3),
        ((1.0, 0.5, 1e-15), None, 2),
        ((1.0, 1e-7, 1e-16), None, 1),
        ((1.0, 1e-3, 1e-5, 1e-7, 1e-16), None, 4),
        ((1e-20,), None, 0),
        ((), None, 0),
        ((1e-3,), 1.0, 1),
        ((1e-8,), 1.0, 0),
        ((0.0,), 0.0, 0),
    ],
)
def test_the_widest_gap_decides(values, reference, count):
    assert ranks.rank_of(np.array(values), reference) == count


def test_pivots_at_rounding_level_are_not_solvable():
    assert ranks.solvable(np.array((1.0, 1e-8, 1e-10))) == 2 and ranks.solvable(np.zeros(0)) == 0
    assert ranks.solvable(np.array((1.0, 1e-8)), least=1e-7) == 1


def test_no_other_place_decides_a_rank():
    # a rank counted with a tolerance of its own once disagreed with this one
    engine = Path(ranks.__file__).parents[1]
    for path in engine.rglob("*.py"):
        text = path.read_text("utf-8")
        assert path.name == "ranks.py" or not any(
            word in text for word in ("matrix_rank", "RANK =", "NULL =", "SURELY_ZERO")
        ), path
