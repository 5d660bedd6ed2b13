"""Laws of drives, cams and forces as the tables that the kernels read: polynomial pieces, and expressions as bytecode."""

from dataclasses import dataclass

import numpy as np

from mechstudio.model.mechanism import Mechanism

Key = tuple[str, ...]       # ("drive", id), ("coupling", id) or ("force", id, parameter)


@dataclass
class Programs:
    """tables: (laws, law_const, code, code_const) as in kernels/columns.py.   index: row of `laws` of each law."""

    tables: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
    index: dict[Key, int]


def compile_laws(mechanism: Mechanism) -> Programs:
    """Every law of a mechanism."""
    return Programs((np.zeros((0, 1), np.int64), np.zeros((0, 1)), np.zeros((0, 1), np.int64), np.zeros(0)), {})
