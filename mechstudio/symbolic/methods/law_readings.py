"""Coordinates, distances and places that the laws of forces read, with their rates, as entries
beside the equations.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mechstudio.model.equations.evaluation_order import evaluation_order, inside
from mechstudio.model.equations.terms import Block, Entry, Equations, names_of_terms
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.closing_coordinates import closing_coordinate
from mechstudio.symbolic.kinematics.loads import along_a_slide
from mechstudio.symbolic.methods.blocks import functions_of, known_symbols, lengths_of
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.ring.polynomials import Poly

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

READINGS = "readings"  # key of the block
LONGEST = 2000  # terms of a reading and its rate that stand beside the equations


class Read(NamedTuple):
    """Something that a law reads: a joint's coordinate number `place`; without a joint the length
    of a force between two points, or the place along axis `place` of W of a point on a body [m].
    """

    joint: str
    force: str
    place: int


def reading(d: "DerivedEquations", of: Read) -> tuple[Entry, Entry] | None:
    """The reading and its rate; None where they have no closed form that anybody writes."""
    try:
        with d.ring.bounded(d.term_limit):
            found = _coordinate(d, of) if of.joint else _of_force(d, of)
    except TooLarge:
        return None
    if found is None or sum(map(len, found)) > LONGEST:
        return None
    x, v = (d.presenter.entry(p) for p in found)
    return x, v


def _coordinate(d: "DerivedEquations", of: Read) -> tuple[Poly, Poly] | None:
    ring = d.ring
    form = d.plan.joint_forms.get((of.joint, of.place))
    if form is not None:
        return ring.length(form), ring.rate_of(form)
    closure = next((c for c in d.setting.closures if c.joint.id == of.joint), None)
    if closure is None:
        return None
    read = closing_coordinate(ring, d.setting.kinematics, closure, of.place)
    return None if read is None or read.x is None else (read.x, read.rate)


def _of_force(d: "DerivedEquations", of: Read) -> tuple[Poly, Poly] | None:
    ring, kin = d.ring, d.setting.kinematics
    load = next(load for load in d.setting.loads.loads if load.force.id == of.force)
    assert load.end_b is not None
    if load.force.frame_a is None:
        place, _ = kin.between(Cursor(), load.end_b, 0)
        return place[of.place], ring.rate(place[of.place])
    assert load.end_a is not None
    apart, _ = kin.between(load.end_a, load.end_b)
    square = ring.dot(apart, apart)
    straight = along_a_slide(d.plan, ring, square)
    if straight is not None:
        return straight, ring.rate(straight)
    i = d.setting.loads.spring_index[of.force]
    slopes = (ring.length_slope(i, k) for k in range(ring.coordinate_count))
    return ring.l[i], ring.total(slope * v for slope, v in zip(slopes, ring.v))


def with_readings(
    d: "DerivedEquations", e: Equations, found: Sequence[tuple[Entry, Entry]]
) -> Equations:
    """The equations with a block READINGS (readings, 2) of these and their rates, and with the
    lengths and functions that nothing but these is read of.
    """
    if not found:
        return e
    block = Block(READINGS, "x(q, v)", tuple(found), ("",) * len(found), ((),) * len(found))
    read = {n.name for pair in found for x in pair for n in names_of_terms(x.terms)}
    now = clean(msgspec.structs.replace(e, definitions=lengths_of(d), functions=functions_of(d)))
    lengths = {x.name.name: x for x in (*now.definitions, *e.definitions)}
    functions = {x.names[0].name: x for x in (*now.functions, *e.functions)}
    e = msgspec.structs.replace(
        e, definitions=tuple(lengths.values()), functions=tuple(functions.values())
    )
    items = evaluation_order(e, read)
    read |= {n.name for x in items for n in names_of_terms(inside(x).terms)}
    e = known_symbols(d, read).beside(e)
    return clean(msgspec.structs.replace(e, blocks=(*e.blocks, block)))
