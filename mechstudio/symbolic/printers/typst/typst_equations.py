"""Equations as Typst markup: each symbol in the colour of its element, each term a link that says
which elements it comes from.

A part is a block by its key ("M", "C_q", …) or one of "structure", "rows", "coordinates",
"intermediates", "definitions", "parameters", "following".
"""

import string
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mechstudio.model.equations.term_lengths import (
    READABLE,
    is_long,
    readable,
    row_sizes,
    term_count,
)
from mechstudio.model.equations.term_words import words
from mechstudio.model.equations.terms import (
    LISTS,
    PART,
    VALUE,
    Block,
    Definition,
    Entry,
    Equations,
    Group,
    Name,
    Term,
    Trig,
    parts,
    times,
    written_row,
)
from mechstudio.model.units import format_value
from mechstudio.symbolic.printers.printer import ARCS, Language, Printer, is_alone, over_line
from mechstudio.symbolic.ring.names import GREEK, greek

LINK = "term:"  # address of a link: LINK + its number
COLUMNS = ("b", "g", "tau", "gamma")  # blocks of one column
FLOWING = (
    "structure",
    "rows",
    "coordinates",
    "C",
    "intermediates",
    "definitions",
    "parameters",
    "following",
)  # parts whose lines are broken at the width of the page
LETTERS = {"M": "M", "b": "b", "g": "g", "tau": "τ", "C": "C", "C_q": "C_q", "gamma": "γ"}
_HEADINGS = {
    "M": "M(q)",
    "b": "b(q, dot(q))",
    "g": "g(q)",
    "tau": "τ",
    "C_q": "C_q (q)",
    "gamma": "γ(q, dot(q))",
}
LOOSE = "1.5em"  # between lines with numbers under their symbols
_GAP = "#h(0.26em, weak: true)"  # around a plus sign at which a line may end
TALL = 6  # rows of a matrix whose brackets are fitted to it
_SHORT = 3  # symbols of an entry that stands in a wide matrix as it is; a longer one is named
_WHOLE = 9  # symbols of a term with two terms in brackets that no line breaks
_TAIL = 2  # factors that stay with the bracket before them
_MANY = 12  # symbols beyond which the table of symbols has two columns
_LONG = 6  # terms left of = beyond which the right side begins a line of its own

_PREAMBLE = """#set math.mat(delim: "[", column-gap: 0.95em, row-gap: 0.55em)
#let lk(n, x) = link(n, x)
#let nn(x) = math.class("normal", x)
#let zz = text(fill: rgb("{mute}"), size: 1.3em, $dot.c$)
#let mu(x) = text(fill: rgb("{mute}"), x)
#let lv(n, x) = math.attach(math.limits(x), b: link(n, box(width: 2.3em, height: 0.74em)))
"""


class Markup(NamedTuple):
    """Typst source without page and fonts, the element ids of each link, and the symbols of what it
    spans.
    """

    source: str
    links: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()


def unknowns(equations: Equations) -> frozenset[str]:
    """Names of coordinates, their rates and accelerations, and multipliers: what has another number
    at every instant.
    """
    return frozenset(
        n.name for u in equations.coordinates for n in (u.position, u.velocity, u.acceleration)
    ) | {n.name for n in equations.multipliers}


def markup(
    equations: Equations,
    part: str,
    colors: Mapping[str, str],
    listed: bool = False,
    units: str = "mm-N-deg",
    with_numbers: bool = False,
    most: int = READABLE,
) -> Markup:
    """A part as Typst markup.

    colors: "text", "mute", and per element id, as #RRGGBB; an element without one is set in plain
    ink.  listed: instead of a wide block its rows or long entries one under the other, whose lines
    may be broken.  units: of the parameters' values.  with_numbers: with room for a number
    under each unknown, a link to VALUE + its name.  most: terms of a part that are written out;
    beyond, its longest rows or entries say how long they are.  Raises KeyError.
    """
    if part not in parts(equations):
        raise KeyError(part)
    writer = _Writer(
        colors, unknowns(equations) if with_numbers and part != "structure" else frozenset(), most
    )
    special: dict[str, Callable[[], str]] = {
        "structure": lambda: writer.structure(equations),
        "rows": lambda: writer.rows(equations),
        "coordinates": lambda: writer.coordinates(equations),
        "C": lambda: writer.closure(equations.block("C")),
        "parameters": lambda: writer.parameters(equations, units),
    }
    if part in LISTS:
        body = writer.definitions(equations.listed(part))
    elif part in special:
        body = special[part]()
    else:
        block = equations.block(part)
        head = f"{_HEADINGS[part]} = "
        if not (listed or is_long(equations, part, most)):
            body = f"$ {head}{writer.matrix(block)} $"
        else:
            body = writer.listed(block) if part in COLUMNS else writer.named(block, head)
    return writer.finished(body)


def _quoted(text: str) -> str:
    """A Typst string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _word(text: str) -> str:
    """A letter or subscript in formulas: Greek and single letters in italics, words upright."""
    if text == "ell":
        return "ℓ"
    if text in GREEK:
        return greek(text)
    return text if text.isdecimal() or (len(text) == 1 and text.isalpha()) else _quoted(text)


def bracketed(rows: Sequence[str], rules: str = "") -> str:
    """A matrix of rows of cells.  Brackets of `mat` are a tenth higher than their content, in a
    tall matrix by lines: those are fitted by hand.  rules: lines within it, as `mat` takes them.
    """
    inside = "; ".join(rows)
    return (
        f"mat({inside})"
        if len(rows) < TALL
        else f"lr(size: #(100% + 0.5em), \\[ mat(delim: #none, {rules}{inside}) \\])"
    )


def _power(n: int) -> str:
    return f"^({n})" if n != 1 else ""


def _function(f: Trig, inside: str) -> str:
    if f.function == "sqrt":
        return f"sqrt({inside}){_power(f.power)}"
    argument = inside if is_alone(f) else f"({inside})"
    return f"{ARCS.get(f.function, f.function)}{_power(f.power)} {argument}"


class _Linked(Printer):
    """Writes each term as a link, those in brackets too.   link(term, as it is written)."""

    def __init__(self, plain: Printer, link: Callable[[Term, str], str]) -> None:
        super().__init__(plain.language, plain)
        self._link = link

    def term(self, t: Term) -> str:
        """A link to where the term comes from."""
        return self._link(t, super().term(t))


class _Writer:
    """Writes one part, collecting its links and colours."""

    def __init__(
        self,
        colors: Mapping[str, str],
        numbered: frozenset[str] = frozenset(),
        most: int = READABLE,
    ) -> None:
        self._colors, self._numbered, self._most = colors, numbered, most
        self._inks: dict[str, str] = {}
        self.links: list[tuple[str, ...]] = []
        self._words: list[str] = []
        self.plain = Printer(
            Language(
                name=self.name,
                function=_function,
                bracket=lambda inside, n: f"({inside}){_power(n)}",
                term=over_line(" thin ".join, "frac({}, {})".format),
            )
        )
        self.linked = _Linked(self.plain, self._term)

    def finished(self, body: str) -> Markup:
        """Markup of the written part, preceded by all that it needs."""
        # the numbers under the last line want room too
        return Markup(
            self.preamble() + body + ("\n#v(0.9em)" if self._numbered else ""),
            tuple(self.links),
            tuple(self._words),
        )

    def preamble(self) -> str:
        inks = "".join(
            f'#let {name}(x) = text(fill: rgb("{color}"), x)\n'
            for color, name in self._inks.items()
        )
        # brackets would grow round the room for the numbers
        brackets = (
            "#set math.lr(size: 1.2em)\n#set par(leading: 1.35em)\n" if self._numbered else ""
        )
        return _PREAMBLE.format(mute=self._colors["mute"]) + brackets + inks

    def _inked(self, source: str, formula: str) -> str:
        color = self._colors.get(source, self._colors["text"])
        if color == self._colors["text"]:
            return formula
        k = len(self._inks)
        ink = self._inks.setdefault(
            color, "k" + string.ascii_letters[k // 52 % 52] + string.ascii_letters[k % 52]
        )
        return f"{ink}({formula})"

    def _link(self, sources: Sequence[str], words: str = "") -> str:
        self.links.append(tuple(sources))
        self._words.append(words)
        return f'"{LINK}{len(self.links) - 1}"'

    def _linked(self, sources: Sequence[str], formula: str, words: str = "") -> str:
        return f"lk(#{self._link(sources, words)}, {formula})" if sources or words else formula

    def _term(self, t: Term, product: str) -> str:
        """A term without its sign, as a link.   product: as it is written."""
        return self._linked(t.sources, product, words(t))

    def grid(self, columns: str, align: str, lines: Sequence[str], gap: str = "0.75em") -> str:
        """Lines in columns, farther apart where numbers stand under the symbols."""
        return _grid(columns, align, lines, LOOSE if self._numbered else gap)

    # symbols

    def name(self, n: Name) -> str:
        letter = _word(n.letter)
        letter = ("{}", "dot({})", "dot.double({})")[n.dots].format(letter)
        letter += "'" * n.primes
        subscript = " thin ".join(_word(word) for word in n.subscript.split())
        shown = self._inked(
            n.source,
            letter + (f"_({subscript})" if subscript else "") + _power(n.power),
        )
        return (
            f"lv(#{self._link((VALUE + n.name,))}, {shown})" if n.name in self._numbered else shown
        )

    # sums as running text, so that lines break between terms

    def flow(self, terms: Sequence[Term]) -> str:
        """A sum as formulas of one term each; brackets are opened, so that lines may break inside
        them too.
        """
        pieces = []
        for k, t in enumerate(terms):
            sign = "nn(-)" if t.numerator < 0 else "nn(+)" if k else ""
            group = next(
                (
                    f
                    for f in t.factors
                    if isinstance(f, Group) and f.power == 1 and len(f.terms) > 1
                ),
                None,
            )
            if (
                group is None
                or any(f.power < 0 for f in t.factors)
                or (
                    len(group.terms) == 2
                    and _weight(Entry((t,))) + _weight(Entry(group.terms)) <= _WHOLE
                )
            ):
                pieces.append(self._signed(sign, self.linked.term(t), bool(k)))
            else:
                pieces.append(self._opened(sign, t, group, bool(k)))
        return f" {_GAP}".join(pieces) or "$0$"

    @staticmethod
    def _signed(sign: str, formula: str, spaced: bool) -> str:
        return _boxed(f"{sign} med {formula}" if sign and spaced else sign + formula)

    def _opened(self, sign: str, t: Term, group: Group, spaced: bool) -> str:
        """factors (term + term + …) factors, with a place for a line's end before each plus."""
        at = t.factors.index(group)
        number = (
            []
            if abs(t.numerator) == t.denominator == 1
            else [
                f"frac({abs(t.numerator)}, {t.denominator})"
                if t.denominator != 1
                else str(abs(t.numerator))
            ]
        )
        before = [*number, *(self.plain.factor(f) for f in t.factors[:at])]
        after = [self.plain.factor(f) for f in t.factors[at + 1 :]]
        inside = []
        for k, x in enumerate(group.terms):
            mark = "nn(-)" if x.numerator < 0 else "nn(+)" if k else ""
            formula = f"{mark} {'med' if k else ''} {self._term(x, self.plain.term(x))}"
            if k == 0:
                head = " thin ".join([*before, ""]) if before else ""
                formula = (
                    f'{sign} {"med" if sign and spaced else ""} {head} class("normal", \\() '
                    f"{formula}"
                )
            if k == len(group.terms) - 1:
                tail = " thin " + " thin ".join(after) if after and len(after) <= _TAIL else ""
                formula += f' class("normal", \\)) {tail}'
            inside.append(_boxed(formula))
        # many factors behind the brackets may begin a line of their own
        return f" {_GAP}".join(inside) + (
            f" #h(0.17em, weak: true){_boxed(' thin '.join(after))}" if len(after) > _TAIL else ""
        )

    # blocks

    def cell(self, e: Entry) -> str:
        return "zz" if e.is_zero else self.linked.sum(e.terms)

    def matrix(self, block: Block) -> str:
        rows = [", ".join(self.cell(c) for c in row) for row in block.rows]
        if not block.parts:
            return bracketed(rows)
        side = len(block.parts[0].rows)
        between = ", ".join(map(str, range(side, len(rows), side)))
        return bracketed(
            rows,
            f"augment: #(hline: ({between},), vline: ({between},), stroke: 0.04em + "
            f'rgb("{self._colors["mute"]}")), ',
        )

    def entry(self, e: Entry, limit: int) -> str:
        """A sum whose lines may be broken; how long it is, where it is longer than the limit."""
        count = term_count(e.terms)
        return self.flow(e.terms) if count <= limit else f"#mu({_quoted(f'{count} terms')})"

    def named(self, block: Block, head: str) -> str:
        """A matrix whose long entries are only named, and what the names stand for, one under the
        other.
        """
        rows, lines = [], []
        limit = readable(
            [
                term_count(e.terms)
                for i, row in enumerate(block.rows)
                for j, e in enumerate(row)
                if not (block.symmetric and j < i)
            ],
            self._most,
        )
        for i, row in enumerate(block.rows):
            cells = []
            for j, e in enumerate(row):
                if _weight(e) <= _SHORT:
                    cells.append(self.cell(e))
                    continue
                mirrored = block.symmetric and j < i
                name = self._entry_name(block.key, *((j, i) if mirrored else (i, j)))
                cells.append(
                    self._linked(tuple(dict.fromkeys(s for t in e.terms for s in t.sources)), name)
                )
                if not mirrored:
                    lines.append(f"[${name} =$], [{self.entry(e, limit)}]")
            rows.append(", ".join(cells))
        return f"$ {head} {bracketed(rows)} $ #v(0.4em)\n" + self.grid(
            "(auto, 1fr)", "(right, left)", lines
        )

    @staticmethod
    def _entry_name(key: str, *at: int) -> str:
        place = ("" if max(at) < 9 else " thin ").join(str(k + 1) for k in at)
        return f'C_(q"," {place})' if key == "C_q" else f"{LETTERS[key]}_({place})"

    def listed(self, block: Block) -> str:
        """b_1 = …, one under the other."""
        letter = LETTERS[block.key]
        limit = readable([term_count(row[0].terms) for row in block.rows], self._most)
        lines = [
            (
                f"[$mu({letter}_{i + 1}) =$], "
                f"[{self.entry(row[0], limit) if row[0].terms else '$mu(0)$'}]"
            )
            for i, row in enumerate(block.rows)
        ]
        return self.grid("(auto, 1fr)", "(right, left)", lines)

    def closure(self, block: Block) -> str:
        """C_1 = 0, …, with what each row belongs to; rows that hold in every position are muted."""
        lines = []
        for i, ((e,), label) in enumerate(zip(block.rows, block.labels)):
            sources = block.sources[i] if block.sources else ()
            words = (
                f"#link({self._link(sources)})[#mu({_quoted(label)})]"
                if sources
                else f"#mu({_quoted(label)})"
            )
            formula = (
                "#mu($0 = 0$)"
                if e.is_zero
                else f"{self.flow(e.terms)} {_GAP}{_boxed('nn(=) med 0')}"
            )
            lines.append(f"[$mu(C_{i + 1})$], [{formula}], [{words}]")
        return self.grid("(auto, auto, auto)", "(right, left, left)", lines)

    def rows(self, e: Equations) -> str:
        """The equations of motion, one paragraph each."""
        lines = []
        limit = readable([sum(sizes) for sizes in row_sizes(e)], self._most)
        for i in range(len(e.coordinates)):
            left, right = written_row(e, i)
            count = term_count(left)
            if count + term_count(right) > limit:
                lines.append(
                    f"[#mu[{i + 1}]], [{self._by_names(e, i)} "
                    f"{_GAP}#mu({_quoted(f'({count + term_count(right)} terms)')})]"
                )
                continue
            start = _GAP if count <= _LONG or len(right) < 2 else "\\ "
            side = f"{start}$nn(=)$ {_GAP}{self.flow(right)}"
            lines.append(f"[#mu[{i + 1}]], [{self.flow(left)} {side}]")
        return self.grid("(auto, 1fr)", "(right, left)", lines, gap="1.05em")

    def _by_names(self, e: Equations, i: int) -> str:
        """A row too long to be written out: its entries by their names, those that are short as
        they stand.
        """

        def side(pieces: Sequence[tuple[Entry, str, Name | None]]) -> str:
            out: list[str] = []
            for entry, name, factor in pieces:
                if entry.is_zero:
                    continue
                if _weight(entry) <= _SHORT:
                    out += (
                        [
                            self.flow(terms)
                            for terms in (
                                times(entry, factor) if factor is not None else entry.terms,
                            )
                        ]
                        if not out
                        else [
                            self._signed(
                                "nn(-)" if t.numerator < 0 else "nn(+)",
                                self.linked.term(t),
                                True,
                            )
                            for t in (times(entry, factor) if factor is not None else entry.terms)
                        ]
                    )
                    continue
                linked = self._linked(
                    tuple(dict.fromkeys(s for t in entry.terms for s in t.sources)), name
                )
                out.append(
                    self._signed(
                        "nn(+)" if out else "",
                        f"{linked} thin {self.name(factor)}" if factor is not None else linked,
                        bool(out),
                    )
                )
            return f" {_GAP}".join(out) or "$0$"

        column = lambda key: (e.block(key).rows[i][0], self._entry_name(key, i), None)
        mass: list[tuple[Entry, str, Name | None]] = [
            (entry, self._entry_name("M", *sorted((i, j))), u.acceleration)
            for j, (entry, u) in enumerate(zip(e.block("M").rows[i], e.coordinates))
        ]
        loads: list[tuple[Entry, str, Name | None]] = [column("tau")]
        if e.structure == "closed":
            loads += [
                (row[i], self._entry_name("C_q", k, i), name)
                for k, (row, name) in enumerate(zip(e.block("C_q").rows, e.multipliers))
            ]
        return f"{side([*mass, column('b'), column('g')])} {_GAP}$nn(=)$ {_GAP}{side(loads)}"

    def structure(self, e: Equations) -> str:
        part = lambda key, formula: self._linked((PART + key,), formula)
        line = (
            f"{part('M', 'M(q)')} thin {part('coordinates', 'dot.double(q)')} + "
            f"{part('b', 'b(q, dot(q))')} + {part('g', 'g(q)')} = {part('tau', 'τ')}"
        )
        if e.structure == "open":
            return _boxed(line)
        lines = [
            f"{line} + {part('C_q', 'C_q^(upright(T))')} thin λ",
            part("C", "C(q) = 0"),
            f"{part('C_q', 'C_q')} thin dot.double(q) = {part('gamma', 'γ')}",
        ]
        return " #h(1.8em, weak: true) ".join(map(_boxed, lines))

    def coordinates(self, e: Equations) -> str:
        lines = []
        for u in e.coordinates:
            link = self._link(u.sources) if u.sources else ""
            wrap = lambda x, link=link: f"#link({link})[{x}]" if link else x
            lines.append(
                f"[{wrap(f'${self.name(u.position)}$')}], [{wrap(f'#{_quoted(u.meaning)}')}]"
            )
        return self.grid("(auto, 1fr)", "(left, left)", lines)

    def definitions(self, found: Sequence[Definition]) -> str:
        """Symbols and their meanings; many of them in two columns."""
        lines = [f"[${self.name(d.name)} =$], [{self.flow(d.entry.terms)}]" for d in found]
        if len(lines) <= _MANY:
            return self.grid("(auto, 1fr)", "(right, left)", lines)
        return self.grid("(auto, 1fr, auto, 1fr)", "(right, left, right, left)", lines)

    def parameters(self, e: Equations, units: str) -> str:
        lines = []
        for k in e.known:
            link = self._link(k.sources) if k.sources else ""
            wrap = lambda x, link=link: f"#link({link})[{x}]" if link else x
            value = format_value(k.shown, k.dimension, units)
            lines.append(
                f"[{wrap(f'${self.name(k.name)}$')}], [{wrap(f'#{_quoted(value)}')}], "
                f"[{wrap(f'#mu({_quoted(k.meaning)})')}]"
            )
        return self.grid("(auto, auto, 1fr)", "(left, right, left)", lines)


def _weight(e: Entry) -> int:
    """Length of an entry in symbols."""
    return sum(
        len(f.argument) if isinstance(f, Trig) else len(f.terms) if isinstance(f, Group) else 1
        for t in e.terms
        for f in t.factors
    )


def _boxed(formula: str) -> str:
    """A formula in running text that no line breaks."""
    return f"#box(${formula}$)"


def _grid(columns: str, align: str, lines: Sequence[str], gap: str = "0.75em") -> str:
    return (
        f"#grid(columns: {columns}, align: {align}, column-gutter: 1.1em, row-gutter: {gap},\n"
        + ",\n".join(lines)
        + ")"
    )
