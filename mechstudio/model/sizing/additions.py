"""Additions that the helpers propose, and the drawing with them."""

import math
from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import free_id
from mechstudio.model.geometry.forms import Matrix
from mechstudio.model.geometry.rotation import Quaternion, Triple, from_axes, to_angles, triple
from mechstudio.model.mass_properties import mass_properties, steiner
from mechstudio.model.mechanism import Body, Force, Frame, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector

replace = msgspec.structs.replace
ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of an inertia, as a body has them


class Disc(msgspec.Struct, frozen=True, tag="disc"):
    """A cylinder that becomes part of a body: a counterweight or a flywheel.

    body: id.  mass [kg].  center: in body axes [m].  axis: unit vector there.  radius, height [m];
    the density follows.
    """

    body: str
    mass: float
    center: Triple
    axis: Triple
    radius: float
    height: float

    @property
    def inertia(self) -> Matrix:
        """About its centre of mass in body axes [kg m^2]."""
        across = self.mass * (3 * self.radius**2 + self.height**2) / 12
        return _about(self.axis, across, self.mass * self.radius**2 / 2)


class Rotor(msgspec.Struct, frozen=True, tag="rotor"):
    """Inertia about an axis of a body, without mass: a rotor seen through its gear.

    body: id.  axis: unit vector in body axes.  inertia [kg m^2].
    """

    body: str
    axis: Triple
    inertia: float


class Spring(msgspec.Struct, frozen=True, tag="spring"):
    """A spring between points of two bodies, in their axes [m].  stiffness [N/m], free_length
    [m].
    """

    name: str
    body_a: str
    point_a: Triple
    body_b: str
    point_b: Triple
    stiffness: float
    free_length: float


Addition = Disc | Rotor | Spring


def disc_of(body: str, mass: float, center: Triple, axis: Triple, density: float) -> Disc:
    """A disc of a mass and a density that is a quarter as thick as wide."""
    radius = (2.0 * mass / (math.pi * density)) ** (1.0 / 3.0)
    return Disc(body, mass, center, axis, radius, radius / 2.0)


def with_additions(project: Project, additions: Sequence[Addition]) -> Project:
    """The project with what a helper proposes.  Raises KeyError for a body that is not there."""
    for addition in additions:
        match addition:
            case Disc():
                project = _with_disc(project, addition)
            case Rotor():
                project = _with_rotor(project, addition)
            case Spring():
                project = _with_spring(project, addition)
    return project


def _with_disc(project: Project, disc: Disc) -> Project:
    """A solid of the body; where the body's mass is typed, the typed numbers take it up and the
    solid is only drawn.
    """
    body = project.mechanism.bodies[disc.body]
    is_typed = any(typed is not None for typed in (body.mass, body.center_of_mass, body.inertia))
    density = disc.mass / (math.pi * disc.radius**2 * disc.height)
    shape = Shape(
        "cylinder",
        {"radius": Quantity(disc.radius), "height": Quantity(disc.height)},
        placement=Placement(vector(*disc.center), vector(*to_angles(attitude(disc.axis)))),
        density=Quantity(0.0 if is_typed else density),
        material="steel",
    )
    new = replace(body, shapes=(*body.shapes, shape))
    if is_typed:
        new = _with_mass(new, body, disc.mass, disc.center, disc.inertia)
    return put_element(project, body.id, new)


def _with_rotor(project: Project, rotor: Rotor) -> Project:
    body = project.mechanism.bodies[rotor.body]
    # a thin disc: half as much across, as every body of revolution has at least
    extra = _about(rotor.axis, rotor.inertia / 2.0, rotor.inertia)
    properties = mass_properties(body)
    new = _with_mass(body, body, 0.0, properties.center, extra)
    return put_element(project, body.id, new)


def _with_mass(new: Body, old: Body, mass: float, center: Triple, inertia: Matrix) -> Body:
    """A body with typed mass properties: those of the old one and of something at a place."""
    known = mass_properties(old)
    total = known.mass + mass
    share = mass / total if total > 0.0 else 0.0
    middle = triple(c + share * (p - c) for c, p in zip(known.center, center, strict=True))
    parts = (
        steiner(known.inertia, known.mass, triple(a - b for a, b in zip(known.center, middle))),
        steiner(inertia, mass, triple(a - b for a, b in zip(center, middle))),
    )
    return replace(
        new,
        mass=Quantity(total) if mass or old.mass is not None else None,
        center_of_mass=vector(*middle) if mass or old.center_of_mass is not None else None,
        inertia=tuple(Quantity(parts[0][i][j] + parts[1][i][j]) for i, j in ENTRIES),
    )


def _with_spring(project: Project, spring: Spring) -> Project:
    id = free_id(project, "spring")
    names = {f.name for f in project.mechanism.forces.values()}
    name, k = spring.name, 2
    while name in names:
        name, k = f"{spring.name} {k}", k + 1
    frames = [
        Frame(body, "", Placement(vector(*point)))
        for body, point in ((spring.body_a, spring.point_a), (spring.body_b, spring.point_b))
    ]
    numbers = {
        "stiffness": Quantity(spring.stiffness),
        "free_length": Quantity(spring.free_length),
    }
    force = Force(id, name, "spring", numbers, frames[0], frames[1])
    m = project.mechanism
    return replace(project, mechanism=replace(m, forces={**m.forces, id: force}))


def attitude(axis: Triple) -> Quaternion:
    """A frame whose z lies along a unit vector."""
    least = min(range(3), key=lambda k: abs(axis[k]))
    side = tuple(float(k == least) for k in range(3))
    x = _cross(side, axis)
    size = math.hypot(*x)
    x = triple(c / size for c in x)
    return from_axes(x, _cross(axis, x), axis)


def _cross(a: Sequence[float], b: Sequence[float]) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _about(axis: Triple, across: float, along: float) -> Matrix:
    """An inertia that is round about a unit vector."""
    return tuple(
        tuple(across * (i == j) + (along - across) * axis[i] * axis[j] for j in range(3))
        for i in range(3)
    )  # type: ignore[return-value]
