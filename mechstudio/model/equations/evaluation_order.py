"""Order in which a program computes the lengths and functions of equations."""

from collections.abc import Collection

from mechstudio.model.equations.terms import (
    Definition,
    Entry,
    Equations,
    Function,
    names_of_terms,
)


def evaluation_order(e: Equations, read: Collection[str]) -> tuple[Definition | Function, ...]:
    """Lengths and functions that symbols need, each behind those that it is made of: a function may
    be taken of a length or of another function, and a length may stand on functions.

    read: names of the symbols.
    """
    made: dict[str, Definition | Function] = {d.name.name: d for d in e.definitions}
    made |= {n.name: f for f in e.functions for n in f.names}
    out: list[Definition | Function] = []
    met: set[int] = set()

    def put(name: str) -> None:
        item = made.get(name)
        if item is None or id(item) in met:
            return
        met.add(id(item))
        for n in names_of_terms(inside(item).terms):
            put(n.name)
        out.append(item)

    for name in made:
        if name in read:
            put(name)
    return tuple(out)


def inside(item: Definition | Function) -> Entry:
    """Entry that a length is the root of, or that a function is taken of."""
    return item.entry if isinstance(item, Definition) else item.argument
