"""Checks of couplings, drives, laws, limits and curves that need no mathematics. They never raise
an exception.
"""

import math
from collections.abc import Iterator

from mechstudio.engine.constraints.coordinates import stands_alone
from mechstudio.engine.constraints.tracks import track_problem
from mechstudio.model.drawing_measures import PARALLEL
from mechstudio.model.fields import LARGEST
from mechstudio.model.findings import Finding, listed
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.jets import tree_jet
from mechstudio.model.joints.coupling_axes import alike
from mechstudio.model.joints.titles import MOVES, titled
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import (
    ACCELERATION,
    POSITION,
    VELOCITY,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Joint,
    Law,
    Mechanism,
)
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.translation import comma, tr


def check_joint_parts(mechanism: Mechanism, joint: Joint) -> Iterator[Finding]:
    """Of a joint's numbers, limits and curve.  Its type is known."""
    kind, who = JOINT_TYPES[joint.type], titled(joint)
    sound = True
    for name, words in ((p.name, tr(p.label)) for p in kind.parameters):
        name_ = words[:1].lower() + words[1:]
        typed = joint.parameters.get(name)
        sound &= typed is not None and abs(typed.value) < LARGEST
        if typed is None:
            if not kind.holds_distance:  # a rod is as long as it is drawn
                yield Finding(
                    "error",
                    joint.id,
                    tr("{who} has no {name}.", who=who, name=name_),
                    tr("Type its {name} in the inspector.", name=name_),
                )
        elif not abs(typed.value) < LARGEST:
            yield Finding(
                "error",
                joint.id,
                tr("The {name} of {who} is not a possible number.", name=name, who=who),
                tr("Type it again."),
            )
    if kind.check is not None and sound:
        yield from kind.check(joint, mechanism, who)
    if kind.has_track and sound:
        if curve_of(joint) is None:
            yield Finding(
                "error",
                joint.id,
                tr("{who} has no curve to run along.", who=who),
                tr("Give it at least two different points."),
            )
        elif problem := track_problem(joint):
            yield Finding(
                "error",
                joint.id,
                tr("The curve of {who} {problem}.", who=who[:1].lower() + who[1:], problem=problem),
                tr("Change its points, or choose another form."),
            )
    twice = {
        a.coordinate
        for k, a in enumerate(joint.limits)
        if any(a.coordinate == b.coordinate for b in joint.limits[:k])
    }
    for c in sorted(c for c in twice if 0 <= c < kind.dof):
        yield Finding(
            "error",
            joint.id,
            tr(
                "{coordinate} of {joint} has stops twice.",
                coordinate=tr(kind.coordinates[c].name)[:1].upper()
                + tr(kind.coordinates[c].name)[1:],
                joint=joint.name,
            ),
            tr("Remove one pair of them."),
        )
    for limit in joint.limits:
        numbers = [
            q.value
            for q in (limit.lower, limit.upper, limit.restitution, limit.stiffness, limit.damping)
            if q is not None
        ]
        if not 0 <= limit.coordinate < kind.dof:
            yield Finding(
                "error",
                joint.id,
                tr(
                    "{who} has a stop on coordinate {coordinate}, but {dof} coordinates.",
                    who=who,
                    coordinate=limit.coordinate + 1,
                    dof=kind.dof,
                ),
                tr("Remove the stop, or choose another coordinate."),
            )
        elif not all(abs(c) <= LARGEST for c in numbers):
            yield Finding(
                "error",
                joint.id,
                tr("A stop of {who} stands at something that is not a possible number.", who=who),
                tr("Type it again."),
            )
        elif (
            limit.lower is not None
            and limit.upper is not None
            and limit.lower.value >= limit.upper.value
        ):
            yield Finding(
                "error",
                joint.id,
                tr("The lower stop of {who} stands above the upper one.", who=who),
                tr("Exchange them, or leave one out."),
            )
        elif limit.stiffness is None and not stands_alone(joint.type, limit.coordinate):
            yield Finding(
                "error",
                joint.id,
                tr(
                    "{who} has a hard stop on {coordinate}, which no stop can hold: it is one of "
                    "several angles that only have a meaning together.",
                    who=who,
                    coordinate=tr(kind.coordinates[limit.coordinate].name),
                ),
                tr(
                    "Type a stiffness, which makes it a soft stop, or put the stop on a hinge "
                    "angle or a slide."
                ),
            )
        elif (limit.stiffness is not None and limit.stiffness.value < 0) or limit.damping.value < 0:
            yield Finding(
                "error",
                joint.id,
                tr("A soft stop of {who} has a negative stiffness or damping.", who=who),
                tr("Type numbers that are not negative."),
            )
        elif (
            limit.stiffness is not None and limit.stiffness.value == 0 and limit.damping.value == 0
        ):
            yield Finding(
                "warning",
                joint.id,
                tr(
                    "A soft stop of {who} has neither stiffness nor damping and stops nothing.",
                    who=who,
                ),
                tr("Type its stiffness, or clear it for a hard stop."),
            )


def check_couplings(mechanism: Mechanism) -> Iterator[Finding]:
    """Of couplings, whose joints are sound by now."""
    for coupling in mechanism.couplings.values():
        yield from _check_coupling(mechanism, coupling)


def _check_coupling(mechanism: Mechanism, coupling: Coupling) -> Iterator[Finding]:
    kind = COUPLING_TYPES.get(coupling.type)
    who = _title(coupling.name or (kind.label if kind else "A coupling"))
    if kind is None:
        yield Finding(
            "error",
            coupling.id,
            tr("{who} is of the unknown type {type}.", who=who, type=coupling.type),
            tr("Use one of {coupling_types}.", coupling_types=comma().join(COUPLING_TYPES)),
        )
        return
    if len(coupling.ends) != len(kind.ends):
        yield Finding(
            "error",
            coupling.id,
            tr(
                "{who} relates {count} coordinates, but a {kind} needs {ends_count}.",
                who=who,
                count=len(coupling.ends),
                kind=tr(kind.label).lower(),
                ends_count=len(kind.ends),
            ),
            tr("Choose {ends}.", ends=listed([tr(e.label).lower() for e in kind.ends])),
        )
        return
    if len(set(coupling.ends)) < len(coupling.ends):
        yield Finding(
            "error",
            coupling.id,
            tr("{who} relates a coordinate to itself.", who=who),
            tr("Choose another joint for one of its ends."),
        )
    for end, requested in zip(coupling.ends, kind.ends, strict=True):
        yield from _check_end(mechanism, coupling.id, who, end, requested.dimensions)
    for p in kind.parameters:
        q = coupling.parameters.get(p.name)
        if q is None or not p.least <= q.value <= LARGEST:
            yield Finding(
                "error",
                coupling.id,
                tr(
                    "The {parameter} of {who} is missing or not a possible number.",
                    parameter=tr(p.label).lower(),
                    who=who,
                ),
                tr("Type it in the inspector."),
            )
    numbers = {
        p.name: coupling.parameters[p.name].value
        for p in kind.parameters
        if p.name in coupling.parameters
    }
    if len(numbers) == len(kind.parameters) and not kind.law and 0.0 in kind.factors(numbers):
        nought = next(
            (tr(p.label).lower() for p in kind.parameters if numbers[p.name] == 0.0), "a number"
        )
        yield Finding(
            "error",
            coupling.id,
            tr(
                "The {nought} of {who} is zero, so that it couples nothing.", nought=nought, who=who
            ),
            tr("Type another number, or remove it."),
        )
    if kind.law:
        if coupling.law is None:
            yield Finding(
                "error",
                coupling.id,
                tr("{who} has no law for its follower.", who=who),
                tr("Choose how far the follower moves over a turn."),
            )
        elif found := list(check_law(mechanism, coupling, "", coupling.law, who)):
            yield from found
        elif coupling.law.type not in kind.laws:
            laws = [tr(LAW_TYPES[k].label).lower() for k in kind.laws]
            yield Finding(
                "error",
                coupling.id,
                tr(
                    "{who} cannot follow its law, as a {kind}.",
                    who=who,
                    kind=tr(kind.label).lower(),
                ),
                tr("Choose one of these: {laws}.", laws=comma().join(laws)),
            )
        elif coupling.law.type in evaluation.GENEVA:
            yield from _check_geneva(mechanism, coupling, coupling.law, who)


def _check_geneva(
    mechanism: Mechanism, coupling: Coupling, law: Law, who: str
) -> Iterator[Finding]:
    cosine = alike(mechanism, coupling.ends)
    if abs(cosine) > 1.0 - PARALLEL and cosine * evaluation.geneva_of(law).sense < 0.0:
        yield Finding(
            "warning",
            coupling.id,
            tr("The wheel of {who} turns against its slots, as the axes are drawn.", who=who),
            tr("Change the sign of its number of slots."),
        )


def check_drives(mechanism: Mechanism) -> Iterator[Finding]:
    """Of drives, whose joints are sound by now."""
    taken: dict[tuple[str, int], Drive] = {}
    for drive in mechanism.drives.values():
        yield from _check_drive(mechanism, drive)
        if drive.enabled:
            other = taken.setdefault((drive.joint, drive.coordinate), drive)
            if other is not drive:
                yield Finding(
                    "error",
                    drive.id,
                    tr(
                        "{drive} and {other} prescribe the same coordinate.",
                        drive=_title(drive.name or "A drive"),
                        other=other.name or tr("another drive"),
                    ),
                    tr("Remove or disable one of them."),
                )


def _check_drive(mechanism: Mechanism, drive: Drive) -> Iterator[Finding]:
    who = _title(drive.name or "A drive")
    yield from _check_end(
        mechanism, drive.id, who, CoordinateOf(drive.joint, drive.coordinate), ("angle", "length")
    )
    if drive.quantity not in (POSITION, VELOCITY, ACCELERATION):
        yield Finding(
            "error",
            drive.id,
            tr("{who} prescribes something unknown, {quantity}.", who=who, quantity=drive.quantity),
            tr("Choose position, velocity or acceleration."),
        )
    found = list(check_law(mechanism, drive, "", drive.law, who))
    yield from found
    if not found and not all(map(math.isfinite, evaluation.jet(drive.law, mechanism.start.value))):
        yield Finding(
            "error",
            drive.id,
            tr("The law of {who} has no value or no slope at the start of a run.", who=who),
            tr(
                "Change its expression so that it has one at t = {start:g} s.",
                start=mechanism.start.value,
            ),
        )


def _check_end(
    mechanism: Mechanism, id: str, who: str, end: CoordinateOf, dimensions: tuple[str, ...]
) -> Iterator[Finding]:
    joint = mechanism.joints.get(end.joint)
    if joint is None:
        yield Finding(
            "error",
            id,
            tr(
                "{who} acts on joint {joint}, which does not exist.",
                who=who,
                joint=end.joint or tr("(none)"),
            ),
            tr("Choose a joint, or remove it."),
        )
        return
    coordinates = JOINT_TYPES[joint.type].coordinates
    if not 0 <= end.coordinate < len(coordinates):
        yield Finding(
            "error",
            id,
            tr(
                "{who} acts on coordinate {coordinate} of {joint}, which has {count}.",
                who=who,
                coordinate=end.coordinate + 1,
                joint=joint.name,
                count=len(coordinates),
            ),
            tr("Choose one of the joint's coordinates, or another joint."),
        )
    elif coordinates[end.coordinate].dimension not in dimensions:
        has = coordinates[end.coordinate]
        yield Finding(
            "error",
            id,
            tr(
                "{who} needs a coordinate that {dimension}, but {has} of {joint} {has_dimension}.",
                who=who,
                dimension=tr(MOVES[dimensions[0]]),
                has=tr(has.name),
                joint=joint.name,
                has_dimension=tr(MOVES[has.dimension]),
            ),
            tr("Choose another coordinate or joint."),
        )


def check_law(
    mechanism: Mechanism, element: Drive | Coupling | Force, parameter: str, law: Law, who: str
) -> Iterator[Finding]:
    """Of one law of an element.   parameter: which number of a force.

    What a text takes from parameters is here a number without dimension: the dimension of such a
    text is checked where it is typed.
    """
    numbers = law.parameters if law.type == "expression" else {}
    if not all(math.isfinite(q.value) for q in numbers.values()):
        reason = tr("It takes something that is not a number from a parameter.")
    elif numbers and evaluation.names(law.text) & numbers.keys():
        reason = _unreadable(mechanism, element, law)
    else:
        reason = texts.reason(mechanism, element, parameter, law, {})
    if not reason:
        return
    reason = reason.rstrip(".")
    if parameter and isinstance(element, Force):
        rows = {p.name: p.label for p in FORCE_TYPES[element.type].parameters}
        what = tr(rows[parameter]).lower() if parameter in rows else parameter
        text = tr(
            "The law of {what} of {who} cannot be used. {reason}.",
            what=what,
            who=who,
            reason=reason,
        )
    else:
        text = tr("The law of {who} cannot be used. {reason}.", who=who, reason=reason)
    yield Finding("error", element.id, text, tr("Correct it, or choose another law."))


def _unreadable(mechanism: Mechanism, element: Drive | Coupling | Force, law: Law) -> str:
    known = {
        name: (1.0, 0.0, 0.0)
        for name in (*evaluation.variables(mechanism, element), *law.parameters)
    }
    try:
        tree_jet(evaluation.tree(law.text), known)
    except ExpressionError as error:
        return str(error)
    return ""


def check_force_laws(mechanism: Mechanism, force: Force, who: str) -> Iterator[Finding]:
    """Of the laws that a force's parameters follow."""
    fit = {p.name for p in FORCE_TYPES[force.type].parameters if not p.rate_of}
    for parameter, law in force.laws.items():
        if parameter in fit:
            yield from check_law(mechanism, force, parameter, law, who)
        else:
            yield Finding(
                "error",
                force.id,
                tr(
                    "{who} has a law for {parameter}, which is no number of it.",
                    who=who,
                    parameter=parameter,
                ),
                tr("Remove that law."),
            )


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
