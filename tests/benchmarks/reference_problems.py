"""Cost of a right-hand side and error against cost: python -m tests.benchmarks.reference_problems [problem ...]"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # idle threads of the linear algebra double the CPU time

import sys
import time

import numpy as np

from mechstudio.engine.cache import compile_kernels
from mechstudio.engine.kernels.right_hand_side import repeat
from mechstudio.engine.run import RunOptions, run
from mechstudio.engine.system import compile_system
from tests.engine.problems import NAMES, chain, fourbar, position, published


def cost(name, mechanism):
    """Print the best of seven timings of the right-hand side at the start [us]."""
    start = time.process_time()
    system = compile_system(mechanism)
    compiled = time.process_time() - start
    y, T = system.start.copy(), system.fresh_tables()
    out, count = np.zeros_like(y), max(20, 20000 // len(mechanism.bodies))
    repeat(y, T, out, 2)
    best = np.inf
    for _ in range(7):
        start = time.process_time()
        repeat(y, T, out, count)
        best = min(best, time.process_time() - start)
    print(f"{name:12s} bodies {len(mechanism.bodies):4d} rows {len(system.kept):4d} of {len(system.rows):4d}: {best / count * 1e6:7.2f} us per right-hand side, "
          f"compiled in {compiled * 1e3:7.1f} ms", flush=True)


def precision(name, repeats=3):
    """Print CPU time, position, energy and gap errors per tolerance."""
    mechanism, known = published(name)
    system = compile_system(mechanism)
    for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        options = RunOptions(known["duration"], known["duration"] / 100, tolerance=tolerance)
        best = np.inf
        for _ in range(repeats):
            samples = np.concatenate(list(run(system, options)))
            best = min(best, system.statistics.cpu_s)
        error = max(np.linalg.norm(position(samples, system.layout, id, p) - np.array(truth), axis=1).max()
                    for (id, p), truth in zip(known["tracked"], known["points"])) / known["length_scale"]
        energy = np.abs(samples[:, system.layout.energy][:, 3]).max() / known["e_scale"]
        s = system.statistics
        print(f"{name:12s} tolerance {tolerance:.0e} steps {s.steps:5d} + {s.rejected_steps:4d} cpu {best * 1e3:8.3f} ms position {error:.1e} "
              f"energy {energy:.1e} gap {s.constraint_error_m:.1e} m", flush=True)


if __name__ == "__main__":
    compile_kernels()
    names = sys.argv[1:] or list(NAMES)
    for n in names:
        cost(n, published(n)[0])
    if not sys.argv[1:]:
        for n in (10, 50, 100, 200):
            cost(f"chain{n}", chain(n))
        for n in (10, 20, 40, 80):
            cost(f"fourbar{n}", fourbar(n))
    for n in names:
        precision(n)
