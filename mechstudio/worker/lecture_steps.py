"""Steps of chapters on their way to the window: what is reported of them before they are pictures,
and how much of a long one comes first.
"""

from itertools import accumulate

from mechstudio.model.equations.lecture import Step
from mechstudio.model.equations.term_words import words
from mechstudio.protocol.derivation_messages import Heading

FIRST, MANY = (
    80,
    200,
    # terms of a step, in whole lines, that come before the rest, where it has more than so many:
    # some
    # 60 ms of typesetting, a screen full
)


def heading(s: Step) -> Heading:
    """Heading of a step for the window."""
    entries = [entry for b in s.blocks for row in b.rows for entry in row]
    for e in s.equations:
        entries += (e.left, e.right)
    symbols = " ".join(
        dict.fromkeys(
            word for entry in entries for term in entry.terms for word in words(term).split()
        )
    )
    return Heading(
        s.key,
        s.kind,
        s.title,
        s.sentences,
        s.depth,
        s.sources,
        sum(len(entry.terms) for entry in entries),
        bool(s.formula or s.equations or s.blocks),
        symbols,
    )


def beginning(s: Step) -> int:
    """Number of lines of a long step that come before the rest; 0 if it comes at once."""
    counts = [len(e.left.terms) + len(e.right.terms) for e in s.equations]
    if sum(counts) <= MANY:
        return 0
    lines = max(sum(so_far <= FIRST for so_far in accumulate(counts)), 1)
    return lines if lines < len(counts) else 0
