"""Constraints that hold while a mechanism is moved by hand: its joints, what its couplings held at
the start, and prescribed coordinates.

Equations are the joints' rows (engine/constraints/rows.py), then one row per coupling, then one per
prescribed coordinate, all in m; steps are (translation, size times rotation) per body, in m.
Setting a coordinate (joint_setting.py) and dragging a point (point_drag.py) are paths along what
these equations leave free.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import carried, displaced
from mechstudio.engine.constraints.joint_coordinates import (
    coordinate_wrenches,
    coordinates_of,
    joint_coordinates,
)
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.least_squares import LeastSquares, least_squares, matrix_of
from mechstudio.model.joints.titles import titled
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Coupling, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import CURVE, JOINT_TYPES, THREAD, Coordinate
from mechstudio.model.units import format_value
from mechstudio.translation import tr

EXACT = 1e-13  # residual over size that corrections stop at in the end
CLOSED = 1e-11  # residual over size that they must reach, and that is enough on the way
CORRECTED = 0.4  # of a step's way: larger corrections reject it
LARGEST_STEP = 0.5  # radians, or parts of size, of one correction
ITERATIONS = 20
AT_STOP = 1e-10  # radians or parts of size: so near to a stop is at it


class At(NamedTuple):
    """A place on the way: poses (n, 7), and the coordinates of the joints that matter, by joint
    index.
    """

    poses: np.ndarray
    values: dict[int, np.ndarray]


class Prescribed(NamedTuple):
    """A coordinate of a joint (both by index) that is to have a value [rad or m]."""

    joint: int
    coordinate: int
    value: float


class Stop(NamedTuple):
    """side: +1 for an upper stop, -1 for a lower one."""

    joint: int
    coordinate: int
    bound: float
    side: float


class _Term(NamedTuple):
    """factor times a joint's coordinate, part of an equation."""

    equation: int
    joint: int
    coordinate: int
    factor: float


class _Held(NamedTuple):
    """Condition of a coupling: scale (sum of its terms - f(its first) - constant), in m."""

    terms: tuple[_Term, ...]
    coupling: Coupling
    scale: float
    constant: float


class Seen(NamedTuple):
    """A place with all that its equations need: as JointRows gives it."""

    at: At
    origins: np.ndarray
    R: np.ndarray
    frames: tuple[np.ndarray, ...]
    C: np.ndarray
    force: np.ndarray
    moment: np.ndarray


class HeldManifold:
    """The equations of one mechanism from closed poses (n, 7) on.   at: how far it has come.

    involved: joints (indices) whose coordinates are to be followed besides those of couplings,
    stops, screws and curves. near (f,): coordinates of all joints that the readings of the start
    follow on; without it typed values choose their turns.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: JointRows,
        poses: np.ndarray,
        involved: Iterable[int] = (),
        near: np.ndarray | None = None,
    ) -> None:
        self.mechanism, self.rows = mechanism, rows
        self.joints = list(mechanism.joints.values())
        self.size = rows.size
        # far from the world origin coordinates have fewer digits after the point
        self.reach = max(self.size, 1e-3 * float(np.abs(poses[:, :3]).max(initial=0.0)))
        self.start_row = joint_coordinates(mechanism, poses[None], near, rows)[0]
        starts = np.cumsum([0] + [JOINT_TYPES[j.type].dof for j in self.joints])
        every = {k: self.start_row[starts[k] : starts[k + 1]] for k in range(len(self.joints))}
        self._index = {id: k for k, id in enumerate(mechanism.joints)}
        self._held = [self._hold(e, c, every) for e, c in enumerate(mechanism.couplings.values())]
        self.stops = [s for k in range(len(self.joints)) for s in self._stops_of(k)]
        self._followed = sorted(
            {int(j) for j in rows.joint_of_row[(rows.kind == THREAD) | (rows.kind == CURVE)]}
        )
        matter = {
            *involved,
            *self._followed,
            *(t.joint for h in self._held for t in h.terms),
            *(s.joint for s in self.stops),
        }
        self.at = At(poses, {k: every[k] for k in sorted(matter)})
        self._turns = self._thread_turns()
        self._weak = np.random.default_rng(20261121).standard_normal(6 * rows.body_count)
        self._column_scale = np.tile(np.repeat((1.0, 1.0 / self.size), 3), rows.body_count)

    def unit(self, joint: int, coordinate: int) -> float:
        """One radian, or one size [m]."""
        return 1.0 if self.named(joint, coordinate).dimension == "angle" else self.size

    def named(self, joint: int, coordinate: int) -> Coordinate:
        """Coordinate of a joint, with its name and dimension."""
        return JOINT_TYPES[self.joints[joint].type].coordinates[coordinate]

    def _hold(self, equation: int, coupling: Coupling, values: dict[int, np.ndarray]) -> _Held:
        kind = COUPLING_TYPES[coupling.type]
        numbers = {
            p.name: coupling.parameters[p.name].value
            if p.name in coupling.parameters
            else p.default or 0.0
            for p in kind.parameters
        }
        terms = tuple(
            _Term(equation, self._index[end.joint], end.coordinate, factor)
            for end, factor in zip(coupling.ends, kind.factors(numbers), strict=True)
        )
        held = _Held(
            terms,
            coupling,
            self.size / max(abs(t.factor) * self.unit(t.joint, t.coordinate) for t in terms),
            0.0,
        )
        return held._replace(constant=self._left(held, values) / held.scale)

    def _left(self, held: _Held, values: dict[int, np.ndarray]) -> Any:
        """Residual of a coupling [m], of one place or, for values (s, dof), of several."""
        total = (
            sum(t.factor * values[t.joint][..., t.coordinate] for t in held.terms) - held.constant
        )
        if not COUPLING_TYPES[held.coupling.type].law:
            return held.scale * total
        one = lambda s: self._follower(held, {held.terms[0].joint: s})[0]
        cam = values[held.terms[0].joint]
        return held.scale * (
            total - (one(cam) if cam.ndim == 1 else np.array([one(s) for s in cam]))
        )

    def _follower(self, held: _Held, values: dict[int, np.ndarray]) -> tuple[float, float]:
        """f and f' of a cam's law at its angle; zeros for another coupling."""
        if not COUPLING_TYPES[held.coupling.type].law or held.coupling.law is None:
            return 0.0, 0.0
        cam = held.terms[0]
        return evaluation.jet(held.coupling.law, float(values[cam.joint][cam.coordinate]))[:2]

    def _stops_of(self, k: int) -> Sequence[Stop]:
        return [
            Stop(k, limit.coordinate, bound.value, side)
            for limit in self.joints[k].limits
            for bound, side in ((limit.lower, -1.0), (limit.upper, 1.0))
            if bound is not None
        ]

    # the equations

    def see(self, poses: np.ndarray, near: dict[int, np.ndarray]) -> Seen:
        """A place at poses (n, 7), its coordinates following on from others."""
        rows = self.rows
        origins, R = rows.bodies(poses)
        frames = rows.frames_at(origins, R)
        samples = [f[None] for f in frames]
        values = {k: coordinates_of(self.joints[k], k, rows, samples, near[k])[0] for k in near}
        return Seen(
            At(poses, values), origins, R, frames, *rows.evaluate(frames, self._near(values))
        )

    def _near(self, values: dict[int, np.ndarray]) -> np.ndarray | None:
        if not self._followed:
            return None
        near = self._turns.copy()
        near[self._followed] += [values[k][0] for k in self._followed]
        return near

    def _thread_turns(self) -> np.ndarray:
        """Angles to add to those of screws for their threads (joints,) [rad]: typed values, and
        readings of one pose, may be whole turns off.
        """
        self._turns = np.zeros(len(self.joints))
        frames, threads = self.rows.frames(self.at.poses), np.flatnonzero(self.rows.kind == THREAD)
        C = self.rows.evaluate(frames, self._near(self.at.values))[0]
        out = self._turns.copy()
        out[self.rows.joint_of_row[threads]] = (
            2 * np.pi * np.round(C[threads] / self.rows.length[threads])
        )
        return out

    def residual(self, seen: Seen, prescribed: Sequence[Prescribed] = ()) -> np.ndarray:
        """Residuals of all equations, in m."""
        values = seen.at.values
        if not self._held and not prescribed:
            return seen.C
        requested = [
            self.size / self.unit(p.joint, p.coordinate) * (values[p.joint][p.coordinate] - p.value)
            for p in prescribed
        ]
        return np.concatenate((seen.C, [self._left(h, values) for h in self._held], requested))

    def residuals(
        self, poses: np.ndarray, near: dict[int, np.ndarray], prescribed: Sequence[Prescribed] = ()
    ) -> np.ndarray:
        """The same at several places (s, n, 7), all beside the one that has the coordinates `near`:
        (s, equations).
        """
        frames = self.rows.frames(poses)
        C = self.rows.evaluate(frames, self._near(near))[0]
        if not self._held and not prescribed:
            return C
        needed = {t.joint for h in self._held for t in h.terms} | {p.joint for p in prescribed}
        values = {
            k: coordinates_of(
                self.joints[k], k, self.rows, frames, np.tile(near[k], (len(poses), 1))
            )
            for k in needed
        }
        requested = [
            self.size
            / self.unit(p.joint, p.coordinate)
            * (values[p.joint][:, p.coordinate] - p.value)
            for p in prescribed
        ]
        return np.concatenate(
            (
                C,
                *(
                    np.reshape(x, (-1, 1))
                    for x in (*(self._left(h, values) for h in self._held), *requested)
                ),
            ),
            axis=1,
        )

    def triplets(
        self, seen: Seen, prescribed: Sequence[Prescribed] = ()
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, column and value of the entries of their rates per step (6 n,) in m."""
        rows, values, frames = self.rows, seen.at.values, seen.frames
        r, columns, entries = rows.triplets_of(
            rows.per_body(
                seen.origins, seen.R, frames[2], rows.joint_of_row, seen.force, seen.moment
            ),
            rows.joint_of_row,
        )
        terms = [
            _Term(
                t.equation,
                t.joint,
                t.coordinate,
                h.scale * (t.factor - self._follower(h, values)[1] * (t is h.terms[0])),
            )
            for h in self._held
            for t in h.terms
        ]
        terms += [
            _Term(
                len(self._held) + e,
                p.joint,
                p.coordinate,
                self.size / self.unit(p.joint, p.coordinate),
            )
            for e, p in enumerate(prescribed)
        ]
        if terms:
            wrenches = {
                k: coordinate_wrenches(self.joints[k], k, rows, frames, values[k])
                for k in {t.joint for t in terms}
            }
            joints = np.array([t.joint for t in terms])
            F, M = (
                np.array([t.factor * wrenches[t.joint][i][t.coordinate] for t in terms])
                for i in (0, 1)
            )
            more = rows.triplets_of(
                rows.per_body(seen.origins, seen.R, frames[2], joints, F, M), joints
            )
            equation = rows.row_count + np.array([t.equation for t in terms])
            r, columns, entries = (
                np.concatenate((r, equation[more[0]])),
                np.concatenate((columns, more[1])),
                np.concatenate((entries, more[2])),
            )
        return r, columns, entries * self._column_scale[columns]

    def jacobian(self, seen: Seen, prescribed: Sequence[Prescribed] = ()):
        """The same as a matrix, dense or, for many bodies, sparse."""
        return matrix_of(
            self.triplets(seen, prescribed),
            (self.rows.row_count + len(self._held) + len(prescribed), 6 * self.rows.body_count),
        )

    # steps

    def unscaled(self, step: np.ndarray) -> np.ndarray:
        """A step (6 n,) in m as twists (n, 6) in m and rad."""
        return (step * self._column_scale).reshape(-1, 6)

    def largest(self, step: np.ndarray) -> float:
        """Largest motion of one body in a step, in radians or parts of size."""
        return float(np.abs(step).max(initial=0.0)) / self.size

    def weakest(self, J: Any, solve: LeastSquares) -> float:
        """The least singular value of J beside those that are zero everywhere, which vanishes where
        branches cross; by inverse iteration.

        The vector is kept from step to step, so that it settles on the one that matters.
        """
        for _ in range(2):
            # only what some row sees: the other freedoms are no weakness
            w = solve(J @ self._weak)
            self._weak = solve.inverse(w / np.linalg.norm(w))
        self._weak = solve(J @ self._weak)
        self._weak /= np.linalg.norm(self._weak)
        return float(np.linalg.norm(J @ self._weak))

    def project(
        self,
        start: At,
        step: np.ndarray | None,
        prescribed: Sequence[Prescribed],
        solve: Callable[[np.ndarray], np.ndarray] | None,
        enough: float = EXACT,
    ) -> tuple[Seen, float] | None:
        """The place on the joints beside start + step, as it is seen there, and the correction over
        the step; None if it is not surely on the same branch.  Without a step corrections from the
        start may be of any length.

        solve: least squares of the Jacobian where the step began, kept while it serves; None to
        compute it.  enough: residual over size that corrections stop at.
        """
        poses, values, length = start.poses, start.values, np.inf
        if step is not None:
            poses, length = carried(poses, self.unscaled(step)), np.linalg.norm(step)
        corrected, before = np.zeros(6 * self.rows.body_count), np.inf
        seen, norm = None, np.inf
        for _ in range(ITERATIONS):
            seen = self.see(poses, values)
            values = seen.at.values
            C = self.residual(seen, prescribed)
            norm = np.abs(C).max(initial=0.0)
            if not np.isfinite(norm):
                return None  # a cam's law has no value there
            if norm <= enough * self.reach or (norm <= CLOSED * self.reach and norm > 0.5 * before):
                break
            if solve is None or norm > 0.3 * before:
                # the rates have changed on the way
                solve = least_squares(self.jacobian(seen, prescribed))
            correction = -solve(C)
            if step is None:
                correction *= min(1.0, LARGEST_STEP / max(self.largest(correction), 1e-300))
            corrected += correction
            if np.linalg.norm(corrected) > CORRECTED * length:
                return None
            poses, before = displaced(poses, self.unscaled(correction)), norm
        if seen is None or not norm <= CLOSED * self.reach:
            return None
        return seen, float(np.linalg.norm(corrected) / length) if length else 0.0

    # stops

    def excess(self, stop: Stop, at: At) -> float:
        """Excess of a coordinate beyond a stop, in radians or parts of size."""
        return float(stop.side * (at.values[stop.joint][stop.coordinate] - stop.bound)) / self.unit(
            stop.joint, stop.coordinate
        )

    # words

    def joint_label(self, joint: int, coordinate: int) -> str:
        """A coordinate at the beginning of a sentence."""
        title, name = titled(self.joints[joint]), self.named(joint, coordinate).name
        return (
            title
            if JOINT_TYPES[self.joints[joint].type].dof == 1
            else tr("{name} of {title}", name=name[:1].upper() + name[1:], title=title)
        )

    def shown(self, joint: int, coordinate: int, value: float) -> str:
        """A value of a coordinate as text."""
        return format_value(value, self.named(joint, coordinate).dimension, digits=4)
