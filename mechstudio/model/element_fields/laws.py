"""Numbers of couplings, drives and forces, and of the laws that they follow."""

from collections.abc import Iterator

from mechstudio.model.element_fields.field import RATES, Field, Path, frame_fields
from mechstudio.model.mechanism import (
    ACCELERATION,
    VELOCITY,
    Coupling,
    Drive,
    Force,
    Law,
    Mechanism,
)
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES, OWN, VARIABLE
from mechstudio.translation import tr

SECOND_RATES = {"angle": "angular_acceleration", "length": "acceleration"}


def law_fields(path: Path, law: Law, own: str, variable: str, group: str) -> Iterator[Field]:
    """The numbers of a law whose value has the dimension `own`, over a variable of the dimension
    `variable`.
    """
    kind = LAW_TYPES[law.type]
    dimensions = {OWN: own, VARIABLE: variable}
    for p in kind.parameters:
        yield Field(
            (*path, "parameters", p.name),
            p.label,
            dimensions.get(p.dimension, p.dimension),
            group,
            least=p.least,
        )
    for k in range(len(law.points)):
        yield Field((*path, "points", k, 0), tr("Point {number} at", number=k + 1), variable, group)
        yield Field((*path, "points", k, 1), tr("Point {number} value", number=k + 1), own, group)


def coupling_fields(coupling: Coupling, mechanism: Mechanism | None = None) -> Iterator[Field]:
    """Every number of a coupling.  mechanism: determines whether a cam's follower slides or turns;
    it slides where that is not known.
    """
    for p in COUPLING_TYPES[coupling.type].parameters:
        yield Field(("parameters", p.name), p.label, p.dimension, least=p.least)
    if coupling.law is not None:
        own = dimension_of(mechanism, coupling.ends[-1].joint, coupling.ends[-1].coordinate)
        yield from law_fields(("law",), coupling.law, own, "angle", tr("Follower law"))


def drive_fields(drive: Drive, mechanism: Mechanism | None = None) -> Iterator[Field]:
    """Every number of a drive.  mechanism: determines whether it turns or slides; it turns where
    that is not known.
    """
    yield from law_fields(("law",), drive.law, drive_dimension(drive, mechanism), "time", "")


def force_fields(force: Force) -> Iterator[Field]:
    """Every number of a force."""
    kind = FORCE_TYPES[force.type]
    for p in kind.parameters:
        if p.name in force.laws:
            yield from law_fields(
                ("laws", p.name), force.laws[p.name], p.dimension, "time", p.label
            )
        elif not p.rate_of:
            yield Field(
                ("parameters", p.name),
                p.label,
                p.dimension,
                p.group,
                p.default is not None,
                p.least,
            )
    if kind.attachment != JOINT:
        yield from frame_fields(
            ("frame_a",), force.frame_a, tr("First end") if force.frame_b else "Place"
        )
        yield from frame_fields(
            ("frame_b",), force.frame_b, tr("Second end") if force.frame_a else "Place"
        )


def drive_dimension(drive: Drive, mechanism: Mechanism | None) -> str:
    """The dimension of the quantity that a drive's law prescribes."""
    own = dimension_of(mechanism, drive.joint, drive.coordinate, "angle")
    return {VELOCITY: RATES, ACCELERATION: SECOND_RATES}.get(drive.quantity, {}).get(own, own)


def dimension_of(
    mechanism: Mechanism | None, joint: str, coordinate: int, otherwise: str = "length"
) -> str:
    """ "angle" or "length" of a joint's coordinate; `otherwise` where there is none such."""
    known = mechanism.joints.get(joint) if mechanism is not None else None
    if (
        known is None
        or known.type not in JOINT_TYPES
        or not 0 <= coordinate < JOINT_TYPES[known.type].dof
    ):
        return otherwise
    return JOINT_TYPES[known.type].coordinates[coordinate].dimension
