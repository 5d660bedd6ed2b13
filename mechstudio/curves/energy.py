"""Energy account of a run: what is stored in motion, height and springs, and what drives, loads,
friction and impacts have put in or taken, so that the sum of all is the balance error.

All of it stands in the samples.  The potential energy is split by the poses: that of gravity is
-m g . r_G of every body, the rest is that of springs, bushings and soft stops.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run
from mechstudio.curves.operations import Operand, applied
from mechstudio.curves.potential import gravity_energy, has_springs
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import (
    BALANCE,
    DRIVE_WORK,
    FRICTION_WORK,
    IMPACT_WORK,
    KINETIC,
    LOAD_WORK,
    POTENTIAL,
    WORK,
)
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES


class Part(NamedTuple):
    """One part of the account.  name: in words.  values (s,) [J]: stored energy less that at the
    start, or work with the opposite sign: what came from it is negative.  stored: it is no work.
    """

    name: str
    values: np.ndarray
    stored: bool


class Account(NamedTuple):
    """times (s,) [s].  parts: add up to balance (s,) [J], the error of the run, but for
    rounding.
    """

    times: np.ndarray
    parts: tuple[Part, ...]
    balance: np.ndarray


def account(run: Run, powers: Sequence[Course] = ()) -> Account:
    """The energy account of a run.

    powers: of all drives, at the samples [W], as an analysis finds them.  Samples of a run without
    contacts hold the work of drives and of other loads together; with the powers they stand apart,
    the drives by an integral of fourth order, whose error is in the part of the others.
    """
    m, rows = run.project.mechanism, run.rows
    energy = rows[:, run.layout.energy]
    gravity = gravity_energy(m, run.layout, rows)
    since = lambda stored: stored - stored[:1]
    parts = [Part("Kinetic energy", since(energy[:, KINETIC]), True)]
    parts.append(Part("Height in gravity", since(gravity), True))
    if has_springs(m):
        parts.append(Part("Springs", since(energy[:, POTENTIAL] - gravity), True))
    else:
        # what rounding leaves of the difference belongs to the height
        parts[-1] = Part("Height in gravity", since(energy[:, POTENTIAL]), True)
    if run.layout.touching:
        contact = rows[:, run.layout.contact]
        drives, loads = worked_by(m)
        for name, column in (
            (drives, DRIVE_WORK),
            (loads, LOAD_WORK),
            ("Friction of contacts", FRICTION_WORK),
            ("Impacts", IMPACT_WORK),
        ):
            if name:
                parts.append(Part(name, -contact[:, column], False))
    else:
        parts += _works(m, rows[:, 0], energy[:, WORK], powers)
    return Account(rows[:, 0], tuple(parts), energy[:, BALANCE])


def _works(
    m: Mechanism, times: np.ndarray, work: np.ndarray, powers: Sequence[Course]
) -> list[Part]:
    """Parts of the work that samples hold in one number."""
    drives, loads = worked_by(m)
    known = [p.values for p in powers if len(p.times) == len(times) and np.isfinite(p.values).all()]
    if drives and loads and powers and len(known) == len(powers):
        power = Operand(Course(times, np.sum(known, axis=0)), "power")
        driven = applied("integral", [power]).y
        return [Part(drives, -driven, False), Part(loads, driven - work, False)]
    name = " and ".join(w.lower() for w in (drives, loads) if w)
    if not name and not work.any():
        return []
    return [Part(name[:1].upper() + name[1:] if name else "Other work", -work, False)]


def stacked(parts: Sequence[Part]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lower and upper edge (s,) [J] of every part, stacked at each instant: what is positive up
    from zero, what is negative down, so that both heaps differ by the balance.
    """
    up = down = np.zeros(len(parts[0].values) if parts else 0)
    out = []
    for part in parts:
        plus, minus = np.maximum(part.values, 0.0), np.minimum(part.values, 0.0)
        out.append(
            (
                np.where(part.values < 0, down + minus, up),
                np.where(part.values < 0, down, up + plus),
            )
        )
        up, down = up + plus, down + minus
    return out


def worked_by(m: Mechanism) -> tuple[str, str]:
    """Words for the drives and for the other loads whose work a run counts; "" where there are
    none.
    """
    drives = "Drives" if any(d.enabled for d in m.drives.values()) else ""
    kinds: dict[str, None] = {}
    for force in m.forces.values():
        kind = FORCE_TYPES[force.type]
        if kind.motor:
            kinds["motors"] = None
        elif kind.law is force_laws.friction:
            kinds["friction"] = None
        elif kind.law is force_laws.damper or kind.attachment == FRAMES:
            kinds["dampers"] = None
        elif (
            kind.attachment == BODY
            or kind.law is force_laws.constant
            or kind.potential is None
            or force.laws
        ):
            kinds["forces"] = None
    if any(q.stiffness is not None for j in m.joints.values() for q in j.limits):
        kinds["soft stops"] = None
    if any(q.stiffness is None for j in m.joints.values() for q in j.limits):
        kinds["stops"] = None
    words = list(kinds)
    joined = ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
    return drives, joined[:1].upper() + joined[1:]
