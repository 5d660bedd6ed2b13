"""Synthesis: linkages whose path, function or motion is requested."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.model.project import Project
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.synthesis.refinement import Candidate


class Synthesised(NamedTuple):
    """A linkage that was found.

    type: of it.  error: root mean square of what is missed [m], of a function [rad, m]; worst: the
    greatest of it.  transmission [rad]: least angle between links that push each other.  turns: the
    crank can turn all the way round.  numbers: its dimensions by name [m, rad].  project: its
    drawing, at the first position, the crank driven by 1 rad/s.
    """

    type: str
    error: float
    transmission: float
    turns: bool
    numbers: dict[str, float]
    project: Project
    worst: float


def synthesise_path(
    points: Sequence[Sequence[float]],
    linkage: str = "four_bar",
    *,
    closed: bool = False,
    turn: bool = True,
    transmission: float = math.radians(20.0),
    lengths: tuple[float, float] | None = None,
    region: tuple[float, float, float, float] | None = None,
    timing: Sequence[float] | None = None,
    most: int = 10,
    seed: int = 1,
    progress: Callable[[float], bool] | None = None,
) -> list[Synthesised]:
    """Linkages with a point of a coupler that goes through points, the best first.

    points: (x, z) of the front plane in their order [m].  linkage: "four_bar", "slider_crank",
    "stephenson", "watt" or "watt_second".  closed: the last point leads to the first again.  turn:
    the crank must be able to turn all the way round.  transmission [rad]: least angle between links
    that push each other.  lengths [m]: least and greatest of links between pins.  region [m]: least
    x and z and greatest x and z of pivots on ground.  timing [rad]: crank angle between the first
    point and each; without it they are free.  most: of the linkages.  seed: of the random linkages
    from which the search goes.  progress: hears the share that is done, and gives False to stop
    with what there is.
    Every linkage goes through the points in their order, on one circuit, without a dead centre.
    Raises ValueError with one sentence.

        >>> line = [(0.02, 0.02 + 0.005 * k) for k in range(6)]
        >>> best = ms.synthesise_path(line, transmission=0.5)[0]
        >>> best.error < 1e-5, best.turns
        (True, True)
    """
    from mechstudio.synthesis import conditions, path
    from mechstudio.synthesis.refinement import Task

    _check(most)
    conditions.check(seed, transmission, lengths, region)
    target = np.array([complex(*p) for p in points])
    task = Task(
        closed,
        turn,
        lengths,
        region,
        None if timing is None else tuple(t - timing[0] for t in timing),
        math.sin(transmission),
    )
    found = path.generate(target, linkage, task, seed, progress=progress or (lambda _: True))
    return _drawn(found[:most], target)


def synthesise_function(
    inputs: Sequence[float],
    outputs: Sequence[float],
    linkage: str = "four_bar",
    *,
    turn: bool = False,
    transmission: float = math.radians(20.0),
    base: float = 0.1,
    most: int = 10,
    seed: int = 1,
    progress: Callable[[float], bool] | None = None,
) -> list[Synthesised]:
    """Linkages whose output follows the crank as requested, the best first.

    inputs [rad]: positions of the crank.  outputs: of the last link on ground [rad], of a
    slider-crank its slide [m]; both count from their first.  linkage: "four_bar", "slider_crank",
    "stephenson" or "watt_second".  base [m]: between the pivots of crank and rocker.  The others
    are those of `synthesise_path`.  Raises ValueError with one sentence.

        >>> import math
        >>> x = [k / 20 for k in range(21)]
        >>> inputs = [math.radians(60) * v for v in x]
        >>> best = ms.synthesise_function(inputs, [math.radians(90) * v * v for v in x])[0]
        >>> math.degrees(best.error) < 0.1
        True
    """
    from mechstudio.synthesis import conditions, function
    from mechstudio.synthesis.refinement import Task

    _check(most)
    conditions.check(seed, transmission, base=base)
    task = Task(turn=turn, transmission=math.sin(transmission))
    found = function.generate(
        inputs, outputs, linkage, task, base, seed, progress=progress or (lambda _: True)
    )
    return _drawn(found[:most], None)


def synthesise_motion(
    points: Sequence[Sequence[float]],
    angles: Sequence[float],
    linkage: str = "four_bar",
    *,
    turn: bool = False,
    transmission: float = math.radians(20.0),
    lengths: tuple[float, float] | None = None,
    region: tuple[float, float, float, float] | None = None,
    most: int = 10,
    seed: int = 1,
    progress: Callable[[float], bool] | None = None,
) -> list[Synthesised]:
    """Linkages with a link that goes through poses: four-bars through three to five of them
    exactly; through more, and for other linkages, by least squares.  Those that are exact come
    first, by their transmission, then the others by their error.

    points: (x, z) of the front plane [m].  angles [rad]: of the link at each, from x to z.
    The others are those of `synthesise_path`.  Raises ValueError with one sentence.

        >>> poses = [(0.0, 0.0), (0.05, 0.03), (0.11, 0.04), (0.18, 0.02)]
        >>> found = ms.synthesise_motion(poses, [0.0, 0.2, 0.5, 0.9])
        >>> all(one.error < 1e-9 for one in found)
        True
    """
    from mechstudio.synthesis import conditions, motion
    from mechstudio.synthesis.refinement import Task

    _check(most)
    conditions.check(seed, transmission, lengths, region)
    target = np.array([complex(*p) for p in points])
    task = Task(False, turn, lengths, region, None, math.sin(transmission))
    found = motion.generate(
        target, angles, linkage, task, seed, progress=progress or (lambda _: True)
    )
    return _drawn(found[:most], target)


def _check(most: int) -> None:
    """Raises ValueError with one sentence for a list that nothing can be in."""
    if most < 1:
        raise ValueError(tr("The number of linkages is at least 1, not {n}.", n=most))


def _drawn(found: "Sequence[Candidate]", target: np.ndarray | None) -> list[Synthesised]:
    from mechstudio.synthesis.drawing import drawing

    return [
        Synthesised(
            c.linkage.type,
            c.error,
            math.asin(min(1.0, c.transmission)),
            c.turns,
            c.linkage.values(),
            drawing(c.linkage, target),
            c.worst,
        )
        for c in found
    ]
