r"""A report of chosen chapters as LaTeX with its pictures beside it, which pdfLaTeX, XeLaTeX and
LuaLaTeX compile with the packages of every installation: amsmath, graphicx, longtable, xcolor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mechstudio.model.equations.report import (
    DERIVATION,
    DRAWING,
    EQUATIONS,
    LABELS,
    LESSON,
    MOBILITY,
    PARAMETERS,
    Figure,
    Report,
)
from mechstudio.model.equations.terms import LISTS, Block, Equations
from mechstudio.model.units import format_value
from mechstudio.symbolic.exports.archive import zipped
from mechstudio.symbolic.exports.pages import chapters, equation_document, exercises, lecture
from mechstudio.symbolic.exports.pages import report as pages
from mechstudio.symbolic.exports.pages.style import compiler
from mechstudio.symbolic.printers import latex
from mechstudio.symbolic.printers.latex_lines import display
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.exports.registry import Source

TALLEST, WIDTH = 92.0, 178.0  # mm of a picture over the whole page; of the text
SHORT = 24  # rows of a table that stays on one page
PAPERS = {"a4": "a4paper", "us-letter": "letterpaper"}
Lines = Iterator[str]
_HEAD = r"""\documentclass[10pt,fleqn]{{article}}
\usepackage[{paper},margin=16mm]{{geometry}}
\usepackage[T1]{{fontenc}}
\IfFileExists{{lmodern.sty}}{{\usepackage{{lmodern}}}}{{}}
\usepackage{{amsmath,amssymb,graphicx,longtable,xcolor}}
\definecolor{{note}}{{HTML}}{{626976}}
\setcounter{{MaxMatrixCols}}{{40}}
\setlength{{\parindent}}{{0pt}}\setlength{{\parskip}}{{3pt}}\setlength{{\mathindent}}{{0pt}}
\setlength{{\LTleft}}{{0pt}}\setlength{{\LTpre}}{{2pt}}\setlength{{\LTpost}}{{4pt}}
\allowdisplaybreaks
\begin{{document}}"""


def words(text: str) -> str:
    """A line of words for LaTeX's text mode, with signs of formulas."""
    return lecture.unicode_mathematics(latex.plain(line(text)))


def _block(b: Block) -> list[str]:
    """A column of constraints, row by row."""
    return [display(f"{latex.entry(e)} = 0") for row in b.rows for e in row if not e.is_zero]


# chapters


def _table(rows: Sequence[Sequence[str]]) -> Lines:
    if not rows:
        return
    columns = "l" + "r" * (len(rows[0]) - 1)
    yield rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}"
    for k, row in enumerate(rows):
        cells = [words(cell) for cell in row]
        if not k:
            cells = [rf"\textcolor{{note}}{{{cell}}}" for cell in cells]
        yield " & ".join(cells) + r" \\" + (r"\endhead" if not k else "")
    yield r"\end{longtable}"


def _parameters(source: Source) -> Lines:
    e = source.equations
    if not e.parameters:
        return
    yield r"\begin{longtable}{@{}lr@{\quad}p{0.6\textwidth}@{}}"
    for k in e.known:
        value = words(format_value(k.shown, k.dimension, source.units))
        meaning = rf"\textcolor{{note}}{{{words(k.meaning)}}}"
        yield rf"${latex.name(k.name)}$ & {value} & {meaning} \\"
    yield r"\end{longtable}"


def _mobility(source: Source, report: Report) -> Lines:
    yield r"\begin{tabular}{@{}l@{\quad}l@{}}"
    for what, value in chapters.structure(source, report):
        yield rf"\textcolor{{note}}{{{words(what)}}} & {words(value)} \\"
    yield r"\end{tabular}\par"


def _equations(source: Source) -> Lines:
    e: Equations = source.equations
    # short tables hold to the head before them
    kind = "tabular" if len(e.coordinates) <= SHORT else "longtable"
    yield rf"\begin{{{kind}}}{{@{{}}l@{{\quad}}l@{{}}}}"
    for u in e.coordinates:
        yield rf"${latex.name(u.position)}$ & {words(u.meaning)} \\"
    yield rf"\end{{{kind}}}\par"
    yield latex.part(e, "structure")
    for key in pages.all_parts(e):
        if key == "rows":
            for k in range(len(e.coordinates)):
                yield display(latex.row_equation(e, k))
            continue
        yield rf"\subsection*{{{words(tr(equation_document.TITLES[key]))}}}"
        if key in LISTS:
            for d in e.listed(key):
                yield display(f"{latex.name(d.name)} = {latex.entry(d.entry)}")
        else:
            yield from _block(e.block(key))


def _derivation(source: Source) -> Lines:
    yield rf"\textcolor{{note}}{{{words(source.chapter.title)}}}\par"
    if source.chapter.refusal:
        yield words(source.chapter.refusal)
    yield from lecture.latex_steps(source.chapter)


_CHAPTERS: dict[str, Callable[[Source, Report], Lines]] = {
    PARAMETERS: lambda source, report: _parameters(source),
    MOBILITY: _mobility,
    EQUATIONS: lambda source, report: _equations(source),
    DERIVATION: lambda source, report: _derivation(source),
    LESSON: lambda source, report: exercises.latex(report, words),
}


class Pictures:
    """Pictures as PDF in a folder beside the text.  files: content by path."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def place(self, figure: Figure, width: str) -> str:
        """Put a picture beside the text; gives its source in LaTeX."""
        path = f"pictures/{len(self.files) + 1:02d}.pdf"
        self.files[path] = picture_pdf(figure)
        return rf"\includegraphics[width={width}]{{{path}}}"

    def of(self, figures: Sequence[Figure]) -> Lines:
        """Pictures of a chapter: wide ones alone, others two by two."""
        for figure in figures:
            if figure.wide:
                width = min(WIDTH, TALLEST * chapters.ratio(figure))
                yield rf"\begin{{center}}{self.place(figure, f'{width:.1f}mm')}\end{{center}}"
        small = [figure for figure in figures if not figure.wide]
        for k in range(0, len(small), 2):
            pair = [self.place(figure, r"0.48\textwidth") for figure in small[k : k + 2]]
            yield r"\hfill ".join(pair) + r"\par"


def picture_pdf(figure: Figure) -> bytes:
    """A picture as PDF of one page as large as it is."""
    raw = figure.svg.replace("\\", "\\\\").replace('"', '\\"')
    text = (
        "#set page(width: auto, height: auto, margin: 0pt, fill: none)\n"
        f'#image(bytes("{raw}"), format: "svg", width: 480pt)\n'
    )
    made = compiler(text).compile(text.encode(), format="pdf")
    assert isinstance(made, bytes), "a picture is one page"
    return made


def latex_source(source: Source, report: Report, pictures: Pictures) -> str:
    """The report as LaTeX."""
    out = [
        _HEAD.format(paper=PAPERS.get(report.paper, "a4paper")),
        rf"{{\LARGE\bfseries {words(source.title)}\par}}",
        *([rf"\textcolor{{note}}{{{words(report.subtitle)}}}\par"] if report.subtitle else []),
    ]
    for key in report.chapters:
        body = [
            *(_CHAPTERS[key](source, report) if key in _CHAPTERS else ()),
            *pictures.of(chapters.figures(source, report, key)),
            *_table(chapters.table(source, report, key)),
        ]
        sentences = chapters.sentences(source, report, key)
        if not body and not sentences:
            continue
        if key != DRAWING or key != report.chapters[0]:
            out.append(rf"\section*{{{words(tr(LABELS[key]))}}}")
        out += body
        out += [words(s) + r"\par" for s in sentences]
    return "\n".join([*out, r"\end{document}"]) + "\n"


def source_files(source: Source, report: Report) -> bytes:
    """The report as LaTeX with its pictures in a folder, as a zip."""
    pictures = Pictures()
    text = latex_source(source, report, pictures)
    return zipped({"report.tex": text.encode(), **pictures.files})
