"""Equations as presentation MathML: one `math` element each, readable by browsers, Word and
LibreOffice.
"""

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from mechstudio.model.equations.terms import LISTS, Block, Equations, Name, Trig
from mechstudio.symbolic.printers.printer import (
    ARCS,
    Language,
    Printer,
    Signed,
    is_alone,
    over_line,
)
from mechstudio.symbolic.ring.names import GREEK, greek

_SPACE = "http://www.w3.org/1998/Math/MathML"
_DOTS = ("", "\u02d9", "\u00a8")
_HEADINGS = {
    "M": ("M", "q"),
    "b": ("b", "qv"),
    "g": ("g", "q"),
    "tau": ("τ", ""),
    "C": ("C", "q"),
    "gamma": ("γ", ""),
}
_TIMES = "<mo>\u2062</mo>"  # invisible times


def operator(sign: str) -> str:
    """A sign."""
    return f"<mo>{sign}</mo>"


def row(*parts: str) -> str:
    """Parts side by side."""
    return f"<mrow>{''.join(parts)}</mrow>"


def word(text: str) -> str:
    """A letter or subscript: Greek and single letters in italics, words upright."""
    if text.isdecimal() and text.isascii():
        return f"<mn>{text}</mn>"
    shown = "ℓ" if text == "ell" else greek(text)
    italic = text == "ell" or text in GREEK or len(text) == 1
    return (
        f"<mi>{escape(shown)}</mi>" if italic else f'<mi mathvariant="normal">{escape(shown)}</mi>'
    )


def name(n: Name) -> str:
    """A symbol: letter, dots, subscript, power."""
    letter = word(n.letter)
    if n.dots:
        letter = f'<mover accent="true">{letter}<mo>{_DOTS[n.dots]}</mo></mover>'
    if n.primes:
        letter = f"<msup>{letter}<mo>{'′' * n.primes}</mo></msup>"
    words = n.subscript.split()
    below = (
        word(words[0])
        if len(words) == 1
        else row(
            *(f'<mspace width="0.17em"/>{word(w)}' if k else word(w) for k, w in enumerate(words))
        )
    )
    above = _number(n.power)
    if words and n.power != 1:
        return f"<msubsup>{letter}{below}{above}</msubsup>"
    return (
        f"<msub>{letter}{below}</msub>"
        if words
        else f"<msup>{letter}{above}</msup>"
        if n.power != 1
        else letter
    )


def _number(value: int) -> str:
    return f"<mn>{value}</mn>" if value >= 0 else row(operator("−"), f"<mn>{-value}</mn>")


def bracketed(inside: str) -> str:
    """An expression in brackets."""
    return row(
        '<mo stretchy="true" form="prefix">(</mo>',
        inside,
        '<mo stretchy="true" form="postfix">)</mo>',
    )


def _raised(base: str, power: int) -> str:
    return base if power == 1 else f"<msup>{base}{_number(power)}</msup>"


def _function(f: Trig, inside: str) -> str:
    if f.function == "sqrt":
        return _raised(f"<msqrt>{inside}</msqrt>", f.power)
    function = _raised(f"<mi>{ARCS.get(f.function, f.function)}</mi>", f.power)
    return row(function, "<mo>\u2061</mo>", inside if is_alone(f) else bracketed(inside))


def _product(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else row(_TIMES.join(parts))


def _sum(terms: Sequence[Signed]) -> str:
    if not terms:
        return "<mn>0</mn>"
    signs = {"-": '<mo form="infix">−</mo>', "+": operator("+")}
    first = {"-": '<mo form="prefix">−</mo>', "+": ""}
    return row(*((signs if k else first)[sign] + text for k, (sign, text) in enumerate(terms)))


def _table(rows: Iterable[Iterable[str]]) -> str:
    inside = "".join(
        f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in cells)}</mtr>" for cells in rows
    )
    return row(
        '<mo stretchy="true" form="prefix">[</mo>',
        f"<mtable>{inside}</mtable>",
        '<mo stretchy="true" form="postfix">]</mo>',
    )


def _letter(key: str) -> str:
    return "<msub><mi>C</mi><mi>q</mi></msub>" if key == "C_q" else f"<mi>{_HEADINGS[key][0]}</mi>"


_RATE, _ACCELERATION = (
    '<mover accent="true"><mi>q</mi><mo>˙</mo></mover>',
    '<mover accent="true"><mi>q</mi><mo>¨</mo></mover>',
)


def _heading(key: str) -> str:
    arguments = {"": "", "q": "<mi>q</mi>", "qv": row("<mi>q</mi>", "<mo>,</mo>", _RATE)}[
        _HEADINGS.get(key, ("", ""))[1]
    ]
    return row(_letter(key), "<mo>\u2061</mo>", bracketed(arguments)) if arguments else _letter(key)


def _equation(left: str, right: str) -> str:
    return row(left, operator("="), right)


_PRINTER = Printer(
    Language(
        name=name,
        function=_function,
        bracket=lambda inside, n: _raised(bracketed(inside), n),
        term=over_line(_product, lambda top, bottom: f"<mfrac>{top}{bottom}</mfrac>", _number),
        sum=_sum,
        matrix=_table,
        equation=_equation,
    )
)
entry, matrix = _PRINTER.entry, _PRINTER.matrix


def structure(e: Equations) -> list[str]:
    """The form of the equations, one formula each."""
    motion = [
        _product([_heading("M"), _ACCELERATION]),
        operator("+"),
        _heading("b"),
        operator("+"),
        _heading("g"),
        operator("="),
        "<mi>τ</mi>",
    ]
    if e.structure == "open":
        return [row(*motion)]
    transposed = '<msubsup><mi>C</mi><mi>q</mi><mi mathvariant="normal">T</mi></msubsup>'
    return [
        row(*motion, operator("+"), _product([transposed, "<mi>λ</mi>"])),
        _equation(_heading("C"), "<mn>0</mn>"),
        _equation(_product([_letter("C_q"), _ACCELERATION]), "<mi>γ</mi>"),
    ]


def _column(names: Iterable[Name]) -> str:
    return _table([name(n)] for n in names)


def _math(inside: str) -> str:
    return f'<math xmlns="{_SPACE}" display="block">{inside}</math>'


def formulas(e: Equations, key: str) -> list[str]:
    """A part as formulas without their `math`: a block by its key, or "structure", "rows",
    "coordinates", "intermediates", "definitions", "following".  Raises KeyError.
    """
    if key == "structure":
        return structure(e)
    if key == "rows":
        return [_PRINTER.equation(e, i) for i in range(len(e.coordinates))]
    if key == "coordinates":
        return [_equation("<mi>q</mi>", _column(u.position for u in e.coordinates))]
    if key == "multipliers":
        return [_equation("<mi>λ</mi>", _column(e.multipliers))]
    if key in LISTS:
        return [_equation(name(d.name), entry(d.entry)) for d in e.listed(key)]
    if key == "parameters":
        return [
            _equation(name(k.name), f"<mn>{k.value:.10g}</mn>") for k in e.known if not k.prescribed
        ]
    block = e.block(key)
    out = _equation(_heading(key), matrix(block))
    return [row(out, operator("="), "<mn>0</mn>") if key == "C" else out]


def part(e: Equations, key: str) -> str:
    """One part as it is copied, a `math` element; several formulas stand under each other."""
    found = formulas(e, key)
    if len(found) == 1:
        return _math(found[0])
    return _math(
        '<mtable columnalign="left" displaystyle="true">'
        + "".join(f"<mtr><mtd>{f}</mtd></mtr>" for f in found)
        + "</mtable>"
    )


def listed(block: Block) -> list[str]:
    """The entries of a block that are not zero, as formulas."""
    single = len(block.rows[0]) == 1
    out = []
    for i, row_ in enumerate(block.rows):
        for j, cell in enumerate(row_):
            if not cell.is_zero and not (block.symmetric and j < i):
                at = _number(i + 1) if single else row(_number(i + 1), "<mo>,</mo>", _number(j + 1))
                place = f"<msub>{_letter(block.key)}{at}</msub>"
                found = _equation(place, entry(cell))
                out.append(_equation(found, "<mn>0</mn>") if block.key == "C" else found)
    return out or [_equation(_heading(block.key), "<mn>0</mn>")]


def printed(e: Equations) -> str:
    """Everything but the numbers in one `math` element, which other programs paste as one object;
    where there are intermediates, the entries of blocks stand one below the other.
    """
    keys = [
        "structure",
        "coordinates",
        *(("intermediates",) if e.intermediates else ()),
        *(b.key for b in e.blocks),
        *(("multipliers",) if e.multipliers else ()),
        *(("definitions",) if e.definitions else ()),
        *(("following",) if e.following else ()),
    ]
    by_key = {b.key: b for b in e.blocks} if e.intermediates else {}
    rows = [f for key in keys for f in (listed(by_key[key]) if key in by_key else formulas(e, key))]
    return (
        _math(
            '<mtable columnalign="left" displaystyle="true" rowspacing="0.8em">\n'
            + "\n".join(f"<mtr><mtd>{f}</mtd></mtr>" for f in rows)
            + "\n</mtable>"
        )
        + "\n"
    )
