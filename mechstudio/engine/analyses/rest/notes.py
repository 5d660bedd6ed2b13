"""Sentences on stops at poses of rest, and words for these."""

from collections.abc import Sequence

from mechstudio.engine.system.stops import Stop, stop_name
from mechstudio.model.mechanism import Mechanism
from mechstudio.translation import Words, comma, tr, trn

VERDICTS: dict[bool | None, Words] = {True: "stable", False: "unstable", None: "neutral"}
DOUBTFUL: Words = "doubtful"
AGAINST: Words = "against a stop"


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
