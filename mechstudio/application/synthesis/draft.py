"""Question to linkages while it is drawn and typed, with its undo."""

from typing import Any

import msgspec
import numpy as np

from mechstudio.application.signal import Signal
from mechstudio.application.synthesis import strokes
from mechstudio.application.synthesis.question import MOST_POINTS, LinkageQuestion, Row
from mechstudio.protocol.synthesis_messages import PATH

replace = msgspec.structs.replace
STEPS = 200  # that can be undone


class Draft:
    """now: what is requested.  chosen: row of the table that is marked, None for none.  stroke:
    the last one (n,) x + i z [m], which `count` reads again.  changed(): another question.
    """

    def __init__(self) -> None:
        self.changed = Signal()
        self.now, self.chosen = LinkageQuestion(), None
        self.stroke: np.ndarray | None = None
        self._before: list[LinkageQuestion] = []
        self._after: list[LinkageQuestion] = []
        self._movement = ""

    chosen: int | None

    def change(self, part_of: str = "", **changes: Any) -> None:
        """Change the request. part_of: name of a movement, whose steps are one."""
        self._put(replace(self.now, **changes), part_of)

    def _put(self, new: LinkageQuestion, part_of: str = "") -> None:
        if new == self.now:
            return
        if not part_of or part_of != self._movement:
            self._before = [*self._before[-STEPS:], self.now]
        self._movement, self._after, self.now = part_of, [], new
        if self.chosen is not None and self.chosen >= len(new.table):
            self.chosen = None
        self.changed.emit()

    def undo(self) -> None:
        """Go back one step."""
        if self._before:
            self._after.append(self.now)
            self._go(self._before.pop())

    def redo(self) -> None:
        """Go forward one step."""
        if self._after:
            self._before.append(self.now)
            self._go(self._after.pop())

    def _go(self, question: LinkageQuestion) -> None:
        self.now, self._movement, self.chosen = question, "", None
        self.changed.emit()

    # the table

    def choose(self, row: int | None) -> None:
        """Mark a row."""
        if row != self.chosen:
            self.chosen = row
            self.changed.emit()

    def set_rows(self, rows: tuple[Row, ...], part_of: str = "") -> None:
        """Another table."""
        self._put(self.now.with_rows(rows[:MOST_POINTS]), part_of)

    def set_cell(self, row: int, column: int, value: float | None) -> None:
        """Another number of a row; one below the last is a new row."""
        rows = [list(r) for r in self.now.table]
        if row == len(rows):
            rows.append([None] * len(self.now.columns))
        rows[row][column] = value
        self.set_rows(tuple(map(tuple, rows)))

    def add(self, x: float, z: float) -> int:
        """A point, or a pose, after the last one; its row."""
        last = None if self.now.purpose == PATH else (self.now.table or ((0.0, 0.0, 0.0),))[-1][2]
        self.set_rows((*self.now.table, (x, z, last)))
        self.chosen = len(self.now.table) - 1
        self.changed.emit()
        return self.chosen

    def move(self, row: int, x: float, z: float) -> None:
        """Take a point to a place; a drag is one step."""
        rows = list(self.now.table)
        rows[row] = (x, z, *rows[row][2:])
        self.set_rows(tuple(rows), f"move {row}")

    def turn(self, row: int, angle: float) -> None:
        """Turn a pose; a drag is one step."""
        rows = list(self.now.table)
        rows[row] = (*rows[row][:2], angle)
        self.set_rows(tuple(rows), f"turn {row}")

    def release(self) -> None:
        """End a movement."""
        self._movement = ""

    def delete(self, row: int) -> None:
        """Take a row away."""
        rows = self.now.table
        if 0 <= row < len(rows):
            self.chosen = None
            self.set_rows((*rows[:row], *rows[row + 1 :]))

    def clear(self) -> None:
        """Take all rows away."""
        self.stroke = None
        self.set_rows(())

    def draw(self, stroke: np.ndarray) -> None:
        """Take the points of a stroke in place of the others; one that comes back closes."""
        self.stroke = stroke
        closed = strokes.closes(stroke)
        self._put(self._stroked(replace(self.now, closed=closed)))

    def set_count(self, count: str) -> None:
        """Another number of points for strokes; the last one is read again."""
        new = replace(self.now, count=count)
        self._put(self._stroked(new) if self.stroke is not None else new)

    def _stroked(self, question: LinkageQuestion) -> LinkageQuestion:
        assert self.stroke is not None, "something was drawn"
        count = int(question.count) if question.count.isdecimal() else 12
        count = min(max(count, 4), MOST_POINTS)
        found = strokes.resampled(self.stroke, count, question.closed)
        rows = tuple((p.real, p.imag, None) for p in found.tolist())
        return replace(question, count=str(count)).with_rows(rows)
