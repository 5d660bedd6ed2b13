"""Interference of bodies over a run: which solids lie in each other, when, where, how deep (plain
data).
"""

import msgspec

Triple = tuple[float, float, float]


class Overlap(msgspec.Struct, frozen=True):
    """Two bodies that lie in each other from one sample to another without a break.

    bodies: ids.  begin, end, deepest [s]: instants of samples.  depth: at the deepest [m].  point:
    in the middle of it there [m, W].
    """

    bodies: tuple[str, str]
    begin: float
    end: float
    deepest: float
    depth: float
    point: Triple


class Interference(msgspec.Struct, frozen=True):
    """Overlaps in the order of their beginnings.  instants: number of those examined. problem: why
    nothing was examined, in words; cure: the remedy.
    """

    overlaps: tuple[Overlap, ...] = ()
    instants: int = 0
    problem: str = ""
    cure: str = ""
