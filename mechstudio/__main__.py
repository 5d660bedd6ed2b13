"""`mechstudio [FILE]` opens the window; `mechstudio check | simulate | render …` work without
one.
"""

import runpy
import sys

from mechstudio.processes import FROZEN_MODULE, MODULES
from mechstudio.translation import Words, tr

PICTURE = "--picture"
USAGE: Words = (
    "mechstudio: one project file or a command (check, assemble, analyse, simulate, "
    "equations, mesh, render) was expected; mechstudio --help tells more."
)


def main() -> int:
    """Run the program with the arguments of the process; returns the exit status."""
    arguments = sys.argv[1:]
    if len(arguments) > 1 and arguments[0] == FROZEN_MODULE and arguments[1].startswith(MODULES):
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    picture = ""
    if len(arguments) > 1 and arguments[0] == PICTURE:
        picture, arguments = arguments[1], arguments[2:]
    # the command line is only imported where it may be requested: the window shall open at once
    if arguments and not arguments[0].endswith(".mech"):
        from mechstudio.cli import main as cli

        if cli.is_command(arguments):
            from mechstudio.main import draw

            return cli.main(arguments, draw)
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(tr(USAGE), file=sys.stderr)
        return 2
    from mechstudio.main import run_window

    return run_window(arguments[0] if arguments else None, picture)


if __name__ == "__main__":
    sys.exit(main())
