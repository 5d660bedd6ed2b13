"""Panels of a picture from curves: one unit left, a second one right, a third in another panel."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.operations import OPERATIONS, Curve, NotPossible, Options, name_of
from mechstudio.curves.picture import Line, Look, Panel, line_of, pdf, png, svg
from mechstudio.curves.tables import Column
from mechstudio.model.findings import listed
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr

LOUD = 0.01  # of the largest amplitude, below which a spectrum is left out at its end


class Shown(NamedTuple):
    """A curve to be shown.  name: of the quantity.  run: name of its run, "" where there is one.
    dimension: see curves.dimensions.
    """

    name: str
    dimension: str
    course: Course
    run: str = ""


def panels(
    shown: Sequence[Shown], units: str = DEFAULT_SYSTEM, title: str = "", log: bool = False
) -> list[Panel]:
    """Panels for curves.  Of several runs every quantity has its own, where colour and dash show
    the run; of one run they show the quantity.  title: of a single panel, else quantities name it.
    """
    runs = list(dict.fromkeys(s.run for s in shown))
    if len(runs) > 1:
        groups = [
            [s for s in shown if s.name == name] for name in dict.fromkeys(s.name for s in shown)
        ]
    else:
        groups = _by_axes(shown, 1 if log else 2)
    return [_panel(group, runs, units, title if len(groups) == 1 else "", log) for group in groups]


def _by_axes(shown: Sequence[Shown], axes: int) -> list[list[Shown]]:
    kinds = list(dict.fromkeys(s.dimension for s in shown))
    return [
        [s for s in shown if s.dimension in kinds[k : k + axes]] for k in range(0, len(kinds), axes)
    ]


def _panel(group: list[Shown], runs: list[str], units: str, title: str, log: bool) -> Panel:
    kinds = list(dict.fromkeys(s.dimension for s in group))
    symbols = [unit_of(kind, units) for kind in kinds]
    compared = len(runs) > 1
    lines = []
    for k, s in enumerate(group):
        look = runs.index(s.run) if compared else k
        lines.append(
            line_of(
                s.run if compared else s.name,
                s.course,
                symbols[kinds.index(s.dimension)],
                color=look,
                dash=look,
                second=kinds.index(s.dimension) > 0,
            )
        )
    names = list(dict.fromkeys(s.name for s in group))
    called = title or (names[0] if len(names) == 1 else "")
    return Panel(
        called,
        tuple(lines),
        symbols[0].symbol,
        symbols[1].symbol if len(symbols) > 1 else "",
        log=log,
    )


def diagram_panel(
    kind: str,
    shown: Sequence[tuple[str, str, Curve]],
    across: str = "",
    units: str = DEFAULT_SYSTEM,
    title: str = "",
    log: bool = False,
) -> Panel:
    """Panel of a diagram.  kind: a key of OPERATIONS.  shown: names of its curves, names of their
    runs, "" where there is one, and what an operation made of them, of one dimension.  across:
    name of the horizontal axis of one over another.  Raises NotPossible for curves of several
    dimensions.
    """
    if len({c.y_dimension for _, _, c in shown}) > 1:
        raise NotPossible(tr("A diagram shows curves of one dimension."))
    first = shown[0][2]
    x_unit = unit_of(first.x_dimension, units)
    y_unit = unit_of(first.y_dimension, units)
    names = list(dict.fromkeys(name for name, _, _ in shown))
    runs = len({run for _, run, _ in shown}) > 1
    end = max(_loud_end(c) for _, _, c in shown) if kind == "spectrum" else float("inf")
    lines = []
    for k, (name, run, c) in enumerate(shown):
        inside = c.x <= end if kind == "spectrum" else slice(None)
        words = (run if len(names) == 1 else f"{name}, {run}") if runs else name
        x, y = c.x[inside] / x_unit.factor, c.y[inside] / y_unit.factor
        lines.append(Line(words if len(shown) > 1 else "", x, y, k, k, points=c.points))
    row = OPERATIONS[kind]
    whole = listed(names)
    called = tr(row.name).format(*((across, whole) if row.operands > 1 else (whole,)))
    if kind == "spectrum":
        x_title = tr("Frequency")
    elif kind == "phase":
        x_title = names[0] if len(names) == 1 else tr("Value")
    else:
        x_title = across
    return Panel(title or called, tuple(lines), y_unit.symbol, "", x_unit.symbol, x_title, log)


def diagram_columns(
    kind: str,
    shown: Sequence[tuple[str, str, Curve]],
    across: str = "",
    units: str = DEFAULT_SYSTEM,
) -> list[Column]:
    """Columns of the same: the instants of the points where they have some, both axes."""
    out: list[Column] = []
    longest = max(len(c.x) for _, _, c in shown)
    filled = lambda v: np.concatenate((v, np.full(longest - len(v), np.nan)))
    for name, _, c in shown:
        of = f": {name}" if len(shown) > 1 else ""
        x_unit, y_unit = unit_of(c.x_dimension, units), unit_of(c.y_dimension, units)
        x_name = {"spectrum": tr("Frequency"), "phase": name}.get(kind, across)
        if len(c.instants):
            out.append(Column(f"time{of}", "s", filled(c.instants)))
        out.append(Column(f"{x_name}{of}", x_unit.symbol, filled(c.x / x_unit.factor)))
        y_name = name_of("derivative", Options(), name) if kind == "phase" else name
        out.append(Column(y_name, y_unit.symbol, filled(c.y / y_unit.factor)))
    return out


def _loud_end(found: Curve) -> float:
    """Frequency [Hz] up to which a spectrum is drawn."""
    loud = np.flatnonzero(found.y > LOUD * found.y.max(initial=0.0))
    return 1.25 * float(found.x[loud[-1]]) if len(loud) else float("inf")


def content(made: Sequence[Panel], look: Look, ending: str, pixels_per_inch: float = 96.0) -> bytes:
    """A picture in the format of a file's ending: .svg, .pdf or .png.  Raises ValueError for
    another one.
    """
    ending = ending.lower()
    if ending not in (".svg", ".pdf", ".png"):
        raise ValueError(
            tr(
                "There is no picture with the ending {ending}; there are .svg, .pdf and .png.",
                ending=ending or tr("of nothing"),
            )
        )
    picture = svg(tuple(made), look)
    if ending == ".svg":
        return picture.encode()
    return pdf(picture) if ending == ".pdf" else png(picture, pixels_per_inch)
