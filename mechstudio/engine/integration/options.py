"""Options of a run: method, times, formulation and end conditions, from a project's settings and
the values given beside them.
"""

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from mechstudio.engine.integration.integrators import METHODS, STEPPERS
from mechstudio.model.contact import CONTACT_METHODS, IMPACT_LAWS, ContactSettings
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.end_conditions import read as read_condition
from mechstudio.model.formulas import expression
from mechstudio.model.naming import quoted
from mechstudio.model.project import EndCondition, Project, Settings
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.translation import comma, tr

MOST_SAMPLES = 20_000_000  # beyond that no memory holds a run
LEAST_TOLERANCE = 1e-14  # what rounding leaves of one
LEAST_REST = 1e-6  # of the sample step, up to which the last sample counts as the end of the run

Time = float | str


class RunOptions(msgspec.Struct, frozen=True):
    """duration, sample_step [s].  tolerance: of an adaptive integrator.  step: fixed step, or
    largest step of an adaptive one [s];
    0 for the integrator's own.  formulation: key of FORMULATIONS.  drift: key of DRIFTS; alpha,
    beta: Baumgarte's [1/s].  radius: generalised alpha's spectral radius at infinite frequency.
    until: conditions that end the run before its duration.  contacts: how they are stepped.
    """

    duration: float = 5.0
    sample_step: float = 1.0 / 60.0
    integrator: str = "dop853"
    tolerance: float = 1e-9
    step: float = 0.0
    formulation: str = "joint"
    drift: str = "projection"
    alpha: float = 5.0
    beta: float = 5.0
    radius: float = 0.8
    until: tuple[EndCondition, ...] = ()
    contacts: ContactSettings = ContactSettings()

    @classmethod
    def from_settings(cls, settings: Settings) -> "RunOptions":
        """Options of a run from a project's settings."""
        step = settings.step.value if settings.step is not None else 0.0
        return cls(
            settings.duration.value,
            settings.sample_step.value,
            settings.integrator,
            settings.tolerance.value,
            step,
            settings.formulation,
            settings.drift,
            settings.alpha.value,
            settings.beta.value,
            settings.spectral_radius.value,
            settings.until,
            settings.contacts,
        )

    def check(self) -> None:
        """Raises ValueError with one sentence if a run with these options makes no sense."""
        for what, known, table in (
            ("integrator", self.integrator, INTEGRATOR_TYPES),
            ("formulation", self.formulation, FORMULATIONS),
            (tr("drift control"), self.drift, DRIFTS),
        ):
            if known not in table:
                raise ValueError(
                    tr(
                        "There is no {what} {known}; there are {table}.",
                        what=what,
                        known=known,
                        table=comma().join(table),
                    )
                )
        if self.formulation == "independent" and self.integrator in STEPPERS:
            *others, last = (k.label for name, k in INTEGRATOR_TYPES.items() if name in METHODS)
            raise ValueError(
                tr(
                    "Independent coordinates go with explicit methods, not with {integrator}: "
                    "choose {others} or {last}.",
                    integrator=tr(INTEGRATOR_TYPES[self.integrator].label),
                    others=comma().join(others),
                    last=last,
                )
            )
        if self.formulation == "independent" and self.drift != "projection":
            raise ValueError(
                tr(
                    "In independent coordinates nothing drifts, since the others follow from "
                    "them: choose projection as drift control."
                )
            )
        if not (0.0 <= self.alpha < math.inf and 0.0 <= self.beta < math.inf):
            raise ValueError(
                tr(
                    "Baumgarte's alpha and beta must not be negative, as {alpha:g} is.",
                    alpha=min(self.alpha, self.beta),
                )
            )
        if not 0.0 <= self.radius <= 1.0:
            raise ValueError(
                tr(
                    "The spectral radius lies between 0 and 1, not at {radius:g}.",
                    radius=self.radius,
                )
            )
        for name, value in (("duration", self.duration), (tr("sample step"), self.sample_step)):
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(
                    tr(
                        "The {name} must be a positive time, not {value:g} s.",
                        name=name,
                        value=value,
                    )
                )
        if self.duration / self.sample_step > MOST_SAMPLES:
            raise ValueError(
                tr(
                    "A run of {duration:g} s with a sample every {sample_step:g} s has more than "
                    "{most_samples:,} samples: choose a longer sample step or a shorter duration.",
                    duration=self.duration,
                    sample_step=self.sample_step,
                    most_samples=MOST_SAMPLES,
                )
            )
        if not (math.isfinite(self.step) and self.step >= 0.0):
            raise ValueError(
                tr("The step must be a positive time, not {step:g} s.", step=self.step)
            )
        for what, chosen, table in (
            (tr("contact method"), self.contacts.method, CONTACT_METHODS),
            (tr("impact law"), self.contacts.impacts, IMPACT_LAWS),
        ):
            if chosen not in table:
                raise ValueError(
                    tr(
                        "There is no {what} {chosen}; there are {table}.",
                        what=what,
                        chosen=chosen,
                        table=comma().join(table),
                    )
                )
        for name, q in (
            (tr("step with contacts"), self.contacts.step),
            (tr("tolerance of contacts"), self.contacts.tolerance),
        ):
            if not (math.isfinite(q.value) and q.value > 0.0):
                raise ValueError(
                    tr(
                        "The {name} must be larger than zero, not {value:g}.",
                        name=name,
                        value=q.value,
                    )
                )
        adaptive = INTEGRATOR_TYPES[self.integrator].adaptive
        if adaptive and not LEAST_TOLERANCE <= self.tolerance <= 0.1:
            raise ValueError(
                tr(
                    "The tolerance must lie between {least_tolerance:.0e} and 0.1, not "
                    "{tolerance:g}.",
                    least_tolerance=LEAST_TOLERANCE,
                    tolerance=self.tolerance,
                )
            )


def options_of(
    project: Project,
    duration: Time | None = None,
    sample_step: Time | None = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: Time | None = None,
    until: Sequence[str] | None = None,
) -> RunOptions:
    """Options of a run: the given values, the rest from the project's settings.  step: of contacts
    too, where something may touch.  until: one text of a condition, or several.  Raises ValueError
    with one sentence.
    """
    changes: dict[str, Any] = {} if integrator is None else {"integrator": integrator}
    if until is not None:
        texts = (until,) if isinstance(until, str) else until
        changes["until"] = tuple(read_condition(text, project) for text in texts)
    for name, given, dimension in (
        ("duration", duration, "time"),
        ("sample_step", sample_step, "time"),
        ("tolerance", tolerance, "number"),
        ("step", step, "time"),
    ):
        if given is None:
            continue
        words = name.replace("_", " ")
        try:
            value = (
                expression.evaluate(given, dimension, parameter_values(project))
                if isinstance(given, str)
                else float(given)
            )
        except ValueError as error:
            raise ValueError(
                tr(
                    "The {words} {given!r} is no number: {error}",
                    words=words,
                    given=quoted(str(given)),
                    error=error,
                )
            ) from None
        if name == "step" and value == 0.0:
            raise ValueError(tr("The step must be larger than zero; leave it out for the default."))
        changes[name] = value
    if "step" in changes and project.mechanism.contacts.enabled:
        # steps with contacts have one of their own
        changes["contacts"] = msgspec.structs.replace(
            project.settings.contacts, step=Quantity(changes["step"])
        )
    options = msgspec.structs.replace(RunOptions.from_settings(project.settings), **changes)
    options.check()
    return options


def settings_of(options: RunOptions, settings: Settings, end: float = 0.0) -> Settings:
    """Settings with which a project runs as with these options.  end [s]: where the run broke off,
    0 where it did not.
    """
    return msgspec.structs.replace(
        settings,
        duration=Quantity(end or options.duration),
        sample_step=Quantity(options.sample_step),
        integrator=options.integrator,
        tolerance=Quantity(options.tolerance),
        step=Quantity(options.step) if options.step else None,
        until=options.until,
        contacts=options.contacts,
    )


def step_count(options: RunOptions) -> int:
    """Whole sample steps in the duration of a run."""
    return math.floor(options.duration / options.sample_step * (1 + 1e-12) + 1e-9)


def rest_of(options: RunOptions) -> float:
    """Time [s] from the last whole sample step to the end of a run; 0 where the end is that of a
    sample step.
    """
    steps = step_count(options)
    rest = options.duration - steps * options.sample_step
    return rest if rest > LEAST_REST * options.sample_step or not steps else 0.0


def sample_count(options: RunOptions) -> int:
    """Samples of a complete run: at 0, sample_step, 2 sample_step, … and at its end."""
    return step_count(options) + 1 + (rest_of(options) > 0.0)
