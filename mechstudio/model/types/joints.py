"""Joint types as data: constraint primitives and elementary motions of each.  Adding a joint of
known primitives is adding one row.

A joint stands between frame A on body a and frame B on body b.  Its constraint rows are primitives
between the axes of the two frames (Haug 1989, chapter 9); its motion subspace follows from a chain
of elementary motions that carries A into B.
The test battery checks that the motions span the null space of the rows.
"""

import msgspec

X, Y, Z = range(3)

# Constraint primitives; each row is (primitive, axis of A, axis of B).  d = p_B - p_A.
POINT = "point"  # a . d = 0, a = axis of A
ANGLE = "angle"  # a . b = 0, a = axis of A, b = axis of B
DISTANCE = "distance"  # |d|^2 = length^2, read as (|d|^2 - length^2) / (2 length) [m]
TWIST = "twist"  # x_A . y_B - y_A . x_B = 0: no turn about the bisecting axis of z_A and z_B
THREAD = (
    "thread"  # a . d - pitch angle / 2 pi = 0, a = z_A, the angle about it with its turns counted
)
# the two offsets of p_B from the nearest point of a curve in A: two rows, along its normals
CURVE = "curve"
# a . d - radius sqrt(1 - (a . b)^2) = 0: the lowest point of a disc's rim touches A's plane
RIM = "rim"

# Nonholonomic primitives: a velocity that vanishes, with no position behind it; v of the point of b
# over A's body.
ROLL = "roll"  # a . v = 0 of the lowest point of the rim, a = axis of A
EDGE = "edge"  # b . v = 0 of p_B, b = axis of B

# Elementary motions; each is (motion, axis), applied one after the other from A to B.
TURN = "turn"  # one angle about an axis
SLIDE = "slide"  # one length along an axis
BALL = "ball"  # all attitudes: read as angles z, y', x'' (ZYX), integrated as a quaternion
HELIX = "helix"  # one angle about an axis with a slide of pitch / 2 pi per radian along it
TRACK = "track"  # one length along the joint's curve in A, without turning
# half an angle about an axis; the second HALF of a chain is the other half of the same angle
HALF = "half"
ROD = "rod"  # the joint's length (or radius) along the axis, no freedom
QUARTER = "quarter"  # a quarter turn about the axis, no freedom

Row = tuple[str, int, int]
Motion = tuple[str, int]

_POINT: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y), (POINT, Z, Z))
_PARALLEL: tuple[Row, ...] = ((ANGLE, X, Z), (ANGLE, Y, Z))
_ON_AXIS: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y))


class Coordinate(msgspec.Struct, frozen=True):
    """One joint coordinate.  name: as it stands after the joint's own name; dimension: "angle" or
    "length".
    """

    name: str
    dimension: str


_ANGLE, _SLIDE = Coordinate("angle", "angle"), Coordinate("slide", "length")
_BALL = (Coordinate("psi", "angle"), Coordinate("theta", "angle"), Coordinate("phi", "angle"))
_ON_FLOOR = (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("heading", "angle"))


class JointType(msgspec.Struct, frozen=True):
    """One type of joint.

    rows: constraint primitives (primitive, axis of A, axis of B).  motions: elementary motions from
    A to B.
    coordinates: what is read off, one per freedom.  tree: whether the motions may carry a body in
    the spanning tree (otherwise the body hangs on the rows alone).  parameters: names of lengths
    that the joint needs.
    rolling: nonholonomic rows, which take freedoms of velocity and none of position.  curve:
    whether it needs Joint.curve.
    """

    label: str
    rows: tuple[Row, ...]
    motions: tuple[Motion, ...]
    coordinates: tuple[Coordinate, ...]
    tree: bool = True
    parameters: tuple[str, ...] = ()
    rolling: tuple[Row, ...] = ()
    curve: bool = False

    @property
    def dof(self) -> int:
        """Freedoms of position that the joint leaves."""
        return len(self.coordinates)


JOINT_TYPES: dict[str, JointType] = {
    "fixed": JointType("Fixed", _POINT + _PARALLEL + ((ANGLE, X, Y),), (), ()),
    "revolute": JointType("Revolute", _POINT + _PARALLEL, ((TURN, Z),), (_ANGLE,)),
    "prismatic": JointType(
        "Slider", _ON_AXIS + _PARALLEL + ((ANGLE, X, Y),), ((SLIDE, Z),), (_SLIDE,)
    ),
    "cylindrical": JointType(
        "Cylindrical", _ON_AXIS + _PARALLEL, ((SLIDE, Z), (TURN, Z)), (_SLIDE, _ANGLE)
    ),
    "universal": JointType(
        "Universal",
        _POINT + ((ANGLE, Z, X),),
        ((TURN, Z), (TURN, X)),
        (Coordinate("first angle", "angle"), Coordinate("second angle", "angle")),
    ),
    "spherical": JointType("Spherical", _POINT, ((BALL, Z),), _BALL),
    "planar": JointType(
        "Planar",
        ((POINT, Z, Z),) + _PARALLEL,
        ((SLIDE, X), (SLIDE, Y), (TURN, Z)),
        (Coordinate("x", "length"), Coordinate("y", "length"), _ANGLE),
    ),
    "point_on_line": JointType(
        "Point on line", _ON_AXIS, ((SLIDE, Z), (BALL, Z)), (_SLIDE, *_BALL)
    ),
    "distance": JointType(
        "Distance",
        ((DISTANCE, X, X),),
        ((TURN, Z), (TURN, Y), (ROD, X), (BALL, Z)),
        (Coordinate("azimuth", "angle"), Coordinate("elevation", "angle"), *_BALL),
        tree=False,
        parameters=("length",),
    ),
    # x of A and y of B as the fork's axes are free to choose: only the tilt between z_A and z_B is
    # free
    "constant_velocity": JointType(
        "Constant velocity",
        _POINT + ((TWIST, X, Y),),
        ((HALF, X), (TURN, Y), (HALF, X)),
        (Coordinate("tilt about x", "angle"), Coordinate("tilt about y", "angle")),
        tree=False,
    ),
    "screw": JointType(
        "Screw",
        _ON_AXIS + _PARALLEL + ((THREAD, Z, Z),),
        ((HELIX, Z),),
        (_ANGLE,),
        parameters=("pitch",),
    ),
    "point_on_plane": JointType(
        "Point on plane",
        ((POINT, Z, Z),),
        ((SLIDE, X), (SLIDE, Y), (BALL, Z)),
        (Coordinate("x", "length"), Coordinate("y", "length"), *_BALL),
    ),
    "point_on_curve": JointType(
        "Point on curve",
        ((CURVE, X, X), (CURVE, Y, Y)),
        ((TRACK, Z), (BALL, Z)),
        (Coordinate("way", "length"), *_BALL),
        curve=True,
    ),
    # A's plane z = 0 is the floor; B's axis z is the disc's axis and its origin the centre
    "rolling_disc": JointType(
        "Rolling disc",
        ((RIM, Z, Z),),
        ((SLIDE, X), (SLIDE, Y), (TURN, Z), (TURN, X), (ROD, Y), (TURN, Z)),
        (*_ON_FLOOR, Coordinate("lean", "angle"), Coordinate("spin", "angle")),
        parameters=("radius",),
        rolling=((ROLL, X, Z), (ROLL, Y, Z)),
    ),
    # the same, held upright
    "rolling_wheel": JointType(
        "Rolling wheel",
        ((RIM, Z, Z), (ANGLE, Z, Z)),
        ((SLIDE, X), (SLIDE, Y), (TURN, Z), (QUARTER, X), (ROD, Y), (TURN, Z)),
        (*_ON_FLOOR, Coordinate("spin", "angle")),
        parameters=("radius",),
        rolling=((ROLL, X, Z), (ROLL, Y, Z)),
    ),
    # a blade along x of B that cannot slip sideways, on A's plane z = 0
    "knife_edge": JointType(
        "Knife edge",
        ((POINT, Z, Z),) + _PARALLEL,
        ((SLIDE, X), (SLIDE, Y), (TURN, Z)),
        (*_ON_FLOOR,),
        rolling=((EDGE, X, Y),),
    ),
    "free": JointType(
        "Free",
        (),
        ((SLIDE, X), (SLIDE, Y), (SLIDE, Z), (BALL, Z)),
        (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("z", "length"), *_BALL),
    ),
}


def holds_turn(type: str) -> bool:
    """True if a joint holds the rotation of its bodies against each other about its axis, so that
    its frames must be rotated alike.
    """
    return any(
        kind == TWIST or (kind, a, b) == (ANGLE, X, Y) for kind, a, b in JOINT_TYPES[type].rows
    )
