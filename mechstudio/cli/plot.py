"""mechstudio plot FILE: curves of a run as a picture, a table, or the list of quantities."""

import argparse
import os
from collections.abc import Callable, Iterator
from typing import Any

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
from mechstudio.cli.simulate import add_run_options
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.operations import WINDOWS, spectrum_peaks
from mechstudio.curves.quantities import find, quantities, quantity
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.files.durable import write as write_file
from mechstudio.model.formulas import expression
from mechstudio.model.project import DIAGRAMS, Project
from mechstudio.model.units import DEFAULT_SYSTEM, SYSTEM_NAMES
from mechstudio.translation import comma, localised, series, tr, trn

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
    command.add_argument(
        "--diagram",
        choices=DIAGRAMS,
        default="",
        help=tr(
            "instead of curves over the time: rate over value, over another quantity, spectrum, or "
            "a Poincaré section"
        ),
    )
    command.add_argument(
        "--over",
        metavar="NAME",
        default="",
        help=tr("quantity of the horizontal axis of 'over' and 'section'"),
    )
    command.add_argument(
        "--where",
        metavar="NAME",
        default="",
        help=tr("quantity at whose crossings a section takes its points; an angle in every turn"),
    )
    command.add_argument(
        "--level",
        metavar="NUMBER",
        default="0",
        help=tr("that it crosses, with its unit as in '30 deg' (default 0)"),
    )
    command.add_argument("--direction", choices=("rising", "falling", "either"), default="rising")
    command.add_argument(
        "--window", choices=tuple(WINDOWS), default="hann", help=tr("of a spectrum (default hann)")
    )
    command.add_argument(
        "--many-turns",
        action="store_true",
        help=tr("angles of a horizontal axis count on over their turns"),
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
            yield tr("{group}:", group=tr(group))
        symbol = unit_of(q.dimension, units).symbol
        yield f"  {q.name}" + (f" [{symbol}]" if symbol else "")


def names(project: Project, options: argparse.Namespace) -> list[str]:
    """Keys of the requested quantities, or of the project's plots.  Raises ValueError."""
    quantities = options.quantity or [
        key for plot in project.plots for key in plot.channels if quantity(project, key)
    ]
    if not quantities:
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
                    known=comma().join(known[:-1]),
                    known_2=known[-1],
                )
            )
    _further(project, options)
    return list(dict.fromkeys(find(project, name).key for name in quantities))


def _further(project: Project, options: argparse.Namespace) -> dict[str, Any]:
    """Options of a diagram, as Result.diagram takes them.  Raises ValueError."""
    needed = {"over": ("over",), "section": ("over", "where")}.get(options.diagram, ())
    for name in needed:
        if not getattr(options, name):
            raise ValueError(
                tr(
                    "Name a quantity by --{name} for --diagram {kind}.",
                    name=name,
                    kind=options.diagram,
                )
            )
    out = {name: find(project, getattr(options, name)).key for name in needed}
    if "where" in needed:
        dimension = find(project, options.where).dimension
        known = {name: (p.value.value, p.dimension) for name, p in project.parameters.items()}
        try:
            level = expression.quantity(options.level, dimension, known)
        except expression.ExpressionError as error:
            raise ValueError(f"--level: {error}") from None
        out |= {"level": level.value, "direction": options.direction}
    return out | {"window": options.window, "one_turn": not options.many_turns}


_TABLES = (".csv", ".tsv", ".npz", ".parquet")


def write(
    result: Any,
    keys: list[str],
    options: argparse.Namespace,
    save: Callable[[str, bytes], None],
) -> Iterator[str]:
    """Write the files.  Returns lines on the written files.  Raises MissingLibrary, EngineError."""
    from mechstudio.curves import composition, tables

    if options.diagram:
        yield from _write_diagram(result, keys, options, save)
        return
    shown = [
        composition.Shown(q.name, q.dimension, found)
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
        made = composition.panels(shown, options.units, options.title, options.log)
        save(options.out, _picture(made, options))
        yield trn(
            "Picture of {count} curve written to {out}",
            "Picture of {count} curves written to {out}",
            len(shown),
            out=options.out,
        )
    for s in shown:
        if s.course.loose:
            yield tr(
                "Note: {state} is not determined by rigid bodies; the values are the "
                "least-squares ones.",
                state=s.name,
            )


def _picture(made: list[Any], options: argparse.Namespace) -> bytes:
    """Panels in the requested size and format."""
    from mechstudio.curves import composition, picture

    width, height, millimetres = options.size
    scale = picture.MM if millimetres else 1.0
    look = picture.Look(width * scale, height * scale, options.theme)
    ppi = picture.PRINT if millimetres else 96.0
    return composition.content(made, look, os.path.splitext(options.out)[1], ppi)


def _write_diagram(
    result: Any,
    keys: list[str],
    options: argparse.Namespace,
    save: Callable[[str, bytes], None],
) -> Iterator[str]:
    """Write the files of a diagram.  Returns lines on the written files and the method."""
    from mechstudio.curves import composition, tables

    further = _further(result.project, options)
    curves = result.diagram(options.diagram, *keys, **further)
    shown = [(find(result.project, key).name, "", c) for key, c in zip(keys, curves, strict=True)]
    across = find(result.project, further["over"]).name if "over" in further else ""
    if options.csv is not None:
        table = composition.diagram_columns(options.diagram, shown, across, options.units)
        dialect = "semicolon" if options.decimal_comma else "comma"
        save(options.csv, tables.content(table, os.path.splitext(options.csv)[1], dialect))
        yield tr(
            "Table of {count} rows written to {csv}", count=len(table[0].values), csv=options.csv
        )
    if options.out is not None:
        look = (options.units, options.title, options.log)
        made = composition.diagram_panel(options.diagram, shown, across, *look)
        save(options.out, _picture([made], options))
        yield tr("Diagram written to {out}", out=options.out)
    for name, _, c in shown:
        if options.diagram == "spectrum":
            peaks = series(localised(f"{f:.4g} Hz") for f, _ in spectrum_peaks(c)) or "–"
            yield tr("{name}: peaks at {peaks}", name=name, peaks=peaks)
        if c.note:
            yield f"{name}: {c.note}"


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio plot FILE --quantity NAME … --out PICTURE"""
    from mechstudio.curves.tables import MissingLibrary

    loaded = load(options.file)
    if options.list:
        print("\n".join(listed(loaded.project, options.units)))
        return status_of(loaded)
    try:
        keys = names(loaded.project, options)
    except ValueError as error:
        raise CommandError(str(error)) from None
    for path, option, what in (
        (options.out, "--out", tr("the picture")),
        (options.csv, "--csv", tr("the table")),
    ):
        if path is not None:
            check_place(path, option, what)
    result, reason = run(loaded.project, options)
    if result is None or not len(result):
        return say(tr("It cannot be simulated: {reason}", reason=reason), AT_FAULT)
    save = lambda path, content: written(path, lambda: write_file(path, content))
    try:
        for reported in write(result, keys, options, save):
            print(reported)
    except MissingLibrary as error:
        raise CommandError(str(error)) from None
    except (EngineError, RunStopped, ValueError) as error:
        raise CommandError(str(error), AT_FAULT) from None
    return (
        say(tr("Stopped early: {reason}", reason=reason), AT_FAULT) if reason else status_of(loaded)
    )
