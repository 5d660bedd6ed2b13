"""mechstudio size counterweights FILE and its like: what balances a mechanism, and what drives it.

Each helper of model/sizing/helpers.py is a command, each of its fields an option.
"""

import argparse
import math
from typing import Any

import msgspec

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
from mechstudio.cli.terminal import json_text, progress_line
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model.sizing.answer import Figure, Sized, SizedTable
from mechstudio.model.sizing.helpers import BODIES, CHOICE, HELPERS, NUMBER, Field
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import comma, tr

DIGITS = 4
SYSTEM = "mm-N-deg"


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    words = comma().join(HELPERS)
    command = commands.add_parser(
        "size",
        prog="mechstudio size",
        help=tr("balance and size: {words}", words=words),
        description=tr(
            "Find what balances a mechanism or drives it, run it again with that, and tell the "
            "figures before and after. Exit status: 0 done, 1 the mechanism is at fault, 2 the "
            "file or an option is."
        ),
    )
    helpers = command.add_subparsers(dest="helper", metavar="HELPER", required=True)
    for name, helper in HELPERS.items():
        summary = tr(helper.summary)
        one = file_command(helpers, name, summary, summary[:1].upper() + summary[1:] + ".")
        one.prog = f"mechstudio size {name}"
        for field in helper.fields:
            _add_option(one, field)
        one.add_argument("--out", metavar="OUT.mech", help=tr("write the drawing with it"))
        one.add_argument(
            "--json", action="store_true", help=tr("one JSON object on standard output, in SI")
        )


def _add_option(command: argparse.ArgumentParser, field: Field) -> None:
    usual = field.usual or tr(field.found)
    help = tr("{help} (default: {usual})", help=tr(field.help), usual=usual)
    flag = "--" + field.name.replace("_", "-")
    if field.kind == CHOICE:
        command.add_argument(flag, choices=tuple(field.choices), help=help.replace("%", "%%"))
    elif field.kind == BODIES:
        command.add_argument(flag, nargs="+", metavar="NAME", help=help)
    else:
        metavar = (field.dimension or "N").upper() if field.kind == NUMBER else field.kind.upper()
        command.add_argument(flag, metavar=metavar, help=help.replace("%", "%%"))


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio size HELPER FILE …"""
    if options.out is not None:
        check_place(options.out, "--out", tr("the drawing"))
    loaded = load(options.file)
    given = {
        field.name: tuple(value) if isinstance(value, list) else value
        for field in HELPERS[options.helper].fields
        if (value := getattr(options, field.name)) is not None
    }
    from mechstudio.engine.sizing.registry import size

    try:
        with progress_line(tr("Working")) as progress:
            found = size(loaded.project, options.helper, given, progress)
    except (EngineError, RunStopped) as error:
        return say(str(error), AT_FAULT)
    except (ValueError, KeyError) as error:
        raise CommandError(str(error.args[0] if error.args else error)) from None
    print(_json(found) if options.json else _words(found), end="")
    if options.out is not None:
        if not found.additions:
            return say(tr("Nothing is to be added, so that nothing was written."), AT_FAULT)
        _write(options.out, loaded.project, found)
    return status_of(loaded)


def _write(path: str, project: Any, found: Sized) -> None:
    from mechstudio.model.sizing.additions import with_additions

    new = with_additions(project, found.additions)
    try:
        written(path, lambda: save_file(path, new))
    except ProjectFileError as error:
        raise CommandError(str(error)) from None


def _words(found: Sized) -> str:
    lines = [found.sentence, ""]
    width = max((len(f.label) for f in found.figures), default=0)
    lines += [f"{f.label:<{width}}  {_figure(f)}" for f in found.figures]
    for table in found.tables:
        lines += ["", table.title, *_table(table)]
    if found.notes:
        lines += ["", *found.notes]
    return "\n".join(lines) + "\n"


def _figure(figure: Figure) -> str:
    after = _value(figure.value, figure.dimension)
    if math.isnan(figure.before):
        return after
    return f"{_value(figure.before, figure.dimension)} → {after}"


def _value(value: float, dimension: str) -> str:
    return format_value(value, dimension, SYSTEM, DIGITS)


def _table(table: SizedTable) -> list[str]:
    shown = [unit(d, SYSTEM) for d in table.dimensions]
    heads = [
        f"{c} [{u.symbol}]" if u.symbol else c for c, u in zip(table.columns, shown, strict=True)
    ]
    cells = [[table.head, *heads, ""]]
    marks = table.marks or ("",) * len(table.labels)
    for label, row, mark in zip(table.labels, table.rows, marks, strict=True):
        values = [format_number(v / u.factor, DIGITS) for v, u in zip(row, shown, strict=True)]
        cells.append([label, *values, mark])
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    return [
        "  ".join(
            cell.ljust(w) if k in (0, len(row) - 1) else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _json(found: Sized) -> str:
    return json_text(msgspec.to_builtins(found))
