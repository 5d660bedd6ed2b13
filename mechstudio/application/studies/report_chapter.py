"""Chapter of studies in a report: a table of best runs or answers, and a picture of each study."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from mechstudio.application.studies.fits import FitResult
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.application.studio import Studio
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.picture import Line, Panel
from mechstudio.model.units import format_number, format_value
from mechstudio.translation import comma, tr

DIGITS = 4
MARGIN = 0.03  # beside the points of a picture, as a share of their width

Rows = tuple[tuple[str, ...], ...]


@contextmanager
def _shown(studio: Studio, id: str) -> Iterator[StudyShown]:
    """A study with its columns and its best row."""
    shown = StudyShown(studio.document, studio.studies, studio.preferences)
    try:
        shown.choose_study(id)
        yield shown
    finally:
        shown.disconnect()


def rows(studio: Studio) -> Rows:
    """Name, runs, parameters and measures of the best run of each study that was run, or of the
    result of a fit, under their heads; () without one.
    """
    found: list[tuple[str, ...]] = []
    for study in studio.document.project.studies:
        run = studio.studies.of(study.id)
        if study.is_fit and run.fit is not None:
            found.append((study.name, f"{run.fit.runs:,}", *_answered(run.fit, studio)))
        elif not study.is_fit and run.done:
            with _shown(studio, study.id) as shown:
                found.append((study.name, f"{run.done:,}", *_best(shown)))
    head = (tr("Study"), tr("runs"), tr("best parameters"), tr("measured"))
    return (head, *found) if found else ()


def _best(shown: StudyShown) -> tuple[str, str]:
    """Parameters and measures of the best run; what was varied and measured without a goal."""
    names = [c.name for c in shown.columns]
    places = range(len(names))
    parts = [[k for k in places if shown.columns[k].is_measure == of] for of in (False, True)]
    best = shown.best
    if best is None:
        texts = [comma().join(names[k] for k in part) for part in parts]
        return texts[0], texts[1]
    texts = [comma().join(f"{names[k]} = {shown.text(k, best)}" for k in part) for part in parts]
    return texts[0], texts[1]


def _answered(fit: FitResult, studio: Studio) -> tuple[str, str]:
    """Parameters with the half of their intervals, and what the fit leaves."""
    units = studio.preferences.units
    texts = []
    for e in fit.estimates:
        unit = unit_of(e.dimension, units)
        number = lambda value, unit=unit: format_number(value / unit.factor, DIGITS)
        half = 0.5 * (e.high - e.low)
        about = f" ± {number(half)}" if np.isfinite(half) else ""
        texts.append(f"{e.name} = {number(e.value)}{about} {unit.symbol}".rstrip())
    left = [
        tr(
            "{name}: {rms} off (rms)",
            name=q.name,
            rms=format_value(float(np.sqrt(np.mean(q.residuals**2))), q.dimension, units, DIGITS),
        )
        for q in fit.quantities
    ]
    return comma().join(texts), comma().join(left)


def pictures(studio: Studio) -> list[Panel]:
    """Of each study that was run its first goal over the first parameter, of a search over its
    runs, and of a fit the measured points with the run through them.
    """
    found: list[Panel] = []
    for study in studio.document.project.studies:
        run = studio.studies.of(study.id)
        if study.is_fit and run.fit is not None:
            found += _fitted(study.name, run.fit, studio)
        elif not study.is_fit and run.done:
            with _shown(studio, study.id) as shown:
                if (panel := _points(study.name, study.is_search, shown)) is not None:
                    found.append(panel)
    return found


def _points(name: str, searched: bool, shown: StudyShown) -> Panel | None:
    """A measure over the first parameter, or over the runs of a search."""
    if shown.measure is None:
        return None
    y = shown.columns[shown.measure]
    over = None if searched else shown.columns[0]
    values = np.arange(1.0, len(y.values) + 1.0) if over is None else over.values / over.factor
    # gaps at both sides, so that the outer points are whole
    edge = MARGIN * (np.ptp(values) or 1.0)
    across = np.array([values.min() - edge, *values, values.max() + edge])
    up = np.array([np.nan, *(y.values / y.factor), np.nan])
    lines = [Line(y.name, across, up, points=True)]
    if (best := shown.best) is not None:
        at = values[best : best + 1], y.values[best : best + 1] / y.factor
        lines.append(Line(tr("Best run"), *at, color=1, points=True))
    return Panel(
        f"{name}: {y.name}",
        tuple(lines),
        y.unit,
        x_unit="" if over is None else over.unit,
        x_title=tr("run") if over is None else over.name,
    )


def _fitted(name: str, fit: FitResult, studio: Studio) -> Iterator[Panel]:
    for q in fit.quantities:
        unit = unit_of(q.dimension, studio.preferences.units)
        lines = (
            Line(tr("measured"), q.data.times, q.data.values / unit.factor, points=True),
            Line(tr("fitted"), q.run.times, q.run.values / unit.factor, color=1),
        )
        yield Panel(f"{name}: {q.name}", lines, unit.symbol)
