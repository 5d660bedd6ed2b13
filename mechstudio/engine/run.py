"""A run of a system, smooth or with contacts: a generator of blocks of samples, with no input or
output of its own.
"""

from collections.abc import Generator, Iterator

import msgspec
import numpy as np

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.integration.smooth_run import SmoothRun
from mechstudio.engine.overlaps import overlap_notes
from mechstudio.engine.system.system import System, compile_system
from mechstudio.model.contact import ContactSample, blamed_words
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.events import Event
from mechstudio.model.results.sample import SampleLayout

INSTANT = 1e-9  # of a run whose first sample alone is read [s]


def system_for(mechanism: Mechanism, options: RunOptions) -> System:
    """The system that a run with these options needs.  Raises EngineError."""
    return compile_system(
        mechanism, coordinates="absolute" if options.formulation == "absolute" else "joint"
    )


def run(
    system: System,
    options: RunOptions,
    events: list[Event] | None = None,
    states: list[np.ndarray] | None = None,
    contact_samples: list[ContactSample] | None = None,
    slow: list[str] | None = None,
) -> Iterator[np.ndarray]:
    """Yield blocks (k, layout.width) of samples as they are ready, an empty one where none is ready
    after about 20 ms.

    events: a list to which every impact at a stop, or of two bodies, is appended; those up to a
    block's last sample stand in it when the block comes.
    states: a list to which the states (k, n) of every block are appended, for analyses.
    contact_samples: one to which the contacts of every sample are appended, where contacts are
    enabled.  slow: one to which a sentence is appended where the run hardly gets on, and an empty
    one once it does (slow_runs.Pace).
    After the last block system.statistics is set.
    Raises ValueError for senseless options, EngineError for conditions on quantities that are not
    there, and RunStopped, after the good samples, for a run that cannot go on.  The system itself
    is not changed: runs may be repeated or interleaved.
    """
    options.check()
    if system.mechanism.contacts.enabled and system.where.nv:
        # imported by the first run that needs it
        from mechstudio.engine.contacts.runs.contact_run import run_with_contacts

        blocks = run_with_contacts(
            system, options, [] if events is None else events, states, contact_samples, slow
        )
        return _blaming(_noting(blocks, system), system, options)
    return SmoothRun(system, options, [] if events is None else events, states, slow).blocks()


def first_sample(mechanism: Mechanism) -> tuple[np.ndarray, SampleLayout]:
    """The sample (layout.width,) with which a run begins.  Raises EngineError, and RunStopped for a
    run that cannot begin.
    """
    system = compile_system(mechanism)
    options = RunOptions(duration=INSTANT, sample_step=INSTANT)
    block = next(block for block in run(system, options) if len(block))
    return np.array(block[0]), system.layout


def _noting(blocks: Generator[np.ndarray, None, None], system: System) -> Iterator[np.ndarray]:
    """The blocks of a run with contacts; its notes begin with overlaps at its first sample, as the
    check of the drawing reports them.
    """
    notes: tuple[str, ...] | None = None
    try:
        for block in blocks:
            if notes is None and len(block):
                poses = block[0, system.layout.poses].reshape(-1, 7)
                notes = overlap_notes(system.mechanism, poses)
            yield block
    finally:
        # a run that is left sets its statistics too
        blocks.close()
        if notes and (reported := system.statistics) is not None:
            system.statistics = msgspec.structs.replace(reported, notes=notes + reported.notes)


def _blaming(
    blocks: Iterator[np.ndarray], system: System, options: RunOptions
) -> Iterator[np.ndarray]:
    """The blocks of a run with contacts; the reason of an early end mentions steps whose contacts
    were not solved, since what impulses are wrong by adds up.
    """
    try:
        yield from blocks
    except RunStopped as stop:
        # a run sets its statistics however it ends
        reported = system.statistics
        words = (
            blamed_words(options.contacts, reported.steps, reported.unsolved)
            if reported is not None
            else ""
        )
        raise RunStopped(f"{stop.reason} {words}".strip(), stop.time) from None
