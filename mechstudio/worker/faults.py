"""Misbehaviour on demand, for tests of the window: only a worker started with --allow-faults obeys.

A fault is written "kind@time": it strikes at the first block that reaches this simulated time [s].
"""

import os
import time
from collections.abc import Iterator

import numpy as np

# kind -> what a user would meet
KINDS = ("hang", "slow", "crash", "nan", "error", "memory")
SLOW = 1.8  # seconds that one block takes


def with_fault(blocks: Iterator[np.ndarray], fault: str) -> Iterator[np.ndarray]:
    """The blocks of a run, with a fault among them."""
    kind, _, when = fault.partition("@")
    if kind not in KINDS:
        raise ValueError(f"There is no fault {kind}; there are {', '.join(KINDS)}.")
    impacted = False
    for block in blocks:
        if not impacted and len(block) and block[-1, 0] >= float(when or 0):
            impacted = True
            block = _strike(kind, block)
        yield block


def _strike(kind: str, block: np.ndarray) -> np.ndarray:
    match kind:
        case "hang":
            while True:
                time.sleep(0.01)
        case "slow":
            time.sleep(SLOW)
        case "crash":
            os.abort()
        case "nan":
            block = block.copy()
            block[len(block) // 2 :, 1] = np.nan
        case "error":
            raise ZeroDivisionError("a fault for tests")
        case "memory":
            raise MemoryError
    return block
