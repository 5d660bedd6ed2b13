"""Courses of quantities over a run, read from its samples once and kept while it lives."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run, course
from mechstudio.curves.operations import Operand, applied, split
from mechstudio.curves.quantities import quantity
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.sample import SampleLayout


class Samples(Protocol):
    """Recording, as far as curves read it: samples (count, width), their instants (count,) [s], the
    project that they are of, and the mechanism from each change on (curves.evaluation.Run.loads).
    """

    project: Project
    layout: SampleLayout
    count: int

    @property
    def rows(self) -> np.ndarray: ...

    @property
    def time(self) -> np.ndarray: ...

    @property
    def loads(self) -> Sequence[tuple[float, Mechanism]]: ...


NONE: Mapping[str, Course] = {}
_kept: WeakKeyDictionary[Samples, dict[str, np.ndarray]] = WeakKeyDictionary()


def recorded(samples: Samples, key: str) -> Course | None:
    """Course of a quantity that the samples hold; None where they do not.

    The columns of a long recording lie far apart, and every redraw needs them: what was read stays,
    and of a run under way only the new samples are read.
    """
    shown = quantity(samples.project, key)
    if shown is None:
        return None
    series = _kept.setdefault(samples, {})
    have = series.get(key)
    if (computed := split(key)) is not None:
        # an operation reads samples on both sides of each
        if have is None or len(have) != samples.count:
            operation, options, base = computed
            found = recorded(samples, base)
            if found is None:
                return None
            if len(found.times):
                operand = Operand(found, shown.dimension)
                found = found._replace(values=applied(operation, [operand], options).y)
            series[key] = have = found.values
        return Course(samples.time, have)
    count, start = samples.count, 0 if have is None else len(have)
    if start < count or have is None:
        if shown.counted:
            have, start = None, 0
        new = course(
            shown,
            Run(samples.project, samples.layout, samples.rows[start:count], loads=samples.loads),
        )
        if new is None:
            return None
        values = new.values.copy() if have is None else np.concatenate((have, new.values))
        series[key] = have = values
    return Course(samples.time, have[:count])


def course_of(samples: Samples, key: str, answers: Mapping[str, Course] = NONE) -> Course | None:
    """Course of a quantity in a run; None where it is not known.  answers: of analyses, by parts of
    quantities.
    """
    found = recorded(samples, key)
    if found is not None or not answers:
        return found
    shown = quantity(samples.project, key)
    none = np.zeros((0, samples.layout.width))
    return (
        None
        if shown is None
        else course(shown, Run(samples.project, samples.layout, none, answers, samples.loads))
    )


def value_now(
    samples: Samples, sample: np.ndarray, key: str, answers: Mapping[str, Course] = NONE
) -> float:
    """Value [SI] of a quantity at one sample (width,) of a run; NaN where it is not known."""
    shown = quantity(samples.project, key)
    if shown is None:
        return float("nan")
    if shown.counted:
        found = recorded(samples, key)
    else:
        run = Run(samples.project, samples.layout, sample[None], answers, samples.loads)
        found = course(shown, run)
    if found is None or not len(found.values):
        return float("nan")
    return float(np.interp(sample[0], found.times, found.values, np.nan, np.nan))
