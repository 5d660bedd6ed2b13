"""Contents of the chapters of a report, the same for every format: pictures, tables and sentences,
those of the window and our own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mechstudio.model.equations.report import (
    DRAWING,
    EQUATIONS,
    LOADS,
    MOTION,
    Figure,
    Report,
)
from mechstudio.symbolic.exports.pages import charts, mechanism_drawing
from mechstudio.symbolic.exports.pages import report as pages
from mechstudio.symbolic.exports.pages.facts import structure_lines
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.model.results.analysis import Structure
    from mechstudio.symbolic.exports.registry import Source

DRAWN = (460.0, 300.0)  # of our own drawing
NARROW = 2.1  # width over height of a picture, below which two stand side by side
_NUMBER = r"([\d.eE+-]+)"
_SIZE = re.compile(rf'<svg[^>]*?\bviewBox="{_NUMBER}[ ,]+{_NUMBER}[ ,]+{_NUMBER}[ ,]+{_NUMBER}"')


def figures(source: Source, report: Report, key: str) -> tuple[Figure, ...]:
    """Pictures of a chapter: those of the window, or our own."""
    found = tuple(report.figures.get(key, ()))
    if key == DRAWING and not found:
        found = (Figure(mechanism_drawing.svg(source.project.mechanism, *DRAWN), wide=True),)
    if key == MOTION:
        found += tuple(
            Figure(charts.svg(c, *pages.CURVES), c.title) for c in source.facts.charts[:4]
        )
    return found


def ratio(figure: Figure) -> float:
    """Width over height of a picture; 2 where it does not say."""
    found = _SIZE.search(figure.svg[:2000])
    if found is None or not float(found[4]) > 0.0:
        return 2.0
    return float(found[3]) / float(found[4])


def stand_together(source: Source, report: Report) -> tuple[str, ...]:
    """Two chapters of one narrow picture each, which stand side by side at the head of the report;
    () for none.
    """
    two = report.chapters[:2]
    if len(two) < 2 or any(key in report.tables or key in report.sentences for key in two):
        return ()
    found = [figures(source, report, key) for key in two]
    alone = all(len(f) == 1 and f[0].wide and ratio(f[0]) < NARROW for f in found)
    return two if alone and DRAWING in two else ()


def table(source: Source, report: Report, key: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a chapter's table, the first one its heads."""
    if key == LOADS and key not in report.tables:
        return source.loads.rows
    return tuple(report.tables.get(key, ()))


def sentences(source: Source, report: Report, key: str) -> tuple[str, ...]:
    """Sentences behind the rest of a chapter."""
    found = tuple(report.sentences.get(key, ()))
    if key == MOTION and source.facts.remark:
        found += (source.facts.remark,)
    if key == LOADS and key not in report.tables:
        if source.loads.rows:
            found += (
                tr(
                    "Loads of a run of the drawing as it is, of {duration:.4g} s unless a "
                    "condition ends it.",
                    duration=source.project.settings.duration.value,
                ),
            )
        found += source.loads.notes
    if key == EQUATIONS:
        found += (*filter(None, (pages.missing(source.equations),)), *source.equations.notes)
    return found


def structure(source: Source, report: Report) -> list[tuple[str, str]]:
    """Numbers of the structure in words."""
    known: Structure | None = report.structure or source.structure
    return structure_lines(known)
