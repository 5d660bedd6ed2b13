"""Gap of a joint in a run, drawn magnified: a line from its point on the first body to that on the
second one.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mechstudio.application.marks.figures.figure import Line, Symbol
from mechstudio.application.plots.joint_errors import residuals
from mechstudio.curves.dimensions import unit_of
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.units import without_prefixes
from mechstudio.translation import localised, tr

DRAWN = 0.12  # of the mechanism's size, that a gap is drawn long at most
CROSS = 0.012  # half of the cross at its end, in the same
AXES = np.eye(3)
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Gap(NamedTuple):
    """Gap of a joint in W [m].  place (3,): of its point on the first body; apart (3,): from there
    to that on the second one, without what the joint leaves free.
    """

    place: np.ndarray
    apart: np.ndarray


def gap(m: Mechanism, layout: SampleLayout, row: np.ndarray, joint: str) -> Gap | None:
    """Gap of a joint at a sample (width,); None of a joint that holds anything else than points and
    axes.
    """
    found = residuals(m, layout, row[None], joint) if joint in m.joints else None
    return None if found is None else Gap(found.place[0], found.gap[0])


def magnification(length: float, size: float) -> float:
    """Power of ten by which a gap is drawn, 1 for one that is seen as it is."""
    if not length > 0:
        return 1.0
    return max(10.0 ** math.floor(math.log10(DRAWN * size / length)), 1.0)


def drawn(found: Gap, size: float, name: str, units: str) -> Iterator[Line | Symbol]:
    """The gap, magnified by a power of ten that its words name."""
    length = float(np.linalg.norm(found.apart))
    factor = magnification(length, size)
    end = found.place + factor * found.apart
    yield Line(np.array([found.place, end]), role="text", width=2.0, hidden=1.0)
    for axis in AXES * CROSS * size:
        yield Line(np.array([end - axis, end + axis]), role="text", width=1.4, hidden=1.0)
    unit = unit_of("length", without_prefixes(units))
    shown = localised(f"{length / unit.factor:.1e}").replace("-", "−")
    words = tr("{name}: gap {gap} {unit}", name=name, gap=shown, unit=unit.symbol)
    if factor > 1:
        power = round(math.log10(factor))
        times = "10" + str(power).translate(RAISED)
        words = tr("{words}, drawn {times} times as large", words=words, times=times)
    yield Symbol("", end, words=words)
