"""A report of chosen chapters by Typst: as PDF, as pages for a preview, and as its source with the
pictures beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from mechstudio.model.equations.report import (
    DERIVATION,
    DERIVED,
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
from mechstudio.symbolic.exports.archive import zipped
from mechstudio.symbolic.exports.pages import chapters, equation_document, exercises, lecture
from mechstudio.symbolic.exports.pages import report as pages
from mechstudio.symbolic.exports.pages.style import NOTE, compiler, typst_string
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.model.project import Project
    from mechstudio.symbolic.exports.registry import Source

SIZE, MARGIN = 9.0, 16.0  # of formulas [pt]; of the paper [mm]
WIDTH = 178.0  # mm of the text
TALLEST, BESIDE = 92.0, 72.0  # mm of a picture alone, and beside another
WHOLE = 24  # rows of a table that stays on one page
Lines = Iterator[str]
Placed = Callable[[Figure], str]  # the source of a picture in Typst
_FOOT = (
    'footer: [#set text(size: 7pt, fill: rgb("{note}"))\n'
    "  mechstudio #h(1fr) #context counter(page).display({form}, both: true)]"
)


def _inside(figure: Figure) -> str:
    """A picture within the text."""
    raw = figure.svg.replace("\\", "\\\\").replace('"', '\\"')
    return f'bytes("{raw}"), format: "svg"'


class PicturesBeside:
    """Pictures that lie in a folder beside the text.  files: content by path."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def __call__(self, figure: Figure) -> str:
        path = f"pictures/{len(self.files) + 1:02d}.svg"
        self.files[path] = figure.svg.encode()
        return f'"{path}"'


def _image(figure: Figure, place: Placed, width: str) -> str:
    return f"image({place(figure)}, width: {width})"


def _typst_figures(figures: Sequence[Figure], place: Placed) -> Lines:
    """Pictures two by two, wide ones alone."""
    for figure in figures:
        if figure.wide:
            width = min(WIDTH, TALLEST * chapters.ratio(figure))
            yield f"#align(center, {_image(figure, place, f'{width:.1f}mm')})"
    small = [figure for figure in figures if not figure.wide]
    if small:
        cells = ", ".join(_image(figure, place, "100%") for figure in small)
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
    breaks = "true" if len(rows) > WHOLE else "false"
    yield (
        f"#block(breakable: {breaks}, grid(columns: ({columns},), align: ({sides},), "
        f"column-gutter: 1.6em, row-gutter: 0.62em, {', '.join(cells)}))"
    )


def _typst_parameters(source: Source, report: Report) -> Lines:
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


def _typst_mobility(source: Source, report: Report) -> Lines:
    lines = ", ".join(
        f"[#soft({typst_string(what)})], [#{typst_string(value)}]"
        for what, value in chapters.structure(source, report)
    )
    yield (
        "#block(breakable: false, grid(columns: (auto, 1fr, auto, 1fr), "
        f"column-gutter: 1.2em, row-gutter: 0.7em, {lines}))"
    )


def _typst_equations(source: Source, report: Report) -> Lines:
    e, colors, units = source.equations, source.colors, source.units
    for key in ("coordinates", "structure", *pages.all_parts(e)):
        if key not in ("structure", "rows"):
            yield f"#head({typst_string(tr(equation_document.TITLES[key]))})"
        yield f"#{equation_document.part(e, key, colors, units)}"
        yield "#v(0.35em)"


def _typst_derivation(source: Source, report: Report) -> Lines:
    found = source.chapter
    yield f"#soft({typst_string(found.title)})"
    yield from lecture.typst_steps(found, source.colors)[1:]


_TYPST: dict[str, Callable[[Source, Report], Lines]] = {
    PARAMETERS: _typst_parameters,
    MOBILITY: _typst_mobility,
    EQUATIONS: _typst_equations,
    DERIVATION: _typst_derivation,
    LESSON: lambda source, report: exercises.typst(report),
}


def _head(key: str) -> str:
    return f"#head[#{typst_string(tr(LABELS[key]))}]"


def _side_by_side(source: Source, report: Report, two: Sequence[str], place: Placed) -> str:
    """Two chapters of one picture each."""
    cells = []
    for key in two:
        (figure,) = chapters.figures(source, report, key)
        width = min(0.48 * WIDTH, BESIDE * chapters.ratio(figure))
        picture = _image(figure, place, f"{width:.1f}mm")
        cells.append(f"[{_head(key)} #align(center, {picture})]")
    return f"#grid(columns: (1fr, 1fr), column-gutter: 4%, align: top, {', '.join(cells)})"


def typst_source(source: Source, report: Report, place: Placed = _inside) -> str:
    """The report as Typst markup.  place: where its pictures are."""
    head = equation_document.page(source.title, SIZE, MARGIN)
    first, rest = head.split("footer:", 1)
    foot = _FOOT.format(note=NOTE, form='"1 / 1"')
    # the footer of other documents ends with its line
    rest = rest.split("both: true)]))\n", 1)[1]
    paper = f'paper: "{report.paper}"'
    out = [
        first.replace('paper: "a4"', paper) + foot + ")\n" + rest,
        f"#text(size: 1.75em, weight: 600, {typst_string(source.title)})",
        "#v(-0.5em)",
        *([f"#soft({typst_string(report.subtitle)})"] if report.subtitle else []),
    ]
    together = chapters.stand_together(source, report)
    if together:
        out.append(_side_by_side(source, report, together, place))
    for key in report.chapters:
        if key in together:
            continue
        if key in source.coming:
            out += [_head(key), f"#note({typst_string(tr('Being derived…'))})\n"]
            continue
        body = [
            *(_TYPST[key](source, report) if key in _TYPST else ()),
            *_typst_figures(chapters.figures(source, report, key), place),
            *_typst_table(chapters.table(source, report, key)),
        ]
        sentences = chapters.sentences(source, report, key)
        if not body and not sentences:
            continue
        # the drawing at the head of the first page needs no words
        if key != DRAWING or key != report.chapters[0]:
            out.append(_head(key))
        out += body
        out += [
            f"#note({typst_string(s)})\n" if key != NOTES else f"#{typst_string(s)}\n"
            for s in sentences
        ]
    return "\n".join(out) + "\n"


def pdf(source: Source, report: Report) -> bytes:
    """The report as PDF; for a preview its pages as PNG, packed by msgpack."""
    text = typst_source(source, report)
    if not report.preview:
        return equation_document.pdf(text)
    made = compiler(text).compile(text.encode(), format="png", ppi=report.preview)
    sheets = made if isinstance(made, list | tuple) else [made]
    return msgspec.msgpack.encode([bytes(sheet) for sheet in sheets if sheet is not None])


def source_files(source: Source, report: Report) -> bytes:
    """The report as Typst markup with its pictures in a folder, as a zip."""
    place = PicturesBeside()
    text = typst_source(source, report, place)
    return zipped({"report.typ": text.encode(), **place.files})


class _Drawn:
    """A drawing of which nothing is derived yet, in the place of a registry.Source."""

    def __init__(self, project: Project, title: str, report: Report) -> None:
        self.project, self.title = project, line(title)
        waiting = {key for key in report.chapters if key in DERIVED}
        self.coming = waiting - ({MOBILITY} if report.structure is not None else set())
        self.structure = None


def first_pages(project: Project, title: str, report: Report) -> bytes:
    """Pages of a preview, packed, with what needs no derivation; empty where nothing waits for
    one.
    """
    drawn = _Drawn(project, title, report)
    return pdf(cast("Source", drawn), report) if drawn.coming else b""
