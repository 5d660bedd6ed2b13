"""Numbers of the symbols of the equations at one instant, requested from the process that derived
them; nothing here waits.
"""

import numpy as np

from mechstudio.application.questions.equations.pictures import Post
from mechstudio.application.signal import Signal
from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.protocol.derivation_messages import Evaluate, Evaluated


class InstantValues:
    """Follows whatever instant was requested last: one question is under way at a time, and those
    that came meanwhile but the newest are dropped.

    numbers: at the newest instant that was answered, None before the first.  problem: why there are
    none, a sentence, or "".  independent: names of the coordinates that B keeps, () for the
    program's choice; numbers.refusal says where these cannot be kept.  changed(): numbers or
    problem are others.
    """

    def __init__(self, post: Post) -> None:
        self.changed = Signal()
        self.numbers: InstantNumbers | None = None
        self.problem = ""
        self.independent: tuple[str, ...] = ()
        self._post = post
        self._pending = 0  # id of the question under way, 0 for none
        self._requested: bytes | None = None  # the instant to be requested next
        self._shown: bytes | None = None  # the instant requested last

    @property
    def is_settled(self) -> bool:
        """True if the numbers are those of the instant requested last."""
        return not self._pending and self._requested is None

    def evaluate(self, sample: np.ndarray | None, refusal: str = "") -> None:
        """Request the numbers at a sample (layout.width,) of a run of this drawing
        (Recording.sample); None for the drawn pose, closed and at rest.  refusal: why there can be
        none at this sample, a sentence, or "".
        """
        if refusal:
            self._pending, self._requested, self._shown, self.numbers = 0, None, None, None
            if refusal != self.problem:
                self.problem = refusal
                self.changed.emit()
            return
        row = b"" if sample is None else np.ascontiguousarray(sample, np.float64).tobytes()
        if row != self._shown or self.problem:
            self._requested = row
            self._request()

    def choose(self, independent: tuple[str, ...] = ()) -> None:
        """Keep other coordinates in B: names of coordinates as many as there are freedoms, () for
        the program's choice.
        """
        if independent != self.independent:
            self.independent = independent
            if self._shown is not None and self._requested is None:
                self._requested = self._shown
            self._request()

    def _request(self) -> None:
        if self._pending or self._requested is None:
            return
        row = self._requested
        self._pending = self._post(lambda id: Evaluate(id, row, self.independent))
        if self._pending:
            self._shown, self._requested = row, None

    # called by the derivations

    def take(self, report: Evaluated) -> None:
        """Receive an answer, and request the next one needed."""
        if report.id != self._pending:
            return
        self._pending = 0
        self.numbers, self.problem = report.numbers, report.problem
        self._request()
        self.changed.emit()

    def failed(self, id: int, sentence: str) -> bool:
        """Take an error of the process; True if it was about the question under way, which then has
        no answer.
        """
        if id != self._pending or not id:
            return False
        self._pending, self.numbers, self.problem = 0, None, sentence
        self.changed.emit()
        return True

    def begin_again(self) -> None:
        """Request the shown instant again, for other equations."""
        self._pending = 0
        if self._requested is None:
            self._requested = self._shown
        self._request()

    def forget_pending(self) -> None:
        """Forget the request under way, which will not be answered."""
        if self._pending:
            self._pending = 0
            if self._requested is None:
                self._requested = self._shown

    def forget(self) -> None:
        """There are no equations."""
        if self.numbers is not None or self.problem:
            self.numbers, self.problem = None, ""
            self.changed.emit()
