"""The chapters of a derivation's lecture, each made when it is requested.

Each module makes one kind of chapter out of derived equations: `methods` the three derivations (the
cuts of Newton-Euler in `free_bodies`), `constraints` also independent coordinates, `kinematics`,
`torsors`, `equilibria`, `recursive`, `contacts`.  All write their lines through `writer`, long
ones by named parts (`named_terms`).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    CONSTRAINTS,
    CONTACTS,
    EQUILIBRIA,
    KINEMATICS,
    METHODS,
    PARTITION,
    RECURSIVE,
    TORSORS,
    Chapter,
    Step,
)
from mechstudio.model.equations.term_lengths import term_count
from mechstudio.model.equations.terms import Entry, Factor, Group, Name, Term
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.printers.writer import SHARED_LETTER

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


MOST = 1000  # terms of the equations of one step; a longer one goes on in another


def chapter(derivation: "DerivedEquations", key: str, **choices) -> Chapter:
    """A chapter by key, no step of which is longer than can be shown; of equations that are too
    long a sentence alone.  Raises KeyError.

    choices of "partition": independent, names or places of coordinates; of "torsors": body, an id,
    and point, a name; of "contacts": row and sample of an instant of a run, and chosen, a contact.
    """
    try:
        with derivation.ring.bounded(derivation.term_limit):
            _ = derivation.equations  # names come from the equations first
            found = _chapter(derivation, key, **choices)
            steps = [part for step in found.steps for part in divided(renumbered(derivation, step))]
    except TooLarge as error:
        return Chapter(key, CHAPTER_TITLES[key], (), str(error))
    return msgspec.structs.replace(found, steps=tuple(steps))


def short_part(derivation: "DerivedEquations", key: str) -> Step:
    """A block of the equations entry by entry, by parts with names: what is shown where its entries
    are too long to be read as they stand.  Raises KeyError.
    """
    block, matrix = derivation.equations.block(key), derivation.matrices[key]
    w, head, column = derivation.writer, ("C", "q") if key == "C_q" else (key,), len(matrix[0]) == 1
    place = lambda i, j: f"{i + 1}" if column else f"{i + 1},{j + 1}"
    rows = [
        (
            w.symbol(*head, place(i, j)),
            [(p, None)],
            block.labels[i] if column else "",
            block.sources[i],
        )
        for i, row in enumerate(matrix)
        for j, p in enumerate(row)
        if p and not (block.symmetric and j < i)
    ]
    return renumbered(derivation, Step(key, key, "", equations=w.shared(rows)))


def renumbered(derivation: "DerivedEquations", step: Step) -> Step:
    """A step whose shared parts are counted from one, in the order in which they are listed."""
    reported = [
        f
        for e in step.equations
        for t in e.left.terms
        for f in t.factors
        if isinstance(f, Name) and f.letter == SHARED_LETTER
    ]
    new = {
        name.name: derivation.writer.name(SHARED_LETTER, str(k + 1))
        for k, name in enumerate(dict.fromkeys(reported))
    }
    if not new:
        return step

    def terms(old: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(msgspec.structs.replace(t, factors=tuple(map(factor, t.factors))) for t in old)

    def factor(f: Factor) -> Factor:
        if isinstance(f, Group):
            return Group(terms(f.terms), f.power)
        return (
            msgspec.structs.replace(new[f.name], power=f.power)
            if isinstance(f, Name) and f.name in new
            else f
        )

    # a part that is defined for one equation is defined once for all that come after it
    seen: set[str] = set()
    equations = []
    for e in step.equations:
        name = (
            e.left.terms[0].factors[0].name
            if len(e.left.terms) == 1
            and e.left.terms[0].factors
            and e.left.terms[0].factors[0] in reported
            else ""
        )
        if name not in seen:
            equations.append(
                msgspec.structs.replace(
                    e, left=Entry(terms(e.left.terms)), right=Entry(terms(e.right.terms))
                )
            )
        seen |= {name} - {""}
    return msgspec.structs.replace(step, equations=tuple(equations))


def divided(step: Step) -> Iterator[Step]:
    """A step, or several of the same title where its equations are too many for one."""
    first, total, count = 0, 0, 1
    for k, e in enumerate(step.equations):
        size = term_count(e.left.terms) + term_count(e.right.terms)
        if total + size > MOST and k > first:
            own = msgspec.structs.replace(
                step, equations=step.equations[first:k], blocks=step.blocks if count == 1 else ()
            )
            yield own if count == 1 else _goes_on(own, count)
            first, total, count = k, 0, count + 1
        total += size
    yield (
        step
        if count == 1
        else _goes_on(
            msgspec.structs.replace(step, equations=step.equations[first:], blocks=()), count
        )
    )


def _goes_on(step: Step, count: int) -> Step:
    return msgspec.structs.replace(
        step, key=f"{step.key}:{count}", sentences=(), formula="", depth=max(1, step.depth)
    )


def _chapter(derivation: "DerivedEquations", key: str, **choices) -> Chapter:
    if key in METHODS:
        from mechstudio.symbolic.lecture.methods import method_chapter

        return method_chapter(derivation, key)
    if key in (CONSTRAINTS, PARTITION):
        from mechstudio.symbolic.lecture.constraints import constraints_chapter, partition_chapter

        return (
            constraints_chapter(derivation)
            if key == CONSTRAINTS
            else partition_chapter(derivation, **choices)
        )
    if key == RECURSIVE:
        from mechstudio.symbolic.lecture.recursive import recursive_chapter

        return recursive_chapter(derivation)
    if key == KINEMATICS:
        from mechstudio.symbolic.lecture.kinematics import kinematics_chapter

        return kinematics_chapter(derivation)
    if key == TORSORS:
        from mechstudio.symbolic.lecture.torsors import torsors_chapter

        return torsors_chapter(derivation, **choices)
    if key == EQUILIBRIA:
        from mechstudio.symbolic.lecture.equilibria import equilibria_chapter

        return equilibria_chapter(derivation)
    if key == CONTACTS:
        from mechstudio.symbolic.lecture.contacts import contacts_chapter

        return contacts_chapter(derivation, **choices).chapter
    raise KeyError(key)
