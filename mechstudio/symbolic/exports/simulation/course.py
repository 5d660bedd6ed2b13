"""A symbol that follows the time: its values over the time, and the law that they are of."""

import msgspec
import numpy as np

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import ACCELERATION, POSITION, Law, Mechanism
from mechstudio.translation import comma, tr

_BESIDE = 1e-7  # s: where a law is read beside its corners
_LATER = np.array([1.0, 1.1, 1.7, 3.0, 10.0, 137.0])  # of the duration: where laws are looked at


class Course(msgspec.Struct, frozen=True):
    """A symbol that follows the time: values and first and second rates at some instants, the
    corners of its law among them.  miss: of the law between them, as a multiple of what is allowed
    (see laid_out); above 1 the law has more waves or corners than a course holds.
    drive: id of the drive that it is of, else empty.

    name: of the symbol; for a drive that of its place, and `acceleration` that of its second rate.
    rate: of the symbol for its rate.  All but the first may be empty.
    law: over the time, from the start of the motion on; of a drive for its `quantity`, else the
    values themselves.
    """

    name: str
    acceleration: str
    times: tuple[float, ...]
    values: tuple[float, ...]
    rates: tuple[float, ...]
    curvatures: tuple[float, ...]
    miss: float = 0.0
    drive: str = ""
    rate: str = ""
    law: Law | None = None
    quantity: str = ""

    @property
    def symbols(self) -> tuple[tuple[str, int], ...]:
        """Its symbols, with the order of the derivative that each stands for."""
        every = ((self.name, 0), (self.rate, 1), (self.acceleration, 2))
        return tuple(x for x in every if x[0])


def bends(course: Course, duration: float) -> bool:
    """True if a course, or its law after it, is no straight line."""
    rates = np.array(course.rates)
    size = float(np.abs(rates).max())
    if np.ptp(rates) > 1e-12 * size or any(course.curvatures):
        return True
    assert course.law is not None
    if any(t > duration for t in evaluation.breakpoints(course.law)):
        return True
    after = np.array(evaluation.jets(course.law, duration * _LATER))
    is_place = course.quantity in (POSITION, "")
    along = [*after[:, 1], course.rates[0]] if is_place else after[:, 0]
    # what has no value bends
    return not np.ptp(along) <= 1e-9 * np.abs([size, *along]).max()


def jumps(mechanism: Mechanism) -> str:
    """A sentence on rates that drives prescribe and that jump; "" for none."""
    found = [
        drive.name
        for drive in mechanism.drives.values()
        if drive.enabled and _has_jump(drive.law, drive.quantity)
    ]
    if not found:
        return ""
    return tr(
        "The rate that {names} prescribes jumps. The run and FMUs jump with it; Modelica and "
        "notebooks come to it within some tenths of a second.",
        names=comma().join(found),
    )


def _has_jump(law: Law, quantity: str) -> bool:
    """True if the rate that a law prescribes jumps."""
    order = {POSITION: 1, ACCELERATION: None}.get(quantity, 0)
    if order is None:
        return False
    for t in evaluation.breakpoints(law):
        before, after = (evaluation.jet(law, t + side * _BESIDE) for side in (-1.0, 1.0))
        bend = abs(before[order + 1]) + abs(after[order + 1])
        size = 1e-9 * (abs(before[order]) + abs(after[order]))
        if t > 0.0 and abs(after[order] - before[order]) > size + 4.0 * _BESIDE * bend:
            return True
    return False
