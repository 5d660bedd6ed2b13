"""The builder itself; the package's description stands in __init__.py."""

import math
from collections.abc import Sequence

import msgspec

from mechstudio.builder.collector import SECTIONS
from mechstudio.builder.contacts import Contacts
from mechstudio.builder.couplings import Couplings
from mechstudio.builder.forces import Forces
from mechstudio.builder.geometry import Number, Point, along, negative
from mechstudio.builder.handles import STEEL, BodyHandle, JointHandle
from mechstudio.builder.joints import Joints
from mechstudio.model.edits.links import next_color
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.project import Lesson, Parameter, Plot, Project, Settings
from mechstudio.model.quantity import Quantity, values

_replace = msgspec.structs.replace


class Builder(Joints, Couplings, Forces, Contacts):
    """Collects bodies, joints, couplings, drives and forces; `project()` returns the frozen
    Project.

    Every method raises ValueError with one sentence where a number, a name or a combination makes
    no sense.
    """

    def __init__(
        self,
        title: str = "",
        text: str = "",
        questions: Sequence[str] = (),
        gravity: Point = (0, 0, -9.81),
        claims: Sequence[str] = (),
    ) -> None:
        """title, text, questions, claims: of the lesson (model.project.Lesson).   gravity: in W."""
        self.parameters: dict[str, Parameter] = {}
        self.settings = Settings()
        self.plots: tuple[Plot, ...] = ()
        self.lesson = Lesson(title, text, tuple(questions), tuple(claims))
        self.mechanism = Mechanism(
            gravity=self.triple(gravity, "acceleration", "gravity", "it has three components")
        )

    @property
    def ground(self) -> BodyHandle:
        """The fixed body; its shapes are only drawn."""
        return BodyHandle(self, GROUND)

    def project(self) -> Project:
        """Everything collected so far, as one frozen value."""
        return Project(
            self.mechanism, dict(self.parameters), self.settings, self.plots, self.lesson
        )

    def parameter(
        self,
        name: str,
        value: Number,
        dimension: str = "length",
        *,
        minimum: Number | None = None,
        maximum: Number | None = None,
        slider: bool = False,
        note: str = "",
    ) -> None:
        """Name a number that texts may use from here on."""
        self._id(name, self.parameters)
        try:
            expression.check_name(name)
        except ExpressionError as error:
            raise ValueError(str(error)) from None
        least, most = (
            None if v is None else self.quantity(v, dimension, f"parameter {name}")
            for v in (minimum, maximum)
        )
        self.parameters[name] = Parameter(
            name,
            self.quantity(value, dimension, f"parameter {name}"),
            dimension,
            least,
            most,
            slider,
            note,
        )

    def run(
        self,
        *,
        duration: Number | None = None,
        sample_step: Number | None = None,
        integrator: str | None = None,
        tolerance: Number | None = None,
        step: Number | None = None,
    ) -> None:
        """Set how the project is run where nothing else is requested."""
        given = {
            "duration": (duration, "time"),
            "sample_step": (sample_step, "time"),
            "tolerance": (tolerance, "number"),
            "step": (step, "time"),
        }
        changes = {
            k: self.quantity(v, dimension, k)
            for k, (v, dimension) in given.items()
            if v is not None
        }
        self.settings = _replace(
            self.settings, **changes, **({} if integrator is None else {"integrator": integrator})
        )

    def plot(self, title: str, *channels: str, log: bool = False) -> None:
        """A pane with channels such as "joint/A/0" (the ids of model/results/channels.py)."""
        self.plots = (*self.plots, Plot(f"plot_{len(self.plots) + 1}", title, channels, log))

    def hide(self, *elements: BodyHandle | JointHandle | str) -> None:
        """Leave bodies, joints, couplings, drives or forces, by handle or id, out of the picture;
        they go on acting.
        """
        for element in elements:
            id = element if isinstance(element, str) else element.id
            section = next((s for s in SECTIONS if id in getattr(self.mechanism, s)), None)
            if section is None:
                raise ValueError(f"There is nothing with the id {id} to hide.")
            self._put(section, id, _replace(getattr(self.mechanism, section)[id], visible=False))

    # bodies

    def body(
        self,
        name: str,
        at: Point = (0, 0, 0),
        angles: Point = (0, 0, 0),
        *,
        mass: Number | None = None,
        center_of_mass: Point | None = None,
        inertia: Sequence[Number] | None = None,
        color: int | None = None,
        note: str = "",
    ) -> BodyHandle:
        """A body whose frame stands at `at` with angles (psi, theta, phi).

        mass, center_of_mass in body axes, inertia (xx, yy, zz) or (xx, yy, zz, xy, xz, yz) about it
        in body axes with the matrix sign of the products: those left out follow from the shapes.
        color: index of a series colour.
        """
        if inertia is not None and len(inertia) not in (3, 6):
            raise ValueError(f"{name}: an inertia has 3 or 6 entries, not {len(inertia)}.")
        entries = (
            None
            if inertia is None
            else tuple(
                self.quantity(c, "inertia", f"{name}, inertia") for c in (*inertia, 0, 0, 0)[:6]
            )
        )
        id = self._id(name, self.mechanism.bodies, self.mechanism.bodies.values())
        body = Body(
            id,
            name,
            (),
            self.placement(at, angles, name),
            None if mass is None else self.quantity(mass, "mass", f"{name}, mass"),
            None
            if center_of_mass is None
            else self.point_quantities(center_of_mass, f"{name}, centre of mass"),
            entries,  # type: ignore[arg-type]
            color=next_color(self.mechanism) if color is None else color,
            note=note,
        )
        return BodyHandle(self, id)._put(body)

    def link(
        self,
        name: str,
        start: Point,
        end: Point | None = None,
        *,
        length: Number | None = None,
        angle: Number | None = None,
        width: Number | None = None,
        thickness: Number | None = None,
        layer: Number = 0.0,
        density: Number = STEEL,
        material: str = "paint",
        color: int | None = None,
    ) -> BodyHandle:
        """A bar with round ends from `start` to `end`, or of a `length` at an `angle` in the front
        plane; its body x runs along it.

        A length beside an end keeps the direction and takes the length.  layer: how far the bar
        stands behind the plane of its pins, along body y, so that links can pass each other.
        """
        at = self.point_quantities(start, f"{name}, start")
        if end is not None and angle is None:
            d = [
                b - a
                for a, b in zip(values(at), values(self.point_quantities(end, f"{name}, end")))
            ]
            drawn = math.hypot(*d)
            if drawn == 0.0:
                raise ValueError(
                    f"{name}: start and end are the same point, so the link has no direction."
                )
            orientation: Point = to_angles(along((d[0] / drawn, d[1] / drawn, d[2] / drawn)))
            span = (
                Quantity(drawn)
                if length is None
                else self.quantity(length, "length", f"{name}, length")
            )
        elif end is None and angle is not None and length is not None:
            orientation = (0, negative(angle), 0)
            span = self.quantity(length, "length", f"{name}, length")
        else:
            raise ValueError(
                f"{name}: a link needs either its end, or its length and its angle in the "
                "front plane."
            )
        wide: Number = 0.12 * span.value if width is None else width
        thick: Number = 0.04 * span.value if thickness is None else thickness
        handle = self.body(name, start, orientation, color=color)
        return handle.bar(
            span.text or span.value,
            wide,
            thick,
            at=(0, layer, 0),
            density=density,
            material=material,
        )
