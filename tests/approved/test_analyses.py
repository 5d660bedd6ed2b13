"""Tables of every analysis, of a loop, of a suspension and of a body in contact."""

from pathlib import Path

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.table import Table
from mechstudio.engine.errors import EngineError
from mechstudio.model.types.analyses import ANALYSES
from tests.approved.figures import TOUCHING, USUAL, Shown

SAMPLES = Path(__file__).parents[2] / "samples"
SPAN = {"duration": 0.3, "sample_step": 0.1}
# methods time themselves, and differences of contacts are those of a tolerance
LEFT_OUT = {
    "four_bar": {"methods"},
    "double_wishbone": {"methods"},
    "box_on_incline": {"sensitivity"},
}
SHOWN = {"four_bar": USUAL, "double_wishbone": USUAL, "box_on_incline": TOUCHING}


def table_lines(table: Table, shown: Shown) -> list[str]:
    """Columns of a table, each with its last number where they go over the time; else its rows."""
    rows = table.rows
    heads = [f"  {c} [{d}]" for c, d in zip(table.columns, table.dimensions, strict=True)]
    if table.labels is None:
        last = [shown.together([value]) for value in rows[-1]] if len(rows) else [""] * len(heads)
        lines = [f"{head} {value}".rstrip() for head, value in zip(heads, last, strict=True)]
    else:
        each = (" ".join(shown.together([value]) for value in row) for row in rows)
        lines = heads + [f"  {label}: {row}" for label, row in zip(table.labels, each, strict=True)]
    places = " ".join(f"{row},{column}" for row, column in np.argwhere(table.hatched))
    return [*lines, *(f"  {note}" for note in table.notes), f"  hatched: {places}".rstrip()]


@pytest.mark.parametrize("name", SHOWN)
def test_tables_are_as_approved(name, approved):
    project, lines = ms.load(SAMPLES / f"{name}.mech"), list[str]()
    for what in ANALYSES:
        if what in LEFT_OUT[name]:
            continue
        try:
            table = ms.analyse(project, what, **SPAN)
        except (ValueError, EngineError) as refusal:
            lines += [f"# {what}", f"  {refusal}"]
            continue
        lines += [f"# {what}", *table_lines(table, SHOWN[name])]
    approved.holds(f"analyses_{name}.txt", "\n".join(lines) + "\n")
