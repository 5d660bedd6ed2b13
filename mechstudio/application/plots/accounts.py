"""Energy account of a run as stacked bands over the time."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from mechstudio.application.plots.panes import Curve, Pane
from mechstudio.application.plots.series import Samples, course_of, recorded
from mechstudio.application.plots.traces import Trace
from mechstudio.curves.course import Course
from mechstudio.curves.energy import Account, account, stacked_edges
from mechstudio.curves.evaluation import Run
from mechstudio.curves.quantity_rows import GRAVITY
from mechstudio.translation import tr

PREFIX = "account/"  # of the keys of parts
TOTAL = "account/balance"
# series of parts by their names; works of all other kinds have one
COLORS = {
    "Kinetic energy": 0,
    "Height in gravity": 4,
    "Springs": 2,
    "Drives": 1,
    "Friction of contacts": 6,
    "Impacts": 5,
}
OTHER = 3
_kept: WeakKeyDictionary[Samples, tuple[tuple, Account]] = WeakKeyDictionary()


class Bands(NamedTuple):
    """Bands of an account at some instants.  times (n,) [s]; edges: lower and upper edge (n,) of
    each trace, in the unit of the axis.
    """

    times: np.ndarray
    edges: tuple[tuple[np.ndarray, np.ndarray], ...]


def account_of(pane: Pane, samples: Samples, answers: Mapping[str, Course]) -> Account:
    """The account of a run; drives and other loads stand apart once an analysis has found the
    powers of the drives.
    """
    powers = [course_of(samples, c.key, answers) for c in pane.powers]
    known = [p for p in powers if p is not None]
    state = (samples.count, len(known), tuple(len(p.times) for p in known))
    kept = _kept.get(samples)
    if kept is not None and kept[0] == state:
        return kept[1]
    gravity = recorded(samples, GRAVITY)
    made = account(
        Run(samples.project, samples.layout, samples.rows, loads=samples.loads),
        known if len(known) == len(powers) else (),
        None if gravity is None else gravity.values,
    )
    _kept[samples] = (state, made)
    return made


def account_traces(
    pane: Pane, samples: Samples | None, answers: Mapping[str, Course], hidden: frozenset[str]
) -> list[Trace]:
    """Parts of the account of a run and the balance that is their sum, as traces over the time."""
    if samples is None or not samples.count or not pane.curves:
        return []
    found, own = account_of(pane, samples, answers), pane.curves[0]
    none = np.zeros(0)
    out = []
    for part in found.parts:
        key = f"{PREFIX}{part.name}"
        color = COLORS.get(part.name, OTHER)
        curve = _part_curve(own, key, tr(part.name), color)
        tip = (
            tr("Stored, less what was stored at the start")
            if part.stored
            else tr("What was taken from the mechanism; what was given to it is negative")
        )
        xy = (none, none) if key in hidden else (found.times, part.values / own.factor)
        out.append(Trace(key, curve, "", tr(part.name), tip, color, 0, *xy))
    curve = _part_curve(own, TOTAL, tr("Balance"), 7)
    xy = (none, none) if TOTAL in hidden else (found.times, found.balance / own.factor)
    words = tr("Balance"), tr("Sum of all parts: zero but for the error of the run")
    out.append(Trace(TOTAL, curve, "", *words, 7, 0, *xy))
    return out


def _part_curve(own: Curve, key: str, words: str, color: int) -> Curve:
    return msgspec.structs.replace(own, key=key, word=words, label=words, color=color, hidden=False)


def bands(traces: Sequence[Trace], times: np.ndarray) -> Bands:
    """Bands of the parts of an account at instants (n,), on straight lines between samples; the
    balance is no band.
    """
    parts = [t for t in traces if t.key != TOTAL]
    values = [values_at(t, times) for t in parts]
    return Bands(times, tuple(stacked_edges(values)))


def values_at(trace: Trace, times: np.ndarray) -> np.ndarray:
    """Values (n,) of a trace at ascending instants (n,), zeros of a hidden one."""
    if not len(trace.time) or not len(times):
        return np.zeros(len(times))
    first, last = np.searchsorted(trace.time, (times[0], times[-1]))
    near = slice(max(first - 1, 0), last + 1)  # not all of a long run
    return np.interp(times, trace.time[near], trace.values[near])


def outer_edge(values: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Edge (n,) of a band away from zero, with a gap where its values change their sign."""
    edge = np.where(values < 0, low, high)
    turned = np.flatnonzero(np.diff(values < 0))
    edge[turned] = np.nan
    return edge
