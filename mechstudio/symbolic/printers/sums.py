"""Sum of terms written in one line, whatever the terms look like."""

from collections.abc import Callable, Iterable

from mechstudio.model.equations.terms import Term


def written_sum(terms: Iterable[Term], term: Callable[[Term], str], minus: str) -> str:
    """Terms with signs between them; 0 without terms.  term: writes one without its sign.  minus:
    the sign.
    """
    out = ""
    for t in terms:
        sign = minus if t.numerator < 0 else "+"
        out += f" {sign} {term(t)}" if out else (minus if t.numerator < 0 else "") + term(t)
    return out or "0"
