"""Numbers of a force as drawn, at the start of a run: those that follow laws are read there."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from mechstudio.files.exchange.chains import coordinate_values
from mechstudio.model.geometry.rotation import Pose, Triple, compose, minus
from mechstudio.model.laws.evaluation import (
    OWN_COORDINATE,
    OWN_RATE,
    POINT,
    RATE,
    jet,
    variables,
)
from mechstudio.model.mechanism import Force, Frame, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES, JOINT
from mechstudio.translation import tr


class StartNumbers(NamedTuple):
    """numbers: of a force by name [SI], 0 for those in `unknown`: names of the parameters whose
    laws have no finite value as drawn.
    """

    numbers: dict[str, float]
    unknown: tuple[str, ...]


def start_numbers(mechanism: Mechanism, force: Force, poses: Mapping[str, Pose]) -> StartNumbers:
    """Numbers of a force at the start, with the bodies at poses in W; defaults where none are
    given.
    """
    parameters = FORCE_TYPES[force.type].parameters
    out = {p.name: float(p.default) for p in parameters if isinstance(p.default, float | int)}
    out |= {name: q.value for name, q in force.parameters.items()}
    unknown: list[str] = []
    known = _drawn_values(mechanism, force, poses) if force.laws else {}
    for name, law in force.laws.items():
        try:
            value = jet(law, mechanism.start.value, known)[0]
        except (KeyError, ValueError, ArithmeticError):
            value = math.nan
        if not math.isfinite(value):
            unknown.append(name)
        out[name] = value if math.isfinite(value) else 0.0
    return StartNumbers(out, tuple(unknown))


def unknown_numbers(force: Force, found: StartNumbers) -> list[str]:
    """Sentences about numbers without a value at the start."""
    labels = {p.name: tr(p.label) for p in FORCE_TYPES[force.type].parameters}
    return [
        tr(
            "{number} of force {name} follows what is not known as drawn, and is 0 in the file.",
            name=force.name or force.id,
            number=labels[name],
        )
        for name in found.unknown
    ]


def _drawn_values(
    mechanism: Mechanism, force: Force, poses: Mapping[str, Pose]
) -> dict[str, float]:
    """Values of what the laws of a force may name beside the time, where known: no rates of the
    ends of a force between two points or of a point on a body.
    """
    at_joint = FORCE_TYPES[force.type].attachment == JOINT
    a, b = (
        None if frame is None else _place(mechanism, frame, poses)
        for frame in (force.frame_a, force.frame_b)
    )
    out: dict[str, float] = {}
    for name, variable in variables(mechanism, force).items():
        kind, joint, number = variable.kind, variable.joint, variable.place
        if at_joint and kind in (OWN_COORDINATE, OWN_RATE):
            joint, number = force.joint, force.coordinate
        if joint:
            out[name] = _of_joint(mechanism, joint, number, kind in (RATE, OWN_RATE), poses)
        elif kind == OWN_COORDINATE and a is not None and b is not None:
            out[name] = math.hypot(*minus(b, a))
        elif kind == POINT and number < 3 and b is not None:
            out[name] = b[number]
    return out


def _place(mechanism: Mechanism, frame: Frame, poses: Mapping[str, Pose]) -> Triple:
    return compose(poses[frame.body], mechanism.frame_in_body(frame))[0]


def _of_joint(
    mechanism: Mechanism, id: str, place: int, rate: bool, poses: Mapping[str, Pose]
) -> float:
    joint = mechanism.joints[id]
    if rate:
        return joint.rates[place].value if joint.rates else 0.0
    return coordinate_values(mechanism, joint, poses)[place]
