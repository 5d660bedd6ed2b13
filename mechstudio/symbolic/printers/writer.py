"""Writes ring elements, vectors and matrices as the equations and blocks of a lecture's steps."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from mechstudio.model.equations.lecture import Equality
from mechstudio.model.equations.terms import Block, Entry, Name, Term, times
from mechstudio.symbolic.kinematics.kinematics import Columns
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.printers.named_terms import Sharing
from mechstudio.symbolic.printers.presentation import Presenter
from mechstudio.symbolic.ring.names import Names, identifier
from mechstudio.symbolic.ring.polynomials import Poly, Vector
from mechstudio.translation import Words

AXES = "xyz"
LONGEST = 60  # terms of an equation that a step still writes out
BRIEF = (
    6  # terms of an element that stands as it is among longer ones that are written by their parts
)
Linear = Sequence[tuple[Poly, Name | None]]
Row = tuple[Entry | Linear, Linear | Entry, str, Sequence[str]]  # left, right, label, sources
SHARED_LETTER = "zeta"  # names what long elements have in common
SHARED: Words = (
    "Written out it is long: what its entries have in common stands by names (ζ), which are "
    "exact and hold within one step."
)


class Writer:
    """For one derivation.  elements carry no tags of their own here: `sources` says where a line
    comes from.
    """

    def __init__(self, presenter: Presenter, names: Names, plan: Plan):
        self.presenter, self.names, self.plan = presenter, names, plan
        self.ring = presenter.ring
        self._names: dict[tuple, Name] = {}

    def name(self, letter: str, *subscript: str, dots: int = 0, source: str = "") -> Name:
        """A symbol of the lecture, unlike any of the equations; the same for the same words, and
        with a number where a parameter of the user looks like it.
        """
        key = (letter, subscript, dots)
        if key not in self._names:
            words = " ".join(p for p in subscript if p)
            taken, unique, k = (
                self.names.taken,
                identifier(letter + ("", "dot", "ddot")[dots], *subscript),
                1,
            )
            # letters alone are those of the method's formulas: T, U
            shown = bool(words) and unique in self.names.alike
            while unique in taken:
                k += 1
                unique = identifier(letter, *subscript, str(k))
            taken.add(unique)
            words = f"{words} {k}" if shown else words
            self._names[key] = Name(unique, letter, words, dots, 1, source)
        return self._names[key]

    def symbol(self, letter: str, *subscript: str, source: str = "") -> Entry:
        return Entry(
            (
                Term(
                    1,
                    1,
                    (self.name(letter, *subscript, source=source),),
                    (source,) if source else (),
                ),
            )
        )

    def entry(self, p: Poly, sources: Sequence[str] = ()) -> Entry:
        return self.presenter.entry(p, tuple(sources)) if p else Entry()

    def linear(
        self, parts: Sequence[tuple[Poly, Name | None]], sources: Sequence[str] = ()
    ) -> Entry:
        """A sum of elements times names; without a name an element stands alone."""
        terms: list[Term] = []
        for p, name in parts:
            if p:
                e = self.entry(p, sources)
                terms += e.terms if name is None else times_one(e, name)
        return Entry(tuple(terms))

    def equal(self, left: Entry, p: Poly, label: str = "", sources: Sequence[str] = ()) -> Equality:
        return Equality(left, self.entry(p, sources), label, tuple(sources))

    def vector(
        self, letter: str, of: str, v: Vector, sources: Sequence[str] = ()
    ) -> tuple[Equality, ...]:
        """Three equations for the components of a vector, by parts with names where they are long;
        those that are zero are left out.
        """
        return self.written(
            [
                (self.symbol(letter, of, axis), [(x, None)], axis, sources)
                for axis, x in zip(AXES, v)
                if x
            ]
        )

    def written(self, rows: Sequence[Row], most: int = LONGEST) -> tuple[Equality, ...]:
        """Equations as they stand, or by parts with names where they have more than `most` terms
        together.
        """
        sides = [
            side
            for left, right, *_ in rows
            for side in (left, right)
            if not isinstance(side, Entry)
        ]
        if self.size([p for side in sides for p, _ in side]) > most:
            return self.shared(rows)
        write = lambda side, sources: (
            side if isinstance(side, Entry) else self.linear(side, sources)
        )
        return tuple(
            Equality(write(left, sources), write(right, sources), label, tuple(sources))
            for left, right, label, sources in rows
        )

    @cached_property
    def _sharing(self) -> Sharing:
        return Sharing(self.ring, self.presenter, lambda k: self.name(SHARED_LETTER, str(k)))

    def shared(self, rows: Sequence[Row]) -> tuple[Equality, ...]:
        """Equations (left, right, label, sources) whose long elements are written by parts with
        names; the lines of these stand before the first equation that needs them.

        left, right: elements with the names that they are multiplied by, or none.  Short rows come
        as `linear` writes them.
        """
        sides = [
            side
            for left, right, *_ in rows
            for side in (left, right)
            if not isinstance(side, Entry)
        ]
        elements = [p for side in sides for p, _ in side if p]
        counts = Counter(map(str, (p for p in elements if 1 < len(p) <= BRIEF)))
        long = [p for p in elements if len(p) > BRIEF or (len(p) > 2 and counts[str(p)] > 1)]
        found = {id(p): pair for p, pair in zip(long, self._sharing.written(long))} if long else {}
        out: list[Equality] = []

        def entry(side: Entry | Linear, sources: Sequence[str]) -> Entry:
            if isinstance(side, Entry):
                return side
            terms: list[Term] = []
            for p, name in side:
                if id(p) not in found:
                    terms += self.linear([(p, name)], sources).terms
                    continue
                lines, e = found[id(p)]
                out.extend(
                    Equality(Entry((Term(1, 1, (own,)),)), line, "", tuple(sources))
                    for own, line in lines
                )
                terms += e.terms if name is None else times(e, name)
            return Entry(tuple(terms))

        for left, right, label, sources in rows:
            sides_of_row = entry(left, sources), entry(right, sources)
            out.append(Equality(*sides_of_row, label, tuple(sources)))
        return tuple(out)

    def size(self, elements: Sequence[Poly]) -> int:
        return sum(len(p) for p in elements)

    def jacobian(
        self,
        key: str,
        letter: str,
        part: str,
        of: str,
        columns: Columns,
        sources: Sequence[str] = (),
    ) -> Block:
        """A 3 x n block from partial velocities."""
        n = self.ring.coordinate_count
        rows = [
            [columns[k][i] if k in columns else self.ring.zero for k in range(n)] for i in range(3)
        ]
        return self.block(
            key,
            self.name(letter, part, of),
            rows,
            AXES,
            [c.meaning for c in self.plan.coordinates],
            [tuple(sources)] * 3,
        )

    def block(
        self,
        key: str,
        name: Name | None,
        rows: Sequence[Sequence[Poly]],
        labels: Sequence[str] = (),
        columns: Sequence[str] = (),
        sources: Sequence[Sequence[str]] = (),
        symmetric: bool = False,
    ) -> Block:
        entries = tuple(
            tuple(self.entry(p, sources[i] if sources else ()) for p in row)
            for i, row in enumerate(rows)
        )
        heading = f"{name.letter}_{name.subscript.replace(' ', '_')}".rstrip("_") if name else key
        return Block(
            key,
            heading,
            entries,
            tuple(labels),
            tuple(tuple(s) for s in sources),
            symmetric,
            name,
            tuple(columns),
        )


def times_one(e: Entry, name: Name) -> tuple[Term, ...]:
    """An entry times a name: without brackets round a single term, and 1 vanishes."""
    return times(e, name)


__all__ = ["AXES", "LONGEST", "SHARED", "SHARED_LETTER", "Linear", "Row", "Writer"]
