"""Length of equations in terms, and the part of them that is written out."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from mechstudio.model.equations.terms import Equations, Group, Term, written_row

# terms of one part that are written out; beyond, its longest rows or entries only say how long they
# are
READABLE = 400
MOST_INTERMEDIATES = 1000  # that are shown at once
SHORT = 60  # terms of a row or entry that is written out all the same


def term_count(terms: Sequence[Term]) -> int:
    """Terms, those in brackets in place of the brackets."""
    return sum(
        max([term_count(f.terms) for f in t.factors if isinstance(f, Group)], default=1)
        for t in terms
    )


def row_sizes(equations: Equations) -> list[tuple[int, int]]:
    """Of each equation of motion written out the terms left and right of =."""
    return [
        (term_count(left), term_count(right))
        for left, right in (written_row(equations, i) for i in range(len(equations.coordinates)))
    ]


def _sizes(equations: Equations, part: str) -> list[int]:
    """Terms of the rows or of the entries of a part."""
    if part == "rows":
        return [left + right for left, right in row_sizes(equations)]
    return [
        term_count(e.terms)
        for b in equations.blocks
        if b.key == part
        for i, row in enumerate(b.rows)
        for j, e in enumerate(row)
        if not (b.symmetric and j < i)
    ]


def is_long(equations: Equations, part: str, most: int = READABLE) -> bool:
    """True if a part has so many terms that its rows or entries stand one below the other."""
    return sum(_sizes(equations, part)) > most


def is_cut(equations: Equations, part: str) -> bool:
    """True if some rows or entries of a part are not written out."""
    sizes = _sizes(equations, part)
    return max(sizes, default=0) > readable(sizes)


def with_first_intermediates(equations: Equations) -> Equations:
    """The equations with as many intermediates as are shown at once."""
    if len(equations.intermediates) <= MOST_INTERMEDIATES:
        return equations
    return msgspec.structs.replace(
        equations, intermediates=equations.intermediates[:MOST_INTERMEDIATES]
    )


def readable(sizes: Sequence[int], most: int = READABLE, short: int = SHORT) -> int:
    """The length up to which rows or entries are written out: short ones, and as many as have
    together no more than `most` terms.
    """
    total, limit = 0, 0
    for size, count in sorted(Counter(sizes).items()):
        total += size * count
        if total > most:
            break
        limit = size
    return max(limit, short)
