"""Laws as data: how a number of a motor, drive, force or cam follows another one, mostly the time.

model/laws/evaluation.py computes them; the kernel has its own reader of the same tables.
"""

import msgspec

from mechstudio.model.types.parameter import NEGATE, Parameter
from mechstudio.translation import Words

# a parameter in the dimension of the prescribed quantity: it changes its sign with that
OWN = "own"
# a parameter in the dimension of the law's variable: time, or the angle of a cam
VARIABLE = "variable"


class LawType(msgspec.Struct, frozen=True):
    """One type of law.  points: whether it needs Law.points.  text: whether it needs Law.text.
    periodic: its pieces come again with every turn of its variable, an angle.
    """

    label: Words
    parameters: tuple[Parameter, ...]
    points: bool = False
    text: bool = False
    periodic: bool = False


def _p(
    name: str, label: str, dimension: str, default: float | None = 0.0, least: float = -1e15
) -> Parameter:
    return Parameter(name, label, dimension, default, least=least)


_BEGIN, _LASTS = _p("begin", "From", VARIABLE), _p("duration", "Lasts", VARIABLE, 1.0, 1e-9)

_GENEVA = (
    Parameter("slots", "Slots", "number", 4.0, mirror=NEGATE),
    _p("middle", "Pin deepest at", "angle"),
)

LAW_TYPES: dict[str, LawType] = {
    "constant": LawType("Constant", (_p("value", "Value", OWN),)),
    # start until begin, then in a straight line to end
    "ramp": LawType("Ramp", (_p("start", "Start", OWN), _p("end", "End", OWN), _BEGIN, _LASTS)),
    # offset + amplitude sin(2 pi frequency t + phase)
    "sine": LawType(
        "Sine",
        (
            _p("offset", "Offset", OWN),
            _p("amplitude", "Amplitude", OWN),
            _p("frequency", "Frequency", "frequency", 1.0),
            _p("phase", "Phase", "angle"),
        ),
    ),
    # s = (t - begin) / duration: start + (end - start) (10 s^3 - 15 s^4 + 6 s^5), at rest before
    # and after
    "rest_to_rest": LawType(
        "Rest to rest", (_p("start", "Start", OWN), _p("end", "End", OWN), _BEGIN, _LASTS)
    ),
    # pieces through the points (model/laws/interpolation.py), constant outside
    "table": LawType("Table", (), points=True),
    # cam follower: level at 0, up by lift over rise, level over dwell, down over fall, level for
    # the rest of the turn; 3-4-5 polynomials
    "cam": LawType(
        "Rise and return",
        (
            _p("lift", "Lift", OWN),
            _p("begin", "Rise from", "angle"),
            _p("rise", "Rise over", "angle", 1.5707963267948966, 1e-6),
            _p("dwell", "Dwell over", "angle", 0.7853981633974483, 0.0),
            _p("fall", "Fall over", "angle", 1.5707963267948966, 1e-6),
        ),
        periodic=True,
    ),
    # wheel of a Geneva drive (model/laws/geneva.py).  slots: negative where the axes of crank and
    # wheel point in opposite directions.  middle: angle of the crank at which its pin is half way
    # through a slot, on the line of the axes
    "geneva": LawType("External Geneva", _GENEVA, periodic=True),
    "inner_geneva": LawType("Internal Geneva", _GENEVA, periodic=True),
    # typed text of t, and for forces of x, v and the joints' coordinates (model/laws/evaluation.py,
    # variables)
    "expression": LawType("Expression", (), text=True),
}
