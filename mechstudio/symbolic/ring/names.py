"""Names: as short as the equations allow.  A letter alone where it is the only one, else with its
owner, else with a detail.  None is that of a parameter of the user, also of one that the equations
do without, nor looks like one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize

from mechstudio.model.equations.terms import PI, Name
from mechstudio.symbolic.plan.plan import Coordinate, Opaque
from mechstudio.symbolic.plan.symbols import Symbol
from mechstudio.symbolic.ring.polynomials import DERIVATIVES

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
    "tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
).split()
_GREEK_LETTERS: dict[str, str] = dict(zip(GREEK, "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"))
_GREEK_NAMES = {letter: name for name, letter in _GREEK_LETTERS.items()}
_DOTS = ("", "dot", "ddot")


def greek(letter: str) -> str:
    """The Greek letter of a name; any other letter stays."""
    return _GREEK_LETTERS.get(letter, letter)


def split(name: str) -> tuple[str, str]:
    """A user's name as letter and subscript: m_c, m1, k_theta, theta0, mass."""
    head, _, tail = name.partition("_")
    head = _GREEK_NAMES.get(head, head)
    if tail or head in GREEK:
        return head, tail
    digits = re.fullmatch(r"(.*?\D)(\d+)", head)
    if digits:
        return _GREEK_NAMES.get(digits[1], digits[1]), digits[2]
    return head, ""


def identifier(*parts: str) -> str:
    """Parts joined to something that Python can call a variable, whatever the user wrote."""
    text = "_".join(
        p
        for p in (
            "".join(c if ("a" + c).isidentifier() else "_" for c in normalize("NFKC", part))
            for part in parts
        )
        if p
    )
    text = re.sub("__+", "_", text).strip("_")
    return text if text.isidentifier() else "p_" + text


def _dotted(letter: str, subscript: str) -> list[str]:
    """Identifiers of a coordinate, its rate and its acceleration."""
    head, tail = split(letter)
    return [identifier(head + dots, tail, subscript) for dots in _DOTS]


def _distinct(
    entries: Sequence[tuple[str, str, str]],
    taken: set[str],
    whole: bool = False,
    forms: Callable[[str, str], list[str]] = lambda letter, sub: [identifier(letter, sub)],
) -> list[tuple[str, str]]:
    """(letter, subscript) for entries (letter, owner, detail), each as short as it can be, or with
    everything.  forms: identifiers that go with a letter and a subscript; `taken` is extended by
    them.
    """
    used = lambda letter, subscript: not taken.isdisjoint(forms(letter, subscript))
    letters = Counter(e[0] for e in entries)
    owners = {letter: {e[1] for e in entries if e[0] == letter} for letter in letters}
    owned = Counter(e[:2] for e in entries)
    out = []
    for letter, owner, detail in entries:
        parts: list[str] = []
        if whole:
            parts = [owner, detail]
        elif letters[letter] > 1:
            parts = ([owner] if len(owners[letter]) > 1 else []) + (
                [detail] if owned[letter, owner] > 1 else []
            )
        parts = [p for p in parts if p]
        if used(letter, " ".join(parts)) and owner not in parts:
            parts = [owner, *parts]
        if used(letter, " ".join(parts)) and detail not in parts:
            parts = [*parts, *filter(None, [detail])]
        subscript, number = " ".join(p for p in parts if p), 1
        while used(letter, subscript):
            number += 1
            subscript = " ".join([*parts, str(number)])
        taken.update(forms(letter, subscript))
        out.append((letter, subscript))
    return out


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken; `taken` is extended."""
    unused, k = name, 1
    while unused in taken:
        k += 1
        unused = f"{name}_{k}"
    taken.add(unused)
    return unused


class Parameters(dict):
    """Names of symbols by index, and of any other when it is first requested."""

    def __init__(
        self, names: "Names", known: dict[int, Name], everything: Sequence[Symbol], taken: set[str]
    ):
        super().__init__(known)
        self._names, self._everything, self._taken = names, everything, taken

    def __missing__(self, index: int) -> Name:
        symbol = self._everything[index]
        if symbol.parameter:
            self[index] = self._names._symbol(symbol, self._names.own[symbol.letter], ("", ""))
        else:
            ((letter, subscript),) = _distinct(
                [(symbol.letter, symbol.owner, symbol.detail)], self._taken, whole=True
            )
            self[index] = self._names._symbol(symbol, "", (letter, subscript))
        return self[index]


class Names:
    """The names of one derivation: coordinates, rates, accelerations, symbols that are used,
    springs' lengths, multipliers.
    """

    def __init__(
        self,
        coordinates: Sequence[Coordinate],
        symbols: Sequence[Symbol],
        behind: Sequence[Symbol],
        springs: Sequence[tuple[str, str]],
        rows: Sequence[tuple[str, str]],
        functions: Sequence[Opaque] = (),
        everything: Sequence[Symbol] = (),
        parameters: Iterable[str] = (),
    ):
        """behind: symbols that only the formulas of `symbols` need.  springs: (id, name) of
        whatever has a root.  rows: (joint id, joint name) of the rows of C.  functions: opaque
        ones.  everything: all symbols; those that the equations do without, but a step on the way
        to them needs, are named when they are met.  parameters: names of all of the user's.
        """
        taken: set[str] = set()
        known = (*symbols, *behind)
        every = dict.fromkeys((*(s.letter for s in known if s.parameter), *parameters))
        # identifiers of the user's parameters, and what else looks like one: theta_0 like theta0
        self.own = {name: _unused(identifier(name), taken) for name in every}
        self.alike = taken | {identifier(*split(name)) for name in every}
        taken |= {*self.alike, "t", "q", "v", PI}
        found = _distinct([(c.letter, c.owner, "") for c in coordinates], taken, forms=_dotted)
        self.q = [
            self._name(letter, sub, 0, c.joint or c.body)
            for (letter, sub), c in zip(found, coordinates)
        ]
        self.v = [
            self._name(letter, sub, 1, c.joint or c.body)
            for (letter, sub), c in zip(found, coordinates)
        ]
        self.a = [
            self._name(letter, sub, 2, c.joint or c.body)
            for (letter, sub), c in zip(found, coordinates)
        ]
        found = _distinct([("ell", name, "") for _, name in springs], taken)
        self.lengths = [
            self._name(letter, sub, 0, id) for (letter, sub), (id, _) in zip(found, springs)
        ]
        found = _distinct([(f.letter, f.owner, "") for f in functions], taken)
        self.functions = [
            [
                Name(
                    _unused(identifier(letter + str(order or ""), sub), taken)
                    if order
                    else identifier(letter, sub),
                    *split(letter)[:1],
                    sub,
                    0,
                    1,
                    f.source,
                    order,
                )
                for order in range(DERIVATIVES)
            ]
            for (letter, sub), f in zip(found, functions)
        ]
        named: dict[int, tuple[str, str]] = {}
        # formulas take what the equations leave
        for row in (symbols, behind):
            plain = [s for s in row if not s.parameter]
            found = _distinct([(s.letter, s.owner, s.detail) for s in plain], taken)
            named |= zip((s.index for s in plain), found)
        self.p = Parameters(
            self,
            {
                s.index: self._symbol(
                    s, self.own[s.letter] if s.parameter else "", named.get(s.index, ("", ""))
                )
                for s in known
            },
            everything,
            taken,
        )
        found = _distinct(
            [("lambda", joint, str(k + 1)) for k, (_, joint) in enumerate(rows)], taken
        )
        self.taken = taken
        self.multipliers = [
            self._name("lambda", sub, 0, id) for (_, sub), (id, _) in zip(found, rows)
        ]

    @staticmethod
    def _name(letter: str, subscript: str, dots: int, source: str) -> Name:
        head, tail = split(letter)
        return Name(
            identifier(head + _DOTS[dots], tail, subscript),
            head,
            " ".join(p for p in (tail, subscript) if p),
            dots,
            1,
            source,
        )

    def _symbol(self, symbol: Symbol, own: str, named: tuple[str, str]) -> Name:
        """own: the identifier of a parameter of the user; named: letter and subscript of any
        other.
        """
        source = next(iter(symbol.sources)) if len(symbol.sources) == 1 else ""
        if own:
            return Name(own, *split(symbol.letter), 0, 1, source)
        return self._name(*named, 0, source)
