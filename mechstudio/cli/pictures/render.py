"""mechstudio render: a picture of the mechanism, or of the window, as PNG."""

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from mechstudio.cli.arguments import file_command, size
from mechstudio.cli.outcome import DONE, CommandError, Render, load, on_screen, written
from mechstudio.cli.runs import instant
from mechstudio.model.project import Camera, Project
from mechstudio.translation import tr

if TYPE_CHECKING:
    import numpy as np

LARGEST_PICTURE = 16384  # [pixels] a side


class RenderRequest(NamedTuple):
    """A requested picture.

    time [s]: of the run; None for the drawing.  poses (bodies, 7): the mechanism at that time, in
    file order without ground. width, height [pixels].  theme: "light", "dark" or "paper".
    window: the whole window instead of the viewport.  transparent: without sky and floor.
    """

    path: str
    project: Project
    camera: Camera | None
    time: float | None
    poses: "np.ndarray"
    width: int
    height: int
    theme: str
    window: bool
    out: str
    transparent: bool = False


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "render",
        tr("a picture as PNG"),
        tr(
            "Draw the mechanism, or the whole window, into a PNG file. Where there is no screen a "
            "private virtual one is started (Linux, with Xvfb). Exit status: 0 done, 1 the "
            "mechanism cannot be simulated to that time, 2 no file, no screen or no picture."
        ),
    )
    command.add_argument(
        "--time", metavar="T", help=tr("instant of the run [s] (default: as drawn)")
    )
    command.add_argument(
        "--size",
        metavar="WxH",
        default="1600x1000",
        type=size(16, LARGEST_PICTURE, "1600x1000"),
        help="pixels (default 1600x1000)",
    )
    command.add_argument("--theme", choices=("light", "dark", "paper"), default="light")
    command.add_argument(
        "--transparent", action="store_true", help=tr("without sky and floor (not with --window)")
    )
    command.add_argument(
        "--window", action="store_true", help=tr("the whole window instead of the viewport")
    )
    command.add_argument("--out", metavar="PICTURE.png", required=True, help=tr("file to write"))


def command(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio render FILE …"""
    if draw is None:
        raise CommandError(tr("This installation has no window, so it cannot draw."))
    loaded = load(options.file)
    if options.window and (options.transparent or options.theme == "paper"):
        raise CommandError(
            tr("The whole window is light or dark, and has a ground: leave --window out.")
        )
    time, poses = instant(loaded.project, options)
    width, height = options.size
    request = RenderRequest(
        options.file,
        loaded.project,
        loaded.camera,
        time,
        poses,
        width,
        height,
        options.theme,
        options.window,
        options.out,
        options.transparent,
    )
    screen = (max(width, 640), max(height, 480)) if options.window else ()
    on_screen(lambda: written(options.out, lambda: draw(request)), *screen)
    return DONE
