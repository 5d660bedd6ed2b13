"""Stages in which each kind of solid is drawn, the numbers of each, and the resulting solid."""

from collections.abc import Mapping
from typing import NamedTuple

from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.bodies.shapes import sensible_length
from mechstudio.model.edits.bodies.solids import Solid
from mechstudio.model.edits.links import WorkPlane, distance, link_section
from mechstudio.model.element_fields.bodies import shapes_problem
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, plus
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.rounding import round_near
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr

LETTERS = {kind.key: type for type, kind in SHAPE_TYPES.items() if kind.key}


class Stage(NamedTuple):
    """One click of a drawing.

    kind: how the pointer is read: "start" (the first point), "corner" (opposite one of a box),
    "end" (of an axis), "corners" (of a plate, any number), "radius" (about the start), "off"
    (distance from the axis, doubled for a width), "across" (the plane).
    numbers: (name of a size, as it is shown, dimension).   hint: what the click does.
    """

    kind: str
    numbers: tuple[tuple[str, str, str], ...]
    hint: str


_LENGTH, _ANGLE = ("length", "length", "length"), ("angle", "angle", "angle")


def _one(name: str) -> tuple[tuple[str, str, str], ...]:
    return ((name, name, "length"),)


_END = (_LENGTH, _ANGLE)
_DEPTH = Stage("across", _one("depth"), "Move for the depth or type it, then click")
_THICK = Stage("across", _one("thickness"), "Move for the thickness or type it, then click")
STAGES: Mapping[str, tuple[Stage, ...]] = {
    "box": (
        Stage("start", (), "Click a corner of the box"),
        Stage(
            "corner",
            (("width", "length", "length"), ("height", "height", "length")),
            "Click the opposite corner or type length, height · Shift makes a square",
        ),
        _DEPTH,
    ),
    "ellipsoid": (
        Stage("start", (), "Click a corner of the box around the ellipsoid"),
        Stage(
            "corner",
            (("width", "length", "length"), ("height", "height", "length")),
            "Click the opposite corner or type length, height · Shift makes a circle",
        ),
        _DEPTH,
    ),
    "disc": (
        Stage("start", (), "Click the centre of the wheel"),
        Stage("radius", _one("radius"), "Click for the radius or type it"),
        _THICK,
    ),
    "sphere": (
        Stage("start", (), "Click the centre of the sphere"),
        Stage("radius", _one("radius"), "Click for the radius or type it"),
    ),
    "cylinder": (
        Stage("start", (), "Click where the axis of the cylinder starts"),
        Stage("end", _END, "Click where the axis ends or type its length"),
        Stage("off", _one("radius"), "Move off the axis for the radius or type it, then click"),
    ),
    "capsule": (
        Stage("start", (), "Click the centre of the capsule's first cap"),
        Stage("end", _END, "Click the centre of the other cap or type the distance"),
        Stage("off", _one("radius"), "Move off the axis for the radius or type it, then click"),
    ),
    "cone": (
        Stage("start", (), "Click the centre of the cone's base"),
        Stage("end", _END, "Click the apex or type the height"),
        Stage(
            "off", _one("radius"), "Move off the axis for the base radius or type it, then click"
        ),
    ),
    "plate": (
        Stage("start", (), "Click the first corner of the plate"),
        Stage("corners", _END, "Click the next corner or type the side's length"),
        _THICK,
    ),
    "link": (
        Stage("start", (), "Click one end of the bar"),
        Stage("end", _END, "Click the other end or type the length"),
        Stage("off", _one("width"), "Move off the axis for the width or type it, then click"),
        _THICK,
    ),
}


def stages(type: str) -> tuple[Stage, ...]:
    """Stages of a type of SHAPE_TYPES."""
    return STAGES[way_of(type)]


def way_of(type: str) -> str:
    """Key of STAGES: the type itself, or the one that it is drawn like."""
    return SHAPE_TYPES[type].drawn or type


def kind_name(type: str) -> str:
    """Name of a kind of solid for the user: "wheel" for a disc that is drawn as one."""
    return tr(SHAPE_TYPES[type].noun) or tr(SHAPE_TYPES[type].label).lower()


class Drawn(NamedTuple):
    """Data of a solid that is being drawn.

    plane: in which it is drawn.  standing: on it, as on a face.  points: start, then end or
    corners.  sizes: by name, those settled or shown now; the others take their defaults.  way: of
    the opposite corner from the first, by sign, along u and v.
    """

    plane: WorkPlane
    standing: bool
    points: tuple[Triple, ...]
    sizes: Mapping[str, Quantity]
    way: tuple[float, float] = (1.0, 1.0)


def default_size(project: Project, type: str, name: str, drawn: Drawn) -> float:
    """A sensible size [m] for what was not said, beside what was."""
    length, way = sensible_length(project.mechanism), way_of(type)
    known = lambda key, otherwise: (
        abs(drawn.sizes[key].value) if key in drawn.sizes and drawn.sizes[key].value else otherwise
    )
    long = known("length", {"capsule": 0.6 * length}.get(way, length))
    if name == "depth":
        return round_near(min(known("width", length), known("height", 0.5 * length)))
    if name == "thickness":
        if way == "link":
            return link_section(project, long)[1]
        return round_near(
            0.2 * known("radius", 0.5 * length) if way == "disc" else 0.1 * _extent(drawn, length)
        )
    if name == "width" and way == "link":
        return link_section(project, long)[0]
    if name == "radius":
        return (
            0.5 * length
            if way in ("disc", "sphere")
            else round_near({"cone": 0.4, "capsule": 0.3}.get(way, 0.2) * long)
        )
    return {"width": length, "height": 0.5 * length, "length": long, "angle": 0.0}[name]


def _extent(drawn: Drawn, otherwise: float) -> float:
    flat = [drawn.plane.to_plane(p) for p in drawn.points]
    return max((max(c) - min(c) for c in zip(*flat)), default=0.0) or otherwise


def solid(project: Project, type: str, drawn: Drawn) -> Solid:
    """The solid as it is drawn so far.  Raises ExpressionError with the reason where there is none
    yet, or none that a file can hold.
    """
    made = _solid(project, type, drawn)
    if reason := shapes_problem(made.shapes):
        raise ExpressionError(reason)
    return made


def _solid(project: Project, type: str, drawn: Drawn) -> Solid:
    plane, start = drawn.plane, drawn.points[0]

    def size(name: str) -> Quantity:
        q = drawn.sizes.get(name, Quantity(0.0))
        if abs(q.value) < 1e-12:
            q = Quantity(default_size(project, type, name, drawn))
        # a text with a sign means a direction, the shape keeps the number
        return q if q.value > 0 else Quantity(-q.value)

    match way_of(type):
        case "box" | "ellipsoid":
            width, height = size("width"), size("height")
            u, v = plane.to_plane(start)
            center = plane.to_world(
                u + drawn.way[0] * width.value / 2, v + drawn.way[1] * height.value / 2
            )
            return solids.box(plane, center, width, height, size("depth"), drawn.standing, type)
        case "disc":
            return solids.disc(
                plane, start, size("radius"), size("thickness"), drawn.standing, type
            )
        case "sphere":
            return solids.sphere(plane, start, size("radius"), drawn.standing, type)
        case "plate":
            return solids.plate(plane, drawn.points, size("thickness"), drawn.standing, type)
    length = size("length")
    end = (
        drawn.points[1]
        if len(drawn.points) > 1 and distance(start, drawn.points[1]) > 1e-12
        else plus(start, plane.u, length.value)
    )
    if way_of(type) == "link":
        return solids.bar(
            plane, start, end, length, size("width"), size("thickness"), drawn.standing, type
        )  # type: ignore[arg-type]
    return solids.round_on_axis(type, plane, start, end, length, size("radius"), drawn.standing)
