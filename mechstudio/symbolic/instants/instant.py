"""Numbers behind the symbols at one instant of a motion: matrices, rank of C_q, multipliers,
independent coordinates.

Everything is laid out as arrays once; an instant of a four-bar then takes one or two milliseconds.
Accelerations and multipliers solve the augmented system [M -C_q^T; C_q 0] [a; lambda] = [tau - b -
g; gamma] of THEORY 5.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.results.sample import SampleLayout, sample_layout
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.instants.prescribed import Followed
from mechstudio.symbolic.instants.states import frames
from mechstudio.symbolic.kinematics.loop_rows import UnwrittenRow
from mechstudio.symbolic.methods.partition import (
    RANK,
    Partition,
    closed_state,
    column_scale,
    partition,
    row_scale,
)
from mechstudio.symbolic.methods.sampling import Compiled, Values
from mechstudio.symbolic.proofs.derivatives import PointRing
from mechstudio.symbolic.proofs.random_point import results_at
from mechstudio.symbolic.ring.polynomials import DERIVATIVES
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

_KEYS = ("M", "b", "g", "tau", "C", "C_q", "gamma")
DETERMINED = 1e-7  # part of a null vector of C_q^T from which a multiplier counts as not determined


def _rotation(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class InstantValues:
    """Numbers of one derivation at any of its instants.

    d: with its curves, where the drawing has some (derive).  independent: names of the
    coordinates that B keeps; None for a choice that works.
    """

    def __init__(self, d: "DerivedEquations", independent: Sequence[str] | None = None):
        self.d, self.layout = d, sample_layout(d.plan.mechanism)
        _ = d.equations  # names come from the equations first
        for target in d.setting.targets:
            for index in (target.position, target.rate, target.acceleration):
                d.names.p[index]  # what C_t holds stands in no equation of motion
        self.rows = d.setting.rows
        self._compiled = {key: Compiled(d.ring, matrix) for key, matrix in d.matrices.items()}
        self._rates: Compiled | None = None
        self._is_unwritten = any(isinstance(r, UnwrittenRow) for r in d.rows)
        tracked = {c.joint.id for c in d.setting.closures if c.track is not None}
        ways = [r.jacobian for r in self.rows if r.joint in tracked and not self._is_unwritten]
        self._of_ways = Compiled(d.ring, ways) if ways else None
        self._followed = Followed(d)
        self._chosen: Partition | None = None
        self._refusal = ""
        self.choose(independent)

    def choose(self, independent: Sequence[str] | None = None) -> str:
        """Keep other coordinates in B.  Returns why that is impossible, with a choice that works,
        or "".
        """
        self._chosen, self._refusal, self._rates = None, "", None
        try:
            self._chosen = partition(self.d, independent or None)
        except DerivationError as error:
            self._refusal = str(error)
        return self._refusal

    # states

    @cached_property
    def _reading(self) -> tuple[np.ndarray, list[tuple[str, int]], np.ndarray]:
        """(A, joint coordinates or places of free bodies, offsets) with A q + offsets = what is
        read.
        """
        plan, n = self.d.plan, len(self.d.plan.coordinates)
        rows, places, offsets = [], [], []
        for (joint, component), form in plan.joint_forms.items():
            row = np.zeros(n)
            for variable, coefficient in form:
                if variable >= 0:
                    row[variable] += coefficient
            rows.append(row)
            places.append((joint, component))
            offsets.append(sum(c * plan.symbols.value_of(-1 - v) for v, c in form if v < 0))
        for k, c in enumerate(plan.coordinates):
            if not c.joint:
                rows.append(np.eye(n)[k])
                places.append((c.body, c.component))
                offsets.append(0.0)
        return np.array(rows), places, np.array(offsets)

    def state(
        self, row: np.ndarray, layout: SampleLayout | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(q, v) of a sample (layout.width,) of a run."""
        return self._read(row, layout or self.layout)[:2]

    def _read(
        self, row: np.ndarray, layout: SampleLayout
    ) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
        A, places, offsets = self._reading
        read = []
        for id, component in places:
            if id in layout.joints:
                read.append(row[layout.joint(id)][component])
            else:
                pose = row[layout.pose(id)]
                read.append(
                    pose[component] if component < 3 else to_angles(tuple(pose[3:]))[component - 3]
                )
        q = np.linalg.solve(A, np.array(read) - offsets)
        twists = self.twists_of(row, layout)
        placed = frames(self.d, q)
        J, rates = placed[1].reshape(-1, len(q)), twists.ravel()
        if self._of_ways is not None:
            # no body moves with the way along a closing curve: its rows give its rate
            of_ways = self._of_ways.at(Values(self.d, q))
            J, rates = np.vstack((J, of_ways)), np.concatenate((rates, np.zeros(len(of_ways))))
        massless = [k for k, c in enumerate(self.d.plan.coordinates) if not c.body]
        if self._is_unwritten and massless:
            C_q = self._unwritten(Values(self.d, q))["C_q"]
            tying = C_q[np.abs(C_q[:, massless]).max(axis=1) > 0.0]
            J, rates = np.vstack((J, tying)), np.concatenate((rates, np.zeros(len(tying))))
        return q, np.linalg.lstsq(J, rates, rcond=1e-10)[0], placed

    @staticmethod
    def twists_of(row: np.ndarray, layout: SampleLayout) -> np.ndarray:
        """(bodies, 6) of a sample: velocity of the body frame's origin and angular velocity, both
        in W.
        """
        twists = row[layout.velocities].reshape(-1, 6).copy()
        for k, pose in enumerate(row[layout.poses].reshape(-1, 7)):
            twists[k, 3:] = _rotation(pose[3:]) @ twists[k, 3:]
        return twists

    def drawn(self) -> InstantNumbers:
        """At the drawn pose, closed and at rest.  Raises DerivationError where it does not
        close.
        """
        q = closed_state(self.d)
        return self.at(q, np.zeros(len(q)))

    def at_sample(self, row: np.ndarray, layout: SampleLayout | None = None) -> InstantNumbers:
        """At a sample (layout.width,) of a run."""
        q, v, placed = self._read(row, layout or self.layout)
        return self._at(q, v, float(row[0]), placed, row, layout or self.layout)

    # numbers

    def at(
        self,
        q: Sequence[float] | np.ndarray,
        v: Sequence[float] | np.ndarray | None = None,
        t: float | None = None,
    ) -> InstantNumbers:
        """At coordinates q (n,) and rates v (n,) [SI], at the time t [s], which only laws and
        drives prescribe; None for that of the drawing.
        """
        t = self.d.plan.mechanism.start.value if t is None else t
        place = np.asarray(q, float)
        return self._at(
            place,
            np.zeros(len(place)) if v is None else np.asarray(v, float),
            t,
            frames(self.d, place),
        )

    def _at(
        self,
        q: np.ndarray,
        v: np.ndarray,
        t: float,
        placed: tuple[np.ndarray, np.ndarray],
        row: np.ndarray | None = None,
        layout: SampleLayout | None = None,
    ) -> InstantNumbers:
        """placed: poses and Jacobians of the bodies.  row, layout: the sample, if a law needs a
        coordinate that is none of q.
        """
        d, n = self.d, len(q)
        values = Values(d, q, v)
        poses, J = placed
        followed = self._followed.at(values, q, v, t, poses, (J @ v).reshape(-1, 6), row, layout)
        if followed:
            values = Values(d, q, v, followed)
        matrices = self._matrices(values)
        M, C_q = matrices["M"], matrices["C_q"]
        force = (matrices["tau"] - matrices["b"] - matrices["g"])[:, 0]
        m = len(C_q)
        solved = np.linalg.lstsq(
            np.block([[M, -C_q.T], [C_q, np.zeros((m, m))]]),
            np.concatenate((force, matrices["gamma"][:, 0])),
            rcond=1e-11,
        )[0]
        a, multipliers = solved[:n], solved[n:]
        symbols = self._symbols(values, a, multipliers)
        scale = column_scale(d)
        u, s, vt = (
            np.linalg.svd(row_scale(d, self.rows)[:, None] * C_q * scale)
            if m
            else (np.zeros((0, 0)), np.zeros(0), np.eye(n))
        )
        rank = int(np.sum(s > RANK * max(s[0], 1e-300))) if len(s) else 0
        # lengths back in metres; largest component one, so that motions can be compared
        motions = vt * scale
        motions /= np.abs(motions).max(axis=1, keepdims=True)
        free = u[:, rank:] if m else np.zeros((0, 0))
        determined = (
            tuple(bool(x) for x in (np.abs(free).max(axis=1, initial=0.0) < DETERMINED))
            if m
            else ()
        )
        refusal = self._partition(values, matrices, force)
        names = [name.name for name in d.names.q]
        chosen = self._chosen
        plain = {key: tuple(tuple(map(float, r)) for r in x) for key, x in matrices.items()}
        twists = np.einsum("bij,kj->kbi", J, motions).reshape(n, -1)
        return InstantNumbers(
            t,
            symbols,
            plain,
            determined,
            rank,
            tuple(float(x) for x in (*s, *[0.0] * (n - len(s)))[:n]),
            tuple(tuple(map(float, r)) for r in motions),
            tuple(tuple(map(float, r)) for r in twists),
            tuple(names[k] for k in chosen.independent) if chosen else (),
            tuple(names[k] for k in chosen.dependent) if chosen else (),
            refusal,
        )

    def contact_matrices(
        self, q: np.ndarray, v: np.ndarray, t: float, row: np.ndarray, layout: SampleLayout
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(J (bodies, 6, n) of all origins and turns in W, M, C_q, origins (bodies, 3) [m, W]) at
        coordinates and rates: what contacts are made of (contact_problem).
        """
        values = Values(self.d, q, v)
        poses, J = frames(self.d, q)
        followed = self._followed.at(values, q, v, t, poses, (J @ v).reshape(-1, 6), row, layout)
        matrices = self._matrices(Values(self.d, q, v, followed) if followed else values)
        return J, matrices["M"], matrices["C_q"], poses[:, :3]

    def _matrices(self, values: Values) -> dict[str, np.ndarray]:
        d, n, m = self.d, len(self.d.plan.coordinates), len(self.rows)
        if d.complete:
            out = {key: c.at(values) for key, c in self._compiled.items()}
        else:
            method = results_at(d, PointRing(d.ring, values.values), ("projected",))["projected"]
            column = lambda entries: np.array([[float(x.value)] for x in entries])
            out = {
                "M": np.array([[float(x.value) for x in r] for r in method.M]),
                "b": column(method.b),
                "g": column(method.g),
                "tau": column(method.tau),
            }
        if self._is_unwritten:
            out |= self._unwritten(values)
        if "C_q" not in out:
            rows = self.rows
            out["C"], out["gamma"] = (
                values.column([getattr(r, name) for r in rows])[:, None]
                for name in ("value", "gamma")
            )
            out["C_q"] = values.matrix([r.jacobian for r in rows]) if rows else np.zeros((0, n))
        assert out["C_q"].shape == (m, n)
        return {key: out[key] for key in _KEYS}

    def _unwritten(self, values: Values) -> dict[str, np.ndarray]:
        """C, C_q and gamma by the code, where nobody writes their closed form."""
        d, start = self.d, self.d.ring.starts
        n, places = d.ring.coordinate_count, {name.name: k for k, name in d.names.p.items()}
        q, v = (values.values[start[x] : start[x] + n] for x in ("q", "v"))
        known = {name: values.values[start["p"] + places[name]] for name in d.values}
        _, _, _, C, C_q, gamma = d.function()(q, v, 0.0, known)
        return {"C": C[:, None], "C_q": C_q, "gamma": gamma[:, None]}

    def _partition(self, values: Values, matrices: dict[str, np.ndarray], force: np.ndarray) -> str:
        """Add B and what is made of it; returns why it cannot be."""
        p, d = self._chosen, self.d
        if p is None:
            return self._refusal
        n, at = d.ring.coordinate_count, list(p.dependent)
        B, Bdot, beta, c = (
            np.zeros((n, len(p.independent))),
            np.zeros((n, len(p.independent))),
            np.zeros(n),
            np.zeros(n),
        )
        B[list(p.independent)] = np.eye(len(p.independent))
        if p.rows:
            if self._rates is None:
                self._rates = Compiled(
                    d.ring, [[d.ring.rate(x) for x in self.rows[i].jacobian] for i in p.rows]
                )
                self._times = [self.rows[i].time + d.ring.zero for i in p.rows]
            kept = matrices["C_q"][list(p.rows)]
            C_d = kept[:, at]
            scaled = (
                row_scale(d, [self.rows[i] for i in p.rows])[:, None] * C_d * column_scale(d)[at]
            )
            s = np.linalg.svd(scaled, compute_uv=False)
            if s[-1] <= RANK * max(s[0], 1e-300):
                names = comma().join(d.names.q[k].name for k in p.independent) or tr("none")
                return tr(
                    "C_qd is singular here: a dead centre of {names}, from which the other "
                    "coordinates do not follow. Choose others, or go on to another instant.",
                    names=names,
                )
            inverse = np.linalg.inv(C_d)
            B[at] = -inverse @ kept[:, list(p.independent)]
            Bdot[at] = -inverse @ (self._rates.at(values) @ B)
            beta[at] = -inverse @ values.column(self._times)
            c[at] = inverse @ matrices["gamma"][list(p.rows), 0]
        M = matrices["M"]
        matrices |= {
            "B": B,
            "Bdot": Bdot,
            "beta": beta[:, None],
            "c": c[:, None],
            "M_i": B.T @ M @ B,
            "Q_i": (B.T @ (force - M @ c))[:, None],
        }
        return ""

    def _symbols(self, values: Values, a: np.ndarray, multipliers: np.ndarray) -> dict[str, float]:
        d, names, x = self.d, self.d.names, values.values
        start = d.ring.starts
        out = {
            name.name: float(x[start[letter] + k])
            for letter, known in (("q", names.q), ("v", names.v), ("l", names.lengths))
            for k, name in enumerate(known)
        }
        out |= {name.name: float(y) for name, y in zip(names.a, a)}
        out |= {name.name: float(y) for name, y in zip(names.multipliers, multipliers)}
        out |= {
            name.name: float(x[start["p"] + k])
            for k, name in names.p.items()
            if k < d.ring.symbol_count
        }
        for i, orders in enumerate(names.functions):
            out |= {
                name.name: float(x[start["f"] + DERIVATIVES * i + order])
                for order, name in enumerate(orders[:3])
            }
        return out


__all__ = ["InstantValues"]
