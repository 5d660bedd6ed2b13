"""Events at an instant of a run: a joint that strikes a stop, two bodies that strike each other."""

import msgspec


class StopEvent(msgspec.Struct, frozen=True, tag="stop"):
    """A joint coordinate that struck one of its hard stops.

    time [s].  joint: id; coordinate: its place in the joint type's coordinates.  upper: which of
    the two stops.  speed: of the coordinate towards the stop just before [m/s or rad/s].  impulse:
    of the stop on the coordinate, never negative [N s or N m s].
    rests: whether the coordinate stays on the stop.
    """

    time: float
    joint: str
    coordinate: int
    upper: bool
    speed: float
    impulse: float
    rests: bool = False


class ImpactEvent(msgspec.Struct, frozen=True, tag="impact"):
    """Two bodies that struck each other.

    time [s].  body_a, body_b: ids, ground's among them.  impulse: sum of the normal impulses of all
    their contacts [N s].  before: speed of approach along the normal where it was largest; after:
    speed apart there when it was over [m/s].  loss: energy that normal impulses and friction took
    [J].
    """

    time: float
    body_a: str
    body_b: str
    impulse: float
    before: float
    after: float
    loss: float


Event = StopEvent | ImpactEvent
