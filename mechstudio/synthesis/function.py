"""Function generation: linkages whose output follows the crank by a given function.

The start is the atlas, the measure the structural error: the output less its target, both from
the first position on.  For a four-bar with exact positions the answers obey Freudenstein's equation
(Trans. ASME 77 (1955) 853-861).
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.model.findings import listed
from mechstudio.synthesis import defects
from mechstudio.synthesis.atlas import CURVE, random_linkages
from mechstudio.synthesis.linkages import LINKAGES, OFFSET, Linkage, LinkageType, Placed, moved
from mechstudio.synthesis.refinement import Candidate, Task, distinct, refined
from mechstudio.translation import tr

TYPES = ("four_bar", "slider_crank", "stephenson", "watt_second")  # whose output stands on ground
ATLAS = 8000  # random linkages
STARTS = 60  # of them that are refined
EVALUATIONS, LAST, POLISHED = 80, 400, 5
FINE = 180  # steps between two positions, with which an output that turns round is followed


def generate(
    inputs: Sequence[float] | np.ndarray,
    outputs: Sequence[float] | np.ndarray,
    type: str = "four_bar",
    task: Task = Task(turn=False),
    base: float = 0.1,
    seed: int = 1,
    starts: int = STARTS,
    progress: Callable[[float], bool] = lambda _: True,
    heard: Callable[[Candidate], object] = lambda _: None,
) -> list[Candidate]:
    """Linkages whose output turns (of a slider-crank: moves) from its first position by outputs
    (k,) [rad, m] less the first while the crank turns by inputs (k,) [rad] less the first; the best
    first.

    base [m]: between the pivots of crank and output.  Raises ValueError for fewer than three
    positions, inputs that do not go one way through less than a turn, outputs that stay, and a type
    that is not of TYPES.
    """
    kind, given, target = _checked(inputs, outputs, type)
    spread = float(np.ptp(target))
    timed = task._replace(timing=tuple(given.tolist()), timing_is_signed=True)
    size = base if not kind.slides else spread
    fixed = _fixed(kind)
    found: list[Candidate] = []

    def misses(placed: Placed) -> np.ndarray:
        return _off(kind, placed, target) / spread

    def add(linkage: Linkage | None) -> None:
        if linkage is not None and not defects.defect(linkage, task.turn):
            off = np.abs(followed(linkage) - target)
            error = math.sqrt(float(np.mean(off**2)))
            sine = defects.transmission(linkage, task.turn)
            if sine >= task.transmission:
                found.append(Candidate(linkage, error, sine, linkage.turns, float(off.max())))
                heard(found[-1])

    begun = _starts(kind, given, target, np.random.default_rng(seed), starts, task, base)
    for k, start in enumerate(begun):
        if not progress(k / len(begun)):
            break
        add(refined(type, start, timed, size, misses, EVALUATIONS, fixed))
    for best in distinct(sorted(found, key=lambda c: c.error), size)[:POLISHED]:
        own = best.linkage
        start = (own.parameters, own.sides, own.angles)
        add(refined(type, start, timed, size, misses, LAST, fixed))
    return distinct(sorted(found, key=lambda c: c.error), size)


def _checked(
    inputs: Sequence[float] | np.ndarray, outputs: Sequence[float] | np.ndarray, type: str
) -> tuple[LinkageType, np.ndarray, np.ndarray]:
    if type not in TYPES:
        raise ValueError(
            tr(
                "There is no linkage {type}; there are {known}.",
                type=type,
                known=listed(list(TYPES)),
            )
        )
    given, target = np.asarray(inputs, float), np.asarray(outputs, float)
    if len(given) != len(target):
        raise ValueError(tr("Each position of the crank needs one of the output."))
    if len(given) < 3 or not (np.isfinite(given).all() and np.isfinite(target).all()):
        raise ValueError(tr("A function has at least three positions."))
    given, target = given - given[0], target - target[0]
    steps = np.diff(given)
    if not ((steps > 0).all() or (steps < 0).all()) or abs(given[-1]) >= 2 * np.pi:
        raise ValueError(tr("The crank goes one way, through less than a turn."))
    if np.ptp(target) == 0.0:
        raise ValueError(tr("The output does not move."))
    return LINKAGES[type], given, target


def _fixed(kind: LinkageType) -> np.ndarray:
    """True (n,) for numbers that do not change the output: where the linkage stands, and where its
    last link has a tracer.
    """
    still = {"Ox", "Oy", "Qx", "Qy", "direction", *_tracer(kind)}
    return np.array([name in still for name in kind.names])


def _tracer(kind: LinkageType) -> list[str]:
    """Names of the numbers of the tracer."""
    return [kind.names[k] for k in kind.kinds(OFFSET)][-2:]


def _output(kind: LinkageType, placed: Placed) -> np.ndarray:
    """Direction (..., k) of the output as a unit complex number, or the place [m] of a slider."""
    if kind.slides:
        return np.real(placed.pins[kind.slides])
    pivot, pin = (placed.pins[name] for name in kind.output)
    line = pin - pivot
    return line / np.maximum(np.abs(line), 1e-300)


def _off(kind: LinkageType, placed: Placed, target: np.ndarray) -> np.ndarray:
    """Output less its target (..., k), both from the first position on [rad, m]."""
    output = _output(kind, placed)
    if kind.slides:
        return output - output[..., :1] - target
    return np.angle(output / output[..., :1] * np.exp(-1j * target))


def followed(linkage: Linkage) -> np.ndarray:
    """Output (k,) [rad, m] from the first position on, with the whole turns that it makes between
    the positions.
    """
    kind = LINKAGES[linkage.type]
    if kind.slides:
        output = _output(kind, linkage.place(linkage.angles))
        return output - output[0]
    angles = linkage.angles
    way = np.arange(len(angles))
    fine = np.linspace(0.0, len(angles) - 1.0, FINE * (len(angles) - 1) + 1)
    output = _output(kind, linkage.place(np.interp(fine, way, angles)))
    turned = np.concatenate(([0.0], np.cumsum(np.angle(output[1:] / output[:-1]))))
    return turned[::FINE]


def _starts(
    kind: LinkageType,
    given: np.ndarray,
    target: np.ndarray,
    rng: np.random.Generator,
    starts: int,
    task: Task,
    base: float,
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Parameters, sides and crank angles of the linkages of the atlas that come nearest."""
    p, sides, *_ = random_linkages(kind, ATLAS, rng, task.turn)
    p = _standing(kind, p, base)
    step = 2 * np.pi / CURVE
    placed = kind.place(p, sides, np.tile(np.arange(CURVE) * step, (len(p), 1)))
    output = _output(kind, placed)
    best = np.full(len(p), np.inf)
    first_angle, factor = np.zeros(len(p)), np.ones(len(p))
    for first in range(CURVE):
        at = (first + given / step) % CURVE
        places = np.floor(at).astype(int) % CURVE
        part = at - np.floor(at)
        around = (places + 1) % CURVE
        own = output[:, places] * (1 - part) + output[:, around] * part
        room = np.minimum(placed.room[:, places], placed.room[:, around]).min(axis=1)
        if kind.slides:
            own = own - own[:, :1]
            scale = (own @ target) / np.maximum((own**2).sum(axis=1), 1e-30)
            # a slide that goes the other way is another linkage of the atlas
            scale = np.maximum(scale, 1e-9)
            error = ((own * scale[:, None] - target) ** 2).sum(axis=1)
        else:
            scale = np.ones(len(p))
            error = (np.angle(own / own[:, :1] * np.exp(-1j * target)) ** 2).sum(axis=1)
        error = np.where(room > 0.0, error, np.inf)
        better = error < best
        best[better], first_angle[better] = error[better], first * step
        factor[better] = scale[better]
    out = []
    for k in np.argsort(best)[:starts].tolist():
        if np.isfinite(best[k]):
            q = moved(kind, p[k], np.array(factor[k] + 0j), np.array(0j)) if kind.slides else p[k]
            out.append((q, sides[k], first_angle[k] + given))
    return out


def _standing(kind: LinkageType, p: np.ndarray, base: float) -> np.ndarray:
    """Parameters of linkages with the crank's pivot at the origin, and the rocker's at the base on
    the x axis, or the slide along it.
    """
    o = p[:, kind.names.index("Ox")] + 1j * p[:, kind.names.index("Oy")]
    if kind.slides:
        turn = np.exp(-1j * p[:, kind.names.index("direction")])
    else:
        q = p[:, kind.names.index("Qx")] + 1j * p[:, kind.names.index("Qy")]
        turn = base / (q - o)
    out = moved(kind, p, turn, -o * turn)
    still = {"Ox": 0.0, "Oy": 0.0, "Qx": base, "Qy": 0.0, "direction": 0.0}
    still |= dict.fromkeys(_tracer(kind), 0.0)
    for name, value in still.items():
        if name in kind.names:
            out[:, kind.names.index(name)] = value  # exactly
    return out
