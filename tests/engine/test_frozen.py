"""Findings of the engine are frozen, but for what is filled in while it is made."""

from tests.frozen import changeable

FILLED = {
    "contacts/runs/impact_events.EarlyRebounds",
    "integration/memory.Status",
    "kernels/compilation/array_sets._RowsModel",
    "system/law_tables.Builder",
    "system/law_tables.Programs",
    "system/law_tables._Code",
    "system/nodes.Node",
    "system/nodes.Tree",
    "system/row_tables.Row",
    "system/state_layout.Places",
    "system/tables.Fixed",
}


def test_only_what_is_filled_in_can_be_changed():
    assert set(changeable("engine")) == FILLED
