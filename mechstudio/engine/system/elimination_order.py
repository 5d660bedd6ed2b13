"""The order in which loop rows are eliminated, as integer tables for kernels/factorisation.py."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np


@dataclass(frozen=True)
class Schedule:
    """slots: (row, slot of the row at the parent node) each.  node_slots: (CLOSE0, PASS0, PASS1)
    per node.  row_slots: per row a slot per end.

    near: (row, its slot where the eliminated row closes) per coupling.  row_near: (NEAR0, NEAR1,
    FILL) per row.
    ground: rows that close at ground, in order.  edges: coupling entry of each pair of rows that
    pass a column, in `factor`'s order.
    fill: coupling entry of each pair of neighbours of an eliminated row.
    """

    slots: list[tuple[int, int]]
    node_slots: list[tuple[int, int, int]]
    row_slots: list[tuple[int, ...]]
    near: list[tuple[int, int]]
    row_near: list[tuple[int, int, int]]
    ground: list[int]
    edges: list[int]
    fill: list[int]


def _paths(parents: Sequence[int], ends: Sequence[Sequence[int]]):
    """Per row: the nodes that it passes, and where it closes (-1: ground): below and at the nearest
    common ancestor of its ends.
    """

    def path(n):
        out = []
        while n >= 0:
            out.append(n)
            n = parents[n]
        return out

    for row in ends:
        ways = [path(n) for n in dict.fromkeys(row)]
        common = -1
        while all(ways) and len({way[-1] for way in ways}) == 1:
            common = ways[0][-1]
            for way in ways:
                way.pop()
        yield list(dict.fromkeys(n for way in ways for n in way)), common


@functools.lru_cache(maxsize=64)
def schedule(
    parents: tuple[int, ...], dofs: tuple[int, ...], ends: tuple[tuple[int, ...], ...]
) -> Schedule:
    """Elimination schedule: where each row passes and closes, and the symbolic elimination.

    parents, dofs: of the nodes, parents first, ground -1.   ends: nodes at which each row acts.
    It depends on nothing else, so that mechanisms that differ in numbers alone share it; nobody
    writes into it.
    """
    count, rows = len(parents), len(ends)
    closing: list[list[int]] = [[] for _ in range(count + 1)]
    passing: list[list[int]] = [[] for _ in range(count)]
    for r, (nodes, common) in enumerate(_paths(parents, ends)):
        closing[common].append(r)  # closing[-1]: at ground
        for n in nodes:
            passing[n].append(r)
    slot: dict[tuple[int, int], int] = {}
    node_slots = []
    for n in range(count):
        start = len(slot)
        for r in closing[n] + passing[n]:
            slot[r, n] = len(slot)
        node_slots.append((start, start + len(closing[n]), len(slot)))
    slots = [(r, slot.get((r, parents[n]), -1)) for r, n in slot]
    live: list[set[int]] = [set() for _ in range(rows)]
    for n in range(count):
        for r in passing[n]:
            live[r].update(x for x in passing[n] if x != r)
    near: list[tuple[int, int]] = []
    edge: dict[tuple[int, int], int] = {}
    row_near = [(0, 0, 0)] * rows
    neighbours: list[tuple[int, list[int], int]] = []

    def eliminate(r, n):
        after = sorted(live[r])
        start = len(near)
        for x in after:
            edge[r, x] = edge[x, r] = len(near)
            near.append((x, slot.get((x, n), -1)))
        neighbours.append((r, after, start))
        for x in after:
            live[x].discard(r)
            live[x].update(y for y in after if y != x)

    for n in reversed(range(count)):
        for r in closing[n]:
            eliminate(r, n)
    ground: list[int] = []
    # those with the fewest neighbours first; entries of a row whose neighbours have changed since
    # are passed over
    left = set(closing[count])
    waiting = [(len(live[r]), r) for r in left]
    heapify(waiting)
    while left:
        degree, r = heappop(waiting)
        if r not in left or degree != len(live[r]):
            continue
        left.discard(r)
        ground.append(r)
        after = list(live[r])
        eliminate(r, -1)
        for x in after:
            heappush(waiting, (len(live[x]), x))
    fill: list[int] = []
    for r, after, start in neighbours:
        row_near[r] = (start, start + len(after), len(fill))
        fill += [edge[after[x], after[y]] for x in range(len(after)) for y in range(x)]
    edges: list[int] = []
    for n in reversed(range(count)):
        pairs = [
            edge[passing[n][x], passing[n][y]] for x in range(len(passing[n])) for y in range(x)
        ]
        edges += pairs * dofs[n]
    row_slots = [tuple(slot.get((r, n), -1) for n in row) for r, row in enumerate(ends)]
    return Schedule(slots, node_slots, row_slots, near, row_near, ground, edges, fill)


def as_table(rows: Sequence[Sequence[int]], width: int) -> np.ndarray:
    """A contiguous (len(rows), width) integer table, also for no rows."""
    return np.array(rows, np.int64).reshape(-1, width)
