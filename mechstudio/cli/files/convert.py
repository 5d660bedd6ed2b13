"""mechstudio convert IN OUT: a file of one program as one of another."""

import argparse
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import DONE, CommandError, Render, check_place
from mechstudio.files.exchange.formats import FORMATS, PROJECT
from mechstudio.files.exchange.pack import ENDING as PACK
from mechstudio.translation import comma, tr


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    rows = (PROJECT, *FORMATS.values())
    readable = comma().join((PACK, *(s for row in rows if row.reads for s in row.suffixes)))
    writable = comma().join(
        (PACK, ".py", ".fmu", *(s for row in rows if row.writes for s in row.suffixes))
    )
    command = file_command(
        commands,
        "convert",
        tr("a file of one program as one of another"),
        tr(
            "Read a mechanism and write it in the format of the other ending; each thing that does "
            "not come along is named. Exit status: 0 written, 2 a file cannot be read or written, "
            "with the reason."
        ),
        tr("file to read ({readable})", readable=readable),
    )
    command.add_argument(
        "out", metavar="OUT", help=tr("file to write ({writable})", writable=writable)
    )


def converted(options: argparse.Namespace) -> list[str]:
    """Write the file; sentences on what did not come along.  Raises ExchangeError."""
    from mechstudio.api.exchange import convert

    return convert(options.file, options.out)


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio convert IN OUT."""
    from mechstudio.files.exchange.xml_text import ExchangeError

    check_place(options.out, "OUT", tr("the result"))
    try:
        notes = converted(options)
    except ExchangeError as error:
        raise CommandError(str(error)) from None
    if notes:
        print("\n".join(notes))
    return DONE
