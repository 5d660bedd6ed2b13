"""The graph of bodies and joints: components, spanning forest, independent loops (THEORY 4).
Ground is node 0.

Its forest is another one than the tree of coordinates (model/tree.py): it holds the joints that
were drawn first, whatever their types and loads, so that sentences about loops name the joint that
closed each, also where no joint carries the body.
"""

from collections import deque
from collections.abc import Collection
from typing import Literal

import msgspec
import numpy as np


class Loop(msgspec.Struct, frozen=True):
    """One independent loop.  closing: index of the joint that closes it.

    members: (joint index, +1 or -1) along the loop, +1 where a joint is passed from frame A to
    frame B; the closing one first.
    """

    closing: int
    members: tuple[tuple[int, int], ...]


class Graph(msgspec.Struct, frozen=True):
    """Structure of a mechanism.

    loops: independent ones, each closed by a joint that is in none before it.  tree: (joint, parent
    node, child node,
    +1 if the parent carries frame A) from the roots outwards.  roots: the first node of each
    component, ground (0) first. component (nodes,): index into roots.
    """

    loops: tuple[Loop, ...]
    tree: tuple[tuple[int, int, int, int], ...]
    roots: tuple[int, ...]
    component: tuple[int, ...]

    @property
    def kind(self) -> Literal["open", "closed", "complex"]:
        """open: no loop; closed: every joint lies in a loop; complex: some do and some do not."""
        if not self.loops:
            return "open"
        inside = {j for loop in self.loops for j, _ in loop.members}
        joints = len(self.tree) + len(self.loops)
        return "closed" if len(inside) == joints else "complex"


def graph(
    node_count: int, body_a: np.ndarray, body_b: np.ndarray, last: Collection[int] = ()
) -> Graph:
    """The graph of joints between nodes body_a and body_b (joints,), taken in the order in which
    they were drawn, those of `last` after the others.

    A joint closes a loop if its bodies were connected before; the loop takes the fewest joints
    among those taken before it.
    """
    neighbours: list[list[tuple[int, int, int]]] = [
        [] for _ in range(node_count)
    ]  # (joint, other node, sign)
    loops, in_tree = [], [False] * len(body_a)
    root = list(range(node_count))

    def find(node):
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for j in sorted(range(len(body_a)), key=lambda j: (j in last, j)):
        a, b = int(body_a[j]), int(body_b[j])
        if find(a) == find(b):
            loops.append(Loop(j, ((j, 1), *_shortest_path(neighbours, b, a))))
        else:
            root[max(find(a), find(b))] = min(find(a), find(b))
            in_tree[j] = True
        neighbours[a].append((j, b, 1))
        neighbours[b].append((j, a, -1))
    return Graph(tuple(loops), *_forest(neighbours, in_tree))


def _shortest_path(neighbours, start, goal):
    """The joints from start to goal with their signs, as few as possible, earlier drawn ones
    first.
    """
    came: dict[int, tuple[int, int, int]] = {start: (-1, -1, 0)}
    queue = deque([start])
    while queue and goal not in came:
        node = queue.popleft()
        for joint, other, sign in neighbours[node]:
            if other not in came:
                came[other] = (node, joint, sign)
                queue.append(other)
    path = []
    while goal != start:
        node, joint, sign = came[goal]
        path.append((joint, sign))
        goal = node
    return tuple(reversed(path))


def _forest(neighbours, in_tree):
    """Tree joints outwards from the first node of each component, the roots, and each node's
    component.
    """
    component = [-1] * len(neighbours)
    tree, roots = [], []
    for first in range(len(neighbours)):
        if component[first] >= 0:
            continue
        component[first] = len(roots)
        roots.append(first)
        queue = deque([first])
        while queue:
            node = queue.popleft()
            for joint, other, sign in neighbours[node]:
                if in_tree[joint] and component[other] < 0:
                    component[other] = component[first]
                    tree.append((joint, node, other, sign))
                    queue.append(other)
    return tuple(tree), tuple(roots), tuple(component)
