"""The analyses of mechstudio analyse that give a table: how they are requested, printed and written
as JSON.
"""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mechstudio.cli.terminal import json_text
from mechstudio.curves.tables import without_rounding
from mechstudio.model.project import Project
from mechstudio.model.types.analyses import ANALYSES, AXES
from mechstudio.model.units import format_number, unit
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.analyses.table import Table

SI = "m-N-rad"
MOST_ROWS = 20  # of a printed table; the first and the last ones
MOST_COLUMNS = 9  # beside the first one


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of the analyses that give a table."""
    group = command.add_argument_group(tr("analyses of a motion or a state"))
    group.add_argument(
        "--joints",
        nargs="+",
        metavar="NAME",
        default=[],
        help=tr("reactions: of these joints (default: all)"),
    )
    group.add_argument(
        "--bodies",
        nargs="+",
        metavar="NAME",
        default=[],
        help=tr("torsors: of these bodies (default: all)"),
    )
    group.add_argument(
        "--axes",
        choices=AXES,
        default="joint",
        help=tr(
            "reactions, loads, torsors: axes of the components (default: those of the joint's "
            "second frame; of torsors: the world's)"
        ),
    )
    group.add_argument(
        "--point",
        metavar="P",
        help=tr("where moments are read: 'x,y,z' in m, a joint's name, or 'body.point'"),
    )
    group.add_argument(
        "--frame",
        action="append",
        metavar="BODY[.POINT]",
        default=[],
        help=tr("kinematics, relative: the observed point, may be given several times"),
    )
    group.add_argument(
        "--from",
        dest="seen_from",
        metavar="BODY",
        default="ground",
        help=tr("relative: the body that it is seen from"),
    )
    group.add_argument(
        "--time",
        metavar="T",
        help=tr("torsors, power, linearise, matrices: instant [s] (default: the beginning)"),
    )
    group.add_argument(
        "--duration", metavar="S", help=tr("length of the run (default: the project's)")
    )
    group.add_argument(
        "--sample-step", metavar="H", help=tr("time between rows (default: the project's)")
    )
    group.add_argument(
        "--motion",
        action="append",
        metavar="JOINT=TEXT",
        default=[],
        help=tr("inverse: position of a joint over t, such as 'A=90 deg*sin(2 rad/s*t)'"),
    )
    group.add_argument(
        "--independent",
        nargs="+",
        metavar="Q",
        default=[],
        help=tr("linearise, matrices: names of the independent coordinates"),
    )
    group.add_argument(
        "--inputs",
        nargs="+",
        metavar="JOINT",
        default=[],
        help=tr(
            "linearise, matrices: joints on which efforts act (default: those with motors, or all)"
        ),
    )
    group.add_argument(
        "--starts",
        type=int,
        default=40,
        metavar="N",
        help=tr("equilibria: from how many poses to search (default 40)"),
    )
    group.add_argument(
        "--parameter",
        action="append",
        metavar="NAME",
        default=[],
        help=tr("sensitivity: a parameter, may be given several times (default: all)"),
    )
    group.add_argument(
        "--channel",
        action="append",
        metavar="KEY",
        default=[],
        help=tr("sensitivity: a channel such as joint/A/0 (default: all joint coordinates)"),
    )


def table_of(
    project: Project,
    what: str,
    options: argparse.Namespace,
    progress: Callable[[float], None] | None = None,
) -> "Table":
    """One analysis by the options.  Raises as analyses.analyse does."""
    from mechstudio.engine.analyses.registry import analyse

    point: Any = options.point
    if point is not None and point.count(",") == 2:
        try:
            point = tuple(float(c) for c in point.split(","))
        except ValueError:
            raise ValueError(
                tr(
                    "The point {point} should be three numbers in m such as 0.1,0,0.2, a joint's "
                    "name, or body.point.",
                    point=options.point,
                )
            ) from None
    motion = {}
    for text in options.motion:
        joint, equals, law = text.partition("=")
        if not equals:
            raise ValueError(
                tr(
                    "A motion reads JOINT=TEXT, such as 'A=90 deg*sin(2 rad/s*t)'; {text} has no "
                    "equals sign.",
                    text=text,
                )
            )
        motion[joint.strip()] = law.strip()
    return analyse(
        project,
        what,
        progress,
        joints=options.joints,
        bodies=options.bodies,
        axes=options.axes,
        point=point,
        frames=options.frame,
        seen_from=options.seen_from,
        time=options.time,
        duration=options.duration,
        sample_step=options.sample_step,
        motion=motion,
        independent=options.independent,
        inputs=options.inputs,
        starts=options.starts,
        parameters=options.parameter,
        channels=options.channel,
    )


def plain(table: "Table") -> dict[str, Any]:
    """A table as JSON holds it: what, units and columns, rows with null for what is unknown,
    residual.
    """
    numbers = table.rows.tolist()
    out: dict[str, Any] = {
        "what": table.what,
        "units": [unit(d, SI).symbol for d in table.dimensions],
        "columns": table.columns,
        "rows": numbers,
        "residual": table.residual,
    }
    if table.labels is not None:
        out["labels"] = table.labels
    if table.hatched.any():
        out["not_determined"] = (
            next(
                [c for c, loose in zip(table.columns, row) if loose]
                for row in table.hatched.tolist()
            )
            if (table.hatched == table.hatched[0]).all()
            else [
                [c for c, loose in zip(table.columns, row) if loose]
                for row in table.hatched.tolist()
            ]
        )
    return out | table.more | ({"notes": list(table.notes)} if table.notes else {})


def lines(table: "Table") -> list[str]:
    """A table for people: few digits, as many columns as a terminal holds, the rest counted."""
    shown = range(len(table.columns))[: MOST_COLUMNS + (table.labels is None)]
    head = [
        f"{table.columns[c]} [{u}]"
        if (u := unit(table.dimensions[c], SI).symbol)
        else table.columns[c]
        for c in shown
    ]
    count = len(table.rows)
    numbers = without_rounding(table.what, table.dimensions, table.rows)
    picked = (
        list(range(count))
        if count <= MOST_ROWS
        else [*range(MOST_ROWS // 2), None, *range(count - MOST_ROWS // 2, count)]
    )
    body = []
    for r in picked:
        if r is None:
            body.append(["…"] * (len(shown) + (table.labels is not None)))
            continue
        cells = [
            format_number(float(numbers[r, c]), 5) + ("*" if table.hatched[r, c] else "")
            for c in shown
        ]
        body.append([*([table.labels[r]] if table.labels is not None else []), *cells])
    full = [[*([""] if table.labels is not None else []), *head], *body]
    wide = [max(len(row[c]) for row in full) for c in range(len(full[0]))]
    first = table.labels is not None
    out = [
        "  ".join(
            cell.ljust(w) if first and k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, wide))
        ).rstrip()
        for row in full
    ]
    if len(shown) < len(table.columns):
        out.append(
            tr(
                "and {count} columns more; --json has all of them",
                count=len(table.columns) - len(shown),
            )
        )
    if table.hatched.any():
        out.append("* not determined by rigid bodies")
    if table.residual is not None:
        out.append(tr("residual {residual:.2g}", residual=table.residual))
    return [*out, *table.notes]


def output(
    project: Project,
    what: tuple[str, ...],
    options: argparse.Namespace,
    progress: Callable[[float], None] | None = None,
) -> str:
    """Text that the command prints for some tables."""
    tables = [table_of(project, w, options, progress) for w in what]
    if options.json:
        parts = [plain(t) for t in tables]
        return json_text(parts[0] if len(parts) == 1 else parts)
    return "\n".join("\n".join([tr(ANALYSES[t.what].label), *lines(t)]) for t in tables) + "\n"
