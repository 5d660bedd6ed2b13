"""mechstudio optimise FILE: the numbers of a mechanism that serve a goal best."""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from mechstudio.cli.simulate import add_run_options
from mechstudio.cli.studies.options import (
    add_workers,
    check_table,
    check_workers,
    interruptible,
    run_options,
    shown,
)
from mechstudio.cli.terminal import clear_line, json_text
from mechstudio.engine.errors import EngineError
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model.units import format_value
from mechstudio.translation import series, tr, trn

if TYPE_CHECKING:
    from mechstudio.studies.optimisation.optimisation import Optimisation, Optimum, Progress

MOST_SHOWN = 12  # compromises that are listed


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "optimise",
        tr("find the best numbers"),
        tr(
            "Change parameters between bounds until a measure is least, greatest, or a given "
            "number, and limits are kept. Several goals give the compromises between them. Exit "
            "status: 0 a best was found, 1 no run keeps all limits or the mechanism cannot be run "
            "as drawn, 2 the file or an option cannot be read."
        ),
    )
    command.add_argument(
        "--vary",
        metavar="NAME=LOW..HIGH",
        action="append",
        required=True,
        help=tr("bounds of a parameter, 'L2=200..400 mm'; may be given several times"),
    )
    for sense, words in (
        ("least", tr("what should be least, 'max Torque of drive 1'")),
        ("greatest", tr("what should be greatest")),
        ("target", tr("what should be a number, 'range D angle = 62 deg'")),
    ):
        command.add_argument(
            f"--{sense}",
            dest="goals",
            metavar="WHAT",
            action="append",
            type=lambda text, sense=sense: (sense, text),
            help=words,
        )
    command.add_argument(
        "--limit",
        metavar="WHAT",
        action="append",
        default=[],
        help=tr("what has to be kept, 'range D angle >= 62 deg'; may be given several times"),
    )
    command.add_argument(
        "--method",
        metavar="NAME",
        default="",
        help=tr(
            "evolution (default), local (from the numbers of the drawing), basins, or pareto "
            "(default for several goals)"
        ),
    )
    command.add_argument(
        "--seed", metavar="N", type=int, default=1, help=tr("of the draws (default 1)")
    )
    command.add_argument(
        "--runs", metavar="N", type=int, default=2000, help=tr("at most (default 2000)")
    )
    add_run_options(command)
    add_workers(command)
    command.add_argument("--out", metavar="OUT.mech", help=tr("write the best drawing"))
    command.add_argument(
        "--table", metavar="FILE", help=tr("all runs: .csv, .tsv, .npz or .parquet")
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, in SI")
    )


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio optimise FILE --vary NAME=LOW..HIGH --least WHAT [--limit WHAT] [--out OUT]."""
    from mechstudio.studies.optimisation.optimisation import Optimisation
    from mechstudio.studies.optimisation.search import MissingLibrary
    from mechstudio.studies.scheduling import ClusterUnavailable, NoProcess

    loaded = load(options.file)
    check_workers(options)
    if options.out is not None:
        check_place(options.out, "--out", tr("the drawing"))
    if options.table is not None:
        check_table(options.table, "--table")
    try:
        made = Optimisation(
            loaded.project,
            options.vary,
            options.goals or (),
            options.limit,
            options.method,
            options.seed,
            options.runs,
            **run_options(options),
        )
        with interruptible() as is_interrupted:
            found = made.run(
                options.workers, options.cluster, shown(_progress(made)), is_interrupted
            )
    except EngineError as error:
        raise CommandError(str(error), AT_FAULT) from None
    except (ValueError, MissingLibrary, ClusterUnavailable, NoProcess) as error:
        raise CommandError(str(error)) from None
    finally:
        clear_line()
    if options.table is not None:
        try:
            written(options.table, lambda: found.table.write(Path(options.table)))
        except (ValueError, RuntimeError) as error:
            raise CommandError(str(error)) from None
    if options.out is not None and (best := found.project) is not None:
        try:
            written(options.out, lambda: save_file(options.out, best, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    print(_json(found) if options.json else _words(made, found), end="")
    for note in found.notes:
        say(note, AT_FAULT)
    return status_of(loaded) if found.rows else AT_FAULT


def _progress(made: "Optimisation") -> Any:
    def words(progress: "Progress") -> str:
        best = "–"
        if progress.best is not None:
            best = format_value(progress.best[0], made.measures[0].dimension, digits=5)
        return tr(
            "{runs:,} of at most {most:,} runs, {failed:,} failed, {rate:.0f} per second, best "
            "{best}",
            runs=progress.runs,
            most=progress.most,
            failed=progress.failed,
            rate=progress.rate,
            best=best,
        )

    return words


def _words(made: "Optimisation", found: "Optimum") -> str:
    table = found.table
    lines = [trn("One run.", "{count:,} runs.", len(table))]
    if table.reasons:
        lines.append(trn("One run failed.", "{count:,} runs failed.", len(table.reasons)))
    if len(found.rows) > 1:
        lines.append(trn("One compromise:", "{count:,} compromises:", len(found.rows)))
    # spread over the whole of them where there are many
    step = max(1, math.ceil(len(found.rows) / MOST_SHOWN))
    for row in found.rows[::step]:
        numbers = [
            f"{name} = {format_value(float(table.varied[row, k]), dimension, digits=6)}"
            for k, (name, dimension) in enumerate(table.parameters.items())
        ]
        results = [
            f"{m.text} = {format_value(float(table.measured[row, k]), m.dimension, digits=6)}"
            for k, m in enumerate(made.measures)
        ]
        lines.append(series([*numbers, *results]))
    return "\n".join(lines) + "\n"


def _json(found: "Optimum") -> str:
    table = found.table
    return json_text(
        {
            "title": list(table.title),
            "runs": len(table),
            "failed": len(table.reasons),
            "finished": found.is_finished,
            "measures": [{"text": m.text, "dimension": m.dimension} for m in table.measures],
            "best": [
                {
                    "parameters": dict(zip(table.parameters, table.varied[row].tolist())),
                    "measured": table.measured[row].tolist(),
                }
                for row in found.rows
            ],
            "notes": list(found.notes),
        },
    )
