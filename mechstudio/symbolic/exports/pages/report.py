"""A report of one page: drawing, mobility, equations, parameters, curves; as PDF by Typst, and as
one HTML file that needs no other.
"""

import base64
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import msgspec

from mechstudio.model.equations.lecture import Chapter, Proof
from mechstudio.model.equations.terms import Equations, Name
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.units import format_value
from mechstudio.symbolic.exports.pages import (
    charts,
    equation_document,
    lecture,
    mechanism_drawing,
    moving_drawing,
)
from mechstudio.symbolic.exports.pages.facts import Facts, structure_lines
from mechstudio.symbolic.exports.pages.slim_svg import formula, with_shared_glyphs
from mechstudio.symbolic.exports.pages.style import HAIR, INK, NOTE, SOFT, compiler, typst_string
from mechstudio.symbolic.printers import text
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

SIZES = (
    9.6,
    8.8,
    8.0,
    7.3,
    6.7,
)  # of formulas [pt]; the first with which everything stands on one page
READABLE = 8.8  # where nothing does that
LARGEST = 200_000  # bytes of a picture that a page of HTML holds as it is
LONGEST = 160  # terms of all rows that a report writes out
PICTURE = (300.0, 205.0)
CURVES = (320.0, 150.0)
_WIDTH = 182.0  # mm, of the formulas in HTML


def parts_of(e: Equations) -> list[str]:
    """Parts of the equations that stand in a report of one page."""
    long = bool(missing(e))
    closing = [b.key for b in e.blocks if b.key == "C"] if not long else []
    return [
        *(["rows"] if e.blocks and not long else []),
        *(["intermediates"] if e.intermediates else []),
        *closing,
        *(["definitions"] if e.definitions and not long else []),
    ]


def all_parts(e: Equations) -> list[str]:
    """Parts of a report of chapters: those of one page, and what follows from parameters."""
    return [*parts_of(e), *(["following"] if e.following else [])]


def missing(e: Equations) -> str:
    """Reason why the rows are not written out; empty if they are, or are made of intermediates."""
    count = sum(b.term_count for b in e.blocks)
    return (
        tr(
            "Written out the equations have {count} terms, too many for a page; export them as "
            "LaTeX, Python or C.",
            count=count,
        )
        if count > LONGEST and not e.intermediates
        else ""
    )


# PDF


def typst_source(
    e: Equations,
    mechanism: Mechanism,
    title: str,
    facts: Facts,
    colors: Mapping[str, str],
    units: str,
    size: float,
) -> str:
    """The report as Typst markup."""
    image = lambda svg, width: f'image(bytes({_raw(svg)}), format: "svg", width: {width})'
    lines = ", ".join(
        f"[#soft({typst_string(what)})], [#{typst_string(value)}]"
        for what, value in structure_lines(facts.structure)
    )
    first, second = equation_document.halves(e)
    out = [
        equation_document.page(title, size, 14.0),
        f"#text(size: 1.75em, weight: 600, {typst_string(title)})",
        "#v(-0.4em)\n#hair\n#v(-0.2em)",
        (
            "#grid(columns: (1.35fr, 1fr), column-gutter: 1.6em, align: horizon, "
            f"{image(mechanism_drawing.svg(mechanism, *PICTURE), '100%')}, ["
        ),
        f"#grid(columns: (auto, 1fr), column-gutter: 1.2em, row-gutter: 0.75em, {lines})",
        f"#head({typst_string(tr('Coordinates'))})",
        f"#{equation_document.part(e, 'coordinates', colors, units)}",
        "])",
        f"#head({typst_string(tr('Equations of motion'))})",
        f"#{equation_document.part(e, 'structure', colors, units)}",
        "#v(0.35em)",
    ]
    for key in parts_of(e):
        out += [
            *(
                [f"#head({typst_string(tr(equation_document.TITLES[key]))})"]
                if key != "rows"
                else []
            ),
            f"#{equation_document.part(e, key, colors, units)}",
        ]
    if missing(e):
        out.append(f"#note({typst_string(missing(e))})")
    if e.parameters:
        out += [
            f"#head({typst_string(tr('Parameters'))})",
            "#grid(columns: (1fr, 1fr), column-gutter: 1.8em, "
            f"{equation_document.part(first, 'parameters', colors, units)},"
            " "
            + (
                equation_document.part(second, "parameters", colors, units)
                if second.parameters
                else "[]"
            )
            + ")",
        ]
    if facts.charts:
        shown = facts.charts[:4]
        pictures = ", ".join(image(charts.svg(c, *CURVES), "100%") for c in shown)
        out += [
            f"#head({typst_string(tr('Motion'))})",
            (
                f"#grid(columns: ({', '.join(['1fr'] * min(len(shown), 2))}), column-gutter: "
                f"1.6em, row-gutter: 0.8em, {pictures})"
            ),
        ]
    notes = [*e.notes, *([facts.remark] if facts.remark else [])]
    out += ["#v(0.4em)", *(f"#note({typst_string(n)})\n" for n in notes)]
    return "\n".join(out) + "\n"


def _raw(words: str) -> str:
    """A Typst string with its lines as they are."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pdf(
    e: Equations,
    mechanism: Mechanism,
    title: str,
    facts: Facts,
    colors: Mapping[str, str],
    units: str,
    chapters: Sequence[Chapter] = (),
    proofs: Sequence[Proof] = (),
) -> bytes:
    """The report, in the largest letters with which it stands on one page; on several where none
    do, or where chapters follow it.
    """
    behind = (
        "\n".join(
            line
            for chapter in chapters
            for line in ("#pagebreak()", *lecture.typst_steps(chapter, colors))
        )
        + "\n"
    )
    behind += "\n".join(["#v(1.2em)", *lecture.typst_proofs(proofs)]) + "\n" if proofs else ""
    for size in SIZES:
        source = typst_source(e, mechanism, title, facts, colors, units, size)
        typst = compiler(source)
        if page_count(typst.compile(source.encode(), format="svg")) == 1:
            return equation_document.pdf(source + behind)
    return equation_document.pdf(
        typst_source(e, mechanism, title, facts, colors, units, READABLE) + behind
    )


def page_count(pages) -> int:
    """Pages returned by the compiler: one as bytes, several as a list."""
    return len(pages) if isinstance(pages, list | tuple) else 1


# HTML

_STYLE = f"""
@page {{ size: A4; margin: 12mm 14mm; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 28px 24px; max-width: 210mm; background: #FFFFFF; color: {INK}; \
font: 13px/1.45 Inter, system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
       font-variant-numeric: tabular-nums; -webkit-print-color-adjust: exact; \
print-color-adjust: exact; }}
h1 {{ font-size: 22px; font-weight: 600; margin: 0 0 8px; padding-bottom: 10px; \
border-bottom: 1px solid {HAIR}; overflow-wrap: anywhere; }}
h3 {{ font-size: 13px; font-weight: 600; margin: 12px 0 4px; break-after: avoid; }}
p.soft {{ margin: 2px 0; }}
h2 {{ font-size: 14px; font-weight: 600; margin: 18px 0 8px; break-after: avoid; }}
img {{ max-width: 100%; height: auto; display: block; }}
.top {{ display: grid; grid-template-columns: 1.35fr 1fr; gap: 24px; align-items: center; }}
.curves {{ display: grid; grid-template-columns: repeat(2, 1fr); gap: 12px 24px; \
break-inside: avoid; }}
.curves img {{ width: 100%; }}
table {{ border-collapse: collapse; width: 100%; }}
td {{ padding: 2px 10px 2px 0; vertical-align: baseline; overflow-wrap: anywhere; }}
td.value {{ text-align: right; white-space: nowrap; }}
td.symbol {{ white-space: nowrap; }}
.two {{ columns: 2; column-gap: 28px; }}
tr {{ break-inside: avoid; }}
.soft {{ color: {SOFT}; }}
.note {{ color: {NOTE}; font-size: 11.5px; margin: 4px 0; }}
sub {{ font-size: 0.78em; line-height: 0; }}
section {{ break-inside: avoid; }}
ul.choices {{ list-style: "\\2610  "; padding-left: 1.4em; margin: 4px 0; }}
p.axes {{ border: 1px solid {SOFT}; border-width: 0 0 1px 1px; height: 170px; padding: 4px 8px; }}
p.room {{ border-bottom: 1px solid {HAIR}; margin: 0 0 6px; }}
@media print {{ body {{ padding: 0; font-size: 8.6pt; }} h1 {{ font-size: 15pt; }} \
h2 {{ font-size: 9.6pt; margin: 9pt 0 4pt; }} .note {{ font-size: 7.4pt; }} \
td {{ padding-top: 0.6pt; padding-bottom: 0.6pt; }} }}
@media screen and (max-width: 640px) {{ .top, .curves {{ grid-template-columns: 1fr; }} \
.two {{ columns: 1; }} }}
"""


def html_head(title: str, moves: bool = False) -> list[str]:
    """The beginning of a file, up to its title.  moves: a mechanism moves in it."""
    words = escape(line(title), {'"': "&quot;", "'": "&#39;"})
    return [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        *([moving_drawing.policy()] if moves else []),
        f"<title>{words}</title>",
        f"<style>{_STYLE}{moving_drawing.STYLE if moves else ''}</style>",
        "</head>",
        "<body>",
        f"<h1>{words}</h1>",
    ]


def html_foot(words: str, moves: bool = False) -> list[str]:
    """The end of a file."""
    player = [moving_drawing.script()] if moves else []
    return [f'<p class="note">{words}</p>', *player, "</body>", "</html>"]


def parameter_rows(e: Equations, units: str) -> str:
    """Rows of a table of the parameters."""
    words = lambda x: escape(line(x), {'"': "&quot;", "'": "&#39;"})
    return "".join(
        f'<tr><td class="symbol">{_symbol(k.name)}</td><td '
        f'class="value">{words(format_value(k.shown, k.dimension, units))}</td><td '
        f'class="soft">{words(k.meaning)}</td></tr>'
        for k in e.known
    )


def html(
    e: Equations,
    mechanism: Mechanism,
    title: str,
    facts: Facts,
    colors: Mapping[str, str],
    units: str,
    chapters: Sequence[Chapter] = (),
    proofs: Sequence[Proof] = (),
    moving_numbers: str = "",
) -> str:
    """The report as one file, and chapters behind it; formulas are pictures made by Typst, with
    their text for those who cannot see them.  moving_numbers: of the mechanism that moves in it.
    """
    words = lambda x: escape(line(x), {'"': "&quot;", "'": "&#39;"})
    facts_rows = "".join(
        f'<tr><td class="soft">{words(a)}</td><td>{words(b)}</td></tr>'
        for a, b in structure_lines(facts.structure)
    )
    coordinates = "".join(
        f'<tr><td class="symbol">{_symbol(u.position)}</td><td>{words(u.meaning)}</td></tr>'
        for u in e.coordinates
    )
    known = parameter_rows(e, units)
    picture = inline(
        mechanism_drawing.svg(mechanism, *PICTURE), tr("Drawing of {title}", title=title)
    )
    if moving_numbers:
        picture = moving_drawing.figure(
            moving_numbers, picture, tr("Drawing of {title}", title=title)
        )
    out = [
        *html_head(title, bool(moving_numbers)),
        '<div class="top">',
        picture,
        f"<div><table>{facts_rows}</table><h2>{words(tr('Coordinates'))}</h2>"
        f"<table>{coordinates}</table></div>",
        "</div>",
        f"<h2>{words(tr('Equations of motion'))}</h2>",
        formulas(e, "structure", colors, units, text.structure(e)),
    ]
    for key in parts_of(e):
        said = {
            "rows": "; ".join(text.row_equation(e, i) for i in range(len(e.coordinates)))
            if key == "rows"
            else ""
        }.get(key, tr(equation_document.TITLES[key]))
        out += [
            *([f"<h2>{words(tr(equation_document.TITLES[key]))}</h2>"] if key != "rows" else []),
            formulas(e, key, colors, units, said),
        ]
    if missing(e):
        out.append(f'<p class="note">{words(missing(e))}</p>')
    if known:
        out += [
            f"<h2>{words(tr('Parameters'))}</h2>",
            f'<div class="two"><table>{known}</table></div>',
        ]
    if facts.charts:
        out += [
            f"<h2>{words(tr('Motion'))}</h2>",
            '<div class="curves">',
            *(
                inline(charts.svg(c, *CURVES), tr("{title} over the time", title=c.title))
                for c in facts.charts[:4]
            ),
            "</div>",
        ]
    out += [
        f'<p class="note">{words(n)}</p>'
        for n in (*e.notes, *((facts.remark,) if facts.remark else ()))
    ]
    for chapter in chapters:
        out += _chapter(chapter, colors)
    if proofs:
        rows = "".join(
            f"<tr><td>{words(p.claim)}</td><td>{words(p.how)}</td><td "
            f'class="soft">{words(p.detail)}</td></tr>'
            for p in proofs
        )
        out += [f"<h2>{words(tr('Proofs'))}</h2>", f"<table>{rows}</table>"]
    return (
        with_shared_glyphs(
            "\n".join(
                [*out, *html_foot(tr("Equations of motion by mechstudio"), bool(moving_numbers))]
            )
        )
        + "\n"
    )


def _chapter(chapter: Chapter, colors: Mapping[str, str]) -> list[str]:
    """A chapter: its words as text, the formulas of each step as a picture."""
    words = lambda x: escape(line(x), {'"': "&quot;", "'": "&#39;"})
    return [f"<h2>{words(chapter.title)}</h2>", *steps(chapter, colors)]


def steps(chapter: Chapter, colors: Mapping[str, str]) -> list[str]:
    """The steps of a chapter, or why there are none."""
    words = lambda x: escape(line(x), {'"': "&quot;", "'": "&#39;"})
    out = [f'<p class="note">{words(chapter.refusal)}</p>'] if chapter.refusal else []
    for step in chapter.steps:
        out += [
            f"<h3>{words(step.title)}</h3>",
            *(f'<p class="soft">{words(s)}</p>' for s in step.sentences),
        ]
        bare = msgspec.structs.replace(step, title="", sentences=(), depth=0)
        if step.formula or step.equations or step.blocks:
            body = "\n".join(lecture.typst_steps(Chapter("", "", (bare,)), colors)[2:])
            source = equation_document.strip(_WIDTH, 10.0) + body + "\n"
            out.append(
                _formula(_page(source), tr("Formulas of the step {title}", title=step.title))
            )
    return out


def _symbol(n: Name) -> str:
    """A symbol in HTML: letter and subscript."""
    plain, below = (
        text.name(Name(n.name, n.letter, "", n.dots)),
        " ".join(text.name(Name(n.name, w)) for w in n.subscript.split()),
    )
    return f"<i>{escape(line(plain))}</i>" + (f"<sub>{escape(line(below))}</sub>" if below else "")


def _pixels(svg: str) -> bytes:
    """A picture of very many shapes as PNG, which is smaller then."""
    raw = svg.replace("\\", "\\\\").replace('"', '\\"')
    source = (
        "#set page(width: auto, height: auto, margin: 0pt, fill: white)\n"
        f'#image(bytes("{raw}"), format: "svg", width: 480pt)\n'
    )
    made = compiler(source).compile(source.encode(), format="png", ppi=144)
    assert isinstance(made, bytes), "a picture is one page"
    return made


def inline(svg: str, words: str, width: str = "") -> str:
    """An image within the file, which can hold neither scripts nor links."""
    kind, content = "svg+xml", svg.encode()
    if len(content) > LARGEST:
        kind, content = "png", _pixels(svg)
    data = base64.b64encode(content).decode()
    said = escape(line(words), {'"': "&quot;"})
    return (
        f'<img src="data:image/{kind};base64,{data}" '
        f'alt="{said}"{f" style={chr(34)}width:{width}{chr(34)}" if width else ""}>'
    )


def formulas(e: Equations, key: str, colors: Mapping[str, str], units: str, said: str) -> str:
    """A part typeset for the width of the page."""
    source = (
        equation_document.strip(_WIDTH, 10.0)
        + f"#{equation_document.part(e, key, colors, units)}\n"
    )
    return _formula(_page(source), said)


def _formula(svg: str, said: str) -> str:
    """A picture of formulas in the text of the page; its pixels where these are fewer letters."""
    drawn = formula(svg, line(said))
    if len(drawn) <= LARGEST:
        return drawn
    return min(drawn, inline(svg, said, "100%"), key=len)


def _page(source: str) -> str:
    """A source on one page, as SVG."""
    made = compiler(source).compile(source.encode(), format="svg")
    assert isinstance(made, bytes), "a source is one page"
    return made.decode()
