"""Lines and circles of the work plane on which a place lies by its typed or held numbers, and where
they meet.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

Flat = tuple[float, float]

NEAR = 1e-9  # of the largest length in hand: two places that are one


@dataclass(frozen=True)
class Locus:
    """A line through a point along a unit direction, or a circle about a point, in coordinates of
    the plane [m].

    word: description, as "length" or "x axis".  way: None of a circle.  ray: only that half of the
    line that goes along its direction.
    """

    word: str
    at: Flat
    way: Flat | None = None
    radius: float = 0.0
    ray: bool = False

    def nearest(self, p: Flat) -> Flat | None:
        """The place on it that is meant by a point: its foot, on a ray as far from its beginning;
        None for the centre of a circle.
        """
        x, y = p[0] - self.at[0], p[1] - self.at[1]
        far = math.hypot(x, y)
        if self.way is None:
            if far == 0.0:
                return None
            return self.at[0] + self.radius * x / far, self.at[1] + self.radius * y / far
        along = far if self.ray else x * self.way[0] + y * self.way[1]
        return self.at[0] + along * self.way[0], self.at[1] + along * self.way[1]

    def gap(self, p: Flat) -> float:
        """Distance of a point from it [m]."""
        x, y = p[0] - self.at[0], p[1] - self.at[1]
        if self.way is None:
            return abs(math.hypot(x, y) - self.radius)
        along = x * self.way[0] + y * self.way[1]
        if self.ray and along < 0.0:
            return math.hypot(x, y)
        return abs(x * self.way[1] - y * self.way[0])


def _scale(*loci: Locus) -> float:
    return max(1e-6, *(max(abs(c) for c in (*locus.at, locus.radius)) for locus in loci))


def same(a: Locus, b: Locus) -> bool:
    """True if two loci hold the same points, rays apart."""
    small = NEAR * _scale(a, b)
    if a.way is None or b.way is None:
        alike = a.way is None and b.way is None and abs(a.radius - b.radius) <= small
        return alike and math.dist(a.at, b.at) <= small
    turn = abs(a.way[0] * b.way[1] - a.way[1] * b.way[0])
    return turn <= NEAR and Locus("", a.at, a.way).gap(b.at) <= small


def meets(a: Locus, b: Locus) -> list[Flat]:
    """The points that two loci have in common; none of two that are the same."""
    if a.way is None and b.way is None:
        found = _circles(a, b)
    elif a.way is None or b.way is None:
        found = _on_line(b, a) if a.way is None else _on_line(a, b)
    else:
        turn = a.way[0] * b.way[1] - a.way[1] * b.way[0]
        if abs(turn) <= NEAR:
            return []
        x, y = b.at[0] - a.at[0], b.at[1] - a.at[1]
        t = (x * b.way[1] - y * b.way[0]) / turn
        found = [(a.at[0] + t * a.way[0], a.at[1] + t * a.way[1])]
    small = NEAR * _scale(a, b)
    return [p for p in found if a.gap(p) <= small and b.gap(p) <= small]


def _on_line(line: Locus, circle: Locus) -> list[Flat]:
    assert line.way is not None
    x, y = circle.at[0] - line.at[0], circle.at[1] - line.at[1]
    foot = x * line.way[0] + y * line.way[1]
    away = x * line.way[1] - y * line.way[0]
    rest = _rest(circle.radius, away, _scale(line, circle))
    if rest is None:
        return []
    return [
        (line.at[0] + t * line.way[0], line.at[1] + t * line.way[1])
        for t in ((foot,) if rest == 0.0 else (foot - rest, foot + rest))
    ]


def _circles(a: Locus, b: Locus) -> list[Flat]:
    x, y = b.at[0] - a.at[0], b.at[1] - a.at[1]
    far = math.hypot(x, y)
    if far == 0.0:
        return []
    x, y = x / far, y / far
    along = (far * far + a.radius**2 - b.radius**2) / (2 * far)
    rest = _rest(a.radius, along, _scale(a, b))
    if rest is None:
        return []
    foot = a.at[0] + along * x, a.at[1] + along * y
    return [(foot[0] - s * y, foot[1] + s * x) for s in ((0.0,) if rest == 0.0 else (-rest, rest))]


def _rest(radius: float, away: float, scale: float) -> float | None:
    """Half of the chord at a distance from a circle's centre; zero where it only touches, None
    where it misses.
    """
    if abs(abs(away) - radius) <= NEAR * scale:
        return 0.0
    return math.sqrt(radius**2 - away**2) if abs(away) < radius else None


@dataclass(frozen=True)
class Settled:
    """Place that loci leave a pointer.  place: None where there is none.  clash: words of the loci
    that do not go together; empty where they do.
    """

    place: Flat | None
    clash: tuple[str, ...] = ()


def settle(loci: Sequence[Locus], pointer: Flat) -> Settled:
    """The place on all loci that is nearest to the pointer.

    Two of them fix it.  More must go through it: else all their words are in the clash.
    """
    own: list[Locus] = []
    for locus in loci:
        if not any(same(locus, other) for other in own):
            own.append(locus)
    if not own:
        return Settled(pointer)
    if len(own) == 1:
        found = own[0].nearest(pointer)
        held = found is not None and all(
            locus.gap(found) <= 10 * NEAR * _scale(*own) for locus in loci
        )
        if found is None or held:
            return Settled(found)
        return Settled(None, tuple(locus.word for locus in loci))
    for a, b in itertools.combinations(own, 2):
        if not meets(a, b):
            return Settled(None, (a.word, b.word))
    slack = 10 * NEAR * _scale(*own)
    places = [p for p in meets(own[0], own[1]) if all(locus.gap(p) <= slack for locus in loci)]
    if not places:
        return Settled(None, tuple(locus.word for locus in own))
    return Settled(min(places, key=lambda p: math.dist(p, pointer)))
