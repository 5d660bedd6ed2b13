"""Kernels of every run and of rare features that are called by their address
(compilation/addresses.py) in the table behind the directory of `Tables`.

The kernels that a mechanism needs are compiled before its first run: engine/system/tables.py.
"""

from mechstudio.engine.kernels.columns import ADDRESSES, CALLED, Tables
from mechstudio.engine.kernels.compilation.addresses import (
    FLAG,
    INDEX,
    NOTHING,
    NUMBER,
    VECTOR,
    AddressTable,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel

TABLES = Tables.compiled_type
# groups of kernels that are compiled together: those of every run, and those of mechanisms with the
# named feature
EVERY, CURVES, SPECIAL_ROWS, BUSHINGS, LAWS, FEATURES = (
    "every",
    "curves",
    "special rows",
    "bushings",
    "laws",
    "features",
)
_table = AddressTable(
    ADDRESSES,
    (
        "along",
        "bend",
        "poses",
        "settle",
        "reading_rates",
        "row_values",
        "project",
        "right_hand_side",
        "special_value",
        "special_wrench",
        "follow_laws",
        "bushing_load",
        "bushing_energy",
        "enclose",
        "note_stage",
        "hides",
    ),
    (EVERY, CURVES, SPECIAL_ROWS, BUSHINGS, LAWS, FEATURES),
    lambda argument: argument == TABLES,
    kernel(**CALLED),
)
need, need_next, pending, standing, alone = (
    _table.need,
    _table.need_next,
    _table.pending,
    _table.standing,
    _table.alone,
)
__all__ = [
    "BUSHINGS",
    "CURVES",
    "EVERY",
    "FEATURES",
    "FLAG",
    "INDEX",
    "LAWS",
    "NOTHING",
    "NUMBER",
    "SPECIAL_ROWS",
    "TABLES",
    "VECTOR",
    "alone",
    "need",
    "need_next",
    "pending",
    "standing",
]
