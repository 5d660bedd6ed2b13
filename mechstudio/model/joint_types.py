"""Joint types as data: constraint primitives and elementary motions of each.  Adding a joint of known primitives is adding one row.

A joint stands between frame A on body a and frame B on body b.  Its constraint rows are primitives between the axes of
the two frames (Haug 1989, chapter 9); its motion subspace follows from a chain of elementary motions that carries A into B.
The test battery checks that the motions span the null space of the rows.
"""

import msgspec

X, Y, Z = range(3)

# Constraint primitives; each row is (primitive, axis of A, axis of B).
POINT = "point"          # a . (p_B - p_A) = 0, a = axis of A
ANGLE = "angle"          # a . b = 0, a = axis of A, b = axis of B
DISTANCE = "distance"    # |p_B - p_A|^2 = length^2, read as (|p_B - p_A|^2 - length^2) / (2 length) [m]

# Elementary motions; each is (motion, axis), applied one after the other from A to B.
TURN = "turn"            # one angle about an axis
SLIDE = "slide"          # one length along an axis
BALL = "ball"            # all attitudes: read as angles z, y', x'' (ZYX), integrated as a quaternion
ROD = "rod"              # a fixed length along the axis, no freedom

Row = tuple[str, int, int]
Motion = tuple[str, int]

_POINT: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y), (POINT, Z, Z))
_PARALLEL: tuple[Row, ...] = ((ANGLE, X, Z), (ANGLE, Y, Z))
_ON_AXIS: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y))


class Coordinate(msgspec.Struct, frozen=True):
    """One joint coordinate.  name: as it stands after the joint's own name; dimension: "angle" or "length"."""

    name: str
    dimension: str


_ANGLE, _SLIDE = Coordinate("angle", "angle"), Coordinate("slide", "length")
_BALL = (Coordinate("psi", "angle"), Coordinate("theta", "angle"), Coordinate("phi", "angle"))


class JointType(msgspec.Struct, frozen=True):
    """One type of joint.

    rows: constraint primitives (primitive, axis of A, axis of B).   motions: elementary motions from A to B.
    coordinates: what is read off, one per freedom.   tree: whether the motions may carry a body in the spanning tree
    (otherwise the body hangs on the rows alone).   parameters: names of lengths that the rows need.
    """

    label: str
    rows: tuple[Row, ...]
    motions: tuple[Motion, ...]
    coordinates: tuple[Coordinate, ...]
    tree: bool = True
    parameters: tuple[str, ...] = ()

    @property
    def dof(self) -> int:
        """Freedoms that the joint leaves."""
        return len(self.coordinates)


JOINT_TYPES: dict[str, JointType] = {
    "fixed": JointType("Fixed", _POINT + _PARALLEL + ((ANGLE, X, Y),), (), ()),
    "revolute": JointType("Revolute", _POINT + _PARALLEL, ((TURN, Z),), (_ANGLE,)),
    "prismatic": JointType("Prismatic", _ON_AXIS + _PARALLEL + ((ANGLE, X, Y),), ((SLIDE, Z),), (_SLIDE,)),
    "cylindrical": JointType("Cylindrical", _ON_AXIS + _PARALLEL, ((SLIDE, Z), (TURN, Z)), (_SLIDE, _ANGLE)),
    "universal": JointType("Universal", _POINT + ((ANGLE, Z, X),), ((TURN, Z), (TURN, X)),
                           (Coordinate("first angle", "angle"), Coordinate("second angle", "angle"))),
    "spherical": JointType("Spherical", _POINT, ((BALL, Z),), _BALL),
    "planar": JointType("Planar", ((POINT, Z, Z),) + _PARALLEL, ((SLIDE, X), (SLIDE, Y), (TURN, Z)),
                        (Coordinate("x", "length"), Coordinate("y", "length"), _ANGLE)),
    "point_on_line": JointType("Point on line", _ON_AXIS, ((SLIDE, Z), (BALL, Z)), (_SLIDE, *_BALL)),
    "distance": JointType("Distance", ((DISTANCE, X, X),), ((TURN, Z), (TURN, Y), (ROD, X), (BALL, Z)),
                          (Coordinate("azimuth", "angle"), Coordinate("elevation", "angle"), *_BALL), tree=False, parameters=("length",)),
}
