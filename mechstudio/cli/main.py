"""The command line: check, simulate, derive and render a project file without a window.

mechstudio/main.py passes the function that draws, because this floor does not import Qt.  Exit
status of all commands: 0 done, 1 the mechanism is at fault, 2 the file or the command is.  Results
go to standard output, everything else to standard error.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence

from mechstudio.cli import (
    actions,
    analyse,
    assemble,
    check,
    equations,
    mesh,
    plot,
    simulate,
)
from mechstudio.cli.files import convert, diff, new
from mechstudio.cli.outcome import AT_FAULT, DONE, UNREADABLE, CommandError, Render, say
from mechstudio.cli.pictures import diagram, drawing, film, render
from mechstudio.cli.studies import fit, optimise, size, study, synthesise
from mechstudio.model.version import VERSION
from mechstudio.translation import Words, lend, tr

__all__ = ["AT_FAULT", "DONE", "UNREADABLE", "is_command", "main"]

DEBUG = "MECHSTUDIO_DEBUG"
# texts of argparse itself, which it reads from gettext
ARGPARSE: tuple[Words, ...] = (
    "usage: ",
    "options",
    "positional arguments",
    "show this help message and exit",
    "show program's version number and exit",
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
    "expected one argument",
    "expected at least one argument",
    "not allowed with argument %s",
    "one of the arguments %s is required",
    "ambiguous option: %(option)s could match %(matches)s",
    "ignored explicit argument %r",
)
# commands by their names, in the order of the help
COMMANDS: dict[str, Callable[[argparse.Namespace, Render | None], int]] = {
    "check": check.command,
    "assemble": assemble.command,
    "analyse": analyse.command,
    "simulate": simulate.command,
    "study": study.command,
    "optimise": optimise.command,
    "fit": fit.command,
    "synthesise": synthesise.command,
    "size": size.command,
    "plot": plot.command,
    "equations": equations.command,
    "mesh": mesh.command,
    "render": render.command,
    "film": film.command,
    "diagram": diagram.command,
    "drawing": drawing.command,
    "convert": convert.command,
    "diff": diff.command,
    "new": new.command,
    "do": actions.do_action,
    "actions": actions.list_actions,
}
ADDED = (
    check.add_command,
    assemble.add_command,
    analyse.add_command,
    simulate.add_command,
    study.add_command,
    optimise.add_command,
    fit.add_command,
    synthesise.add_command,
    size.add_command,
    plot.add_command,
    equations.add_command,
    mesh.add_command,
    render.add_command,
    film.add_command,
    diagram.add_command,
    drawing.add_command,
    convert.add_command,
    diff.add_command,
    new.add_command,
    actions.add_commands,
)


def is_command(arguments: Sequence[str]) -> bool:
    """True if the arguments are for this command line; otherwise they open the window."""
    return bool(arguments) and arguments[0] in (*COMMANDS, "-h", "--help", "--version")


def main(arguments: Sequence[str], draw: Render | None = None) -> int:
    """Run one command.  Returns the exit status and never raises for a mistake of the user.

    draw: draws a picture and writes it; raises OSError if it cannot be written, CommandError if
    nothing can be drawn here.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal without "·" shows a question mark instead
            stream.reconfigure(errors="replace")
    lend()
    try:
        options = _parser().parse_args(arguments)
        return COMMANDS[options.command](options, draw)
    except SystemExit as end:  # argparse: 0 after --help, 2 after a wrong option
        return int(end.code or 0)
    except CommandError as problem:
        return say(str(problem), problem.status)
    except BrokenPipeError:  # the reader of our output went away, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        return say(
            tr("The output cannot be written ({strerror}).", strerror=error.strerror or error),
            UNREADABLE,
        )
    except KeyboardInterrupt:
        return say(tr("Stopped by the keyboard."), 130)
    except MemoryError:
        return say(tr("There is not enough memory for this."), AT_FAULT)
    except Exception as error:
        # a fault of this program: one sentence for the user, the traceback for those who ask for it
        if os.environ.get(DEBUG):
            raise
        return say(
            tr(
                "This is a fault of mechstudio itself, please report it: {type}: {error} "
                "({debug}=1 shows where).",
                type=type(error).__name__,
                error=error,
                debug=DEBUG,
            ),
            UNREADABLE,
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mechstudio",
        description=tr("Draw a 3D mechanism and see it move. Without a command the window opens."),
        usage=(
            "mechstudio [FILE]\n       mechstudio "
            "{check,assemble,analyse,simulate,plot,equations,mesh,render,film,diagram,drawing} "
            "FILE [options]\n       "
            "mechstudio convert IN OUT\n       mechstudio diff BEFORE AFTER\n       "
            "mechstudio new FILE [--from SAMPLE]\n       "
            "mechstudio do ACTION FILE [options]\n       mechstudio actions"
        ),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=tr("mechstudio {version}", version=VERSION),
        help=tr("show program's version number and exit"),
    )
    commands = parser.add_subparsers(
        dest="command",
        required=True,
        metavar=" | ".join(COMMANDS),
    )
    for add in ADDED:
        add(commands)
    return parser
