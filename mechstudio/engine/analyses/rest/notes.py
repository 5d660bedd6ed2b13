"""Sentences on what analyses of rest and of small motions take as it is: stops, friction that
sticks, and laws of the time.
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.system.stops import Stop, stop_name
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import POSITION, Drive, Force, Mechanism
from mechstudio.model.types.forces import sticks
from mechstudio.model.units import format_number
from mechstudio.translation import Words, comma, tr, trn

VERDICTS: dict[bool | None, Words] = {True: "stable", False: "unstable", None: "neutral"}
DOUBTFUL: Words = "doubtful"
AGAINST: Words = "against a stop"
MOMENTARY: Words = "momentary"
# s after an instant at which a drive shows whether its speed changes
LATER = (0.0, 0.017, 0.13, 0.71, 1.9)
STEADY = 1e-9  # largest acceleration over the largest number of a law that is none


def _reads_time(mechanism: Mechanism, element: Drive | Force) -> bool:
    """True if a law of an element changes with the time."""
    laws = [element.law] if isinstance(element, Drive) else list(element.laws.values())
    known = evaluation.variables(mechanism, element)
    return any(
        any(known[n].kind == evaluation.CLOCK for n in evaluation.names(law.text) if n in known)
        if law.type == "expression"
        else law.type != "constant"
        for law in laws
    )


def _moves(mechanism: Mechanism, drive: Drive) -> bool:
    """True if a drive moves its joint at some time."""
    if _reads_time(mechanism, drive):
        return True
    return drive.quantity != POSITION and evaluation.jet(drive.law, 0.0)[0] != 0.0


def _keeps_speed(mechanism: Mechanism, drive: Drive, time: float) -> bool:
    """True if a drive turns or slides at one speed, so that nothing changes but the pose."""
    if not _reads_time(mechanism, drive):
        return drive.quantity in (POSITION, "velocity") or not _moves(mechanism, drive)
    if drive.law.type != "expression":
        return False
    jets = np.array(evaluation.jets(drive.law, [time + s for s in LATER]))
    changes = jets[:, 2] if drive.quantity == POSITION else jets[:, 1]
    return bool(np.abs(changes).max() <= STEADY * max(np.abs(jets).max(), 1e-300))


def _listed(elements: Sequence[Drive | Force]) -> str:
    return comma().join(e.name for e in elements)


def momentary_rest(mechanism: Mechanism) -> tuple[Drive | Force, ...]:
    """Forces whose laws change with the time and drives that move: what rests does so for an
    instant.
    """
    forces = [f for f in mechanism.forces.values() if _reads_time(mechanism, f)]
    drives = [d for d in mechanism.drives.values() if d.enabled and _moves(mechanism, d)]
    return (*forces, *drives)


def momentary_equilibria(elements: Sequence[Drive | Force], time: float) -> str:
    """Sentence on equilibria among laws of the time."""
    return tr(
        "The motion in time of {names} stands still at t = {time} s: these are momentary "
        "equilibria, of that instant alone.",
        names=_listed(elements),
        time=format_number(time),
    )


def momentary_motions(mechanism: Mechanism, time: float) -> tuple[str, ...]:
    """Sentence on small motions among laws of the time, where there are any."""
    elements: list[Drive | Force] = [
        f for f in mechanism.forces.values() if _reads_time(mechanism, f)
    ]
    elements += [
        d
        for d in mechanism.drives.values()
        if d.enabled and _moves(mechanism, d) and not _keeps_speed(mechanism, d, time)
    ]
    if not elements:
        return ()
    return (
        tr(
            "The motion in time of {names} is taken at t = {time} s: rest, growth and frequencies "
            "are of that instant alone.",
            names=_listed(elements),
            time=format_number(time),
        ),
    )


def sticking(mechanism: Mechanism) -> tuple[Force, ...]:
    """Friction that holds what is at rest."""
    return tuple(force for force in mechanism.forces.values() if sticks(force))


def sticking_motions(mechanism: Mechanism) -> tuple[str, ...]:
    """Sentence on small motions where friction sticks."""
    if not (found := sticking(mechanism)):
        return ()
    return (
        tr(
            "Friction that sticks in a run ({names}) is smoothed below a small speed here: it "
            "holds nothing at rest, and what it would hold creeps.",
            names=_listed(found),
        ),
    )


def sticking_equilibria(mechanism: Mechanism) -> tuple[str, ...]:
    """Sentence on equilibria where friction sticks."""
    if not (found := sticking(mechanism)):
        return ()
    return (
        tr(
            "Friction that sticks in a run ({names}) is smoothed below a small speed here and "
            "holds nothing: in a run there are intervals of rest about each of these, stable or "
            "not.",
            names=_listed(found),
        ),
    )


def stops_of_equilibria(
    mechanism: Mechanism,
    against: Sequence[tuple[int, Stop]],
    passed: Sequence[Stop],
    unlooked: bool,
) -> tuple[str, ...]:
    """Sentences on stops.  against: numbers in the list that rest against one.  passed: stops
    beyond which others lie.  unlooked: True if rests against stops were not looked for.
    """
    out = []
    for stop in dict.fromkeys(stop for _, stop in against):
        numbers = [k for k, other in against if other == stop]
        out.append(
            trn(
                "Number {numbers} of the list rests against {stop}: loads press it there.",
                "Numbers {numbers} of the list rest against {stop}: loads press them there.",
                len(numbers),
                numbers=comma().join(map(str, numbers)),
                stop=stop_name(mechanism, stop),
            )
        )
    if passed:
        out.append(
            tr(
                "Others lie beyond {stops}; they are left out, since the mechanism does not get "
                "there.",
                stops=comma().join(stop_name(mechanism, s) for s in dict.fromkeys(passed)),
            )
        )
    if unlooked:
        out.append(
            tr(
                "Rests against stops are looked for only where one coordinate decides: here those "
                "between the stops are listed alone."
            )
        )
    return tuple(out)
