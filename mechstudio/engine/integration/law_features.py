"""Short features of laws: intervals of short steps, and laws that have to be checked in every step.

A law of the time alone is bounded before the run: its duration is halved until interval arithmetic
(kernels/loads/law_bounds.py) proves of every stretch that a step as long as it misses nothing of
it.  What remains of a stretch that no length makes smooth is a corner, at which steps end.  Laws
that read the motion are bounded in each step.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import kernel_table
from mechstudio.engine.kernels import run_tables as r
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.loads.law_interpreter import VARIABLE
from mechstudio.engine.kernels.run_tables import Watch
from mechstudio.engine.system.law_tables import Key, every_law
from mechstudio.model.laws.evaluation import (
    CLOCK,
    breakpoints,
    names,
    pieces,
    sine_numbers,
    variables,
)
from mechstudio.model.mechanism import Law, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.translation import tr, trn

# by order p of a method: part of a law's impulse that h^(p+1) |c_p| may be; quadrature of that
# order is wrong by a small part of it
SHARES = {8: 1e-6, 5: 1e-5, 4: 1e-4, 2: 1e-5}
MOST_STRETCHES = 20_000  # that one law of the time is cut into
ALIKE = 2.0  # ratio of longest steps up to which neighbouring stretches are one
LEVEL = 1e300  # bounds beyond are none
# units in the last place that a step ends before a corner, so that no stage sees what comes after
BEFORE = 16
# the same by which stretches overlap: a corner between two of them lies within both
OVERLAP = 2


class Window(NamedTuple):
    """Up to `end` [s] no step may be longer than `longest`; corner: whether a law has a corner
    there.  last: to which steps go [s], the end itself or before the corner.
    """

    end: float
    longest: float
    corner: bool
    last: float


class Stretch(NamedTuple):
    """A part of the time in which steps of `longest` see what a law does."""

    begin: float
    end: float
    longest: float


class Found(NamedTuple):
    """Bounds that were found for one law of the time.  corners [s]: the law is that behind each.
    unbounded: stretches (begin, end) [s] without any.  before: of each corner, the time up to which
    the law is that before it [s].
    """

    stretches: list[Stretch]
    corners: list[float]
    unbounded: list[tuple[float, float]]
    before: list[float]


def order_of(order: int) -> int:
    """The order for which steps of a method of this order are bounded."""
    return max((p for p in SHARES if p <= order), default=2)


def element_of(mechanism: Mechanism, key: Key):
    """The element that a law belongs to."""
    return {"drive": mechanism.drives, "coupling": mechanism.couplings, "force": mechanism.forces}[
        key[0]
    ][key[1]]


def named(mechanism: Mechanism, key: Key) -> str:
    """ "the force of push", "the law of motor"."""
    element = element_of(mechanism, key)
    what = tr("law")
    if key[0] == "force":
        what = next(
            tr(p.label).lower() for p in FORCE_TYPES[element.type].parameters if p.name == key[2]
        )
    return tr("the {what} of {element}", what=what, element=element.name or key[1])


def over_time(mechanism: Mechanism, key: Key, law: Law) -> bool:
    """True if a law reads only the time."""
    if key[0] == "coupling":
        return False
    if law.type != "expression":
        return True
    known = variables(mechanism, element_of(mechanism, key))
    return all(known[name].kind == CLOCK for name in names(law.text) if name in known)


def watch_tables(
    count: int,
    order: int,
    laws: Sequence[tuple[int, int, int]] = (),
    places: Sequence[int] = (),
    nodes: np.ndarray | None = None,
) -> Watch:
    """A `Watch`.  count: instructions of the longest law.  laws: as in Watch; places: instructions
    of their variables; nodes: of the stages, 0 to 1.
    """
    nodes = np.zeros(1) if nodes is None else nodes
    return Watch(
        np.array(laws, np.int64).reshape(-1, r.WATCH_INTS),
        np.array(places, np.int64),
        np.array([order]),
        np.array([SHARES.get(order, SHARES[2])]),
        nodes,
        np.argsort(nodes, kind="stable").astype(np.int64),
        np.zeros(max(len(laws), 1)),
        np.zeros((len(nodes), len(laws) + len(places))),
        np.zeros((count + r.SPARE, r.BOX_WIDTH)),
        np.zeros(r.FOUND_WIDTH),
    )


def longest_law(T: Tables) -> int:
    """Instructions of the longest typed law."""
    return int(T.laws[T.laws[:, k.L_TYPE] == k.EXPRESSION, k.L_COUNT].max(initial=1))


# laws of the time


def clock_features(
    mechanism: Mechanism, T: Tables, begin: float, end: float, order: int
) -> dict[Key, Found]:
    """Bounds of every law of the time alone between two times [s].  order: see order_of."""
    out, watch = {}, watch_tables(longest_law(T), order)
    for row, (key, law) in enumerate(every_law(mechanism)):
        if not over_time(mechanism, key, law):
            continue
        if law.type == "expression":
            kernel_table.need(kernel_table.FEATURES)
            out[key] = _bounded(T, watch, row, begin, end, order)
        else:
            out[key] = _of_pieces(law, begin, end, order)
    return out


def _bounded(T: Tables, watch: Watch, row: int, begin: float, end: float, order: int) -> Found:
    """Bounds of a typed law by halving the time."""
    from mechstudio.engine.kernels.loads.law_bounds import enclose_over_time

    found, share = watch.found, SHARES[order]
    waiting, done, corners, looks, impulse = [(begin, end)], [], [], 0, 0.0
    while waiting and looks < MOST_STRETCHES:
        seen, sure = [], impulse
        for a, b in waiting:
            beside = OVERLAP * math.ulp(max(abs(a), abs(b)))
            enclose_over_time(T, watch, row, max(a - beside, begin), b + beside)
            low, high, curved, corner = found[:4].tolist()
            sure += (b - a) * max(low, -high, 0.0)
            seen.append((a, b, math.inf if corner else curved, (b - a) * max(low, -high, 0.0)))
        looks += len(waiting)
        waiting = []
        for a, b, curved, own in seen:
            h = b - a
            if curved * h <= share * sure:
                done.append((a, b, curved / h**order if curved else 0.0))
                impulse += own
            elif h <= max(8.0 * math.ulp(b), 1e-15 * (end - begin)):
                corners.append((a, b))
            else:
                middle = 0.5 * (a + b)
                waiting += [(a, middle), (middle, b)]
    allowed = share * impulse
    stretches = [
        Stretch(a, b, (allowed / density) ** (1.0 / (order + 1)) if density > 0.0 else math.inf)
        for a, b, density in sorted(done)
    ]
    # a tiny stretch has its corner strictly within those beside it that have none
    tiny = joined(corners)
    return Found(stretches, [b for _, b in tiny], joined(waiting), [a for a, _ in tiny])


def joined(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Parts of the time, those side by side joined to one."""
    out: list[tuple[float, float]] = []
    for a, b in sorted(parts):
        if out and a <= out[-1][1]:
            out[-1] = out[-1][0], b
        else:
            out.append((a, b))
    return out


def _of_pieces(law: Law, begin: float, end: float, order: int) -> Found:
    """Bounds of a law that is a sine or polynomial pieces, whose corners are known."""
    if law.type == "sine":
        offset, amplitude, omega, _ = sine_numbers(law)
        density = abs(amplitude) * abs(omega) ** order / math.factorial(order)
        impulse = (end - begin) * max(0.3 * abs(amplitude), abs(offset) - abs(amplitude))
        longest = (
            (SHARES[order] * impulse / density) ** (1.0 / (order + 1))
            if density > 0.0
            else math.inf
        )
        return Found([Stretch(begin, end, longest)], [], [], [])
    if LAW_TYPES[law.type].periodic:
        return Found([], [], [], [])
    parts = pieces(law)
    ends = [p.begin for p in parts[1:]] + [math.inf]
    seen, impulse = [], 0.0
    for p, until in zip(parts, ends):
        a, b = max(p.begin, begin), min(until, end)
        if not a < b:
            continue
        u = np.linspace((a - p.origin) * p.inverse, (b - p.origin) * p.inverse, 9)
        impulse += (b - a) * float(
            np.abs(np.polynomial.polynomial.polyval(u, p.coefficients)).mean()
        )
        most = float(np.abs(u).max())
        density = (
            sum(
                abs(c) * math.comb(n, order) * most ** (n - order)
                for n, c in enumerate(p.coefficients)
                if n >= order
            )
            * abs(p.inverse) ** order
        )
        seen.append((a, b, density))
    allowed, corners = SHARES[order] * impulse, [t for t in breakpoints(law) if begin < t < end]
    return Found(
        [
            Stretch(a, b, (allowed / d) ** (1.0 / (order + 1)) if d > 0.0 else math.inf)
            for a, b, d in seen
        ],
        corners,
        [],
        corners,
    )


def windows(
    features: dict[Key, Found], corners: list[float], begin: float, end: float
) -> list[Window]:
    """The course of longest steps and corners of all laws together, ascending from the beginning
    [s] to the end [s] of a run.  corners: more of them [s].  One at the end itself is turned too,
    since the stages at the end of a step must not see what comes after it.
    """
    turns = _turns(features, corners, begin, end)
    limits = [s for found in features.values() for s in found.stretches if s.longest < end - begin]
    # a corner at the end itself may lie some units in the last place behind it
    end = max((end, *turns))
    ends = sorted({*turns, end, *(t for s in limits for t in (s.begin, s.end) if begin < t < end)})
    begins = sorted(limits)
    out: list[Window] = []
    open_: list[Stretch] = []
    start, place, least, most = begin, 0, math.inf, 0.0
    for until in ends:
        while place < len(begins) and begins[place].begin < until:
            open_.append(begins[place])
            place += 1
        open_ = [s for s in open_ if s.end > start]
        longest = min((s.longest for s in open_), default=math.inf)
        if out and not out[-1].corner and max(most, longest) <= ALIKE * min(least, longest):
            least, most = min(least, longest), max(most, longest)
            out[-1] = Window(until, least, until in turns, turns.get(until, until))
        else:
            least = most = longest
            out.append(Window(until, longest, until in turns, turns.get(until, until)))
        start = until
    if out[-1].corner:
        out.append(Window(end, math.inf, False, end))
    return out


def _turns(
    features: dict[Key, Found], corners: list[float], begin: float, end: float
) -> dict[float, float]:
    """Corners of all laws after `begin` and up to `end` [s], each with the time that steps before
    it do not pass.  Those of several laws that lie within rounding of each other are one.  A typed
    one at the end itself may lie a little behind it.
    """
    found = [(t, t) for t in corners]
    for law in features.values():
        found += (
            (a, b if b < end else b + BEFORE * math.ulp(b)) for a, b in zip(law.before, law.corners)
        )
    out: list[tuple[float, float]] = []
    for a, b in sorted((a - BEFORE * math.ulp(a), b) for a, b in found if a <= end and begin < b):
        if out and a <= out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], b)
        else:
            out.append((a, b))
    # the first step needs some length
    return {b: a if a > begin else b for a, b in out}


# laws that read the motion


def watched_laws(mechanism: Mechanism, T: Tables, nodes: np.ndarray, order: int) -> Watch:
    """Watch of all typed laws of the motion that are no polynomials of their variables.  nodes: of
    a step's stages, 0 to 1.
    """
    rows = [
        (row, key)
        for row, (key, law) in enumerate(every_law(mechanism))
        if law.type == "expression" and not over_time(mechanism, key, law)
    ]
    if not rows:
        return watch_tables(1, order)
    from mechstudio.engine.kernels.loads.law_bounds import enclose_everywhere

    kernel_table.need(kernel_table.FEATURES)
    probe = watch_tables(longest_law(T), order)
    laws, places, sizes = [], [], []
    for row, _ in rows:
        enclose_everywhere(T, probe, row)
        if probe.found[r.CURVED] == 0.0 and probe.found[r.CORNER] == 0.0:
            continue
        first, count = T.laws[row, [k.L_FIRST, k.L_COUNT]].tolist()
        own = [n for n in range(count) if T.code[first + n, k.C_OP] == VARIABLE]
        laws.append((row, len(places), len(places) + len(own)))
        places += own
        reach = float(np.abs(probe.found[[r.LOWER, r.UPPER]]).max())
        sizes.append(reach if reach < LEVEL else 0.0)
    watch = watch_tables(longest_law(T), order, laws, places, nodes)
    watch.scale[: len(sizes)] = sizes
    return watch


def watched_names(mechanism: Mechanism, watch: Watch) -> Iterator[str]:
    """The laws under watch, as `named` calls them."""
    keys = [key for key, _ in every_law(mechanism)]
    return (named(mechanism, keys[row]) for row in watch.laws[:, r.WATCHED].tolist())


# what is said of them


def seen_notes(
    mechanism: Mechanism,
    features: dict[Key, Found],
    watch: Watch,
    unseen: int,
    step: float,
    shorter: str = "largest step",
) -> tuple[str, ...]:
    """Sentences on laws of which steps may have missed something, and on fixed steps that were cut
    for one.

    unseen: steps taken though a law under watch had no bounds in them.  step: the fixed step [s], 0
    for none.  shorter: what to make shorter.
    """
    out = []
    for key, found in features.items():
        if found.unbounded:
            (a, _), (_, b) = found.unbounded[0], found.unbounded[-1]
            out.append(
                tr(
                    "No bound was found for how fast {key} changes between {a:.6g} s and {b:.6g} "
                    "s: what is shorter than a step may be missed there; write it without what "
                    "has no value, or take a shorter {shorter}.",
                    key=named(mechanism, key),
                    a=a,
                    b=b,
                    shorter=shorter,
                )
            )
        least = min((s.longest for s in found.stretches), default=math.inf)
        if least < step:
            out.append(
                tr(
                    "T{key} changes faster than the fixed step of {step:.3g} s follows: where it "
                    "does, steps are as short as {least:.3g} s.",
                    key=named(mechanism, key)[1:],
                    step=step,
                    least=least,
                )
            )
    if unseen:
        out.append(
            trn(
                "In {count} step no bound was found for what {laws} may do between their stages: "
                "something short may be missed; take a shorter {shorter}.",
                "In {count} steps no bound was found for what {laws} may do between their stages: "
                "something short may be missed; take a shorter {shorter}.",
                unseen,
                laws=tr(" and ").join(watched_names(mechanism, watch)),
                shorter=shorter,
            )
        )
    return tuple(out)


def corner_times(mechanism: Mechanism, begin: float, end: float) -> list[float]:
    """Times at which laws over the time have corners, after `begin` and up to `end` [s],
    ascending.
    """
    out: set[float] = set()
    for key, law in every_law(mechanism):
        if key[0] == "coupling":
            continue  # over an angle
        turn = 2.0 * math.pi if LAW_TYPES[law.type].periodic else math.inf
        for t in breakpoints(law):
            first = t % turn if math.isfinite(turn) else t
            out |= {
                t
                for n in range(int((end - first) // turn) + 1 if first <= end else 0)
                if begin < (t := first + (n * turn if n else 0.0)) <= end
            }
    return sorted(out)
