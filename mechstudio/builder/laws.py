"""Laws as a script writes them: how a drive, a cam or a number of a force runs over the time or over an angle.

    m.drive("motor", hinge, speed=ms.ramp(0, "60 rpm", duration="2 s"))
    m.force("motor_torque", "push", joint=hinge, torque=ms.sine("3 N*m", "2 Hz"))

Each returns a LawOf, which becomes a law once it is clear what it rules and so what its numbers mean.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mechstudio.model import expression
from mechstudio.model.law_types import LAW_TYPES, OWN, VARIABLE
from mechstudio.model.laws import VARIABLES
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity

from .collector import Collector
from .geometry import Number

NAMED_BY_LAWS = ("t", "a", "x", "v")       # what a text may name beside parameters and joints: it is an expression then


class LawOf(NamedTuple):
    """A law whose numbers are as typed.  numbers: by name; points: (variable, value) of a table; text: of an expression."""

    type: str
    numbers: Mapping[str, Number] = {}
    points: tuple[tuple[Number, Number], ...] = ()
    text: str = ""


Ruled = Number | LawOf


def constant(value: Number) -> LawOf:
    """Always the same value."""
    return LawOf("constant", {"value": value})


def ramp(start: Number, end: Number, *, duration: Number = "1 s", begin: Number = 0) -> LawOf:
    """`start` until `begin`, then in a straight line to `end` within `duration`."""
    return LawOf("ramp", {"start": start, "end": end, "begin": begin, "duration": duration})


def sine(amplitude: Number, frequency: Number, *, offset: Number = 0, phase: Number = 0) -> LawOf:
    """offset + amplitude sin(2 pi frequency t + phase); frequency in Hz, or a text such as "2 Hz"."""
    return LawOf("sine", {"offset": offset, "amplitude": amplitude, "frequency": frequency, "phase": phase})


def rest_to_rest(end: Number, *, duration: Number = "1 s", start: Number = 0, begin: Number = 0) -> LawOf:
    """From `start` to `end` without a jerk at either: 10 s^3 - 15 s^4 + 6 s^5, at rest before and after."""
    return LawOf("rest_to_rest", {"start": start, "end": end, "begin": begin, "duration": duration})


def table(*points: tuple[Number, Number]) -> LawOf:
    """A smooth curve through points (variable, value), level before the first and after the last."""
    return LawOf("table", points=points)


def rise_and_return(lift: Number, *, begin: Number = 0, rise: Number = "90 deg", dwell: Number = "45 deg", fall: Number = "90 deg") -> LawOf:
    """A cam's follower: up by `lift` over the angle `rise`, level over `dwell`, down over `fall`, level for the rest of the turn."""
    return LawOf("cam", {"lift": lift, "begin": begin, "rise": rise, "dwell": dwell, "fall": fall})


def expression_of(text: str) -> LawOf:
    """A formula of the time t (of the angle a, for a cam), of parameters, and for a force of its own x and v and of the joints' coordinates."""
    return LawOf("expression", text=text)


class Laws(Collector):
    """What turns a LawOf into a law."""

    def law(self, given: Ruled, own: str, variable: str, what: str) -> Law:
        """A law whose value has the dimension `own`, over a variable of the dimension `variable`; a plain number is a constant."""
        if not isinstance(given, LawOf):
            given = expression_of(given) if self._names_a_variable(given) else constant(given)
        kind = LAW_TYPES[given.type]
        dimensions = {p.name: {OWN: own, VARIABLE: variable}.get(p.dimension, p.dimension) for p in kind.parameters}
        numbers = {name: self.quantity(number, dimensions[name], f"{what}, {name}") for name, number in given.numbers.items()}
        for p in kind.parameters:
            if p.name in numbers and numbers[p.name].value < p.least:
                raise ValueError(f"{what}: {p.label.lower()} must be {'larger than zero' if p.least > 0 else 'at least 0'}.")
        points = tuple((self.quantity(s, variable, f"{what}, point {k + 1}"), self.quantity(f, own, f"{what}, point {k + 1}")) for k, (s, f) in enumerate(given.points))
        if kind.points and (len(points) < 2 or any(b[0].value <= a[0].value for a, b in zip(points, points[1:]))):
            raise ValueError(f"{what}: a table needs at least two points, each later than the one before.")
        if kind.text:
            self._check_text(given.text, own, variable, what)
            # the parameters that a text names stand beside it with their values
            numbers = {name: Quantity(self.parameters[name].value.value, name) for name in sorted(expression.names_in(given.text, VARIABLES)) if name in self.parameters}
        return Law(given.type, numbers, points, given.text)

    def _names_a_variable(self, given: Any) -> bool:
        """Whether a text is one of a variable and not of parameters alone."""
        return isinstance(given, str) and any(n in NAMED_BY_LAWS and n not in self.parameters for n in expression.names_in(given, VARIABLES))

    def _check_text(self, text: str, own: str, variable: str, what: str) -> None:
        """Raises ValueError for a text that no law can be."""
        if not text.strip():
            raise ValueError(f"{what}: the expression is empty.")


