"""Declarations that the commands of the terminal share."""

import argparse
from collections.abc import Callable
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


def size(least: int, most: int, example: str) -> Callable[[str], tuple[int, int]]:
    """Type of an option WxH: width and height [pixels], each from least to most."""

    def read(text: str) -> tuple[int, int]:
        sides = text.lower().replace("×", "x").split("x")
        if (
            len(sides) != 2
            or not all(side.isascii() and side.isdigit() for side in sides)
            or not all(least <= int(side) <= most for side in sides)
        ):
            raise argparse.ArgumentTypeError(
                tr(
                    "{text} is no size; write width and height in pixels such as {example} "
                    "({least} to {most} each).",
                    text=text,
                    example=example,
                    least=least,
                    most=most,
                )
            )
        return int(sides[0]), int(sides[1])

    return read
