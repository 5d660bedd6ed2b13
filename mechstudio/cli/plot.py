"""mechstudio plot FILE: curves of a run as a picture, a table, or the list of what there is."""

import argparse
import os
from collections.abc import Callable, Iterator
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.simulate import add_run_options
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantities import find, quantities, quantity
from mechstudio.model.project import Project
from mechstudio.model.units import DEFAULT_SYSTEM, SYSTEM_NAMES
from mechstudio.translation import tr

LARGEST = 16384.0  # pixels a side


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "plot",
        tr("curves as a picture or a table"),
        tr(
            "Simulate a mechanism and plot quantities of the run, named as in the window: 'Torque "
            "of drive 1', 'Force in A', 'A angle', 'Speed of P'. Exit status: 0 done, 1 the "
            "mechanism stopped early (the plot shows what there is) or cannot be simulated, 2 no "
            "file, no such quantity, or nothing could be written."
        ),
    )
    command.add_argument(
        "--quantity",
        metavar="NAME",
        action="append",
        default=[],
        help=tr("a curve, may be given several times (default: the plots of the project)"),
    )
    command.add_argument(
        "--list",
        action="store_true",
        help=tr("print the names of all quantities, with their units"),
    )
    command.add_argument(
        "--out", metavar="PICTURE", help=tr("picture to write, .svg, .pdf or .png")
    )
    command.add_argument(
        "--csv",
        metavar="TABLE",
        help=tr("table to write, .csv, .tsv, .npz or .parquet, with names and units"),
    )
    command.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        default=(960.0, 540.0, False),
        help=tr("of the picture, in pixels, or in millimetres as 160x90mm (default 960x540)"),
    )
    command.add_argument("--theme", choices=("light", "dark", "paper"), default="light")
    command.add_argument(
        "--units",
        choices=SYSTEM_NAMES,
        default=DEFAULT_SYSTEM,
        help=tr("of numbers (default {default_system})", default_system=DEFAULT_SYSTEM),
    )
    command.add_argument(
        "--decimal-comma",
        action="store_true",
        help=tr("write CSV with semicolons and decimal commas, as many spreadsheets want it"),
    )
    command.add_argument("--title", metavar="WORDS", default="", help=tr("of the picture"))
    command.add_argument(
        "--log", action="store_true", help=tr("powers of ten, of magnitudes where there is a sign")
    )
    add_run_options(command)


def _size(text: str) -> tuple[float, float, bool]:
    """Width, height and True for millimetres of 960x540 or 160x90mm."""
    bare = text.lower().replace("×", "x")
    parts = bare.removesuffix("mm").split("x")
    try:
        width, height = (float(p) for p in parts)
    except ValueError:
        width = height = 0.0
    limit = LARGEST / 4 if bare.endswith("mm") else LARGEST
    if not (16 <= width <= limit and 16 <= height <= limit):
        raise argparse.ArgumentTypeError(
            tr(
                "{text} is no size; write width and height such as 960x540 or 160x90mm (16 to "
                "{limit:g} each).",
                text=text,
                limit=limit,
            )
        )
    return width, height, bare.endswith("mm")


def listed(project: Project, units: str) -> Iterator[str]:
    """Lines of all quantities, group by group."""
    group = ""
    for q in quantities(project).values():
        if q.group != group:
            group = q.group
            yield f"{group}:"
        symbol = unit_of(q.dimension, units).symbol
        yield f"  {q.name}" + (f" [{symbol}]" if symbol else "")


def names(project: Project, options: argparse.Namespace) -> list[str]:
    """Keys of the quantities that are asked for, or of the project's plots.  Raises ValueError."""
    asked = options.quantity or [
        key for plot in project.plots for key in plot.channels if quantity(project, key)
    ]
    if not asked:
        raise ValueError(
            tr(
                "Name what to plot by --quantity, such as --quantity 'Kinetic energy'; --list "
                "prints everything that there is."
            )
        )
    if options.out is None and options.csv is None:
        raise ValueError(tr("Name a file for the picture by --out, or for the table by --csv."))
    endings = ((options.out, (".svg", ".pdf", ".png")), (options.csv, _TABLES))
    for path, known in endings:
        if path is not None and os.path.splitext(path)[1].lower() not in known:
            raise ValueError(
                tr(
                    "{path} should end with {known} or {known_2}.",
                    path=path,
                    known=", ".join(known[:-1]),
                    known_2=known[-1],
                )
            )
    return list(dict.fromkeys(find(project, name).key for name in asked))


_TABLES = (".csv", ".tsv", ".npz", ".parquet")


def write(
    result: Any,
    keys: list[str],
    options: argparse.Namespace,
    save: Callable[[str, bytes], None],
) -> Iterator[str]:
    """Write the files; lines that tell what was written.  Raises MissingLibrary, EngineError."""
    from mechstudio.curves import compose, picture, tables

    shown = [
        compose.Shown(q.name, q.dimension, found)
        for q, found in zip([find(result.project, key) for key in keys], result.courses(*keys))
    ]
    if options.csv is not None:
        table = tables.columns([(s.name, s.dimension, s.course) for s in shown], options.units)
        dialect = "semicolon" if options.decimal_comma else "comma"
        ending = os.path.splitext(options.csv)[1]
        save(options.csv, tables.content(table, ending, dialect))
        yield tr(
            "Table of {count} rows written to {csv}", count=len(table[0].values), csv=options.csv
        )
    if options.out is not None:
        width, height, millimetres = options.size
        scale = picture.MM if millimetres else 1.0
        look = picture.Look(width * scale, height * scale, options.theme)
        made = compose.panels(shown, options.units, options.title, options.log)
        ppi = picture.PRINT if millimetres else 96.0
        save(options.out, compose.content(made, look, os.path.splitext(options.out)[1], ppi))
        noun = "curve" if len(shown) == 1 else "curves"
        yield tr(
            "Picture of {count} {noun} written to {out}",
            count=len(shown),
            noun=noun,
            out=options.out,
        )
    for s in shown:
        if s.course.loose:
            yield tr(
                "Note: {state} is not determined by rigid bodies; the values are the "
                "least-squares ones.",
                state=s.name,
            )
