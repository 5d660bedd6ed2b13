"""Goals of an optimisation: a measure that is to be least, greatest, or a given number."""

import msgspec
import numpy as np

from mechstudio.model.findings import listed
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import GREATEST, LEAST, TARGET
from mechstudio.studies import measures
from mechstudio.studies.measures import Measure
from mechstudio.translation import tr

SENSES = (LEAST, GREATEST, TARGET)


class Goal(msgspec.Struct, frozen=True):
    """Aim for one measure.  sense: of SENSES.  target [SI]: of TARGET."""

    sense: str
    measure: Measure
    target: float = 0.0

    @property
    def text(self) -> str:
        """The goal in words."""
        if self.sense == GREATEST:
            return tr("greatest: {measure}", measure=self.measure.text)
        if self.sense == LEAST:
            return tr("least: {measure}", measure=self.measure.text)
        return tr(
            "target: {measure} = {value}",
            measure=self.measure.text,
            value=self.measure.written(self.target),
        )

    def cost(self, values: np.ndarray) -> np.ndarray:
        """Numbers (n,) that are the less the better, from measured values (n,) [SI]."""
        if self.sense == TARGET:
            return (values - self.target) ** 2
        return -values if self.sense == GREATEST else values


def read(sense: str, text: str, project: Project) -> Goal:
    """The goal of a text such as "max Torque of drive 1", or "range D angle = 62 deg" of a target.

    Raises ValueError with one sentence.
    """
    if sense not in SENSES:
        raise ValueError(
            tr(
                "There is no goal {goal}; there are {known}.",
                goal=sense,
                known=listed(list(SENSES)),
            )
        )
    if sense != TARGET:
        measure = measures.read(text, project)
        if measure.sign:
            raise ValueError(
                tr(
                    "{text} is a limit: give it beside the goal, as a measure of its own.",
                    text=text,
                )
            )
        return Goal(sense, measure)
    what, sign, value = text.rpartition("=")
    if not sign or what.rstrip().endswith(("<", ">")):
        raise ValueError(
            tr("{text} is no target: write it as “range A angle = 62 deg”.", text=text)
        )
    # a limit has its number read in the unit of the measure
    measure = measures.read(f"{what.strip()} <= {value.strip()}", project)
    return Goal(TARGET, measures.without_limit(measure), measure.limit)
