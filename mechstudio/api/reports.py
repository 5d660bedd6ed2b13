"""Reports of a mechanism and its runs, with chosen chapters."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mechstudio.api.derivations import derive
from mechstudio.files import durable
from mechstudio.model.equations.report import (
    CHAPTERS,
    DIAGRAM,
    DRAWING,
    LESSON,
    LOADS,
    MOBILITY,
    NOTES,
    PAPERS,
    PEAKS,
    PLOTS,
    RUNS,
    SOLUTIONS,
    USUAL,
    Exercise,
    Figure,
    Report,
    listed_chapters,
    notes_of,
)
from mechstudio.model.project import Project
from mechstudio.model.types.exports import EXPORTS
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.api.result import Result

PLOT_SIZE, DIAGRAM_SIZE = (480.0, 230.0), (620.0, 440.0)  # px
Rows = tuple[tuple[str, ...], ...]


def report(
    project: Project,
    path: str | os.PathLike[str],
    *,
    chapters: Sequence[str] = (),
    runs: "Mapping[str, Result] | None" = None,
    plots: Sequence[str] = (),
    title: str = "",
    paper: str = "",
    method: str = "lagrange",
    coordinates: str = "auto",
    units: str = DEFAULT_SYSTEM,
    progress: Callable[[float, str], None] | None = None,
) -> None:
    """Write a report with chosen chapters: .html, .pdf, or its source with the pictures as .typ.zip
    or .tex.zip.

    chapters: keys of model.equations.report.CHAPTERS in their order, such as "drawing", "diagram",
    "parameters", "mobility", "equations", "plots", "peaks", "loads", "runs", "notes", "lesson";
    where they are left out those that the project keeps, or the usual ones.  runs: by the names
    that the report shows; the first one moves in a page of HTML.  plots: quantities as of
    Result.courses, one figure each.  paper: "a4" or "us-letter", the project's where it is left
    out.  Loads are those of the runs; without one of a run of the drawing with its settings.
    Raises ValueError for an ending, a chapter or a paper that is none and for plots without a
    run, DerivationError as derive, QuantityNotFound, WriteFailed.

        >>> project = ms.load("four_bar.mech")
        >>> run = ms.simulate(project, duration="1 s")
        >>> chapters = ("mobility", "plots", "peaks")
        >>> ms.report(project, "r.html", chapters=chapters, runs={"free": run}, plots=["D angle"])
    """
    runs = dict(runs or {})
    found = next((f for f in EXPORTS if f.report and str(path).lower().endswith(f.suffix)), None)
    kept = () if project.report is None else listed_chapters(project)
    chosen = tuple(chapters) or tuple(key for key, on in kept if on) or USUAL.chapters
    paper = paper or (project.report.paper if project.report is not None else PAPERS[0][0])
    known = [c.key for c in CHAPTERS]
    if unknown := [key for key in chosen if key not in known]:
        raise ValueError(
            tr(
                "A report has no chapter {unknown}; there are {known}.",
                unknown=unknown[0],
                known=comma().join(known),
            )
        )
    if paper not in dict(PAPERS):
        raise ValueError(
            tr(
                "There is no paper {paper}; there are {known}.",
                paper=paper,
                known=comma().join(dict(PAPERS)),
            )
        )
    if found is None:
        raise ValueError(
            tr(
                "A report is written as {known}.",
                known=comma().join(f.suffix for f in EXPORTS if f.report),
            )
        )
    if plots and not runs:
        raise ValueError(tr("Plots need a run: name one in runs."))
    loads, sources = _loads(runs) if LOADS in chosen and runs else ((), ())
    report = Report(
        chosen,
        paper,
        "",
        _figures(project, chosen, runs, plots, units),
        _tables(chosen, runs, plots, units) | ({LOADS: loads} if sources else {}),
        _sentences(project, chosen) | ({LOADS: sources} if sources else {}),
        moving=_moving(project, runs) if found.suffix == ".html" and DRAWING in chosen else "",
        exercises=_exercises(project, SOLUTIONS in chosen) if LESSON in chosen else (),
    )
    derivation = derive(project, method, coordinates=coordinates, progress=progress)
    name = title or project.lesson.title or Path(path).name.split(".")[0]
    content = derivation.export(found.id, title=name, units=units, progress=progress, report=report)
    durable.write(path, content if isinstance(content, bytes) else content.encode())


def _figures(
    project: Project,
    chosen: Sequence[str],
    runs: "Mapping[str, Result]",
    plots: Sequence[str],
    units: str,
) -> dict[str, tuple[Figure, ...]]:
    from mechstudio.api.drawings import diagram
    from mechstudio.api.result import plot

    figures: dict[str, tuple[Figure, ...]] = {}
    if DIAGRAM in chosen:
        figures[DIAGRAM] = (Figure(diagram(project, size=DIAGRAM_SIZE)),)
    if PLOTS in chosen and plots:
        figures[PLOTS] = tuple(
            Figure(plot(runs, name, size=PLOT_SIZE, theme="paper", units=units), name)
            for name in plots
        )
    return figures


def _tables(
    chosen: Sequence[str], runs: "Mapping[str, Result]", plots: Sequence[str], units: str
) -> dict[str, Rows]:
    from mechstudio.curves.dimensions import unit_of
    from mechstudio.curves.quantities import find
    from mechstudio.curves.statistics import statistics

    tables: dict[str, Rows] = {}
    if PEAKS in chosen and plots:
        rows: list[tuple[str, ...]] = [
            ("", tr("greatest"), tr("at"), tr("least"), tr("at")),
        ]
        for run, result in runs.items():
            for name, course in zip(plots, result.courses(*plots), strict=True):
                quantity = find(result.project, name)
                unit = unit_of(quantity.dimension, units)
                s = statistics(course, float(result.time[0]), float(result.time[-1]))
                label = f"{quantity.name}, {run}" if len(runs) > 1 else quantity.name
                cells = [
                    "–" if value is None or at is None else text
                    for value, at in ((s.greatest, s.greatest_at), (s.least, s.least_at))
                    for text in (
                        f"{(value or 0.0) / unit.factor:.4g} {unit.symbol}".strip(),
                        f"{at or 0.0:.3f} s",
                    )
                ]
                rows.append((label, *cells))
        tables[PEAKS] = tuple(rows)
    if RUNS in chosen and runs:
        first = next(iter(runs.values()))
        tables[RUNS] = (
            (tr("Run"), tr("what was changed"), tr("until")),
            *(
                (name, _changed(first, result), f"{float(result.time[-1]):.4g} s")
                for name, result in runs.items()
            ),
        )
    return tables


def _loads(runs: "Mapping[str, Result]") -> tuple[Rows, tuple[str, ...]]:
    """Loads in the runs, which are computed again as they were, and sentences on them."""
    from mechstudio.symbolic.exports.pages.facts import loads_of

    rows: list[tuple[str, ...]] = []
    sentences: list[str] = []
    for run, result in runs.items():
        again = msgspec.structs.replace(result.project, settings=result.settings)
        found, notes = loads_of(again, lambda fraction: None)
        end = float(result.time[-1])
        sentences += [tr("Loads of run “{run}” until {end:.4g} s.", run=run, end=end), *notes]
        head, *loads = found or ((),)
        rows += [head] if loads and not rows else []
        several = len(runs) > 1
        rows += [(f"{label}, {run}" if several else label, *cells) for label, *cells in loads]
    return tuple(rows), tuple(dict.fromkeys(sentences))


def _changed(first: "Result", result: "Result") -> str:
    from mechstudio.api.projects import differences

    return " ".join(differences(first.project, result.project)) or "–"


def _sentences(project: Project, chosen: Sequence[str]) -> dict[str, tuple[str, ...]]:
    from mechstudio.api.projects import check

    sentences: dict[str, tuple[str, ...]] = {}
    if MOBILITY in chosen:
        found = check(project).findings
        sentences[MOBILITY] = tuple(f"{f.message} {f.cure}".strip() for f in found)
    if NOTES in chosen:
        sentences[NOTES] = notes_of(project)
    return sentences


def _moving(project: Project, runs: "Mapping[str, Result]") -> str:
    """The mechanism as it moves in a page: in the first run, or as drawn."""
    return moving(project, next(iter(runs.values()), None))


def moving(project: Project, result: "Result | None") -> str:
    """Scene and motion of a run for a page of HTML; as drawn without a run."""
    from mechstudio.application.films.moving_drawing import moving_drawing
    from mechstudio.application.runs.recording import Recording

    if result is None:
        return moving_drawing(project, None)
    recording = Recording(project)
    recording.append(result.rows)
    recording.events = list(result.events)
    return moving_drawing(project, recording)


def _exercises(project: Project, solutions: bool) -> tuple[Exercise, ...]:
    """Steps of the lesson with their questions.  solutions: with the right answers."""
    from mechstudio.application.lessons.sheet import exercises
    from mechstudio.application.preferences import Preferences
    from mechstudio.application.studio import Studio

    studio = Studio(Preferences(kept=False))
    try:
        studio.files.show(project, None, None)
        return exercises(studio, solutions)
    finally:
        studio.close()
