"""Contact kernels called by address, as those of kernels/kernel_table.py are and for the same
reason; compiled when first needed.
The table of addresses follows the directories of Stage and Problem, so that every function with one
of them can call.
"""

import numpy as np

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.compilation.addresses import (
    FLAG,
    INDEX,
    NOTHING,
    NUMBER,
    ROWS,
    VECTOR,
    AddressTable,
)
from mechstudio.engine.kernels.compilation.array_sets import ArraySet, ArraySetType

TABLES = Tables.compiled_type
# groups that are compiled together: of every run with contacts, methods to compare, impacts one
# after the other, surfaces that hold together, prescribed accelerations
EVERY, SWEEPS, IMPACTS, PULLS, GOALS = "every", "sweeps", "impacts", "pulls", "goals"
_PLACES = (
    "search",
    "find_islands",
    "read_bodies",
    "predict",
    "hold_rates",
    "fill_contacts",
    "read_approach",
    "fill_right_side",
    "fill_overlaps",
    "set_masses",
    "spread",
    "multiply",
    "prepare_island",
    "residual",
    "guess_curvature",
    "begin_contacts",
    "step_contacts",
    "end_contacts",
    "solve_apgd",
    "solve_gauss_seidel",
    "solve_jacobi",
    "solve_island",
    "impacts_in_turn",
    "recall",
    "pull_together",
    "store_impulses",
    "correct_overlap",
    "account_work",
    "solve_loaded",
    "solve_rows",
    "accelerate_at_middle",
    "accelerate",
    "move",
    "turn_freely",
    "add_stops",
    "account_rows",
    "follow_surfaces",
    "go_halfway",
    "read_bias",
    "fill_pile",
    "load_pile",
    "advance_pile",
    "judge_pile",
    "begin_pile",
    "shift_pile",
    "solve_newton",
    "solve_law",
    "meet",
    "release_contacts",
    "solve_in_turn",
    "take_patches",
    "solve_patched",
    "store_past",
    "restore_past",
    "lift",
    "set_goals",
)
ADDRESSES = np.zeros(len(_PLACES), np.int64)


class Addressed(ArraySet):
    """Set of arrays whose directory is followed by the addresses."""

    beyond = (ADDRESSES,)


_table = AddressTable(
    ADDRESSES,
    _PLACES,
    (EVERY, SWEEPS, IMPACTS, PULLS, GOALS),
    lambda argument: isinstance(argument, ArraySetType) and argument is not TABLES,
    kernel,
)
need, need_next, pending, alone = _table.need, _table.need_next, _table.pending, _table.alone
__all__ = [
    "EVERY",
    "FLAG",
    "GOALS",
    "IMPACTS",
    "INDEX",
    "NOTHING",
    "NUMBER",
    "PULLS",
    "ROWS",
    "SWEEPS",
    "TABLES",
    "VECTOR",
    "Addressed",
    "alone",
    "need",
    "need_next",
    "pending",
]
