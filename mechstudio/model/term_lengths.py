"""How long equations come out, and what of them is written out."""

from collections import Counter
from collections.abc import Sequence

from .terms import Equations, Group, Term, written_row

READABLE = 800              # terms of one part that are written out; beyond, its longest rows or entries only say how long they are


def term_count(terms: Sequence[Term]) -> int:
    """Terms, those in brackets in place of the brackets."""
    return sum(max([term_count(f.terms) for f in t.factors if isinstance(f, Group)], default=1) for t in terms)


def row_sizes(equations: Equations) -> list[tuple[int, int]]:
    """Of each equation of motion written out the terms left and right of =."""
    return [(term_count(left), term_count(right)) for left, right in (written_row(equations, i) for i in range(len(equations.coordinates)))]


def is_long(equations: Equations, part: str, most: int = READABLE) -> bool:
    """Whether a part has more terms than are written out."""
    if part == "rows":
        return sum(map(sum, row_sizes(equations))) > most
    return any(b.key == part and b.term_count > most for b in equations.blocks)


def readable(sizes: Sequence[int], most: int = READABLE) -> int:
    """The length up to which pieces are written out: all of that length and below have together no more than `most` terms."""
    total, limit = 0, 0
    for size, count in sorted(Counter(sizes).items()):
        total += size * count
        if total > most:
            break
        limit = size
    return limit
