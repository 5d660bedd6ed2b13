"""Forces of a Builder: springs, dampers, motors, friction, servos, bushings, force and torque
vectors.
"""

from typing import Any

import msgspec

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Point, is_pair, known_type
from mechstudio.builder.handles import CoordinateHandle, FrameHandle
from mechstudio.builder.joints import Side
from mechstudio.builder.laws import LawOf, law, named_variables
from mechstudio.model.mechanism import Force, Frame
from mechstudio.model.quantity import ZERO
from mechstudio.model.types.forces import BODY, FORCE_TYPES
from mechstudio.model.types.forces import JOINT as ON_JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.parameter import Parameter
from mechstudio.translation import comma, tr


def force(draft: Draft, type: str, name: str, given: dict[str, Any]) -> Force:
    """Add a force; given: as Builder.force takes it."""
    kind = known_type(FORCE_TYPES, type, "force")

    def take(key: str, *otherwise: Any) -> Any:
        if key not in given and not otherwise:
            raise ValueError(
                tr("{name}: a {kind} needs {key}=.", name=name, kind=tr(kind.noun), key=key)
            )
        return given.pop(key, *otherwise)

    id = draft.id(name, draft.mechanism.forces.values(), take("id", ""))
    requested = [p for p in kind.parameters if not p.rate_of]
    if kind.attachment == BODY:
        vector = take("vector")
        if isinstance(vector, str) or not hasattr(vector, "__len__") or len(vector) != 3:
            raise ValueError(
                tr("{name}: a {kind} has three components.", name=name, kind=tr(kind.noun))
            )
        numbers = dict(zip("xyz", vector))
    else:
        # what has a default need not be given
        numbers = {p.name: take(p.name) for p in requested if p.default is None or p.name in given}
    if kind.attachment == ON_JOINT:
        handle, coordinate = take("joint"), take("coordinate", 0)
        coordinate = handle.coordinate if isinstance(handle, CoordinateHandle) else coordinate
        joint = draft.joint(handle, name)
        known = JOINT_TYPES[joint.type].coordinates
        if (
            not isinstance(coordinate, int)
            or not 0 <= coordinate < len(known)
            or known[coordinate].dimension != kind.joint_dimension
        ):
            raise ValueError(
                tr(
                    "{name}: {joint} has no {joint_dimension} number {coordinate} for a {kind} to "
                    "act on.",
                    name=name,
                    joint=joint.name,
                    joint_dimension=kind.joint_dimension,
                    coordinate=coordinate,
                    kind=tr(kind.noun),
                )
            )
        force = Force(id, name, type, {}, joint=joint.id, coordinate=coordinate)
    elif kind.attachment == BODY:
        body, at = take("body"), take("at", None)
        axes = take("axes", "world")
        if axes not in ("world", "body"):
            raise ValueError(
                tr('{name}: axes are "world" or "body", not "{axes}".', name=name, axes=axes)
            )
        force = Force(
            id,
            name,
            type,
            {},
            frame_b=_frame(draft, body, at, name),
            axes=axes,
        )
    else:
        a, b, points = take("a"), take("b"), take("at", None)
        framed = isinstance(a, FrameHandle) and isinstance(b, FrameHandle)
        if not (points is None if framed else is_pair(points or ())):
            raise ValueError(
                tr(
                    "{name}: a {kind} stands between two points, at=(point on a, point on b), or "
                    "between two frames.",
                    name=name,
                    kind=tr(kind.noun),
                )
            )
        first, second = (None, None) if framed else points
        force = Force(
            id, name, type, {}, _frame(draft, a, first, name), _frame(draft, b, second, name)
        )
    if given:
        raise ValueError(
            tr(
                "{name}: a {kind} does not take {given}.",
                name=name,
                kind=tr(kind.noun),
                given=comma().join(given),
            )
        )
    force = _with_numbers(draft, force, {p.name: p for p in requested}, numbers)
    draft.put("forces", force)
    return force


def _frame(draft: Draft, side: Side, at: Point | None, name: str) -> Frame:
    """The frame given, or that of a body at a point of W: None for its origin."""
    if isinstance(side, FrameHandle):
        if at is not None:
            raise ValueError(tr("{name}: a frame takes no at=.", name=name))
        return draft.frame_of(side, name)
    return draft.frame(side, side.world() if at is None else at, None, name)


def _with_numbers(
    draft: Draft, force: Force, known: dict[str, Parameter], given: dict[str, Any]
) -> Force:
    """The force with its constant numbers, and the laws of those that follow something; beside
    a law the number is zero.
    """
    parameters, laws = {}, {}
    for key, number in given.items():
        p = known[key]
        what = f"{force.name}, {tr(p.label).lower()}"
        named = named_variables(draft, number, force)
        if both := named & draft.known().keys():
            raise ValueError(
                tr(
                    "{what}: {name} is a parameter, and a variable of laws. Call the parameter "
                    "otherwise, or give ms.expression({text}) for the law.",
                    what=what,
                    name=min(both),
                    text=repr(number),
                )
            )
        if isinstance(number, LawOf) or named:
            laws[key] = law(draft, number, force, what, key)
            parameters[key] = ZERO
        else:
            parameters[key] = draft.quantity(number, p.dimension, what)
    return msgspec.structs.replace(force, parameters=parameters, laws=laws)
