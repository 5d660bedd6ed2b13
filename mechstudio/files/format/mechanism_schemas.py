"""Schemas of the elements of a mechanism: bodies, joints, couplings, drives, forces, contacts."""

from mechstudio.files.format.entry_types import (
    BYTES,
    FLAG,
    FORMULA,
    NAME,
    QUANTITY,
    VECTOR,
    WORD,
    choice,
    many,
    row,
    table,
    whole,
)
from mechstudio.files.format.schema import LAST, Entry, Schema, nested
from mechstudio.model.contact import (
    NUMBERS,
    SURFACE_TYPES,
    ContactPair,
    Contacts,
    Floor,
    Surface,
)
from mechstudio.model.geometry.curve_forms import DRAWN_FORMS
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.laws.interpolation import TABLE_KINDS
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Body,
    CoordinateOf,
    Coupling,
    Curve,
    Drive,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Law,
    Limit,
    NamedPoint,
    Shape,
)
from mechstudio.model.quantity import ORIGIN, ZERO, Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES, CouplingType
from mechstudio.model.types.forces import FORCE_TYPES, ForceType
from mechstudio.model.types.joints import JOINT_TYPES, JointType
from mechstudio.model.types.laws import LAW_TYPES, LawType
from mechstudio.model.types.shapes import SHAPE_TYPES, ShapeType


def _dimensions(type: ShapeType) -> dict[str, bool]:
    return {d.name: True for d in type.dimensions}


def _needed(type: JointType) -> dict[str, bool]:
    return {p.name: True for p in type.parameters}


def _optional(type: CouplingType | LawType) -> dict[str, bool]:
    return {p.name: False for p in type.parameters}


def _without_default(type: ForceType) -> dict[str, bool]:
    return {p.name: p.default is None for p in type.parameters if not p.rate_of}


PLACE = (
    Entry("position", VECTOR, ORIGIN, "placement.position"),
    Entry("orientation", VECTOR, ORIGIN, "placement.orientation"),
)
MESH_SCHEMA = Schema(
    Mesh, (Entry("vertices", BYTES), Entry("triangles", BYTES), Entry("source", WORD, ""))
)
SHAPE_SCHEMA = Schema(
    Shape,
    (
        Entry("type", choice(SHAPE_TYPES)),
        Entry("outline", many(row(QUANTITY, 2)), ()),
        *PLACE,
        Entry("density", QUANTITY, Quantity(7850.0)),
        Entry("material", choice(("paint", "steel", "cast")), "paint", soft=True),
        Entry("mesh", nested(MESH_SCHEMA), None),
    ),
    (SHAPE_TYPES, "dimensions", _dimensions),
)
POINT_SCHEMA = Schema(
    NamedPoint, (Entry("name", NAME), Entry("position", VECTOR), Entry("orientation", VECTOR, None))
)
VELOCITY_SCHEMA = Schema(
    InitialVelocity, (Entry("linear", VECTOR, ORIGIN), Entry("angular", VECTOR, ORIGIN))
)
FRAME_SCHEMA = Schema(Frame, (Entry("body", NAME), Entry("point", WORD, ""), *PLACE))
# a number that a law leaves out stands at its type's default; a formula or table that is still
# empty is a remark, not a refusal
LAW_SCHEMA = Schema(
    Law,
    (
        Entry("type", choice(LAW_TYPES)),
        Entry("points", many(row(QUANTITY, 2)), ()),
        Entry("text", FORMULA, ""),
        Entry("between", choice(TABLE_KINDS), ""),
    ),
    (LAW_TYPES, "parameters", _optional),
)
CURVE_SCHEMA = Schema(
    Curve,
    (
        Entry("points", many(VECTOR)),
        Entry("form", choice(DRAWN_FORMS), "spline"),
        Entry("closed", FLAG, False),
        Entry("radius", QUANTITY, None),
        Entry("offset", QUANTITY, None),
    ),
)
LIMIT_SCHEMA = Schema(
    Limit,
    (
        Entry("coordinate", whole(0, 5), 0),
        Entry("lower", QUANTITY, None),
        Entry("upper", QUANTITY, None),
        Entry("restitution", QUANTITY, ZERO),
        Entry("stiffness", QUANTITY, None),
        Entry("damping", QUANTITY, ZERO),
    ),
)
END_SCHEMA = Schema(CoordinateOf, (Entry("joint", NAME), Entry("coordinate", whole(0, 5), 0)))

SURFACE_SCHEMA = Schema(
    Surface,
    (
        Entry("type", choice(SURFACE_TYPES), "plain", soft=True),
        *(Entry(name, QUANTITY, None) for name in NUMBERS),
    ),
)
_SURFACE = Entry("surface", nested(SURFACE_SCHEMA), Surface())
_CONTACTS = Entry("touches", FLAG, True)
FLOOR_SCHEMA = Schema(Floor, (Entry("height", QUANTITY, ZERO), _SURFACE))
PAIR_SCHEMA = Schema(
    ContactPair,
    (
        Entry("body_a", NAME),
        Entry("body_b", NAME),
        Entry("touch", FLAG, False),
        Entry("surface", nested(SURFACE_SCHEMA), None),
    ),
)
CONTACTS_SCHEMA = Schema(
    Contacts,
    (
        Entry("enabled", FLAG, False),
        Entry("floor", nested(FLOOR_SCHEMA), None),
        Entry("pairs", many(nested(PAIR_SCHEMA)), ()),
    ),
)

_SHAPES = Entry("shapes", many(nested(SHAPE_SCHEMA)), ())
_POINTS = Entry("points", many(nested(POINT_SCHEMA)), ())
_LAW = nested(LAW_SCHEMA)
BODY_SCHEMA = Schema(
    Body,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        _SHAPES,
        *PLACE,
        Entry("mass", QUANTITY, None),
        Entry("center_of_mass", VECTOR, None),
        Entry("inertia", row(QUANTITY, 6), None),
        Entry("initial_velocity", nested(VELOCITY_SCHEMA), None),
        _POINTS,
        Entry("color", whole(-1, 9999), 0),
        _SURFACE,
        _CONTACTS,
        *LAST,
    ),
)
GROUND_SCHEMA = Schema(
    Body,
    (
        Entry("id", choice((GROUND,)), GROUND),
        Entry("name", NAME, GROUND),
        _SHAPES,
        _POINTS,
        Entry("color", whole(-1, 9999), -1),
        _SURFACE,
        _CONTACTS,
        *LAST,
    ),
)
JOINT_SCHEMA = Schema(
    Joint,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("type", choice(JOINT_TYPES)),
        Entry("frame_a", nested(FRAME_SCHEMA)),
        Entry("frame_b", nested(FRAME_SCHEMA)),
        Entry("curve", nested(CURVE_SCHEMA), None),
        Entry("values", many(QUANTITY), ()),
        Entry("rates", many(QUANTITY), ()),
        Entry("limits", many(nested(LIMIT_SCHEMA)), ()),
        Entry("kept", WORD, ""),
        *LAST,
    ),
    (JOINT_TYPES, "parameters", _needed),
)
COUPLING_SCHEMA = Schema(
    Coupling,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("type", choice(COUPLING_TYPES)),
        Entry("ends", many(nested(END_SCHEMA))),
        Entry("law", _LAW, None),
        Entry("kept", WORD, ""),
        *LAST,
    ),
    (COUPLING_TYPES, "parameters", _optional),
)
DRIVE_SCHEMA = Schema(
    Drive,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("joint", NAME),
        Entry("coordinate", whole(0, 5), 0),
        Entry("quantity", choice((POSITION, VELOCITY, ACCELERATION)), VELOCITY),
        Entry("law", _LAW, Law("constant")),
        Entry("enabled", FLAG, True),
        *LAST,
    ),
)
FORCE_SCHEMA = Schema(
    Force,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("type", choice(FORCE_TYPES)),
        Entry("frame_a", nested(FRAME_SCHEMA), None),
        Entry("frame_b", nested(FRAME_SCHEMA), None),
        Entry("joint", WORD, ""),
        Entry("coordinate", whole(0, 5), 0),
        Entry("axes", choice(("world", "body")), "world"),
        Entry("laws", table(_LAW), {}),
        *LAST,
    ),
    (FORCE_TYPES, "parameters", _without_default),
)
