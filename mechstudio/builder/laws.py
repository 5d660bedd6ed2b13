"""Laws as a script writes them: how a drive, a cam or a number of a force runs over the time or
over an angle.

    m.drive("motor", hinge, speed=ms.ramp(0, "60 rpm", duration="2 s"))
    m.force("motor_torque", "push", joint=hinge, torque=ms.sine("3 N*m", "2 Hz"))

Each returns a LawOf, which becomes a law once it is clear what it rules and so what its numbers
mean.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, known_type
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import Coupling, Drive, Force, Law
from mechstudio.model.types.laws import LAW_TYPES, OWN, VARIABLE
from mechstudio.translation import comma, tr


class LawOf(NamedTuple):
    """A law whose numbers are as typed.  numbers: by name; points: (variable, value) of a table;
    text: of an expression.

    between: of a table, key of TABLE_KINDS; "" for the usual one.
    """

    type: str
    numbers: Mapping[str, Number] = {}
    points: tuple[tuple[Number, Number], ...] = ()
    text: str = ""
    between: str = ""


Ruled = Number | LawOf


def law_of(
    type: str,
    *points: tuple[Number, Number],
    text: str = "",
    between: str = "",
    **numbers: Number,
) -> LawOf:
    """A law of any type of LAW_TYPES, its numbers by name; points and between: of a table, text: of
    an expression.  Raises ValueError with the types and numbers that there are.

        >>> ms.law("sine", amplitude="10 deg", frequency="1 Hz").type
        'sine'
    """
    kind = known_type(LAW_TYPES, type, "law")
    if unknown := numbers.keys() - {p.name for p in kind.parameters}:
        raise ValueError(
            tr(
                "A law of the type {type} takes {numbers}, not {unknown}.",
                type=type,
                numbers=comma().join(p.name for p in kind.parameters) or tr("no number"),
                unknown=comma().join(sorted(unknown)),
            )
        )
    return LawOf(type, numbers, points, text, between)


def constant(value: Number) -> LawOf:
    """Always the same value.

    >>> ms.constant("30 deg/s").type
    'constant'
    """
    return LawOf("constant", {"value": value})


def ramp(start: Number, end: Number, *, duration: Number = "1 s", begin: Number = 0) -> LawOf:
    """`start` until `begin`, then in a straight line to `end` within `duration`.

    >>> ms.ramp(0, "90 deg", duration="2 s").numbers["duration"]
    '2 s'
    """
    return LawOf("ramp", {"start": start, "end": end, "begin": begin, "duration": duration})


def sine(amplitude: Number, frequency: Number, *, offset: Number = 0, phase: Number = 0) -> LawOf:
    """offset + amplitude sin(2 pi frequency t + phase); frequency in Hz, or a text such as "2
    Hz".

        >>> ms.sine("10 N", "2 Hz").numbers["frequency"]
        '2 Hz'
    """
    return LawOf(
        "sine", {"offset": offset, "amplitude": amplitude, "frequency": frequency, "phase": phase}
    )


def rest_to_rest(
    end: Number, *, duration: Number = "1 s", start: Number = 0, begin: Number = 0
) -> LawOf:
    """From `start` to `end` without a jerk at either: 10 s^3 - 15 s^4 + 6 s^5, at rest before and
    after.

        >>> ms.rest_to_rest("90 deg", duration="1.5 s").type
        'rest_to_rest'
    """
    return LawOf("rest_to_rest", {"start": start, "end": end, "begin": begin, "duration": duration})


def table(*points: tuple[Number, Number], between: str = "") -> LawOf:
    """A curve through points (variable, value), level before the first and after the last.

    between: "monotone" never swings beyond neighbouring points and is usual for forces, torques,
    speeds and accelerations; "spline" has a steady acceleration and is usual for places; "straight"
    for straight pieces, "steps" for values that hold up to the next point.

        >>> ms.table((0, 0), ("1 s", "20 mm"), ("2 s", 0)).points
        ((0, 0), ('1 s', '20 mm'), ('2 s', 0))
    """
    return LawOf("table", points=points, between=between)


def rise_and_return(
    lift: Number,
    *,
    begin: Number = 0,
    rise: Number = "90 deg",
    dwell: Number = "45 deg",
    fall: Number = "90 deg",
) -> LawOf:
    """A cam's follower: up by `lift` over the angle `rise`, level over `dwell`, down over `fall`,
    level for the rest of the turn.

        >>> ms.rise_and_return("20 mm", begin="30 deg").type
        'cam'
    """
    return LawOf("cam", {"lift": lift, "begin": begin, "rise": rise, "dwell": dwell, "fall": fall})


def geneva(slots: Number = 4, *, middle: Number = 0, inner: bool = False) -> LawOf:
    """The slotted wheel of a Geneva drive over the angle of its crank.

    slots: at least 3, negative where the axes of crank and wheel point in opposite directions.
    middle: angle of the crank at which its pin is deepest in a slot, on the line of the axes.
    inner: slots inside the wheel, which then turns with the crank instead of against it.

        >>> ms.geneva(6, middle="90 deg").numbers["slots"]
        6
    """
    return LawOf("inner_geneva" if inner else "geneva", {"slots": slots, "middle": middle})


def expression_of(text: str) -> LawOf:
    """A formula of the time t (of the angle a, for a cam), of parameters, and for a force of its
    own x and v and of the joints' coordinates.

        >>> ms.expression("0.2 * sin(3 * t)").text
        '0.2 * sin(3 * t)'
    """
    return LawOf("expression", text=text)


def law(
    draft: Draft, given: Ruled, element: Drive | Coupling | Force, what: str, parameter: str = ""
) -> Law:
    """A law of an element, or of a parameter of a force; a plain number or a text without
    variables is a constant.
    """
    own = texts.law_dimension(draft.mechanism, element, parameter)
    if not isinstance(given, LawOf):
        given = (
            expression_of(str(given))
            if names_a_variable(draft, given, element)
            else constant(given)
        )
    variable = "angle" if isinstance(element, Coupling) else "time"
    kind = LAW_TYPES[given.type]
    dimensions = {
        p.name: {OWN: own, VARIABLE: variable}.get(p.dimension, p.dimension)
        for p in kind.parameters
    }
    numbers = {
        name: draft.quantity(number, dimensions[name], f"{what}, {name}")
        for name, number in given.numbers.items()
    }
    points = tuple(
        (
            draft.quantity(s, variable, tr("{what}, point {number}", what=what, number=k + 1)),
            draft.quantity(f, own, tr("{what}, point {number}", what=what, number=k + 1)),
        )
        for k, (s, f) in enumerate(given.points)
    )
    between = given.between or (texts.usual_table(element, parameter) if kind.points else "")
    made = Law(given.type, numbers, points, given.text, between)
    if reason := texts.reason(draft.mechanism, element, parameter, made, draft.known()):
        raise ValueError(f"{what}: {reason}")
    return texts.bound(made, evaluation.variables(draft.mechanism, element), draft.known())


def names_a_variable(draft: Draft, given: Any, element: Drive | Coupling | Force) -> bool:
    """True if a text names a variable, and not parameters alone."""
    return bool(named_variables(draft, given, element))


def named_variables(draft: Draft, given: Any, element: Drive | Coupling | Force) -> set[str]:
    """Variables that a text names."""
    if not isinstance(given, str):
        return set()
    return evaluation.names(given) & evaluation.variables(draft.mechanism, element).keys()
