"""mechstudio fit FILE DATA: the parameters with which a mechanism moves as it was measured."""

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
    run_options,
    shown,
)
from mechstudio.cli.terminal import clear_line, json_text
from mechstudio.engine.errors import EngineError
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model.units import format_value
from mechstudio.translation import tr, trn

if TYPE_CHECKING:
    from mechstudio.studies.optimisation.fit import Fitted, Progress


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "fit",
        tr("find numbers from measured data"),
        tr(
            "Change parameters between bounds until the mechanism moves as it was measured to "
            "move, and tell how sure they are. Exit status: 0 all of them are found, 1 the data "
            "does not tell them all or the mechanism cannot be run as drawn, 2 the file, the data "
            "or an option cannot be read."
        ),
    )
    command.add_argument(
        "data",
        metavar="CSV",
        help=tr(
            "measured data: a column of times and columns of quantities, such as 'A angle [deg]'; "
            "its clock begins with the run"
        ),
    )
    command.add_argument(
        "--vary",
        metavar="NAME=LOW..HIGH",
        action="append",
        required=True,
        help=tr("bounds of a parameter, 'L2=200..400 mm'; may be given several times"),
    )
    command.add_argument(
        "--column",
        metavar="COLUMN=QUANTITY",
        action="append",
        default=[],
        help=tr("what a column measures where it is called otherwise, 'phi=A angle'"),
    )
    command.add_argument(
        "--runs", metavar="N", type=int, default=2000, help=tr("at most (default 2000)")
    )
    add_run_options(command)
    add_workers(command)
    command.add_argument("--out", metavar="OUT.mech", help=tr("write the fitted drawing"))
    command.add_argument(
        "--table",
        metavar="FILE",
        help=tr("the parameters with their intervals: .csv, .tsv, .npz or .parquet"),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, in SI")
    )


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio fit FILE CSV --vary NAME=LOW..HIGH [--out OUT] [--table FILE]."""
    from mechstudio.curves.measurements.table import matched, read, text_of
    from mechstudio.studies.optimisation import result_table
    from mechstudio.studies.optimisation.fit import Fit
    from mechstudio.studies.scheduling import ClusterUnavailable, NoProcess

    loaded = load(options.file)
    check_workers(options)
    if options.out is not None:
        check_place(options.out, "--out", tr("the drawing"))
    if options.table is not None:
        check_table(options.table, "--table")
    names = dict(text.split("=", 1) if "=" in text else (text, "") for text in options.column)
    try:
        found, others = matched(loaded.project, read(text_of(options.data)), names)
        made = Fit(loaded.project, options.vary, found, options.runs, **run_options(options))
        fitted = made.run(options.workers, options.cluster, shown(_progress))
    except EngineError as error:
        raise CommandError(str(error), AT_FAULT) from None
    except OSError as error:
        raise CommandError(
            tr(
                "{path} cannot be read ({reason}).",
                path=options.data,
                reason=error.strerror or error,
            )
        ) from None
    except (ValueError, ClusterUnavailable, NoProcess) as error:
        raise CommandError(str(error)) from None
    finally:
        clear_line()
    if options.out is not None:
        try:
            written(options.out, lambda: save_file(options.out, fitted.project, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    if options.table is not None:
        path = Path(options.table)
        table = result_table.content(fitted, path.suffix, data=Path(options.data).name)
        written(options.table, lambda: path.write_bytes(table))
    print(_json(fitted) if options.json else _words(fitted), end="")
    for sentence in (*others, *fitted.notes):
        say(sentence, AT_FAULT)
    return status_of(loaded) if fitted.rank == len(fitted.estimates) else AT_FAULT


def _progress(progress: "Progress") -> str:
    return tr(
        "{runs:,} runs, {scatter:.3g} % of the data's spread left",
        runs=progress.runs,
        scatter=100 * progress.scatter,
    )


def _words(fitted: "Fitted") -> str:
    from mechstudio.studies.optimisation.result_table import scatter_sentences

    lines = [trn("One run.", "{count:,} runs.", fitted.runs)]
    for e in fitted.estimates:
        value = format_value(e.value, e.dimension, digits=6)
        if math.isnan(e.deviation):
            lines.append(
                tr("{name} = {value}, not determined by the data", name=e.name, value=value)
            )
        else:
            lines.append(
                tr(
                    "{name} = {value}, between {low} and {high} with 95 % confidence",
                    name=e.name,
                    value=value,
                    low=format_value(e.low, e.dimension, digits=4),
                    high=format_value(e.high, e.dimension, digits=4),
                )
            )
    lines += scatter_sentences(fitted.scatters)
    return "\n".join(lines) + "\n"


def _json(fitted: "Fitted") -> str:
    return json_text(
        {
            "runs": fitted.runs,
            "rank": fitted.rank,
            "parameters": [
                {
                    "name": e.name,
                    "dimension": e.dimension,
                    "value": e.value,
                    "deviation": e.deviation,
                    "low": e.low,
                    "high": e.high,
                }
                for e in fitted.estimates
            ],
            "correlations": fitted.correlations.tolist(),
            "scatters": [s._asdict() for s in fitted.scatters],
            "notes": list(fitted.notes),
        },
    )
