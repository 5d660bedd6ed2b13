"""Checks of a drawing that need no mathematics: missing references and impossible numbers. They
never raise an exception.
"""

import math
from collections.abc import Iterator

from mechstudio.engine.checks.couplings import (
    check_couplings,
    check_drives,
    check_force_laws,
    check_joint_parts,
)
from mechstudio.engine.constraints.rows import rod_length
from mechstudio.model import fields
from mechstudio.model.findings import Finding, listed
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.joints.titles import MOVES, titled
from mechstudio.model.mechanism import GROUND, Body, Force, Frame, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr

LARGEST, SMALLEST = 1e12, 1e-12  # metres that a drawing may measure


def check_elements(mechanism: Mechanism) -> list[Finding]:
    """Errors that keep the drawing from being read as a mechanism: of bodies, joints, couplings and
    drives, in drawing order.
    """
    out = list(_in_use(mechanism))
    for body in (*mechanism.bodies.values(), mechanism.ground):
        out += _check_body(body)
    if not out:
        for joint in mechanism.joints.values():
            out += _check_joint(mechanism, joint)
    if not out:
        size = mechanism.size()
        if not SMALLEST < size < LARGEST:
            out.append(
                Finding(
                    "error",
                    "",
                    tr(
                        "The drawing measures {size:.3g} m, which is beyond what can be computed.",
                        size=size,
                    ),
                    tr("Check the units of its lengths."),
                )
            )
        for joint in mechanism.joints.values():
            if (
                JOINT_TYPES[joint.type].holds_distance
                and not 1e-9 * size < rod_length(mechanism, joint) < LARGEST
            ):
                out.append(
                    Finding(
                        "error",
                        joint.id,
                        tr("{joint} has no positive length.", joint=titled(joint)),
                        tr("Type its length, or draw its ends apart."),
                    )
                )
    if not out:
        out += [*check_couplings(mechanism), *check_drives(mechanism)]
    return out


def _in_use(mechanism: Mechanism) -> Iterator[Finding]:
    if GROUND in mechanism.bodies:
        yield Finding(
            "error",
            GROUND,
            tr("A moving body has the id of the ground."),
            tr("Give it another id."),
        )
    if not mechanism.start.value >= 0.0:
        yield Finding(
            "error",
            "",
            tr(
                "The run begins at {time}, before 0 s.",
                time=format_value(mechanism.start.value, "time"),
            ),
            tr("Let it begin at 0 s or later, and shift the laws of the time by as much."),
        )
    if not all(abs(c) <= fields.LARGEST for c in values(mechanism.gravity)):
        yield Finding(
            "error",
            "gravity",
            tr("Gravity is not a possible number."),
            tr("Type its three components."),
        )


def _check_body(body: Body) -> Iterator[Finding]:
    name = named(body)
    for k, shape in enumerate(body.shapes):
        kind = SHAPE_TYPES.get(shape.type)
        where = tr("shape {number} of {name}", number=k + 1, name=name)
        if kind is None:
            yield Finding(
                "error",
                body.id,
                tr(
                    "{where} is of the unknown type {type}.",
                    where=where.capitalize(),
                    type=shape.type,
                ),
                tr("Use one of {shape_types}.", shape_types=comma().join(SHAPE_TYPES)),
            )
            continue
        missing = [d.label.lower() for d in kind.dimensions if d.name not in shape.dimensions]
        if missing:
            yield Finding(
                "error",
                body.id,
                tr("In {where} the {missing} is missing.", where=where, missing=listed(missing)),
                tr("Type it in the inspector."),
            )
        bad = [
            tr(d.label).lower()
            for d in kind.dimensions
            if d.name in shape.dimensions and not 0 <= shape.dimensions[d.name].value < LARGEST
        ]
        if bad:
            yield Finding(
                "error",
                body.id,
                tr("In {where} the {bad} is not a possible length.", where=where, bad=listed(bad)),
                tr("Type a positive length."),
            )
        lengths = {name: q.value for name, q in shape.dimensions.items()}
        labels = {d.name: tr(d.label).lower() for d in kind.dimensions}
        for less, more in kind.rising:
            if not missing and lengths[less] >= lengths[more]:
                yield Finding(
                    "error",
                    body.id,
                    tr(
                        "In {where} the {less} is not less than the {more}: nothing is left.",
                        where=where,
                        less=labels[less],
                        more=labels[more],
                    ),
                    tr("Type a smaller {less}.", less=labels[less]),
                )
        if kind.outline and not shape.outline:
            yield Finding(
                "error",
                body.id,
                tr(
                    "{where}, a {kind}, has no corners.",
                    where=where.capitalize(),
                    kind=tr(kind.label).lower(),
                ),
                tr("Draw its outline or remove it."),
            )
        if kind.mesh and (
            reason := tr("it has no triangles") if shape.mesh is None else meshes.check(shape.mesh)
        ):
            yield Finding(
                "error",
                body.id,
                tr(
                    "{where}, a mesh, cannot be a solid: {reason}.",
                    where=where.capitalize(),
                    reason=reason,
                ),
                tr("Insert it again from a closed surface, or remove it."),
            )
        if not _finite(
            *(c for corner in shape.outline for c in values(corner)),
            *_placement(shape.placement),
            shape.density.value,
        ):
            yield Finding(
                "error",
                body.id,
                tr("{where} holds something that is not a number.", where=where.capitalize()),
                tr("Type its place and density again."),
            )
    numbers = [*_placement(body.placement), *(c for p in body.points for c in values(p.position))]
    if body.initial_velocity is not None:
        numbers += [*values(body.initial_velocity.linear), *values(body.initial_velocity.angular)]
    if not _finite(*numbers):
        yield Finding(
            "error",
            body.id,
            tr("The place or speed of {name} is not a possible number.", name=name),
            tr("Type its position, orientation and velocity again."),
        )


def _placement(placement):
    return (*values(placement.position), *values(placement.orientation))


def _finite(*numbers: float) -> bool:
    # also false for what is not a number
    return all([abs(c) < LARGEST for c in numbers])


def _check_joint(mechanism: Mechanism, joint: Joint) -> Iterator[Finding]:
    kind = JOINT_TYPES.get(joint.type)
    if kind is None:
        yield Finding(
            "error",
            joint.id,
            tr("{joint} is of the unknown type {type}.", joint=titled(joint), type=joint.type),
            tr("Use one of {joint_types}.", joint_types=comma().join(JOINT_TYPES)),
        )
        return
    yield from check_joint_parts(mechanism, joint)
    lost = [text for frame in (joint.frame_a, joint.frame_b) if (text := _lost(mechanism, frame))]
    for text in lost:
        yield Finding(
            "error",
            joint.id,
            f"{titled(joint)} {text}.",
            tr("Choose another body or point, or remove the joint."),
        )
    if joint.frame_a.body == joint.frame_b.body:
        yield Finding(
            "error",
            joint.id,
            tr(
                "{joint} joins {body} to itself.",
                joint=titled(joint),
                body=_body_name(mechanism, joint.frame_a.body),
            ),
            tr("Choose a second body, or remove the joint."),
        )
    for typed, what in ((joint.values, "values"), (joint.rates, tr("initial rates"))):
        if len(typed) not in (0, kind.dof):
            yield Finding(
                "error",
                joint.id,
                tr(
                    "{joint} has {count} typed {what}, but {dof} coordinates.",
                    joint=titled(joint),
                    count=len(typed),
                    what=what,
                    dof=kind.dof,
                ),
                tr("Type one for each coordinate, or none."),
            )
        elif not _finite(*values(typed)):
            yield Finding(
                "error",
                joint.id,
                tr(
                    "Among the typed {what} of {joint} one is not a possible number.",
                    what=what,
                    joint=titled(joint),
                ),
                tr("Type it again."),
            )


def _lost(mechanism: Mechanism, frame: Frame) -> str:
    """Fault of a frame, as a sentence without subject, empty if there is none."""
    if frame.body != GROUND and frame.body not in mechanism.bodies:
        return tr("stands on body {body}, which does not exist", body=frame.body or tr("(none)"))
    body = mechanism.body(frame.body)
    try:
        body.point(frame.point)
    except KeyError:
        return tr(
            "stands at point {point} of {body}, which does not exist",
            point=frame.point,
            body=named(body),
        )
    return (
        ""
        if _finite(*_placement(frame.placement))
        else tr("stands at a place of {body} that is not a possible number", body=named(body))
    )


def check_forces(mechanism: Mechanism) -> list[Finding]:
    """Errors and warnings of forces, in drawing order; joints and bodies are sound by now."""
    return [
        finding for force in mechanism.forces.values() for finding in _check_force(mechanism, force)
    ]


def _check_force(mechanism: Mechanism, force: Force) -> Iterator[Finding]:
    kind = FORCE_TYPES.get(force.type)
    who = force.name or (tr(kind.label) if kind else tr("A force"))
    who = who[:1].upper() + who[1:]
    if kind is None:
        yield Finding(
            "error",
            force.id,
            tr("{who} is of the unknown type {type}.", who=who, type=force.type),
            tr("Use one of {force_types}.", force_types=comma().join(FORCE_TYPES)),
        )
        return
    missing = [
        tr(p.label).lower()
        for p in kind.parameters
        if p.name not in force.parameters and p.default is None and not p.rate_of
    ]
    if missing:
        yield Finding(
            "error",
            force.id,
            tr("{who} has no {missing}.", who=who, missing=listed(missing)),
            tr("Type it in the inspector."),
        )
    unfit = [
        tr(p.label).lower()
        for p in kind.parameters
        if p.name in force.parameters and not abs(force.parameters[p.name].value) <= fields.LARGEST
    ]
    if unfit:
        yield Finding(
            "error",
            force.id,
            tr("The {unfit} of {who} is not a possible number.", unfit=listed(unfit), who=who),
            tr("Type it again."),
        )
    if kind.check is not None and not missing and not unfit:
        yield from kind.check(force, mechanism, who)
    yield from check_force_laws(mechanism, force, who)
    if kind.attachment == JOINT:
        yield from _check_joint_force(mechanism, force, who)
        return
    frames = (
        (force.frame_a, force.frame_b)
        if kind.attachment in (TWO_POINTS, FRAMES)
        else (force.frame_b,)
    )
    for frame in frames:
        text = tr("has no place to act at") if frame is None else _lost(mechanism, frame)
        if text:
            yield Finding(
                "error",
                force.id,
                f"{who} {text}.",
                tr("Choose another body or point, or remove it."),
            )
            return
    yield from _check_ends(mechanism, force, who, frames)


def _check_ends(mechanism, force, who, frames) -> Iterator[Finding]:
    """Of a force whose ends exist."""
    kind = FORCE_TYPES[force.type]
    if kind.attachment == BODY and force.axes not in ("world", "body"):
        yield Finding(
            "error",
            force.id,
            tr("{who} is given in unknown axes, {axes}.", who=who, axes=force.axes),
            tr("Choose world or body axes."),
        )
    bodies = {f.body for f in frames}
    if len(bodies) == 1 and (GROUND in bodies or kind.attachment in (TWO_POINTS, FRAMES)):
        where = (
            tr("ground only")
            if GROUND in bodies
            else tr("{body} only", body=_body_name(mechanism, frames[0].body))
        )
        yield Finding(
            "warning",
            force.id,
            tr("{who} acts on {where} and moves nothing.", who=who, where=where),
            tr("Choose a moving body for one of its ends."),
        )
    elif kind.attachment == TWO_POINTS:
        a, b = (mechanism.frame_in_world(f)[0] for f in frames)
        if math.dist(a, b) <= 1e-9 * mechanism.size():
            yield Finding(
                "warning",
                force.id,
                tr(
                    "The two ends of {who} coincide as drawn, so that it has no direction.", who=who
                ),
                tr("Draw its ends apart."),
            )


def _check_joint_force(mechanism, force, who) -> Iterator[Finding]:
    joint = mechanism.joints.get(force.joint)
    if joint is None:
        yield Finding(
            "error",
            force.id,
            tr(
                "{who} acts on joint {joint}, which does not exist.",
                who=who,
                joint=force.joint or tr("(none)"),
            ),
            tr("Choose a joint, or remove it."),
        )
        return
    coordinates, requested = (
        JOINT_TYPES[joint.type].coordinates,
        FORCE_TYPES[force.type].joint_dimension,
    )
    if not 0 <= force.coordinate < len(coordinates):
        yield Finding(
            "error",
            force.id,
            tr(
                "{who} acts on coordinate {coordinate} of {joint}, which has {count}.",
                who=who,
                coordinate=force.coordinate + 1,
                joint=joint.name,
                count=len(coordinates),
            ),
            tr("Choose one of the joint's coordinates, or another joint."),
        )
    elif requested and coordinates[force.coordinate].dimension != requested:
        has = coordinates[force.coordinate].dimension
        yield Finding(
            "error",
            force.id,
            tr(
                "{who} needs a coordinate that {requested}, but {coordinate} of {joint} {has}.",
                who=who,
                requested=tr(MOVES[requested]),
                coordinate=tr(coordinates[force.coordinate].name),
                joint=joint.name,
                has=tr(MOVES[has]),
            ),
            tr("Choose another coordinate or joint, or another kind of force."),
        )


def named(body: Body) -> str:
    """Name of a body in a sentence, its id if it has no name."""
    return body.name or body.id


def _body_name(mechanism, id):
    return (
        named(mechanism.body(id))
        if id == GROUND or id in mechanism.bodies
        else tr("body {id}", id=id or tr("(none)"))
    )
