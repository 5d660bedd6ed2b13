"""Integrators whose steps are more than a table of coefficients: generalised alpha and
semi-implicit Euler; Radau IIA is in radau.py.

They speak to a run as kernels/stepping.py does, by the same arrays and the same answers, so that
samples, stops, corners and the choice of rows are one and the same for every method.  The
right-hand side is the kernels' own; what stands here is linear algebra in numpy, which these
methods spend their time in anyway.
"""

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import scipy.linalg

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables as s
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import (
    move,
    project,
    right_hand_side,
    settle_readings,
)
from mechstudio.engine.kernels.run_tables import Run, Watch
from mechstudio.engine.kernels.stepping import LEAST_SEEN, MOST_HIDDEN
from mechstudio.engine.system.torn_joints import is_torn, open_rows

NEWTON = 8  # iterations; more mean that the step is too long
CONVERGED = 1e-12  # change of a velocity, of itself and a size or a radian per second
JACOBIAN_STEP = 1e-7  # radians, or parts of the size, of differences
SAFETY, GROWTH, SHRINK = 0.9, 8.0, 0.2
KEEP = (1.0, 1.2)  # growth of a step for which the matrices are kept rather
FAILED = 1e3  # residual after a projection, in units of CLOSED, from which it has failed
LOST = 100.0  # residual of a dropped row in the same
NODES = np.linspace(
    0.0, 1.0, 7
)  # places within a step at which laws that read the motion are noted
LOOKS = 9  # places within a step at which stops are looked for


class Attempt(NamedTuple):
    """trial: state at the end, before its projection.  error: estimate in units of the tolerance, 0
    without one, nan where the step has failed. poly (3, n): of the dense output, as
    kernels/stepping.py has it.
    """

    trial: np.ndarray
    error: float
    poly: np.ndarray


class Stepper(ABC):
    """One method.  attempt makes a step of h from y with slope f; `fresh` says that y was changed
    from outside.
    """

    adaptive = False
    exponent = 1.0
    # whether steps end at samples: for a method whose polynomial within a step is poorer than its
    # ends
    lands = False

    def __init__(
        self, tables: Tables, scale: np.ndarray, cap: np.ndarray, tolerance: float
    ) -> None:
        self.T, self.scale, self.cap, self.tolerance = tables, scale, cap, tolerance
        self.nq, self.nv = int(tables.size[k.NQ]), int(tables.size[k.NV])
        self.natural = float(tables.settings[k.LENGTH])

    def take(self, tables: Tables) -> None:
        """Continue with other tables."""
        self.T = tables
        self.fresh()

    def fresh(self) -> None:
        """Forget what was learnt from steps before."""

    def slope(self, y: np.ndarray) -> np.ndarray:
        """dy/dt at a state."""
        out = np.zeros_like(y)
        right_hand_side(y.copy(), self.T, out, True)
        return out

    def closed(self, y: np.ndarray) -> None:
        """Put y on the constraint manifold, to a share of the tolerance of a step: accelerations
        off it are not to be trusted.
        """
        if self.T.size[k.KEPT]:
            right_hand_side(y, self.T, np.zeros_like(y), False)
        project(y, self.T, self.T.settings[k.CLOSED])

    @abstractmethod
    def attempt(self, y: np.ndarray, f: np.ndarray, h: float) -> Attempt:
        """See the class."""

    def accepted(self) -> None:
        """The attempt was taken."""

    def weights(self, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Per state what the tolerance allows, inf for what is not weighed."""
        size = self.scale + np.minimum(np.maximum(np.abs(y), np.abs(w)), self.cap)
        return np.where(self.scale > 0.0, self.tolerance * size, np.inf)


def hermite(
    y: np.ndarray, f: np.ndarray, end: np.ndarray, slope: np.ndarray, h: float
) -> np.ndarray:
    """Hermite's cubic (3, n) as kernels/stepping.py has it."""
    change = end - y
    return np.array([change, h * f - change, 2 * change - h * (slope + f)])


class GeneralizedAlpha(Stepper):
    """Generalised alpha on the Lie group of the coordinates, positions held by multipliers of their
    own (index 3), fixed step.

    Chung & Hulbert 1993 with the spectral radius at infinite frequency; Bruls & Cardona 2010 for
    the group.  With rates v and increments v h + h^2 ((1/2 - beta) a + beta a+) the positions are
    closed in every iteration by corrections in the constrained directions only.
    """

    exponent = 0.5

    def __init__(
        self,
        tables: Tables,
        scale: np.ndarray,
        cap: np.ndarray,
        tolerance: float,
        radius: float = 0.8,
    ) -> None:
        super().__init__(tables, scale, cap, tolerance)
        self.am, self.af = (2 * radius - 1) / (radius + 1), radius / (radius + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (1 + self.af - self.am) ** 2
        self.fresh()

    def fresh(self) -> None:
        self.a: np.ndarray | None = None
        self.lu: tuple | None = None
        self.lu_step = 0.0

    def _end(
        self, y: np.ndarray, increments: np.ndarray, v: np.ndarray, h: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The state after increments with velocities v, positions closed, and the slope there."""
        z = y.copy()
        move(z, self.T, increments)
        z[self.nq : self.nq + self.nv] = v
        z[-1] = y[-1] + h
        self.closed(z)
        # the velocities as the method has them: only positions are held
        z[self.nq : self.nq + self.nv] = v
        return z, self.slope(z)

    def attempt(self, y: np.ndarray, f: np.ndarray, h: float) -> Attempt:
        rates = slice(self.nq, self.nq + self.nv)
        v, acceleration = y[rates].copy(), f[rates].copy()
        a = acceleration if self.a is None else self.a
        new, before = acceleration.copy(), math.inf
        z, slope = y, f
        for _ in range(3 * NEWTON):
            next_a = ((1 - self.af) * new + self.af * acceleration - self.am * a) / (1 - self.am)
            z, slope = self._end(
                y,
                h * v + h * h * ((0.5 - self.beta) * a + self.beta * next_a),
                v + h * ((1 - self.gamma) * a + self.gamma * next_a),
                h,
            )
            change = slope[rates] - new
            if not np.isfinite(change).all():
                return Attempt(y.copy(), math.nan, np.zeros((3, len(y))))
            step = (
                change
                if self.lu is None or self.lu_step != h
                else scipy.linalg.lu_solve(self.lu, change, check_finite=False)
            )
            size = h * float(np.abs(step / self.scale[rates]).max(initial=0.0))
            if size > 0.3 * before or (self.lu is not None and self.lu_step != h):
                # something stiff is here, or its matrix is out of date
                self._linearise(z, slope, h)
                step = scipy.linalg.lu_solve(self.lu, change, check_finite=False)
                size = h * float(np.abs(step / self.scale[rates]).max(initial=0.0))
            if size <= CONVERGED * (1.0 + float(np.abs(v / self.scale[rates]).max(initial=0.0))):
                break
            new, before = new + step, size
        else:
            return Attempt(y.copy(), math.nan, np.zeros((3, len(y))))
        self._next = ((1 - self.af) * slope[rates] + self.af * acceleration - self.am * a) / (
            1 - self.am
        )
        rest = slice(self.nq + self.nv, len(y) - 1)
        z[rest] = y[rest] + 0.5 * h * (f[rest] + slope[rest])
        return Attempt(z, 0.0, hermite(y, f, z, slope, h))

    def _linearise(self, z: np.ndarray, slope: np.ndarray, h: float) -> None:
        """1 - h^2 beta' K - h gamma' D with K, D the accelerations' slopes over increments and
        velocities, by differences.
        """
        rates = slice(self.nq, self.nq + self.nv)
        M = np.eye(self.nv)
        share = (1 - self.af) / (1 - self.am)
        for j in range(self.nv):
            step = np.zeros(self.nv)
            step[j] = JACOBIAN_STEP * self.scale[self.nq + j]
            shifted = z.copy()
            move(shifted, self.T, step)
            shifted[rates] = z[rates]
            K = (self.slope(shifted)[rates] - slope[rates]) / step[j]
            pushed = z.copy()
            pushed[self.nq + j] += step[j]
            D = (self.slope(pushed)[rates] - slope[rates]) / step[j]
            M[:, j] -= share * (h * h * self.beta * K + h * self.gamma * D)
        self.lu, self.lu_step = scipy.linalg.lu_factor(M, check_finite=False), h

    def accepted(self) -> None:
        self.a = self._next


class SemiImplicitEuler(Stepper):
    """v+ = v + h a(q, v), then q+ = q (+) h v+: order 1, symplectic where forces depend on
    positions alone (e.g. Hairer, Lubich & Wanner 2006, I.1.2).
    """

    def attempt(self, y: np.ndarray, f: np.ndarray, h: float) -> Attempt:
        rates = slice(self.nq, self.nq + self.nv)
        z = y.copy()
        v = y[rates] + h * f[rates]
        move(z, self.T, h * v)
        z[rates] = v
        rest = slice(self.nq + self.nv, len(y))
        z[rest] = y[rest] + h * f[rest]
        return Attempt(z, 0.0, hermite(y, f, z, f, h))


def advance(stepper: Stepper, run: Run, T: Tables, watch: Watch, limit: int) -> tuple[int, int]:
    """Advance a run as kernels/stepping.advance does, for these methods: the same arrays, the same
    results.
    """
    clock, count, y, K = run.clock, run.count, run.y, run.K
    closed, row, kept = T.settings[k.CLOSED], 0, int(T.size[k.KEPT])
    if stepper.T is not T:
        stepper.take(T)
    n = stepper.nq + stepper.nv
    if count[s.STARTED] != s.GOING:
        stepper.fresh()
        clock[s.EXCHANGE] = T.settings[k.NEAR]
        clock[s.PIVOT] = clock[s.BEGUN] = right_hand_side(y, T, K[0], True)
        if not np.isfinite(K[0, :n]).all():
            return s.NOT_FINITE, 0
        if not stepper.adaptive:
            clock[s.STEP] = clock[s.LARGEST]
        elif count[s.STARTED] == s.FRESH:
            clock[s.STEP] = min(_first_step(stepper, y, K[0], clock[s.END]), clock[s.LARGEST])
        clock[s.GOOD] = clock[s.STEP]
        count[s.STARTED] = s.GOING
    while True:
        while (
            count[s.NEXT] < count[s.SAMPLES]
            and count[s.NEXT] * clock[s.SAMPLE_STEP] <= clock[s.TIME] + 1e-12 * clock[s.DENSE_H]
        ):
            if row == len(run.states):
                return s.FULL, row
            if not _sample(run, T, row):
                count[s.NEXT] -= 1
                return s.OPEN_BETWEEN, row
            row += 1
        if clock[s.TIME] >= clock[s.END]:
            return s.DONE, row
        if T.size[k.EVALUATIONS] >= limit:
            return s.BUSY, row
        clock[s.UNCUT] = clock[s.STEP]
        if clock[s.TIME] + 1.0001 * clock[s.STEP] >= clock[s.END]:
            clock[s.STEP] = clock[s.END] - clock[s.TIME]
        h = float(clock[s.STEP])
        if stepper.lands and count[s.NEXT] < count[s.SAMPLES]:
            left = count[s.NEXT] * clock[s.SAMPLE_STEP] - clock[s.TIME]
            h = left if left < 1.0001 * h else h
        attempt = stepper.attempt(y, K[0], h)
        error = attempt.error
        if error < 1.0:
            run.trial[:] = attempt.trial
            if kept:
                right_hand_side(run.trial, T, np.zeros_like(y), False)
            if not project(run.trial, T, closed) < FAILED * closed:
                error = math.inf
        if not error < 1.0:
            if not stepper.adaptive:
                return s.OPEN, row
            _refuse(stepper, run, h, error)
            if clock[s.STEP] < max(1e-15 * clock[s.TIME], 1e-13 * clock[s.GOOD]):
                return s.UNDERFLOW, row
            continue
        if T.size[k.NX]:
            settle_readings(run.trial, T)
        if len(T.rows) > kept and T.settings[k.UNHELD] == 0.0:
            left = open_rows(run.trial, T)[kept:]
            if count[s.QUIET] == 0 and left.max() > LOST * closed:
                return s.LEFT_ROWS, row
            if not left[: int(T.size[k.HELD]) - kept].max(initial=0.0) < T.settings[k.TORN]:
                return s.TORN_APART, row
        count[s.QUIET] = max(count[s.QUIET] - 1, 0)
        end = right_hand_side(run.trial, T, K[1], True)
        if not np.isfinite(run.trial[:n]).all() or not np.isfinite(K[1, :n]).all():
            return s.NOT_FINITE, row
        if T.size[k.SPARE] and end < clock[s.EXCHANGE]:
            return s.COLLAPSED, row
        # the projection belongs to the end of the polynomial too
        run.poly[:3], run.poly[7] = attempt.poly, y
        run.poly[0] = run.trial - y
        clock[s.DENSE_T], clock[s.DENSE_H] = clock[s.TIME], h
        if len(watch.laws) and _look_closer(run, T, watch, h):
            continue
        touched = (
            len(run.stops) + len(run.rubs) > 0
            and count[s.LOOKED] == 0
            and (_pulls(run, T) or _passed(run) or _rubs_otherwise(run, T))
        )
        count[s.LOOKED] = 0
        if touched:
            return s.TOUCHED, row
        stepper.accepted()
        y[:], K[0] = run.trial, K[1]
        clock[s.TIME] = clock[s.END] if h == clock[s.END] - clock[s.TIME] else clock[s.TIME] + h
        clock[s.PIVOT], clock[s.GOOD], clock[s.LONGEST] = end, h, max(clock[s.LONGEST], h)
        if end >= T.settings[k.NEAR]:
            clock[s.EXCHANGE] = T.settings[k.NEAR]
        count[s.ACCEPTED] += 1
        count[s.REFUSALS] = count[s.CUT] = count[s.HIDDEN] = 0
        _restore_bounds(run)
        if stepper.adaptive:
            factor = min(GROWTH, max(SHRINK, SAFETY * max(error, 1e-10) ** -stepper.exponent))
            # a step that was cut to end at a sample says nothing against the longer one
            clock[s.STEP] = min(
                max(
                    h if KEEP[0] <= factor <= KEEP[1] else h * factor,
                    clock[s.UNCUT] if h < clock[s.UNCUT] else 0.0,
                ),
                clock[s.LARGEST],
            )
        else:
            clock[s.STEP] = clock[s.LARGEST]


def _look_closer(run: Run, T: Tables, watch: Watch, h: float) -> bool:
    """As the kernel does: whether the step has to be made again, shorter, since a typed law may
    have done something between NODES that these have not seen.
    """
    from mechstudio.engine.kernels.loads.law_bounds import note, unseen_part

    clock, count, slope = run.clock, run.count, np.zeros_like(run.y)
    for place, x in enumerate(NODES):
        right_hand_side(run.trial.copy() if x == 1.0 else _within(run, float(x)), T, slope, True)
        note(T, watch, place)
    part = unseen_part(T, watch, len(NODES))
    if part >= 1.0:
        return False
    if count[s.HIDDEN] >= MOST_HIDDEN or part * h < LEAST_SEEN * clock[s.END]:
        count[s.UNSEEN] += 1
        return False
    count[[s.HIDDEN, s.REJECTED]] += 1
    count[s.CUT] = 1
    clock[s.STEP] = part * h
    return True


def _within(run: Run, x: float) -> np.ndarray:
    """The polynomial of a step at x, 0 to 1, before projection."""
    P = run.poly
    return P[7] + x * (P[0] + (1 - x) * (P[1] + x * P[2]))


def _first_step(stepper: Stepper, y: np.ndarray, f: np.ndarray, end: float) -> float:
    weight = stepper.weights(y, y) / stepper.tolerance
    weighed = np.isfinite(weight)
    d = float(np.sqrt(np.mean((f / weight)[weighed] ** 2))) if weighed.any() else 0.0
    return min(0.01 / d if d > 0.0 else 1e-4 * end, 0.1 * end)


def _refuse(stepper: Stepper, run: Run, h: float, error: float) -> None:
    run.count[s.REJECTED] += 1
    run.count[s.REFUSALS] += 1
    run.count[s.CUT] = 1
    known = math.isfinite(error)
    run.clock[s.STEP] = h * (
        max(SHRINK, SAFETY * error**-stepper.exponent)
        if known
        else 0.5
        if run.count[s.REFUSALS] < 3
        else SHRINK
    )


def _sample(run: Run, T: Tables, row: int) -> bool:
    """The next sample into row `row`, projected.  Whether its joints are closed."""
    t = run.count[s.NEXT] * run.clock[s.SAMPLE_STEP]
    run.times[row] = t
    run.count[s.NEXT] += 1
    x = (
        min((t - run.clock[s.DENSE_T]) / run.clock[s.DENSE_H], 1.0)
        if run.count[s.ACCEPTED] > 0
        else 1.0
    )
    z = run.states[row]
    if x >= 1.0:
        z[:] = run.y
        return True
    z[:] = _within(run, x)
    if T.size[k.KEPT]:
        right_hand_side(z, T, np.zeros_like(z), False)
    left = project(z, T, T.settings[k.CLOSED])
    if T.size[k.NX]:
        settle_readings(z, T)
    return left < FAILED * T.settings[k.CLOSED] and not is_torn(z, T)


def _pulls(run: Run, T: Tables) -> bool:
    """True if a stop under load holds back a coordinate that wants to leave it."""
    rows = run.stops[:, s.STOP_ROW]
    return any(
        run.bounds[e, s.SIDE] * T.row[r, k.LAM] * T.row[r, k.KD] > run.bounds[e, s.FAINT]
        for e, r in enumerate(rows)
        if r >= 0
    )


def _rubs_otherwise(run: Run, T: Tables) -> bool:
    """True if a coordinate that sticks by friction may have broken away, or a sliding one come to
    rest.
    """
    P, x = run.poly, np.linspace(0.0, 1.0, LOOKS)[1:-1]
    for (at, row, force), (way, back) in zip(run.rubs, run.ways):
        level = abs(T.force_const[force, k.FPAR])
        if row >= 0 and abs(T.row[row, k.LAM]) > level + s.SLACK * level:
            return True
        # the slope of the polynomial, and at the end the rate itself
        rates = (P[0, at] + (1 - 2 * x) * P[1, at] + x * (2 - 3 * x) * P[2, at]) / run.clock[
            s.DENSE_H
        ]
        if way != 0.0 and (way * np.append(rates, run.K[1, at]) < -back).any():
            return True
    return False


def _passed(run: Run) -> bool:
    """True if a stop may have been passed during the step."""
    P, x = run.poly, np.linspace(0.0, 1.0, LOOKS)[1:]
    for e in range(len(run.stops)):
        if run.stops[e, s.STOP_ROW] >= 0:
            continue
        i, side = run.stops[e, s.STOP_AT], run.bounds[e, s.SIDE]
        way = P[7, i] + x * (P[0, i] + (1 - x) * (P[1, i] + x * P[2, i]))
        way[-1] = run.trial[i]
        if (side * (run.bounds[e, s.BOUND] - way) < -run.bounds[e, s.CRUMB]).any():
            return True
    return False


def _restore_bounds(run: Run) -> None:
    """A stop beyond which the run began stands where it is drawn from the first time that the
    coordinate is within.
    """
    for e in range(len(run.stops)):
        drawn = run.bounds[e, s.DRAWN]
        if (
            run.bounds[e, s.BOUND] != drawn
            and run.bounds[e, s.SIDE] * (drawn - run.y[run.stops[e, s.STOP_AT]]) >= 0.0
        ):
            run.bounds[e, s.BOUND] = drawn
