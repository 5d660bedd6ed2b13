"""Facts in a report besides the equations: the structure's numbers, and the motion of the
mechanism.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.model.project import Project
from mechstudio.model.results.analysis import CHAINS, Structure
from mechstudio.model.results.sample import KINETIC, POTENTIAL
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import unit
from mechstudio.symbolic.exports.pages.charts import MOST_CURVES, Chart
from mechstudio.translation import localised, tr

MOST_SAMPLES = 2000  # of a run for a picture
MOST_SECONDS = 600.0  # of simulated time, beyond which a picture shows nothing


class LoadTable(NamedTuple):
    """rows: heads, then each joint, drive and motor; none without a run.  notes: sentences."""

    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


class Facts(NamedTuple):
    """structure: None for a drawing that cannot be read.  charts: of a run; a run that ended early
    shows what there was.  remark: why there is none, or why it ended.
    """

    structure: Structure | None
    charts: tuple[Chart, ...]
    remark: str = ""


def gather(project: Project, units: str, report: Callable[[float], None]) -> Facts:
    """Analyse and run a project.   report(fraction): while it runs."""
    from mechstudio.engine.cache import compile_kernels
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import run
    from mechstudio.engine.structure import mobility
    from mechstudio.engine.system.system import compile_system

    structure, blocks, remark, layout = None, [], "", None
    compile_kernels(
        lambda fraction: report(0.1 * fraction)
    )  # takes half a minute at the first start of a version
    try:
        analysis = mobility.analyse(project)
        structure = analysis.structure
        wrong = next((f for f in analysis.findings if f.severity == "error"), None)
        if wrong is not None:
            raise EngineError(wrong)
        options = RunOptions.from_settings(project.settings)
        duration = min(options.duration, MOST_SECONDS)
        options = msgspec.structs.replace(
            options,
            duration=duration,
            sample_step=max(options.sample_step, duration / MOST_SAMPLES),
        )
        system = compile_system(project.mechanism)
        layout = system.layout
        for block in run(system, options):
            if len(block):
                blocks.append(np.array(block))
                report(min(1.0, (float(block[-1][0]) - project.mechanism.start.value) / duration))
    except EngineError as error:
        remark = f"There is no run: {error.finding.message} {error.finding.cure}".strip()
    except RunStopped as stop:
        remark = tr("The run ended early: {reason}", reason=stop.reason)
    if not blocks or layout is None:
        return Facts(structure, (), remark)
    return Facts(structure, _charts(project, layout, np.concatenate(blocks), units), remark)


def structure_of(project: Project) -> Structure | None:
    """The structure's numbers; None for a drawing that cannot be read."""
    from mechstudio.engine.errors import EngineError
    from mechstudio.engine.structure import mobility

    try:
        return mobility.analyse(project).structure
    except EngineError:
        return None


def loads_of(project: Project, report: Callable[[float], None]) -> LoadTable:
    """Peak, least, most and RMS of the load of every joint, drive and motor over the run."""
    from mechstudio.engine.analyses.registry import analyse
    from mechstudio.engine.errors import EngineError, RunStopped

    try:
        table = analyse(project, "loads", report)
    except EngineError as error:
        words = f"{error.finding.message} {error.finding.cure}".strip()
        return LoadTable((), (tr("There is no load table: {cause}", cause=words),))
    except (RunStopped, ValueError) as error:
        return LoadTable((), (tr("There is no load table: {cause}", cause=str(error)),))
    shown = [
        tuple(
            "–"
            if not math.isfinite(value)
            else localised(f"{value:.4g} s" if dimension == "time" else f"{value:.4g}")
            + ("*" if hatched and dimension != "time" else "")
            for value, hatched, dimension in zip(row, marks, table.dimensions)
        )
        for row, marks in zip(table.rows.tolist(), table.hatched.tolist())
    ]
    if not shown:
        return LoadTable((), table.notes)
    head = ("", *(tr(column) for column in table.columns))
    labels = table.labels or [""] * len(shown)
    rows = ((label, *cells) for label, cells in zip(labels, shown))
    return LoadTable((head, *rows), table.notes)


def _charts(project: Project, layout, rows: np.ndarray, units: str) -> tuple[Chart, ...]:
    """Angles, slides and energies over the time, those that there are."""
    times, found = rows[:, 0], {"angle": [], "length": []}
    driven = {c for d in project.mechanism.drives.values() for c in [(d.joint, d.coordinate)]}
    for id, joint in project.mechanism.joints.items():
        kind, columns = JOINT_TYPES[joint.type], layout.joint(id)
        for c, coordinate in enumerate(kind.coordinates):
            label = joint.name if kind.dof == 1 else f"{joint.name} {coordinate.name}"
            if coordinate.dimension in found:
                found[coordinate.dimension].append(
                    ((id, c) not in driven, label, rows[:, columns.start + c])
                )
    out = []
    for dimension, title in (("angle", tr("Joint angles")), ("length", tr("Joint slides"))):
        curves = sorted(found[dimension], key=lambda x: not x[0])[:MOST_CURVES]
        if curves:
            shown = unit(dimension, units)
            more = len(found[dimension]) - len(curves)
            out.append(
                Chart(
                    title
                    + (
                        tr(
                            ", {count} of {found_count}",
                            count=len(curves),
                            found_count=len(found[dimension]),
                        )
                        if more
                        else ""
                    ),
                    shown.symbol,
                    times,
                    tuple((label, y / shown.factor) for _, label, y in curves),
                )
            )
    kinetic, potential = (rows[:, layout.energy.start + k] for k in (KINETIC, POTENTIAL))
    if math.isfinite(float(kinetic.sum() + potential.sum())):
        out.append(
            Chart(
                tr("Energy"),
                "J",
                times,
                (
                    (tr("kinetic"), kinetic),
                    (tr("potential"), potential - potential[0]),
                    (tr("total"), kinetic + potential - potential[0]),
                ),
            )
        )
    return tuple(out)


def structure_lines(structure: Structure | None) -> list[tuple[str, str]]:
    """(what, value) of the structure's numbers; a dash for what is not known."""
    if structure is None:
        return [(tr("Mobility"), "–"), (tr("Degree of hyperstaticity"), "–")]
    s = structure
    rolls = (
        tr(" of {configuration_freedom}", configuration_freedom=s.configuration_freedom)
        if s.configuration_freedom != s.mobility
        else ""
    )
    out = [
        (
            tr("Mobility"),
            f"{s.mobility}{rolls}" + (tr(", driven {driven}", driven=s.driven) if s.drives else ""),
        ),
        (tr("Degree of hyperstaticity"), str(s.hyperstaticity)),
        (tr("Loops"), str(s.loops)),
        (tr("Moving bodies"), str(s.bodies)),
        (tr("Joints"), str(s.joints)),
        (tr("Structure"), tr(CHAINS[s.structure])),
        (tr("Joint coordinates n"), str(s.coordinates)),
        (
            tr("Closure equations"),
            tr(
                "{closure_equations}, {closure_rank} independent",
                closure_equations=s.closure_equations,
                closure_rank=s.closure_rank,
            )
            if s.closure_equations
            else tr("none"),
        ),
    ]
    if s.mobility != s.mobility_drawn:
        out.insert(
            1,
            (
                tr("As drawn"),
                tr("mobility {mobility_drawn}: a special pose", mobility_drawn=s.mobility_drawn),
            ),
        )
    return out
