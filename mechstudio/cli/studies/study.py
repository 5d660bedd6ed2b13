"""mechstudio study FILE: many runs with other numbers, as a table."""

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import (
    AT_FAULT,
    CommandError,
    Render,
    load,
    say,
    status_of,
    written,
)
from mechstudio.cli.simulate import add_run_options
from mechstudio.cli.studies.options import (
    add_workers,
    check_table,
    check_workers,
    run_options,
    shown,
)
from mechstudio.cli.terminal import clear_line, json_text
from mechstudio.engine.errors import EngineError
from mechstudio.model.studies.edits import named
from mechstudio.model.units import format_value
from mechstudio.translation import tr, trn

if TYPE_CHECKING:
    from mechstudio.model.studies.setup import StudySetup
    from mechstudio.studies.study import Progress, Study
    from mechstudio.studies.table import StudyTable

MOST_REASONS = 5  # reasons of failed runs that are listed


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "study",
        tr("many runs with other numbers"),
        tr(
            "Run a mechanism with many values of its parameters and measure each run. Exit status: "
            "0 every run is whole, 1 some failed (each is a row with its reason) or the mechanism "
            "cannot be run as drawn, 2 the file or an option cannot be read."
        ),
    )
    command.add_argument(
        "--name",
        metavar="STUDY",
        default="",
        help=tr(
            "a study that the project keeps, in place of --vary and --measure; without --out its "
            "table is kept beside the project, where the window finds it"
        ),
    )
    command.add_argument(
        "--vary",
        metavar="NAME=VALUES",
        action="append",
        default=[],
        help=tr(
            "may be given several times: 'L2=200..400 mm:50' (50 points, both ends included) and "
            "'k=1|2|5 N/mm' make a grid; 'L2=200..400 mm', 'm=normal(2, 0.1) kg', "
            "'a=triangular(1, 2, 4) mm' and 'L2=330 mm IT8' are drawn"
        ),
    )
    command.add_argument(
        "--measure",
        metavar="WHAT",
        action="append",
        default=[],
        help=tr(
            "may be given several times: 'max A angle', with min, peak, range, mean, rms, first, "
            "final; 'at 0.5 s: A angle', 'when A angle = 90 deg: D angle', 'time above 3 J: "
            "Kinetic energy'; '>= 62 deg' after it is a limit to keep"
        ),
    )
    command.add_argument(
        "--samples",
        metavar="N",
        type=int,
        default=1,
        help=tr("draws at each point of the grid (default 1)"),
    )
    command.add_argument(
        "--method",
        metavar="NAME",
        default="latin",
        help=tr("how samples are drawn: latin (default), sobol, random, or sensitivity"),
    )
    command.add_argument(
        "--seed", metavar="N", type=int, default=1, help=tr("of the draws (default 1)")
    )
    command.add_argument(
        "--correlate",
        metavar="A,B=R",
        action="append",
        default=[],
        help=tr("rank correlation of two drawn parameters; may be given several times"),
    )
    command.add_argument(
        "--one-at-a-time",
        action="store_true",
        help=tr("each parameter goes through its values while the others keep theirs"),
    )
    add_run_options(command)
    add_workers(command)
    command.add_argument(
        "--out",
        metavar="FILE",
        default="",
        help=tr("the table: .csv, .tsv, .npz or .parquet; a study that was stopped goes on"),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, in SI")
    )


def _study(options: argparse.Namespace) -> "tuple[Study, int, StudySetup | None]":
    """The requested study, the status of its file, and what the project keeps of it if it
    is run as it stands there.  Raises CommandError.
    """
    from mechstudio.studies.study import Study

    loaded = load(options.file)
    if options.name and (options.vary or options.measure):
        raise CommandError(tr("A study has a name, or what it varies and measures, not both."))
    try:
        correlations = [_correlation(text) for text in options.correlate]
        times = run_options(options)
        if options.name:
            setup = named(loaded.project, options.name)
            found = Study.stored(loaded.project, setup, **times)
            differs = any(value is not None for value in times.values())
            return found, status_of(loaded), None if differs else setup
        found = Study(
            loaded.project,
            options.vary,
            options.measure,
            options.samples,
            options.method,
            options.seed,
            correlations,
            options.one_at_a_time,
            **times,
        )
    except EngineError as error:
        raise CommandError(str(error), AT_FAULT) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    return found, status_of(loaded), None


def _correlation(text: str) -> tuple[str, str, float]:
    names, _, number = text.partition("=")
    a, _, b = names.partition(",")
    try:
        return a.strip(), b.strip(), float(number)
    except ValueError:
        raise ValueError(tr("{text} is no correlation: write A,B=0.5.", text=text)) from None


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio study FILE (--name STUDY | --vary NAME=VALUES --measure WHAT) [--out FILE]
    [--json].
    """
    from mechstudio.studies import table_file
    from mechstudio.studies.scheduling import ClusterUnavailable, NoProcess
    from mechstudio.studies.table import StudyTable, TableBusy

    made, status, setup = _study(options)
    out = Path(options.out) if options.out else None
    write = StudyTable.write
    if out is None and setup is not None:
        kept = table_file.path_of(options.file, setup.id)
        print(tr("The table is kept in {file}.", file=kept), file=sys.stderr)
        digest = table_file.fingerprint(made.project, setup)
        kept.parent.mkdir(parents=True, exist_ok=True)
        write = lambda table, path: table_file.write(table, path, digest)
    else:
        kept = out
    if out is not None:
        check_table(options.out, "--out")
    check_workers(options)
    # JSON stands alone on standard output
    first = sys.stderr if options.json else sys.stdout
    print(trn("One run.", "{count:,} runs.", len(made)), file=first, flush=True)
    show = shown(_progress)
    table = None

    def run() -> None:
        nonlocal table
        table = made.run(options.workers, options.cluster, kept, show, write=write)

    try:
        if kept is not None:
            written(str(kept), run)
        else:
            run()
    except (ClusterUnavailable, NoProcess, TableBusy) as error:
        raise CommandError(str(error)) from None
    finally:
        clear_line()
    assert table is not None
    print(_json(made, table) if options.json else _words(made, table), end="")
    # without a table, notes stand nowhere else
    for notes in (table.notes if out is None else {}, table.reasons):
        for sentence in list(dict.fromkeys(notes.values()))[:MOST_REASONS]:
            say(sentence, AT_FAULT)
    return AT_FAULT if table.reasons else status


def _progress(progress: "Progress") -> str:
    left = "–" if progress.left is None else f"{progress.left:.0f} s"
    return tr(
        "{done:,} of {runs:,} runs, {failed:,} failed, {rate:.0f} per second, {left} left",
        done=progress.done,
        runs=progress.runs,
        failed=progress.failed,
        rate=progress.rate,
        left=left,
    )


def _words(made: "Study", table: "StudyTable") -> str:
    """Lines on what the runs gave, one for each measure."""
    import numpy as np

    lines = []
    kept = table.feasible()
    for m, measure in enumerate(table.measures):
        values = table.measured[:, m]
        good = values[np.isfinite(values)]
        if not len(good):
            lines.append(tr("{measure}: –", measure=measure.text))
            continue
        shown = lambda v, measure=measure: format_value(float(v), measure.dimension, digits=5)
        low, middle, high = (shown(v) for v in np.percentile(good, (5, 50, 95)))
        lines.append(
            tr(
                "{measure}: {least} to {most}, mean {mean}, 5 % below {low}, half below {middle}, "
                "95 % below {high}",
                measure=measure.text,
                least=shown(good.min()),
                most=shown(good.max()),
                mean=shown(good.mean()),
                low=low,
                middle=middle,
                high=high,
            )
        )
    if any(m.sign for m in table.measures):
        lines.append(
            trn("One run keeps all limits.", "{count:,} runs keep all limits.", int(kept.sum()))
        )
    if table.indices is not None:
        for m, measure in enumerate(table.measures):
            for p, name in enumerate(table.parameters):
                first, total = (float(i[m, p]) for i in table.indices)
                lines.append(
                    tr(
                        "{measure} through {name}: first-order index {first}, total index {total}",
                        measure=measure.text,
                        name=name,
                        first=_index(first),
                        total=_index(total),
                    )
                )
    if table.notes:
        lines.append(
            trn(
                "One run has a note on its numbers.",
                "{count:,} runs have notes on their numbers.",
                len(table.notes),
            )
        )
    lines += table.remarks
    if table.reasons:
        lines.append(trn("One run failed:", "{count:,} runs failed:", len(table.reasons)))
    return "\n".join(lines) + "\n"


def _index(value: float) -> str:
    return "–" if not math.isfinite(value) else format_value(value, "number", digits=3)


def _json(made: "Study", table: "StudyTable") -> str:
    found: dict[str, Any] = {
        "title": list(table.title),
        "parameters": table.parameters,
        "remarks": list(table.remarks),
        "measures": [{"text": m.text, "dimension": m.dimension} for m in table.measures],
        "varied": table.varied.tolist(),
        "measured": table.measured.tolist(),
        "keeps_limits": table.feasible().tolist(),
        "failed": {str(k): v for k, v in sorted(table.reasons.items())},
        "notes": {str(k): v for k, v in sorted(table.notes.items())},
        "systems": [table.system_names[k] for k in table.systems.tolist()],
    }
    if table.indices is not None:
        first, total = (found.tolist() for found in table.indices)
        found["indices"] = {"first": first, "total": total}
    return json_text(found)
