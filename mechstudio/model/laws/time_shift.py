"""Laws read from another instant on."""

import math

import msgspec

from mechstudio.model.formulas.grammar import with_names
from mechstudio.model.laws.evaluation import TIME, VARIABLES
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity

replace = msgspec.structs.replace


def later(law: Law, time: float) -> Law:
    """The law f(t + time) of a law f(t); time [s]."""
    if not time:
        return law
    if law.type == "expression":
        text = with_names(law.text, {TIME: f"({TIME} + {time!r} s)"}, VARIABLES)
        return replace(law, text=text)
    numbers = dict(law.parameters)
    if law.type == "sine":
        turn = 2.0 * math.pi * _value(numbers, "frequency", 1.0) * time
        numbers["phase"] = Quantity(math.remainder(_value(numbers, "phase") + turn, 2.0 * math.pi))
    elif law.type != "constant" and "begin" in numbers:
        numbers["begin"] = Quantity(numbers["begin"].value - time)
    elif law.type in ("ramp", "rest_to_rest", "cam"):
        numbers["begin"] = Quantity(-time)
    points = tuple((Quantity(s.value - time), f) for s, f in law.points)
    return replace(law, parameters=numbers, points=points)


def _value(numbers: dict[str, Quantity], name: str, otherwise: float = 0.0) -> float:
    return numbers[name].value if name in numbers else otherwise
