"""Parts of a drawing taken out and put into a drawing: what duplicating, copying and pasting have
in common.  Pure functions.

A part is a project of its own that holds what was chosen, what is among it, the gauges that measure
it, and the parameters that it names.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from mechstudio.model import fields
from mechstudio.model.edits.elements import (
    add_parameter,
    parameter_values,
    reevaluate,
    rename_parameter,
)
from mechstudio.model.edits.gauges import gauges
from mechstudio.model.edits.groups import free_name, numbered
from mechstudio.model.edits.links import free_id, joint_name
from mechstudio.model.edits.patterns.movement import Movement
from mechstudio.model.edits.references import (
    JOINT,
    PARAMETER,
    Reference,
    bodies_of,
    joints_of,
    map_references,
    names,
    with_names,
)
from mechstudio.model.findings import listed
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Triple,
    plus,
    transform,
    triple,
)
from mechstudio.model.laws import texts
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Mechanism,
    NamedPoint,
    Placement,
)
from mechstudio.model.project import Gauge, Project
from mechstudio.model.quantity import Parameter, Quantity, values, vector
from mechstudio.model.types.forces import BODY, FORCE_TYPES
from mechstudio.model.types.gauges import GAUGE_TYPES
from mechstudio.translation import tr

replace = msgspec.structs.replace
SECTIONS = ("bodies", "joints", "couplings", "drives", "forces")
STAY = Movement()
_HOUSE = re.compile(r"[A-Z]\d*")  # names that joints get by themselves
_TRAILING = re.compile(r"_\d+$")


def among(m: Mechanism, ids: Collection[str]) -> dict[str, set[str]]:
    """Ids copied with the chosen ones, by section: themselves, joints and forces between chosen
    bodies (or to ground), and what acts on such joints.
    """
    out = {s: {id for id in getattr(m, s) if id in ids} for s in SECTIONS}

    def inside(element: Joint | Force) -> bool:
        return bool(found := bodies_of(element)) and found <= out["bodies"]

    out["joints"] |= {id for id, j in m.joints.items() if inside(j)}
    out["couplings"] |= {id for id, c in m.couplings.items() if joints_of(c) <= out["joints"]}
    out["drives"] |= {id for id, d in m.drives.items() if joints_of(d) <= out["joints"]}
    out["forces"] |= {
        id
        for id, f in m.forces.items()
        if (joints_of(f) <= out["joints"] if f.joint else inside(f))
    }
    return out


def gauges_among(project: Project, found: Mapping[str, Collection[str]]) -> dict[str, Gauge]:
    """Gauges that measure nothing but what is copied, and the ground against it, by id.  found: ids
    by section, as of `among`.
    """
    bodies, joints = set(found["bodies"]), set(found["joints"])
    return {
        id: g
        for id, g in project.gauges.items()
        if (bodies_of(g) or joints_of(g)) and bodies_of(g) <= bodies and joints_of(g) <= joints
    }


def with_neighbours(m: Mechanism, ids: Collection[str]) -> set[str]:
    """The chosen ids with the joints and forces that tie chosen bodies to others, and what acts on
    these joints.
    """
    bodies = set(ids) & m.bodies.keys()
    joints = {id for id, j in m.joints.items() if id in ids or bodies_of(j) & bodies}
    forces = {id for id, f in m.forces.items() if bodies_of(f) & bodies or f.joint in joints}
    acting = {
        id
        for section in (m.couplings, m.drives)
        for id, e in section.items()
        if joints_of(e) & joints
    }
    return set(ids) | joints | forces | acting


def needed(m: Mechanism, ids: Collection[str]) -> set[str]:
    """The chosen ids with all that they stand on: what acts on a joint brings the joint, that its
    bodies; a law the joints that it names.
    """
    out = set(ids)
    for section in (m.couplings, m.drives, m.forces):
        for id in out & section.keys():
            out |= joints_of(section[id])
    # forces that come along because they are among what is chosen may name joints that are not:
    # once more until nothing is missing
    while True:
        part = among(m, out)
        forces = [m.forces[id] for id in part["forces"]]
        missing = {r.id for f in forces for _, r in names(f, m) if r.kind == JOINT}
        missing |= {id for f in forces for id in joints_of(f)}
        missing |= {b for id in part["joints"] | missing for b in bodies_of(m.joints[id])}
        missing |= {b for f in forces for b in bodies_of(f)}
        if missing <= out:
            return out
        out |= missing


def part_of(project: Project, ids: Collection[str]) -> Project:
    """Project of its own with what is copied with the chosen ids."""
    m, found = project.mechanism, among(project.mechanism, ids)
    kept: dict[str, Any] = {
        s: {id: e for id, e in getattr(m, s).items() if id in found[s]} for s in SECTIONS
    }
    measured = gauges_among(project, found)
    frames = [f for e in (*kept["joints"].values(), *kept["forces"].values()) for f in _frames(e)]
    frames += [end.frame for g in measured.values() for end in g.ends if end.frame is not None]
    part = Project(Mechanism(**kept, ground=_ground(m, frames)), gauges=measured)
    groups = {id: g for id, g in project.groups.items() if set(g.members) <= found["bodies"]}
    return replace(part, parameters=_named(project, part, ids), groups=groups)


def _frames(element: Joint | Force) -> list[Frame]:
    return [f for f in (element.frame_a, element.frame_b) if f is not None]


def _ground(m: Mechanism, frames: Iterable[Frame]) -> Body:
    """Ground with nothing but its points that some frames name."""
    frames = [f for f in frames if f.body == GROUND and f.point]
    known, own = (
        m.ground.named_points() if frames else {},
        {
            p.name: vector(*values(p.orientation))
            for p in m.ground.points
            if p.orientation is not None
        },
    )
    return Body(
        GROUND,
        m.ground.name,
        points=tuple(
            NamedPoint(name, vector(*known[name]), orientation=own.get(name))
            for name in dict.fromkeys(f.point for f in frames)
        ),
        color=m.ground.color,
    )


def _named(project: Project, part: Project, ids: Collection[str]) -> dict[str, Parameter]:
    """The parameters that a part names, those that they name included, and chosen ones, in the
    project's order.
    """
    m, known = project.mechanism, project.parameters.keys()
    own = (*fields.OF_PROJECT, GROUND)
    found: set[str] = set()
    left = [e for id, e in fields.elements(part) if id not in own]
    more = set(ids)
    while True:
        more |= {r.id for e in left for _, r in names(e, m) if r.kind == PARAMETER}
        more &= known - found
        if not more:
            return {name: p for name, p in project.parameters.items() if name in found}
        found, left = found | more, [project.parameters[name] for name in more]
        more = set[str]()


# putting a part in


def put_in(
    project: Project,
    part: Project,
    movement: Movement = STAY,
    theirs: Collection[str] = (),
) -> tuple[Project, dict[str, str]]:
    """A project with a part in it, all of it moved; the ids that the part's elements, and the names
    that its parameters have now where they are others, by the old ones.

    Names that are taken get a number; a parameter of the same name and text is shared, any other is
    called otherwise with all its uses.
    Bodies that the part's joints stand on without having them must be the project's.  theirs:
    joints of the project on which the part acts without having them.  Raises ExpressionError for
    what cannot stand alone, such as a drive without its joint.
    """
    project, part, new = _with_parameters(project, part)
    for section in SECTIONS:
        for id, element in getattr(part.mechanism, section).items():
            if not isinstance(element, Body | Joint) and (
                lost := joints_of(element) - part.mechanism.joints.keys() - set(theirs)
            ):
                _refuse(project, element, lost)
            new[id] = free_id(project, _TRAILING.sub("", id) or section, new.values())
    for id in part.groups:
        new[id] = free_id(project, "group", new.values())
    for id in part.gauges:
        new[id] = free_id(project, _TRAILING.sub("", id) or "gauge", new.values())

    def copied(r: Reference) -> Reference:
        return r if r.kind == PARAMETER else r._replace(id=new.get(r.id, r.id))

    part = map_references(part, copied)
    for section in SECTIONS:
        for id, element in getattr(part.mechanism, section).items():
            m = project.mechanism
            entries = {**getattr(m, section), id: _placed(m, part.mechanism, element, movement)}
            project = replace(project, mechanism=replace(m, **{section: entries}))
    project = _with_laws(project, part)
    for id, group in part.groups.items():
        group = replace(group, name=free_name(project, group.name))
        project = replace(project, groups={**project.groups, id: group})
    for id, gauge in part.gauges.items():
        copy = _gauge(project, part.mechanism, gauge, movement)
        project = replace(project, gauges={**project.gauges, id: copy})
    # formulas of places that moved have the last digit of their sums
    return (project if movement == STAY else reevaluate(project)), new


def _refuse(project: Project, element: Coupling | Drive | Force, lost: set[str]) -> None:
    joints = project.mechanism.joints
    names = sorted(joints[j].name for j in lost if j in joints)
    raise ExpressionError(
        tr(
            "{element} acts on {names} and cannot be doubled without it: select the joint's "
            "bodies too.",
            element=element.name,
            names=listed(names) if names else tr("a joint"),
        )
    )


Element = TypeVar("Element", bound=Body | Joint | Coupling | Drive | Force)


def _placed(m: Mechanism, source: Mechanism, element: Element, movement: Movement) -> Element:
    """An element of a part as it stands in the mechanism: with a name that is free, moved."""
    section = next(s for s in SECTIONS if element.id in getattr(source, s))
    taken = {e.name for e in getattr(m, section).values()}
    house = isinstance(element, Joint) and element.name in taken and _HOUSE.fullmatch(element.name)
    element = replace(element, name=joint_name(m) if house else numbered(element.name, taken))
    if isinstance(element, Body):
        start = element.initial_velocity
        return replace(
            element,
            placement=movement.placed(element.placement),
            initial_velocity=start and replace(start, linear=movement.rotated(start.linear, "m/s")),
        )
    frames = {
        side: _frame(m, source, frame, movement)
        for side in ("frame_a", "frame_b")
        if (frame := getattr(element, side, None)) is not None
    }
    moved = replace(element, **frames)
    return _rotated_load(moved, movement) if isinstance(moved, Force) else moved


def _rotated_load(force: Force, movement: Movement) -> Force:
    """A load along the axes of W, turned along.  Raises ExpressionError for one whose components
    follow laws.
    """
    along_world = FORCE_TYPES[force.type].attachment == BODY and force.axes == "world"
    if not along_world or movement.turn == IDENTITY:
        return force
    if force.laws:
        raise ExpressionError(
            tr(
                "{force} follows laws along the world's axes and cannot be turned: let it act in "
                "its body's axes first.",
                force=force.name,
            )
        )
    row = triple(force.parameters.get(k, Quantity(0.0)) for k in "xyz")
    rotated_row = movement.rotated(row, "N*m" if FORCE_TYPES[force.type].moment else "N")
    return replace(force, parameters={**force.parameters, **dict(zip("xyz", rotated_row))})


def _frame(m: Mechanism, source: Mechanism, frame: Frame, movement: Movement) -> Frame:
    """A frame on its body's copy; on a body that is not copied, ground among them, it is moved
    itself.
    """
    if frame.body in source.bodies:
        return frame
    owner, placement = m.body(frame.body), frame.placement
    known = source.ground.named_points() if frame.body == GROUND else owner.named_points()
    start = known.get(frame.point, (0.0, 0.0, 0.0)) if frame.point else (0.0, 0.0, 0.0)
    outer = owner.placement.pose
    if frame.point:
        stays = movement.placed(Placement(vector(*start)), outer).position == vector(*start)
        if movement.turn == IDENTITY and stays and owner.named_points().get(frame.point) == start:
            return frame
    # away from a named point, or without it, the place is all that is left
    position = tuple(Quantity(q.value + c) if c else q for q, c in zip(placement.position, start))
    place = movement.placed(replace(placement, position=position), outer)
    return replace(frame, point="", placement=place)


def _gauge(project: Project, source: Mechanism, gauge: Gauge, movement: Movement) -> Gauge:
    """The copy of a gauge; its places on the ground are moved as the bodies are."""
    # a parameter may be called as the gauge whose number it drives
    taken, name = {g.name for g in project.gauges.values()}, gauge.name
    if name in taken:
        house = re.fullmatch(rf"{GAUGE_TYPES[gauge.type].letter}\d+", name)
        name = gauges.free_name(project, gauge.type) if house else numbered(name, taken)
    ends = tuple(
        replace(end, frame=end.frame and _frame(project.mechanism, source, end.frame, movement))
        for end in gauge.ends
    )
    return replace(gauge, name=name, ends=ends)


def _with_laws(project: Project, part: Project) -> Project:
    """The laws of the inserted elements, naming the coordinates of the joints' copies, and bound to
    the parameters.
    """
    m, source = project.mechanism, part.mechanism
    put = {s: {id: getattr(m, s)[id] for id in getattr(source, s)} for s in SECTIONS[2:]}
    own = with_names(source, replace(m, **put))
    own = texts.bound_mechanism(own, parameter_values(project))
    changed = {s: {**getattr(m, s), **getattr(own, s)} for s in SECTIONS[2:]}
    return replace(project, mechanism=replace(m, **changed))


def _with_parameters(project: Project, part: Project) -> tuple[Project, Project, dict[str, str]]:
    """The project with the part's parameters, the part with the names that they have there, and
    these by the old ones where they are others.
    """
    order: list[str] = []
    left = dict(part.parameters)
    while left:
        ready = [
            name
            for name, p in left.items()
            if not expression.names_in(p.value.text) & (left.keys() - {name})
        ] or list(left)
        order += ready
        left = {name: p for name, p in left.items() if name not in ready}
    called: dict[str, str] = {}
    for name in order:
        free, shared = _free_parameter(project, part, name)
        if free != name:
            part = rename_parameter(part, name, free)
            called[name] = free
        if not shared:
            project = add_parameter(project, part.parameters[free])
    return project, part, called


def _same(a: Parameter, b: Parameter) -> bool:
    return (
        a.dimension == b.dimension
        and a.value.text == b.value.text
        and abs(a.value.value - b.value.value)
        <= 1e-12 * max(abs(a.value.value), abs(b.value.value))
    )


def _free_parameter(project: Project, part: Project, name: str) -> tuple[str, bool]:
    """Name for a parameter of the part in the project: its own, else L1_2, L1_3, … where nothing
    else has that name.  Second, True if the same parameter is there already.
    """
    m = project.mechanism
    taken = {
        *project.groups,
        *project.pictures,
        *project.gauges,
        GROUND,
        *fields.OF_PROJECT,
    }.union(*(getattr(m, s) for s in SECTIONS))
    others = {*(part.parameters.keys() - {name}), *part.groups, *part.gauges}.union(
        *(getattr(part.mechanism, s) for s in SECTIONS)
    )
    for k in itertools.count(1):
        free = name if k == 1 else f"{name[:56]}_{k}"
        if free in taken or (k > 1 and free in others):
            continue
        if free not in project.parameters:
            return free, False
        if _same(project.parameters[free], part.parameters[name]):
            return free, True
    raise AssertionError(name)


def duplicated(
    project: Project,
    ids: Collection[str],
    movement: Movement = STAY,
    theirs: Collection[str] = (),
) -> tuple[Project, dict[str, str]]:
    """The chosen elements once more, moved, with what is among them.  Returns the project and new
    ids by old ones.

    Joints and forces alone are doubled on the bodies on which they stand.  theirs: joints on which
    copies may act though these are not doubled.  Raises ExpressionError as put_in does.
    """
    m = project.mechanism
    part = part_of(project, ids)
    if not any(getattr(part.mechanism, s) for s in SECTIONS):
        raise ExpressionError(tr("Select a body, a joint or a force to double it."))
    # the part shares all parameters with the project that it came from
    grown, new = put_in(project, replace(part, parameters={}), movement, theirs)
    return (grown, new) if grown.mechanism is not m else (project, {})


def paste_shift(project: Project, part: Project, step: Triple) -> Triple:
    """Shift of a pasted part, in steps [m, W], with which it does not lie on what is there."""
    there = [b.placement.pose[0] for b in project.mechanism.bodies.values()]
    near = 1e-6 * max(part.mechanism.size(), 1e-9)
    for k in range(1000):
        shift = triple(k * s for s in step)
        if not any(
            _covers(b.placement.pose, shift, there, near) for b in part.mechanism.bodies.values()
        ):
            return shift
    return (0.0, 0.0, 0.0)


def _covers(pose: Pose, shift: Triple, there: Iterable[Triple], near: float) -> bool:
    at = plus(transform(pose, (0.0, 0.0, 0.0)), shift)
    return any(all(abs(a - b) <= near for a, b in zip(at, other)) for other in there)
