"""Every editable number of every element, with its dimension: one table read by inspector, file,
expressions and checks.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from mechstudio.model import units
from mechstudio.model.contact import NUMBERS, PAIR_NUMBERS, Contacts, ContactSettings, Surface
from mechstudio.model.geometry.curve_forms import CURVE_FORMS
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    VELOCITY,
    Body,
    Coupling,
    Drive,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Law,
    Mechanism,
    Shape,
)
from mechstudio.model.project import Gauge, Picture, Project, Settings
from mechstudio.model.quantity import ORIGIN, ZERO, Quantity
from mechstudio.model.results.channels import channels
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES, OWN, VARIABLE
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import Words, localised, tr

Path = tuple[str | int, ...]
# what belongs to no element, whose names are not the user's; a parameter may be called start
SETTINGS, GRAVITY, CONTACTS, START = "settings", "gravity", "contacts", "run start"
OF_PROJECT = (SETTINGS, GRAVITY, CONTACTS, START)
UNTIL: Words = "Ends when"

LARGEST = 1e15  # of any number, in SI; far from where squares and cubes overflow
_SOLID = 1e-9, 1e9  # of a dimension of a solid [m]
_RATES = {"angle": "angular_velocity", "length": "velocity"}
_SECOND_RATES = {"angle": "angular_acceleration", "length": "acceleration"}
_STIFFNESS = {"angle": "torsional_stiffness", "length": "stiffness"}
_DAMPING = {"angle": "torsional_damping", "length": "damping"}


class Field(msgspec.Struct, frozen=True):
    """One number.  path: attribute names, dict keys and tuple indices from the element to the
    Quantity.

    group: the heading it stands under ("" for the first lines).  optional: it may be None, meaning
    "from the shapes" or "none". least, most: bounds of the SI value, both allowed.
    """

    path: Path
    label: Words
    dimension: str
    group: Words = ""
    optional: bool = False
    least: float = -LARGEST
    most: float = LARGEST


def problem(field: Field, value: float) -> str:
    """Reason why a value may not stand in a field; empty if it may."""
    if field.least <= value <= field.most:
        return ""
    if math.isnan(value):
        return tr("{field} is not a number.", field=tr(field.label))
    if value < field.least and (field.least == 0 or (field.least > 0 and value <= 0)):
        return tr(
            "{field} must {word}.",
            field=tr(field.label),
            word=tr("not be negative") if field.least == 0 else tr("be larger than zero"),
        )
    small = value < field.least
    symbol = units.unit(field.dimension, "m-N-rad").symbol
    bound = localised(f"{field.least if small else field.most:g} {symbol}").rstrip()
    name = tr(field.label)
    if small:
        return tr("{name} is too small: at least {bound} is possible.", name=name, bound=bound)
    return tr("{name} is too large: at most {bound} is possible.", name=name, bound=bound)


ANGLES: tuple[Words, ...] = ("Angle about Z", "Angle about Y", "Angle about X")


def _placement(path: Path, group: str) -> Iterator[Field]:
    for k, axis in enumerate("XYZ"):
        yield Field((*path, "position", k), axis, "length", group)
    for k, label in enumerate(ANGLES):
        yield Field((*path, "orientation", k), label, "angle", group)


def _frame(path: Path, frame: Frame | None, group: str) -> Iterator[Field]:
    if frame is not None:
        yield from _placement((*path, "placement"), group)


def shape_fields(body: Body) -> Iterator[Field]:
    """The dimensions of a body's shapes; those of the first stand at the top of the inspector."""
    for k, shape in enumerate(body.shapes):
        known = SHAPE_TYPES[shape.type]
        group = "" if k == 0 else f"{tr(known.label)} {k + 1}"
        for d in known.dimensions:
            yield Field(
                ("shapes", k, "dimensions", d.name),
                d.label,
                "length",
                group,
                least=0.0 if d.zero else _SOLID[0],
                most=_SOLID[1],
            )
        for c in range(len(shape.outline)):
            for i, axis in enumerate("XZ"):
                yield Field(
                    ("shapes", k, "outline", c, i),
                    tr("Corner {c} {axis}", c=c + 1, axis=axis),
                    "length",
                    tr("Outline {number}", number=k + 1),
                )
        yield Field(("shapes", k, "density"), "Density", "density", group or "Material", least=0.0)
        yield from _placement(
            ("shapes", k, "placement"),
            tr("Place of the {known}", known=tr(known.label).lower())
            if k == 0
            else tr("Place of {known} {number}", known=tr(known.label).lower(), number=k + 1),
        )


def shapes_problem(shapes: tuple[Shape, ...]) -> str:
    """Reason why no file can hold solids of such sizes; empty if it can."""
    body = Body("", "", shapes)
    return next(
        (
            reason
            for f in shape_fields(body)
            if (q := read(body, f.path)) is not None and (reason := problem(f, q.value))
        ),
        "",
    )


def changed_problem(old: Mechanism, new: Mechanism) -> str:
    """The same of the bodies that an edit has changed, the ground included."""
    before = {GROUND: old.ground, **old.bodies}
    changed = [
        b
        for id, b in (*new.bodies.items(), (GROUND, new.ground))
        if id not in before or b.shapes is not before[id].shapes
    ]
    return next((reason for b in changed if (reason := shapes_problem(b.shapes))), "")


_SURFACE_BOUNDS: dict[str, tuple[Words, str, float, float]] = {
    "friction": ("Friction", "number", 0.0, 100.0),
    "restitution": ("Rebound", "number", 0.0, 1.0),
    "tangential_restitution": ("Tangential rebound", "number", 0.0, 1.0),
    "rolling": ("Rolling resistance", "length", 0.0, 1e3),
    "spinning": ("Spinning resistance", "length", 0.0, 1e3),
    "stiffness": ("Contact stiffness", "stiffness", 1e-9, LARGEST),
    "damping": ("Damping time", "time", 0.0, 1e9),
    "belt_speed": ("Belt speed", "velocity", -1e6, 1e6),
}


def surface_fields(
    surface: Surface, path: Path, every: bool = False, names: Sequence[str] = NUMBERS
) -> Iterator[Field]:
    """The numbers of a surface that are typed.   every: also those that are its type's.  names: of
    those that count.
    """
    for name in names:
        if every or getattr(surface, name) is not None:
            label, dimension, least, most = _SURFACE_BOUNDS[name]
            yield Field((*path, name), label, dimension, "Contact", True, least, most)


def contacts_fields(contacts: Contacts) -> Iterator[Field]:
    """Every number of what touches: of the floor, and of pairs that have a surface of their own."""
    if contacts.floor is not None:
        yield Field(("floor", "height"), tr("Height of the floor"), "length", "Floor")
        yield from surface_fields(contacts.floor.surface, ("floor", "surface"), True)
    for k, pair in enumerate(contacts.pairs):
        if pair.surface is not None:
            yield from surface_fields(pair.surface, ("pairs", k, "surface"), True, PAIR_NUMBERS)


def body_fields(body: Body, touching: bool = False) -> Iterator[Field]:
    """Every number of a body.   touching: also those of its surface that are its preset's."""
    yield from shape_fields(body)
    if body.id != GROUND:
        yield from _motion_fields(body)
    yield from surface_fields(body.surface, ("surface",), touching)
    for k, point in enumerate(body.points):
        for i, axis in enumerate("XYZ"):
            yield Field(
                ("points", k, "position", i), axis, "length", tr("Point {point}", point=point.name)
            )
        if point.orientation is not None:
            for i, label in enumerate(ANGLES):
                yield Field(
                    ("points", k, "orientation", i),
                    label,
                    "angle",
                    tr("Point {point}", point=point.name),
                )


def _motion_fields(body: Body) -> Iterator[Field]:
    """Fields of what a body has and ground has not: place, mass and velocity."""
    yield Field(("mass",), "Mass", "mass", "", True, least=0.0)
    yield from _placement(("placement",), "Position")
    for k, axis in enumerate("XYZ"):
        yield Field(
            ("center_of_mass", k),
            tr("Centre of mass {axis}", axis=axis),
            "length",
            tr("Inertia and centre of mass"),
            True,
        )
    for k, name in enumerate(("XX", "YY", "ZZ", "XY", "XZ", "YZ")):
        yield Field(
            ("inertia", k),
            tr("Inertia {name}", name=name),
            "inertia",
            tr("Inertia and centre of mass"),
            True,
        )
    for k, axis in enumerate("XYZ"):
        yield Field(
            ("initial_velocity", "linear", k),
            tr("Velocity {axis}", axis=axis),
            "velocity",
            tr("Initial velocity"),
            True,
        )
    for k, axis in enumerate("XYZ"):
        yield Field(
            ("initial_velocity", "angular", k),
            tr("Angular velocity {axis}", axis=axis),
            "angular_velocity",
            tr("Initial velocity"),
            True,
        )


def joint_fields(joint: Joint) -> Iterator[Field]:
    """Every number of a joint."""
    kind = JOINT_TYPES[joint.type]
    for p in kind.parameters:
        yield Field(
            ("parameters", p.name),
            p.label,
            p.dimension,
            least=max(p.least, -_SOLID[1]),
            most=_SOLID[1],
        )
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(
            ("rates", k),
            tr("Initial {coordinate} rate", coordinate=tr(coordinate.name)),
            _RATES[coordinate.dimension],
            "",
            True,
        )
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(
            ("values", k),
            tr("Typed {coordinate}", coordinate=tr(coordinate.name)),
            coordinate.dimension,
            "Position",
            True,
        )
    for k, limit in enumerate(joint.limits):
        coordinate = kind.coordinates[limit.coordinate]
        group = (
            "Limits"
            if kind.dof == 1
            else tr("Limits of {coordinate}", coordinate=tr(coordinate.name))
        )
        yield Field(("limits", k, "lower"), tr("Lower stop"), coordinate.dimension, group, True)
        yield Field(("limits", k, "upper"), tr("Upper stop"), coordinate.dimension, group, True)
        yield Field(
            ("limits", k, "restitution"), "Restitution", "number", group, least=0.0, most=1.0
        )
        yield Field(
            ("limits", k, "stiffness"),
            tr("Stop stiffness"),
            _STIFFNESS[coordinate.dimension],
            group,
            True,
            least=0.0,
        )
        yield Field(
            ("limits", k, "damping"),
            tr("Stop damping"),
            _DAMPING[coordinate.dimension],
            group,
            least=0.0,
        )
    if joint.curve is not None:
        if CURVE_FORMS[joint.curve.form].fillets:
            yield Field(
                ("curve", "radius"), tr("Fillet radius"), "length", "Curve", True, least=0.0
            )
        if not JOINT_TYPES[joint.type].has_face or joint.curve.offset is not None:
            yield Field(("curve", "offset"), tr("Roller radius"), "length", "Curve", True)
        for k in range(len(joint.curve.points)):
            for i, axis in enumerate("XYZ"):
                yield Field(
                    ("curve", "points", k, i),
                    tr("Point {number} {axis}", number=k + 1, axis=axis),
                    "length",
                    "Curve",
                )
    yield from _frame(("frame_a",), joint.frame_a, tr("Frame on first body"))
    yield from _frame(("frame_b",), joint.frame_b, tr("Frame on second body"))


def law_fields(path: Path, law: Law, own: str, variable: str, group: str) -> Iterator[Field]:
    """The numbers of a law whose value has the dimension `own`, over a variable of the dimension
    `variable`.
    """
    kind = LAW_TYPES[law.type]
    dimensions = {OWN: own, VARIABLE: variable}
    for p in kind.parameters:
        yield Field(
            (*path, "parameters", p.name),
            p.label,
            dimensions.get(p.dimension, p.dimension),
            group,
            least=p.least,
        )
    for k in range(len(law.points)):
        yield Field((*path, "points", k, 0), tr("Point {number} at", number=k + 1), variable, group)
        yield Field((*path, "points", k, 1), tr("Point {number} value", number=k + 1), own, group)


def coupling_fields(coupling: Coupling, mechanism: Mechanism | None = None) -> Iterator[Field]:
    """Every number of a coupling.  mechanism: tells whether a cam's follower slides or turns; it
    slides where that is not known.
    """
    for p in COUPLING_TYPES[coupling.type].parameters:
        yield Field(("parameters", p.name), p.label, p.dimension, least=p.least)
    if coupling.law is not None:
        own = dimension_of(mechanism, coupling.ends[-1].joint, coupling.ends[-1].coordinate)
        yield from law_fields(("law",), coupling.law, own, "angle", tr("Follower law"))


def drive_fields(drive: Drive, mechanism: Mechanism | None = None) -> Iterator[Field]:
    """Every number of a drive.  mechanism: tells whether it turns or slides; it turns where that is
    not known.
    """
    yield from law_fields(("law",), drive.law, drive_dimension(drive, mechanism), "time", "")


def drive_dimension(drive: Drive, mechanism: Mechanism | None) -> str:
    """The dimension of what a drive's law prescribes."""
    own = dimension_of(mechanism, drive.joint, drive.coordinate, "angle")
    return {VELOCITY: _RATES, ACCELERATION: _SECOND_RATES}.get(drive.quantity, {}).get(own, own)


def dimension_of(
    mechanism: Mechanism | None, joint: str, coordinate: int, otherwise: str = "length"
) -> str:
    """ "angle" or "length" of a joint's coordinate; `otherwise` where there is none such."""
    known = mechanism.joints.get(joint) if mechanism is not None else None
    if (
        known is None
        or known.type not in JOINT_TYPES
        or not 0 <= coordinate < JOINT_TYPES[known.type].dof
    ):
        return otherwise
    return JOINT_TYPES[known.type].coordinates[coordinate].dimension


def force_fields(force: Force) -> Iterator[Field]:
    """Every number of a force."""
    kind = FORCE_TYPES[force.type]
    for p in kind.parameters:
        if p.name in force.laws:
            yield from law_fields(
                ("laws", p.name), force.laws[p.name], p.dimension, "time", p.label
            )
        elif not p.rate_of:
            yield Field(
                ("parameters", p.name), p.label, p.dimension, p.group, p.default is not None
            )
    if kind.attachment != JOINT:
        yield from _frame(
            ("frame_a",), force.frame_a, tr("First end") if force.frame_b else "Place"
        )
        yield from _frame(
            ("frame_b",), force.frame_b, tr("Second end") if force.frame_a else "Place"
        )


def picture_fields() -> Iterator[Field]:
    """Every number of a picture."""
    yield Field(("width",), "Width", "length", least=_SOLID[0], most=_SOLID[1])
    yield Field(("opacity",), "Opacity", "number", least=0.0, most=1.0)
    yield Field(("turn",), "Turn", "angle")
    yield from _placement(("placement",), "Place")


_PROJECT_FIELDS = {
    SETTINGS: (
        Field(("duration",), "Duration", "time", least=1e-9, most=1e9),
        Field(("sample_step",), "Sample every", "time", least=1e-9, most=1e9),
        Field(("tolerance",), "Tolerance", "number", least=1e-15, most=0.1),
        Field(("step",), "Largest step", "time", "", True, 1e-9, 1e9),
        Field(("alpha",), "Baumgarte α [1/s]", "number", least=0.0, most=1e9),
        Field(("beta",), "Baumgarte β [1/s]", "number", least=0.0, most=1e9),
        Field(("spectral_radius",), "Spectral radius", "number", least=0.0, most=1.0),
    ),
    GRAVITY: tuple(Field((k,), f"Gravity {axis}", "acceleration") for k, axis in enumerate("XYZ")),
    START: (Field((0,), "Begins at", "time", least=0.0, most=1e9),),
}


CONTACT_FIELDS = (
    Field(("contacts", "step"), "Contact step", "time", "Contacts", least=1e-7, most=1.0),
    Field(("contacts", "tolerance"), "Tolerance", "velocity", "Contacts", least=1e-12, most=1.0),
    Field(("contacts", "slowest"), "Rebounds above", "velocity", "Contacts", least=0.0, most=1e3),
    Field(("contacts", "margin"), "Look around", "length", "Contacts", True, 0.0, 1e3),
    Field(("contacts", "sleep"), "Rests after", "time", "Contacts", least=0.0, most=1e9),
)


def settings_fields(settings: Settings, mechanism: Mechanism | None = None) -> tuple[Field, ...]:
    """Every number of the settings.  mechanism: what gives the values that end a run their
    dimensions; those of quantities that it has not are left out.
    """
    known = channels(mechanism) if settings.until and mechanism is not None else {}
    touching = settings.contacts != ContactSettings() or (
        mechanism is not None and mechanism.contacts.enabled
    )
    return (
        *_PROJECT_FIELDS[SETTINGS],
        *(CONTACT_FIELDS if touching else ()),
        *(
            Field(("until", k, "value"), "Value", known[c.channel].dimension, tr(UNTIL))
            for k, c in enumerate(settings.until)
            if c.channel in known
        ),
    )


def find(project: Project, element: str) -> Any:
    """An element by id: a body (ground included), joint, force, picture, gauge, parameter,
    "settings", "gravity", "contacts" or "run start".  Raises KeyError.
    """
    m = project.mechanism
    if element == GROUND:
        return m.ground
    if element == SETTINGS:
        return project.settings
    if element == GRAVITY:
        return m.gravity
    if element == CONTACTS:
        return m.contacts
    if element == START:
        return (m.start,)
    for section in (
        m.bodies,
        m.joints,
        m.couplings,
        m.drives,
        m.forces,
        project.pictures,
        project.gauges,
        project.parameters,
    ):
        if element in section:
            return section[element]
    raise KeyError(tr("The project has no element {element}.", element=element))


def fields(element: Any, id: str = "", mechanism: Mechanism | None = None) -> tuple[Field, ...]:
    """The editable numbers of an element in the order in which an inspector shows them.

    mechanism: what the element stands in; drives and cams take their dimensions from its joints.
    """
    if isinstance(element, Body):
        return tuple(body_fields(element, mechanism is not None and mechanism.contacts.enabled))
    if isinstance(element, Joint):
        return tuple(joint_fields(element))
    if isinstance(element, Force):
        return tuple(force_fields(element))
    if isinstance(element, Coupling):
        return tuple(coupling_fields(element, mechanism))
    if isinstance(element, Drive):
        return tuple(drive_fields(element, mechanism))
    if isinstance(element, Picture):
        return tuple(picture_fields())
    if isinstance(element, Gauge):
        return ()
    if isinstance(element, Contacts):
        return tuple(contacts_fields(element))
    if isinstance(element, Settings):
        return settings_fields(element, mechanism)
    if id in _PROJECT_FIELDS:
        return _PROJECT_FIELDS[id]
    d = element.dimension
    return (
        Field(("value",), "Value", d),
        Field(("minimum",), "Least", d, "Range", True),
        Field(("maximum",), "Most", d, "Range", True),
    )


def every(element: Any, id: str = "", mechanism: Mechanism | None = None) -> Iterator[Field]:
    """The fields, and the numbers that wait behind laws: they come back when the law is taken
    away.
    """
    yield from fields(element, id, mechanism)
    if isinstance(element, Force):
        yield from (
            Field(("parameters", p.name), p.label, p.dimension)
            for p in FORCE_TYPES[element.type].parameters
            if p.name in element.laws and p.name in element.parameters
        )


def elements(project: Project) -> Iterator[tuple[str, Any]]:
    """(id, element) of everything that has fields, ground and settings included."""
    m: Mechanism = project.mechanism
    yield from project.parameters.items()
    yield GROUND, m.ground
    drawn = (m.bodies, m.joints, m.couplings, m.drives, m.forces)
    for section in (*drawn, project.pictures, project.gauges):
        yield from section.items()
    yield SETTINGS, project.settings
    yield GRAVITY, m.gravity
    yield CONTACTS, m.contacts
    yield START, (m.start,)


def read(element: Any, path: Path) -> Quantity | None:
    """The quantity at a path, None where an optional part is absent."""
    for key in path:
        if element is None:
            return None
        if isinstance(key, str):
            entries = _entries(element)
            element = entries.get(key) if entries is not None else getattr(element, key)
        else:
            element = element[key] if key < len(element) else None
    return element


def _entries(element: Any) -> dict[str | int, Any] | None:
    """An element that is a table, None for any other."""
    return cast("dict[str | int, Any]", element) if isinstance(element, dict) else None


def write(element: Any, path: Path, quantity: Quantity | None) -> Any:
    """A copy of the element with the quantity at the path; absent optional parts are filled with
    zeros around it.
    """
    if not path:
        return quantity
    key, rest = path[0], path[1:]
    if (entries := _entries(element)) is not None:
        value = write(entries.get(key), rest, quantity)
        return (
            {**entries, key: value}
            if value is not None
            else {k: v for k, v in entries.items() if k != key}
        )
    if isinstance(key, int):
        row = list(element)
        row[key] = write(row[key], rest, quantity)
        return tuple(row)
    value = getattr(element, key)
    if value is None or value == ():
        if quantity is None:
            return element
        value = _blank(element, key)
    elif (
        quantity is None
        and rest
        and key in ("center_of_mass", "inertia", "initial_velocity", "values", "rates")
    ):
        # clearing one entry of an optional row clears the row: half of a typed inertia has no
        # meaning
        return msgspec.structs.replace(element, **{key: () if key in ("values", "rates") else None})
    return msgspec.structs.replace(element, **{key: write(value, rest, quantity)})


def _blank(element: Any, key: str) -> Any:
    """The zero value of an optional part, to be written into."""
    if key == "initial_velocity":
        return InitialVelocity()
    if key == "center_of_mass":
        return ORIGIN
    if key == "inertia":
        return (ZERO,) * 6
    if key in ("values", "rates"):
        return (ZERO,) * JOINT_TYPES[element.type].dof
    return None


__all__ = [
    "CONTACTS",
    "CONTACT_FIELDS",
    "GRAVITY",
    "OF_PROJECT",
    "SETTINGS",
    "START",
    "Field",
    "Path",
    "elements",
    "fields",
    "find",
    "problem",
    "read",
    "write",
]
