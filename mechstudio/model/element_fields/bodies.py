"""Numbers of bodies: shapes, mass, place, velocity, surface and named points."""

from collections.abc import Iterator

from mechstudio.model.element_fields.contacts import surface_fields
from mechstudio.model.element_fields.field import (
    ANGLES,
    SOLID_SIZES,
    Field,
    placement_fields,
    problem,
)
from mechstudio.model.element_fields.paths import read
from mechstudio.model.mechanism import GROUND, Body, Mechanism, Shape
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr


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
                least=0.0 if d.zero else SOLID_SIZES[0],
                most=SOLID_SIZES[1],
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
        yield from placement_fields(
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
    """Fields of bodies that ground does not have: place, mass and velocity."""
    yield Field(("mass",), "Mass", "mass", "", True, least=0.0)
    yield from placement_fields(("placement",), "Position")
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
