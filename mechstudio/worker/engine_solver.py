"""Interface of the worker to the engine; tests give the loop another object of this form."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from mechstudio.engine.errors import EngineError
from mechstudio.model.contact import ContactSample
from mechstudio.model.fields import SETTINGS
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.translation import tr

Rows = tuple[tuple[float, ...], ...]
# poses, values, value, reason: see engine.manifold.joint_placement.Placed
PosedBodies = tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]], float, str]


class Run(Protocol):
    """One run under way.

    width: numbers per sample.  blocks: samples (k, width) as they are ready, also empty ones, at
    least every 50 ms; may end by raising engine.errors.RunStopped.  events: impacts, appended to as
    the blocks come; the caller clears it after reporting them.  contact_samples: the same, contacts
    of samples.  slow: the same, sentences while the run hardly gets on, an empty one when it does
    again.  statistics: known after the last block, else None.
    """

    width: int
    blocks: Iterator[np.ndarray]
    events: list[Event]
    contact_samples: list[ContactSample]
    slow: list[str]

    @property
    def statistics(self) -> RunStatistics | None: ...


class Hold(Protocol):
    """A body under a drag: engine.manifold.point_drag.PointDrag."""

    def go(
        self, target: Sequence[float], view_direction: Sequence[float] | None, seconds: float
    ) -> Any:
        """Towards a target for a while: engine.manifold.point_drag.Dragged."""
        ...

    def placed(self) -> Any:
        """Resulting places of the bodies: engine.manifold.joint_placement.Placed."""
        ...


class Solver(Protocol):
    """Abilities of a worker."""

    def load(self) -> None:
        """Import what analyses need."""
        ...

    def is_cold(self) -> bool:
        """True if kernels have to be compiled, which takes long, before the first run."""
        ...

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Compile or load the kernels that every run needs; called from another thread."""
        ...

    def complete(self) -> None:
        """Compile or load the others; called from that thread once runs may begin."""
        ...

    def analyse(self, project: Project, closed: Callable[[Rows], object]) -> Analysis:
        """Analyse a drawing.   closed(poses): see engine.structure.mobility.analyse."""
        ...

    def pose(
        self, project: Project, joint: str, coordinate: int, value: float, released: str
    ) -> PosedBodies:
        """Set a joint coordinate: engine.manifold.joint_placement.Placed.  Raises
        engine.errors.EngineError, ValueError.
        """
        ...

    def assemble(
        self, project: Project, keep: tuple[str, ...], step: Callable[[], object]
    ) -> AssemblyResult:
        """Close a drawing: engine.manifold.assembly.  step(): called all the time; what it raises
        ends the search.
        """
        ...

    def start_drag(
        self,
        project: Project,
        body: str,
        point: Sequence[float],
        poses: Sequence[Sequence[float]],
        coordinates: Sequence[float],
    ) -> Hold:
        """Take hold of a body: engine.manifold.point_drag.start.  Raises engine.errors.EngineError,
        ValueError.
        """
        ...

    def prepare_contacts(self, project: Project, progress: Callable[[float], None]) -> None:
        """Compile the kernels of contacts, if this drawing has any and they are not compiled;
        progress(0 … 1) is reported only then.
        """
        ...

    def start(self, project: Project) -> Run:
        """Compile a drawing into a run by its settings.  Raises engine.errors.EngineError."""
        ...


class EngineRun:
    """A run of the engine."""

    def __init__(self, system, options) -> None:
        from mechstudio.engine.run import run

        self._system = system
        self.width: int = system.layout.width
        self.events: list[Event] = []
        self.contact_samples: list[ContactSample] = []
        self.slow: list[str] = []
        self.blocks: Iterator[np.ndarray] = run(
            system, options, self.events, contact_samples=self.contact_samples, slow=self.slow
        )

    @property
    def statistics(self) -> RunStatistics | None:
        return self._system.statistics


class EngineSolver:
    """The real one.  Imports are inside: they take a second."""

    def load(self) -> None:
        from mechstudio.engine.cache import kernels_folder

        self._folder = kernels_folder()
        import mechstudio.engine.manifold.diagnosis
        import mechstudio.engine.manifold.joint_placement
        import mechstudio.engine.manifold.point_drag

        # (imported here so that no two threads import the engine)
        import mechstudio.engine.overlaps

        mechstudio.engine.manifold.point_drag.load()

    def is_cold(self) -> bool:
        return next(self._folder.rglob("*.nbi"), None) is None

    def prepare(self, progress: Callable[[float], None]) -> None:
        from mechstudio.engine.cache import compile_kernels

        compile_kernels(progress)
        import mechstudio.engine.integration.smooth_run
        import mechstudio.engine.system.system  # noqa: F401

    def complete(self) -> None:
        from mechstudio.engine.cache import compile_the_rest

        compile_the_rest()

    def analyse(self, project: Project, closed: Callable[[Rows], object]) -> Analysis:
        from mechstudio.engine.overlaps import check

        return check(project, closed)

    def pose(
        self, project: Project, joint: str, coordinate: int, value: float, released: str
    ) -> PosedBodies:
        from mechstudio.engine.manifold.joint_placement import set_coordinate

        return set_coordinate(project.mechanism, joint, coordinate, value, released)

    def assemble(
        self, project: Project, keep: tuple[str, ...], step: Callable[[], object]
    ) -> AssemblyResult:
        from mechstudio.engine.manifold.diagnosis import close_drawing

        return close_drawing(project.mechanism, keep, step)

    def start_drag(
        self,
        project: Project,
        body: str,
        point: Sequence[float],
        poses: Sequence[Sequence[float]],
        coordinates: Sequence[float],
    ) -> Hold:
        from mechstudio.engine.manifold.point_drag import start

        return start(
            project.mechanism,
            body,
            point,
            np.array(poses, float) if poses else None,
            np.array(coordinates, float) if coordinates else None,
        )

    def prepare_contacts(self, project: Project, progress: Callable[[float], None]) -> None:
        if project.mechanism.contacts.enabled:
            # imported by the first run that needs it
            from mechstudio.engine.contacts.warmup import prepare_contacts

            prepare_contacts(progress)

    def start(self, project: Project) -> Run:
        from mechstudio.engine.integration.options import RunOptions
        from mechstudio.engine.run import system_for

        options = RunOptions.from_settings(project.settings)
        try:
            options.check()
        except ValueError as error:
            raise EngineError(
                Finding(
                    "error",
                    SETTINGS,
                    str(error),
                    tr("Change it in the settings of the simulation."),
                )
            ) from error
        return EngineRun(system_for(project.mechanism, options), options)
