"""Chapters of the report that only the window can fill: views, plots, peaks, runs."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.films.film import Film
from mechstudio.application.marks.gauges import shown_poses
from mechstudio.application.plots.export import pictures
from mechstudio.application.studies import report_chapter
from mechstudio.curves.course import Course
from mechstudio.curves.drawings.diagram import Look as DiagramLook
from mechstudio.curves.drawings.diagram import diagram
from mechstudio.curves.picture import Look, svg
from mechstudio.curves.statistics import statistics
from mechstudio.model.equations.report import (
    DIAGRAM,
    DRAWING,
    MOBILITY,
    NOTES,
    PEAKS,
    PLOTS,
    RUNS,
    STUDIES,
    Figure,
    notes_of,
)
from mechstudio.translation import localised, tr, trn
from mechstudio.view.exports.page import png_of
from mechstudio.view.films.still import shown_still
from mechstudio.view.plots.export import diagram_now
from mechstudio.view.scene.rendering.gl import GraphicsUnavailable

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

VIEW = (1560, 900)  # px of the picture of the view
SMALL = 0.5  # of it for a preview, which is drawn in the window's own time
PAPER = 250  # of 255: what is brighter is the ground of a picture
ROOM = 12  # px that stay around what is drawn
DIAGRAM_SIZE = (620.0, 440.0)  # px of the kinematic diagram
PLOT = (480.0, 230.0)  # px of a plot
MOST_PEAKS = 40  # rows of the table

Rows = tuple[tuple[str, ...], ...]


def subtitle(window: MainWindow) -> str:
    """A line on the mechanism and its run."""
    studio = window.studio
    analysis, run = studio.questions.analysis, studio.runs.present
    parts = []
    if analysis is not None and analysis.structure is not None:
        s = analysis.structure
        parts = [
            tr("Mobility {n}", n=s.mobility),
            tr("hyperstatic {n}", n=s.hyperstaticity),
            trn("{count} loop", "{count} loops", s.loops),
        ]
    if run is not None:
        parts.append(
            tr("{run}, {t} s", run=run.title.lower(), t=localised(f"{run.recording.length:.4g}"))
        )
    return " · ".join(parts)


def _view(window: MainWindow, small: bool) -> tuple[Figure, ...]:
    """The mechanism as the window sees it, as large as a picture holds it."""
    film = Film(width=VIEW[0], height=VIEW[1], format="apng", theme="paper", scale=False)
    share = SMALL if small else 1.0
    size = (round(share * VIEW[0]), round(share * VIEW[1]))
    # the direction is the user's; how near, the paper's
    camera = window.viewport.framing.fitted_to(size)
    try:
        image = shown_still(window.studio, window.viewport, film, camera, size)
    except GraphicsUnavailable:
        return ()  # the report draws one by itself
    image = image.copy(_drawn_part(image))
    data = base64.b64encode(png_of(image)).decode()
    width, height = image.width(), image.height()
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><image width="{width}" height="{height}" '
        f'href="data:image/png;base64,{data}"/></svg>'
    )
    return (Figure(text, tr("The mechanism"), True),)


def _drawn_part(image: QtGui.QImage) -> QtCore.QRect:
    """The part of a picture on paper that is not paper."""
    flat = image.convertToFormat(QtGui.QImage.Format.Format_Grayscale8)
    wide, tall = flat.width(), flat.height()
    pixels = np.frombuffer(flat.constBits(), np.uint8).reshape(tall, -1)[:, :wide]
    dark = pixels < PAPER
    across, down = np.flatnonzero(dark.any(axis=0)), np.flatnonzero(dark.any(axis=1))
    if not len(across):
        return image.rect()
    left, top = int(across[0]) - ROOM, int(down[0]) - ROOM
    right, foot = int(across[-1]) + ROOM, int(down[-1]) + ROOM
    return QtCore.QRect(QtCore.QPoint(left, top), QtCore.QPoint(right, foot)) & image.rect()


def _diagram(window: MainWindow, small: bool) -> tuple[Figure, ...]:
    display = window.studio.display
    look = DiagramLook(DIAGRAM_SIZE)
    try:
        text = diagram(display.project.mechanism, shown_poses(display), look=look)
    except ValueError:
        return ()  # nothing is visible
    return (Figure(text, tr("Kinematic diagram"), True),)


def _plots(window: MainWindow, small: bool) -> tuple[Figure, ...]:
    """Every pane, as it is shown."""
    studio, panel = window.studio, window.docks.plots_panel
    draw = partial(diagram_now, studio)
    panels = pictures(panel.all_shown(), studio.plots.shown, draw)
    return tuple(Figure(svg([p], Look(*PLOT, "paper")), p.title) for p in panels)


def _studies(window: MainWindow, small: bool) -> tuple[Figure, ...]:
    """A picture of each study that was run."""
    panels = report_chapter.pictures(window.studio)
    return tuple(Figure(svg([p], Look(*PLOT, "paper")), p.title) for p in panels)


def _peaks(window: MainWindow) -> Rows:
    """Greatest and least value of each curve that the panes show, over the whole run."""
    head = ("", tr("greatest"), tr("at"), tr("least"), tr("at"))
    rows: list[tuple[str, ...]] = []
    for pane, traces in window.docks.plots_panel.all_shown():
        if pane.diagram is not None or pane.log:
            continue
        for trace in traces:
            if trace.run or trace.points or not len(trace.time):
                continue
            unit = pane.units[1 if trace.curve.second and len(pane.units) > 1 else 0]
            found = statistics(
                Course(np.asarray(trace.time), np.asarray(trace.values)),
                float(trace.time[0]),
                float(trace.time[-1]),
            )
            name, title = tr(trace.name), tr(pane.title)
            if name != title:
                name = tr("{label}: {use}", label=title, use=name)
            rows.append(
                (
                    name,
                    *_extreme(found.greatest, found.greatest_at, unit),
                    *_extreme(found.least, found.least_at, unit),
                )
            )
    return (head, *rows[:MOST_PEAKS]) if rows else ()


def _extreme(value: float | None, time: float | None, unit: str) -> tuple[str, str]:
    if value is None or time is None:
        return "–", "–"
    return localised(f"{value:.4g} {unit}").strip(), localised(f"{time:.3f} s")


def _runs(window: MainWindow) -> Rows:
    """The kept runs and what was changed for each."""
    kept = window.studio.runs.kept.runs
    if not kept:
        return ()
    head = (tr("Run"), tr("what was changed"), tr("until"))
    return (
        head,
        *((run.title, run.remark or "–", localised(f"{run.recording.end:.4g} s")) for run in kept),
    )


def _findings(window: MainWindow) -> tuple[str, ...]:
    """Findings of the Doctor, and their cures."""
    analysis = window.studio.questions.analysis
    if analysis is None:
        return ()
    return tuple(f"{f.message} {f.cure}".strip() for f in analysis.findings)


def _notes(window: MainWindow) -> tuple[str, ...]:
    """Text of the lesson and notes of bodies and joints."""
    return notes_of(window.studio.document.project)


FIGURES: dict[str, Callable[[MainWindow, bool], tuple[Figure, ...]]] = {
    DRAWING: _view,
    DIAGRAM: _diagram,
    PLOTS: _plots,
    STUDIES: _studies,
}
TABLES: dict[str, Callable[[MainWindow], Rows]] = {
    PEAKS: _peaks,
    RUNS: _runs,
    STUDIES: lambda window: report_chapter.rows(window.studio),
}
SENTENCES: dict[str, Callable[[MainWindow], tuple[str, ...]]] = {
    MOBILITY: _findings,
    NOTES: _notes,
}
