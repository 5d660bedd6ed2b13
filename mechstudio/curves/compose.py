"""Panels of a picture from curves: one unit left, a second one right, a third in another panel."""

from collections.abc import Sequence
from typing import NamedTuple

from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.picture import Look, Panel, line_of, pdf, png, svg
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr


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
    """Panels for curves.  Of several runs every quantity has its own, where colour and dash tell
    the run; of one run they tell the quantity.  title: of a single panel, else quantities name it.
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
