"""Comparison of methods: the drawing run by every formulation, drift control and integrator, each
with its errors against the finest run and its cost.
"""

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from mechstudio.engine.analyses.table import Table
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration.memory import held
from mechstudio.engine.integration.options import RunOptions, sample_count, settings_of
from mechstudio.engine.run import run, system_for
from mechstudio.engine.system.system import compile_system
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Settings
from mechstudio.model.results.analysis_results import MethodRun
from mechstudio.model.results.methods import method_parts
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.translation import tr

# tolerances of DOP853 in the run that all are compared with, and in the one that shows its own
# error
FINEST, FINE = 1e-13, 1e-12
CARRIED = 256 << 20  # bytes of samples above which the runs are not handed on
LONGEST = 60.0  # s of the user's time after which a method is given up
AT_ONCE = 1e-9  # part of the sample step within which two samples are of the same instant

COLUMNS = [
    ("from the finest run", "length"),
    ("constraint error", "length"),
    ("energy error", "number"),
    ("steps", "number"),
    ("right-hand sides", "number"),
    ("processor time", "time"),
]


class Tried(NamedTuple):
    """One run: its options, samples (k, width), statistics, and why it ended early."""

    options: RunOptions
    samples: np.ndarray
    statistics: RunStatistics | None
    finding: Finding | None


def variations(options: RunOptions, drifts: bool) -> list[RunOptions]:
    """Options that differ from the given ones in the formulation with its drift control, or in the
    integrator; senseless ones left out.  drifts: False where in joint coordinates nothing can.
    """
    found = [
        replace(options, formulation=formulation, drift=drift)
        for formulation in FORMULATIONS
        for drift in DRIFTS
        if drifts or formulation != "joint" or drift == "projection"
    ]
    found += [replace(options, integrator=integrator) for integrator in INTEGRATOR_TYPES]
    return [e for k, e in enumerate(found) if e not in found[:k] and _makes_sense(e)]


def _makes_sense(options: RunOptions) -> bool:
    try:
        options.check()
    except ValueError:
        return False
    return True


def distance(layout: SampleLayout, a: np.ndarray, b: np.ndarray, size: float) -> float:
    """The largest distance [m] between two runs (k, width) at instants that both have: of the
    origins of bodies, or of points that lie `size` [m] from an axis of turning.  NaN without any.
    """
    count = min(len(a), len(b))
    a, b = a[:count], b[:count]
    step = np.diff(a[:, 0]).max(initial=0.0)
    alike = np.abs(a[:, 0] - b[:, 0]) <= AT_ONCE * (step or 1.0)
    if not alike.any():
        return math.nan
    p, q = (rows[alike][:, layout.poses].reshape(-1, 7) for rows in (a, b))
    if not len(p):
        return 0.0
    transferred = np.linalg.norm(p[:, :3] - q[:, :3], axis=1)
    # a turn by φ changes a unit quaternion by a chord of 2 sin(φ / 4), up to its sign
    chord = np.minimum(
        np.linalg.norm(p[:, 3:] - q[:, 3:], axis=1), np.linalg.norm(p[:, 3:] + q[:, 3:], axis=1)
    )
    turned = 4.0 * np.arcsin(np.minimum(chord / 2.0, 1.0))
    return float(np.maximum(transferred, size * turned).max())


def compare(
    mechanism: Mechanism,
    options: RunOptions,
    settings: Settings,
    progress: Callable[[float], None] | None = None,
) -> Table:
    """Table of errors and cost, a row per method, the finest run last.

    settings: of the project, whose words the rows have.  residual: by how much the finest run
    moves with its tolerance, over the size.  Raises EngineError for a drawing that cannot be run.
    """
    size = mechanism.size()
    fine = replace(options, integrator="dop853", step=0.0, formulation="joint", drift="projection")
    given = variations(options, bool(compile_system(mechanism).kept))
    every = [*given, replace(fine, tolerance=FINE), replace(fine, tolerance=FINEST)]
    layout = system_for(mechanism, fine).layout
    done: list[Tried] = []
    with held(len(every) * sample_count(options), layout.width):
        for k, each in enumerate(every):
            report = (lambda share, k=k: progress((k + share) / len(every))) if progress else None
            done.append(_try(mechanism, each, report))
    *tried, finer, finest = done
    own = distance(layout, finer.samples, finest.samples, size)
    rows = [
        [distance(layout, each.samples, finest.samples, size), *_costs(each.statistics)]
        for each in tried
    ]
    rows.append([own, *_costs(finest.statistics)])
    words = [_words(each.options, options, settings) for each in tried]
    labels = [*words, tr("finest: DOP853 {tolerance:g}", tolerance=FINEST)]
    notes = [
        tr(
            "Distances are of bodies, at every sample, from the finest run; that of the finest run "
            "is from the one with a tolerance of {fine:g}.",
            fine=FINE,
        ),
        *_stopped([*zip(labels, [*tried, finest], strict=True)]),
    ]
    if not own <= 1e-6 * size:
        notes.append(
            tr(
                "The finest run itself is not determined to more than that: distances below it "
                "mean nothing. The motion may be chaotic; compare a shorter one."
            )
        )
    carried = sum(each.samples.nbytes for each in tried) <= CARRIED
    if not carried:
        notes.append(tr("The runs are too long to be kept beside the table."))
    return Table(
        "methods",
        COLUMNS,
        np.array(rows),
        labels,
        own / size if math.isfinite(own) else None,
        tuple(notes),
        runs=tuple(map(_carried, words, tried)) if carried else (),
    )


def _try(
    mechanism: Mechanism, options: RunOptions, report: Callable[[float], None] | None
) -> Tried:
    """One run; what stops it early is reported, not raised."""
    blocks: list[np.ndarray] = []
    system = system_for(mechanism, options)
    finding, begun, reached = None, time.monotonic(), 0.0
    try:
        # kernels are loaded by the first run that needs them, which is no cost of its method
        for _ in run(system, replace(options, duration=min(options.duration, options.sample_step))):
            pass
        for block in run(system, options, []):
            blocks.append(np.array(block))
            reached = float(block[-1, 0]) - mechanism.start.value if len(block) else reached
            if report is not None:
                report(min(1.0, reached / options.duration))
            if time.monotonic() - begun > LONGEST:
                finding = Finding(
                    "error",
                    "",
                    tr(
                        "it was given up at t = {reached:.3g} s, after {longest:g} s of computing.",
                        reached=mechanism.start.value + reached,
                        longest=LONGEST,
                    ),
                )
                break
    except RunStopped as stop:
        finding = Finding("error", "", stop.reason)
    except EngineError as error:
        finding = error.finding
    samples = np.concatenate(blocks) if blocks else np.empty((0, system.layout.width))
    good = np.isfinite(samples).all(axis=1)
    if not good.all():
        samples = samples[: int(np.argmin(good))]
        finding = finding or Finding("error", "", tr("The motion became infinite."))
    return Tried(options, samples, system.statistics, finding)


def _costs(s: RunStatistics | None) -> list[float]:
    """Numbers of a run in the order of COLUMNS, from the second on."""
    if s is None:
        return [math.nan] * (len(COLUMNS) - 1)
    energy = math.nan if s.energy_error is None else s.energy_error
    return [s.constraint_error_m, energy, s.steps, s.evaluations, s.cpu_s]


def _stopped(runs: list[tuple[str, Tried]]) -> Iterator[str]:
    """Sentences on the runs that ended early."""
    for words, each in runs:
        if each.finding is not None:
            yield tr(
                "{method}: {reason}",
                method=words,
                reason=f"{each.finding.message} {each.finding.cure}".strip(),
            )


def _words(options: RunOptions, drawn: RunOptions, settings: Settings) -> str:
    """Differences from the method of the drawing: "RK4 1 ms", "absolute, Baumgarte"."""
    parts = method_parts(replace(settings_of(options, settings), drift=options.drift))
    if options == drawn:
        return tr("as drawn: {method}", method=parts.integrator)
    if options.integrator != drawn.integrator:
        return parts.integrator
    return f"{tr(FORMULATIONS[options.formulation].brief).lower()}, {parts.drift}"


def _carried(words: str, each: Tried) -> MethodRun:
    """A run as it goes to another process."""
    o = each.options
    rows = np.ascontiguousarray(each.samples, "<f8").tobytes()
    return MethodRun(
        words,
        o.integrator,
        o.formulation,
        o.drift,
        o.tolerance,
        rows,
        each.statistics,
        each.finding,
    )
