"""What happens at an instant of a run: a joint that strikes a stop."""

import msgspec


class StopEvent(msgspec.Struct, frozen=True):
    """A joint coordinate that struck one of its hard stops.

    time [s].   joint: id; coordinate: its place in the joint type's coordinates.   upper: which of the two stops.   speed: of the
    coordinate towards the stop just before [m/s or rad/s].   impulse: of the stop on the coordinate, never negative [N s or N m s].
    rests: whether the coordinate stays on the stop.
    """

    time: float
    joint: str
    coordinate: int
    upper: bool
    speed: float
    impulse: float
    rests: bool = False
