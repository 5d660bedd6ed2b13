"""A report of chosen chapters as one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from mechstudio.model.equations.report import (
    DERIVATION,
    DRAWING,
    EQUATIONS,
    LABELS,
    LESSON,
    MOBILITY,
    NOTES,
    PARAMETERS,
    Figure,
    Report,
)
from mechstudio.symbolic.exports.pages import chapters, equation_document, exercises, moving_drawing
from mechstudio.symbolic.exports.pages import report as pages
from mechstudio.symbolic.exports.pages.slim_svg import with_shared_glyphs
from mechstudio.symbolic.printers import text
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.exports.registry import Source

Lines = Iterator[str]
TALLEST = 92.0  # mm of a picture over the whole page
WIDTH = 178.0  # mm of the page inside its margins


def _words(x: str) -> str:
    return escape(line(x), {'"': "&quot;", "'": "&#39;"})


def _html_figures(figures: Sequence[Figure], numbers: str = "") -> Lines:
    """Pictures.  numbers: of the mechanism that moves in the place of the first wide one."""
    for figure in figures:
        if figure.wide:
            title = figure.title or tr("Drawing")
            share = min(100.0, 100.0 * TALLEST * chapters.ratio(figure) / WIDTH)
            picture = pages.inline(figure.svg, title, f"{share:.0f}%; margin: 0 auto")
            yield moving_drawing.figure(numbers, picture, title) if numbers else picture
            numbers = ""
    small = [figure for figure in figures if not figure.wide]
    if small:
        yield '<div class="curves">'
        yield from (pages.inline(figure.svg, figure.title, "100%") for figure in small)
        yield "</div>"


def _html_table(rows: Sequence[Sequence[str]]) -> Lines:
    if not rows:
        return
    yield "<table>"
    for k, row in enumerate(rows):
        cells = "".join(
            f'<td class="{"value" if i else ""}{" soft" if not k else ""}">{_words(cell)}</td>'
            for i, cell in enumerate(row)
        )
        yield f"<tr>{cells}</tr>"
    yield "</table>"


def _html_parameters(source: Source, report: Report) -> Lines:
    rows = pages.parameter_rows(source.equations, source.units)
    if rows:
        yield f'<div class="two"><table>{rows}</table></div>'


def _html_mobility(source: Source, report: Report) -> Lines:
    yield '<div class="two"><table>'
    for what, value in chapters.structure(source, report):
        yield f'<tr><td class="soft">{_words(what)}</td><td>{_words(value)}</td></tr>'
    yield "</table></div>"


def _html_equations(source: Source, report: Report) -> Lines:
    e, colors, units = source.equations, source.colors, source.units
    for key in ("coordinates", "structure", *pages.all_parts(e)):
        if key not in ("structure", "rows"):
            yield f"<h3>{_words(tr(equation_document.TITLES[key]))}</h3>"
        said = text.structure(e) if key == "structure" else tr(equation_document.TITLES[key])
        yield pages.formulas(e, key, colors, units, said)


def _html_derivation(source: Source, report: Report) -> Lines:
    found = source.chapter
    yield f'<p class="soft">{_words(found.title)}</p>'
    yield from pages.steps(found, source.colors)


_HTML: dict[str, Callable[[Source, Report], Lines]] = {
    PARAMETERS: _html_parameters,
    MOBILITY: _html_mobility,
    EQUATIONS: _html_equations,
    DERIVATION: _html_derivation,
    LESSON: lambda source, report: exercises.html(report),
}


def html(source: Source, report: Report) -> str:
    """The report as one file; where its numbers came along, the mechanism moves in it."""
    moves = bool(source.moving) and DRAWING in report.chapters
    out = [
        *pages.html_head(source.title, moves),
        *([f'<p class="soft">{_words(report.subtitle)}</p>'] if report.subtitle else []),
    ]
    for key in report.chapters:
        body = [
            *(_HTML[key](source, report) if key in _HTML else ()),
            *_html_figures(
                chapters.figures(source, report, key), source.moving if key == DRAWING else ""
            ),
            *_html_table(chapters.table(source, report, key)),
        ]
        sentences = chapters.sentences(source, report, key)
        if not body and not sentences:
            continue
        if key != DRAWING or key != report.chapters[0]:
            out.append(f"<h2>{_words(tr(LABELS[key]))}</h2>")
        name = "" if key == NOTES else ' class="note"'
        out += [*body, *(f"<p{name}>{_words(s)}</p>" for s in sentences)]
    out += pages.html_foot("mechstudio", moves)
    return with_shared_glyphs("\n".join(out)) + "\n"
