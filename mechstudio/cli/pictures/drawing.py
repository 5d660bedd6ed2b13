"""mechstudio drawing FILE: the front view with dimensions, true to scale, as SVG or PDF."""

import argparse
import os
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import DONE, CommandError, Render, load, say, status_of
from mechstudio.cli.runs import instant
from mechstudio.curves.drawings.sheet import SHEETS, Sheet
from mechstudio.files.durable import WriteFailed
from mechstudio.translation import comma, tr


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "drawing",
        tr("the front view with dimensions, true to scale"),
        tr(
            "Draw the front view on a sheet with the project's gauges as dimensions, or where "
            "there are none with the lengths of links and the distances of pins on the ground. "
            "Exit status: 0 done, 1 the mechanism cannot be brought there, 2 no file or no room."
        ),
    )
    command.add_argument(
        "--time", metavar="T", help=tr("instant of the run [s] (default: as drawn)")
    )
    command.add_argument("--sheet", choices=tuple(SHEETS), default="A4")
    command.add_argument(
        "--scale", metavar="1:5", help=tr("scale (default: the largest of ISO 5455 that fits)")
    )
    command.add_argument(
        "--out", metavar="DRAWING.svg", required=True, help=tr("file to write, SVG or PDF")
    )


def remark(sheet: Sheet) -> str:
    """Sentence about what a sheet does not show true, or ""."""
    said = []
    if sheet.left_out:
        names = comma().join(sheet.left_out)
        said.append(tr("Not seen true in the front view and left out: {names}.", names=names))
    if sheet.hulls:
        hulls = comma().join(sheet.hulls)
        said.append(tr("Meshes drawn by their convex hulls: {names}.", names=hulls))
    return " ".join(said)


def command(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio drawing FILE --out DRAWING.svg …"""
    from mechstudio.api.drawings import drawing as draw_sheet

    loaded = load(options.file)
    _, poses = instant(loaded.project, options)
    try:
        sheet = draw_sheet(
            loaded.project,
            options.out,
            poses=poses,
            sheet=options.sheet,
            scale=options.scale,
            title=loaded.project.lesson.title
            or os.path.splitext(os.path.basename(options.file))[0],
        )
    except (ValueError, WriteFailed) as error:
        raise CommandError(str(error)) from None
    if note := remark(sheet):
        say(note, DONE)
    return status_of(loaded)
