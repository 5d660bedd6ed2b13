"""Steps of a lecture as Typst markup: the formula in general, then its result here, line by line
and block by block.
"""

from collections.abc import Callable, Mapping, Sequence

from mechstudio.model.equations.lecture import FORMULAS, Equality, Step
from mechstudio.model.equations.term_lengths import readable, term_count
from mechstudio.model.equations.terms import Block
from mechstudio.symbolic.printers.typst.typst_equations import (
    _GAP,
    _HEADINGS,
    COLUMNS,
    LETTERS,
    Markup,
    _boxed,
    _quoted,
    _Writer,
)

NARROW = 3  # columns up to which blocks of single symbols stand side by side
LONGEST = 400  # terms of one block that is still written whole
# terms of a longer block that are written out; its longest entries only say how long they are
PART = 200
ENTRIES = 100  # of a block that stand one under the other
# terms of all equations of a step that are written out: the recursive form of an arm has 824
MOST = 1000


def markup(
    step: Step,
    colors: Mapping[str, str],
    fits: Callable[[str], bool],
    numbered: frozenset[str] = frozenset(),
) -> Markup:
    """A step.  colors: as for typeset.markup.  fits: whether markup is not wider than the page; a
    wide block is written in its parts, or entry by entry.

    numbered: names of unknowns under which there shall be room for a number.
    """
    writer = StepWriter(colors, numbered)
    pieces = [f"#mu($ {FORMULAS[step.formula].typst} $)"] if step.formula else []
    if step.equations:
        pieces.append(writer.equalities(step.equations, fits))
    narrow = [b for b in step.blocks if _is_small(b)]
    if len(narrow) > 1:
        pieces.append(writer.side_by_side(narrow))
    for block in step.blocks if len(narrow) < 2 else [b for b in step.blocks if not _is_small(b)]:
        if block.term_count > LONGEST:
            pieces.append(writer.by_entries(block))
            continue
        # measured with links and inks of its own, so that a refused form leaves no links behind
        trial = StepWriter(colors, numbered)
        whole = trial.whole(block)
        pieces.append(
            writer.whole(block) if fits(trial.preamble() + whole) else writer.narrower(block)
        )
    return writer.finished(" #v(0.7em)\n".join(pieces))


def _is_small(block: Block) -> bool:
    return len(block.rows[0]) <= NARROW and all(
        len(e.terms) <= 1 and all(len(t.factors) <= 1 for t in e.terms)
        for row in block.rows
        for e in row
    )


def _length(e: Equality) -> int:
    return term_count(e.left.terms) + term_count(e.right.terms)


class StepWriter(_Writer):
    """Blocks of any name, and equations written out."""

    _limit = MOST  # terms of a right side that is written out

    def equalities(
        self, equations: tuple[Equality, ...], fits: Callable[[str], bool] | None = None
    ) -> str:
        """One line each, = under =; where left sides are sums and that is too wide, or may be, each
        is a paragraph.
        """
        if sum(map(_length, equations)) > MOST:
            self._limit = readable([term_count(e.right.terms) for e in equations], PART, 20)
        if any(term_count(e.left.terms) > 1 for e in equations):
            if fits is None or sum(map(_length, equations)) > LONGEST:
                return self.paragraphs(equations)
            trial = StepWriter(self._colors, self._numbered)
            lines = trial.lines(equations)
            # after its content: inks are known by then
            if not fits(trial.preamble() + lines):
                return self.paragraphs(equations)
        return self.lines(equations, "1fr")

    def lines(self, equations: tuple[Equality, ...], right: str = "auto") -> str:
        out = [
            (
                f"[{self.flow(e.left.terms)}], [{_boxed('nn(=)')} "
                f"{_GAP}{self.entry(e.right, self._limit)}], [{self.label(e)}]"
            )
            for e in equations
        ]
        return self.grid(f"(auto, {right}, auto)", "(right, left, right)", out)

    def paragraphs(self, equations: tuple[Equality, ...]) -> str:
        # = goes with what follows it: a line never ends there
        out = [
            (
                f"[#par(hanging-indent: 1.3em)[{self.flow(e.left.terms)} "
                f"{_GAP}{_boxed('nn(=)')}#sym.wj#h(0.26em)#sym.wj"
                f"{self.entry(e.right, self._limit)}]], "
                f"[{self.label(e)}]"
            )
            for e in equations
        ]
        return self.grid("(1fr, auto)", "(left, right)", out, gap="1.05em")

    def label(self, e: Equality) -> str:
        label = f"#mu({_quoted(e.label)})" if e.label else ""
        return f"#link({self._link(e.sources)})[{label}]" if e.label and e.sources else label

    def symbol(self, block: Block) -> str:
        if block.name is not None:
            return self.name(block.name)
        return LETTERS.get(block.key) or _quoted(block.heading)

    def whole(self, block: Block) -> str:
        head = _HEADINGS.get(block.key) or self.symbol(block)
        if (
            len(block.rows) == len(block.rows[0]) == 1
            and block.name is None
            and block.key not in LETTERS
        ):
            return self.grid(
                "(auto, 1fr)",
                "(right, left)",
                [f"[$mu({head}) =$], [{self.flow(block.rows[0][0].terms)}]"],
            )
        return f"$ {head} = {self.matrix(block)} $"

    def equated(self, block: Block) -> str:
        """The block after its name, without a line of its own."""
        return f"{self.symbol(block)} = {self.matrix(block)}"

    def side_by_side(self, blocks: Sequence[Block]) -> str:
        """As many in a line as the page has room for."""
        # formulas in a line are laid lower than they are by a share of the leading, so that
        # matrices would meet and be cut
        boxes = (f"#box[#set par(leading: 0pt)\n$display({self.equated(b)})$]" for b in blocks)
        return "#par(leading: 1.1em)[" + " #h(1.8em) ".join(boxes) + "]"

    def narrower(self, block: Block) -> str:
        """A block that is wider than the page."""
        return self.side_by_side(block.parts) if block.parts else self.by_entries(block)

    def by_entries(self, block: Block) -> str:
        """Nonzero entries one below the other, each with the numbers of its row and column."""
        letter, lines = self.symbol(block), []
        sizes = [term_count(e.terms) for row in block.rows for e in row]
        limit = max(sizes) if block.term_count <= LONGEST else readable(sizes, PART, 4)
        column = block.key in COLUMNS or all(len(row) == 1 for row in block.rows)
        for i, row in enumerate(block.rows):
            for j, e in enumerate(row):
                if e.is_zero or (block.symmetric and j < i):
                    continue
                place = f"{i + 1}" if column else f'{i + 1}","{j + 1}'
                lines.append(f"[$mu({letter}) thin mu([{place}]) =$], [{self.entry(e, limit)}]")
        if not lines:
            return f"$ {letter} = 0 $"
        if len(lines) > ENTRIES:
            more = f"and {len(lines) - ENTRIES} more entries: copy all of them as LaTeX"
            lines[ENTRIES:] = [(f"[], [#mu({_quoted(more)})]")]
        return self.grid("(auto, 1fr)", "(right, left)", lines)
