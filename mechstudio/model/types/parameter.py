"""One number that elements of a type have, as data: the same for joints, forces, couplings and
laws.
"""

from collections.abc import Callable

import msgspec

from mechstudio.translation import Words

SAME, NEGATE = "same", "negate"
POSITIVE = 1e-9  # least value of a quantity that must not vanish


class Parameter(msgspec.Struct, frozen=True):
    """One number of a type.

    dimension: key of units.DIMENSIONS; of laws also OWN or VARIABLE.  default: value where a file
    has none, None if there must be one.  drawn: what a new element gets instead: a text, an SI
    value, or a function of the drawing that returns one of these, of (mechanism, frame_a, frame_b).
    entry: place in the typed entry of the drawing tool (Tab order), 0 for none.  mirror: SAME or
    NEGATE, for what changes its sign in a mirror, or with the coordinate that it belongs to.
    least: smallest value.  rate_of: name of the parameter of which this is the rate; it is 0 while
    that one is constant and the slope of its law otherwise, and is no field.  group: heading in an
    inspector.  letter: symbol in equations.
    """

    name: str
    label: Words
    dimension: str
    default: float | None = None
    drawn: str | float | Callable[..., str | float] | None = None
    entry: int = 0
    mirror: str = SAME
    least: float = -1e15
    rate_of: str = ""
    group: Words = ""
    letter: str = ""
