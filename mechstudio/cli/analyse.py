"""mechstudio analyse FILE: the structure in numbers, free motions, redundancies with their cures,
dead points and branches.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mechstudio.cli import analysis_tables
from mechstudio.cli.arguments import file_command
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis, Structure
from mechstudio.model.results.branches import Branches
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.units import format_value

QUICK = ("structure", "freedoms", "redundancies")
PARTS = (*QUICK, "branches")


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "analyse",
        "structure, redundancies, branches, reactions, power, equilibria, modes …",
        "Tell what a mechanism's structure is: numbers and balances, its free motions, its "
        "redundant constraints with what would end them, and, "
        "for one freedom, the range of an input, its dead points and the ways of putting the "
        "mechanism together; "
        "or analyse its motion: reactions, torsors, virtual power, momenta, energy, relative "
        "motion, inverse dynamics, equilibria, modes, sensitivities. "
        "Exit status: 0 done, 1 the drawing has errors or, for branches, not one freedom, 2 "
        "the file or the joint is not there.",
    )
    command.add_argument(
        "--what",
        choices=(*PARTS, *ANALYSES),
        action="append",
        metavar="PART",
        help=(
            f"may be given several times: {', '.join(PARTS)} (default: the first three), or "
            f"an analysis of a motion or a state: {', '.join(ANALYSES)}"
        ),
    )
    command.add_argument(
        "--joint",
        metavar="NAME",
        default="",
        help=(
            "branches: the input (default: the driven joint, or the one that stands for the motion)"
        ),
    )
    command.add_argument(
        "--coordinate",
        metavar="K",
        type=int,
        default=1,
        help="branches: which of the joint's coordinates, from 1",
    )
    command.add_argument(
        "--json", action="store_true", help="one JSON object on standard output, in m and rad"
    )
    analysis_tables.add_options(command)


def output(
    project: Project, options: argparse.Namespace, progress: Callable[[float], None] | None
) -> tuple[str, bool]:
    """Text that the command prints, and False where the drawing has errors or the search finds no
    branches.  Raises KeyError for an element that is not there, ValueError for options that make no
    sense, EngineError.
    """
    from mechstudio import api

    asked = tuple(dict.fromkeys(options.what or QUICK))
    tables = tuple(what for what in asked if what in ANALYSES)
    if tables and len(tables) < len(asked):
        raise ValueError(
            f"{', '.join(w for w in asked if w not in tables)} and {', '.join(tables)} are "
            "told by two calls: the first is about the drawing, the second about its motion."
        )
    if tables:
        return analysis_tables.output(project, tables, options, progress), True
    parts = asked
    analysis = api.check(project) if set(parts) & set(QUICK) else None
    branches = (
        api.branches(project, options.joint, options.coordinate - 1, progress)
        if "branches" in parts
        else None
    )
    errors = analysis is not None and any(f.severity == "error" for f in analysis.findings)
    good = not errors and (branches is None or branches.branches != ())
    if options.json:
        return json.dumps(report(analysis, branches, parts), indent=1) + "\n", good
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
            f"Error: {f.message} {f.cure}".rstrip()
            for f in analysis.findings
            if f.severity == "error"
        )
    if analysis is not None and analysis.structure is not None:
        if "structure" in parts:
            yield from _structure(analysis.structure, names)
        if "freedoms" in parts:
            yield f"Free motions: {'none' if not analysis.freedoms else ''}".rstrip()
            yield from (f"  {f.name}" for f in analysis.freedoms)
        if "redundancies" in parts:
            yield f"Redundancies: {'none' if not analysis.redundancies else ''}".rstrip()
            for r in analysis.redundancies:
                yield f"  {names[r.element]}: {r.directions} ({r.count})"
                yield from (f"    {c.words}" for c in r.cures)
    if branches is not None:
        yield from _branches(mechanism, branches)


def _structure(s: Structure, names: dict[str, str]) -> Iterator[str]:
    yield f"{s.structure} structure, moving bodies {s.bodies}, joints {s.joints}, loops {s.loops}"
    yield (
        f"n = {s.coordinates} joint coordinates, n_s = {s.closure_equations} equations "
        f"(couplings {s.coupling_rows}, rolling {s.rolling_rows}), q = {s.closure_rank} "
        "independent"
    )
    yield (
        f"mobility d = n - q = {s.mobility}"
        + (f" of {s.configuration_freedom} freedoms of position" if s.rolls else "")
        + (f", driven {s.driven}" if s.drives else "")
    )
    yield (
        f"hyperstaticity h = n_s - q = {s.hyperstaticity}, reaction unknowns N_s = "
        f"{s.reaction_unknowns}"
    )
    yield (
        f"balance: d - h = {s.count}, by counting {s.counted};  h = {s.hyperstaticity}, N_s "
        f"- 6p + d = {s.static_hyperstaticity}"
    )
    for k, members in enumerate(s.loop_joints):
        yield (
            f"loop {k + 1}: {', '.join(names[j] for j in (*members[1:], members[0]))}; "
            f"closed by {names[members[0]]}"
        )


def _branches(mechanism: Mechanism, b: Branches) -> Iterator[str]:
    shown = lambda value: format_value(value, b.dimension, digits=6)
    if b.problem:
        yield f"{b.problem} {b.cure}".rstrip()
        if not b.branches:
            return
    joint = mechanism.joints[b.joint]
    if b.least is not None and b.greatest is not None:
        yield f"{joint.name} swings from {shown(b.least)} to {shown(b.greatest)}"
    elif b.turns:
        yield (
            f"{joint.name} turns all the way; the mechanism is back after {b.turns} "
            f"{'turn' if b.turns == 1 else 'turns'}"
        )
    else:
        yield f"{joint.name} moves without an end that was found"
    for d in b.dead_points:
        yield (
            f"dead point at {shown(d.input)}: {joint.name} "
            f"{'cannot go further up' if d.greatest else 'cannot go further down'}"
        )
    yield (
        f"{len(b.branches)} {'way' if len(b.branches) == 1 else 'ways'} of putting it "
        f"together where {joint.name} is drawn"
    )
    for k, way in enumerate(b.branches):
        words = (
            "loose, the input does not hold it"
            if way.loose
            else "as drawn"
            if way.drawn
            else "reached by moving"
            if way.same_circuit
            else "reached only by taking a joint apart"
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
        yield (
            f"four-bar, base {lengths[0]}, input {lengths[1]}, coupler {lengths[2]}, output "
            f"{lengths[3]}: {f.kind}"
        )
        yield (
            f"transmission angle {format_value(f.least_transmission, 'angle', digits=4)} to "
            f"{format_value(f.greatest_transmission, 'angle', digits=4)}"
        )


def _dimensions(type: str) -> tuple[str, ...]:
    from mechstudio.model.types.joints import JOINT_TYPES

    return tuple(c.dimension for c in JOINT_TYPES[type].coordinates)
