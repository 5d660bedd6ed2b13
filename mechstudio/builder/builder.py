"""The builder itself; the package's description stands in __init__.py.

The class lists everything that a script may say; the methods of one subject are functions in
methods/, and the modules beside this one do the work on a Draft.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mechstudio.builder import changes, contacts, couplings, forces, gauges, marks
from mechstudio.builder.couplings import End
from mechstudio.builder.draft import Draft
from mechstudio.builder.editing import Editing
from mechstudio.builder.gauges import Laid
from mechstudio.builder.geometry import Number, Point, known_type
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.builder.joints import (
    RATES,
    SAME,
    Limits,
    NewJoint,
    Numbers,
    Place,
    Side,
)
from mechstudio.builder.laws import Ruled
from mechstudio.builder.methods import bodies as body_methods
from mechstudio.builder.methods import couplings as coupling_methods
from mechstudio.builder.methods import curves as curve_methods
from mechstudio.builder.methods import joints as joint_methods
from mechstudio.builder.methods import rolling as rolling_methods
from mechstudio.builder.parts import Part, added
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Joint,
    Mechanism,
)
from mechstudio.model.project import QUESTIONS, Lesson, Plot, Project, Question, Step
from mechstudio.model.quantity import Parameter
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.translation import comma, tr

_replace = msgspec.structs.replace
MECHANISM = {field.name for field in msgspec.structs.fields(Mechanism)}


def _id(element: BodyHandle | JointHandle | str) -> str:
    return element if isinstance(element, str) else element.id


class Builder:
    """Collects bodies, joints, couplings, drives and forces; `project()` returns the frozen
    Project.

    Every method raises ValueError with one sentence where a number, a name or a combination makes
    no sense.  Methods for one type of joint take the keywords of `joint`; the ends of couplings and
    drives are joints, meaning their first coordinate of the dimension that is needed, or joint[k].

        >>> m = ms.Builder("Pendulum")
        >>> rod = m.link("rod", (0, 0, 0), length="500 mm", angle="-60 deg")
        >>> pin = m.pin("A", m.ground, rod, at=rod.start)
        >>> ms.check(m.project()).structure.mobility
        1
    """

    def __init__(
        self,
        title: str = "",
        text: str = "",
        questions: Sequence[str] = (),
        gravity: Point = (0, 0, -9.81),
        claims: Sequence[str] = (),
        note: str = "",
        topic: str = "",
        level: int = 0,
    ) -> None:
        """title, text, questions, claims, topic, level: of the lesson (model.project.Lesson).
        gravity: in W.  note: of the project.
        """
        self._draft = Draft(gravity)
        # what is neither mechanism nor parameters nor settings
        lesson = Lesson(title, text, tuple(questions), tuple(claims), topic, level)
        self._rest = Project(lesson=lesson, note=note)

    @classmethod
    def of(cls, project: Project) -> "Builder":
        """A builder that goes on from a project, such as one that was loaded."""
        new = cls()
        new.take(project)
        return new

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism as far as it is collected."""
        return self._draft.mechanism

    @property
    def bodies(self) -> Mapping[str, BodyHandle]:
        """Handles of the bodies by their ids."""
        return {id: BodyHandle(self._draft, id) for id in self.mechanism.bodies}

    @property
    def joints(self) -> Mapping[str, JointHandle]:
        """Handles of the joints by their ids."""
        return {id: JointHandle(self._draft, id) for id in self.mechanism.joints}

    @property
    def edit(self) -> Editing:
        """Edits of what is drawn already: copies, mirror images, patterns, groups, layers."""
        return Editing(self, self._draft)

    @property
    def ground(self) -> BodyHandle:
        """The fixed body; its shapes are only drawn."""
        return BodyHandle(self._draft, GROUND)

    def project(self) -> Project:
        """Everything collected so far, as one frozen value."""
        draft = self._draft
        return _replace(
            self._rest,
            mechanism=draft.mechanism,
            parameters=dict(draft.parameters),
            settings=draft.settings,
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
        draft, what = self._draft, f"parameter {name}"
        draft.id(name, draft.parameters.values())
        try:
            expression.check_name(name)
        except ExpressionError as error:
            raise ValueError(str(error)) from None
        least, most = (
            None if v is None else draft.quantity(v, dimension, what) for v in (minimum, maximum)
        )
        draft.parameters[name] = Parameter(
            name, draft.quantity(value, dimension, what), dimension, least, most, slider, note
        )

    def run(
        self,
        *,
        duration: Number | None = None,
        sample_step: Number | None = None,
        integrator: str | None = None,
        tolerance: Number | None = None,
        step: Number | None = None,
        formulation: str | None = None,
        drift: str | None = None,
        start: Number | None = None,
        alpha: Number | None = None,
        beta: Number | None = None,
        spectral_radius: Number | None = None,
    ) -> None:
        """Set how the project is run where nothing else is requested.

        integrator, formulation, drift: keys of INTEGRATOR_TYPES, FORMULATIONS and DRIFTS.  start:
        the time at which all is as drawn [s].  alpha, beta [1/s]: of Baumgarte's stabilisation.
        spectral_radius: of generalised alpha.
        """
        given = {
            "duration": (duration, "time"),
            "sample_step": (sample_step, "time"),
            "tolerance": (tolerance, "number"),
            "step": (step, "time"),
            "alpha": (alpha, "number"),
            "beta": (beta, "number"),
            "spectral_radius": (spectral_radius, "number"),
        }
        changes: dict[str, Any] = {
            k: self._draft.quantity(v, dimension, k)
            for k, (v, dimension) in given.items()
            if v is not None
        }
        for key, value, known in (
            ("integrator", integrator, INTEGRATOR_TYPES),
            ("formulation", formulation, FORMULATIONS),
            ("drift", drift, DRIFTS),
        ):
            if value is not None:
                known_type(known, value, key)
                changes[key] = value
        self._draft.settings = _replace(self._draft.settings, **changes)
        if start is not None:
            self._draft.mechanism = _replace(
                self._draft.mechanism, start=self._draft.quantity(start, "time", "start")
            )

    def plot(self, title: str, *channels: str, log: bool = False) -> None:
        """A pane with channels such as "joint/A/0" (the ids of model/results/channels.py)."""
        self.add(Plot(f"plot_{len(self._rest.plots) + 1}", title, channels, log))

    def step(self, title: str, text: str = "", *, id: str = "", **fields: Any) -> str:
        """A step of the lesson, behind the others; its id.

        text: with quantities in braces, as "{joint/A/0}".  fields: further ones of
        mechstudio.model.project.Step, such as sliders, plots, parameters, at and end.
        """
        times = {key: float(fields[key]) for key in ("begin", "end", "at") if key in fields}
        fields = {**fields, **times}
        new = Step(id or f"step{len(self._rest.steps) + 1}", title, text, **fields)
        self.add(new)
        return new.id

    def ask(self, type: str, text: str, **fields: Any) -> None:
        """A question of the last step.

        type: "choose", "number", "predict" or "equation".  fields: further ones of
        mechstudio.model.project.Question, such as choices, answer and because.  Raises ValueError
        where there is no step, or no such type.
        """
        if type not in QUESTIONS:
            known = comma().join(QUESTIONS)
            raise ValueError(
                tr("There is no question {type}; there are {known}.", type=type, known=known)
            )
        if not self._rest.steps:
            raise ValueError(tr("A question belongs to a step: call m.step first."))
        step = self._rest.steps[-1]
        questions = (*step.questions, Question(type, text, **fields))
        self.add(msgspec.structs.replace(step, questions=questions))

    def gauge(self, name: str, *ends: Laid, type: str = "distance") -> str:
        """A measure between two joints, bodies, points, axes or planes, or of one round body; its
        id.  It is plotted by its name.

        type: "distance", "along_x", "along_y", "along_z", "angle", "radius" or "diameter".  ends:
        handles, or what ms.point_on, ms.axis_on and ms.plane_on make; a joint stands for its axis
        in angles, else for its point.
        """
        new = gauges.gauge(self._draft, name, type, ends, list(self._rest.gauges.values()))
        self.add(new)
        return new.id

    def mark(
        self,
        type: str,
        on: BodyHandle | JointHandle | str = "",
        point: str = "",
        *,
        seen_from: BodyHandle | str = "",
        value: Number | None = None,
        color: str = "body",
        id: str = "",
    ) -> str:
        """A mark that the scene shows beside the drawing, such as the "trail" or "whole_turn" of a
        point; its id.

        type: key of MARK_TYPES.  on: a body, whose named `point` or centre of mass it follows, a
        joint, or nothing for the whole scene.  value: number of the type, such as the time that a
        trail shows [s].  color: "body", "time" or "speed".
        """
        known = self._rest.marks
        new = marks.mark(self._draft, type, on, point, seen_from, value, color, id, known)
        self.add(new)
        return new.id

    def add(self, *parts: Part) -> None:
        """Put in elements as the project has them (mechstudio.model), in place of those with the
        same id: what this builder has no words for.
        """
        for part in parts:
            self.take(added(self.project(), part))

    def remove(self, *elements: BodyHandle | JointHandle | str) -> None:
        """Take out elements, by handle or id, or parameters by name, and what stands on them.
        Raises ValueError for what is not there.
        """
        for element in elements:
            self.take(changes.without(self.project(), _id(element)))

    def take(self, project: Project) -> None:
        """Go on from another project; handles of elements that it has stay good."""
        draft = self._draft
        self._rest, draft.mechanism = project, project.mechanism
        draft.parameters, draft.settings = dict(project.parameters), project.settings

    def replace(self, **fields: Any) -> None:
        """Replace whole fields of the project or of its mechanism (mechstudio.model), such as
        plots= or joints=.
        """
        of_mechanism = {name: fields.pop(name) for name in list(fields) if name in MECHANISM}
        mechanism = _replace(self.mechanism, **of_mechanism)
        self.take(_replace(self.project(), mechanism=mechanism, **fields))

    def set(
        self, element: BodyHandle | JointHandle | str, path: str, number: Number | None
    ) -> None:
        """Type another number of an element or parameter; all that follows from it is computed
        again.

        path: names on the way to it, such as "mass", "placement.position.0" or
        "shapes.0.dimensions.length" (model/fields.py); of a parameter "value".  None clears what
        may be left out.  Raises ValueError for a number that may not stand there.
        """
        self.take(changes.with_number(self.project(), _id(element), path, number))

    def change(self, element: BodyHandle | JointHandle | str, **words: Any) -> None:
        """Change what is no number: name=, color=, visible=, note=, type= …"""
        self.take(changes.with_words(self.project(), _id(element), words))

    def note(self, element: BodyHandle | JointHandle | str, text: str) -> None:
        """Write a note to a body, joint, coupling, drive or force, by handle or id."""
        self.change(element, note=text)

    def hide(self, *elements: BodyHandle | JointHandle | str) -> None:
        """Leave bodies, joints, couplings, drives or forces, by handle or id, out of the picture;
        they go on acting.
        """
        for element in elements:
            self.change(element, visible=False)

    # bodies

    body = body_methods.body
    link = body_methods.link
    arm = body_methods.arm

    # joints

    def joint(
        self,
        type: str,
        name: str,
        a: Side,
        b: Side,
        *,
        at: Place | None = None,
        axis: Place | None = None,
        x: Place | None = None,
        rate: Numbers = (),
        value: Numbers = (),
        limits: Limits = (),
        curve: Sequence[Point] = (),
        form: str = "spline",
        closed: bool = False,
        fillet: Number | None = None,
        roller: Number | None = None,
        id: str = "",
        **lengths: Any,
    ) -> JointHandle:
        """A joint of any type of JOINT_TYPES between a and b; its coordinates are the motion of b
        relative to a.

        a, b: bodies, or frames on them (BodyHandle.frame), which need no at, axis and x.
        at: the point in W where it stands, or a pair (point on a, point on b).  axis: direction of
        the frames' z, or a pair, one for each.  x: of their x, or a pair; without it each frame's x
        follows its own body where the joint lets it turn about z, so that an angle reads as that
        between the two bodies.  Without an axis the frames lie along the axes of their bodies.
        rate, value: initial rates and typed coordinates, one per freedom.  limits: (lower, upper)
        of the first coordinate, or ms.limit(...), or several of these.
        curve: points of a curve in the axes of body a; form: key of CURVE_FORMS: "spline",
        "polyline", "circle" or "arc"; fillet: radius of a polyline's corners; roller: distance of
        the point from the curve, to its outside, negative to its inside.
        lengths: what the type needs: length=, pitch=, radius=.
        """
        draft, new = self._draft, NewJoint(self._draft, type, name)
        typed, rates = new.per_freedom(value, SAME), new.per_freedom(rate, RATES)
        known = draft.numbers(new.kind.parameters, lengths, name, new.words)
        frame_a, frame_b = new.frames(a, b, at, axis, x)
        stops, track = new.limits(limits), new.curve(curve, form, closed, fillet, roller)
        id = draft.id(name, draft.mechanism.joints.values(), id)
        joint = Joint(
            id, name, type, frame_a, frame_b, typed, rates, known, limits=stops, curve=track
        )
        draft.put("joints", joint)
        return JointHandle(draft, id)

    pin = joint_methods.pin
    slider = joint_methods.slider
    cylindrical = joint_methods.cylindrical
    screw = joint_methods.screw
    ball = joint_methods.ball
    universal = joint_methods.universal
    constant_velocity = joint_methods.constant_velocity
    planar = joint_methods.planar
    rod = joint_methods.rod
    on_line = joint_methods.on_line
    on_plane = joint_methods.on_plane
    on_curve = curve_methods.on_curve
    flat_follower = curve_methods.flat_follower
    on_ellipse = curve_methods.on_ellipse
    rolling_disc = rolling_methods.rolling_disc
    rolling_wheel = rolling_methods.rolling_wheel
    knife_edge = rolling_methods.knife_edge
    free = joint_methods.free
    fix = joint_methods.fix

    # couplings and drives

    def coupling(
        self,
        type: str,
        name: str,
        *ends: End,
        law: Ruled | None = None,
        id: str = "",
        **numbers: Number,
    ) -> str:
        """A coupling of any type of COUPLING_TYPES between joint coordinates, in the type's order;
        returns its id.

        It holds from the drawn pose on, whatever the coordinates are there; ms.with_offset moves
        the drawing to another offset.
        """
        return couplings.coupling(self._draft, type, name, ends, law, numbers, id).id

    gear = coupling_methods.gear
    rack = coupling_methods.rack
    linear = coupling_methods.linear
    belt = coupling_methods.belt
    differential = coupling_methods.differential
    planetary = coupling_methods.planetary
    cam = coupling_methods.cam

    def geneva(self, name: str, crank: End, wheel: End, law: Ruled) -> str:
        """A slotted wheel that the pin of a crank turns by one slot per turn of the crank:
        law=ms.geneva(slots).  The crank is as long as the distance of the axes times the sine of
        half a turn over the number of slots.
        """
        return self.coupling("geneva", name, crank, wheel, law=law)

    def drive(
        self,
        name: str,
        joint: End,
        *,
        speed: Ruled | None = None,
        position: Ruled | None = None,
        acceleration: Ruled | None = None,
        id: str = "",
    ) -> str:
        """Prescribe a joint coordinate over the time; returns the drive's id.

        One of speed, position and acceleration: a number, a text with its unit, a formula of the
        time t, or a law such as ms.sine(...).
        A position starts from the drawn pose: what counts is how the law goes on from t = 0.
        """
        given = {VELOCITY: speed, POSITION: position, ACCELERATION: acceleration}
        return couplings.drive(self._draft, name, joint, given, id).id

    # forces

    def force(self, type: str, name: str, **given: Any) -> str:
        """A force of any type of FORCE_TYPES; returns its id.

        A spring, damper, actuator or bushing takes a, b and at=(point on a, point on b), or two
        frames a and b; one on a
        joint takes joint= and, for a joint of several freedoms, coordinate= or joint=handle[k]; a
        force or torque takes body=, at=, vector= and axes= "world" (default) or
        "body".  The law's numbers go by their names: stiffness=, free_length=, torque=, k_x_x= …;
        each may be a law such as ms.sine(...).
        """
        return forces.force(self._draft, type, name, given).id

    # contacts

    def surface(self, body: BodyHandle, type: str = "plain", **numbers: Number) -> None:
        """The skin of a body: a key of SURFACE_TYPES, and numbers typed over it: friction,
        restitution, tangential_restitution, rolling, spinning [m], stiffness [N/m], damping
        [s], adhesion [N], belt_speed [m/s] about the body's y axis.
        """
        contacts.surface(self._draft, body, type, numbers)

    def floor(self, height: Number = 0.0, type: str = "plain", **numbers: Number) -> None:
        """A level floor at a height; contacts are on from here."""
        contacts.floor(self._draft, height, type, numbers)

    def touch(
        self,
        *,
        step: Number | None = None,
        tolerance: Number | None = None,
        impacts: str | None = None,
        method: str | None = None,
        slowest: Number | None = None,
        margin: Number | None = None,
        sleep: Number | None = None,
        most: int | None = None,
    ) -> None:
        """Contacts on, and how they are stepped where that is not as usual.  most: iterations of
        one solve.
        """
        numbers = {
            "step": step,
            "tolerance": tolerance,
            "slowest": slowest,
            "margin": margin,
            "sleep": sleep,
        }
        contacts.touch(self._draft, numbers, impacts, method, most)

    def pair(
        self, a: BodyHandle, b: BodyHandle, touch: bool, type: str | None = None, **numbers: Number
    ) -> None:
        """Two bodies touch, or do not.  type, numbers: a surface for the two of them, see
        `surface`; without a word it follows from those of both.  Of two words on a pair the last
        counts.
        """
        contacts.pair(self._draft, a, b, touch, type, numbers)

    def untouchable(self, body: BodyHandle) -> None:
        """A body that passes through everything."""
        contacts.untouchable(self._draft, body)
