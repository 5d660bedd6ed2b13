"""mechstudio equations FILE: the equations of motion on standard output."""

import argparse
import json
from typing import Any

from .model.lectures import METHODS
from .model.project import Project

FORMATS = ("text", "latex", "python", "json")


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = commands.add_parser(
        "equations", prog="mechstudio equations", help="the equations of motion in symbols",
        description="Derive the equations of motion in the drawing's own names and print them: M(q) a + b(q, v) + g(q) = tau, with C(q) = 0 "
                    "and multipliers where loops close. Exit status: 0 done, 1 the drawing cannot be derived, 2 the file cannot be read.")
    command.add_argument("file", metavar="FILE", help="project file (.mech)")
    command.add_argument("--method", choices=METHODS, default="lagrange")
    command.add_argument("--format", choices=FORMATS, default="text", help="text, latex (amsmath), python (a NumPy module), json (strings)")
    command.add_argument("--coordinates", choices=("joint", "link", "auto"), default="auto",
                         help="joint angles, the angles of links in their plane, or link angles only where loops close (default: that, as in the window)")


def output(project: Project, options: argparse.Namespace) -> str:
    """What the command prints.  Raises symbolic.DerivationError."""
    from .symbolic import TooLarge, derive
    derivation = derive(project, options.method, coordinates=options.coordinates)
    if options.format == "json":
        return json.dumps(derivation.json(), indent=1, ensure_ascii=False) + "\n"
    if options.format == "python" and not derivation.complete:
        raise TooLarge(derivation.notes[0])
    return {"text": derivation.text, "latex": derivation.latex, "python": derivation.python}[options.format]()
