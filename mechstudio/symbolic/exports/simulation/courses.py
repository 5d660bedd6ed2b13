"""Courses of a drawing: those of its drives, and of the numbers of forces that follow the time."""

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mechstudio.model.laws import evaluation
from mechstudio.model.laws.time_shift import later
from mechstudio.symbolic.exports.motion_laws import MotionLaws, rate_symbol, reads_motion
from mechstudio.symbolic.exports.simulation.course import Course
from mechstudio.symbolic.exports.simulation.knots import driven, instants, laid_out
from mechstudio.symbolic.instants.start import Sample, Start

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

ROUGH = 1e-6  # share of the acceleration that a course may miss between its instants


def courses_of(
    derivation: "DerivedEquations", duration: float, values: Start
) -> tuple[Course, ...]:
    """The courses of a drawing over a duration [s].  values: (value, rate) of all joints'
    coordinates at the start; those that are missing are as drawn.
    """
    mechanism = derivation.plan.mechanism
    begin = mechanism.start.value
    names = {
        (next(iter(s.sources), ""), s.letter): derivation.names.p[s.index].name
        for s in derivation.plan.symbols.all
        if s.index in derivation.names.p
    }
    out = []
    for drive in mechanism.drives.values():
        place, acceleration = names.get((drive.id, "x_d"), ""), names.get((drive.id, "a_d"), "")
        if drive.enabled and place:
            drive = msgspec.structs.replace(drive, law=later(drive.law, begin))
            begun = values.get((drive.joint, drive.coordinate), (derivation.values[place], 0.0))
            course = laid_out(
                place,
                acceleration,
                lambda times, drive=drive, begun=begun: driven(drive, times, *begun),
                instants(drive.law, duration),
                (1e-9, 1e-8, ROUGH),
            )
            out.append(
                msgspec.structs.replace(
                    course, drive=drive.id, law=drive.law, quantity=drive.quantity
                )
            )
    followed = law_symbols(derivation)
    for force in mechanism.forces.values():
        for parameter, law in force.laws.items():
            name = followed.get((force.id, parameter), "")
            rate = followed.get((force.id, rate_symbol(force, parameter)), "")
            if not name or reads_motion(mechanism, force, law):
                continue
            law = later(law, begin)
            course = laid_out(
                name,
                "",
                lambda times, law=law: np.array(evaluation.jets(law, times)).T,
                instants(law, duration),
                (1e-9, 1e-9 if rate else math.inf, math.inf),
            )
            out.append(msgspec.structs.replace(course, rate=rate, law=law))
    return tuple(out)


def law_symbols(derivation: "DerivedEquations") -> dict[tuple[str, str], str]:
    """Names of the symbols of numbers that follow a law, and of their rates, by (force, number)."""
    known = derivation.names.p
    return {
        (load.force.id, parameter): known[index].name
        for load in derivation.setting.loads.loads
        for parameter, index in load.followed.items()
        if index in known
    }


def held_numbers(
    derivation: "DerivedEquations",
    laws: MotionLaws,
    q: np.ndarray,
    v: np.ndarray,
    sample: Sample | None,
) -> dict[str, float]:
    """Values at the start of the numbers that programs hold, by symbol, with rates of zero."""
    from mechstudio.symbolic.instants.prescribed import Followed
    from mechstudio.symbolic.instants.states import frames
    from mechstudio.symbolic.methods.sampling import Values

    poses, J = frames(derivation, q)
    row, layout = sample or (None, None)
    begin = derivation.plan.mechanism.start.value
    twists = (J @ v).reshape(-1, 6)
    found = Followed(derivation).at(
        Values(derivation, q, v), q, v, begin, poses, twists, row, layout
    )
    names = law_symbols(derivation)
    loads = {load.force.id: load for load in derivation.setting.loads.loads}
    out: dict[str, float] = {}
    for force, parameter in laws.held:
        load = loads[force]
        out[names[force, parameter]] = found[load.followed[parameter]]
        if rate := names.get((force, rate_symbol(load.force, parameter)), ""):
            out[rate] = 0.0
    return out
