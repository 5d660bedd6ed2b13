"""Couplings, drives, forces and limits put into a drawing, with numbers that suit it.  Pure
functions Project -> (Project, id).

What does not fit is refused by an ExpressionError that says why.
"""

import itertools
import math
from collections.abc import Mapping, Sequence

import msgspec

from mechstudio.model.edits import laws
from mechstudio.model.edits.couplings import is_gear_pair, signed
from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import WorkPlane, frame_at, free_id
from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.findings import listed
from mechstudio.model.formulas.expression import ExpressionError, quantity
from mechstudio.model.geometry.curve_forms import CURVE_FORMS, curve_problem
from mechstudio.model.geometry.rotation import Triple, conjugate, minus, multiply, rotate
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.joints.titles import MOVES
from mechstudio.model.mechanism import (
    POSITION,
    VELOCITY,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Limit,
    Mechanism,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.rounding import round_near
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, entries, types_of_entry
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN, Z
from mechstudio.model.types.parameter import Parameter
from mechstudio.translation import tr, trn

replace = msgspec.structs.replace
IDENTITY = (1.0, 0.0, 0.0, 0.0)


def _put(project: Project, section: str, element: Coupling | Drive | Force | Joint) -> Project:
    m = project.mechanism
    return replace(
        project, mechanism=replace(m, **{section: {**getattr(m, section), element.id: element}})
    )


def _name(section: Mapping[str, Coupling | Drive | Force | Joint], stem: str) -> str:
    """The first unused name "stem 1", "stem 2", …"""
    taken = {x.name for x in section.values()}
    return next(name for k in itertools.count(1) if (name := f"{stem} {k}") not in taken)


# couplings


def fitted_ends(m: Mechanism, type: str, joints: Sequence[str]) -> tuple[CoordinateOf, ...]:
    """The ends of a coupling of these joints, in the type's order; joints may be given in any
    order.

    Raises ExpressionError with the reason where they do not fit.
    """
    kind = COUPLING_TYPES[type]
    requested = listed([tr(e.label).lower() for e in kind.ends])
    if len(joints) != len(kind.ends) or len(set(joints)) != len(joints):
        raise ExpressionError(
            tr(
                "{kind} needs {value} joints: {requested}.",
                kind=tr(kind.label),
                value=(tr("two"), tr("three"))[len(kind.ends) - 2],
                requested=requested,
            )
        )
    for order in itertools.permutations(joints):
        found = [_coordinate(m, id, end.dimensions) for id, end in zip(order, kind.ends)]
        if all(k is not None for k in found):
            ends = zip(order, found)
            return tuple(CoordinateOf(id, k) for id, k in ends)  # type: ignore[arg-type]
    needed = {d for e in kind.ends for d in e.dimensions}
    words = (
        tr("joints that turn")
        if needed == {"angle"}
        else tr("one joint that turns and one that slides")
    )
    names = listed([m.joints[id].name for id in joints])
    raise ExpressionError(
        trn(
            "{kind} needs {words}; {names} is not such.",
            "{kind} needs {words}; {names} are not such.",
            len(joints),
            kind=tr(kind.label),
            words=words,
            names=names,
        )
    )


def _coordinate(m: Mechanism, joint: str, dimensions: Sequence[str]) -> int | None:
    """The first coordinate of a joint with one of these dimensions, the usual one before the
    others.
    """
    coordinates = JOINT_TYPES[m.joints[joint].type].coordinates
    return next(
        (k for d in dimensions for k, c in enumerate(coordinates) if c.dimension == d), None
    )


def add_coupling(
    project: Project, type: str, joints: Sequence[str], typed: Mapping[str, Quantity] = {}
) -> tuple[Project, str]:
    """Couple joints; ratio and radii come from the discs and the places of the joints as drawn,
    where they are not typed.

    A ratio typed without a sign has the sense of the drawing.
    """
    m, kind = project.mechanism, COUPLING_TYPES[type]
    ends = fitted_ends(m, type, joints)
    known = kind.drawn(m, ends) if kind.drawn is not None else {}
    parameters = {
        p.name: typed.get(p.name) or Quantity(known.get(p.name, p.default or 0.0))
        for p in kind.parameters
    }
    sense = signed(type) if is_gear_pair(type) else ""
    if sense in typed and typed[sense].value > 0 > known[sense]:
        q = typed[sense]
        parameters[sense] = Quantity(
            -q.value,
            f"-{q.text}"
            if q.text.replace(".", "", 1).isdigit()
            else f"-({q.text})"
            if q.text
            else "",
        )
    for p in kind.parameters:
        if not parameters[p.name].value or parameters[p.name].value < p.least:
            raise ExpressionError(
                tr(
                    "The {parameter} of a {kind} must be {word} zero.",
                    parameter=tr(p.label).lower(),
                    kind=tr(kind.label).lower(),
                    word=tr("above") if p.least > 0 else tr("other than"),
                )
            )
    law = None
    if kind.law:
        slides = dimension_of(m, ends[1].joint, ends[1].coordinate) == "length"
        lift = (
            Quantity(round_near(0.1 * m.size()))
            if slides
            else Quantity(math.radians(20.0), "20 deg")
        )
        law = laws.new_law(kind.laws[0], lift)
        read = {name: Quantity(known[name]) for name in law.parameters if name in known}
        law = replace(law, parameters={**law.parameters, **read})
    coupling = Coupling(
        free_id(project, "coupling"),
        _name(m.couplings, tr(kind.label).lower()),
        type,
        ends,
        parameters,
        law,
    )
    return _put(project, "couplings", coupling), coupling.id


# numbers of new elements


def new_numbers(
    m: Mechanism, parameters: Sequence[Parameter], frame_a: Frame, frame_b: Frame
) -> dict[str, Quantity]:
    """Numbers that a new element gets, as its row reads them off the drawing."""
    out: dict[str, Quantity] = {}
    for p in parameters:
        found = p.drawn(m, frame_a, frame_b) if callable(p.drawn) else p.drawn
        if found is not None:
            numeric = not isinstance(found, str)
            out[p.name] = Quantity(found) if numeric else quantity(found, p.dimension, {})
    return out


# drives and forces on joints


def driven_coordinate(m: Mechanism, joint: str) -> int:
    """The coordinate of a joint that a new drive moves.  Raises ExpressionError where there is none
    to drive.
    """
    j = m.joints[joint]
    taken = {d.coordinate: d.name for d in m.drives.values() if d.joint == joint}
    coordinates = JOINT_TYPES[j.type].coordinates
    if not coordinates:
        raise ExpressionError(tr("{joint} leaves no motion that could be driven.", joint=j.name))
    free = next((k for k in range(len(coordinates)) if k not in taken), None)
    if free is None:
        raise ExpressionError(
            tr("{joint} is driven by {taken} already.", joint=j.name, taken=taken[0])
        )
    return free


def add_drive(project: Project, joint: str, coordinate: int | None = None) -> tuple[Project, str]:
    """A drive of constant speed: one turn per second, or a round length near a fifth of the
    mechanism per second.

    coordinate: of the joint; None for its first one that is not driven.
    """
    m = project.mechanism
    k = driven_coordinate(m, joint) if coordinate is None else coordinate
    turns = JOINT_TYPES[m.joints[joint].type].coordinates[k].dimension == "angle"
    speed = Quantity(2 * math.pi, "60 rpm") if turns else Quantity(round_near(0.2 * m.size()))
    drive = Drive(
        free_id(project, "drive"),
        _name(m.drives, "drive"),
        joint,
        k,
        law=Law("constant", {"value": speed}),
    )
    return _put(project, "drives", drive), drive.id


def add_lock(project: Project, joint: str, coordinate: int) -> tuple[Project, str]:
    """A drive that holds a joint's coordinate where it is drawn."""
    m = project.mechanism
    drive = Drive(
        free_id(project, "drive"),
        _name(m.drives, "lock"),
        joint,
        coordinate,
        POSITION,
        Law("constant", {"value": Quantity(0.0)}),
    )
    return _put(project, "drives", drive), drive.id


def force_on_joint(m: Mechanism, entry: str, joint: str) -> tuple[str, int]:
    """(force type, coordinate) of an entry of forces on joints: the first coordinate that has one.
    Raises ExpressionError where the joint cannot move so.
    """
    j = m.joints[joint]
    coordinates = JOINT_TYPES[j.type].coordinates
    if not coordinates:
        raise ExpressionError(
            tr("{joint} leaves no motion on which a force could act.", joint=j.name)
        )
    fitting = {FORCE_TYPES[type].joint_dimension: type for type in types_of_entry(entry)}
    for k, coordinate in enumerate(coordinates):
        if coordinate.dimension in fitting:
            return fitting[coordinate.dimension], k
    words = tr(" or ").join(tr(MOVES[d]) for d in fitting)
    raise ExpressionError(
        tr(
            "A {entry} needs a joint that {words}; {joint} is not such.",
            entry=tr(entries()[entry].noun),
            words=words,
            joint=j.name,
        )
    )


def add_joint_force(project: Project, entry: str, joint: str) -> tuple[Project, str]:
    """A force of an entry of forces on joints, on the first coordinate of a joint that fits."""
    m = project.mechanism
    type, k = force_on_joint(m, entry, joint)
    j = m.joints[joint]
    force = Force(
        free_id(project, "force"),
        _name(m.forces, FORCE_TYPES[type].noun),
        type,
        new_numbers(m, FORCE_TYPES[type].parameters, j.frame_a, j.frame_b),
        joint=joint,
        coordinate=k,
    )
    return _put(project, "forces", force), force.id


# forces between points and on a point


def add_point_force(
    project: Project,
    type: str,
    a: tuple[str, Triple],
    b: tuple[str, Triple],
    typed: Mapping[str, Quantity] = {},
) -> tuple[Project, str]:
    """A spring, damper, actuator or bushing between two points of W, each on a body; a spring is at
    rest at its drawn length.

    typed: numbers by name that stand instead of those that suit.
    """
    m = project.mechanism
    kind = FORCE_TYPES[type]
    frame_a, frame_b = (
        frame_at(
            m,
            body,
            point,
            m.body(body).placement.quaternion if kind.attachment != FRAMES else IDENTITY,
            1e-9 * max(m.size(), 1e-6),
        )
        for body, point in (a, b)
    )
    force = Force(
        free_id(project, "force"),
        _name(m.forces, kind.noun),
        type,
        {**new_numbers(m, kind.parameters, frame_a, frame_b), **typed},
        frame_a,
        frame_b,
    )
    return _put(project, "forces", force), force.id


def add_body_force(
    project: Project,
    plane: WorkPlane,
    type: str,
    body: str,
    point: Triple,
    vector: tuple[Quantity, Quantity, Quantity] | None = None,
) -> tuple[Project, str]:
    """A force [N] or torque [N m] at a point of a body; without a vector 10 N along the plane's u,
    or 1 N m along its normal.
    """
    m = project.mechanism
    assert FORCE_TYPES[type].attachment == BODY
    usual = plane.normal if FORCE_TYPES[type].moment else tuple(10.0 * c for c in plane.u)
    parameters = dict(zip("xyz", vector or tuple(Quantity(round(c, 12) + 0.0) for c in usual)))
    frame = frame_at(m, body, point, m.body(body).placement.quaternion, 1e-9 * max(m.size(), 1e-6))
    force = Force(
        free_id(project, "force"),
        _name(m.forces, FORCE_TYPES[type].noun),
        type,
        parameters,
        frame_b=frame,
    )
    return _put(project, "forces", force), force.id


# limits


def drawn_coordinate(m: Mechanism, joint: Joint, k: int) -> float | None:
    """A joint's coordinate as drawn [m or rad], read off the frames of joints that slide and turn
    about z; a typed one chooses the turn.

    Of the angles of balls and crosses only typed ones are known, else None.
    """
    motions, typed = (
        JOINT_TYPES[joint.type].motions,
        joint.values[k].value if k < len(joint.values) else None,
    )
    if len(motions) != len(JOINT_TYPES[joint.type].coordinates) or any(
        kind not in (SLIDE, TURN, HELIX) or (kind != SLIDE and axis != Z) for kind, axis in motions
    ):
        return typed
    (p, q), (r, s) = m.frame_in_world(joint.frame_a), m.frame_in_world(joint.frame_b)
    back = conjugate(q)
    if motions[k][0] == SLIDE:
        return rotate(back, minus(r, p))[motions[k][1]]  # type: ignore[arg-type]
    x = rotate(multiply(back, s), (1.0, 0.0, 0.0))
    angle = math.atan2(x[1], x[0])
    return angle if typed is None else angle + 2 * math.pi * round((typed - angle) / (2 * math.pi))


def add_limit(project: Project, id: str, coordinate: int) -> Project:
    """Hard stops on either side of the drawn coordinate: 60 degrees, or a tenth of the mechanism,
    away; ExpressionError if it has some.
    """
    m = project.mechanism
    joint = m.joints[id]
    kind = JOINT_TYPES[joint.type].coordinates[coordinate]
    if any(limit.coordinate == coordinate for limit in joint.limits):
        raise ExpressionError(
            tr("The {kind} of {joint} has stops already.", kind=tr(kind.name), joint=joint.name)
        )
    at, reach = (
        _as_drawn(m, joint, coordinate),
        60.0 if kind.dimension == "angle" else round_near(0.1 * m.size()),
    )
    if kind.dimension == "angle":
        at = round(math.degrees(at))
        lower, upper = (Quantity(math.radians(v), f"{v:g} deg") for v in (at - reach, at + reach))
    else:
        lower, upper = Quantity(at - reach), Quantity(at + reach)
    return put_element(
        project, id, replace(joint, limits=(*joint.limits, Limit(coordinate, lower, upper)))
    )


def _as_drawn(m: Mechanism, joint: Joint, k: int) -> float:
    """A joint's coordinate as drawn, of balls, crosses and rolling discs too; 0 where only the
    joint's curve could tell.
    """
    known = drawn_coordinate(m, joint, k)
    if known is not None:
        return known
    (p, q), (r, s) = m.frame_in_world(joint.frame_a), m.frame_in_world(joint.frame_b)
    return (
        readings(
            joint,
            rotate(conjugate(q), minus(r, p)),
            multiply(conjugate(q), s),
        )[k]
        or 0.0
    )  # type: ignore[arg-type]


def remove_limit(project: Project, id: str, coordinate: int) -> Project:
    """Without the stops of a coordinate."""
    joint = project.mechanism.joints[id]
    return put_element(
        project,
        id,
        replace(
            joint, limits=tuple(limit for limit in joint.limits if limit.coordinate != coordinate)
        ),
    )


# the curve of a joint


def add_curve_point(project: Project, id: str, after: int) -> Project:
    """One more point of a joint's curve, half way to the next one."""
    joint = project.mechanism.joints[id]
    assert joint.curve is not None
    points = joint.curve.points
    a, b = values(points[after]), values(points[(after + 1) % len(points)])
    if after + 1 == len(points) and not joint.curve.closed:
        b = tuple(2 * p - q for p, q in zip(a, values(points[after - 1])))
    new = tuple(
        Quantity((p + q) / 2 if after + 1 < len(points) or joint.curve.closed else q)
        for p, q in zip(a, b)
    )
    return put_element(
        project,
        id,
        replace(
            joint,
            curve=replace(joint.curve, points=(*points[: after + 1], new, *points[after + 1 :])),
        ),
    )  # type: ignore[arg-type]


def set_curve_form(project: Project, id: str, form: str) -> Project:
    """A joint's curve of another form; one with a number of points of its own goes through so many
    of them, spread over all.  Raises ExpressionError where they make none.
    """
    joint = project.mechanism.joints[id]
    assert joint.curve is not None
    points, kind = joint.curve.points, CURVE_FORMS[form]
    closed = joint.curve.closed if kind.closed is None else kind.closed
    if kind.count:
        # those of an open one reach from its first point to its last
        last, parts = len(points) - (not closed), kind.count - (not closed)
        points = tuple(points[k] for k in sorted({k * last // parts for k in range(kind.count)}))
        if len(points) < kind.count or curve_problem(form, [values(p) for p in points], closed):
            raise ExpressionError(
                tr(
                    "{form}: this takes three points that do not lie on a straight line.",
                    form=tr(kind.label),
                )
            )
    radius = joint.curve.radius if kind.fillets else None
    drawn = replace(joint.curve, points=points, form=form, closed=closed, radius=radius)
    return put_element(project, id, replace(joint, curve=drawn))


def remove_curve_point(project: Project, id: str, at: int) -> Project:
    """Without a point of a joint's curve; two are left at least (three of a closed one)."""
    joint = project.mechanism.joints[id]
    assert joint.curve is not None
    least = 3 if joint.curve.closed else 2
    if len(joint.curve.points) <= least:
        raise ExpressionError(
            tr("A curve has at least {value} points.", value=(tr("two"), tr("three"))[least - 2])
        )
    points = joint.curve.points
    return put_element(
        project,
        id,
        replace(joint, curve=replace(joint.curve, points=(*points[:at], *points[at + 1 :]))),
    )


def set_drive_quantity(project: Project, id: str, quantity: str) -> Project:
    """Let a drive prescribe position, velocity or acceleration; its law starts again, since its
    numbers had another dimension.
    """
    m = project.mechanism
    drive = m.drives[id]
    own = dimension_of(m, drive.joint, drive.coordinate, "angle")
    turns, reach = own == "angle", round_near(0.2 * m.size())
    if quantity == POSITION:
        # a full turn, or a fifth of the mechanism, in the first second
        law = laws.new_law(
            "rest_to_rest", Quantity(2 * math.pi, "360 deg") if turns else Quantity(reach), 1.0
        )
    elif quantity == VELOCITY:
        law = Law(
            "constant", {"value": Quantity(2 * math.pi, "60 rpm") if turns else Quantity(reach)}
        )
    else:
        law = Law(
            "constant",
            {
                "value": Quantity(1.0, "1 rad/s^2")
                if turns
                else Quantity(round_near(0.1 * m.size()))
            },
        )
    return put_element(project, id, replace(drive, quantity=quantity, law=law))
