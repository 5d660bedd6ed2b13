"""Requests that are answered once about a drawing, beside the equations that the window shows: the
simulator's verdict, branches, exports, analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mechstudio.model.equations.lecture import ENGINE, ENGINE_CLAIM, UNPROVEN, Proof
from mechstudio.model.findings import Finding
from mechstudio.model.joints.tracks import curve_of
from mechstudio.protocol.derivation_messages import (
    Export,
    Exported,
    FindInterference,
    FindSteps,
    InterferenceFound,
    Measure,
    MeasureDone,
    PagesSoFar,
    PointsTraced,
    Proved,
    Search,
    Searched,
    Size,
    SizeDone,
    StepsFound,
    TracePoints,
    Verdict,
)
from mechstudio.protocol.solver_messages import Report, Request
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.model.project import Project
    from mechstudio.symbolic.derivation import Derivation
    from mechstudio.symbolic.methods.sampling import Curve

Progress = Callable[..., None]  # reports how far a request is: 0 … 1, and a step in words
Begin = Callable[
    [Export | FindInterference | FindSteps | Measure | Search | Size | TracePoints], Progress
]  # reports that a request is begun


def curves(project: Project) -> dict[str, Curve]:
    """Curves of a drawing by joint, which a derivation needs to have numbers of them."""
    if all(curve_of(joint) is None for joint in project.mechanism.joints.values()):
        return {}
    from mechstudio.engine.constraints.tracks import track_tables

    return {id: table.at for id, table in track_tables(project.mechanism).items()}


def _verdict(request: Verdict, begin: Begin) -> Iterator[Proved]:
    from mechstudio.engine.agreement import Simulator
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.symbolic import DerivationError, derive
    from mechstudio.symbolic.instants.states import engine_proof

    try:
        derivation = derive(request.project, "lagrange", coordinates=request.coordinates)
        derivation.curves = curves(request.project)
        plan = derivation.plan
        proof = engine_proof(derivation, Simulator(plan.mechanism, plan.tree.closing))
    except (DerivationError, EngineError, RunStopped) as error:
        proof = Proof(ENGINE, tr(ENGINE_CLAIM), UNPROVEN, str(error))
    yield Proved(request.id, (proof,))


def _branches(request: Search, begin: Begin) -> Iterator[Searched]:
    progress = begin(request)
    from mechstudio.engine.structure.branches import search

    for share, result in search(request.project, request.joint, request.coordinate):
        if result is not None:
            yield Searched(request.id, result)
        else:
            progress(share)


def _points(request: TracePoints, begin: Begin) -> Iterator[PointsTraced]:
    progress = begin(request)
    from mechstudio.engine.structure.point_curves import search

    for share, result in search(request.project, request.points, request.joint):
        if result is not None:
            yield PointsTraced(request.id, result)
        else:
            progress(share)


def _interference(request: FindInterference, begin: Begin) -> Iterator[InterferenceFound]:
    progress = begin(request)
    import numpy as np

    from mechstudio.engine.analyses.interference import search

    times = np.frombuffer(request.times, "<f8")
    poses = np.frombuffer(request.poses, "<f8").reshape(len(times), -1, 7)
    for share, result in search(request.project, times, poses):
        if result is not None:
            yield InterferenceFound(request.id, result)
        else:
            progress(share)


def _steps(request: FindSteps, begin: Begin) -> Iterator[StepsFound]:
    progress = begin(request)
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.solver_steps import solver_steps

    try:
        rows, again = solver_steps(request.project, request.begin, request.end, progress)
    except (EngineError, RunStopped, ValueError) as error:
        yield StepsFound(request.id, sentence=str(error))
        return
    yield StepsFound(request.id, rows.astype("<f8").tobytes(), again.astype("<f8").tobytes())


class _Last:
    """The derivation that was exported last, for the next preview of the same drawing."""

    def __init__(self) -> None:
        self._of: tuple[Project, str] | None = None
        self._derivation: Derivation | None = None

    def derivation_of(self, request: Export) -> Derivation | None:
        """The derivation of a request, if it is there."""
        return self._derivation if self._of == (request.project, request.method) else None

    def keep(self, request: Export, derivation: Derivation) -> None:
        """Keep a derivation for the next request."""
        self._of, self._derivation = (request.project, request.method), derivation


_LAST = _Last()


def _export(request: Export, begin: Begin) -> Iterator[Exported | PagesSoFar]:
    progress = begin(request)
    from mechstudio.symbolic import DerivationError, derive

    if request.report is not None and request.report.preview:
        from mechstudio.symbolic.exports.pages.typst_report import first_pages

        pages = first_pages(request.project, request.title, request.report)
        if pages:
            yield PagesSoFar(request.id, pages)
    try:
        derivation = _LAST.derivation_of(request)
        if derivation is None:
            derivation = derive(
                request.project,
                request.method,
                coordinates="auto",
                progress=lambda fraction, step: progress(0.3 * fraction, step),
            )
            _LAST.keep(request, derivation)
        content = derivation.export(
            request.format,
            title=request.title,
            units=request.units,
            report=request.report,
            progress=lambda fraction, step: progress(0.3 + 0.7 * fraction, step),
        )
    except DerivationError as error:
        yield Exported(request.id, b"", Finding("error", "", str(error)))
        return
    yield Exported(request.id, content if isinstance(content, bytes) else content.encode())


def _table(request: Measure, begin: Begin) -> Iterator[MeasureDone]:
    progress = begin(request)
    from mechstudio.engine.analyses.parts import analyse_parts
    from mechstudio.engine.errors import EngineError, RunStopped

    try:
        table = analyse_parts(
            request.project, request.parts, request.what, request.options, progress
        )
    except (EngineError, RunStopped, ValueError, KeyError) as error:
        yield MeasureDone(request.id, None, str(error.args[0] if error.args else error))
        return
    yield MeasureDone(request.id, table.measured())


def _sized(request: Size, begin: Begin) -> Iterator[SizeDone]:
    progress = begin(request)
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.sizing.registry import size

    try:
        sized = size(request.project, request.what, request.given, progress)
    except (EngineError, RunStopped, ValueError, KeyError) as error:
        yield SizeDone(request.id, None, str(error.args[0] if error.args else error))
        return
    yield SizeDone(request.id, sized)


# the reports that answer a request, each as soon as it is known
ANSWERS: dict[type[Request], Callable[[Any, Begin], Iterator[Report]]] = {
    Verdict: _verdict,
    Search: _branches,
    TracePoints: _points,
    FindInterference: _interference,
    FindSteps: _steps,
    Export: _export,
    Measure: _table,
    Size: _sized,
}
