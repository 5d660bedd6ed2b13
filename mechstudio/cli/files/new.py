"""mechstudio new FILE: an empty project file, or a copy of a sample."""

import argparse
import os
from typing import Any

from mechstudio.application.resources import sample_folder
from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import DONE, CommandError, Render, written
from mechstudio.files.durable import write as write_file
from mechstudio.files.project_file import SUFFIX, encode
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "new",
        tr("an empty project file, or a copy of a sample"),
        tr(
            "Write a new project file; one that is there stays as it is. Exit status: 0 written, "
            "2 it cannot be written, or there is no such sample."
        ),
        tr("project file to write (.mech)"),
    )
    command.add_argument(
        "--from", dest="sample", metavar="SAMPLE", help=tr("sample to begin with, such as four_bar")
    )


def beginning(path: str, sample: str | None) -> bytes:
    """Content of a new file.  Raises ValueError with a sentence where there is one already, and
    for a sample that is not there.
    """
    if os.path.lexists(path):
        raise ValueError(
            tr("{path} is there already; choose another name.", path=os.path.basename(path))
        )
    if not path.endswith(SUFFIX):
        raise ValueError(tr("A project file ends with {suffix}.", suffix=SUFFIX))
    if sample is None:
        return encode(Project())
    known = {place.stem: place for place in sorted(sample_folder().glob(f"*{SUFFIX}"))}
    if sample not in known:
        raise ValueError(
            tr(
                "There is no sample {sample}; there are {known}.",
                sample=sample,
                known=comma().join(known),
            )
        )
    return known[sample].read_bytes()


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio new FILE [--from SAMPLE]."""
    try:
        data = beginning(options.file, options.sample)
    except ValueError as error:
        raise CommandError(str(error)) from None
    written(options.file, lambda: write_file(options.file, data))
    return DONE
