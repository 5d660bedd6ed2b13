"""Offsets of couplings: the constants that the drawn pose gives them."""

from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import CoordinateOf, Coupling, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES


def driven_end(coupling: Coupling) -> CoordinateOf:
    """The coordinate that a coupling's offset moves: its last one."""
    return coupling.ends[-1]


def coupling_offset(mechanism: Mechanism, coupling: Coupling) -> float:
    """Part of a coupling's last coordinate that the drawn pose adds [m or rad]: second -
    first / ratio of a gear pair, follower - f(angle) of a cam.
    """
    last = driven_end(coupling)
    return drawn_coordinate(mechanism, last.joint, last.coordinate) - _without_offset(
        mechanism, coupling
    )


def value_for_offset(mechanism: Mechanism, coupling: Coupling, offset: float) -> float:
    """The value [m or rad] of a coupling's last coordinate at which its offset is this one, while
    its other coordinates stay as drawn.
    """
    return _without_offset(mechanism, coupling) + offset


def _without_offset(mechanism: Mechanism, coupling: Coupling) -> float:
    """Value of the last coordinate if there were no offset, by the others [m or rad]."""
    kind = COUPLING_TYPES[coupling.type]
    *factors, own = kind.factors({k: q.value for k, q in coupling.parameters.items()})
    others = [drawn_coordinate(mechanism, e.joint, e.coordinate) for e in coupling.ends[:-1]]
    law = jet(coupling.law, others[0])[0] if kind.law and coupling.law is not None else 0.0
    return (law - sum(a * q for a, q in zip(factors, others, strict=True))) / own
