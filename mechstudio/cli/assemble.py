"""mechstudio assemble FILE: how a drawing that stands open closes, and the closed drawing as a
file.
"""

import argparse
from collections.abc import Collection
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, CommandError, Render, load, status_of, written
from mechstudio.cli.terminal import json_text
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model.edits import elements
from mechstudio.model.edits.lost_formulas import CLOSED_ELSEWHERE, texts_lost
from mechstudio.model.edits.lost_formulas import reported as loss_reported
from mechstudio.model.project import Project
from mechstudio.model.results.assembly import CURE, reported
from mechstudio.translation import tr


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "assemble",
        tr("close a rough drawing"),
        tr(
            "Close all joints of a drawing with the least movement and tell how far parts move. "
            "Exit status: 0 it closes, 1 it cannot, with the joints that stay apart, 2 the file "
            "cannot be read or written."
        ),
    )
    command.add_argument(
        "--keep",
        metavar="BODY",
        action="append",
        default=[],
        help=tr("a body that stays where it is, by name or id; may be given several times"),
    )
    command.add_argument("--out", metavar="OUT.mech", help=tr("write the closed drawing"))
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, lengths in m")
    )


def output(project: Project, options: argparse.Namespace) -> tuple[str, Project | None]:
    """Text that the command prints, and the closed project; None if it does not close.  Raises
    KeyError for a body that is not there.
    """
    from mechstudio.engine.manifold.diagnosis import close_drawing

    closing = close_drawing(project.mechanism, kept(project, options.keep))
    closed = elements.assembled(project, closing) if closing.closed else None
    lost = list(texts_lost(project, closed)) if closed is not None else []
    if options.json:
        joints = [{"joint": g.joint, "gap": g.distance, "tilt": g.tilt} for g in closing.gaps]
        text = json_text(
            {
                "closed": closing.closed,
                "gap": closing.before,
                "gap_after": closing.after,
                "moved": closing.moved,
                "farthest": closing.farthest,
                "joints": joints,
                "message": reported(closing, project.mechanism),
                "replaced": [{"element": g.name, "field": g.label, "text": g.text} for g in lost],
            }
        ).rstrip()
    else:
        text = reported(closing, project.mechanism) + (
            "" if closing.closed or closing.finding else f" {tr(CURE)}"
        )
        text += f" {loss_reported(lost, tr(CLOSED_ELSEWHERE))}" if lost else ""
    return text + "\n", closed


def kept(project: Project, names: Collection[str]) -> frozenset[str]:
    """Ids of bodies given by name or id.  Raises KeyError with the known names."""
    from mechstudio.model.naming import find_id

    known = {id: b.name for id, b in project.mechanism.bodies.items()}
    return frozenset(find_id(known, name, "body") for name in names)


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio assemble FILE [--keep BODY] [--out OUT.mech]."""
    loaded = load(options.file)
    try:
        text, closed = output(loaded.project, options)
    except KeyError as error:
        raise CommandError(str(error.args[0])) from None
    if closed is None:
        print(text, end="")
        return AT_FAULT
    if options.out is not None:
        try:
            written(options.out, lambda: save_file(options.out, closed, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    print(text, end="")
    return status_of(loaded)
