"""mechstudio drawing FILE: the front view with dimensions, true to scale, as SVG or PDF."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mechstudio.cli.arguments import file_command
from mechstudio.curves.drawings.sheet import SHEETS, scale_of
from mechstudio.model.project import Project
from mechstudio.translation import tr

if TYPE_CHECKING:
    import numpy as np

ENDINGS = (".svg", ".pdf")


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


def output(project: Project, options: argparse.Namespace, poses: "np.ndarray") -> tuple[bytes, str]:
    """The file's content, and a remark or "".  poses (bodies, 7): in file order.  Raises ValueError
    for an ending, a sheet or a scale that is none.
    """
    from mechstudio.curves.drawings.sheet import front_view
    from mechstudio.curves.gauges.reading import posed

    path = Path(options.out)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(
            tr("A drawing is written as .svg or .pdf, not as {ending}.", ending=ending or "–")
        )
    scale = None if options.scale is None else scale_of(options.scale)
    name = project.lesson.title or Path(options.file).stem
    sheet = front_view(project, name, options.sheet, scale, poses=posed(project.mechanism, poses))
    remark = ""
    if sheet.left_out:
        names = ", ".join(sheet.left_out)
        remark = tr("Not seen true in the front view and left out: {names}.", names=names)
    if sheet.hulls:
        hulls = tr("Meshes drawn by their convex hulls: {names}.", names=", ".join(sheet.hulls))
        remark = f"{remark} {hulls}".strip()
    return sheet.content(ending), remark
