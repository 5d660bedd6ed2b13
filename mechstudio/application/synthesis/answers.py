"""Found linkages, with their shown curves."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.protocol.synthesis_messages import (
    FUNCTION,
    MOTION,
    LinkageFound,
    SynthesisTask,
)
from mechstudio.synthesis import function
from mechstudio.synthesis.defects import ordered
from mechstudio.synthesis.linkages import LINKAGES, Linkage, LinkageType
from mechstudio.synthesis.motion import best_first
from mechstudio.synthesis.refinement import Candidate, distinct

POSES = 121  # of a motion that is shown
MOST = 12  # linkages that are shown


class Answer(NamedTuple):
    """A linkage over its motion.

    candidate: with errors and transmission.  pins (k,) x + i z [m]: by name, over the motion;
    curve (k,): of the tracer.  size [m]: width and height of all moving parts.  output: crank
    angles (n,) [rad] and output (n,) [rad, m] of a function, from the first position on.
    """

    candidate: Candidate
    pins: dict[str, np.ndarray]
    curve: np.ndarray
    size: tuple[float, float]
    output: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def kind(self) -> LinkageType:
        """Type of the linkage, with its links and pins."""
        return LINKAGES[self.candidate.linkage.type]

    @property
    def turns(self) -> bool:
        """True if the motion is a whole turn of the crank, else it goes to and fro."""
        return self.candidate.turns

    @property
    def transmission(self) -> float:
        """Least angle [rad] between links that push each other."""
        return math.asin(min(1.0, self.candidate.transmission))


def candidate_of(found: LinkageFound) -> Candidate:
    """The candidate of a message."""
    linkage = Linkage(
        found.kind, np.array(found.parameters), np.array(found.sides), np.array(found.angles)
    )
    return Candidate(linkage, found.error, found.transmission, found.turns, found.worst)


def result_of(candidate: Candidate, purpose: str) -> Answer:
    """A linkage with its curves."""
    linkage = candidate.linkage
    own = ordered(linkage.angles)
    angles = linkage.angles if own is None else own
    if candidate.turns:
        way = 1.0 if angles[-1] >= angles[0] else -1.0
        shown = angles[0] + way * np.linspace(0.0, 2 * math.pi, POSES)
    else:
        shown = np.linspace(angles[0], angles[-1], POSES)
    pins = linkage.place(shown).pins
    every = np.concatenate(list(pins.values()))
    output = None
    if purpose == FUNCTION:
        fine = np.linspace(0.0, len(angles) - 1.0, 4 * (len(angles) - 1) + 1)
        at = np.interp(fine, np.arange(len(angles)), angles)
        output = (at - at[0], function.followed(linkage._replace(angles=at)))
    return Answer(
        candidate,
        pins,
        pins[LINKAGES[linkage.type].tracer],
        (float(np.ptp(np.real(every))), float(np.ptp(np.imag(every)))),
        output,
    )


def best(found: Sequence[Candidate], task: SynthesisTask) -> list[Candidate]:
    """The best distinct linkages, by their errors, of exact motions by their transmission."""
    if not found:
        return []
    points = np.array([complex(*p) for p in task.points] or [0.0, task.base])
    size = float(np.ptp(np.real(points)) + np.ptp(np.imag(points)))
    if task.purpose == MOTION:
        return distinct(best_first(found, size), size)[:MOST]
    return distinct(sorted(found, key=lambda c: c.error), size)[:MOST]
