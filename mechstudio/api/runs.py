"""Runs of a project from its start."""

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mechstudio.api.contact_forces import ActingContacts
from mechstudio.api.result import Result
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.structure import mobility
from mechstudio.model.contact import expected_record_size, trust_words
from mechstudio.model.project import Project
from mechstudio.model.results.events import Event
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.model.contact import ContactSample

Time = float | str


class SimulationStopped(RuntimeError):
    """A run that had to end early; the message is the reason.  result: the good samples before
    it.
    """

    def __init__(self, reason: str, result: "Result") -> None:
        super().__init__(reason)
        self.result = result


def simulate(
    project: Project,
    duration: Time | None = None,
    sample_step: Time | None = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: Time | None = None,
    until: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
    contacts: bool = True,
) -> Result:
    """Run a project from its start (Mechanism.start, t = 0 as drawn) and record it.

    duration [s] and what else is left out come from the project's settings.  sample_step [s]:
    between samples; the end of the run is one too, wherever it lies.
    integrator: a key of model.types.methods.INTEGRATOR_TYPES; adaptive ones ("dop853",
    "dopri5", "radau") take `tolerance`, relative and absolute, and
    `step` as the largest step; the others ("rk4", "generalized_alpha", "semi_implicit_euler") a
    fixed `step`, 1 ms where none is given.  Where contacts are on, steps have the one method for
    them: `step` is theirs, integrator and tolerance play no part.  Numbers may be texts such as
    "500 ms".
    until: what ends the run before its duration, such as ["A angle = 90 deg", "Kinetic energy > 3
    J", "body/rod/z < 0"] (= passes, > rises through, < falls through; names as in plots), instead
    of the project's.  progress(fraction): called while it runs.  contacts: whether the forces of
    all contacts are kept, for Result.contacts, which takes memory in a pile.  A run that needs
    more than a minute for its first hundredth warns, with what is slow and what helps, and goes
    on.
    Raises EngineError if the mechanism cannot be simulated as drawn or memory does not hold the
    run, SimulationStopped (with the samples before it) if the run had to end early, ValueError for
    numbers that make no sense.

        >>> result = ms.simulate(ms.load("four_bar.mech"), duration="1 s")
        >>> float(result.time[-1])
        1.0
    """
    from mechstudio.engine.integration.memory import held
    from mechstudio.engine.integration.options import options_of, sample_count, settings_of
    from mechstudio.engine.run import run, system_for

    options = options_of(project, duration, sample_step, integrator, tolerance, step, until)
    mobility.refuse(project)
    system = system_for(project.mechanism, options)
    for finding in system.findings:
        warnings.warn(f"{finding.message} {finding.cure}".strip(), stacklevel=2)
    blocks: list[np.ndarray] = []
    events: list[Event] = []
    slow: list[str] = []
    reason = ""
    touching = contacts and project.mechanism.contacts.enabled
    contact_samples: list[ContactSample] = []
    acting = ActingContacts()
    expected = expected_record_size(project.mechanism) if touching else 0
    with held(sample_count(options), system.layout.width, expected) as growth:
        try:
            for block in run(
                system,
                options,
                events,
                contact_samples=contact_samples if touching else None,
                slow=slow,
            ):
                if len(block):
                    blocks.append(np.array(block))
                    # a few more contacts may be there than samples
                    growth.add(acting.add(contact_samples[: len(block)]), float(block[-1, 0]))
                    del contact_samples[: len(block)]
                for words in filter(None, slow):
                    warnings.warn(words, stacklevel=2)
                slow.clear()
                if progress is not None:
                    done = blocks[-1][-1, 0] - project.mechanism.start.value if blocks else 0.0
                    progress(min(1.0, done / options.duration))
        except RunStopped as stop:
            reason = stop.reason
        rows = np.concatenate(blocks) if blocks else np.empty((0, system.layout.width))
    reported = system.statistics
    assert reported is not None, "a run sets its statistics however it ends"
    notes = reported.notes + trust_words(project.settings.contacts, reported)
    result = Result(
        project,
        system.layout,
        rows,
        {**msgspec.structs.asdict(reported), "notes": notes},
        tuple(events),
        options.until,
        settings_of(
            options,
            project.settings,
            float(rows[-1, 0] - rows[0, 0]) if reason and len(rows) else 0.0,
        ),
        acting.forces(project, system.layout, rows[:, 0]) if touching else None,
    )
    if reason:
        raise SimulationStopped(reason, result)
    return result


def contacts_at(project: Project, time: Time) -> "tuple[np.ndarray, ContactSample]":
    """(sample (layout.width,), contacts) at a time [s] of a run from its start: what
    Derivation.chapter("contacts", row=…, sample=…) shows in numbers.

    Raises EngineError and RunStopped where it cannot run so far, ValueError for a time that makes
    no sense or where contacts are off.

        >>> row, sample = ms.contacts_at(ms.load("bouncing_ball.mech"), "0.2 s")
        >>> float(row[0])
        0.2
    """
    from mechstudio.engine.integration.options import options_of
    from mechstudio.engine.run import run, system_for

    if not project.mechanism.contacts.enabled:
        raise ValueError(tr("contacts are off."))
    options = options_of(project, duration=time)
    start = project.mechanism.start.value
    options = msgspec.structs.replace(options, duration=options.duration - start)
    options.check()
    contact_samples: list[ContactSample] = []
    system = system_for(project.mechanism, options)
    row = contacts = None
    for block in run(system, options, contact_samples=contact_samples):
        if len(block):
            # only the last one is requested, and a few more contacts may be there than samples
            row, contacts = np.array(block[-1]), contact_samples[len(block) - 1]
            del contact_samples[: len(block)]
    assert row is not None, "a run has a sample at its start"
    assert contacts is not None
    return row, contacts


def solver_steps(project: Project, begin: float, end: float) -> Result:
    """States at the ends of the solver's own steps from one time to another [s], of the run that
    the project's settings describe, with the last one before and the first one after.

    Raises EngineError, SimulationStopped for a run that ends before the stretch begins.

        >>> steps = ms.solver_steps(ms.load("double_pendulum.mech"), 0.2, 0.4)
        >>> bool(steps.time[0] <= 0.2 and steps.time[-1] >= 0.4)
        True
    """
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import system_for
    from mechstudio.engine.solver_steps import solver_steps as steps

    layout = system_for(project.mechanism, RunOptions.from_settings(project.settings)).layout
    try:
        rows, _ = steps(project, begin, end)
    except RunStopped as stop:
        nothing = Result(project, layout, np.empty((0, layout.width)), {})
        raise SimulationStopped(str(stop), nothing) from None
    return Result(project, layout, rows, {})
