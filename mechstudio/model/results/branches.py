"""Ranges and assemblies of a mechanism of one freedom: range of an input, dead points, assembly
branches, and the curves that its points pass through in a whole motion (plain data).
"""

import msgspec

Triple = tuple[float, float, float]


class DeadPoint(msgspec.Struct, frozen=True):
    """A pose at which the input stops and turns back while the other joints go on.

    input: its value there [rad or m].  greatest: whether the input can go no further up (else
    down).
    coordinates: of every joint there, in file order.   poses: of each body (x, y, z, w, x, y, z).
    """

    input: float
    greatest: bool
    coordinates: tuple[tuple[float, ...], ...]
    poses: tuple[tuple[float, ...], ...]


class Branch(msgspec.Struct, frozen=True):
    """One way of putting the mechanism together at the drawn value of the input.

    drawn: whether it is the drawn one.  same_circuit: whether it is reached from the drawn one by
    moving, without taking joints apart. coordinates, poses: as of a dead point.  loose: with the
    input held something still moves there; such poses are reported once.
    """

    drawn: bool
    same_circuit: bool
    coordinates: tuple[tuple[float, ...], ...]
    poses: tuple[tuple[float, ...], ...]
    loose: bool = False


class FourBar(msgspec.Struct, frozen=True):
    """A planar four-bar: lengths [m] of base, input link, coupler and output link, class in words,
    transmission angle's range [rad].

    margin: sum of the middle lengths less that of the shortest and the longest [m]; positive by
    Grashof's law.
    """

    base: float
    input: float
    coupler: float
    output: float
    kind: str
    margin: float
    least_transmission: float
    greatest_transmission: float


class Branches(msgspec.Struct, frozen=True):
    """Everything about one input.

    joint, coordinate, dimension: the input.  closed: whether the motion comes back to its
    beginning; turns: full turns of the input until then (0 where it swings).  least, greatest: of
    the input [rad or m]; None where it turns all the way or has no end.
    dead_points: along the way.  branches: the drawn one first.  problem: why there is nothing, in
    words; cure: what helps.
    curve: (input, coordinate of every joint flattened) along the motion, for a plot.  notes:
    sentences on what was not counted, such as stops.
    """

    joint: str
    coordinate: int = 0
    dimension: str = "angle"
    closed: bool = False
    turns: int = 0
    least: float | None = None
    greatest: float | None = None
    dead_points: tuple[DeadPoint, ...] = ()
    branches: tuple[Branch, ...] = ()
    four_bar: FourBar | None = None
    problem: str = ""
    cure: str = ""
    curve: tuple[tuple[float, ...], ...] = ()
    notes: tuple[str, ...] = ()


class CurvePoint(msgspec.Struct, frozen=True):
    """A place of note on a curve.  point [m, W].  inputs: values of the input there [rad or m], two
    at a double point.
    """

    point: Triple
    inputs: tuple[float, ...]


class PointCurve(msgspec.Struct, frozen=True):
    """Curve of one point.  points: places in W, little-endian float64, three each.  cusps: where it
    stops and turns back; doubles: where it crosses itself; dead: where the input can go no further.
    """

    points: bytes
    cusps: tuple[CurvePoint, ...] = ()
    doubles: tuple[CurvePoint, ...] = ()
    dead: tuple[CurvePoint, ...] = ()


class Circuit(msgspec.Struct, frozen=True):
    """All that can be reached by moving from one assembly.

    drawn: the drawn assembly is on it.  closed: the motion comes back to its beginning.  inputs:
    values of the input along it, float64.  curves: of the points that were requested, in order.
    """

    drawn: bool
    closed: bool
    inputs: bytes
    curves: tuple[PointCurve, ...]


class PointCurves(msgspec.Struct, frozen=True):
    """Circuits of a mechanism by one input.  joint, coordinate, dimension: the input.  circuits:
    the drawn one first.  problem: why there are none, in words; cure: what helps.  notes: sentences
    on what was not counted, such as stops.
    """

    joint: str
    coordinate: int = 0
    dimension: str = "angle"
    circuits: tuple[Circuit, ...] = ()
    problem: str = ""
    cure: str = ""
    notes: tuple[str, ...] = ()
