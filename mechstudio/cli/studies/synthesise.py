"""mechstudio synthesise: linkages whose path, function or motion is requested."""

import argparse
import math
from typing import TYPE_CHECKING, Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, DONE, CommandError, Render, check_place, say, written
from mechstudio.cli.studies.options import interruptible
from mechstudio.cli.terminal import clear_line, json_text, show_line
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model.formulas.expression import ExpressionError, evaluate
from mechstudio.model.units import format_value
from mechstudio.translation import Words, tr, trn

if TYPE_CHECKING:
    from mechstudio.api.synthesis import Synthesised

PATH, FUNCTION, MOTION = "path", "function", "motion"
# columns of the table and their dimensions, "" for those that may be missing
COLUMNS = {
    PATH: (("x", "length"), ("z", "length")),
    FUNCTION: (("input", "angle"), ("output", "")),
    MOTION: (("x", "length"), ("z", "length"), ("angle", "angle")),
}
USUAL = {"length": "mm", "angle": "deg"}  # units of columns without one
MOST = 10  # linkages that are listed
TURNING: Words = (
    "{number}. off by {error}, transmission angle at least {transmission}, the crank turns all the "
    "way round"
)
SWINGING: Words = (
    "{number}. off by {error}, transmission angle at least {transmission}, the crank swings"
)


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "synthesise",
        tr("find linkages for a path, a function or a motion"),
        tr(
            "Find linkages whose tracer goes through points, whose output follows the crank, or "
            "whose coupler goes through poses, without defects of order, branch and circuit. Exit "
            "status: 0 there are some, 1 there are none, 2 the table or an option cannot be read."
        ),
        tr(
            "table of the task (.csv): columns x and z of a path, which may have one called crank "
            "for its angles; input and output of a function; x, z and angle of a motion. Units "
            "stand in brackets, mm and deg else"
        ),
    )
    command.add_argument(
        "--for",
        dest="purpose",
        choices=tuple(COLUMNS),
        default=PATH,
        help=tr("what the table holds (default: path)"),
    )
    command.add_argument(
        "--linkage",
        metavar="NAME",
        default="four_bar",
        help=tr("four_bar (default), slider_crank, stephenson, watt or watt_second"),
    )
    command.add_argument(
        "--closed", action="store_true", help=tr("the last point leads to the first again")
    )
    command.add_argument(
        "--turn",
        choices=("yes", "no"),
        help=tr("the crank turns all the way round (default: yes for a path, no else)"),
    )
    command.add_argument(
        "--transmission",
        metavar="ANGLE",
        default="20 deg",
        help=tr("least angle between links that push each other (default 20 deg)"),
    )
    command.add_argument(
        "--lengths", metavar="LOW..HIGH", help=tr("of links between pins, '50..600 mm'")
    )
    command.add_argument(
        "--region",
        metavar="X..X,Z..Z",
        help=tr("where pivots on ground may be, '-100..100 mm,0..300 mm'"),
    )
    command.add_argument(
        "--base",
        metavar="LENGTH",
        default="100 mm",
        help=tr("between the pivots of crank and rocker of a function (default 100 mm)"),
    )
    command.add_argument(
        "--seed", metavar="N", type=int, default=1, help=tr("of the draws (default 1)")
    )
    command.add_argument("--out", metavar="OUT.mech", help=tr("write the drawing of the best"))
    command.add_argument(
        "--take", metavar="N", type=int, default=1, help=tr("write the N-th of the list instead")
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output, in SI")
    )


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio synthesise CSV [--for path] [--linkage NAME] [--out OUT.mech]."""
    if options.out is not None:
        check_place(options.out, "--out", tr("the drawing"))
    try:
        with interruptible() as is_interrupted:
            found = _found(options, is_interrupted)
            was_stopped = is_interrupted()
    except ValueError as error:
        raise CommandError(str(error)) from None
    finally:
        clear_line()
    print(_json(found) if options.json else _words(options, found), end="")
    if was_stopped:
        say(tr("The search was stopped; this is the best so far."), AT_FAULT)
    if not found:
        from mechstudio.synthesis.defects import NONE

        return say(tr(NONE), AT_FAULT)
    if not 1 <= options.take <= len(found):
        raise CommandError(
            trn(
                "There is one linkage to take.",
                "There are {count} linkages to take from.",
                len(found),
            )
        )
    if options.out is not None:
        chosen = found[options.take - 1].project
        try:
            written(options.out, lambda: save_file(options.out, chosen))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    return DONE


def _found(options: argparse.Namespace, is_interrupted: Any) -> "list[Synthesised]":
    from mechstudio.api import synthesis

    columns = _columns(options)
    shared: dict[str, Any] = {
        "transmission": _number(options.transmission, "angle", "deg"),
        "most": MOST,
        "seed": options.seed,
        "progress": lambda share: _show(share) and not is_interrupted(),
    }
    if options.turn is not None:
        shared["turn"] = options.turn == "yes"
    if options.purpose == FUNCTION:
        base = _number(options.base, "length", "mm")
        return synthesis.synthesise_function(
            columns["input"], columns["output"], options.linkage, base=base, **shared
        )
    if options.lengths is not None:
        shared["lengths"] = _range(options.lengths)
    if options.region is not None:
        x, _, z = options.region.partition(",")
        (x0, x1), (z0, z1) = _range(x), _range(z)
        shared["region"] = (x0, z0, x1, z1)
    points = list(zip(columns["x"], columns["z"]))
    if options.purpose == MOTION:
        return synthesis.synthesise_motion(points, columns["angle"], options.linkage, **shared)
    return synthesis.synthesise_path(
        points, options.linkage, closed=options.closed, timing=columns.get("crank"), **shared
    )


def _show(share: float) -> bool:
    show_line(tr("{share:.0f} % searched", share=100 * share))
    return True


def _columns(options: argparse.Namespace) -> dict[str, list[float]]:
    """Columns of the table by name, in SI.  Raises ValueError, CommandError."""
    from mechstudio.curves.measurements.table import read, text_of

    try:
        columns = read(text_of(options.file))
    except OSError as error:
        raise CommandError(
            tr(
                "{path} cannot be read ({reason}).",
                path=options.file,
                reason=error.strerror or error,
            )
        ) from None
    table = {column.name.strip().lower(): column for column in columns}
    slides = options.linkage == "slider_crank"
    out = {}
    for name, dimension in (*COLUMNS[options.purpose], ("crank", "angle")):
        dimension = dimension or ("length" if slides else "angle")
        if name not in table:
            if name == "crank":
                continue
            raise ValueError(tr("{path} has no column {name}.", path=options.file, name=name))
        column = table[name]
        factor = _number(f"1 {column.unit or USUAL[dimension]}", dimension)
        out[name] = (column.values * factor).tolist()
        if not all(map(math.isfinite, out[name])):
            raise ValueError(tr("A cell of the column {name} is empty.", name=name))
    return out


def _number(text: str, dimension: str, unit: str = "") -> float:
    try:
        return evaluate(text, dimension, {}, unit)
    except ExpressionError as error:
        raise ValueError(tr("{text} cannot be read: {error}", text=text, error=error)) from None


def _range(text: str) -> tuple[float, float]:
    low, dots, high = text.partition("..")
    if not dots:
        raise ValueError(tr("{text} is no range: write it as 50..600 mm.", text=text))
    unit = high.strip().lstrip("+-−.0123456789eE").strip()
    low = low if not unit or low.strip()[-1:].isalpha() else f"{low} {unit}"
    first, last = _number(low, "length", "mm"), _number(high, "length", "mm")
    if not first < last:
        raise ValueError(tr("{text} is no range: write it as 50..600 mm.", text=text))
    return first, last


def _words(options: argparse.Namespace, found: "list[Synthesised]") -> str:
    dimension = "length"
    if options.purpose == FUNCTION and options.linkage != "slider_crank":
        dimension = "angle"
    lines = [trn("One linkage.", "{count} linkages, the best first.", len(found))]
    for k, one in enumerate(found, 1):
        numbers = {
            "number": k,
            "error": format_value(one.error, dimension, digits=3),
            "transmission": format_value(one.transmission, "angle", digits=3),
        }
        lines.append(tr(TURNING, **numbers) if one.turns else tr(SWINGING, **numbers))
    return "\n".join(lines) + "\n"


def _json(found: "list[Synthesised]") -> str:
    rows = [
        {
            "type": one.type,
            "error": one.error,
            "worst": one.worst,
            "transmission": one.transmission,
            "turns": one.turns,
            "numbers": one.numbers,
        }
        for one in found
    ]
    return json_text({"linkages": rows})
