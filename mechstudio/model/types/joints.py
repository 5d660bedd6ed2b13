"""Joint types as data: all that is known about a type stands in its row.  Adding a joint of known
primitives is adding one row (resources/help/add-a-joint.md).

A joint stands between frame A on body a and frame B on body b.  Its constraint rows are primitives
between the axes of the two frames (Haug 1989, chapter 9); its motion subspace follows from a chain
of elementary motions that carries A into B.
The test battery checks that the motions span the null space of the rows.
"""

from collections.abc import Callable, Iterator

import msgspec

from mechstudio.model import drawing_measures as drawn
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Frame, Joint, Mechanism
from mechstudio.model.rounding import round_near
from mechstudio.model.types.parameter import NEGATE, POSITIVE, Parameter
from mechstudio.translation import Words, tr

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
# b . d - lift = 0: B's flat face touches a closed convex curve in A; the lift is the farthest that
# the curve reaches along the face's normal b
FACE = "face"
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
# one angle about an axis, then the lift of the joint's curve at that angle along the turned y
LIFT = "lift"
# half an angle about an axis; the second HALF of a chain is the other half of the same angle
HALF = "half"
ROD = "rod"  # the joint's length (or radius) along the axis, no freedom
QUARTER = "quarter"  # a quarter turn about the axis, no freedom

Row = tuple[str, int, int]
Motion = tuple[str, int]
Signs = tuple[float, float, float]

_POINT: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y), (POINT, Z, Z))
_PARALLEL: tuple[Row, ...] = ((ANGLE, X, Z), (ANGLE, Y, Z))
_ON_AXIS: tuple[Row, ...] = ((POINT, X, X), (POINT, Y, Y))


class Coordinate(msgspec.Struct, frozen=True):
    """One joint coordinate.  name: as it stands after the joint's own name; dimension: "angle" or
    "length"; letter: its symbol in equations.
    """

    name: Words
    dimension: str
    letter: str = "q"


_ANGLE, _SLIDE = Coordinate("angle", "angle", "theta"), Coordinate("slide", "length", "x")
_X, _Y = Coordinate("x", "length", "x"), Coordinate("y", "length", "y")
_BALL = tuple(Coordinate(name, "angle", name) for name in ("psi", "theta", "phi"))
_ON_FLOOR = (_X, _Y, Coordinate("heading", "angle", "psi"))


class JointType(msgspec.Struct, frozen=True):
    """One type of joint.

    label: "Spherical" in a choice, in small letters before "joint" in a sentence.  noun: "ball
    joint" alone in a sentence.  rows: constraint primitives (primitive, axis of A, axis of B).
    motions: elementary motions from A to B.  coordinates: readings, one per freedom.
    also: its other common name, in brackets after the label in menus.  words: search words of the
    palette.  menu: place of its entry.  key: letter in the joint tool.  icon: file of
    resources/icons, "" for joint_<type>.svg or else a picture drawn from the motions.
    ends: the parts of both bodies that meet in it, in the plural.  link: word for it at the end of
    a link, "" where links cannot be drawn with it.
    tree: True if the motions may carry a body in the spanning tree (otherwise only rows
    constrain the body).  rolling: nonholonomic rows, which take freedoms of velocity and none of
    position.  curve: True if it needs Joint.curve.  track: form of the curve that its lengths make.
    parameters: lengths [m] that its primitives
    need: "length" (DISTANCE, ROD), "pitch" (THREAD, HELIX), "radius" (RIM, ROD).
    mirror: D in R' = S R D, by which its frames are mirrored
    (model/edits/patterns/mirror_rules.py); no row may change but by its sign.
    hardware: parts drawn at it, PIN or key of HARDWARE in
    scene/joints/joints.  mount: support drawn on bare ground,
    BRACKET or key of MOUNTS there, "" for none.
    check(joint, mechanism, who): faults of its numbers.
    """

    label: Words
    noun: Words
    rows: tuple[Row, ...]
    motions: tuple[Motion, ...]
    coordinates: tuple[Coordinate, ...]
    also: Words = ""
    words: Words = ""
    menu: str = "Insert/Joint"
    key: str = ""
    icon: str = ""
    ends: Words = "ends"
    link: Words = ""
    tree: bool = True
    rolling: tuple[Row, ...] = ()
    curve: bool = False
    track: str = ""
    parameters: tuple[Parameter, ...] = ()
    mirror: Signs = (1, 1, -1)
    hardware: str = ""
    mount: str = "hatching"
    check: Callable[[Joint, Mechanism, str], Iterator[Finding]] | None = None

    @property
    def dof(self) -> int:
        """Freedoms of position that the joint leaves."""
        return len(self.coordinates)

    @property
    def text(self) -> str:
        """The label as menus show it, with the other common name."""
        return f"{self.label} ({self.also})" if self.also else self.label

    @property
    def primitives(self) -> frozenset[str]:
        """Names of the primitives of its rows."""
        return frozenset(primitive for primitive, _, _ in self.rows)

    @property
    def has_track(self) -> bool:
        """True if it runs along a curve."""
        return self.curve or bool(self.track)

    @property
    def has_face(self) -> bool:
        """True if body b touches its curve with a flat face."""
        return FACE in self.primitives

    @property
    def holds_distance(self) -> bool:
        """True if it holds the distance of two points, as a rod does."""
        return DISTANCE in self.primitives

    @property
    def lies_on_floor(self) -> bool:
        """True if A's plane z = 0 is a floor on which the rim of body b stands."""
        return RIM in self.primitives

    @property
    def slides_along_axis(self) -> bool:
        """True if its axis is the way along which it slides."""
        kinds = [kind for kind, _ in self.motions]
        along = (SLIDE, Z) in self.motions or (HELIX, Z) in self.motions
        return along and kinds.count(SLIDE) <= 1

    @property
    def guides(self) -> bool:
        """True if its first body alone carries the line or the plane on which the second is
        guided.
        """
        kinds = [kind for kind, _ in self.motions]
        return bool(self.primitives) and SLIDE in kinds and BALL in kinds

    @property
    def is_pin(self) -> bool:
        """True if it turns about its z and does nothing else."""
        return self.motions == ((TURN, Z),)

    @property
    def is_slide(self) -> bool:
        """True if it slides along its z and holds nothing that turns about it."""
        return self.slides_along_axis and not {TURN, HELIX} & {kind for kind, _ in self.motions}

    @property
    def has_one_axis(self) -> bool:
        """True if all its motions turn about or slide along one axis."""
        kinds = {kind for kind, _ in self.motions}
        return kinds <= {TURN, SLIDE, HELIX} and len({axis for _, axis in self.motions}) == 1

    @property
    def has_axis(self) -> bool:
        """True if the direction of its z means anything: not for welds, balls and free joints."""
        return bool(self.rows) and bool(self.motions) and self.motions[0][0] != BALL

    @property
    def reads_attitude(self) -> bool:
        """True if a row reads the attitude of a frame, so that an axis must be given."""
        points = {a for primitive, a, _ in self.rows if primitive == POINT}
        return bool(self.primitives - {POINT, DISTANCE, CURVE}) or len(points) in (1, 2)

    @property
    def axis_of_first_only(self) -> bool:
        """True if its rows read the axes of A alone, so that B keeps those of its body."""
        return self.primitives == frozenset((POINT,)) and self.reads_attitude

    @property
    def turns_last(self) -> bool:
        """True if B turns about its own z, so that each frame's x may follow its own body."""
        return self.motions[-1:] == ((TURN, Z),)

    @property
    def signs(self) -> tuple[int, ...]:
        """Sign of each coordinate in a mirror, where the frames are mirrored by D = `mirror`.

        R -> D R D and d -> D d: a turn or helix about axis k changes by -D_k, a slide by D_k.
        """
        d, bent = self.mirror, False
        out: list[float] = []
        for kind, axis in self.motions:
            if kind == SLIDE:
                out.append(d[axis])
            elif kind in (TURN, HELIX, LIFT):
                out.append(-d[axis])
            elif kind == BALL:
                out += [-d[Z], -d[Y], -d[X]]
            elif kind == TRACK:
                out.append(1)
            elif kind == HALF and not bent:
                out.append(-d[axis])
                bent = True
        return tuple(round(sign) for sign in out)


def _has_radius(joint: Joint, mechanism: Mechanism, who: str) -> Iterator[Finding]:
    if joint.parameters["radius"].value <= 0:
        yield Finding(
            "error",
            joint.id,
            tr("{who} has no positive radius.", who=who),
            tr("Type the radius of its disc."),
        )


def _climbs(joint: Joint, mechanism: Mechanism, who: str) -> Iterator[Finding]:
    if joint.parameters["pitch"].value == 0:
        yield Finding(
            "error",
            joint.id,
            tr("{who} has the pitch zero and moves nothing along its axis.", who=who),
            tr("Type a pitch, or make it a revolute joint."),
        )


ALL_NEGATED: Signs = (-1, -1, -1)  # keeps all angles
X_NEGATED: Signs = (-1, 1, 1)
Y_NEGATED: Signs = (1, -1, 1)  # keeps z: of a slide, of an upright on a floor
_LENGTH = Parameter("length", "Length", "length", drawn=drawn.apart, least=POSITIVE, letter="l")
_PITCH = Parameter("pitch", "Pitch", "length", drawn=drawn.thread_pitch, mirror=NEGATE, letter="p")
_RADIUS = Parameter(
    "radius", "Radius", "length", drawn=drawn.rolling_radius, least=POSITIVE, letter="r"
)


def _semi_axis(name: str, label: Words, share: float) -> Parameter:
    def length(mechanism: Mechanism, a: Frame, b: Frame) -> float:
        return round_near(0.15 * share * mechanism.size())

    return Parameter(f"semi_{name}", label, "length", drawn=length, least=POSITIVE, letter=name)


# in the order of menus and choices; of types that leave as many freedoms the more common one first
JOINT_TYPES: dict[str, JointType] = {
    "revolute": JointType(
        "Revolute",
        "pin",
        _POINT + _PARALLEL,
        ((TURN, Z),),
        (_ANGLE,),
        also="pin",
        words="revolute hinge",
        key="r",
        ends="pins",
        link="pin",
        hardware="pin",
        mount="bracket",
    ),
    "prismatic": JointType(
        "Slider",
        "slider",
        _ON_AXIS + _PARALLEL + ((ANGLE, X, Y),),
        ((SLIDE, Z),),
        (_SLIDE,),
        words="prismatic slide rail",
        key="p",
        ends="sliders",
        link="slider",
        mirror=Y_NEGATED,
    ),
    "cylindrical": JointType(
        "Cylindrical",
        "cylindrical joint",
        _ON_AXIS + _PARALLEL,
        ((SLIDE, Z), (TURN, Z)),
        (_SLIDE, _ANGLE),
        words="slide turn",
        key="c",
        ends="pins",
        link="cylinder",
        hardware="pin",
        mount="bracket",
    ),
    "spherical": JointType(
        "Spherical",
        "ball joint",
        _POINT,
        ((BALL, Z),),
        _BALL,
        also="ball",
        words="ball socket",
        key="s",
        ends="balls",
        link="ball",
        mirror=ALL_NEGATED,
        hardware="ball",
        mount="pedestal",
    ),
    "universal": JointType(
        "Universal",
        "universal joint",
        _POINT + ((ANGLE, Z, X),),
        ((TURN, Z), (TURN, X)),
        (Coordinate("first angle", "angle", "alpha"), Coordinate("second angle", "angle", "beta")),
        also="Cardan",
        words="hooke cross",
        key="u",
        link="universal",
        mirror=ALL_NEGATED,
        hardware="cross",
        mount="pedestal",
    ),
    # x of A and y of B as the fork's axes are free to choose: only the tilt between z_A and z_B is
    # free
    "constant_velocity": JointType(
        "Constant velocity",
        "constant-velocity joint",
        _POINT + ((TWIST, X, Y),),
        ((HALF, X), (TURN, Y), (HALF, X)),
        (Coordinate("tilt about x", "angle"), Coordinate("tilt about y", "angle")),
        words="homokinetic rzeppa",
        key="v",
        tree=False,
        mirror=ALL_NEGATED,
    ),
    "screw": JointType(
        "Screw",
        "screw",
        _ON_AXIS + _PARALLEL + ((THREAD, Z, Z),),
        ((HELIX, Z),),
        (_ANGLE,),
        words="thread helical pitch",
        key="w",
        parameters=(_PITCH,),
        hardware="pin",
        mount="bracket",
        check=_climbs,
    ),
    "planar": JointType(
        "Planar",
        "planar joint",
        ((POINT, Z, Z),) + _PARALLEL,
        ((SLIDE, X), (SLIDE, Y), (TURN, Z)),
        (_X, _Y, _ANGLE),
        words="plane contact",
        key="n",
        mount="plate",
    ),
    "point_on_plane": JointType(
        "Point on plane",
        "point-on-plane joint",
        ((POINT, Z, Z),),
        ((SLIDE, X), (SLIDE, Y), (BALL, Z)),
        (_X, _Y, *_BALL),
        key="o",
        mirror=ALL_NEGATED,
        mount="floor",
    ),
    "point_on_line": JointType(
        "Point on line",
        "point-on-line joint",
        _ON_AXIS,
        ((SLIDE, Z), (BALL, Z)),
        (_SLIDE, *_BALL),
        words="slot",
        key="l",
        mirror=ALL_NEGATED,
    ),
    "point_on_curve": JointType(
        "Point on curve",
        "point-on-curve joint",
        ((CURVE, X, X), (CURVE, Y, Y)),
        ((TRACK, Z), (BALL, Z)),
        (Coordinate("way", "length", "s"), *_BALL),
        words="track bead rail spline",
        key="t",
        curve=True,
        mirror=ALL_NEGATED,
        mount="floor",
    ),
    # the face touches a cam along a line parallel to z of A, and may turn about its own normal
    # where the cam is thin
    "flat_follower": JointType(
        "Flat follower",
        "flat-faced follower",
        ((FACE, Z, Y), (ANGLE, Z, Y)),
        ((LIFT, Z), (SLIDE, X), (SLIDE, Z), (TURN, Y)),
        (
            _ANGLE,
            _X,
            Coordinate("z", "length", "z"),
            Coordinate("turn", "angle", "phi"),
        ),
        words="cam tappet mushroom face curve",
        key="g",
        curve=True,
        mirror=X_NEGATED,
        mount="floor",
    ),
    "point_on_ellipse": JointType(
        "Point on ellipse",
        "point-on-ellipse joint",
        ((CURVE, X, X), (CURVE, Y, Y)),
        ((TRACK, Z), (BALL, Z)),
        (Coordinate("eccentric angle", "angle", "eta"), *_BALL),
        words="track bead rail oval trammel",
        key="e",
        track="ellipse",
        parameters=(_semi_axis("a", "Semi-axis a", 1.0), _semi_axis("b", "Semi-axis b", 0.6)),
        mount="floor",
    ),
    "distance": JointType(
        "Distance",
        "rod",
        ((DISTANCE, X, X),),
        ((TURN, Z), (TURN, Y), (ROD, X), (BALL, Z)),
        (Coordinate("azimuth", "angle"), Coordinate("elevation", "angle"), *_BALL),
        also="rod",
        words="length massless",
        key="d",
        ends="rod ends",
        tree=False,
        parameters=(_LENGTH,),
        mirror=Y_NEGATED,
        hardware="rod",
    ),
    # A's plane z = 0 is the floor; B's axis z is the disc's axis and its origin the centre
    "rolling_disc": JointType(
        "Rolling disc",
        "rolling disc",
        ((RIM, Z, Z),),
        ((SLIDE, X), (SLIDE, Y), (TURN, Z), (TURN, X), (ROD, Y), (TURN, Z)),
        (*_ON_FLOOR, Coordinate("lean", "angle", "theta"), Coordinate("spin", "angle", "phi")),
        words="coin nonholonomic leaning",
        key="b",
        rolling=((ROLL, X, Z), (ROLL, Y, Z)),
        parameters=(_RADIUS,),
        mirror=X_NEGATED,
        mount="floor",
        check=_has_radius,
    ),
    # the same, held upright
    "rolling_wheel": JointType(
        "Rolling wheel",
        "rolling wheel",
        ((RIM, Z, Z), (ANGLE, Z, Z)),
        ((SLIDE, X), (SLIDE, Y), (TURN, Z), (QUARTER, X), (ROD, Y), (TURN, Z)),
        (*_ON_FLOOR, Coordinate("spin", "angle", "phi")),
        words="upright nonholonomic",
        key="h",
        rolling=((ROLL, X, Z), (ROLL, Y, Z)),
        parameters=(_RADIUS,),
        mirror=X_NEGATED,
        mount="floor",
        check=_has_radius,
    ),
    # a blade along x of B that cannot slip sideways, on A's plane z = 0
    "knife_edge": JointType(
        "Knife edge",
        "knife edge",
        ((POINT, Z, Z),) + _PARALLEL,
        ((SLIDE, X), (SLIDE, Y), (TURN, Z)),
        (*_ON_FLOOR,),
        words="blade sleigh skate nonholonomic",
        key="k",
        rolling=((EDGE, X, Y),),
        mirror=Y_NEGATED,
        mount="floor",
    ),
    "fixed": JointType(
        "Fixed",
        "fixed joint",
        _POINT + _PARALLEL + ((ANGLE, X, Y),),
        (),
        (),
        also="weld",
        words="rigid",
        key="f",
    ),
    "free": JointType(
        "Free",
        "free joint",
        (),
        ((SLIDE, X), (SLIDE, Y), (SLIDE, Z), (BALL, Z)),
        (_X, _Y, Coordinate("z", "length", "z"), *_BALL),
        words="no constraint six freedoms",
        key="m",
        mirror=ALL_NEGATED,
        mount="",
    ),
}


def icon_of(type: str) -> str:
    """Name of the picture of a joint type."""
    return JOINT_TYPES[type].icon or f"joint_{type}"


def holds_turn(type: str) -> bool:
    """True if a joint holds the rotation of its bodies against each other about its axis, so that
    its frames must be rotated alike.
    """
    return any(
        kind == TWIST or (kind, a, b) == (ANGLE, X, Y) for kind, a, b in JOINT_TYPES[type].rows
    )
