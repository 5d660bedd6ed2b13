"""Every body cut free, instant by instant: each load, reaction and drive that acts on it, and what
its inertia puts against them (THEORY 5 a).

sum F - m a_G = 0,  sum M_G - (Theta alpha + w x Theta w) = 0        residual: how far both are off,
relative
"""

import math
from collections.abc import Sequence

import numpy as np

from mechstudio.engine.analyses.table import Table
from mechstudio.engine.dynamics.instant import CONTACTS, Instant, transferred
from mechstudio.engine.integration.events.frictions import rubbing
from mechstudio.engine.kernels.columns import FPAR
from mechstudio.engine.system.force_tables import soft_stops
from mechstudio.model.free_bodies import (
    CONTACT,
    COUPLE,
    COUPLED,
    DRIVE,
    FORCE,
    HARD_STOP,
    INERTIA,
    LOAD,
    LOOSE_COUPLE,
    LOOSE_FORCE,
    MOMENT,
    POINT,
    REACTION,
    SOFT_STOP,
    WEIGHT,
    WIDTH,
    Slot,
    columns,
    slots,
)
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES, FRAMES
from mechstudio.translation import tr

TIME = ("time", "time")


def free_bodies(instants: Sequence[Instant], bodies: Sequence[str] = ()) -> Table:
    """All actions on some moving bodies (ids), or on all; see model/free_bodies.py for the columns.

    Hatched among the parts that are not determined: along the axes of a joint's frame B that rigid
    bodies leave open, whatever stands there; of any other action, all.
    residual: largest sum of the loads on one body, relative to the largest load; rounding.
    """
    m = instants[0].mechanism
    requested = slots(m, bodies)
    rows, hatched = (
        np.zeros((len(instants), 1 + WIDTH * len(requested))),
        np.zeros((len(instants), 1 + WIDTH * len(requested)), bool),
    )
    worst = 0.0
    for r, now in enumerate(instants):
        rows[r, 0] = now.motion.time
        each, open_ = _Actions(now), hatched[r, 1:].reshape(-1, WIDTH)
        numbers = rows[r, 1:].reshape(-1, WIDTH)
        for k, slot in enumerate(requested):
            each.fill(slot, numbers[k], open_[k])
        for body in bodies or m.bodies:
            those = [k for k, slot in enumerate(requested) if slot.body == body]
            total = np.concatenate(
                (numbers[those, FORCE].sum(axis=0), numbers[those, MOMENT].sum(axis=0))
            )
            worst = max(worst, now.strength(total) / now.largest)
    notes = (
        tr(
            "Forces, couples at their points and moments about the centre of mass in W; points in "
            "axes of the body; with a question mark what rigid bodies do not determine."
        ),
    )
    return Table(
        "free_bodies",
        [TIME, *columns(m, bodies)],
        rows,
        residual=worst,
        notes=notes,
        hatched=hatched,
    )


class _Actions:
    """One instant's actions, slot by slot."""

    def __init__(self, now: Instant) -> None:
        self.now, self.m = now, now.mechanism
        self.index = {id: k for k, id in enumerate((GROUND, *self.m.bodies))}
        self.joint = {id: k for k, id in enumerate(self.m.joints)}
        self.loads = dict(zip(self.m.forces, now.loads[1:]))
        soft = [(joint.id, limit.coordinate) for joint, limit in soft_stops(self.m)]
        self.soft = dict(
            zip(
                soft,
                [a for a in now.loads[1 + len(self.m.forces) :] if a.id != CONTACTS],
                strict=True,
            )
        )
        self.contacts = next((a.wrenches for a in now.loads if a.id == CONTACTS), {})
        # what belongs together among the multipliers: (kind, id or index of a joint, coordinate of
        # a stop)
        self.rows: dict[tuple, list[int]] = {}
        for r, owner in enumerate(now.row_owners):
            self.rows.setdefault(
                (owner[0], owner[1], owner[3] if owner[0] == "stop" else 0), []
            ).append(r)
        # frictions that hold a coordinate at rest, by their levels: rigid bodies tell their sum
        self.holding: dict[str, tuple[tuple[str, int], float]] = {}
        for rub in rubbing(now.system):
            if (key := (rub.joint, rub.coordinate)) in now.held:
                levels = [abs(now.tables.force_const[row, FPAR]) for row in rub.forces]
                whole = sum(levels) or math.inf
                for row, level in zip(rub.forces, levels):
                    self.holding[list(self.m.forces)[row]] = key, float(level / whole)
        self.loose = {(e.id, e.joint, e.coordinate): not e.determined for e in now.efforts}

    def fill(self, slot: Slot, out: np.ndarray, open_: np.ndarray) -> None:
        """The numbers (WIDTH,) of a slot and which of them are not determined."""
        now, b = self.now, self.index[slot.body]
        origin, G = now.at.origins[b], now.centers[b]
        P, wrench = self._wrench(slot, b)
        here = transferred(wrench, origin, P)
        out[FORCE], out[COUPLE], out[MOMENT] = (
            here[:3],
            here[3:],
            transferred(wrench, origin, G)[3:],
        )
        out[POINT] = now.at.R[b].T @ (P - origin)
        if slot.kind == REACTION:
            j = self.joint[slot.id]
            R, determined = now.at.frames[3][j], now.reactions[j].determined
            for part, of, known in (
                (LOOSE_FORCE, FORCE, determined[:3]),
                (LOOSE_COUPLE, COUPLE, determined[3:]),
            ):
                out[part] = R @ np.where(known, 0.0, R.T @ out[of])
                open_[part] = ~known
        elif self._is_open(slot):
            out[LOOSE_FORCE], out[LOOSE_COUPLE] = out[FORCE], out[COUPLE]
            open_[LOOSE_FORCE] = open_[LOOSE_COUPLE] = True

    def _is_open(self, slot: Slot) -> bool:
        """True if rigid bodies do not determine an action other than a reaction."""
        if slot.kind == LOAD:  # several frictions hold one coordinate
            return 0.0 < self.holding.get(slot.id, (None, 0.0))[1] < 1.0
        loose = any(v for key, v in self.loose.items() if key[0] == slot.id)
        return slot.kind in (DRIVE, COUPLED, HARD_STOP) and loose

    def _wrench(self, slot: Slot, b: int) -> tuple[np.ndarray, np.ndarray]:
        """(where it is drawn, the wrench at the body's origin)."""
        now, at = self.now, self.now.at
        if slot.kind == WEIGHT:
            return now.centers[b], now.loads[0].wrenches[b]
        if slot.kind == INERTIA:
            return now.centers[b], -now.dynamic(b, at.origins[b])
        if slot.kind == LOAD:
            acts = self.loads[slot.id].wrenches.get(b, np.zeros(6))
            if slot.id in self.holding:
                key, share = self.holding[slot.id]
                acts = acts + share * self._of_rows(("stop", *key), b)
            return self._load_point(slot), acts
        if slot.kind == SOFT_STOP:
            return self._at(slot.id), self.soft[slot.id, slot.coordinate].wrenches.get(
                b, np.zeros(6)
            )
        if slot.kind == CONTACT:
            return self._contact_point(b), self.contacts.get(b, np.zeros(6))
        key = {
            REACTION: ("joint", self.joint.get(slot.id), 0),
            COUPLED: ("coupling", slot.id, 0),
            DRIVE: ("drive", slot.id, 0),
            HARD_STOP: ("stop", slot.id, slot.coordinate),
        }[slot.kind]
        against = slot.kind != HARD_STOP or (slot.id, slot.coordinate) not in now.held
        total = self._of_rows(key, b) if against else np.zeros(6)
        if slot.kind == COUPLED:
            return self._at(
                next(
                    end.joint
                    for end in self.m.couplings[slot.id].ends
                    if slot.body in _bodies(self.m, end.joint)
                )
            ), total
        return self._at(self.m.drives[slot.id].joint if slot.kind == DRIVE else slot.id), total

    def _of_rows(self, key: tuple, b: int) -> np.ndarray:
        """The wrench (6,) of the rows of one owner on a body, at its origin."""
        now, rows = self.now, self.rows.get(key, ())
        return sum(
            (now.multipliers[r] * now.row_wrenches[r].get(b, 0.0) for r in rows), np.zeros(6)
        )

    def _at(self, joint: str) -> np.ndarray:
        """Origin of a joint's frame B (3,) [m, W], where the joint acts on both of its bodies."""
        return self.now.at.frames[2][self.joint[joint]]

    def _contact_point(self, b: int) -> np.ndarray:
        """Point where the contacts of a body have no moment except along their force. The body's
        origin if there is no force, or if that point is more than 10 sizes away.
        """
        wrench = self.contacts.get(b, np.zeros(6))
        F, M = wrench[:3], wrench[3:]
        square = float(F @ F)
        arm = np.cross(F, M) / square if square > 0.0 else np.zeros(3)
        return self.now.at.origins[b] + (
            arm if np.abs(arm).max() <= 10.0 * self.now.rows.size else 0.0
        )

    def _load_point(self, slot: Slot) -> np.ndarray:
        force = self.m.forces[slot.id]
        if force.joint:
            return self._at(force.joint)
        # a bushing acts on both bodies where its second frame stands
        own = (
            force.frame_a
            if FORCE_TYPES[force.type].attachment != FRAMES
            and force.frame_a is not None
            and force.frame_a.body == slot.body
            else force.frame_b
        )
        assert isinstance(own, Frame)
        b = self.index[own.body]
        return self.now.at.origins[b] + self.now.at.R[b] @ np.array(self.m.frame_in_body(own)[0])


def _bodies(m: Mechanism, joint: str) -> tuple[str, str]:
    return m.joints[joint].frame_a.body, m.joints[joint].frame_b.body
