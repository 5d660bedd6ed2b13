"""Energy account of a run: what is stored in motion, height and springs, and what drives, loads,
friction and impacts have put in or taken, so that the sum of all is the balance error.

All of it stands in the samples.  The potential energy is split by the poses: that of gravity is
-m g . r_G of every body, the rest is that of springs, bushings and soft stops.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.curves import interpolation
from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run
from mechstudio.curves.operations import Operand, applied
from mechstudio.curves.potential import gravity_energy, has_springs
from mechstudio.model.contact import has_surface
from mechstudio.model.findings import joined
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
from mechstudio.model.units import format_number
from mechstudio.translation import tr


class Part(NamedTuple):
    """One part of the account.  name: in words.  values (s,) [J]: stored energy less that at the
    start, or work with the opposite sign: what came from it is negative.  stored: it is no work.
    """

    name: str
    values: np.ndarray
    stored: bool


class Account(NamedTuple):
    """times (s,) [s].  parts: add up to balance (s,) [J], the error of the run, but for rounding.
    split_error: of the works of drives and of other loads [J], one against the other, where an
    integral over the power of the drives separates them; 0 where the run itself does.
    """

    times: np.ndarray
    parts: tuple[Part, ...]
    balance: np.ndarray
    split_error: float = 0.0

    @property
    def note(self) -> str:
        """Sentences on how the parts were found."""
        words = tr("Parts add up to the balance error; what was stored at the start is left out.")
        if self.split_error:
            words += " " + tr(
                "Drives and other loads stand apart by the integral of the power of the drives, to "
                "{error} J.",
                error=format_number(self.split_error, 2),
            )
        return words


def account(run: Run, powers: Sequence[Course] = (), gravity: np.ndarray | None = None) -> Account:
    """The energy account of a run.

    powers: of all drives [W], as an analysis finds them.  Samples of a run without contacts hold
    the work of drives and of other loads together; with the powers they stand apart, the drives by
    an integral of fourth order, whose error is reported beside the account.  gravity (s,) [J]:
    energy of height at the samples, found where it is not given.
    """
    m, rows = run.project.mechanism, run.rows
    energy = rows[:, run.layout.energy]
    if gravity is None:
        gravity = run.by_loads(gravity_energy)
    error = 0.0
    since = lambda stored: stored - stored[:1]
    parts = [Part(tr("Kinetic energy"), since(energy[:, KINETIC]), True)]
    parts.append(Part(tr("Height in gravity"), since(gravity), True))
    if has_springs(m):
        parts.append(Part(tr("Springs"), since(energy[:, POTENTIAL] - gravity), True))
    else:
        # what rounding leaves of the difference belongs to the height
        parts[-1] = Part(tr("Height in gravity"), since(energy[:, POTENTIAL]), True)
    if run.layout.touching:
        contact = rows[:, run.layout.contact]
        drives, loads = worked_by(m)
        for name, column in (
            (_driven_by(m, drives), DRIVE_WORK),
            (loads, LOAD_WORK),
            (tr("Friction of contacts"), FRICTION_WORK),
            (tr("Impacts"), IMPACT_WORK),
        ):
            if name or contact[:, column].any():
                parts.append(Part(name or tr("Other work"), -contact[:, column], False))
    else:
        works, error = _works(m, rows[:, 0], energy[:, WORK], powers)
        parts += works
    return Account(rows[:, 0], tuple(parts), energy[:, BALANCE], error)


def _works(
    m: Mechanism, times: np.ndarray, work: np.ndarray, powers: Sequence[Course]
) -> tuple[list[Part], float]:
    """Parts of the work that samples hold in one number, and the error between them [J]."""
    drives, loads = worked_by(m)
    known = [p for p in powers if len(p.times) > 1 and np.isfinite(p.values).all()]
    if drives and loads and powers and len(known) == len(powers):
        found = [_integrated(p, times) for p in known]
        driven = np.sum([values for values, _ in found], axis=0)
        if np.isfinite(driven).all():
            error = sum(error for _, error in found)
            return [Part(drives, -driven, False), Part(loads, driven - work, False)], error
    both = [w[:1].lower() + w[1:] for w in (drives, loads) if w]
    name = (
        tr("{names} and {last}", names=both[0], last=both[1]) if len(both) == 2 else "".join(both)
    )
    if not name and not work.any():
        return [], 0.0
    return [Part(name[:1].upper() + name[1:] if name else tr("Other work"), -work, False)], 0.0


def _driven_by(m: Mechanism, drives: str) -> str:
    """Words for what counts as drives in steps with contacts: the drives, and surfaces that run."""
    if not has_surface(m, "belt_speed"):
        return drives
    return tr("Drives and belts") if drives else tr("Belts")


def _integrated(power: Course, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Work of a power (s,) [J] at some instants, and its error [J] by the integral over every
    second value: a rule of fourth order is off by a fifteenth of the difference.
    """
    whole = applied("integral", [Operand(power, "power")]).y
    half = Course(power.times[::2], power.values[::2])
    coarse = applied("integral", [Operand(half, "power")]).y if len(half.times) > 1 else whole[:1]
    error = float(np.abs(whole[::2] - coarse).max(initial=0.0)) / 15
    if len(power.times) == len(times):
        return whole, error
    # an analysis may end at the sample before, by rounding
    inside = np.clip(times, power.times[0], power.times[-1])
    return interpolation.between(power.times, whole, inside), error


def stacked(parts: Sequence[Part]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lower and upper edge (s,) [J] of every part, stacked at each instant: what is positive up
    from zero, what is negative down, so that both heaps differ by the balance.
    """
    return stacked_edges([part.values for part in parts])


def stacked_edges(parts: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same of values (s,) in any unit."""
    up = down = np.zeros(len(parts[0]) if parts else 0)
    out = []
    for values in parts:
        plus, minus = np.maximum(values, 0.0), np.minimum(values, 0.0)
        low, high = np.where(values < 0, down + minus, up), np.where(values < 0, down, up + plus)
        out.append((low, high))
        up, down = up + plus, down + minus
    return out


def worked_by(m: Mechanism) -> tuple[str, str]:
    """Words for the drives and for the other loads whose work a run counts; "" where there are
    none.
    """
    drives = tr("Drives") if any(d.enabled for d in m.drives.values()) else ""
    kinds: dict[str, None] = {}
    for force in m.forces.values():
        kind = FORCE_TYPES[force.type]
        if kind.motor:
            kinds[tr("motors")] = None
        elif kind.law is force_laws.friction:
            kinds[tr("friction")] = None
        elif kind.law is force_laws.damper or kind.attachment == FRAMES:
            kinds[tr("dampers")] = None
        elif (
            kind.attachment == BODY
            or kind.law is force_laws.constant
            or kind.potential is None
            or force.laws
        ):
            kinds[tr("forces")] = None
    if any(q.stiffness is not None for j in m.joints.values() for q in j.limits):
        kinds[tr("soft stops")] = None
    if any(q.stiffness is None for j in m.joints.values() for q in j.limits):
        kinds[tr("stops")] = None
    words = joined(list(kinds))
    return drives, words[:1].upper() + words[1:]
