"""mechstudio simulate FILE: its options and its report of a run: lines for a terminal, numbers for
JSON, a table of all samples.
"""

import argparse
import csv
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import to_builtins

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import (
    AT_FAULT,
    CommandError,
    Render,
    check_place,
    load,
    say,
    status_of,
    written,
)
from mechstudio.cli.runs import run
from mechstudio.cli.terminal import json_text
from mechstudio.engine.errors import EngineError
from mechstudio.model import end_conditions
from mechstudio.model.contact import stepped_words, touched_name
from mechstudio.model.mechanism import ACCELERATION, POSITION, VELOCITY, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.channels import channels
from mechstudio.model.results.events import Event, ImpactEvent, StopEvent
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from mechstudio.model.units import format_value, unit
from mechstudio.translation import Words, comma, tr, trn

if TYPE_CHECKING:
    import numpy as np

    from mechstudio.curves.measurements.comparison import Compared

_SI = "m-N-rad"
STATISTICS = (
    "duration",
    "samples",
    "steps",
    "rejected_steps",
    "cpu_s",
    "wall_s",
    "energy_error",
    "constraint_error_m",
    "rate",
)
OF_STOPS = ("impacts", "impact_loss")
OF_CONTACTS = ("unsolved", "contact_residual", "overlap_share")
MOST_CONSTANTS = 20  # constants of the motion that are listed
MOST_PAIRS = 10  # pairs of bodies whose impacts are reported


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "simulate",
        tr("run and record"),
        tr(
            "Simulate a mechanism from t = 0. Exit status: 0 done, 1 stopped early (the samples "
            "before are kept) or run without what of the file could not be used, 2 the file "
            "cannot be read. Times are in seconds, or texts such as '500 ms'."
        ),
    )
    add_run_options(command)
    command.add_argument(
        "--csv",
        metavar="OUT",
        help=tr("write all samples as a table; names and SI units stand in its first line"),
    )
    command.add_argument(
        "--against",
        metavar="CSV",
        help=tr(
            "compare the run with measured data: columns are matched by names and units, such as "
            "'A angle [deg]', and their clock is shifted by least squares"
        ),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("statistics as one JSON object on standard output")
    )


def add_run_options(command: argparse.ArgumentParser) -> None:
    """Options of every command that runs a mechanism."""
    command.add_argument(
        "--duration", metavar="S", help=tr("simulated time (default: the project's)")
    )
    command.add_argument(
        "--step",
        metavar="H",
        help=tr(
            "the fixed step of a method that has one (default 1 ms), else the largest step "
            "(default: none); with contacts, their step"
        ),
    )
    command.add_argument(
        "--sample-step",
        metavar="H",
        help=tr("time between samples (default: the project's, 1/60 s where it has none)"),
    )
    command.add_argument(
        "--integrator",
        choices=tuple(INTEGRATOR_TYPES),
        metavar="NAME",
        help="; ".join(f"{name}: {kind.use}" for name, kind in INTEGRATOR_TYPES.items())
        + tr(" (default: the project's, dop853 where it has none)"),
    )
    command.add_argument(
        "--tolerance",
        metavar="X",
        help=tr("of adaptive methods: relative and absolute error per step (default 1e-9)"),
    )
    command.add_argument(
        "--until",
        metavar="WHAT",
        action="append",
        help=tr(
            "end the run at the instant at which a quantity passes a value, such as 'A angle = 90 "
            "deg' (= either way, > rising, < falling; may be given several times; default: the "
            "project's)"
        ),
    )


def stop_report(mechanism: Mechanism, result: Any) -> dict[str, Any]:
    """Part of `simulate --json` for a mechanism with hard stops or contacts: number of impacts,
    their energy loss, the numbers of the contact solver, and every impact; {} for other mechanisms
    and without a result.
    """
    if result is None or not (
        mechanism.contacts.enabled
        or any(
            limit.stiffness is None for joint in mechanism.joints.values() for limit in joint.limits
        )
    ):
        return {}
    of = OF_STOPS + OF_CONTACTS if mechanism.contacts.enabled else OF_STOPS
    return {
        **{k: result.statistics[k] for k in of},
        "events": [to_builtins(e) for e in result.events],
    }


def contact_words(project: Project, statistics: dict[str, Any]) -> str:
    """Phrase for the stepping of a run with contacts; empty for a smooth run."""
    if not project.mechanism.contacts.enabled or not statistics["steps"]:
        return ""
    words = stepped_words(project.settings.contacts, statistics["duration"] / statistics["steps"])
    return tr(
        "With contacts: {words}; {integrator} is for runs without",
        words=words,
        integrator=tr(INTEGRATOR_TYPES[project.settings.integrator].label),
    )


def end_report(mechanism: Mechanism, result: Any) -> dict[str, Any]:
    """Part of `simulate --json` on the condition that ended the run, and its notes on how far
    numbers can be trusted.
    """
    if result is None:
        return {}
    ended = (
        {}
        if result.ended_by is None
        else {"ended_by": end_conditions.words(result.ended_by, mechanism, _SI)}
    )
    return ended | (
        {"notes": list(result.statistics["notes"])} if result.statistics["notes"] else {}
    )


def end_lines(mechanism: Mechanism, result: Any) -> Iterator[str]:
    """Line on the condition that ended a run; none where the run reached its end."""
    if result.ended_by is not None:
        yield tr(
            "Ended at {time:.9g} s, when {end_conditions}",
            time=result.time[-1],
            end_conditions=end_conditions.words(result.ended_by, mechanism),
        )


PRESCRIBED: dict[str, Words] = {
    VELOCITY: "velocity",
    POSITION: "position",
    ACCELERATION: "acceleration",
}


def driven_lines(mechanism: Mechanism) -> Iterator[str]:
    """Line that lists the joint coordinates prescribed by drives; none where all are free."""
    driven = [
        (d.name, mechanism.joints[d.joint], d.coordinate, d.quantity)
        for d in mechanism.drives.values()
        if d.enabled
    ]
    if driven:
        yield tr(
            "Driven: {coordinates}",
            coordinates=comma().join(
                tr(
                    "{joint} {coordinate} ({quantity} by {name})",
                    joint=j.name,
                    coordinate=tr(JOINT_TYPES[j.type].coordinates[k].name),
                    quantity=tr(PRESCRIBED[quantity]),
                    name=name,
                )
                for name, j, k, quantity in driven
            ),
        )


def conservation_lines(result: Any) -> Iterator[str]:
    """Constants of the motion and whether the run kept them: those not kept first, and of many only
    the first.
    """
    found = sorted(
        (v for v in result.conservation() if v.kept is not None), key=lambda v: bool(v.kept)
    )
    for v in found[:MOST_CONSTANTS]:
        kept = tr("and does") if v.kept else tr("but does not")
        yield tr(
            "{word} must stay constant, {kept} (start {value:.4g}, change {change:.1e}, SI)",
            word=v.conserved.words[:1].upper() + v.conserved.words[1:],
            kept=kept,
            value=v.value,
            change=v.change,
        )
    if len(found) > MOST_CONSTANTS:
        yield tr(
            "And {count} more that must stay constant{word}",
            count=len(found) - MOST_CONSTANTS,
            word=tr(", and do") if all(v.kept for v in found) else "",
        )


def pair_words(mechanism: Mechanism, events: Sequence[Event]) -> Iterator[str]:
    """ "ball – floor 36 (first at 0.45 s)" for every pair of bodies that struck each other, the ten
    first ones.
    """
    impacted: dict[tuple[str, str], list[ImpactEvent]] = {}
    for e in events:
        if isinstance(e, ImpactEvent):
            impacted.setdefault((e.body_a, e.body_b), []).append(e)
    for (a, b), those in list(impacted.items())[:MOST_PAIRS]:
        yield tr(
            "{a} – {body} {count} (first at {time:.6g} s)",
            a=touched_name(mechanism, a),
            body=touched_name(mechanism, b),
            count=len(those),
            time=those[0].time,
        )
    if len(impacted) > MOST_PAIRS:
        yield tr("and {count} other pairs", count=len(impacted) - MOST_PAIRS)


def stop_words(mechanism: Mechanism, events: Sequence[Event]) -> str:
    """ "door upper 3 (first at 0.52 s)" for every stop that was struck, and what `pair_words`
    says.
    """
    impacted: dict[tuple[str, int, bool], list[StopEvent]] = {}
    for e in events:
        if not isinstance(e, StopEvent):
            continue
        impacted.setdefault((e.joint, e.coordinate, e.upper), []).append(e)
    words = []
    for (id, coordinate, upper), those in impacted.items():
        joint = mechanism.joints[id]
        kind = JOINT_TYPES[joint.type]
        name = (
            joint.name if kind.dof == 1 else f"{joint.name} {tr(kind.coordinates[coordinate].name)}"
        )
        words.append(
            tr(
                "{name} {word} {count} (first at {time:.6g} s{words})",
                name=name,
                word=tr("upper") if upper else tr("lower"),
                count=len(those),
                time=those[0].time,
                words=tr(", rests there") if those[-1].rests else "",
            )
        )
    return comma().join([*words, *pair_words(mechanism, events)])


def statistics_lines(
    s: dict[str, Any], table: str | None, stops: str = "", contacts: str = ""
) -> Iterator[str]:
    """Lines on the duration and accuracy of a run.  table: file that all samples went to; stops:
    words about impacts; contacts: words about their stepping, where there are any.
    """
    rejected = (
        "" if contacts else tr(", {rejected_steps} rejected", rejected_steps=s["rejected_steps"])
    )
    yield tr(
        "Simulated {duration:g} s in {wall_s:.3g} s ({rate:.3g} times real time): {samples} "
        "samples, {steps} steps{rejected}",
        duration=s["duration"],
        wall_s=s["wall_s"],
        rate=s["rate"],
        samples=s["samples"],
        steps=s["steps"],
        rejected=rejected,
    )
    if contacts:
        yield contacts
    energy = (
        "–"
        if s["energy_error"] is None
        else tr(
            "{energy_error:.1e} of the largest {word}",
            energy_error=s["energy_error"],
            word=tr("energy or work")
            if contacts
            else tr("kinetic energy, at rest of the potential one"),
        )
    )
    yield tr(
        "Energy error {energy} · largest joint gap {constraint_error_m:.1e} m",
        energy=energy,
        constraint_error_m=s["constraint_error_m"],
    )
    yield from (tr("Note: {note}", note=note) for note in s["notes"])
    if s["impacts"]:
        yield trn(
            "{count} impact{word}, {impact_loss:.3g} J lost: {stops}",
            "{count} impacts{word}, {impact_loss:.3g} J lost: {stops}",
            s["impacts"],
            word="" if contacts else tr(" at stops"),
            impact_loss=s["impact_loss"],
            stops=stops,
        )
    if table:
        yield tr("Table written to {table}", table=table)


def against_report(compared: "Sequence[Compared]") -> dict[str, Any]:
    """Part of `simulate --json` on measured data, in SI; {} without any."""
    if not compared:
        return {}
    return {
        "against": [
            {
                "column": c.column,
                "key": c.quantity.key,
                "unit": unit(c.quantity.dimension, _SI).symbol,
                "shift": c.shift,
                "rms": c.rms,
                "largest": c.largest,
                "at": c.at,
            }
            for c in compared
        ]
    }


def against_lines(compared: "Sequence[Compared]") -> Iterator[str]:
    """Lines on measured data beside the run."""
    for c in compared:
        value = lambda x, c=c: format_value(x, c.quantity.dimension, digits=4)
        yield tr(
            "{column} against the run: RMS {rms}, at most {largest} at {at:.4g} s, clock shifted "
            "by {shift:.4g} s",
            column=c.column,
            rms=value(c.rms),
            largest=value(c.largest),
            at=c.at,
            shift=c.shift,
        )


def table_header(mechanism: Mechanism, layout: SampleLayout) -> list[str]:
    """Column names with SI units, "crank x [m]", in the order of a sample."""
    names = [""] * layout.width
    names[0] = "time [s]"
    for k, body in enumerate(mechanism.bodies.values()):
        for c, part in enumerate(("quaternion w", "quaternion x", "quaternion y", "quaternion z")):
            names[layout.poses.start + 7 * k + 3 + c] = f"{body.name} {part} [1]"
    for channel in channels(mechanism, layout).values():
        if len(channel.columns) == 1 and channel.of is sum:
            names[channel.columns[0]] = f"{channel.label} [{unit(channel.dimension, _SI).symbol}]"
    return names


def write_table(
    out: TextIO, mechanism: Mechanism, layout: SampleLayout, rows: "np.ndarray"
) -> None:
    """Comma-separated values: the header, then one line per sample with every digit that the
    numbers have.
    """
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table_header(mechanism, layout))
    writer.writerows([repr(float(c)) for c in row] for row in rows)


def save_table(path: str, mechanism: Mechanism, layout: SampleLayout, rows: "np.ndarray") -> None:
    """Write a table into a file.  Raises OSError."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        write_table(out, mechanism, layout, rows)


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio simulate FILE …"""
    loaded = load(options.file)
    if options.csv is not None:
        check_place(options.csv)
    result, reason = run(loaded.project, options)
    if options.csv and result is not None:
        written(
            options.csv,
            lambda: save_table(options.csv, loaded.project.mechanism, result.layout, result.rows),
        )
    statistics: dict[str, Any] = (
        result.statistics if result is not None else dict.fromkeys(STATISTICS)
    )
    try:
        compared = [] if result is None or not options.against else result.against(options.against)
    except (ValueError, EngineError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(
            tr(
                "{file} cannot be read: {why}.",
                file=options.against,
                why=error.strerror or type(error).__name__,
            )
        ) from None
    if options.json:
        print(
            json_text(
                {k: statistics[k] for k in STATISTICS}
                | {"digest": None if result is None else result.digest}
                | stop_report(loaded.project.mechanism, result)
                | end_report(loaded.project.mechanism, result)
                | against_report(compared)
            ),
            end="",
        )
    elif result is not None:
        lines = statistics_lines(
            statistics,
            options.csv,
            stop_words(loaded.project.mechanism, result.events),
            contact_words(loaded.project, statistics),
        )
        print(
            "\n".join(
                [
                    *lines,
                    *end_lines(loaded.project.mechanism, result),
                    *driven_lines(loaded.project.mechanism),
                    *conservation_lines(result),
                    *against_lines(compared),
                ]
            )
        )
    return (
        say(
            f"{tr('Stopped early') if result is not None else tr('It cannot be simulated')}: "
            f"{reason}",
            AT_FAULT,
        )
        if reason
        else status_of(loaded)
    )
