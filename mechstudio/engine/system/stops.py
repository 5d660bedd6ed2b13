"""Hard stops of joint coordinates, as drawn."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import localised, tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

CRUMB = 1e-12  # gap that is rounding, in mechanism sizes or radians


@dataclass(frozen=True)
class Stop:
    """One hard stop.

    side: 1 for an upper, -1 for a lower one.  bound [m or rad].  at: place of the coordinate in y.
    unit: what counts as one of the
    coordinate: the mechanism's size for a length [m], 1 for an angle.
    """

    joint: str
    coordinate: int
    side: int
    bound: float
    restitution: float
    at: int
    unit: float
    angle: bool


def hard_stops(system: "System") -> tuple[Stop, ...]:
    """The hard stops of a system's joints, in file order."""
    out, first = [], 0
    for id, joint in system.mechanism.joints.items():
        kind = JOINT_TYPES[joint.type]
        for limit in joint.limits:
            if limit.stiffness is not None:
                continue
            angle = kind.coordinates[limit.coordinate].dimension == "angle"
            unit = 1.0 if angle else system.size
            at = int(system.where.coordinates[first + limit.coordinate])
            out += [
                Stop(id, limit.coordinate, side, q.value, limit.restitution.value, at, unit, angle)
                for side, q in ((-1, limit.lower), (1, limit.upper))
                if q is not None
            ]
        first += kind.dof
    return tuple(out)


def stop_name(mechanism: Mechanism, stop: Stop) -> str:
    """ "the upper stop of joint door", with the coordinate where there are several."""
    joint = mechanism.joints[stop.joint]
    kind = JOINT_TYPES[joint.type]
    of = (
        tr(" of the {coordinate}", coordinate=tr(kind.coordinates[stop.coordinate].name))
        if kind.dof > 1
        else ""
    )
    return tr(
        "the {word} stop{of} of joint {joint}",
        word=tr("upper") if stop.side > 0 else tr("lower"),
        of=of,
        joint=joint.name,
    )


def start_findings(system: "System") -> tuple[Finding, ...]:
    """A warning for every hard stop beyond which a mechanism starts."""
    out = []
    for stop in hard_stops(system):
        beyond = stop.side * (system.start[stop.at] - stop.bound)
        if beyond > CRUMB * stop.unit:
            far = (
                localised(f"{math.degrees(beyond):.4g}°")
                if stop.angle
                else localised(f"{beyond:.4g} m")
            )
            out.append(
                Finding(
                    "warning",
                    stop.joint,
                    tr(
                        "The motion starts {far} beyond {stop}: until the joint has come back "
                        "within, the stop stands where it starts.",
                        far=far,
                        stop=stop_name(system.mechanism, stop),
                    ),
                    tr("Move the stop, or draw the joint within its limits."),
                )
            )
    return tuple(out)
