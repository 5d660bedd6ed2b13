"""Contact model of a drawing: its shapes for the contact search, its surfaces, and the options of
the steps.
"""

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mechstudio.engine.contacts.geometry import shapes as s
from mechstudio.engine.contacts.geometry.shapes import (
    ContactShape,
    ContactShapeError,
    ShapeTable,
    shape_table,
)
from mechstudio.engine.contacts.world import StepOptions, Surface
from mechstudio.engine.errors import EngineError
from mechstudio.model.contact import ContactSettings
from mechstudio.model.contact import Surface as DrawnSurface
from mechstudio.model.findings import Finding
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import (
    Ball,
    Block,
    Capsule,
    Cylinder,
    Disc,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.rotation import compose
from mechstudio.model.joints.touching import kept_apart
from mechstudio.model.mechanism import GROUND, Body, Mechanism, Shape
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr

RIM = 24  # points on the rim of a rounded plate
PILE = 100  # bodies above which a mechanism counts as a pile
FLOOR = "\0floor"  # the floor among the ids of bodies
PASSES = 5  # of De Saxce's correction in a pile
MARGIN = 0.01  # of the mechanism's size: default distance of the search for contacts


def surface_of(drawn: DrawnSurface) -> Surface:
    """Numbers of a drawn surface."""
    n = drawn.number
    return Surface(
        n("friction"),
        n("restitution"),
        n("rolling"),
        n("spinning"),
        1.0 / n("stiffness"),
        n("damping"),
        n("tangential_restitution"),
        n("belt_speed"),
        n("adhesion"),
    )


def step_options(settings: ContactSettings, size: float, bodies: int) -> StepOptions:
    """Options of the steps from a project's settings. size: of the mechanism [m]. bodies: their
    number.  In a pile overlaps are separated by velocities, and De Saxce's correction has fewer
    passes.
    """
    margin = settings.margin.value if settings.margin is not None else MARGIN * size
    pile = bodies > PILE
    return StepOptions(
        settings.step.value,
        settings.tolerance.value,
        settings.most,
        settings.method,
        settings.correction,
        settings.impacts == "sequential",
        margin,
        settings.slowest.value,
        rest_time=settings.sleep.value,
        rest_speed=1e-3 * max(size, 1e-3),
        projection=not pile,
        passes=PASSES if pile else 20,
    )


def drawn_table(mechanism: Mechanism) -> tuple[ShapeTable, list[Surface]]:
    """(shapes with the pairs that never touch, surfaces by material number).  Raises EngineError
    for shapes without contacts.
    """
    skins, surfaces = _materials(mechanism)
    found: list[ContactShape] = []
    for number, (id, body) in enumerate(mechanism.bodies.items()):
        for shape in body.shapes if body.touches else ():
            found += _shapes(shape, number, body, skins[id])
    for shape in mechanism.ground.shapes if mechanism.ground.touches else ():
        found += _shapes(shape, s.GROUND, mechanism.ground, skins[GROUND])
    floor = mechanism.contacts.floor
    if floor is not None:
        found.append(
            ContactShape(
                s.PLANE,
                place=(0.0, 0.0, floor.height.value),
                material=skins[FLOOR],
                name=tr("the floor"),
            )
        )
    number = {id: n for n, id in enumerate(mechanism.bodies)} | {GROUND: s.GROUND}
    apart = [
        (number[a], number[b]) for a, b in kept_apart(mechanism) if a in number and b in number
    ]
    try:
        return shape_table(found, apart), surfaces
    except ContactShapeError as error:
        raise EngineError(
            Finding(
                "error",
                "",
                tr("Contacts cannot be searched for: {error}", error=error),
                tr("Change the shape, or switch contacts off."),
            )
        ) from error


def drawn_pairs(mechanism: Mechanism) -> dict[tuple[int, int], Surface]:
    """Contact surfaces by pair of material numbers, for the pairs of bodies to which the drawing
    gives one.
    """
    skins, _ = _materials(mechanism)
    out = {}
    for pair in mechanism.contacts.pairs:
        if pair.surface is None:
            continue
        ends = [
            [skins[id] for id in ((GROUND, FLOOR) if end == GROUND else (end,)) if id in skins]
            for end in (pair.body_a, pair.body_b)
        ]
        out |= {(a, b): surface_of(pair.surface) for a in ends[0] for b in ends[1]}
    return out


def _materials(mechanism: Mechanism) -> tuple[dict[str, int], list[Surface]]:
    """(material number of every body, of ground and of the floor, surfaces by number): one for
    equal surfaces, and one of its own for a body in a pair with its own surface.
    """
    own = {
        id for p in mechanism.contacts.pairs if p.surface is not None for id in (p.body_a, p.body_b)
    }
    if GROUND in own:
        own.add(FLOOR)
    drawn = {id: body.surface for id, body in mechanism.bodies.items()} | {
        GROUND: mechanism.ground.surface
    }
    if mechanism.contacts.floor is not None:
        drawn[FLOOR] = mechanism.contacts.floor.surface
    surfaces: list[Surface] = []
    shared: dict[Surface, int] = {}
    skins = {}
    for id, surface in ((id, surface_of(d)) for id, d in drawn.items()):
        if id in own or surface not in shared:
            surfaces.append(surface)
            skins[id] = len(surfaces) - 1
            if id not in own:
                shared[surface] = skins[id]
        else:
            skins[id] = shared[surface]
    return skins, surfaces


def _shapes(shape: Shape, number: int, body: Body, material: int) -> Iterator[ContactShape]:
    """Contact shapes of a drawn shape: none of a type without contacts, which `check` and every run
    report.
    """
    if not SHAPE_TYPES[shape.type].contacts:
        return
    pose = (
        shape.placement.pose
        if number != s.GROUND
        else compose(body.placement.pose, shape.placement.pose)
    )
    kind, size, points, triangles = touching(shape.form)
    yield ContactShape(
        kind,
        size,
        number,
        *pose,
        points=points,
        triangles=triangles,
        material=material,
        name=body.name,
    )


class Touching(NamedTuple):
    """Kind of a contact shape, its size, points and triangles as in geometry/shapes.py."""

    kind: int
    size: tuple[float, ...] = ()
    points: np.ndarray | None = None
    triangles: np.ndarray | None = None


@functools.singledispatch
def touching(form: Form) -> Touching:
    """Contact shape of a form."""
    raise NotImplementedError(f"No contacts are known for a {type(form).__name__}.")


@touching.register
def _(form: Ball) -> Touching:
    return Touching(s.SPHERE, (form.radius,))


@touching.register
def _(form: Block) -> Touching:
    return Touching(s.BOX, (form.x / 2, form.y / 2, form.z / 2))


@touching.register
def _(form: Cylinder) -> Touching:
    return Touching(s.CYLINDER, (form.radius, form.height / 2))


@touching.register
def _(form: Disc) -> Touching:
    return Touching(s.DISC, (form.radius, form.height / 2))


@touching.register
def _(form: Capsule) -> Touching:
    return Touching(s.CAPSULE, (form.radius, form.height / 2))


@touching.register
def _(form: Frustum) -> Touching:
    return Touching(s.CONE, (form.bottom, form.top, form.height / 2))


@touching.register
def _(form: Tube) -> Touching:
    return Touching(s.TUBE, (form.outer, form.inner, form.height / 2))


@touching.register
def _(form: HalfPipe) -> Touching:
    return Touching(s.TROUGH, (form.outer, form.inner, form.height / 2))


@touching.register
def _(form: Ellipsoid) -> Touching:
    return Touching(s.ELLIPSOID, (form.x / 2, form.y / 2, form.z / 2))


@touching.register
def _(form: Flat) -> Touching:
    return Touching(s.HULL, points=_rounded(form.corners, form.radius, form.thickness))


@touching.register
def _(form: Polyhedron) -> Touching:
    points, triangles = meshes.arrays(form.mesh)
    return Touching(s.MESH, (), np.asarray(points, float), np.asarray(triangles, np.int64))


def _rounded(corners, radius: float, thickness: float) -> np.ndarray:
    """Points of a plate in xz with round corners, thickness along y: its convex hull touches."""
    if radius > 0.0:
        angles = np.linspace(0.0, 2.0 * np.pi, RIM, endpoint=False)
        flat = np.array(
            [(x + radius * np.cos(a), z + radius * np.sin(a)) for x, z in corners for a in angles]
        )
    else:
        flat = np.array(corners, float)
    return np.concatenate(
        [
            np.column_stack([flat[:, 0], np.full(len(flat), y), flat[:, 1]])
            for y in (-thickness / 2, thickness / 2)
        ]
    )
