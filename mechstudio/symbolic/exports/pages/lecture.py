"""Chapters and proofs of a lecture for other programs: LaTeX, and Typst with the PDF that Typst
makes of it.

write(format, chapters, proofs, …) -> what stands in the file
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from mechstudio.model.equations.lecture import FORMULAS, Chapter, Proof, Step
from mechstudio.model.equations.terms import Block
from mechstudio.symbolic.exports.pages import equation_document
from mechstudio.symbolic.exports.pages.style import typst_string
from mechstudio.symbolic.printers import latex
from mechstudio.symbolic.printers.latex_lines import LINE, display, length
from mechstudio.symbolic.printers.lecture_text import chapter_text, proofs_text
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.printers.typst.typst_steps import StepWriter
from mechstudio.symbolic.ring.names import GREEK, greek
from mechstudio.translation import tr

LONGEST = 800  # terms of one equation or matrix that are still written out
WIDEST = 40  # terms of a matrix that LaTeX, which cannot measure here, sets as a whole
FORMATS = ("text", "latex", "typst", "pdf")


def too_long(terms: int) -> str:
    """Text in place of a formula too long to read."""
    return tr("{terms} terms: too long to be read here.", terms=terms)


# LaTeX


def _wide(b: Block) -> float:
    """Letters that a matrix is wide, about: of each column its widest entry, and the gaps."""
    columns = [max(length(latex.entry(e)) for e in column) for column in zip(*b.rows)]
    return sum(columns) + 2.0 * len(columns) + length(latex.heading(b)) + 4.0


def _latex_block(b: Block) -> list[str]:
    """A matrix; entry by entry where it would leave the page."""
    if b.term_count > LONGEST:
        return [latex.plain(f"{b.heading}: {too_long(b.term_count)}")]
    head = latex.heading(b)
    if b.is_zero:
        return [rf"\[ {head} = 0 \]"]
    if b.term_count <= WIDEST and _wide(b) <= LINE:
        return [f"\\[\n{head} = {latex.matrix(b)}\n\\]"]
    if b.parts:
        return [line for part in b.parts for line in _latex_block(part)]
    place = lambda i, j: f"{i + 1}" if len(b.rows[0]) == 1 else f"{i + 1},{j + 1}"
    return [
        display(rf"\bigl[{head}\bigr]_{{{place(i, j)}}} = {latex.entry(e)}")
        for i, row in enumerate(b.rows)
        for j, e in enumerate(row)
        if not e.is_zero and not (b.symmetric and j < i)
    ]


def _latex_step(step: Step) -> list[str]:
    out = [
        rf"\{'subsubsection' if step.depth else 'subsection'}*{{{latex.plain(step.title)}}}",
        *(latex.plain(s) + r"\par" for s in step.sentences),
    ]
    if step.formula:
        out.append(rf"\[ {FORMULAS[step.formula].latex} \]")
    for e in step.equations:
        terms = len(e.left.terms) + len(e.right.terms)
        label = rf" \quad \text{{{latex.plain(e.label)}}}" if e.label else ""
        out.append(
            display(f"{latex.entry(e.left)} = {latex.entry(e.right)}{label}")
            if terms <= LONGEST
            else latex.plain(f"{e.label}: {too_long(terms)}")
        )
    for b in step.blocks:
        out += _latex_block(b)
    return out


def latex_steps(chapter: Chapter) -> list[str]:
    """Steps of a chapter inside a document."""
    return [unicode_mathematics(text) for step in chapter.steps for text in _latex_step(step)]


def latex_document(chapters: Sequence[Chapter], proofs: Sequence[Proof], title: str) -> str:
    """A whole document, which any LaTeX with amsmath compiles."""
    out = [
        r"\documentclass[fleqn]{article}",
        r"\usepackage[a4paper,margin=18mm]{geometry}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{amsmath,amssymb}",
        r"\setcounter{MaxMatrixCols}{40}",
        r"\setlength{\parindent}{0pt}\allowdisplaybreaks",
        r"\begin{document}",
        rf"\section*{{{latex.plain(title)}}}",
    ]
    for chapter in chapters:
        out.append(rf"\section*{{{latex.plain(chapter.title)}}}")
        if chapter.refusal:
            out.append(latex.plain(chapter.refusal))
        for step in chapter.steps:
            out += _latex_step(step)
    if proofs:
        out += [
            r"\section*{Proofs}",
            r"\begin{itemize}",
            *(rf"\item {latex.plain(f'{p.claim} [{p.how}] {p.detail}')}" for p in proofs),
            r"\end{itemize}",
        ]
        for p in proofs:
            for b in p.difference:
                out += [latex.plain(tr("{claim} The difference:", claim=p.claim)), *_latex_block(b)]
    return "\n".join([*map(unicode_mathematics, out), r"\end{document}"]) + "\n"


_IN_WORDS = {greek(word): word for word in GREEK} | {
    "φ": "varphi",
    "ϕ": "phi",
    "ε": "varepsilon",
    "≠": "neq",
    "≈": "approx",
    "≤": "leq",
    "≥": "geq",
    "·": "cdot",
    "×": "times",
    "∂": "partial",
    "−": "mathbin{-}",
    "′": "prime",
    "″": "prime\\prime",
    "∞": "infty",
    "°": "circ",
    "•": "bullet",
    "½": "tfrac12",
    "±": "pm",
    "→": "to",
    "²": "^2",
    "³": "^3",
    "ᵀ": "^{\\mathsf T}",
    "⁻": "^{-}",
    "¹": "^1",
    "√": "surd",
    "ᵢ": "_i",
    "…": "dots",
    "∫": "int",
    "⟂": "perp",
    "∥": "parallel",
    "ℓ": "ell",
    "⁶": "^6",
    "⁴": "^4",
    "⁵": "^5",
    "⁷": "^7",
    "⁸": "^8",
    "⁹": "^9",
    "⁰": "^0",
    "∈": "in",
    "∋": "ni",
    "∇": "nabla",
    "‖": "Vert",
    "⁺": "^+",
}
_ACCENTS = {"\u0307": "dot", "\u0308": "ddot", "\u0304": "bar", "\u0302": "hat"}
_QUOTES = {"“": "``", "”": "''"}
ACUTE = "\u0301"  # over letters of names, not of formulas


def unicode_mathematics(text: str) -> str:
    """Letters and signs of formulas inside sentences as LaTeX without Unicode fonts wants them; in
    formulas none stand.
    """
    import unicodedata

    out: list[str] = []
    for c in unicodedata.normalize("NFD", text) if not text.isascii() else text:
        if c in _ACCENTS and out:
            inside = out.pop().removeprefix(r"\ensuremath{").removesuffix("}")
            out.append(rf"\ensuremath{{\{_ACCENTS[c]}{{{inside}}}}}")
        elif c == ACUTE and out:
            out.append(rf"\'{out.pop()}")
        elif c in _QUOTES:
            out.append(_QUOTES[c])
        elif c in _IN_WORDS:
            word = _IN_WORDS[c]
            out.append(
                rf"\ensuremath{{{'' if word[0] in '^_' else chr(92)}{word}}}"
                if c not in "°′″"
                else rf"\ensuremath{{^{{\{word}}}}}"
            )
        else:
            out.append(c)
    return unicodedata.normalize("NFC", "".join(out))


# Typst


def typst_steps(chapter: Chapter, colors: Mapping[str, str]) -> list[str]:
    """A chapter as Typst code for a page of equation_document.page."""
    out = [f"#text(size: 1.3em, weight: 600, {typst_string(chapter.title)})"]
    if chapter.refusal:
        out.append(f"#note({typst_string(chapter.refusal)})")
    for step in chapter.steps:
        out += [
            f"#head[#{typst_string(step.title)}]"
            if not step.depth
            else (
                "#block(above: 1em, below: 0.6em, sticky: true, text(weight: 600, size: "
                f"0.95em, {typst_string(step.title)}))"
            ),
            *(f"#soft({typst_string(s)})\n" for s in step.sentences),
        ]
        writer = StepWriter(colors)
        body = []
        if step.formula:
            body.append(f"#soft($ {FORMULAS[step.formula].typst} $)")
        if step.equations:
            short = tuple(
                e for e in step.equations if len(e.left.terms) + len(e.right.terms) <= LONGEST
            )
            if short:
                body.append(writer.equalities(short))
            for e in step.equations:
                if e not in short:
                    words = too_long(len(e.left.terms) + len(e.right.terms))
                    body.append(f"#note({typst_string(f'{e.label}: {words}')})")
        for b in step.blocks:
            if b.term_count > LONGEST:
                body.append(f"#note({typst_string(f'{b.heading}: {too_long(b.term_count)}')})")
            else:
                body.append(f"#fit([\n{writer.whole(b)}\n], [\n{writer.narrower(b)}\n])")
        if body:
            # colours have names of their own in each step
            out.append("#v(0.45em)\n#[\n" + writer.preamble() + " #v(0.5em)\n".join(body) + "\n]")
    return out


def typst_proofs(proofs: Sequence[Proof]) -> list[str]:
    """The claims as a list."""
    if not proofs:
        return []
    rows = ", ".join(
        f"[#{typst_string(p.claim)}], [#{typst_string(p.how)}], [#soft({typst_string(p.detail)})]"
        for p in proofs
    )
    return [
        f"#text(size: 1.3em, weight: 600, {typst_string('Proofs')})",
        f"#grid(columns: (1.2fr, auto, 1.4fr), column-gutter: 1em, row-gutter: 0.7em, {rows})",
    ]


def typst_document(
    chapters: Sequence[Chapter], proofs: Sequence[Proof], title: str, colors: Mapping[str, str]
) -> str:
    """A document of chapters."""
    out = [
        equation_document.page(title, 11.0),
        f"#text(size: 1.7em, weight: 600, {typst_string(title)})",
        "#v(0.2em)\n#hair",
    ]
    for k, chapter in enumerate(chapters):
        out += [*(["#v(1.2em)"] if k else []), *typst_steps(chapter, colors)]
    return (
        "\n".join([*out, *(["#v(1.2em)"] if proofs and chapters else []), *typst_proofs(proofs)])
        + "\n"
    )


def one_step(chapter: Chapter, key: str) -> Chapter:
    """A chapter of one step and its parts; of one part, if the key is that of a part."""
    steps = list(chapter.steps)
    first = next((k for k, s in enumerate(steps) if s.key == key), len(steps))
    last = next(
        (k for k in range(first + 1, len(steps)) if steps[first].depth or not steps[k].depth),
        len(steps),
    )
    return msgspec.structs.replace(chapter, steps=tuple(steps[first:last]))


def copied(format: str, chapter: Chapter, colors: Mapping[str, str]) -> str:
    """A chapter as it is pasted: LaTeX without the head of a document, Typst with what it needs, or
    text.
    """
    chapter = clean(chapter)
    if format == "latex":
        lines = [line for step in chapter.steps for line in _latex_step(step)]
        return (
            "\n".join(
                map(
                    unicode_mathematics,
                    [latex.plain(chapter.refusal)] if chapter.refusal else lines,
                )
            )
            + "\n"
        )
    return str(write(format, (chapter,), (), chapter.title, colors))


def write(
    format: str,
    chapters: Sequence[Chapter],
    proofs: Sequence[Proof],
    title: str,
    colors: Mapping[str, str],
) -> str | bytes:
    """File contents in one of FORMATS.  Raises KeyError for another."""
    plain = lambda: "\n".join(
        [*map(chapter_text, chapters), *([proofs_text(proofs)] if proofs else [])]
    )
    writers: dict[str, Callable[[], str | bytes]] = {
        "text": plain,
        "latex": lambda: latex_document(chapters, proofs, title),
        "typst": lambda: typst_document(chapters, proofs, title, colors),
        "pdf": lambda: equation_document.pdf(typst_document(chapters, proofs, title, colors)),
    }
    return writers[format]()
