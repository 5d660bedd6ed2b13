"""Bounds of the parameters that an optimisation or a fit may change."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.engine.structure import mobility
from mechstudio.model.project import Project
from mechstudio.studies import variations
from mechstudio.studies.variations import Variation
from mechstudio.translation import tr


class Bounds(NamedTuple):
    """Parameters with their bounds.  variations: as they were typed.  low, high (parameters,)
    [SI].  start (parameters,): numbers of the drawing, from 0 at low to 1 at high.
    """

    variations: tuple[Variation, ...]
    low: np.ndarray
    high: np.ndarray
    start: np.ndarray

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(v.name for v in self.variations)


def read(vary: Sequence[str], project: Project) -> Bounds:
    """The bounds of texts such as "L2=200..400 mm".

    Raises ValueError with one sentence, EngineError for a mechanism that cannot be run as drawn.
    """
    found = tuple(variations.read(text, project) for text in vary)
    if not found:
        raise ValueError(tr("Nothing may change: give at least one parameter with its bounds."))
    names = [v.name for v in found]
    if twice := next((n for n in names if names.count(n) > 1), None):
        raise ValueError(tr("{name} is varied twice.", name=twice))
    for v in found:
        if v.kind != "uniform" or not v.numbers[0] < v.numbers[1]:
            raise ValueError(
                tr(
                    "{name} = {values} gives no bounds: write it as {name}=200..400 mm.",
                    name=v.name,
                    values=v.text,
                )
            )
    mobility.refuse(project)
    low, high = np.array([v.numbers for v in found], float).T
    own = np.array([project.parameters[name].value.value for name in names])
    return Bounds(found, low, high, np.clip((own - low) / (high - low), 0.0, 1.0))
