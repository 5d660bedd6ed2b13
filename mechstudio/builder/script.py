"""Projects written as Python: a script that builds the drawing again, element by element.

Each line is called on a builder while it is written, and what comes out is compared with the
drawing.  Where the builder's words do not give exactly the element that was drawn, the line is
taken back and the element stands there as the model has it.
"""

import keyword
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from mechstudio.builder import source
from mechstudio.builder.builder import Builder
from mechstudio.builder.handles import STEEL, BodyHandle, CoordinateHandle, FrameHandle, JointHandle
from mechstudio.builder.joints import Stops
from mechstudio.builder.laws import LawOf
from mechstudio.builder.parts import IN_MECHANISM, IN_PROJECT, Part
from mechstudio.builder.source import Source
from mechstudio.model import contact, mechanism, quantity
from mechstudio.model import project as model
from mechstudio.model.edits.links import next_color
from mechstudio.model.geometry import triangles
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Body,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Limit,
    Shape,
)
from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import ORIGIN, Parameter, Quantity
from mechstudio.model.types.forces import BODY, FORCE_TYPES
from mechstudio.model.types.forces import JOINT as ON_JOINT

# names that variables must not have: those of the language, of the script and of its imports
TAKEN = {
    *("m", "ms", "project", "result", "bytes", "float"),
    *keyword.kwlist,
    *keyword.softkwlist,
    *(name for module in (contact, mechanism, model, quantity, triangles) for name in vars(module)),
}
RUN_NUMBERS = ("duration", "sample_step", "tolerance", "step", "integrator", "formulation", "drift")
CONTACT_NUMBERS = (
    "step",
    "tolerance",
    "most",
    "method",
    "impacts",
    "slowest",
    "margin",
    "sleep",
)
SPEED = {VELOCITY: "speed", POSITION: "position", ACCELERATION: "acceleration"}
Arguments = dict[str, Any]


def script(project: Project) -> str:
    """A Python script that builds a project and runs it.  What a newer program wrote and this one
    does not know is left out, and a comment says so.
    """
    writing = _Script(project)
    writing.write()
    return writing.text()


class _Script:
    """A script in the making, and the builder that follows it."""

    def __init__(self, project: Project) -> None:
        self.wanted = project
        self.lines: list[str] = []
        self.structs: set[type] = set()
        self.names: dict[str, str] = {GROUND: "m.ground"}
        lesson = project.lesson
        given = _unusual(
            Builder.__init__.__kwdefaults__ or {},
            title=lesson.title,
            text=lesson.text,
            questions=lesson.questions,
            gravity=_row(project.mechanism.gravity),
            claims=lesson.claims,
            note=project.note,
        )
        self.builder = Builder(**given)
        self._line("m = ", source.called("ms.Builder", *self._arguments((), given)))

    # lines

    def _line(self, before: str, call: Source, after: str = "") -> None:
        text = source.laid_out(call, 0, len(before) + len(after))
        self.lines.append(f"{before}{text}{after}")

    def _call(
        self, owner: str, method: Callable[..., Any], *given: Any, to: str = "", **named: Any
    ) -> Any:
        """Call a method of the builder or of a handle, and write the line that does."""
        result = method(*given, **named)
        call = source.called(f"{owner}.{method.__name__}", *self._arguments(given, named))
        self._line(f"{to} = " if to else "", call)
        return result

    def _arguments(self, given: Iterable[Any], named: Mapping[str, Any]) -> list[Source]:
        return [
            *map(self._source, given),
            *(source.named(name, self._source(value)) for name, value in named.items()),
        ]

    def _source(self, value: Any) -> Source:
        """Source of an argument."""
        match value:
            case BodyHandle() | JointHandle():
                return self.names[value.id]
            case FrameHandle():
                placement = value.frame.placement
                given = _unusual(
                    {},
                    at=_point(placement.position),
                    angles=_point(placement.orientation),
                )
                point = (value.frame.point,) if value.frame.point else ()
                name = f"{self.names[value.body.id]}.frame"
                return source.called(name, *self._arguments(point, given))
            case CoordinateHandle():
                return f"{self.names[value.id]}[{value.coordinate}]"
            case Stops():
                lower, upper, *others = value
                usual = Stops(None, None, 0, None, 0, 0)
                rest = {
                    name: other
                    for name, other, default in zip(Stops._fields[2:], others, usual[2:])
                    if other != default
                }
                if not rest:
                    return source.row([self._source(lower), self._source(upper)])
                return source.called("ms.limit", *self._arguments((lower, upper), rest))
            case LawOf():
                rest = {"text": value.text, "between": value.between}
                named = {**value.numbers, **{k: v for k, v in rest.items() if v}}
                return source.called("ms.law", *self._arguments((value.type, *value.points), named))
            case float():
                return source.number(value)
            case tuple():
                return source.row([self._source(each) for each in value])
            case dict():
                return source.table({key: self._source(each) for key, each in value.items()})
            case msgspec.Struct():
                self.structs |= source.structs_of(value)
                return source.literal(value)
            case _:
                return source.literal(value)

    def _name(self, id: str) -> str:
        """A variable for an element."""
        stem = id if id.isidentifier() else "element"
        name, k = stem, 2
        while name in TAKEN or name in self.names.values():
            name, k = f"{stem}_{k}", k + 1
        self.names[id] = name
        return name

    def _attempt(self, wanted: Part, write: Callable[[], None], to: str = "") -> None:
        """Write an element in the builder's words; as it stands in the model where they give
        another one.
        """
        before, lines = self.builder.project(), len(self.lines)
        try:
            write()
            found = _found(self.builder.project(), wanted)
            if found is not None and _same(found, wanted):
                return
        except (ValueError, KeyError, IndexError):
            pass  # what the builder refuses, the file may hold: it stands as it is
        self.builder = Builder.of(before)
        del self.lines[lines:]
        self._call("m", self.builder.add, wanted)
        if to:
            self.lines.append(f"{to} = m.{IN_MECHANISM[type(wanted)]}[{source.text(_id(wanted))}]")

    def _space(self) -> None:
        if self.lines[-1]:
            self.lines.append("")

    # the drawing

    def write(self) -> None:
        """Write the drawing."""
        project, drawn = self.wanted, self.wanted.mechanism
        self._settings(project)
        self._space()
        for parameter in project.parameters.values():
            self._attempt(parameter, lambda p=parameter: self._parameter(p))
        self._space()
        self._attempt(drawn.ground, lambda: self._shapes(self.builder.ground, drawn.ground))
        for body in drawn.bodies.values():
            self._space()
            name = self._name(body.id)
            self._attempt(body, lambda b=body, n=name: self._body(b, n), name)
        self._space()
        named = _named_joints(self.wanted)
        for joint in drawn.joints.values():
            name = self._name(joint.id) if joint.id in named else ""
            self._attempt(joint, lambda j=joint, n=name: self._joint(j, n), name)
        self._space()
        for coupling in drawn.couplings.values():
            self._attempt(coupling, lambda c=coupling: self._coupling(c))
        for drive in drawn.drives.values():
            self._attempt(drive, lambda d=drive: self._drive(d))
        for force in drawn.forces.values():
            self._attempt(force, lambda f=force: self._force(f))
        self._space()
        if not _same(self.builder.mechanism.contacts, drawn.contacts):
            self._attempt(drawn.contacts, self._contacts)
        for plot in project.plots:
            self._attempt(
                plot,
                lambda p=plot: self._call(
                    "m",
                    self.builder.plot,
                    p.title,
                    *p.channels,
                    **_unusual({"log": False}, log=p.log),
                ),
            )
        for field in dict.fromkeys(IN_PROJECT.values()):
            self._others(getattr(project, field), getattr(self.builder.project(), field))

    def _others(self, wanted: Any, built: Any) -> None:
        """Parts that the builder has no words for."""
        if _same(wanted, built) or wanted is None:
            return
        rows = wanted.values() if isinstance(wanted, Mapping) else wanted
        for part in rows if isinstance(wanted, (Mapping, tuple)) else (wanted,):
            if (found := _found(self.builder.project(), part)) is None or not _same(found, part):
                self._call("m", self.builder.add, part)

    def _settings(self, project: Project) -> None:
        """Settings of a run, with the instant at which it begins."""
        own, start = project.settings, project.mechanism.start
        if start != Quantity(0.0):
            self._call("m", self.builder.run, start=_number(start))
        if not _same(own, Settings()):
            self._attempt(own, lambda: self._run(own))

    def _run(self, own: Settings) -> None:
        usual = Settings()
        if given := _changed(own, usual, RUN_NUMBERS):
            self._call("m", self.builder.run, **given)
        if given := _changed(own.contacts, usual.contacts, CONTACT_NUMBERS):
            self._call("m", self.builder.touch, **given)

    def _parameter(self, p: Parameter) -> None:
        given = _unusual(
            {"dimension": "length"},
            dimension=p.dimension,
            minimum=_maybe(p.minimum),
            maximum=_maybe(p.maximum),
            slider=p.slider,
            note=p.note,
        )
        self._call("m", self.builder.parameter, p.name, _number(p.value), **given)

    def _body(self, body: Body, name: str) -> None:
        given = _unusual(
            {},
            at=_point(body.placement.position),
            angles=_point(body.placement.orientation),
            mass=_maybe(body.mass),
            center_of_mass=None if body.center_of_mass is None else _row(body.center_of_mass),
            inertia=None if body.inertia is None else _row(body.inertia),
            note=body.note,
        )
        if body.color != next_color(self.builder.mechanism):
            given["color"] = body.color
        handle = self._with_id(
            body, lambda **id: self._call("m", self.builder.body, body.name, to=name, **given, **id)
        )
        self._shapes(handle, body)
        if not body.visible:
            self._call("m", self.builder.hide, handle)

    def _with_id(self, element: Any, call: Callable[..., Any]) -> Any:
        """Make an element by a call, which names its id where another one comes of the name."""
        before, lines = self.builder.project(), len(self.lines)
        result = call()
        made = result.id if isinstance(result, (BodyHandle, JointHandle)) else result
        if made == element.id:
            return result
        self.builder = Builder.of(before)
        del self.lines[lines:]
        return call(id=element.id)

    def _shapes(self, handle: BodyHandle, body: Body) -> None:
        """Shapes, points and the rest that a body carries."""
        owner = self.names[body.id]
        for shape in body.shapes:
            self._shape(owner, handle, shape)
        for point in body.points:
            given: Arguments = {}
            if point.orientation is not None:
                given["angles"] = _row(point.orientation)
            self._call(owner, handle.point, point.name, _row(point.position), **given)
        if body.initial_velocity is not None:
            moving = _unusual(
                {},
                linear=_point(body.initial_velocity.linear),
                angular=_point(body.initial_velocity.angular),
            )
            self._call(owner, handle.velocity, **moving)
        if body.surface != Body("", "").surface:
            self._call("m", self.builder.surface, handle, **_surface(body.surface))
        if not body.touches:
            self._call("m", self.builder.untouchable, handle)

    def _shape(self, owner: str, handle: BodyHandle, shape: Shape) -> None:
        given = _unusual(
            {"density": STEEL, "material": "paint"},
            outline=tuple((_number(x), _number(z)) for x, z in shape.outline),
            at=_point(shape.placement.position),
            angles=_point(shape.placement.orientation),
            density=_number(shape.density),
            material=shape.material,
            mesh=shape.mesh,
        )
        lengths = {name: _number(q) for name, q in shape.dimensions.items()}
        self._call(owner, handle.add, shape.type, lengths, **given)

    def _frame(self, frame: Frame) -> FrameHandle:
        body = self.builder.ground if frame.body == GROUND else self.builder.bodies[frame.body]
        return body.frame(
            frame.point,
            at=_row(frame.placement.position),
            angles=_row(frame.placement.orientation),
        )

    def _joint(self, joint: Joint, name: str) -> None:
        curve = joint.curve
        given = {
            **_unusual(
                {},
                value=_alone(_row(joint.values)),
                rate=_alone(_row(joint.rates)),
                limits=_alone(tuple(map(_stops, joint.limits))),
            ),
            **{name: _number(q) for name, q in joint.parameters.items()},
        }
        if curve is not None:
            given["curve"] = tuple(map(_row, curve.points))
            given |= _unusual({"smooth": True}, smooth=curve.smooth, closed=curve.closed)
        sides = self._frame(joint.frame_a), self._frame(joint.frame_b)
        self._with_id(
            joint,
            lambda **id: self._call(
                "m", self.builder.joint, joint.type, joint.name, *sides, to=name, **given, **id
            ),
        )
        self._seen(joint)

    def _seen(self, element: Joint | Coupling | Drive | Force) -> None:
        """Its note, and that it is hidden."""
        if element.note:
            self._call("m", self.builder.note, element.id, element.note)
        if not element.visible:
            self._call("m", self.builder.hide, element.id)

    def _coordinate(self, joint: str, coordinate: int) -> CoordinateHandle:
        return self.builder.joints[joint][coordinate]

    def _coupling(self, coupling: Coupling) -> None:
        ends = [self._coordinate(end.joint, end.coordinate) for end in coupling.ends]
        given: Arguments = {name: _number(q) for name, q in coupling.parameters.items()}
        if coupling.law is not None:
            given["law"] = _law(coupling.law)
        self._with_id(
            coupling,
            lambda **id: self._call(
                "m", self.builder.coupling, coupling.type, coupling.name, *ends, **given, **id
            ),
        )
        self._seen(coupling)

    def _drive(self, drive: Drive) -> None:
        end = self._coordinate(drive.joint, drive.coordinate)
        given = {SPEED[drive.quantity]: _law(drive.law)}
        self._with_id(
            drive,
            lambda **id: self._call("m", self.builder.drive, drive.name, end, **given, **id),
        )
        self._seen(drive)

    def _force(self, force: Force) -> None:
        kind = FORCE_TYPES[force.type]
        numbers = {
            **{name: _number(q) for name, q in force.parameters.items()},
            **{name: _law(law) for name, law in force.laws.items()},
        }
        given: Arguments
        if kind.attachment == BODY:
            assert force.frame_b is not None
            given = {
                "body": self._frame(force.frame_b),
                "vector": tuple(numbers.pop(c) for c in "xyz"),
                **_unusual({"axes": "world"}, axes=force.axes),
            }
        elif kind.attachment == ON_JOINT:
            given = {"joint": self._coordinate(force.joint, force.coordinate)}
        else:
            assert force.frame_a is not None
            assert force.frame_b is not None
            given = {"a": self._frame(force.frame_a), "b": self._frame(force.frame_b)}
        self._with_id(
            force,
            lambda **id: self._call(
                "m", self.builder.force, force.type, force.name, **given, **numbers, **id
            ),
        )
        self._seen(force)

    def _contacts(self) -> None:
        contacts = self.wanted.mechanism.contacts
        if contacts.floor is not None:
            floor = contacts.floor
            self._call(
                "m", self.builder.floor, height=_number(floor.height), **_surface(floor.surface)
            )
        elif contacts.enabled and not self.builder.mechanism.contacts.enabled:
            self._call("m", self.builder.touch)
        for pair in contacts.pairs:
            a, b = (
                self.builder.ground if id == GROUND else self.builder.bodies[id]
                for id in (pair.body_a, pair.body_b)
            )
            surface = {} if pair.surface is None else _surface(pair.surface)
            self._call("m", self.builder.pair, a, b, pair.touch, **surface)

    def text(self) -> str:
        """The script."""
        modules: dict[str, list[str]] = {}
        for struct in self.structs:
            modules.setdefault(struct.__module__, []).append(struct.__name__)
        imports = [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(modules.items())
        ]
        title = self.wanted.lesson.title
        head = [f'"""{_plain(title)}."""', ""] if _plain(title) else []
        left = []
        if self.wanted.unread or self.wanted.extra:
            left = ["# Parts of the file that this version cannot read are left out.", ""]
        end = [
            "",
            "project = m.project()",
            "",
            'if __name__ == "__main__":',
            "    result = ms.simulate(project)",
            '    result.to_csv("result.csv")',
        ]
        while not self.lines[-1]:
            self.lines.pop()
        return "\n".join(
            [*head, "import mechstudio as ms", *imports, "", *left, *self.lines, *end, ""]
        )


def _plain(title: str) -> str:
    """A title as a docstring can hold it."""
    return "".join(c for c in title if c.isprintable() and c not in '"\\').strip().rstrip(".")


def _same(a: Any, b: Any) -> bool:
    """True if two parts are the same to the last bit."""
    return bool(a == b) and msgspec.json.encode(a) == msgspec.json.encode(b)


def _id(part: Any) -> str:
    return part.name if isinstance(part, Parameter) else getattr(part, "id", "")


def _found(project: Project, part: Part) -> Any:
    """The part of a project that stands where this one would."""
    kind = type(part)
    if isinstance(part, Body) and part.id == GROUND:
        return project.mechanism.ground
    owner: Any = project.mechanism if kind in IN_MECHANISM else project
    held = getattr(owner, (IN_MECHANISM | IN_PROJECT)[kind])
    if isinstance(held, Mapping):
        return held.get(_id(part))
    if isinstance(held, tuple):
        return next((other for other in held if other.id == _id(part)), None)
    return held


def _named_joints(project: Project) -> set[str]:
    """Joints that couplings, drives and forces name."""
    drawn = project.mechanism
    return {
        *(end.joint for c in drawn.couplings.values() for end in c.ends),
        *(d.joint for d in drawn.drives.values()),
        *(f.joint for f in drawn.forces.values()),
    }


def _unusual(usual: Mapping[str, Any], **given: Any) -> Arguments:
    """Arguments without those that are as usual: what `usual` says, else nothing."""
    absent = (None, "", (), False)
    return {
        name: value
        for name, value in given.items()
        if (value != usual[name] if name in usual else value not in absent)
    }


def _changed(own: Any, usual: Any, names: Iterable[str]) -> Arguments:
    """Settings that are not as usual, as a builder takes them."""
    held = {name: getattr(own, name) for name in names}
    return {
        name: _number(value) if isinstance(value, Quantity) else value
        for name, value in held.items()
        if value != getattr(usual, name)
    }


def _number(q: Quantity) -> float | str:
    return q.text or q.value


def _maybe(q: Quantity | None) -> float | str | None:
    return None if q is None else _number(q)


def _row(quantities: Iterable[Quantity]) -> tuple[float | str, ...]:
    return tuple(map(_number, quantities))


def _point(quantities: tuple[Quantity, ...]) -> tuple[float | str, ...] | None:
    """Three numbers, None for the origin."""
    return None if quantities == ORIGIN else _row(quantities)


def _alone(row: tuple[Any, ...]) -> Any:
    """A row, or what stands alone in it."""
    return row[0] if len(row) == 1 else row


def _surface(surface: Any) -> Arguments:
    typed = {
        field.name: _number(getattr(surface, field.name))
        for field in msgspec.structs.fields(surface)
        if isinstance(getattr(surface, field.name), Quantity)
    }
    return {**_unusual({"type": "plain"}, type=surface.type), **typed}


def _stops(limit: Limit) -> Stops:
    return Stops(
        _maybe(limit.lower),
        _maybe(limit.upper),
        _number(limit.restitution),
        _maybe(limit.stiffness),
        _number(limit.damping),
        limit.coordinate,
    )


def _law(law: Law) -> LawOf | float | str:
    """A law in the fewest words: a constant is its number, an expression its text."""
    if law.type == "constant":
        return _number(law.parameters["value"]) if "value" in law.parameters else LawOf(law.type)
    if law.type == "expression":
        return law.text
    return LawOf(
        law.type,
        {name: _number(q) for name, q in law.parameters.items()},
        tuple((_number(s), _number(f)) for s, f in law.points),
        law.text,
        law.between,
    )
