"""Planar linkages that a crank drives, as rows: their numbers and where their pins are.

Points are complex numbers x + i y in a plane, and every function takes many designs at once.  A
pair of links that closes a loop (a dyad) is placed on one of two sides; a linkage keeps its sides
as long as it does not come apart, which is what makes a circuit.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.model.findings import listed
from mechstudio.translation import tr

POSITION, LENGTH, OFFSET, ANGLE = "position", "length", "offset", "angle"


class Placed(NamedTuple):
    """A linkage in its poses.

    pins: points (..., k) by name.  room (..., k): how far the dyad that is nearest to coming apart
    or to lying stretched is from it, as the sine of the angle between its links, negative by how
    much it does not reach.
    """

    pins: dict[str, np.ndarray]
    room: np.ndarray


class LinkageType(NamedTuple):
    """A kind of linkage.

    parameters: (name, kind) with kinds POSITION (two parts of a pivot on ground), LENGTH, OFFSET
    (of a point on a link, in its axes) and ANGLE.  dyads: that have two sides.  place: parameters
    (..., n), sides (..., dyads) of ±1 and crank angles (..., k) to where the pins are.  links: name
    and pins of each moving link, the crank first.  grounded: pins on ground.  slides: the pin that
    moves on a line of ground, whose direction is the angle of that parameter; "" for none.
    tracer: the point that draws a path.  output: pivot and pin of the link whose angle is the
    output, or the sliding pin alone.
    """

    parameters: tuple[tuple[str, str], ...]
    dyads: int
    place: Callable[[np.ndarray, np.ndarray, np.ndarray], Placed]
    links: tuple[tuple[str, tuple[str, ...]], ...]
    grounded: tuple[str, ...]
    tracer: str
    output: tuple[str, ...]
    slides: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(name for name, _ in self.parameters)

    @property
    def carrier(self) -> tuple[str, str]:
        """Pins between which the axis of the link that carries the tracer lies."""
        pins = next(pins for _, pins in self.links if self.tracer in pins and len(pins) > 1)
        return pins[0], pins[1]

    def kinds(self, kind: str) -> np.ndarray:
        """Places of the parameters of a kind."""
        return np.array([k for k, (_, own) in enumerate(self.parameters) if own == kind], int)


def along(kind: LinkageType, placed: Placed) -> np.ndarray:
    """Directions (..., k) of the link that carries the tracer, as numbers of size one."""
    start, end = kind.carrier
    line = placed.pins[end] - placed.pins[start]
    return line / np.maximum(np.abs(line), 1e-300)


def _dyad(
    start: np.ndarray, end: np.ndarray, a: np.ndarray, b: np.ndarray, side: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Point at a from start and b from end, left of the line between them for a side of +1, and
    its room.  One that does not reach lies on the line.
    """
    line = end - start
    distance = np.maximum(np.abs(line), 1e-300)
    along = (a * a - b * b + distance * distance) / (2.0 * distance)
    height = a * a - along * along
    # twice the area by the links' product is the sine between them
    sine = np.sqrt(np.abs(height)) * distance / np.maximum(a * b, 1e-300)
    room = np.where(height >= 0.0, sine, -sine)
    across = side * np.sqrt(np.maximum(height, 0.0))
    return start + line / distance * (along + 1j * across), room


def _beside(start: np.ndarray, end: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Point at (u, v) in the axes of a link, x from start to end."""
    line = end - start
    return start + line / np.maximum(np.abs(line), 1e-300) * (u + 1j * v)


def _columns(p: np.ndarray) -> list[np.ndarray]:
    return [p[..., k, None] for k in range(p.shape[-1])]


def _four_bar(p: np.ndarray, sides: np.ndarray, angles: np.ndarray) -> Placed:
    ax, ay, bx, by, a, b, c, u, v = _columns(p)
    o, q = ax + 1j * ay, bx + 1j * by
    crank = o + a * np.exp(1j * angles)
    pin, room = _dyad(crank, q + 0 * crank, b, c, sides[..., 0, None])
    tracer = _beside(crank, pin, u, v)
    return Placed({"O": o + 0 * crank, "A": crank, "B": pin, "Q": q + 0 * crank, "P": tracer}, room)


def _slider_crank(p: np.ndarray, sides: np.ndarray, angles: np.ndarray) -> Placed:
    ax, ay, a, b, e, direction, u, v = _columns(p)
    o = ax + 1j * ay
    way = np.exp(1j * direction)
    crank = o + a * np.exp(1j * angles)
    # in the axes of the line, from the crank's pivot
    own = (crank - o) / way
    height = b * b - (e - own.imag) ** 2
    sine = np.sqrt(np.abs(height)) / np.maximum(b, 1e-300)
    along = own.real + sides[..., 0, None] * np.sqrt(np.maximum(height, 0.0))
    pin = o + way * (along + 1j * e)
    tracer = _beside(crank, pin, u, v)
    room = np.where(height >= 0.0, sine, -sine)
    return Placed({"O": o + 0 * crank, "A": crank, "B": pin, "P": tracer}, room)


def _stephenson(p: np.ndarray, sides: np.ndarray, angles: np.ndarray) -> Placed:
    first = _four_bar(p[..., :9], sides[..., :1], angles)
    rx, ry, d, f, u, v = _columns(p[..., 9:])
    joint, r = first.pins["P"], rx + 1j * ry
    pin, room = _dyad(joint, r + 0 * joint, d, f, sides[..., 1, None])
    pins = {name: first.pins[name] for name in ("O", "A", "B", "Q")}
    tracer = _beside(joint, pin, u, v)
    pins |= {"C": joint, "D": pin, "R": r + 0 * joint, "P": tracer}
    return Placed(pins, np.minimum(first.room, room))


def _watt(p: np.ndarray, sides: np.ndarray, angles: np.ndarray) -> Placed:
    first = _four_bar(p[..., :9], sides[..., :1], angles)
    ru, rv, d, f, u, v = _columns(p[..., 9:])
    joint = first.pins["P"]
    on_rocker = _beside(first.pins["Q"], first.pins["B"], ru, rv)
    pin, room = _dyad(joint, on_rocker, d, f, sides[..., 1, None])
    pins = {name: first.pins[name] for name in ("O", "A", "B", "Q")}
    tracer = _beside(joint, pin, u, v)
    pins |= {"C": joint, "D": pin, "E": on_rocker, "P": tracer}
    return Placed(pins, np.minimum(first.room, room))


def _watt_second(p: np.ndarray, sides: np.ndarray, angles: np.ndarray) -> Placed:
    four = np.concatenate((p[..., :7], np.zeros_like(p[..., :2])), axis=-1)
    first = _four_bar(four, sides[..., :1], angles)
    u, v, rx, ry, d, f, pu, pv = _columns(p[..., 7:])
    joint = _beside(first.pins["Q"], first.pins["B"], u, v)
    r = rx + 1j * ry
    pin, room = _dyad(joint, r + 0 * joint, d, f, sides[..., 1, None])
    pins = {name: first.pins[name] for name in ("O", "A", "B", "Q")}
    tracer = _beside(joint, pin, pu, pv)
    pins |= {"C": joint, "D": pin, "R": r + 0 * joint, "P": tracer}
    return Placed(pins, np.minimum(first.room, room))


_PIVOTS = (("Ox", POSITION), ("Oy", POSITION), ("Qx", POSITION), ("Qy", POSITION))
_FOUR = (*_PIVOTS, ("OA", LENGTH), ("AB", LENGTH), ("QB", LENGTH), ("u", OFFSET), ("v", OFFSET))

LINKAGES: dict[str, LinkageType] = {
    "four_bar": LinkageType(
        _FOUR,
        1,
        _four_bar,
        (("crank", ("O", "A")), ("coupler", ("A", "B", "P")), ("rocker", ("Q", "B"))),
        ("O", "Q"),
        "P",
        ("Q", "B"),
    ),
    "slider_crank": LinkageType(
        (
            ("Ox", POSITION),
            ("Oy", POSITION),
            ("OA", LENGTH),
            ("AB", LENGTH),
            ("e", OFFSET),
            ("direction", ANGLE),
            ("u", OFFSET),
            ("v", OFFSET),
        ),
        1,
        _slider_crank,
        (("crank", ("O", "A")), ("rod", ("A", "B", "P")), ("slider", ("B",))),
        ("O",),
        "P",
        ("B",),
        slides="B",
    ),
    "stephenson": LinkageType(
        (
            *_FOUR,
            ("Rx", POSITION),
            ("Ry", POSITION),
            ("CD", LENGTH),
            ("RD", LENGTH),
            ("u2", OFFSET),
            ("v2", OFFSET),
        ),
        2,
        _stephenson,
        (
            ("crank", ("O", "A")),
            ("coupler", ("A", "B", "C")),
            ("rocker", ("Q", "B")),
            ("bar", ("C", "D", "P")),
            ("lever", ("R", "D")),
        ),
        ("O", "Q", "R"),
        "P",
        ("R", "D"),
    ),
    "watt_second": LinkageType(
        (
            *_FOUR,
            ("Rx", POSITION),
            ("Ry", POSITION),
            ("CD", LENGTH),
            ("RD", LENGTH),
            ("u2", OFFSET),
            ("v2", OFFSET),
        ),
        2,
        _watt_second,
        (
            ("crank", ("O", "A")),
            ("coupler", ("A", "B")),
            ("rocker", ("Q", "B", "C")),
            ("bar", ("C", "D", "P")),
            ("lever", ("R", "D")),
        ),
        ("O", "Q", "R"),
        "P",
        ("R", "D"),
    ),
    "watt": LinkageType(
        (
            *_FOUR,
            ("Eu", OFFSET),
            ("Ev", OFFSET),
            ("CD", LENGTH),
            ("ED", LENGTH),
            ("u2", OFFSET),
            ("v2", OFFSET),
        ),
        2,
        _watt,
        (
            ("crank", ("O", "A")),
            ("coupler", ("A", "B", "C")),
            ("rocker", ("Q", "B", "E")),
            ("bar", ("C", "D", "P")),
            ("lever", ("E", "D")),
        ),
        ("O", "Q"),
        "P",
        ("E", "D"),
    ),
}


class Linkage(NamedTuple):
    """A linkage with its numbers.  type: key of LINKAGES.  parameters (n,).  sides (dyads,) of ±1.
    angles (k,): of the crank at the points or poses that were requested, in their order.
    """

    type: str
    parameters: np.ndarray
    sides: np.ndarray
    angles: np.ndarray

    def place(self, angles: np.ndarray) -> Placed:
        """Pins at crank angles (k,)."""
        return LINKAGES[self.type].place(self.parameters, self.sides, np.asarray(angles, float))

    @property
    def turns(self) -> bool:
        """True if the crank can turn all the way round."""
        return bool(self.place(np.linspace(0.0, 2 * np.pi, TURN, endpoint=False)).room.min() > 0.0)

    def values(self) -> dict[str, float]:
        """Numbers by name."""
        return dict(zip(LINKAGES[self.type].names, self.parameters.tolist()))


TURN = 720  # crank angles at which a whole turn is examined


def no_such_linkage(type: str) -> str:
    """One sentence about a key that is none of LINKAGES."""
    known = listed(list(LINKAGES))
    return tr("There is no linkage {type}; there are {known}.", type=type, known=known)


def moved(kind: LinkageType, p: np.ndarray, turn: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Parameters (..., n) of linkages that are scaled and turned by complex numbers `turn` (...)
    and then shifted; crank angles grow by the angle of `turn`.
    """
    out = np.array(p, float)
    places = kind.kinds(POSITION)
    for x, y in zip(places[::2], places[1::2]):
        point = (p[..., x] + 1j * p[..., y]) * turn + shift
        out[..., x], out[..., y] = point.real, point.imag
    scaled = np.concatenate((kind.kinds(LENGTH), kind.kinds(OFFSET)))
    out[..., scaled] = p[..., scaled] * np.abs(turn)[..., None]
    angles = kind.kinds(ANGLE)
    out[..., angles] = p[..., angles] + np.angle(turn)[..., None]
    return out
