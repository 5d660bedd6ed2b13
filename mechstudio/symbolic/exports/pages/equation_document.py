"""Equations as a Typst document, and as the PDF that Typst makes of it."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.equations.terms import Equations
from mechstudio.symbolic.exports.pages.style import HAIR, INK, NOTE, SOFT, compiler, typst_string
from mechstudio.symbolic.printers.typst import typst_equations
from mechstudio.translation import Words, tr

LONGEST = 1500  # terms of one part that are written out
TITLES: dict[str, Words] = {
    "structure": "Structure",
    "rows": "Equations of motion",
    "coordinates": "Coordinates",
    "intermediates": "Intermediates",
    "M": "Mass matrix",
    "b": "Velocity terms",
    "g": "Gravity and springs",
    "tau": "Loads",
    "C": "Constraints",
    "C_q": "Jacobian of the constraints",
    "gamma": "Velocity terms of the constraints",
    "definitions": "Lengths",
    "parameters": "Parameters",
    "following": "What follows from parameters",
}

_PAPER = """#set page(paper: "a4", margin: (x: {margin}mm, top: {margin}mm, bottom: 14mm), \
fill: white, footer: context align(right, text(size: 7pt, fill: rgb("{note}"))[
  #{made} #h(1.5em) #counter(page).display("1 / 1", both: true)]))
#set document(title: {title})
"""
_STRIP = """#set page(width: {width}mm, height: auto, margin: (x: 0mm, y: 3pt), fill: none)
"""
_STYLE = """#set text(font: ("Inter", "New Computer Modern"), size: {words}pt, \
fill: rgb("{ink}"), number-width: "tabular")
#set par(leading: 0.7em)
#show math.equation.where(block: true): set align(left)
#show math.equation.where(block: true): set block(spacing: 0pt)
#show math.equation: set text(font: ("New Computer Modern Math", "New Computer Modern"), \
size: {size}pt, weight: 450, bottom-edge: "descender")
#show link: it => it.body
#let head(x) = block(above: 1.5em, below: 0.75em, sticky: true, text(weight: 600, size: 1.08em, x))
#let soft(x) = text(fill: rgb("{soft}"), x)
#let note(x) = text(fill: rgb("{note}"), size: 0.88em, x)
#let hair = line(length: 100%, stroke: 0.6pt + rgb("{hair}"))
#let fit(wide, narrow) = layout(room => context if measure(wide).width <= room.width {{ wide }} \
else {{ narrow }})
"""


def page(title: str, size: float, margin: float = 16.0) -> str:
    """The head of a document.   size [pt]: of formulas; margin [mm]."""
    made = typst_string(tr("Equations of motion by mechstudio"))
    paper = _PAPER.format(margin=margin, note=NOTE, title=typst_string(title), made=made)
    return paper + _style(size)


def strip(width: float, size: float) -> str:
    """The head of a picture as wide as [mm], and as high as it comes."""
    return _STRIP.format(width=width) + _style(size)


def _style(size: float) -> str:
    return _STYLE.format(
        note=NOTE, ink=INK, soft=SOFT, hair=HAIR, words=round(0.88 * size, 2), size=size
    )


def part(e: Equations, key: str, colors: Mapping[str, str], units: str) -> str:
    """A part as Typst code; where it is too wide its entries stand under each other, and where it
    is too long the longest only say how long they are.
    """
    if key in typst_equations.COLUMNS and e.block(key).is_zero:
        return f"[${typst_equations.LETTERS[key]} = 0$]"
    whole = typst_equations.markup(e, key, colors, units=units, most=LONGEST).source
    if key in typst_equations.FLOWING:
        return f"[\n{whole}\n]"
    listed = typst_equations.markup(e, key, colors, listed=True, units=units, most=LONGEST).source
    return f"fit([\n{whole}\n], [\n{listed}\n])"


def source(e: Equations, title: str, colors: Mapping[str, str], units: str) -> str:
    """The document as Typst markup."""
    out = [
        page(title, 11.0),
        f"#text(size: 1.7em, weight: 600, {typst_string(title)})",
        "#v(0.2em)\n#hair",
    ]
    for key in typst_equations.parts(e):
        out += [f"#head({typst_string(tr(TITLES[key]))})", f"#{part(e, key, colors, units)}"]
    if e.notes:
        out.append("#v(1em)")
        out += [f"#note({typst_string(n)})\n" for n in e.notes]
    return "\n".join(out) + "\n"


def pdf(source: str) -> bytes:
    """A Typst document as PDF."""
    made = compiler(source).compile(source.encode(), format="pdf")
    assert isinstance(made, bytes), "a document is one file"
    return made


def halves(e: Equations) -> tuple[Equations, Equations]:
    """The tree with either half of the parameters, and of what follows from them."""
    k = (len(e.known) + 1) // 2
    return msgspec.structs.replace(
        e, parameters=e.known[:k], following=()
    ), msgspec.structs.replace(e, parameters=e.known[k:], following=())
