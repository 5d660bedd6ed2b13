"""mechstudio mesh FILE: what the part in a file encloses, or why it cannot become a body."""

import argparse
import math
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import DONE, CommandError, Render
from mechstudio.cli.terminal import json_text
from mechstudio.files.meshes import UNITS
from mechstudio.files.parts import load_part
from mechstudio.model.mass_properties import AXIS_NAMES, mass_properties, principal_axes
from mechstudio.model.mechanism import Body, Shape
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_number, format_value
from mechstudio.translation import series, tr

STEEL = 7850.0  # kg/m^3


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "mesh",
        tr(
            "volume and inertia of a part in an STL, OBJ, PLY, glTF, COLLADA, STEP, DXF or SVG file"
        ),
        tr(
            "Read a part as the window does and tell its volume, mass, centre and principal "
            "moments. Exit status: 0 it can become a body, 2 it cannot, with the reason."
        ),
        tr("STL (binary or text), OBJ, glTF or STEP file, or a DXF or SVG profile"),
    )
    command.add_argument(
        "--unit",
        choices=tuple(UNITS),
        help=tr("what a length of 1 in the file is (default: what the file says, else mm)"),
    )
    command.add_argument(
        "--thickness",
        metavar="MM",
        type=_above_zero,
        help=tr("of the plate of a profile, in mm (default: a round share of its size)"),
    )
    command.add_argument(
        "--density",
        metavar="RHO",
        type=_above_zero,
        default=STEEL,
        help=tr("kg/m^3 (default {steel:g}, steel)", steel=STEEL),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object in SI units on standard output")
    )


def _above_zero(text: str) -> float:
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(tr("the number is above zero"))
    return value


def output(options: argparse.Namespace) -> str:
    """Text that the command prints.  Raises MeshFileError."""
    part = load_part(options.file)
    unit = options.unit or part.unit
    thickness = 1e-3 * options.thickness if options.thickness else 0.0
    mesh, notes, axes = part.made(unit, thickness or part.usual_thickness(unit))
    known = mass_properties(
        Body("mesh", "mesh", (Shape("mesh", {}, density=Quantity(options.density), mesh=mesh),))
    )
    principal = principal_axes(known.inertia)
    triangles = len(mesh.triangles) // 12
    if options.json:
        report = {
            "triangles": triangles,
            "volume": known.mass / options.density,
            "mass": known.mass,
            "center": known.center,
            "inertia": known.inertia,
            "principal_moments": principal.moments,
            "principal_axes": principal.axes,
            "axes": [axis._asdict() for axis in axes],
            "notes": notes,
        }
        return json_text(report)
    center = [format_number(0.0 if abs(c) < 1e-12 else c * 1e3) for c in known.center]
    lines = [
        ("Triangles", str(triangles)),
        ("Volume", f"{format_number(known.mass / options.density * 1e6)} cm³"),
        ("Mass", format_value(known.mass, "mass")),
        ("Centre", f"{series(center)} mm"),
        *(
            (
                tr("Moment {name}", name=name),
                tr(
                    "{moment} about ({c})",
                    moment=format_value(moment, "inertia"),
                    c=series(format_number(round(c, 4), 4) for c in axis),
                ),
            )
            for name, moment, axis in zip(AXIS_NAMES, principal.moments, principal.axes)
        ),
    ]
    return "".join(f"{name:<10} {text}\n" for name, text in lines) + "".join(
        tr("Note: {note}\n", note=note) for note in notes
    )


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio mesh FILE [--unit U] [--density RHO] [--json]."""
    from mechstudio.files.meshes import MeshFileError

    try:
        print(output(options), end="")
    except MeshFileError as error:
        raise CommandError(str(error)) from None
    return DONE
