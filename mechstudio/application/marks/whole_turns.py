"""Curves of points over a whole turn, found without playing: requested in the background, and once
more where the drawing moves otherwise.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.marks.places import BodyPoint
from mechstudio.application.marks.trails import Strokes
from mechstudio.application.questions.analyses import point_question
from mechstudio.application.signal import Signal
from mechstudio.model.results.branches import PointCurve, PointCurves

DEAD, CUSP, DOUBLE = "dead", "cusp", "double"


class Note(NamedTuple):
    """A place of note on a curve.  kind: DEAD, CUSP or DOUBLE.  point (3,) in W [m].  inputs: of
    the input there [rad or m].
    """

    kind: str
    point: np.ndarray
    inputs: tuple[float, ...]


class Turn(NamedTuple):
    """Curve of one point on one circuit.  points (n, 3) in W [m].  drawn: the drawn assembly is on
    it.  inputs (n,): of the input at them [rad or m].  closed: the motion comes back to its
    beginning.
    """

    points: np.ndarray
    drawn: bool
    notes: tuple[Note, ...]
    inputs: np.ndarray
    closed: bool


class WholeTurns:
    """Curves of some points (body id and place in its axes).

    changed(): they are others, or a search began, went on or ended.  result: of the search that
    ended last, for its input and its problem; None while none has.
    """

    def __init__(self, document: Document) -> None:
        self.changed = Signal()
        self._asker = point_question(document)
        self._asker.changed.connect(self.changed.emit)
        self._pending: tuple[tuple[str, tuple[float, float, float]], ...] = ()

    @property
    def result(self) -> PointCurves | None:
        return self._asker.result

    @property
    def progress(self) -> float | None:
        """Share of the search that is done; None while none is under way."""
        return self._asker.progress if self._asker.state == "searching" else None

    @property
    def problem(self) -> str:
        """Reason why there are no curves, as a sentence; "" for none."""
        if self._asker.state == "failed":
            return self._asker.sentence
        return "" if self.result is None else f"{self.result.problem} {self.result.cure}".strip()

    @property
    def uncounted(self) -> str:
        """Sentences on what the curves do not count, such as stops; "" for none."""
        return "" if self.result is None else " ".join(self.result.notes)

    def poll(self, points: tuple[BodyPoint, ...]) -> None:
        """Receive answers, and request the points that are needed."""
        self._asker.poll()
        requested = tuple((s.body, s.local) for s in points)
        if requested == self._pending and self._asker.state != "idle":
            return
        if not requested:
            self._pending = ()
            self._asker.cancel()
        else:
            self._pending = requested
            self._asker.request(requested)

    def turns(self, at: BodyPoint) -> Iterator[Turn]:
        """Curves of a point, the drawn circuit first; none while they are not known."""
        key = (at.body, at.local)
        if self.result is None or key not in self._pending:
            return
        k = self._pending.index(key)
        for circuit in self.result.circuits:
            curve = circuit.curves[k]
            points = np.frombuffer(curve.points, "<f8").reshape(-1, 3)
            inputs = np.frombuffer(circuit.inputs, "<f8")
            yield Turn(points, circuit.drawn, tuple(_notes(curve)), inputs, circuit.closed)

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._asker.close()


def _notes(curve: PointCurve) -> Iterator[Note]:
    for kind, points in ((DEAD, curve.dead), (CUSP, curve.cusps), (DOUBLE, curve.doubles)):
        for special in points:
            yield Note(kind, np.array(special.point), special.inputs)


def strokes_of(points: np.ndarray) -> Strokes:
    """Pieces of a whole curve."""
    k = np.arange(max(0, len(points) - 1))
    pieces = np.column_stack([np.maximum(k - 1, 0), k, k + 1, np.minimum(k + 2, len(points) - 1)])
    none = np.zeros(len(points))
    return Strokes(points, pieces, none, none)
