"""Curves that points of a mechanism of one freedom pass through in a whole motion (plain data)."""

import msgspec

Triple = tuple[float, float, float]


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
    values of the input along it, float64.  curves: of the points that were asked for, in order.
    """

    drawn: bool
    closed: bool
    inputs: bytes
    curves: tuple[PointCurve, ...]


class PointCurves(msgspec.Struct, frozen=True):
    """Circuits of a mechanism by one input.  joint, coordinate, dimension: the input.  circuits:
    the drawn one first.  problem: why there are none, in words; cure: what helps.
    """

    joint: str
    coordinate: int = 0
    dimension: str = "angle"
    circuits: tuple[Circuit, ...] = ()
    problem: str = ""
    cure: str = ""
