"""mechstudio analyse FILE: the structure in numbers, free motions, redundancies with their cures,
dead points and branches.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mechstudio.cli import analysis_tables
from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, CommandError, Render, load, status_of
from mechstudio.cli.terminal import json_text, progress_line
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import CHAINS, Analysis, Structure
from mechstudio.model.results.branches import Branches
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr, trn

QUICK = ("structure", "freedoms", "redundancies")
PARTS = (*QUICK, "branches")


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "analyse",
        tr("structure, redundancies, branches, reactions, power, equilibria, modes …"),
        tr(
            "Tell what a mechanism's structure is: numbers and balances, its free motions, its "
            "redundant constraints with what would end them, and, for one freedom, the range of "
            "an input, its dead points and the ways of putting the mechanism together; or analyse "
            "its motion: reactions, torsors, virtual power, momenta, energy, relative motion, "
            "inverse dynamics, equilibria, modes, sensitivities. Exit status: 0 done, 1 the "
            "drawing has errors or, for branches, not one freedom, 2 the file or the joint is not "
            "there."
        ),
    )
    command.add_argument(
        "--what",
        choices=(*PARTS, *ANALYSES),
        action="append",
        metavar="PART",
        help=tr(
            "may be given several times: {parts} (default: the first three), or an analysis of a "
            "motion or a state: {analyses}",
            parts=comma().join(PARTS),
            analyses=comma().join(ANALYSES),
        ),
    )
    command.add_argument(
        "--joint",
        metavar="NAME",
        default="",
        help=tr(
            "branches: the input (default: the driven joint, or the one that stands for the motion)"
        ),
    )
    command.add_argument(
        "--coordinate",
        metavar="K",
        type=int,
        default=1,
        help=tr("branches: which of the joint's coordinates, from 1"),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, in m and rad")
    )
    analysis_tables.add_options(command)


def output(
    project: Project, options: argparse.Namespace, progress: Callable[[float], None] | None
) -> tuple[str, bool]:
    """Text that the command prints, and False where the drawing has errors or the search finds no
    branches.  Raises KeyError for an element that is not there, ValueError for options that make no
    sense, EngineError.
    """
    from mechstudio.api.projects import branches, check

    chosen = tuple(dict.fromkeys(options.what or QUICK))
    tables = tuple(what for what in chosen if what in ANALYSES)
    if tables and len(tables) < len(chosen):
        raise ValueError(
            tr(
                "{w} and {tables} need two calls: the first is about the drawing, the second "
                "about its motion.",
                w=comma().join(w for w in chosen if w not in tables),
                tables=comma().join(tables),
            )
        )
    if tables:
        return analysis_tables.output(project, tables, options, progress), True
    parts = chosen
    analysis = check(project) if set(parts) & set(QUICK) else None
    branches = (
        branches(project, options.joint, options.coordinate - 1, progress)
        if "branches" in parts
        else None
    )
    errors = analysis is not None and any(f.severity == "error" for f in analysis.findings)
    good = not errors and (branches is None or branches.branches != ())
    if options.json:
        return json_text(report(analysis, branches, parts)), good
    return "\n".join(_lines(project.mechanism, analysis, branches, parts)) + "\n", good


def report(
    analysis: Analysis | None, branches: Branches | None, parts: tuple[str, ...]
) -> dict[str, Any]:
    """The parts as plain data, and errors of the drawing; what an unreadable one has not is
    null.
    """
    out: dict[str, Any] = {}
    if analysis is not None:
        plain = msgspec.to_builtins(analysis)
        out |= {p: plain[p] for p in QUICK if p in parts}
        out["findings"] = [f for f in plain["findings"] if f["severity"] == "error"]
    if branches is not None:
        out["branches"] = msgspec.to_builtins(branches)
    return out


def _lines(
    mechanism: Mechanism,
    analysis: Analysis | None,
    branches: Branches | None,
    parts: tuple[str, ...],
) -> Iterator[str]:
    names = {id: e.name for id, e in {**mechanism.joints, **mechanism.couplings}.items()}
    if analysis is not None:
        yield from (
            tr("Error: {message} {cure}", message=f.message, cure=f.cure).rstrip()
            for f in analysis.findings
            if f.severity == "error"
        )
    if analysis is not None and analysis.structure is not None:
        if "structure" in parts:
            yield from _structure(analysis.structure, names)
        if "freedoms" in parts:
            yield tr("Free motions:") if analysis.freedoms else tr("Free motions: none")
            yield from (f"  {f.name}" for f in analysis.freedoms)
        if "redundancies" in parts:
            yield tr("Redundancies:") if analysis.redundancies else tr("Redundancies: none")
            for r in analysis.redundancies:
                yield f"  {names[r.element]}: {r.directions} ({r.count})"
                yield from (f"    {c.words}" for c in r.cures)
    if branches is not None:
        yield from _branches(mechanism, branches)


def _structure(s: Structure, names: dict[str, str]) -> Iterator[str]:
    yield tr(
        "{chain}, moving bodies {bodies}, joints {joints}, loops {loops}",
        chain=tr(CHAINS[s.structure]),
        bodies=s.bodies,
        joints=s.joints,
        loops=s.loops,
    )
    yield tr(
        "n = {coordinates} joint coordinates, n_s = {closure_equations} equations (couplings "
        "{coupling_rows}, rolling {rolling_rows}), q = {closure_rank} independent",
        coordinates=s.coordinates,
        closure_equations=s.closure_equations,
        coupling_rows=s.coupling_rows,
        rolling_rows=s.rolling_rows,
        closure_rank=s.closure_rank,
    )
    yield (
        tr("mobility d = n - q = {mobility}", mobility=s.mobility)
        + (
            tr(
                " of {configuration_freedom} freedoms of position",
                configuration_freedom=s.configuration_freedom,
            )
            if s.rolls
            else ""
        )
        + (tr(", driven {driven}", driven=s.driven) if s.drives else "")
    )
    yield tr(
        "hyperstaticity h = n_s - q = {hyperstaticity}, reaction unknowns N_s = "
        "{reaction_unknowns}",
        hyperstaticity=s.hyperstaticity,
        reaction_unknowns=s.reaction_unknowns,
    )
    yield tr(
        "balance: d - h = {count}, by counting {counted};  h = {hyperstaticity}, N_s - 6p + d = "
        "{static_hyperstaticity}",
        count=s.count,
        counted=s.counted,
        hyperstaticity=s.hyperstaticity,
        static_hyperstaticity=s.static_hyperstaticity,
    )
    for k, members in enumerate(s.loop_joints):
        yield tr(
            "loop {number}: {joint}; closed by {member}",
            number=k + 1,
            joint=comma().join(names[j] for j in (*members[1:], members[0])),
            member=names[members[0]],
        )


def _branches(mechanism: Mechanism, b: Branches) -> Iterator[str]:
    shown = lambda value: format_value(value, b.dimension, digits=6)
    if b.problem:
        yield f"{b.problem} {b.cure}".rstrip()
        if not b.branches:
            return
    joint = mechanism.joints[b.joint]
    if b.least is not None and b.greatest is not None:
        yield tr(
            "{joint} swings from {least} to {greatest}",
            joint=joint.name,
            least=shown(b.least),
            greatest=shown(b.greatest),
        )
    elif b.turns:
        yield trn(
            "{joint} turns all the way; the mechanism is back after {count} turn",
            "{joint} turns all the way; the mechanism is back after {count} turns",
            b.turns,
            joint=joint.name,
        )
    else:
        yield tr("{joint} moves without an end that was found", joint=joint.name)
    yield from b.notes
    for d in b.dead_points:
        yield tr(
            "dead point at {input}: {joint} {word}",
            input=shown(d.input),
            joint=joint.name,
            word=tr("cannot go further up") if d.greatest else tr("cannot go further down"),
        )
    yield trn(
        "{count} way of putting it together where {joint} is drawn",
        "{count} ways of putting it together where {joint} is drawn",
        len(b.branches),
        joint=joint.name,
    )
    for k, way in enumerate(b.branches):
        words = (
            tr("loose, the input does not hold it")
            if way.loose
            else tr("as drawn")
            if way.drawn
            else tr("reached by moving")
            if way.same_circuit
            else tr("reached only by taking a joint apart")
        )
        values = [
            format_value(v, c, digits=4)
            for row, j in zip(way.coordinates, mechanism.joints.values(), strict=True)
            for v, c in zip(row, _dimensions(j.type), strict=True)
        ]
        yield f"  {k + 1} {words}: {', '.join(values)}"
    if b.four_bar is not None:
        f = b.four_bar
        lengths = [
            format_value(v, "length", digits=4) for v in (f.base, f.input, f.coupler, f.output)
        ]
        yield tr(
            "four-bar, base {length}, input {length_2}, coupler {length_3}, output {length_4}: "
            "{kind}",
            length=lengths[0],
            length_2=lengths[1],
            length_3=lengths[2],
            length_4=lengths[3],
            kind=f.kind,
        )
        yield tr(
            "transmission angle {least_transmission} to {greatest_transmission}",
            least_transmission=format_value(f.least_transmission, "angle", digits=4),
            greatest_transmission=format_value(f.greatest_transmission, "angle", digits=4),
        )


def _dimensions(type: str) -> tuple[str, ...]:
    from mechstudio.model.types.joints import JOINT_TYPES

    return tuple(c.dimension for c in JOINT_TYPES[type].coordinates)


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio analyse FILE …"""
    loaded = load(options.file)
    try:
        with progress_line(tr("Working")) as progress:
            text, good = output(loaded.project, options, progress)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
    except (EngineError, RunStopped) as error:
        raise CommandError(str(error), AT_FAULT) from None
    print(text, end="")
    return status_of(loaded) if good else AT_FAULT
