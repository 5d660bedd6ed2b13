"""Contacts of a run: one row for each contact that acts at a sample."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from mechstudio.curves.tables import pandas_module
from mechstudio.model.contact import (
    FORCE,
    FRICTION,
    GAP,
    NORMAL,
    NUMBERS_WIDTH,
    POINT,
    SLIP,
    ContactSample,
)
from mechstudio.model.mechanism import GROUND
from mechstudio.model.naming import find_id
from mechstudio.model.project import Project
from mechstudio.model.results.sample import SampleLayout


class ActingContacts:
    """Acting contacts of the samples of a run, gathered while it goes on."""

    def __init__(self) -> None:
        self._bodies: list[np.ndarray] = []
        self._numbers: list[np.ndarray] = []
        self._moments: list[np.ndarray] = []

    def add(self, samples: Iterable[ContactSample]) -> int:
        """Add the contacts of further samples.  Returns the bytes that they take."""
        size = 0
        for sample in samples:
            numbers = np.frombuffer(sample.numbers).reshape(-1, NUMBERS_WIDTH)
            bodies = np.frombuffer(sample.bodies, np.int32).reshape(-1, 2)
            moments = np.frombuffer(sample.moments).reshape(-1, 3)
            acts = numbers[:, FORCE : FORCE + 3].any(axis=1)
            self._numbers.append(numbers[acts])
            self._bodies.append(bodies[acts])
            self._moments.append(moments[acts] if len(moments) else np.zeros((acts.sum(), 3)))
            size += sum(made[-1].nbytes for made in (self._numbers, self._bodies, self._moments))
        return size

    def forces(self, project: Project, layout: SampleLayout, time: np.ndarray) -> "ContactForces":
        """All of them.  time (samples,): instants of the samples [s]."""
        counts = [len(numbers) for numbers in self._numbers][: len(time)]
        rows = sum(counts)
        joined = lambda parts, shape: np.concatenate([np.zeros(shape), *parts])[:rows]
        return ContactForces(
            project,
            (*layout.bodies, GROUND),
            time,
            np.repeat(np.arange(len(counts)), counts),
            joined(self._bodies, (0, 2)).astype(int),
            joined(self._numbers, (0, NUMBERS_WIDTH)),
            joined(self._moments, (0, 3)),
        )


class ContactForces:
    """Contacts that act at the samples of a run, one row each, in the order of the samples; each
    force is the mean over the step that ends there.

    sample (n,): number of the sample.  time (n,) [s].  a, b (n,): ids of the bodies, "ground" for
    the floor too.  point (n, 3) in W [m]: where it is at the beginning of that step.  normal (n,
    3): from a to b, in W.  force (n, 3): on b, in W [N].  gap (n,) [m], below 0 where they overlap.
    normal_force (n,) and tangential_force (n, 3), in W [N]: the parts of `force`; the first is
    below zero where adhesion holds.  friction (n,): coefficient of the pair.  slip (n,): speed at
    which b slides over a [m/s].  moment (n, 3): what resists rolling and spinning, on b, in W [N
    m].
    """

    def __init__(
        self,
        project: Project,
        ids: tuple[str, ...],
        times: np.ndarray,
        sample: np.ndarray,
        bodies: np.ndarray,
        numbers: np.ndarray,
        moment: np.ndarray,
    ) -> None:
        """ids: of the bodies, ground last, which bodies (n, 2) count.  times (samples,) [s].
        numbers (n, NUMBERS_WIDTH): columns of model.contact.ContactSample.
        """
        self._project, self._times = project, times
        self.sample, self.time, self.moment = sample, times[sample], moment
        names = np.array(ids)
        self.a: np.ndarray = names[bodies[:, 0]]
        self.b: np.ndarray = names[bodies[:, 1]]
        self.point: np.ndarray = numbers[:, POINT : POINT + 3]
        self.normal: np.ndarray = numbers[:, NORMAL : NORMAL + 3]
        self.force: np.ndarray = numbers[:, FORCE : FORCE + 3]
        self.gap: np.ndarray = numbers[:, GAP]
        self.friction: np.ndarray = numbers[:, FRICTION]
        self.slip: np.ndarray = numbers[:, SLIP]
        self.normal_force: np.ndarray = np.sum(self.force * self.normal, axis=1)
        self.tangential_force: np.ndarray = self.force - self.normal_force[:, None] * self.normal

    def __len__(self) -> int:
        return len(self.sample)

    def on(self, body: str, by: str = "") -> np.ndarray:
        """Force on a body by all that touches it, or by one other (samples, 3), in W [N].

        body, by: names or ids, "ground" for the floor.  Raises KeyError for an unknown one.
        """
        on, other = self._id(body), self._id(by) if by else ""
        out = np.zeros((len(self._times), 3))
        for here, there, sign in ((self.b, self.a, 1.0), (self.a, self.b, -1.0)):
            acts = (here == on) & ((there == other) if other else True)
            np.add.at(out, self.sample[acts], sign * self.force[acts])
        return out

    def _id(self, name: str) -> str:
        if name == GROUND:
            return GROUND
        return find_id(
            {id: b.name for id, b in self._project.mechanism.bodies.items()}, name, "body"
        )

    def to_pandas(self) -> Any:
        """Rows as a data frame of pandas, vectors by their components.  Raises MissingLibrary (a
        RuntimeError) where pandas is not installed.
        """
        vectors = {
            "point": self.point,
            "normal": self.normal,
            "force": self.force,
            "moment": self.moment,
        }
        parts = {
            f"{name} {axis}": column
            for name, vector in vectors.items()
            for axis, column in zip("xyz", vector.T, strict=True)
        }
        return pandas_module().DataFrame(
            {"time": self.time, "a": self.a, "b": self.b}
            | parts
            | {"gap": self.gap, "friction": self.friction, "slip": self.slip}
        )
