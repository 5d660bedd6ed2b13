"""Drawing edits: links, pins and ground pins in a work plane, as pure functions Project -> Project;
model/edits/poses/motion.py moves them.

A link's ends are the named points "start" and "end" of its shape; joints refer to them by name, so
that a length that is edited later takes its joints along.
"""

import math
from collections.abc import Collection
from string import ascii_uppercase

import msgspec

from mechstudio.model import drawing_measures
from mechstudio.model.edits.elements import put_element, set_attribute
from mechstudio.model.edits.references import with_names
from mechstudio.model.geometry.forms import Bar, Flat
from mechstudio.model.geometry.rotation import (
    Quaternion,
    Triple,
    about,
    conjugate,
    frame_on_axis,
    from_axes,
    minus,
    multiply,
    plus,
    rotate,
    to_angles,
    transform,
    triple,
)
from mechstudio.model.geometry.work_plane import (
    FRONT as FRONT,
)
from mechstudio.model.geometry.work_plane import (
    WorkPlane as WorkPlane,
)
from mechstudio.model.geometry.work_plane import (
    cross as _cross,
)
from mechstudio.model.geometry.work_plane import (
    dot,
    unit,
)
from mechstudio.model.joints import defaults as joint_defaults
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values, vector
from mechstudio.model.rounding import round_in_unit, round_near
from mechstudio.model.types.joints import JOINT_TYPES, TWIST, holds_turn

replace = msgspec.structs.replace

SLENDER = 0.12  # width of a link, of its length
LAYER = 1.1  # thicknesses from one layer of links to the next
LEAST = 1e-9  # of a dimension of a solid [m], as in model/element_fields/field.py


def free_id(project: Project, stem: str, also: Collection[str] = ()) -> str:
    """The first unused id stem_1, stem_2, …; also: further ids that are taken."""
    m = project.mechanism
    taken = {
        *m.bodies,
        *m.joints,
        *m.forces,
        *m.couplings,
        *m.drives,
        *project.parameters,
        *project.groups,
        *project.pictures,
        *project.gauges,
        GROUND,
        *(u.id for u in project.unread),
        *also,
    }
    k = 1
    while f"{stem}_{k}" in taken:
        k += 1
    return f"{stem}_{k}"


def joint_name(mechanism: Mechanism) -> str:
    """The next free letter, then A2, B2, …"""
    taken = {j.name for j in mechanism.joints.values()}
    round_ = 1
    while True:
        for letter in ascii_uppercase:
            name = letter if round_ == 1 else f"{letter}{round_}"
            if name not in taken:
                return name
        round_ += 1


def body_name(mechanism: Mechanism, stem: str) -> str:
    """The first unused name "stem 1", "stem 2", …"""
    taken = {b.name for b in mechanism.bodies.values()}
    k = 1
    while f"{stem} {k}" in taken:
        k += 1
    return f"{stem} {k}"


def link_sizes(project: Project, length: float, units: str = "") -> tuple[Quantity, Quantity]:
    """Width and thickness of the next link: those of the last link drawn, as they were typed, else
    in proportion to its length and the drawing's, round in the unit of a unit system.
    """
    bodies = project.mechanism.bodies
    for body in reversed(list(bodies.values())):
        for shape in body.shapes:
            if isinstance(shape.form, Bar) and shape.dimensions["width"].value < 0.8 * length:
                return shape.dimensions["width"], shape.dimensions["thickness"]
    # a short link beside large bodies is no thread
    size = project.mechanism.size() if bodies else length
    reference = min(max(length, size / 3), 2.5 * length)
    width = max(round_in_unit(SLENDER * reference, units), 4 * LEAST)
    return Quantity(width), Quantity(width / 4)


def link_section(project: Project, length: float, units: str = "") -> tuple[float, float]:
    """Width and thickness of the next link [m]."""
    width, thickness = link_sizes(project, length, units)
    return width.value, thickness.value


def link_placement(plane: WorkPlane, start: Triple, end: Triple) -> Placement:
    """The body frame of a link: x from start to end, y against the plane's normal, or as near to it
    as a link that leaves the plane can.
    """
    return _along(start, end, (plane.normal, plane.v, plane.u))


def _along(start: Triple, end: Triple, normals: tuple[Triple, ...]) -> Placement:
    """A frame at `start` with x towards `end` and y against the first of the normals that is not
    along it, made square to x.
    """
    x = unit(minus(end, start)) or normals[-1]  # type: ignore[arg-type]
    n = next(n for n in normals if abs(dot(n, x)) < 0.99)
    lean = dot(n, x)
    # a link in its plane keeps the plane's normal to the last digit
    square = n if abs(lean) < 1e-12 else unit(triple(c - lean * d for c, d in zip(n, x)))
    assert square is not None
    y: Triple = (-square[0], -square[1], -square[2])
    return Placement(vector(*start), vector(*to_angles(from_axes(x, y, _cross(x, y)))))


def distance(a: Triple, b: Triple) -> float:
    """Distance of two points [m]."""
    return math.dist(a, b)


def free_layer(project: Project, neighbours: tuple[str, ...]) -> int:
    """A layer along the normal that none of the neighbouring links lies in: 0, 1, -1, 2, …"""
    used: set[int] = set()
    for id in neighbours:
        if id in project.mechanism.bodies:
            for shape in project.mechanism.bodies[id].shapes[:1]:
                thickness = shape.dimensions.get("thickness")
                if thickness is not None and thickness.value > 0:
                    used.add(round(values(shape.placement.position)[1] / (LAYER * thickness.value)))
    k = 0
    while k in used:
        k = -k if k > 0 else 1 - k
    return k


def add_link(
    project: Project,
    plane: WorkPlane,
    start: Triple,
    end: Triple,
    neighbours: tuple[str, ...] = (),
    length_text: str = "",
    units: str = "",
) -> tuple[Project, str]:
    """A steel link from start to end, in a layer beside its neighbours so that they do not run
    through each other.

    length_text: the length as typed; empty for a length drawn with the mouse.  units: the unit
    system in which its width is round.  Returns the project and the new body's id.
    """
    m = project.mechanism
    length = distance(start, end)
    width, thickness = link_sizes(project, length, units)
    id = free_id(project, "link")
    layer = free_layer(project, neighbours)
    shape = Shape(
        "link",
        {
            "length": Quantity(length, length_text),
            "width": width,
            "thickness": thickness,
        },
        placement=Placement(vector(0.0, LAYER * layer * thickness.value, 0.0)),
    )
    # the named points of the shape carry its layer; joints undo it, so that all frames lie in the
    # work plane
    body = Body(
        id, body_name(m, "link"), (shape,), link_placement(plane, start, end), color=next_color(m)
    )
    return replace(project, mechanism=replace(m, bodies={**m.bodies, id: body})), id


def next_color(mechanism: Mechanism) -> int:
    """The series colour that fewest bodies wear, earliest first, blue after orange as in a crank
    and its coupler.
    """
    order = (1, 0, 2, 3, 5, 4, 6, 7)
    used = [b.color for b in mechanism.bodies.values()]
    return min(order, key=lambda c: (used.count(c), order.index(c)))


def frame_at(
    mechanism: Mechanism, body: str, point: Triple, attitude: Quaternion, tolerance: float
) -> Frame:
    """The frame of a body that stands at a world point with a world attitude; at a named point if
    one is there.
    """
    owner = mechanism.body(body)
    position, quaternion = owner.placement.pose
    back = conjugate(quaternion)
    local = rotate(back, minus(point, position))  # type: ignore[arg-type]
    name, offset = "", local
    # the pins of links and arms stand across their plane, whatever layer they lie in; a solid's
    # points are met in all three directions
    flat = is_flat(owner)
    if flat or math.hypot(*local) >= tolerance:
        for candidate, at in sorted(owner.named_points().items()):
            if (
                math.hypot(at[0] - local[0], 0.0 if flat else at[1] - local[1], at[2] - local[2])
                < tolerance
            ):
                name, offset = candidate, minus(local, at)
                break
    offset = tuple(0.0 if abs(c) < 1e-12 else c for c in offset)
    return Frame(
        body, name, Placement(vector(*offset), vector(*to_angles(multiply(back, attitude))))
    )


def pin_attitude(mechanism: Mechanism, plane: WorkPlane, body: str) -> Quaternion:
    """A joint frame with z along the plane's normal; x along a link of the plane, else along u.

    So the angle of a pin between ground and a link reads as the link's own angle in the plane.
    """
    owner = mechanism.body(body)
    if body != GROUND and link_ends(owner) is not None:
        quaternion = owner.placement.quaternion
        x, y = rotate(quaternion, (1.0, 0.0, 0.0)), rotate(quaternion, (0.0, 1.0, 0.0))
        if distance(y, tuple(-c for c in plane.normal)) < 1e-9:  # type: ignore[arg-type]
            return from_axes(x, _cross(plane.normal, x), plane.normal)
    return from_axes(plane.u, plane.v, plane.normal)


def named_attitude(
    mechanism: Mechanism, bodies: tuple[str, ...], point: Triple, tolerance: float
) -> Quaternion | None:
    """The attitude in W of a named frame that one of the bodies has at a point of W; None if none
    has.
    """
    for id in bodies:
        body = mechanism.body(id)
        for named in body.points:
            placement = Placement(named.position, named.orientation or named.position)
            if (
                named.orientation is not None
                and distance(transform(body.placement.pose, placement.pose[0]), point) <= tolerance
            ):
                return multiply(body.placement.quaternion, placement.quaternion)
    return None


def add_joint(
    project: Project,
    plane: WorkPlane,
    body_a: str,
    body_b: str,
    point: Triple,
    type: str = "revolute",
    axis: Triple | None = None,
    point_b: Triple | None = None,
    turn: float = 0.0,
) -> tuple[Project, str]:
    """A joint at a world point, its z along the plane's normal, or along `axis`; then both frames
    coincide as drawn.  Without an axis a named frame that stands there gives both frames their
    attitude.

    point_b: where it stands on the second body, of a rod.  turn: angle of both frames about their z
    [rad].  What rolls has its first frame on the floor under it, and the second body's disc turns
    about the axis; the halves of a constant-velocity joint lie along their links.  The lengths and
    the curve that the type needs are read off the drawing.  Returns the project and the joint's id.
    """
    m = project.mechanism
    id = free_id(project, "joint")
    tolerance = 1e-9 * max(m.size(), 1e-6)
    places, attitudes = (
        [point, point_b or point],
        [
            pin_attitude(m, plane, b) if axis is None else frame_on_axis(axis)
            for b in (body_a, body_b)
        ],
    )
    if axis is None and (named := named_attitude(m, (body_a, body_b), point, tolerance)):
        attitudes = [named, named]
    kind, radius = JOINT_TYPES[type], round_near(0.15 * m.size())
    if kind.has_face and (rim := _on_rim(m, plane, (body_a, body_b), point, axis)):
        (body_a, body_b), place, attitude, radius = rim
        places, attitudes = [place, place], [attitude, attitude]
    elif kind.lies_on_floor:
        places[0], attitudes = _on_floor(m, plane, body_b, point, axis)
    elif holds_turn(type):
        shafts = (
            _shafts(m, body_a, body_b, point) if TWIST in kind.primitives and axis is None else None
        )
        attitudes = shafts or [attitudes[0], attitudes[0]]
    attitudes = (
        [multiply(q, about((0.0, 0.0, 1.0), turn)) for q in attitudes] if turn else attitudes
    )
    frame_a, frame_b = (
        frame_at(m, b, p, q, tolerance) for b, p, q in zip((body_a, body_b), places, attitudes)
    )
    curve = joint_defaults.circle(-radius if kind.has_face else radius) if kind.curve else None
    joint = Joint(
        id,
        joint_name(m),
        type,
        frame_a,
        frame_b,
        parameters=joint_defaults.lengths(m, type, frame_a, frame_b),
        curve=curve,
    )
    return replace(project, mechanism=replace(m, joints={**m.joints, id: joint})), id


def set_joint_type(project: Project, id: str, type: str) -> Project:
    """A joint as another type, chosen by a person.

    A pin stands across its plane, and nothing slides there: as a slide it lies along the x of its
    first frame, which is the ground's or its link's, and a slide made a pin turns back.  Raises
    ExpressionError as edit.set_attribute does.
    """
    changed, before = set_attribute(project, id, type=type), project.mechanism.joints[id]
    was, now = JOINT_TYPES[before.type], JOINT_TYPES[type]
    if was.is_slide == now.is_slide or not (was.is_pin or now.is_pin):
        return (
            _rotated_alike(changed, id)
            if holds_turn(type) and not holds_turn(before.type)
            else changed
        )
    m = changed.mechanism
    tolerance = 1e-9 * max(m.size(), 1e-6)
    turn = about((0.0, 1.0, 0.0), math.pi / 2 if now.is_slide else -math.pi / 2)
    (place_a, q), (place_b, _) = (m.frame_in_world(f) for f in (before.frame_a, before.frame_b))
    q = multiply(q, turn)
    frames = [
        frame_at(m, f.body, p, q, tolerance)
        for f, p in ((before.frame_a, place_a), (before.frame_b, place_b))
    ]
    return put_element(changed, id, replace(m.joints[id], frame_a=frames[0], frame_b=frames[1]))


def _rotated_alike(project: Project, id: str) -> Project:
    """With the second frame of a joint turned as its first, so that bodies stay as they are
    drawn.
    """
    m, joint = project.mechanism, project.mechanism.joints[id]
    attitude, frame = m.frame_in_world(joint.frame_a)[1], joint.frame_b
    turn = vector(
        *to_angles(multiply(conjugate(m.body(frame.body).placement.quaternion), attitude))
    )
    return put_element(
        project,
        id,
        replace(joint, frame_b=replace(frame, placement=Placement(frame.placement.position, turn))),
    )


def _on_rim(
    m: Mechanism,
    plane: WorkPlane,
    bodies: tuple[str, str],
    point: Triple,
    axis: Triple | None,
) -> tuple[tuple[str, str], Triple, Quaternion, float] | None:
    """The bodies with that of a disc first, the place on the disc's rim that is next to a point of
    W, the attitude there, y outwards, and the radius [m]; None without a disc about the axis.
    """
    z = unit(axis or plane.normal)
    assert z is not None
    for first, second in (bodies, bodies[::-1]):
        disc = drawing_measures.disc_about(m, first, z)
        if disc is None:
            continue
        center, radius = disc
        way = minus(point, center)
        depth = dot(way, z)
        across = plus(way, z, -depth)
        middle = math.hypot(*across) <= 1e-6 * radius
        outward = unit(plus(plane.v, z, -dot(plane.v, z)) if middle else across)
        if outward is None:
            continue
        place = plus(plus(center, z, depth), outward, radius)
        return (first, second), place, from_axes(_cross(outward, z), outward, z), radius
    return None


def _on_floor(
    m: Mechanism, plane: WorkPlane, body: str, center: Triple, axis: Triple | None
) -> tuple[Triple, list[Quaternion]]:
    """Contact point with a level floor of a disc with its centre here, and the attitudes of floor
    and disc: z up, z along the disc's axis.
    """
    g = values(m.gravity)
    size = math.sqrt(sum(c * c for c in g))
    up: Triple = triple(-c / size for c in g) if size else (0.0, 0.0, 1.0)
    spin = drawing_measures.disc_axis(m, body) or axis or plane.normal
    rise = sum(a * b for a, b in zip(up, spin))
    if abs(rise) > 0.99:  # a disc that lies flat does not roll: it is drawn upright
        spin, rise = (
            plane.normal if abs(sum(a * b for a, b in zip(up, plane.normal))) < 0.99 else plane.v,
            0.0,
        )
    drawn = drawing_measures.disc_radius(m, body) or sum(a * b for a, b in zip(up, center))
    radius = drawn if drawn > 1e-6 else 0.1 * m.size()
    foot: Triple = tuple(
        c - u * radius * math.sqrt(max(0.0, 1.0 - rise * rise)) for c, u in zip(center, up)
    )  # type: ignore[assignment]
    ahead = unit(_cross(spin, up))
    assert ahead is not None
    return foot, [
        from_axes(ahead, _cross(up, ahead), up),
        from_axes(ahead, _cross(spin, ahead), spin),
    ]


def _shafts(m: Mechanism, body_a: str, body_b: str, point: Triple) -> list[Quaternion] | None:
    """Attitudes of both halves of a constant-velocity joint, z along each link through the joint;
    None where they are no links.

    The second is the first, turned the shortest way, so that the joint holds as drawn.
    """
    ways: list[Triple] = []
    for body, sign in ((body_a, 1.0), (body_b, -1.0)):
        ends = link_ends(m.body(body)) if body != GROUND else None
        if ends is None or distance(*ends) == 0:
            return None
        far = max(ends, key=lambda e: distance(e, point))
        way = unit(tuple(sign * (p - f) for p, f in zip(point, far)))  # type: ignore[arg-type]
        if way is None:
            return None
        ways.append(way)
    (a, b), first = ways, frame_on_axis(ways[0])
    across, along = _cross(a, b), sum(p * q for p, q in zip(a, b))
    sine, axis = math.sqrt(dot(across, across)), unit(across)
    bent = (
        multiply(about(axis, math.atan2(sine, along)), first)
        if axis is not None and sine > 1e-12
        else first
    )
    return [first, bent]


def order_joints(project: Project, joints: tuple[str, ...]) -> Project:
    """Put some joints last in the order given and share their names out in that order: A, B, C, D
    along a chain.  Laws go on naming the joints that they named.
    """
    known = project.mechanism.joints
    names = sorted((known[id].name for id in joints), key=lambda name: (len(name), name))
    others = {id: joint for id, joint in known.items() if id not in joints}
    ordered = {id: replace(known[id], name=name) for id, name in zip(joints, names)}
    after = replace(project.mechanism, joints=others | ordered)
    return replace(project, mechanism=with_names(project.mechanism, after))


def is_flat(body: Body) -> bool:
    """True for a link and a flat arm: a body whose pins stand across its plane, y of its axes."""
    if not body.shapes or body.id == GROUND:
        return False
    first = body.shapes[0]
    return isinstance(first.form, Bar) or (len(body.shapes) == 1 and is_layer(first))


def is_layer(shape: Shape) -> bool:
    """True for a bar and for a plate with round corners, which lie in layers along their y."""
    form = shape.form
    return isinstance(form, Bar) or (isinstance(form, Flat) and form.radius > 0)


def link_ends(body: Body) -> tuple[Triple, Triple] | None:
    """World positions of both ends of a body that is one link, on its pin axes; None for any other
    body.
    """
    if (
        len(body.shapes) != 1
        or not isinstance(body.shapes[0].form, Bar)
        or any(values(body.shapes[0].placement.orientation))
    ):
        return None
    shape = body.shapes[0]
    x, _, z = values(shape.placement.position)
    p, q = body.placement.pose
    out: list[Triple] = []
    for local in ((x, 0.0, z), (x + shape.dimensions["length"].value, 0.0, z)):
        r = rotate(q, local)
        out.append((p[0] + r[0], p[1] + r[1], p[2] + r[2]))
    return out[0], out[1]
