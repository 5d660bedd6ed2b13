"""Schema of each element in a file: one table of entries per element, read in both directions.

An entry that equals its default is left out.  A Quantity stands as ["300 mm", 0.3] where it was
typed, else as a plain number; a text alone ("300 mm") can be read too.  The numbers that a type
needs (a link's length, a spring's stiffness) stand among the element's own entries.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mechstudio.files.format.entry_types import (
    BYTES,
    FLAG,
    FORMULA,
    NAME,
    NEWER,
    NOTE,
    NUMBER,
    PATH,
    QUANTITY,
    RATIO,
    VECTOR,
    WORD,
    Definitions,
    Json,
    Kind,
    NotUnderstood,
    choice,
    is_odd,
    many,
    number,
    row,
    table,
    whole,
)
from mechstudio.files.format.json_text import Doubled, is_object
from mechstudio.model.contact import (
    CONTACT_METHODS,
    IMPACT_LAWS,
    MOST_ITERATIONS,
    SURFACE_TYPES,
    ContactPair,
    Contacts,
    ContactSettings,
    Floor,
    Surface,
)
from mechstudio.model.end_conditions import DIRECTIONS
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.geometry.work_plane import WorkPlane
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
    Placement,
    Shape,
)
from mechstudio.model.project import (
    ACCOUNT,
    DIAGRAMS,
    Camera,
    CurveStyle,
    Diagram,
    EndCondition,
    Feature,
    Gauge,
    Group,
    Lesson,
    Mark,
    Measurement,
    Picture,
    Plot,
    PlotLayout,
    Settings,
    View,
)
from mechstudio.model.quantity import ORIGIN, ZERO, Parameter, Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES, CouplingType
from mechstudio.model.types.forces import FORCE_TYPES, ForceType
from mechstudio.model.types.formulations import DRIFTS, FORMULATIONS
from mechstudio.model.types.gauges import FEATURES, GAUGE_TYPES
from mechstudio.model.types.integrators import INTEGRATOR_TYPES
from mechstudio.model.types.joints import JOINT_TYPES, JointType
from mechstudio.model.types.laws import LAW_TYPES, LawType
from mechstudio.model.types.marks import BY_BODY, COLORS, MARK_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES, ShapeType
from mechstudio.model.units import DIMENSIONS
from mechstudio.translation import tr


class _Required:
    """The default of an entry that must be there."""


REQUIRED = _Required()


class Entry(NamedTuple):
    """One entry.  attribute: where the value lies in the element ("placement.position" within a
    part of it).

    soft: a choice that this version does not know falls back to the default and is kept for the
    next save.
    """

    key: str
    kind: Kind
    default: Any = REQUIRED
    attribute: str = ""
    soft: bool = False

    def of(self, element: Any) -> Any:
        for name in (self.attribute or self.key).split("."):
            element = getattr(element, name)
        return element


class Schema(NamedTuple):
    """One element.  by_type: (table of types, attribute that holds the type's numbers, their names:
    whether each must be there) or None.
    """

    make: Callable[..., Any]
    entries: tuple[Entry, ...]
    by_type: tuple[Mapping[str, Any], str, Callable[[Any], Mapping[str, bool]]] | None = None


def _dimensions(type: ShapeType) -> dict[str, bool]:
    return {d.name: True for d in type.dimensions}


def _needed(type: JointType) -> dict[str, bool]:
    return {p.name: True for p in type.parameters}


def _optional(type: CouplingType | LawType) -> dict[str, bool]:
    return {p.name: False for p in type.parameters}


def _without_default(type: ForceType) -> dict[str, bool]:
    return {p.name: p.default is None for p in type.parameters if not p.rate_of}


_PLACE = (
    Entry("position", VECTOR, ORIGIN, "placement.position"),
    Entry("orientation", VECTOR, ORIGIN, "placement.orientation"),
)
_LAST = (Entry("visible", FLAG, True), Entry("note", NOTE, ""))


def nested(schema: Schema) -> Kind:
    """Kind of an entry that holds an element."""

    def read(json: Any, key: str) -> Any:
        try:
            element, unknown = read_element(schema, json)
        except NotUnderstood as error:
            raise NotUnderstood(
                tr('in its "{key}" {error}', key=key, error=error), error.cure
            ) from None
        return keep(element, unknown, key)

    def write(element: Any) -> dict[str, Any]:
        return write_element(schema, element)

    return Kind(write, read, functools.partial(described, schema))


def described(schema: Schema, definitions: Definitions, name: str = "") -> Json:
    """JSON Schema of an element, as a reference to a definition; name: of that, where it is not
    the element's.
    """
    name = name or schema.make.__name__
    if name not in definitions:
        definitions[name] = {}  # an arrangement of plots refers to itself
        entries = {entry.key: entry.kind.described(definitions) for entry in schema.entries}
        # a name is left out where it is the id
        required = [e.key for e in schema.entries if e.default is REQUIRED and e.key != "name"]
        if "id" not in entries and "name" in entries:
            required.append("name")
        cases: list[Json] = []
        if schema.by_type is not None:
            types, _, needed = schema.by_type
            for type, row in types.items():
                numbers = needed(row)
                entries |= {number: QUANTITY.described(definitions) for number in numbers}
                if must := [number for number, is_must in numbers.items() if is_must]:
                    case: Json = {"properties": {"type": {"const": type}}}
                    cases.append({"if": case, "then": {"required": must}})
        definitions[name] = {
            "type": "object",
            "properties": entries,
            "required": required,
            "additionalProperties": False,
            **({"allOf": cases} if cases else {}),
        }
    return {"$ref": f"#/$defs/{name}"}


MESH_SCHEMA = Schema(
    Mesh, (Entry("vertices", BYTES), Entry("triangles", BYTES), Entry("source", WORD, ""))
)
SHAPE_SCHEMA = Schema(
    Shape,
    (
        Entry("type", choice(SHAPE_TYPES)),
        Entry("outline", many(row(QUANTITY, 2)), ()),
        *_PLACE,
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
FRAME_SCHEMA = Schema(Frame, (Entry("body", NAME), Entry("point", WORD, ""), *_PLACE))
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
    (Entry("points", many(VECTOR)), Entry("smooth", FLAG, True), Entry("closed", FLAG, False)),
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
        *(
            Entry(name, QUANTITY, None)
            for name in ("friction", "restitution", "rolling", "spinning", "stiffness", "damping")
        ),
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
        *_PLACE,
        Entry("mass", QUANTITY, None),
        Entry("center_of_mass", VECTOR, None),
        Entry("inertia", row(QUANTITY, 6), None),
        Entry("initial_velocity", nested(VELOCITY_SCHEMA), None),
        _POINTS,
        Entry("color", whole(-1, 9999), 0),
        _SURFACE,
        _CONTACTS,
        *_LAST,
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
        *_LAST,
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
        *_LAST,
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
        *_LAST,
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
        *_LAST,
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
        *_LAST,
    ),
    (FORCE_TYPES, "parameters", _without_default),
)
PARAMETER_SCHEMA = Schema(
    Parameter,
    (
        Entry("name", NAME),
        Entry("value", QUANTITY),
        Entry("dimension", choice(DIMENSIONS), "length"),
        Entry("minimum", QUANTITY, None),
        Entry("maximum", QUANTITY, None),
        Entry("slider", FLAG, False),
        Entry("note", NOTE, ""),
    ),
)
GROUP_SCHEMA = Schema(
    Group,
    (Entry("id", NAME), Entry("name", NAME), Entry("members", many(NAME)), Entry("note", NOTE, "")),
)
DIAGRAM_SCHEMA = Schema(
    Diagram,
    (
        Entry("kind", choice((*DIAGRAMS, ACCOUNT))),
        Entry("across", WORD, ""),
        Entry("gate", WORD, ""),
        Entry("level", NUMBER, 0.0),
        Entry("direction", choice(("rising", "falling", "either")), "rising"),
        Entry("window", choice(("hann", "flattop")), "hann", soft=True),
        Entry("one_turn", FLAG, True),
    ),
)
STYLE_SCHEMA = Schema(
    CurveStyle,
    (
        Entry("color", whole(-1, 7), -1),
        Entry("dash", whole(-1, 3), -1),
        Entry("width", number(0.0, 100.0), 0.0),
    ),
)
PLOT_SCHEMA = Schema(
    Plot,
    (
        Entry("id", NAME),
        Entry("title", WORD),
        Entry("channels", many(WORD)),
        Entry("log", FLAG, False),
        Entry("diagram", nested(DIAGRAM_SCHEMA), None),
        Entry("styles", table(nested(STYLE_SCHEMA)), {}),
    ),
)
MARK_SCHEMA = Schema(
    Mark,
    (
        Entry("id", NAME),
        Entry("type", choice(MARK_TYPES)),
        *(Entry(key, WORD, "") for key in ("body", "point", "joint", "other")),
        Entry("value", NUMBER, None),
        Entry("color", choice(COLORS), BY_BODY, soft=True),
    ),
)


def _write_pane(part: str | PlotLayout) -> Any:
    return part if isinstance(part, str) else _LAYOUT.write(part)


def _read_pane(json: Any, key: str) -> Any:
    """Id of a plot, or an arrangement of several."""
    return NAME.read(json, key) if isinstance(json, str) else _LAYOUT.read(json, key)


def _describe_pane(definitions: Definitions) -> Json:
    return {"anyOf": [NAME.described(definitions), _LAYOUT.described(definitions)]}


PLOT_LAYOUT_SCHEMA = Schema(
    PlotLayout,
    (
        Entry("direction", choice(("row", "column", "tabs"))),
        Entry(
            "parts",
            many(Kind(_write_pane, _read_pane, _describe_pane)),
        ),
        Entry("shares", many(NUMBER), ()),
    ),
)
_LAYOUT = nested(PLOT_LAYOUT_SCHEMA)


PICTURE_SCHEMA = Schema(
    Picture,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("path", PATH),
        *_PLACE,
        Entry("turn", QUANTITY, ZERO),
        Entry("width", QUANTITY),
        Entry("aspect", RATIO, 1.0),
        Entry("opacity", QUANTITY, Quantity(0.5)),
        Entry("locked", FLAG, True),
        *_LAST,
    ),
)
END_CONDITION_SCHEMA = Schema(
    EndCondition,
    (
        Entry("quantity", WORD, attribute="channel"),
        Entry("value", QUANTITY, ZERO),
        Entry("direction", choice(DIRECTIONS), "either"),
    ),
)
_RUN = Settings()
_TOUCH = _RUN.contacts
CONTACT_SETTINGS_SCHEMA = Schema(
    ContactSettings,
    (
        Entry("step", QUANTITY, _TOUCH.step),
        Entry("tolerance", QUANTITY, _TOUCH.tolerance),
        Entry("most", whole(1, MOST_ITERATIONS), _TOUCH.most),
        Entry("method", choice(CONTACT_METHODS), _TOUCH.method, soft=True),
        Entry("impacts", choice(IMPACT_LAWS), _TOUCH.impacts, soft=True),
        Entry("slowest", QUANTITY, _TOUCH.slowest),
        Entry("correction", FLAG, True),
        Entry("margin", QUANTITY, None),
        Entry("sleep", QUANTITY, ZERO),
    ),
)
SETTINGS_SCHEMA = Schema(
    Settings,
    (
        Entry("duration", QUANTITY, _RUN.duration),
        Entry("sample_step", QUANTITY, _RUN.sample_step),
        Entry("integrator", choice(INTEGRATOR_TYPES), _RUN.integrator, soft=True),
        Entry("tolerance", QUANTITY, _RUN.tolerance),
        Entry("step", QUANTITY, None),
        Entry("formulation", choice(FORMULATIONS), _RUN.formulation, soft=True),
        Entry("drift", choice(DRIFTS), _RUN.drift, soft=True),
        Entry("alpha", QUANTITY, _RUN.alpha),
        Entry("beta", QUANTITY, _RUN.beta),
        Entry("spectral_radius", QUANTITY, _RUN.spectral_radius),
        Entry("until", many(nested(END_CONDITION_SCHEMA)), ()),
        Entry("contacts", nested(CONTACT_SETTINGS_SCHEMA), _TOUCH),
    ),
)
LESSON_SCHEMA = Schema(
    Lesson,
    (
        Entry("title", WORD, ""),
        Entry("text", NOTE, ""),
        Entry("questions", many(NOTE), ()),
        Entry("claims", many(NOTE), ()),
        Entry("topic", WORD, ""),
        Entry("level", whole(0, 9), 0),
    ),
)
PLANE_SCHEMA = Schema(
    WorkPlane, (Entry("name", NAME), *(Entry(key, row(NUMBER, 3)) for key in ("origin", "u", "v")))
)
_EYE = Camera()
CAMERA_SCHEMA = Schema(
    Camera,
    (
        Entry("target", row(NUMBER, 3), _EYE.target),
        Entry("azimuth", NUMBER, _EYE.azimuth),
        Entry("elevation", NUMBER, _EYE.elevation),
        Entry("distance", NUMBER, _EYE.distance),
        Entry("perspective", FLAG, _EYE.perspective),
        Entry("plane", nested(PLANE_SCHEMA), None),
        Entry("locked", FLAG, _EYE.locked),
        Entry("body", WORD, _EYE.body),
        Entry("turns", FLAG, _EYE.turns),
        Entry("frame", row(NUMBER, 4), _EYE.frame),
    ),
)

VIEW_SCHEMA = Schema(
    View, (Entry("id", NAME), Entry("name", NAME), Entry("camera", nested(CAMERA_SCHEMA)))
)

MEASUREMENT_SCHEMA = Schema(
    Measurement,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("quantity", WORD, attribute="channel"),
        Entry("times", BYTES),
        Entry("values", BYTES),
        Entry("shift", NUMBER, 0.0),
        Entry("source", WORD, ""),
    ),
)

FEATURE_SCHEMA = Schema(
    Feature,
    (
        Entry("kind", choice(FEATURES)),
        Entry("frame", nested(FRAME_SCHEMA), None),
        Entry("joint", WORD, ""),
    ),
)
GAUGE_SCHEMA = Schema(
    Gauge,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("type", choice(GAUGE_TYPES)),
        Entry("ends", many(nested(FEATURE_SCHEMA))),
        *_LAST,
    ),
)


def write_element(schema: Schema, element: Any) -> dict[str, Any]:
    """The JSON object of an element; entries that were not understood follow its own."""
    out: dict[str, Any] = {}
    for entry in schema.entries:
        value = entry.of(element)
        if not (entry.key == "name" and value == out.get("id")) and (
            entry.default is REQUIRED or value != entry.default
        ):
            out[entry.key] = entry.kind.write(value)
        if entry.key == "type" and schema.by_type is not None:
            kinds, attribute, names = schema.by_type
            numbers = getattr(element, attribute)
            # in the type's order, whatever was typed first; the parameters beside an expression
            # follow from its text
            out |= {
                name: QUANTITY.write(numbers[name])
                for name in names(kinds[element.type])
                if name in numbers
            }
    for key, value in getattr(element, "extra", {}).items():
        out.setdefault(key, value)
    return out


def read_element(schema: Schema, json: Any) -> tuple[Any, dict[str, Any]]:
    """The element of a JSON object, and the entries that were not understood.  Raises
    NotUnderstood.
    """
    if isinstance(json, Doubled):
        keys = [k for k, _ in json]
        raise NotUnderstood(
            tr(
                'its "{number}" stands twice',
                number=next(k for k in keys if keys.count(k) > 1)[:40],
            )
        )
    if not is_object(json):
        raise NotUnderstood(tr("it is not an object in braces"))
    rest = dict(json)
    if "name" not in rest and "id" in rest and {"id", "name"} <= {e.key for e in schema.entries}:
        rest["name"] = rest["id"]
    values: dict[str, Any] = {}
    for entry in schema.entries:
        values[entry.attribute or entry.key] = _read_entry(entry, rest)
        if entry.key == "type" and schema.by_type is not None:
            kinds, attribute, names = schema.by_type
            values[attribute] = {
                name: _read_entry(Entry(name, QUANTITY), rest)
                for name, needed in names(kinds[values["type"]]).items()
                if needed or name in rest
            }
    if "placement.position" in values:
        values["placement"] = Placement(
            values.pop("placement.position"), values.pop("placement.orientation")
        )
    return schema.make(**values), rest


def _read_entry(entry: Entry, rest: dict[str, Any]) -> Any:
    """The value of an entry, taken out of the object."""
    if entry.key not in rest:
        if entry.default is REQUIRED:
            raise NotUnderstood(tr('its "{key}" is missing', key=entry.key))
        return entry.default
    json = rest[entry.key]
    if entry.soft:
        try:
            value = entry.kind.read(json, entry.key)
        except NotUnderstood as error:
            if error.cure is not NEWER:
                raise
            return entry.default
    else:
        value = entry.kind.read(json, entry.key)
    del rest[entry.key]
    return value


def keep(element: Any, unknown: dict[str, Any], key: str = "") -> Any:
    """The element with what was not understood in its `extra`.  Raises NotUnderstood where it has
    no place for that.
    """
    if not unknown:
        return element
    if any(map(is_odd, unknown.values())):
        raise NotUnderstood(tr("it holds something that is no number"))
    if not hasattr(element, "extra"):
        raise NotUnderstood(
            tr(
                'its "{key}" has an entry "{iter}" that is not known to this version',
                key=key,
                iter=next(iter(unknown))[:40],
            ),
            tr(NEWER),
        )
    element = type(element)(
        **{name: getattr(element, name) for name in element.__struct_fields__ if name != "extra"},
        extra=unknown,
    )
    return element
