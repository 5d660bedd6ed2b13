"""Terms as words, for the search of a symbol: the identifiers that occur in them, as they are
called everywhere.
"""

from collections.abc import Iterable, Iterator

from mechstudio.model.equations.terms import Factor, Group, Name, Term

# Greek letters as they are typed, for those that are written by name
GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "θ": "theta",
    "λ": "lambda",
    "μ": "mu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "ϕ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "ℓ": "l",
}
_LETTERS = {word: letter for letter, word in GREEK.items() if letter not in "ϕℓ"} | {"ell": "ℓ"}
_DROPPED = dict.fromkeys(map(ord, "_ {}\\.,^()"))


def plain(text: str) -> str:
    """A text as it is compared: lower case, Greek letters by name, without blanks, underlines and
    brackets.
    """
    return "".join(GREEK.get(c, c) for c in text.lower()).translate(_DROPPED)


def _names(factors: Iterable[Factor]) -> Iterator[str]:
    for f in factors:
        if isinstance(f, Name):
            yield f.name or f.letter
        elif isinstance(f, Group):
            for t in f.terms:
                yield from _names(t.factors)
        else:
            yield f.function
            for t in f.argument:
                yield from _names(t.factors)


def words(term: Term) -> str:
    """The symbols and functions of a term, once each, separated by blanks: "m_c g sin theta_A"."""
    return " ".join(dict.fromkeys(_names(term.factors)))


def shown(name: Name) -> str:
    """A symbol as plain text: θ_crank."""
    letter = _LETTERS.get(name.letter, name.letter)
    return (
        letter
        + ("", "\u0307", "\u0308")[name.dots]
        + (f"_{_LETTERS.get(name.subscript, name.subscript)}" if name.subscript else "")
    )


def holds(text: str, requested: str) -> bool:
    """True if one of the words in a text, or two neighbours run together, contain `requested` (made
    plain).
    """
    return any(requested in plain(word) for word in text.split()) or requested in plain(text)
