"""Handles of a Builder: a body to add shapes to, a joint to hang springs and motors on."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

import msgspec

from mechstudio.builder.geometry import Number, Point, known_type
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import Triple, transform
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mechanism import Body, Frame, InitialVelocity, Joint, NamedPoint, Shape
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.builder.draft import Draft

STEEL = 7850.0  # [kg/m^3]
_replace = msgspec.structs.replace


class Located(TypedDict, total=False):
    """Place of a shape in body axes, its density [kg/m^3] and its material in pictures."""

    at: Point
    density: Number
    material: str


class Placed(Located, total=False):
    """The same, with angles (psi, theta, phi)."""

    angles: Point


class BodyHandle:
    """A body of a Builder; its methods add to it and return it, so that calls can be chained."""

    def __init__(self, draft: "Draft", id: str) -> None:
        self._draft = draft
        self.id = id

    @property
    def body(self) -> Body:
        """The body as it stands now."""
        return self._draft.mechanism.body(self.id)

    def is_of(self, draft: "Draft") -> bool:
        """True if the body stands in this draft."""
        return self._draft is draft

    def world(self, point: str | Point = "") -> Triple:
        """Position of a named point, or of a point in body axes, in W as drawn [m]."""
        body = self.body
        local = (
            body.point(point)
            if isinstance(point, str)
            else values(self._draft.point_quantities(point, body.name))
        )
        return transform(body.placement.pose, local)

    @property
    def start(self) -> Triple:
        """The first end of a link in W, in the plane of its pins [m]."""
        return self.world()

    @property
    def end(self) -> Triple:
        """The second end of a link in W, in the plane of its pins [m]."""
        x, _, z = self.body.point("end")
        return transform(self.body.placement.pose, (x, 0.0, z))

    def frame(
        self, point: str = "", *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0)
    ) -> "FrameHandle":
        """A frame fixed to the body, for joints, forces and springs: at a named point of it, moved
        by `at` and turned by angles (psi, theta, phi) in body axes.  Raises ValueError with the
        points that there are.
        """
        if point not in ("", *self.body.named_points()):
            raise ValueError(
                tr(
                    "{body} has no point {point}; it has {points}.",
                    body=self.body.name,
                    point=point,
                    points=comma().join(self.body.named_points()) or tr("none"),
                )
            )
        return FrameHandle(
            self, Frame(self.id, point, self._draft.placement(at, angles, self.body.name))
        )

    def add(
        self,
        type: str,
        dimensions: Mapping[str, Number],
        *,
        outline: Sequence[tuple[Number, Number]] = (),
        at: Point = (0, 0, 0),
        angles: Point = (0, 0, 0),
        density: Number = STEEL,
        material: str = "paint",
        mesh: Mesh | None = None,
    ) -> "BodyHandle":
        """Add a shape of any type of SHAPE_TYPES at a point and with angles (psi, theta, phi) in
        body axes.
        """
        draft, name = self._draft, self.body.name
        known = known_type(SHAPE_TYPES, type, "shape")
        if set(dimensions) != {d.name for d in known.dimensions}:
            raise ValueError(
                tr(
                    "{name}: a {known} takes {d}, not {dimensions}.",
                    name=name,
                    known=tr(known.label).lower(),
                    d=comma().join(d.name for d in known.dimensions),
                    dimensions=comma().join(dimensions) or tr("nothing"),
                )
            )
        shape = Shape(
            type,
            {
                d.name: draft.quantity(
                    dimensions[d.name], "length", f"{name}, {tr(d.label).lower()}"
                )
                for d in known.dimensions
            },
            tuple(
                (draft.quantity(x, "length", name), draft.quantity(z, "length", name))
                for x, z in outline
            ),
            draft.placement(at, angles, name),
            draft.quantity(density, "density", tr("{name}, density", name=name)),
            material,
            mesh=mesh,
        )
        return self._put(_replace(self.body, shapes=(*self.body.shapes, shape)))

    def bar(
        self, length: Number, width: Number, thickness: Number, **placed: Unpack[Placed]
    ) -> "BodyHandle":
        """A link shape: along x from `at`, flat in xz, with round ends."""
        return self._shape("link", length, width, thickness, **placed)

    def plate(
        self,
        outline: Sequence[tuple[Number, Number]],
        radius: Number,
        thickness: Number,
        **placed: Unpack[Placed],
    ) -> "BodyHandle":
        """The convex hull of discs about corners (x, z), with a thickness along y."""
        return self._shape("plate", radius, thickness, outline=outline, **placed)

    def box(
        self, length: Number, depth: Number, height: Number, **placed: Unpack[Placed]
    ) -> "BodyHandle":
        """A box centred on `at`, its sides along x, y and z."""
        return self._shape("box", length, depth, height, **placed)

    def cylinder(self, radius: Number, height: Number, **placed: Unpack[Placed]) -> "BodyHandle":
        """A cylinder along z centred on `at`."""
        return self._shape("cylinder", radius, height, **placed)

    def pin(self, radius: Number, length: Number, **located: Unpack[Located]) -> "BodyHandle":
        """A cylinder along y centred on `at`, as the pins of the front plane are; of steel."""
        located.setdefault("material", "steel")
        return self.cylinder(radius, length, angles=(0, 0, "90 deg"), **located)

    def tube(
        self, radius: Number, inner_radius: Number, height: Number, **placed: Unpack[Placed]
    ) -> "BodyHandle":
        """A hollow cylinder along z centred on `at`; its bore has the inner radius."""
        return self._shape("tube", radius, inner_radius, height, **placed)

    def half_pipe(
        self, radius: Number, inner_radius: Number, height: Number, **placed: Unpack[Placed]
    ) -> "BodyHandle":
        """The half of a tube along z that lies where x > 0 of its axes; open along -x."""
        return self._shape("half_pipe", radius, inner_radius, height, **placed)

    def disc(self, radius: Number, thickness: Number, **placed: Unpack[Placed]) -> "BodyHandle":
        """A disc about z centred on `at`."""
        return self._shape("disc", radius, thickness, **placed)

    def sphere(self, radius: Number, **located: Unpack[Located]) -> "BodyHandle":
        """A sphere about `at`."""
        return self._shape("sphere", radius, **located)

    def ellipsoid(
        self, length: Number, depth: Number, height: Number, **placed: Unpack[Placed]
    ) -> "BodyHandle":
        """An ellipsoid of these whole lengths along x, y, z, centred on `at`."""
        return self._shape("ellipsoid", length, depth, height, **placed)

    def capsule(self, radius: Number, height: Number, **placed: Unpack[Placed]) -> "BodyHandle":
        """A cylinder of `height` along z with round caps, centred on `at`."""
        return self._shape("capsule", radius, height, **placed)

    def cone(
        self,
        bottom_radius: Number,
        top_radius: Number,
        height: Number,
        **placed: Unpack[Placed],
    ) -> "BodyHandle":
        """A circular cone or its frustum along z, its middle at `at`."""
        return self._shape("cone", bottom_radius, top_radius, height, **placed)

    def mesh(
        self,
        surface: str | os.PathLike[str] | Mesh,
        unit: str = "",
        thickness: float = 0.0,
        **placed: Unpack[Placed],
    ) -> "BodyHandle":
        """A closed surface: the file of a part, or a Mesh.

        unit: of the lengths of a file (mm, cm, m, in); without it what the file says, else mm.
        thickness: of the plate that a DXF or SVG profile becomes [m]; without it a round share of
        its size.  Raises ValueError for one that is not closed, with the place of the hole, and for
        a file that cannot be read.
        """
        name = self.body.name
        if not isinstance(surface, Mesh):
            from mechstudio.files.meshes import UNITS, MeshFileError
            from mechstudio.files.parts import load_part

            if unit and unit not in UNITS:
                raise ValueError(
                    tr(
                        "{name}: {unit} is no unit of a surface; there are {units}.",
                        name=name,
                        unit=unit,
                        units=comma().join(UNITS),
                    )
                )
            try:
                part = load_part(os.fspath(surface))
                known = unit or part.unit
                surface = part.made(known, thickness or part.usual_thickness(known)).mesh
            except MeshFileError as error:
                raise ValueError(f"{name}: {error}") from None
        elif fault := meshes.check(surface):
            raise ValueError(f"{name}: {fault}")
        return self.add("mesh", {}, mesh=surface, **placed)

    def point(self, name: str, at: Point, *, angles: Point | None = None) -> "BodyHandle":
        """Name a point given in body axes; joints and springs that are put there follow it.
        angles (psi, theta, phi) make it a frame that gives joints their axes.
        """
        what = tr("point {name}", name=name)
        place = self._draft.placement(at, (0, 0, 0) if angles is None else angles, what)
        turned = None if angles is None else place.orientation
        new = NamedPoint(name, place.position, orientation=turned)
        return self._put(_replace(self.body, points=(*self.body.points, new)))

    def velocity(self, linear: Point = (0, 0, 0), angular: Point = (0, 0, 0)) -> "BodyHandle":
        """Initial velocity of the body-frame origin in W [m/s] and angular velocity in body axes
        [rad/s].
        """
        draft, name = self._draft, self.body.name
        both = (
            draft.triple(
                v,
                d,
                tr("{name}, initial velocity", name=name),
                tr("a velocity has three components"),
            )
            for v, d in ((linear, "velocity"), (angular, "angular_velocity"))
        )
        return self._put(_replace(self.body, initial_velocity=InitialVelocity(*both)))

    def _shape(
        self,
        type: str,
        *lengths: Number,
        outline: Sequence[tuple[Number, Number]] = (),
        **placed: Unpack[Placed],
    ) -> "BodyHandle":
        """Add a shape; lengths: in the order of its row."""
        dimensions = {d.name: v for d, v in zip(SHAPE_TYPES[type].dimensions, lengths, strict=True)}
        return self.add(type, dimensions, outline=outline, **placed)

    def _put(self, body: Body) -> "BodyHandle":
        self._draft.put_body(body)
        return self


class FrameHandle(NamedTuple):
    """A frame on a body of a Builder; see BodyHandle.frame."""

    body: BodyHandle
    frame: Frame


class CoordinateHandle(NamedTuple):
    """One coordinate of a joint, to couple, drive or load."""

    id: str
    coordinate: int


class JointHandle:
    """A joint of a Builder, to hang springs, motors and drives on; joint[1] or joint["slide"] is
    one of its coordinates.
    """

    def __init__(self, draft: "Draft", id: str) -> None:
        self._draft = draft
        self.id = id

    @property
    def joint(self) -> Joint:
        """The joint as it stands now."""
        return self._draft.mechanism.joints[self.id]

    def __getitem__(self, coordinate: int | str) -> CoordinateHandle:
        """A coordinate by number or name.  Raises ValueError with those that there are."""
        names = [c.name for c in JOINT_TYPES[self.joint.type].coordinates]
        k = names.index(coordinate) if coordinate in names else coordinate
        if not isinstance(k, int) or not 0 <= k < len(names):
            raise ValueError(
                tr(
                    "{joint} has no coordinate {coordinate}; it has {names}, counted from 0.",
                    joint=self.joint.name,
                    coordinate=coordinate,
                    names=comma().join(names) or tr("none"),
                )
            )
        return CoordinateHandle(self.id, k)
