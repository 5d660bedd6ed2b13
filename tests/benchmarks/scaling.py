"""Growth of cost with the size of a mechanism, and the fixed cost of a run: python -m
tests.benchmarks.scaling [part ...]
"""

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # idle threads of the linear algebra double the CPU time

import argparse
import math
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import msgspec
import numpy as np
from scipy.integrate import solve_ivp

from mechstudio.engine.cache import compile_kernels
from mechstudio.engine.integration.options import RunOptions, options_of
from mechstudio.engine.kernels.right_hand_side import repeat
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.quantity import Quantity, vector
from tests.benchmarks.machine import describe
from tests.engine.integration.test_run import governor
from tests.engine.problems import body, chain, fourbar, joint, position, published, rod

SIZES = {
    "fourbar": (1, 2, 5, 10, 20, 40, 80),
    "chain": (5, 10, 20, 50, 100, 200),
    "tower": (2, 5, 10, 20, 40),
}
SMALL = ("pendulum", "slidercrank", "fourbar2", "andrews")
FROM = 10  # bodies from which a power of the size is fitted
TOLERANCES = [10.0 ** -(7 + e / 4) for e in range(17)]
GOVERNOR = Path(__file__).parent / "governor.mech"


def tower(count):
    """Serial loops: four-bars of 1 m one upon another, each with its two legs on the coupler of the
    one below; 3 count bodies of 1 kg.
    """
    bodies, joints = {}, {}
    inertia = lambda axis: rod(1.0, 1.0, axis, 0.05)
    for n in range(count):
        for id, at, axis in (
            (f"a{n}", (0, n + 0.5, 0), (0, 1, 0)),
            (f"b{n}", (1, n + 0.5, 0), (0, 1, 0)),
            (f"c{n}", (0.5, n + 1, 0), (1, 0, 0)),
        ):
            bodies[id] = body(id, 1.0, at, inertia(axis))
    for n in range(count):
        below = GROUND if n == 0 else f"c{n - 1}"
        for id, a, b, at in (
            (f"A{n}", below, f"a{n}", (0, n, 0)),
            (f"B{n}", below, f"b{n}", (1, n, 0)),
            (f"C{n}", f"a{n}", f"c{n}", (0, n + 1, 0)),
            (f"D{n}", f"b{n}", f"c{n}", (1, n + 1, 0)),
        ):
            joints[id] = joint(id, "revolute", a, b, at, (0, 0, 1), bodies)
    return Mechanism(bodies, joints, gravity=vector(0, -9.81, 0))


FAMILIES = {"fourbar": fourbar, "chain": chain, "tower": tower}


def best(function, count, least=0.15):
    """Least CPU time of `count` or more short calls, at least `least` seconds in all [s]."""
    found, spent, n = math.inf, 0.0, 0
    while n < count or spent < least:
        start = time.process_time()
        function()
        took = time.process_time() - start
        found, spent, n = min(found, took), spent + took, n + 1
    return found


def right_hand_side_cost(system):
    """CPU time of an evaluation at the start [s]: the least of many stretches of about a
    millisecond.
    """
    y, T = system.start.copy(), system.fresh_tables()
    out = np.zeros_like(y)
    repeat(y, T, out, 3)
    count = max(3, 2000 // len(system.mechanism.bodies))
    return best(lambda: repeat(y, T, out, count), 100, 0.3) / count


def power(sizes, values):
    """Exponent of a least-squares fit of values ~ sizes^p."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def part_cost():
    """Right-hand side over the size; compile of the tables; memory."""
    for name in SMALL:
        system = compile_system(published(name)[0])
        print(
            (
                f"  {name:12s} bodies {len(system.mechanism.bodies):4d} rows "
                f"{len(system.kept):4d} of {len(system.rows):4d}: "
                f"{right_hand_side_cost(system) * 1e6:7.2f} us per right-hand side"
            ),
            flush=True,
        )
    for name, family in FAMILIES.items():
        found = []
        for n in SIZES[name]:
            mechanism = family(n)
            compiled = best(lambda: compile_system(mechanism), 2 if n > 20 else 4, 0.0)
            system = compile_system(mechanism)
            cost, count = right_hand_side_cost(system), len(mechanism.bodies)
            memory = sum(a.nbytes for a in system.fresh_tables()) + 24 * system.start.nbytes
            found.append((count, cost, compiled, memory))
            print(
                f"  {name}{n:<8d} bodies {count:4d} rows {len(system.kept):4d} of "
                f"{len(system.rows):4d}: {cost * 1e6:7.2f} us, {cost / count * 1e9:5.0f} ns "
                "per body, "
                f"tables in {compiled * 1e3:6.1f} ms, {memory / 1024:7.1f} kB, "
                f"{memory / count:5.0f} B per body",
                flush=True,
            )
        large = np.array([row for row in found if row[0] >= FROM])
        print(
            f"    exponents from {large[0, 0]:.0f} bodies on: right-hand side "
            f"{power(large[:, 0], large[:, 1]):.2f}, compile "
            f"{power(large[:, 0], large[:, 2]):.2f}, "
            f"memory {power(large[:, 0], large[:, 3]):.2f}"
        )


def part_allocation():
    """Nothing is allocated in a step: kernels are compiled without a runtime for memory, and a run
    a hundred times as long needs no more.
    """
    system = compile_system(fourbar(2))
    resident = lambda: (
        int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        if Path("/proc/self/statm").exists()
        else 0
    )
    go = lambda duration: [
        None for _ in run(system, RunOptions(duration, duration, tolerance=1e-6))
    ]
    go(1.0)
    for duration in (2.0, 200.0):
        before = resident()
        tracemalloc.start()
        go(duration)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        s = system.statistics
        print(
            (
                f"  fourbar2 over {duration:5.0f} s: {s.steps + s.rejected_steps:6d} steps, "
                f"Python's own peak {peak / 1024:6.1f} kB, resident memory grew by "
                f"{(resident() - before) / 1024:.0f} kB"
            ),
            flush=True,
        )


def part_edit():
    """From an edit (a mass changed) to the first sample, without the window: compile again and run
    up to the first block.
    """
    for name, mechanism in (
        ("chain50", chain(50)),
        ("fourbar25 (51 bodies)", fourbar(25)),
        ("tower17 (51 bodies)", tower(17)),
        ("fourbar80", fourbar(80)),
    ):
        first = next(iter(mechanism.bodies))
        masses = iter(range(1, 100))

        def edit():
            edited = msgspec.structs.replace(
                mechanism.bodies[first], mass=Quantity(1.0 + 0.01 * next(masses))
            )
            system = compile_system(
                msgspec.structs.replace(mechanism, bodies={**mechanism.bodies, first: edited})
            )
            next(block for block in run(system, RunOptions(5.0, 1 / 60)) if len(block))

        edit()
        print(
            (
                f"  {name:22s} {best(edit, 5, 0.0) * 1e3:6.1f} ms CPU, aim "
                f"{200 if name == 'fourbar80' else 100} ms"
            ),
            flush=True,
        )


START = """
import time
from mechstudio.engine.cache import compile_kernels, compile_the_rest
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
imported = time.process_time()
compile_kernels()
compiled = time.process_time()
from tests.engine.problems import fourbar
list(run(compile_system(fourbar(2)), RunOptions(0.5, 0.1)))
ready = time.process_time()
compile_the_rest()
print(imported, compiled - imported, ready, time.process_time())
"""


def part_start():
    """Cold and cached start in fresh processes with a cache folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        where = {**os.environ, **dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA"), folder)}
        for kind, requested, all_requested in (
            ("cold", 20, 40),
            ("cached", 3, 3),
            ("cached", 3, 3),
        ):
            answer = subprocess.run(
                [sys.executable, "-c", START],
                cwd=Path(__file__).parents[2],
                env=where,
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            imported, kernels, ready, everything = map(float, answer.split())
            print(
                f"  {kind:7s} imports {imported:5.2f} s, kernels {kernels:6.2f} s, first "
                f"simulation ready after {ready:6.2f} s of CPU, aim {requested} s; "
                f"everything after {everything:6.2f} s, aim {all_requested} s",
                flush=True,
            )


def part_branches():
    """The N-four-bar through its singular positions, every N at every tolerance: right branch, and
    which errors stand out of their row.
    """
    print(
        "  largest position error of the first vertical's top [m] at tolerances 1e-7 ... "
        "1e-11, four a decade; * an order or more above its neighbours"
    )
    runs = outliers = wrong = 0
    for count in SIZES["fourbar"]:
        inertia, lever, times = (
            (count + 1) / 3 + count,
            (count + 1) / 2 + count,
            np.linspace(0.0, 10.0, 101),
        )
        angle = solve_ivp(
            lambda t, y: (y[1], lever * 9.81 / inertia * math.sin(y[0])),
            (0, 10),
            (0.0, 1.0),
            "DOP853",
            times,
            rtol=1e-13,
            atol=1e-13,
        ).y[0]
        truth = np.stack((np.sin(angle), np.cos(angle), np.zeros(101)), axis=1)
        system, errors, steps, last = compile_system(fourbar(count)), [], [], []
        for tolerance in TOLERANCES:
            samples = np.concatenate(list(run(system, RunOptions(10.0, 0.1, tolerance=tolerance))))
            gaps = np.linalg.norm(
                position(samples, system.layout, "v0", (0, 0.5, 0)) - truth, axis=1
            )
            errors.append(gaps.max())
            # the last sample is a state itself; those before lie between two states
            last.append((gaps[-1], int((gaps > 10 * np.median(gaps)).sum())))
            steps.append(system.statistics.steps + system.statistics.rejected_steps)
        logs = np.log10(errors)
        out = [
            k
            for k in range(len(errors))
            if logs[k]
            > 1.0
            + np.median([logs[j] for j in range(max(0, k - 2), min(len(logs), k + 3)) if j != k])
        ]
        runs, outliers, wrong = (
            runs + len(errors),
            outliers + len(out),
            wrong + sum(not e < 0.01 for e in errors),
        )
        print(
            f"  N = {count:2d}, {min(steps)} to {max(steps)} steps: "
            + " ".join(f"{e:.0e}{'*' if k in out else ''}" for k, e in enumerate(errors)),
            flush=True,
        )
        for k in out:
            print(
                (
                    f"    tolerance {TOLERANCES[k]:.1e}: {last[k][1]} of 101 samples beyond ten "
                    f"times the median error; at the end {last[k][0]:.0e}"
                ),
                flush=True,
            )
    print(f"  {runs} runs, {wrong} on the wrong branch, {outliers} outliers")


def part_governor():
    """Stiff spring-dampers with Radau IIA over ten seconds: mean step at tolerance 1e-3, aim 20
    ms.
    """
    project = load(GOVERNOR).project
    options = options_of(project)
    for name, mechanism in (("governor", project.mechanism), ("12 governors", governor(12))):
        system = compile_system(mechanism)
        list(run(system, options))
        s = system.statistics
        print(
            f"  {name:12s} states {len(system.start):3d}: {s.steps} steps + "
            f"{s.rejected_steps} rejected, mean {s.duration / s.steps * 1e3:.0f} ms, CPU "
            f"{s.cpu_s * 1e3:.0f} ms, "
            f"gap {s.constraint_error_m:.0e} m",
            flush=True,
        )


PARTS = {
    "cost": part_cost,
    "allocation": part_allocation,
    "edit": part_edit,
    "branches": part_branches,
    "governor": part_governor,
    "start": part_start,
}


def main():
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scaling", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", default=list(PARTS), metavar="part", help=", ".join(PARTS)
    )
    given = parser.parse_args()
    if unknown := [p for p in given.parts if p not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    print(describe())
    compile_kernels()
    for name in given.parts:
        print(f"\n{name}: {PARTS[name].__doc__}", flush=True)
        PARTS[name]()


if __name__ == "__main__":
    main()
