"""A report of chosen chapters in a chosen order, as PDF by Typst and as one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import msgspec

from mechstudio.model.equations.report import (
    CHAPTERS,
    DIAGRAM,
    DRAWING,
    EQUATIONS,
    MOBILITY,
    MOTION,
    NOTES,
    PARAMETERS,
    PEAKS,
    PLOTS,
    RUNS,
    Figure,
    Report,
)
from mechstudio.symbolic.exports.pages import charts, equation_document, mechanism_drawing, moving
from mechstudio.symbolic.exports.pages import report as pages
from mechstudio.symbolic.exports.pages.facts import structure_lines
from mechstudio.symbolic.exports.pages.style import NOTE, compiler, typst_string
from mechstudio.symbolic.printers import text
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.exports.registry import Source

SIZE, MARGIN = 9.0, 16.0  # of formulas [pt]; of the paper [mm]
DRAWN = (460.0, 215.0)  # of the drawing
_LABELS = {chapter.key: chapter.label for chapter in CHAPTERS}
Lines = Iterator[str]
_FOOT = (
    'footer: [#set text(size: 7pt, fill: rgb("{note}"))\n'
    "  mechstudio #h(1fr) #context counter(page).display({form}, both: true)]"
)


def _figures(source: Source, wish: Report, key: str) -> tuple[Figure, ...]:
    """Pictures of a chapter: those of the window, or our own."""
    found = tuple(wish.figures.get(key, ()))
    if key == DRAWING and not found:
        found = (Figure(mechanism_drawing.svg(source.project.mechanism, *DRAWN), wide=True),)
    if key == MOTION:
        found += tuple(
            Figure(charts.svg(c, *pages.CURVES), c.title) for c in source.facts.charts[:4]
        )
    return found


def _sentences(source: Source, wish: Report, key: str) -> tuple[str, ...]:
    found = tuple(wish.sentences.get(key, ()))
    if key in (MOTION, MOBILITY) and source.facts.remark:
        found += (source.facts.remark,)
    if key == EQUATIONS:
        found += (*filter(None, (pages.missing(source.equations),)), *source.equations.notes)
    return found


# Typst


def _image(figure: Figure, width: str) -> str:
    raw = figure.svg.replace("\\", "\\\\").replace('"', '\\"')
    return f'image(bytes("{raw}"), format: "svg", width: {width})'


def _typst_figures(figures: Sequence[Figure]) -> Lines:
    """Pictures two by two, wide ones alone."""
    for figure in figures:
        if figure.wide:
            yield f"#align(center, {_image(figure, '100%')})"
    small = [figure for figure in figures if not figure.wide]
    if small:
        cells = ", ".join(_image(figure, "100%") for figure in small)
        columns = "1fr, 1fr" if len(small) > 1 else "1fr"
        yield (f"#grid(columns: ({columns}), column-gutter: 1.4em, row-gutter: 1.0em, {cells})")


def _typst_table(rows: Sequence[Sequence[str]]) -> Lines:
    """A table: names at the left, numbers at the right."""
    if not rows:
        return
    count = len(rows[0])
    sides = ", ".join(["left", *["right"] * (count - 1)])
    columns = ", ".join(["1fr", *["auto"] * (count - 1)])
    cells = [f"[#soft({typst_string(cell)})]" for cell in rows[0]]
    cells += [f"[#{typst_string(cell)}]" for row in rows[1:] for cell in row]
    yield (
        f"#grid(columns: ({columns},), align: ({sides},), column-gutter: 1.6em, "
        f"row-gutter: 0.62em, {', '.join(cells)})"
    )


def _typst_parameters(source: Source, wish: Report) -> Lines:
    first, second = equation_document.halves(source.equations)
    if not first.parameters:
        return
    parts = [
        equation_document.part(half, "parameters", source.colors, source.units)
        if half.parameters
        else "[]"
        for half in (first, second)
    ]
    yield f"#grid(columns: (1fr, 1fr), column-gutter: 1.8em, {parts[0]}, {parts[1]})"


def _typst_mobility(source: Source, wish: Report) -> Lines:
    lines = ", ".join(
        f"[#soft({typst_string(what)})], [#{typst_string(value)}]"
        for what, value in structure_lines(source.facts.structure)
    )
    yield (
        f"#grid(columns: (auto, 1fr, auto, 1fr), column-gutter: 1.2em, row-gutter: 0.7em, {lines})"
    )


def _typst_equations(source: Source, wish: Report) -> Lines:
    e, colors, units = source.equations, source.colors, source.units
    for key in ("coordinates", "structure", *pages.parts_of(e)):
        if key not in ("structure", "rows"):
            yield f"#head[{equation_document.TITLES[key]}]"
        yield f"#{equation_document.part(e, key, colors, units)}"
        yield "#v(0.35em)"


def _nothing(source: Source, wish: Report) -> Lines:
    """A chapter of pictures, tables and sentences alone."""
    return iter(())


_TYPST: dict[str, Callable[[Source, Report], Lines]] = {
    DRAWING: _nothing,
    DIAGRAM: _nothing,
    PARAMETERS: _typst_parameters,
    MOBILITY: _typst_mobility,
    EQUATIONS: _typst_equations,
    MOTION: _nothing,
    PLOTS: _nothing,
    PEAKS: _nothing,
    RUNS: _nothing,
    NOTES: _nothing,
}


def typst_source(source: Source, wish: Report) -> str:
    """The report as Typst markup."""
    head = equation_document.page(source.title, SIZE, MARGIN)
    first, rest = head.split("footer:", 1)
    foot = _FOOT.format(note=NOTE, form='"1 / 1"')
    # the footer of other documents ends with its line
    rest = rest.split("both: true)]))\n", 1)[1]
    paper = f'paper: "{wish.paper}"'
    out = [
        first.replace('paper: "a4"', paper) + foot + ")\n" + rest,
        f"#text(size: 1.75em, weight: 600, {typst_string(source.title)})",
        "#v(-0.5em)",
        *([f"#soft({typst_string(wish.subtitle)})"] if wish.subtitle else []),
    ]
    for key in wish.chapters:
        figures = _figures(source, wish, key)
        table, sentences = wish.tables.get(key, ()), _sentences(source, wish, key)
        body = [*_TYPST[key](source, wish), *_typst_figures(figures), *_typst_table(table)]
        if not body and not sentences:
            continue
        # the drawing at the head of the first page needs no words
        if key != DRAWING or key != wish.chapters[0]:
            out.append(f"#head[#{typst_string(tr(_LABELS[key]))}]")
        out += body
        look = "#" if key == NOTES else "#note"
        out += [
            f"{look}({typst_string(s)})\n" if key != NOTES else f"#{typst_string(s)}\n"
            for s in sentences
        ]
    return "\n".join(out) + "\n"


def pdf(source: Source, wish: Report) -> bytes:
    """The report as PDF; for a preview its pages as PNG, packed by msgpack."""
    text_ = typst_source(source, wish)
    if not wish.preview:
        return equation_document.pdf(text_)
    made = compiler(text_).compile(text_.encode(), format="png", ppi=wish.preview)
    sheets = made if isinstance(made, list | tuple) else [made]
    return msgspec.msgpack.encode([bytes(sheet) for sheet in sheets if sheet is not None])


# HTML


def _words(x: str) -> str:
    return escape(line(x), {'"': "&quot;", "'": "&#39;"})


def _html_figures(figures: Sequence[Figure], numbers: str = "") -> Lines:
    """Pictures.  numbers: of the mechanism that moves in the place of the first wide one."""
    for figure in figures:
        if figure.wide:
            title = figure.title or tr("Drawing")
            picture = pages.inline(figure.svg, title, "100%")
            yield moving.figure(numbers, picture, title) if numbers else picture
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


def _html_parameters(source: Source, wish: Report) -> Lines:
    rows = pages.parameter_rows(source.equations, source.units)
    if rows:
        yield f'<div class="two"><table>{rows}</table></div>'


def _html_mobility(source: Source, wish: Report) -> Lines:
    yield '<div class="two"><table>'
    for what, value in structure_lines(source.facts.structure):
        yield f'<tr><td class="soft">{_words(what)}</td><td>{_words(value)}</td></tr>'
    yield "</table></div>"


def _html_equations(source: Source, wish: Report) -> Lines:
    e, colors, units = source.equations, source.colors, source.units
    for key in ("coordinates", "structure", *pages.parts_of(e)):
        if key not in ("structure", "rows"):
            yield f"<h3>{_words(tr(equation_document.TITLES[key]))}</h3>"
        said = text.structure(e) if key == "structure" else tr(equation_document.TITLES[key])
        yield pages.formulas(e, key, colors, units, said)


_HTML: dict[str, Callable[[Source, Report], Lines]] = dict.fromkeys(_TYPST, _nothing) | {
    PARAMETERS: _html_parameters,
    MOBILITY: _html_mobility,
    EQUATIONS: _html_equations,
}


def html(source: Source, wish: Report) -> str:
    """The report as one file; where its numbers came along, the mechanism moves in it."""
    moves = bool(source.moving) and DRAWING in wish.chapters
    out = [
        *pages.html_head(source.title, moves),
        *([f'<p class="soft">{_words(wish.subtitle)}</p>'] if wish.subtitle else []),
    ]
    for key in wish.chapters:
        body = [
            *_HTML[key](source, wish),
            *_html_figures(_figures(source, wish, key), source.moving if key == DRAWING else ""),
            *_html_table(wish.tables.get(key, ())),
        ]
        sentences = _sentences(source, wish, key)
        if not body and not sentences:
            continue
        if key != DRAWING or key != wish.chapters[0]:
            out.append(f"<h2>{_words(tr(_LABELS[key]))}</h2>")
        name = "" if key == NOTES else ' class="note"'
        out += [*body, *(f"<p{name}>{_words(s)}</p>" for s in sentences)]
    out += pages.html_foot("mechstudio", moves)
    return "\n".join(out) + "\n"
