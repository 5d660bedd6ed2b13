"""Elements of a drawing in the builder's words, one function for each kind of element."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from mechstudio.builder.handles import STEEL, BodyHandle
from mechstudio.builder.joints import Stops
from mechstudio.builder.laws import LawOf
from mechstudio.builder.scripts.writing import (
    Arguments,
    Writing,
    maybe,
    number,
    point,
    row,
    unusual,
)
from mechstudio.model.contact import Contacts, Surface
from mechstudio.model.edits.links import next_color
from mechstudio.model.geometry.curve_forms import CURVE_FORMS
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Body,
    Coupling,
    Drive,
    Force,
    Joint,
    Law,
    Limit,
    Shape,
)
from mechstudio.model.project import Mark, Plot, Question, Settings, Step
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.types.forces import BODY, FORCE_TYPES
from mechstudio.model.types.forces import JOINT as ON_JOINT

SPEED = {VELOCITY: "speed", POSITION: "position", ACCELERATION: "acceleration"}
OF_RUN = (
    "duration",
    "sample_step",
    "tolerance",
    "step",
    "integrator",
    "formulation",
    "drift",
    "alpha",
    "beta",
    "spectral_radius",
)
OF_CONTACTS = ("step", "tolerance", "most", "method", "impacts", "slowest", "margin", "sleep")


def settings(w: Writing, own: Settings, _: str) -> None:
    """Settings of a run, and of contacts."""
    usual = Settings()
    if given := _changed(own, usual, OF_RUN):
        w.call("m", w.builder.run, **given)
    if given := _changed(own.contacts, usual.contacts, OF_CONTACTS):
        w.call("m", w.builder.touch, **given)


def parameter(w: Writing, p: Parameter, _: str) -> None:
    """A parameter."""
    given = unusual(
        {"dimension": "length"},
        dimension=p.dimension,
        minimum=maybe(p.minimum),
        maximum=maybe(p.maximum),
        slider=p.slider,
        note=p.note,
    )
    w.call("m", w.builder.parameter, p.name, number(p.value), **given)


def body(w: Writing, body: Body, to: str) -> None:
    """A body with its shapes; of the ground its shapes."""
    if body.id == GROUND:
        _carried(w, w.builder.ground, body)
        return
    given = unusual(
        at=point(body.placement.position),
        angles=point(body.placement.orientation),
        mass=maybe(body.mass),
        center_of_mass=None if body.center_of_mass is None else row(body.center_of_mass),
        inertia=None if body.inertia is None else row(body.inertia),
        note=body.note,
    )
    if body.color != next_color(w.builder.mechanism):
        given["color"] = body.color
    handle = w.call_with_id(body, to, w.builder.body, body.name, **given)
    _carried(w, handle, body)
    if not body.visible:
        w.call("m", w.builder.hide, handle)


def _carried(w: Writing, handle: BodyHandle, body: Body) -> None:
    """Shapes, points and the rest that a body carries."""
    owner = w.names[body.id]
    for shape in body.shapes:
        _shape(w, owner, handle, shape)
    for named in body.points:
        given: Arguments = {}
        if named.orientation is not None:
            given["angles"] = row(named.orientation)
        w.call(owner, handle.point, named.name, row(named.position), **given)
    if (moving := body.initial_velocity) is not None:
        given = unusual(linear=point(moving.linear), angular=point(moving.angular))
        w.call(owner, handle.velocity, **given)
    if body.surface != Surface():
        w.call("m", w.builder.surface, handle, **_surface(body.surface))
    if not body.touches:
        w.call("m", w.builder.untouchable, handle)


def _shape(w: Writing, owner: str, handle: BodyHandle, shape: Shape) -> None:
    given = unusual(
        {"density": STEEL, "material": "paint"},
        outline=tuple((number(x), number(z)) for x, z in shape.outline),
        at=point(shape.placement.position),
        angles=point(shape.placement.orientation),
        density=number(shape.density),
        material=shape.material,
        mesh=shape.mesh,
    )
    lengths = {name: number(q) for name, q in shape.dimensions.items()}
    w.call(owner, handle.add, shape.type, lengths, **given)


def joint(w: Writing, joint: Joint, to: str) -> None:
    """A joint between two frames."""
    given = unusual(
        value=_alone(row(joint.values)),
        rate=_alone(row(joint.rates)),
        limits=_alone(tuple(map(_stops, joint.limits))),
    )
    given |= {name: number(q) for name, q in joint.parameters.items()}
    if (curve := joint.curve) is not None:
        given["curve"] = tuple(map(row, curve.points))
        given |= unusual(
            {"form": "spline"},
            fillet=None if curve.radius is None else number(curve.radius),
            roller=None if curve.offset is None else number(curve.offset),
            form=curve.form,
            closed=curve.closed and CURVE_FORMS[curve.form].closed is None,
        )
    sides = w.frame(joint.frame_a), w.frame(joint.frame_b)
    w.call_with_id(joint, to, w.builder.joint, joint.type, joint.name, *sides, **given)
    _seen(w, joint)


def coupling(w: Writing, coupling: Coupling, _: str) -> None:
    """A coupling."""
    ends = [w.coordinate(end.joint, end.coordinate) for end in coupling.ends]
    given: Arguments = {name: number(q) for name, q in coupling.parameters.items()}
    if coupling.law is not None:
        given["law"] = _law(coupling.law)
    w.call_with_id(coupling, "", w.builder.coupling, coupling.type, coupling.name, *ends, **given)
    _seen(w, coupling)


def drive(w: Writing, drive: Drive, _: str) -> None:
    """A drive."""
    end = w.coordinate(drive.joint, drive.coordinate)
    given = {SPEED[drive.quantity]: _law(drive.law)}
    w.call_with_id(drive, "", w.builder.drive, drive.name, end, **given)
    _seen(w, drive)


def force(w: Writing, force: Force, _: str) -> None:
    """A force of any type."""
    kind = FORCE_TYPES[force.type]
    numbers = {name: number(q) for name, q in force.parameters.items()}
    numbers |= {name: _law(law) for name, law in force.laws.items()}
    given: Arguments
    if kind.attachment == BODY:
        assert force.frame_b is not None
        given = {
            "body": w.frame(force.frame_b),
            "vector": tuple(numbers.pop(c) for c in "xyz"),
            **unusual({"axes": "world"}, axes=force.axes),
        }
    elif kind.attachment == ON_JOINT:
        given = {"joint": w.coordinate(force.joint, force.coordinate)}
    else:
        assert force.frame_a is not None
        assert force.frame_b is not None
        given = {"a": w.frame(force.frame_a), "b": w.frame(force.frame_b)}
    w.call_with_id(force, "", w.builder.force, force.type, force.name, **given, **numbers)
    _seen(w, force)


def _seen(w: Writing, element: Joint | Coupling | Drive | Force) -> None:
    """Its note, and that it is hidden."""
    if element.note:
        w.call("m", w.builder.note, element.id, element.note)
    if not element.visible:
        w.call("m", w.builder.hide, element.id)


def contacts(w: Writing, contacts: Contacts, _: str) -> None:
    """The floor, and pairs of bodies."""
    if (floor := contacts.floor) is not None:
        w.call("m", w.builder.floor, height=number(floor.height), **_surface(floor.surface))
    elif contacts.enabled and not w.builder.mechanism.contacts.enabled:
        w.call("m", w.builder.touch)
    for pair in contacts.pairs:
        surface = {} if pair.surface is None else _surface(pair.surface)
        a, b = w.body(pair.body_a), w.body(pair.body_b)
        w.call("m", w.builder.pair, a, b, pair.touch, **surface)


def plot(w: Writing, plot: Plot, _: str) -> None:
    """A pane of curves over the time."""
    given = unusual(log=plot.log)
    w.call("m", w.builder.plot, plot.title, *plot.channels, **given)


def step(w: Writing, step: Step, _: str) -> None:
    """A step of the lesson and its questions."""
    names = ("notes", "camera", "view", "parameters", "begin", "end", "at", "plays", "sliders")
    names += ("plots", "equation", "terms", "hidden", "covered")
    given = _changed(step, Step(""), names)
    w.call("m", w.builder.step, step.title, step.text, id=step.id, **given)
    for question in step.questions:
        names = ("choices", "answer", "dimension", "tolerance", "channel", "because", "hints")
        given = _changed(question, Question(""), names)
        w.call("m", w.builder.ask, question.type, question.text, **given)


def mark(w: Writing, mark: Mark, _: str) -> None:
    """A trail, a vector or another mark of the scene."""
    on = w.builder.joints[mark.joint] if mark.joint else w.body(mark.body) if mark.body else ""
    given = unusual(
        {"point": "", "seen_from": "", "value": None, "color": "body"},
        point=mark.point,
        seen_from=w.body(mark.other) if mark.other else "",
        value=mark.value,
        color=mark.color,
    )
    w.call_with_id(mark, "", w.builder.mark, mark.type, *((on,) if on else ()), **given)


WORDS: dict[type, Callable[[Writing, Any, str], None]] = {
    Settings: settings,
    Parameter: parameter,
    Body: body,
    Joint: joint,
    Coupling: coupling,
    Drive: drive,
    Force: force,
    Contacts: contacts,
    Plot: plot,
    Mark: mark,
    Step: step,
}


def write(w: Writing, part: Any, to: str = "") -> None:
    """Write an element of any kind.  to: its variable."""
    words = WORDS.get(type(part))
    if words is None:
        w.call("m", w.builder.add, part)
    else:
        w.attempt(part, lambda: words(w, part, to), to)


def _changed(own: Any, usual: Any, names: Iterable[str]) -> Arguments:
    """Settings that are not as usual, as a builder takes them."""
    held = {name: getattr(own, name) for name in names}
    return {
        name: number(value) if isinstance(value, Quantity) else value
        for name, value in held.items()
        if value != getattr(usual, name)
    }


def _alone(row: tuple[Any, ...]) -> Any:
    """A row, or what stands alone in it."""
    return row[0] if len(row) == 1 else row


def _surface(surface: Surface) -> Arguments:
    held = {field.name: getattr(surface, field.name) for field in msgspec.structs.fields(surface)}
    typed = {name: number(value) for name, value in held.items() if isinstance(value, Quantity)}
    return {**unusual({"type": "plain"}, type=surface.type), **typed}


def _stops(limit: Limit) -> Stops:
    return Stops(
        maybe(limit.lower),
        maybe(limit.upper),
        number(limit.restitution),
        maybe(limit.stiffness),
        number(limit.damping),
        limit.coordinate,
    )


def _law(law: Law) -> LawOf | float | str:
    """A law in the fewest words: a constant is its number, an expression its text."""
    if law.type == "constant":
        return number(law.parameters["value"]) if "value" in law.parameters else LawOf(law.type)
    if law.type == "expression":
        return law.text
    numbers = {name: number(q) for name, q in law.parameters.items()}
    points = tuple((number(s), number(f)) for s, f in law.points)
    return LawOf(law.type, numbers, points, law.text, law.between)
