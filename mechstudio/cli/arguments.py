"""Declarations that the commands of the terminal share."""

import argparse
from typing import Any

from mechstudio.translation import Words, tr

PROJECT: Words = "project file (.mech)"


def file_command(
    commands: Any, name: str, help: str, description: str, file: str = ""
) -> argparse.ArgumentParser:
    """A command on a file, among the others (argparse's sub-parsers).   file: what is said of
    it.
    """
    command = commands.add_parser(
        name, prog=f"mechstudio {name}", help=help, description=description
    )
    command.add_argument("file", metavar="FILE", help=file or tr(PROJECT))
    return command
