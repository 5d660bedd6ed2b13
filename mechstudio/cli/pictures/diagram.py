"""mechstudio diagram FILE: the kinematic diagram as SVG, PDF or PNG."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mechstudio.cli.arguments import file_command, size
from mechstudio.cli.outcome import CommandError, Render, check_place, load, status_of
from mechstudio.cli.runs import instant
from mechstudio.files.durable import WriteFailed
from mechstudio.files.durable import write as write_file
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    import numpy as np

LARGEST = 8192  # px a side


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    from mechstudio.curves.drawings.diagram import VIEWS

    command = file_command(
        commands,
        "diagram",
        tr("the kinematic diagram with the symbols of ISO 3952"),
        tr(
            "Draw links as bars and joints by their symbols. Exit status: 0 done, 1 the mechanism "
            "cannot be brought there, 2 no file, nothing to draw or nothing could be written."
        ),
    )
    command.add_argument(
        "--time", metavar="T", help=tr("instant of the run [s] (default: as drawn)")
    )
    command.add_argument(
        "--view",
        metavar="NAME",
        default="front",
        help=tr(
            "{names}, or azimuth and elevation in degrees such as -60,20 (default front)",
            names=comma().join(VIEWS),
        ),
    )
    command.add_argument(
        "--size",
        metavar="WxH",
        type=size(64, LARGEST, "960x640"),
        default=(960, 640),
        help=tr("pixels (default 960x640)"),
    )
    command.add_argument("--theme", choices=("light", "dark", "paper"), default="paper")
    command.add_argument(
        "--colours", action="store_true", help=tr("links in the colours of their bodies")
    )
    command.add_argument("--bodies", action="store_true", help=tr("with the names of bodies"))
    command.add_argument("--no-names", action="store_true", help=tr("without names of joints"))
    command.add_argument(
        "--no-loads", action="store_true", help=tr("without springs, forces and motors")
    )
    command.add_argument("--transparent", action="store_true", help=tr("without a ground"))
    command.add_argument(
        "--dimensions",
        action="store_true",
        help=tr("with lengths and angles, in the front view"),
    )
    command.add_argument(
        "--out", metavar="DIAGRAM.svg", required=True, help=tr("file to write, SVG, PDF or PNG")
    )


def output(project: Project, options: argparse.Namespace, poses: "np.ndarray") -> bytes:
    """The file's content.  poses (bodies, 7): in file order.  Raises ValueError for an ending or a
    view that is none, and where nothing is visible.
    """
    from mechstudio.curves.drawings.diagram import Look, content, diagram, view_of
    from mechstudio.curves.gauges.reading import posed

    look = Look(
        options.size,
        options.theme,
        not options.no_names,
        options.bodies,
        options.colours,
        not options.no_loads,
        options.transparent,
        options.dimensions,
    )
    m, view = project.mechanism, view_of(options.view)
    ending = Path(options.out).suffix.lower()
    return content(diagram(m, posed(m, poses), view, look, project), ending)


def command(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio diagram FILE --out DIAGRAM.svg …"""
    loaded = load(options.file)
    check_place(options.out, "--out", tr("the diagram"))
    _, poses = instant(loaded.project, options)
    try:
        write_file(options.out, output(loaded.project, options, poses))
    except (ValueError, WriteFailed) as error:
        raise CommandError(str(error)) from None
    return status_of(loaded)
