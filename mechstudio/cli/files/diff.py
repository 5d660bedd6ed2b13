"""mechstudio diff BEFORE AFTER: what differs between two project files."""

import argparse
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, DONE, Render, load
from mechstudio.cli.terminal import json_text
from mechstudio.files.comparison import differences
from mechstudio.model.project import Project
from mechstudio.translation import tr


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "diff",
        tr("what differs between two project files"),
        tr(
            "List what came, what went and which numbers differ between two project files, one "
            "sentence a line. Exit status: 0 they are the same drawing, 1 they differ, 2 a file "
            "cannot be read."
        ),
        tr("project file before"),
    )
    command.add_argument("after", metavar="AFTER", help=tr("project file after"))
    command.add_argument("--json", action="store_true", help=tr("as JSON"))


def output(before: Project, after: Project, as_json: bool) -> tuple[str, bool]:
    """Text for standard output, and True if nothing differs."""
    found = differences(before, after)
    if as_json:
        return json_text([difference._asdict() for difference in found]), not found
    return "".join(f"{difference.sentence}\n" for difference in found), not found


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio diff BEFORE AFTER [--json]."""
    before, after = load(options.file), load(options.after)
    text, same = output(before.project, after.project, options.json)
    print(text, end="")
    return DONE if same else AT_FAULT
