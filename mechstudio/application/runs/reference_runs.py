"""Runs that are kept for comparison: their curves lie grey under those of the present one."""

import msgspec

from mechstudio.application.motion_comparison import same_drawing
from mechstudio.application.runs.recording import Recording
from mechstudio.application.signal import Signal
from mechstudio.model.project import Project, Settings
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.types.formulations import DRIFTS, FORMULATIONS
from mechstudio.model.types.integrators import INTEGRATOR_TYPES

MOST = 3


class KeptRun(msgspec.Struct, frozen=True):
    """recording: finished or not, it stays as it is.  words: how it was made.  channels: of its
    samples.
    """

    recording: Recording
    words: str
    channels: dict[str, Channel]


def method_words(settings: Settings) -> str:
    """Method, formulation and drift control, with what they were told: "RK4 1 ms, absolute,
    Baumgarte".
    """
    kind = INTEGRATOR_TYPES.get(settings.integrator)
    method = kind.label if kind is not None else settings.integrator
    if kind is not None:
        step = settings.step.value if settings.step is not None else kind.default_step
        method += f" {settings.tolerance.value:g}" if kind.adaptive else f" {1e3 * step:g} ms"
    formulation, drift = FORMULATIONS.get(settings.formulation), DRIFTS.get(settings.drift)
    return ", ".join(
        (
            method,
            formulation.label.lower() if formulation is not None else settings.formulation,
            {"none": "no drift control", "projection": "projection"}.get(settings.drift)
            or (drift.label if drift is not None else settings.drift),
        )
    )


def words_for(project: Project) -> str:
    """Name of a run of a project: its method, and the values of those of the first three parameters
    that have a slider.
    """
    values = ", ".join(
        f"{name} = {p.value.text or format(p.value.value, 'g')}"
        for name, p in list(project.parameters.items())[:3]
        if p.slider
    )
    return method_words(project.settings) + (f"; {values}" if values else "")


class KeptRuns:
    """runs: newest last.   changed(): another list."""

    def __init__(self) -> None:
        self.changed = Signal()
        self.runs: tuple[KeptRun, ...] = ()

    def keep(self, recording: Recording) -> None:
        """Keep a run; beyond MOST the oldest goes."""
        if any(run.recording is recording for run in self.runs):
            return
        self.runs = (
            *self.runs,
            KeptRun(
                recording,
                words_for(recording.project),
                channels(recording.project.mechanism, recording.layout),
            ),
        )[-MOST:]
        self.changed.emit()

    def forget(self) -> None:
        """Keep none."""
        if self.runs:
            self.runs = ()
            self.changed.emit()


def difference(run: KeptRun, project: Project) -> str:
    """In what a kept run differs from one of the project as it is: the short name of its curve."""
    now = words_for(project).replace("; ", ", ").split(", ")
    own = run.words.replace("; ", ", ").split(", ")
    other = [word for word in own if word not in now]
    if other:
        return ", ".join(other)
    return "kept" if same_drawing(run.recording.project, project) else "another drawing"
