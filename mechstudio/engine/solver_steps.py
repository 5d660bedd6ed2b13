"""The solver's own steps in a stretch of a run: the run made again, a step at a time there.

A run keeps no trace of its steps, which costs it nothing; made again it takes the same ones.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.integration.smooth_run import SmoothRun
from mechstudio.engine.run import system_for
from mechstudio.engine.system.system import System
from mechstudio.model.project import Project

MOST = 20_000  # steps that are found at once
Seen = tuple[float, np.ndarray, np.ndarray | None]


def solver_steps(
    project: Project,
    begin: float,
    end: float,
    progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[np.ndarray, np.ndarray]:
    """Samples at the ends of the steps of a stretch of a run, and the last sample before its end.

    begin, end: of the stretch [s].  The samples (s, layout.width) have one before the stretch and
    one after it if there are any; after an impact stands what follows it.  The last sample
    (layout.width,) tells whether the repeated run is the recorded one.

    Raises EngineError, and RunStopped for a run that ends before the beginning of the stretch.
    """
    options = RunOptions.from_settings(project.settings)
    system = system_for(project.mechanism, options)
    stretch = begin, end
    seen, last, overlooked = _looked(system, options, stretch, math.inf, progress)
    while overlooked is not None:
        # steps became longer all of a sudden, so that the beginning was passed unseen
        seen, last, overlooked = _looked(system, options, stretch, overlooked, progress)
    recorder = Recorder(system, system.fresh_tables())
    # the balance of energies counts from the start
    recorder.samples(system.start[-1:].copy(), system.start[None])
    after = next((n for n, step in enumerate(seen) if step[0] >= end), len(seen))
    seen = seen[: min(after + 1, MOST)]
    if not seen:
        return np.empty((0, system.layout.width)), last
    rows = recorder.samples(np.array([t for t, _, _ in seen]), np.array([y for _, y, _ in seen]))
    if seen[0][2] is not None:
        rows[:, system.layout.contact] = [contact for _, _, contact in seen]
    return rows, last


def _looked(
    system: System,
    options: RunOptions,
    stretch: tuple[float, float],
    alone_from: float,
    progress: Callable[[float], None],
) -> tuple[list[Seen], np.ndarray, float | None]:
    """Time, state and contact columns at the end of every step seen, the last sample of the run in
    the stretch, and SmoothRun.overlooked.
    """
    begin, end = stretch
    seen: list[Seen] = []
    if system.mechanism.contacts.enabled and system.where.nv:
        from mechstudio.engine.contacts.runs.contact_run import ContactRunner

        run: SmoothRun | ContactRunner = ContactRunner(system, options, [], None, None)
    else:
        run = SmoothRun(system, options, [])
        run.alone_from = alone_from

    def take(time: float, state: np.ndarray, contact: np.ndarray | None) -> None:
        if seen and time <= begin:
            seen.clear()  # one step before is enough
        seen.append((time, state, contact))

    run.look_from, run.look = begin, take
    start, last = system.mechanism.start.value, np.zeros(system.layout.width)
    # closed as soon as the stretch is over, so that nothing more is run
    blocks: Any = run.blocks()
    try:
        for block in blocks:
            inside = block[block[:, 0] <= end]
            last = np.array(inside[-1]) if len(inside) else last
            reached = seen[-1][0] if seen else float(last[0])
            progress(min(1.0, (reached - start) / max(end - start, 1e-300)))
            if reached >= end or len(seen) > MOST:
                break
    except RunStopped:
        if not seen:
            raise
    finally:
        blocks.close()
    return seen, last, run.overlooked if isinstance(run, SmoothRun) else None
