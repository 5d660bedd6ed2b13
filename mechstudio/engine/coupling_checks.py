"""What can be said about couplings, drives, laws, limits and curves before any mathematics (never an exception)."""

import math
from collections.abc import Iterator

from mechstudio.model import laws
from mechstudio.model.coupling_types import COUPLING_TYPES
from mechstudio.model.expression import ExpressionError
from mechstudio.model.findings import Finding
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.law_types import LAW_TYPES
from mechstudio.model.mechanism import ACCELERATION, POSITION, VELOCITY, CoordinateOf, Coupling, Drive, Force, Joint, Law, Mechanism
from mechstudio.model.quantity import values

from .redundancy import listed, titled

_WORDS = {"angle": "turns", "length": "slides"}


def check_joint_parts(joint: Joint) -> Iterator[Finding]:
    """Of a joint's numbers, limits and curve.  Its type is known."""
    kind, who = JOINT_TYPES[joint.type], titled(joint)
    for name in kind.parameters:
        typed = joint.parameters.get(name)
        if typed is None:
            if joint.type != "distance":        # a rod is as long as it is drawn
                yield Finding("error", joint.id, f"{who} has no {name}.", f"Type its {name} in the inspector.")
        elif not math.isfinite(typed.value):
            yield Finding("error", joint.id, f"The {name} of {who} is not a number.", "Type it anew.")
        elif name == "radius" and typed.value <= 0:
            yield Finding("error", joint.id, f"{who} has no positive radius.", "Type the radius of its disc.")
    if kind.curve:
        points = () if joint.curve is None else [values(p) for p in joint.curve.points]
        if len(points) < 2 or not all(math.isfinite(c) for p in points for c in p) or len(set(points)) < 2:
            yield Finding("error", joint.id, f"{who} has no curve to run along.", "Give it at least two different points.")
    for limit in joint.limits:
        numbers = [q.value for q in (limit.lower, limit.upper, limit.restitution, limit.stiffness, limit.damping) if q is not None]
        if not 0 <= limit.coordinate < kind.dof:
            yield Finding("error", joint.id, f"{who} has a stop on coordinate {limit.coordinate + 1}, but {kind.dof} coordinates.", "Remove the stop, or choose another coordinate.")
        elif not all(map(math.isfinite, numbers)):
            yield Finding("error", joint.id, f"A stop of {who} stands at something that is not a number.", "Type it anew.")
        elif limit.lower is not None and limit.upper is not None and limit.lower.value >= limit.upper.value:
            yield Finding("error", joint.id, f"The lower stop of {who} stands above the upper one.", "Exchange them, or leave one out.")


def check_couplings(mechanism: Mechanism) -> Iterator[Finding]:
    """Of couplings, whose joints are sound by now."""
    for coupling in mechanism.couplings.values():
        yield from _check_coupling(mechanism, coupling)


def _check_coupling(mechanism: Mechanism, coupling: Coupling) -> Iterator[Finding]:
    kind = COUPLING_TYPES.get(coupling.type)
    who = _title(coupling.name or (kind.label if kind else "A coupling"))
    if kind is None:
        yield Finding("error", coupling.id, f"{who} is of the unknown type {coupling.type}.", f"Use one of {', '.join(COUPLING_TYPES)}.")
        return
    if len(coupling.ends) != len(kind.ends):
        yield Finding("error", coupling.id, f"{who} relates {len(coupling.ends)} coordinates, but a {kind.label.lower()} needs {len(kind.ends)}.",
                      "Choose " + listed([e.label.lower() for e in kind.ends]) + ".")
        return
    if len(set(coupling.ends)) < len(coupling.ends):
        yield Finding("error", coupling.id, f"{who} relates a coordinate to itself.", "Choose another joint for one of its ends.")
    for end, wanted in zip(coupling.ends, kind.ends, strict=True):
        yield from _check_end(mechanism, coupling.id, who, end, wanted.dimensions)
    for p in kind.parameters:
        q = coupling.parameters.get(p.name)
        if q is None or not math.isfinite(q.value) or q.value < p.least:
            yield Finding("error", coupling.id, f"The {p.label.lower()} of {who} is missing or not a possible number.", "Type it in the inspector.")
    if kind.law:
        if coupling.law is None:
            yield Finding("error", coupling.id, f"{who} has no law for its follower.", "Choose how far the follower moves over a turn.")
        else:
            yield from check_law(coupling.law, coupling.id, who)


def check_drives(mechanism: Mechanism) -> Iterator[Finding]:
    """Of drives, whose joints are sound by now."""
    for drive in mechanism.drives.values():
        yield from _check_drive(mechanism, drive)


def _check_drive(mechanism: Mechanism, drive: Drive) -> Iterator[Finding]:
    who = _title(drive.name or "A drive")
    yield from _check_end(mechanism, drive.id, who, CoordinateOf(drive.joint, drive.coordinate), ("angle", "length"))
    if drive.quantity not in (POSITION, VELOCITY, ACCELERATION):
        yield Finding("error", drive.id, f"{who} prescribes something unknown, {drive.quantity}.", "Choose position, velocity or acceleration.")
    yield from check_law(drive.law, drive.id, who)


def _check_end(mechanism: Mechanism, id: str, who: str, end: CoordinateOf, dimensions: tuple[str, ...]) -> Iterator[Finding]:
    joint = mechanism.joints.get(end.joint)
    if joint is None:
        yield Finding("error", id, f"{who} acts on joint {end.joint or '(none)'}, which does not exist.", "Choose a joint, or remove it.")
        return
    coordinates = JOINT_TYPES[joint.type].coordinates
    if not 0 <= end.coordinate < len(coordinates):
        yield Finding("error", id, f"{who} acts on coordinate {end.coordinate + 1} of {joint.name}, which has {len(coordinates)}.",
                      "Choose one of the joint's coordinates, or another joint.")
    elif coordinates[end.coordinate].dimension not in dimensions:
        has = coordinates[end.coordinate]
        yield Finding("error", id, f"{who} needs a coordinate that {_WORDS[dimensions[0]]}, but {has.name} of {joint.name} {_WORDS[has.dimension]}.",
                      "Choose another coordinate or joint.")


def check_law(law: Law, id: str, who: str) -> Iterator[Finding]:
    """Of one law of an element."""
    kind = LAW_TYPES.get(law.type)
    if kind is None:
        yield Finding("error", id, f"{who} follows a law of the unknown type {law.type}.", f"Use one of {', '.join(LAW_TYPES)}.")
        return
    bad = [p.label.lower() for p in kind.parameters if p.name in law.parameters and not p.least <= law.parameters[p.name].value < math.inf]
    if bad:
        yield Finding("error", id, f"In the law of {who} the {listed(bad)} is not a possible number.", "Type it anew.")
    if kind.points:
        points = [values(p) for p in law.points]
        if not points or not all(map(math.isfinite, (c for p in points for c in p))):
            yield Finding("error", id, f"The table of {who} is empty or holds something that is not a number.", "Type at least one point.")
        elif any(b[0] < a[0] for a, b in zip(points, points[1:])):
            yield Finding("error", id, f"The table of {who} does not go on: its points must ascend.", "Sort its points.")
    if kind.text:
        try:
            laws.tree(law.text)
        except ExpressionError as error:
            yield Finding("error", id, f"The law of {who} cannot be read: {error}", "Type it anew.")


def check_force_laws(force: Force, who: str) -> Iterator[Finding]:
    """Of the laws that a force's parameters follow."""
    for law in force.laws.values():
        yield from check_law(law, force.id, who)


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
