"""Event location within a step of the integrator: the first instant at which a stop is reached or
begins to pull.
"""

from collections.abc import Callable

import numpy as np

from mechstudio.engine.integration.events.closed_stops import Contacts
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import project, right_hand_side, settle_readings

LOOKS = 32  # places within a step at which gaps are examined; pulls at half as many
ROOT_TURNS = 100


class Step:
    """The last step that the kernel handed back untaken: states between its ends, by dense output
    and projection.
    """

    def __init__(self, state: run_tables.Run, terms: int, T: Tables):
        self.state, self.terms, self.T = state, terms, T
        self.start, self.length = (
            float(state.clock[run_tables.DENSE_T]),
            float(state.clock[run_tables.DENSE_H]),
        )

    def at(self, x: float) -> np.ndarray:
        """The state (n,) at x of the step, from 0 to 1."""
        if x <= 0.0:
            return self.state.y.copy()
        if x >= 1.0:
            return self.state.trial.copy()
        z = self._polynomial(np.array([x]), slice(None))[0]
        T = self.T
        if T.size[k.KEPT]:
            right_hand_side(z, T, np.zeros_like(z), False)
        project(z, T, T.settings[k.CLOSED])
        if T.size[k.NX]:
            settle_readings(z, T)
        return z

    def rough(self, x: np.ndarray) -> np.ndarray:
        """States (len(x), n) by dense output alone, open by as much as that is."""
        return self._polynomial(np.asarray(x, float), slice(None))

    def _polynomial(self, x: np.ndarray, columns) -> np.ndarray:
        """The dense output (len(x), columns) before projection."""
        P = self.state.poly[:, columns]
        out = np.zeros((len(x), P.shape[1]))
        for m in reversed(range(self.terms)):
            out = (out + P[m]) * (x if m % 2 == 0 else 1.0 - x)[:, None]
        return out + P[7]

    def first(self, contacts: Contacts) -> tuple[float, set[int], set[int]] | None:
        """(x, stops reached there, stops that begin to pull there) of the first instant, None if
        nothing happens in the step.
        """
        found: list[tuple[float, int, bool]] = []
        for e in range(len(contacts.stops)):
            row = int(contacts.ints[e, run_tables.STOP_ROW])
            x = (
                self._reached(contacts, e)
                if e not in contacts.closed
                else self._pulling(contacts, e, row)
                if row >= 0
                else None
            )
            if x is not None:
                found.append((x, e, row >= 0))
        if not found:
            return None
        first = min(x for x, _, _ in found)
        together = [
            (e, pulls)
            for x, e, pulls in found
            if (x - first) * self.length <= 1e-14 * (self.start + self.length)
        ]
        return (
            first,
            {e for e, pulls in together if not pulls},
            {e for e, pulls in together if pulls},
        )

    def _reached(self, contacts: Contacts, e: int) -> float | None:
        at, bound, side, crumb = (
            contacts.ints[e, run_tables.STOP_AT],
            *contacts.numbers[e, [run_tables.BOUND, run_tables.SIDE, run_tables.CRUMB]],
        )
        gap = lambda x: float(side * (bound - self.at(x)[at]))
        start = float(side * (bound - self.state.y[at]))
        enough = 2e-16 * max(abs(bound), abs(self.state.y[at]))
        places = np.linspace(0.0, 1.0, LOOKS + 1)
        gaps = side * (bound - self._polynomial(places, [at])[:, 0])
        gaps[0], gaps[-1] = start, side * (bound - self.state.trial[at])
        low, high = 0.0, 1.0
        below = np.flatnonzero(gaps < -crumb)
        # a dip between two places counts too
        dips = [
            i
            for i in range(1, LOOKS)
            if gaps[i] <= gaps[i - 1] and gaps[i] <= gaps[i + 1] and not len(below[below <= i])
        ]
        for i in dips:
            x = lowest(gap, places[i - 1], places[i + 1])
            if gap(x) < -crumb:
                low, high = places[i - 1], x
                break
        else:
            if not len(below):
                return None
            i = int(below[0])
            if i == 0:
                return 0.0
            low, high = places[i - 1], places[i]
        if start > crumb:
            return root(gap, low, high, enough)
        # it leaves the stop, on which it stood, before it comes back: the way back is the root of
        # gap / x
        if low == 0.0:
            way = lambda x: (gap(x) - start) / x
            low = 1e-6 * high
            return root(way, low, high, enough / high) if way(low) > 0.0 else 0.0
        return root(gap, low, high, enough)

    def _pulling(self, contacts: Contacts, e: int, row: int) -> float | None:
        faint = contacts.numbers[e, run_tables.FAINT]

        def pull(x: float) -> float:
            z = self.at(x)
            right_hand_side(z, self.T, np.zeros_like(z), True)
            return faint - contacts.pull(e, row, self.T)

        places = np.linspace(0.0, 1.0, LOOKS // 2 + 1)
        before = pull(0.0)
        if before <= 0.0:
            return 0.0
        for i in range(1, len(places)):
            now = pull(places[i])
            if now < 0.0:
                return root(pull, places[i - 1], places[i], 1e-3 * faint)
        return None


def root(f: Callable[[float], float], low: float, high: float, enough: float) -> float:
    """Root of f, positive at low and negative at high, by the Illinois variant of regula falsi
    (Dowell & Jarratt 1971).

    enough: magnitude of f that is rounding.
    """
    a, b, fa, fb = low, high, f(low), f(high)
    if fa <= 0.0:
        return low
    if fb >= 0.0:
        return high
    kept = 0
    for _ in range(ROOT_TURNS):
        x = b - fb * (b - a) / (fb - fa)
        if not a < x < b or b - a < 4e-16 * b:
            break
        fx = f(x)
        if fx > 0.0:
            a, fa = x, fx
            fb *= 0.5 if kept == 1 else 1.0
            kept = 1
        elif fx < 0.0:
            b, fb = x, fx
            fa *= 0.5 if kept == -1 else 1.0
            kept = -1
        if abs(fx) <= enough:
            return x
    return b


def lowest(f: Callable[[float], float], low: float, high: float) -> float:
    """Argument between low and high at which f is least, by golden-section search."""
    g = 0.5 * (5.0**0.5 - 1.0)
    a, b = high - g * (high - low), low + g * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(40):
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - g * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + g * (high - low)
            fb = f(b)
    return a if fa < fb else b
