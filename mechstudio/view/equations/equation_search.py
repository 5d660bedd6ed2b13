"""Finding in the equations: a line for what is looked for, its places one after the other, and how
many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.equations.term_words import holds, plain
from mechstudio.model.equations.term_words import words as words_of
from mechstudio.model.equations.terms import LISTS, Equations, Term, parts, written_row
from mechstudio.translation import tr
from mechstudio.view.equations.formula import Formula
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, label, row

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

Qt = QtCore.Qt
LATER_MS = 120  # after the last key, folds that hold what is looked for open


def terms_of(equations: Equations, part: str) -> list[Term]:
    """All terms that a part shows."""
    if part == "rows":
        return [
            t
            for i in range(len(equations.coordinates))
            for side in written_row(equations, i)
            for t in side
        ]
    if part in LISTS:
        return [t for d in equations.listed(part) for t in d.entry.terms]
    if part in {b.key for b in equations.blocks}:
        return [t for r in equations.block(part).rows for e in r for t in e.terms]
    return []


class FindBar(QtWidgets.QWidget):
    """A line for the words, with next and previous.  changed(text).  stepped(1 or -1).
    closed().
    """

    changed = QtCore.Signal(str)
    stepped = QtCore.Signal(int)
    closed = QtCore.Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.field = QtWidgets.QLineEdit()
        self.field.setPlaceholderText(tr("Symbol, body, joint or word"))
        self.field.textChanged.connect(self.changed)
        self.field.installEventFilter(self)
        self.count = label("", "three")
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 12, 6)
        box.setSpacing(4)
        frame = row(self.field, self.count, margins=(8, 0, 8, 0), name="search")
        theme.fit(frame, height=28)
        box.addWidget(frame, 1)
        self.before = IconButton(
            theme,
            "step_back",
            tr("Previous (Shift+Enter)"),
            26,
            16,
            clicked=lambda: self.stepped.emit(-1),
        )
        self.after = IconButton(
            theme, "step", tr("Next (Enter)"), 26, 16, clicked=lambda: self.stepped.emit(1)
        )
        box.addWidget(self.before)
        box.addWidget(self.after)
        box.addWidget(
            IconButton(theme, "close", tr("Close (Esc)"), 26, 14, clicked=self.close_line)
        )
        self.hide()

    def open_line(self) -> None:
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def close_line(self) -> None:
        self.hide()
        self.closed.emit()

    def show_count(self, at: int, count: int) -> None:
        """Show the number of the current hit and the count of hits.  at: from 0, -1 for none
        yet.
        """
        requested = bool(plain(self.field.text()))
        self.count.setText(
            ""
            if not requested
            else tr("not found")
            if not count
            else tr("{at} of {count}", at=at + 1, count=count)
        )
        for button in (self.before, self.after):
            button.setEnabled(count > 0)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() in (QtCore.QEvent.Type.KeyPress, QtCore.QEvent.Type.ShortcutOverride):
            assert isinstance(event, QtGui.QKeyEvent)
            # all keys of the line are its own: letters would draw, Space would play
            if event.type() == QtCore.QEvent.Type.ShortcutOverride:
                event.accept()
                return False
            if event.key() == Qt.Key.Key_Escape:
                self.close_line()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Up):
                back = (
                    event.key() == Qt.Key.Key_Up
                    or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                )
                self.stepped.emit(-1 if back else 1)
                return True
        return False


class Search:
    """Looks through the formulas of one panel.  hits: (formula, number of its spot) in the order of
    reading; at: the one that is shown, -1 for none.
    """

    def __init__(self, panel: EquationsPanel, line: FindBar) -> None:
        self._panel, self.line = panel, line
        self.hits: list[tuple[Formula, int]] = []
        self.at = -1
        self._later = QtCore.QTimer(line, singleShot=True, interval=LATER_MS)
        self._later.timeout.connect(self._unfold)
        line.changed.connect(lambda text: (self._look(), self._later.start()))
        line.stepped.connect(self.step)
        line.closed.connect(self._close)

    @property
    def requested(self) -> str:
        return "" if self.line.isHidden() else plain(self.line.field.text())

    def stop(self) -> None:
        """The panel ends."""
        self._later.stop()

    def _close(self) -> None:
        self._look()
        self._panel.setFocus()

    def _names(self) -> dict[str, str]:
        """Names of the elements by id."""
        mechanism = self._panel.studio.document.project.mechanism
        return {
            id: e.name
            for table in (
                mechanism.bodies,
                mechanism.joints,
                mechanism.forces,
                mechanism.couplings,
                mechanism.drives,
            )
            for id, e in table.items()
        }

    def _unfold(self) -> None:
        """Open what is looked for, and bring its first place into sight."""
        if self.requested and self._panel.equations is not None:
            self._open_parts()
            self._show(True)

    def _open_parts(self) -> None:
        panel, requested = self._panel, self.requested
        assert panel.equations is not None
        names = self._names()
        if panel.bar.lecture:
            for chapter in panel.chapters[: len(panel.columns)]:
                chapter.open_where(
                    lambda h: (
                        holds(h.symbols, requested)
                        or any(
                            requested in plain(w)
                            for w in (h.title, *h.sentences, *(names.get(s, "") for s in h.sources))
                        )
                    )
                )
            return
        for part in parts(panel.equations):
            section = panel.sections.get(part)
            if section is None or section.is_open:
                continue
            if any(
                holds(words_of(t), requested)
                or any(requested in plain(names.get(s, "")) for s in t.sources)
                for t in terms_of(panel.equations, part)
            ):
                section.set_open(True)

    def _look(self) -> None:
        """Find all places again, keeping the one that is shown."""
        requested, before = (
            self.requested,
            self.hits[self.at] if 0 <= self.at < len(self.hits) else None,
        )
        self.hits = []
        names = self._names() if requested else {}
        for formula in self._panel.pictures.formulas():
            found = (
                formula.link_areas_that(
                    lambda s: (
                        holds(s.words, requested)
                        or any(requested in plain(names.get(x, "")) for x in s.sources)
                    )
                )
                if requested and formula.isVisible()
                else []
            )
            formula.show_found(found)
            self.hits += [(formula, k) for k in found]
        self.at = self.hits.index(before) if before in self.hits else 0 if self.hits else -1
        self._show()

    def refresh(self) -> None:
        """Something else is shown."""
        if self.requested or self.hits:
            self._look()

    def step(self, by: int) -> None:
        """Go to the next place or back, round the end."""
        if self.hits:
            self.at = (self.at + by) % len(self.hits)
            self._show(True)

    def _show(self, view_direction: bool = False) -> None:
        self.line.show_count(self.at, len(self.hits))
        for k, (formula, _) in enumerate(self.hits):
            if k != self.at:
                formula.show_current(-1)
        if self.at >= 0:
            formula, link_area = self.hits[self.at]
            formula.show_current(link_area)
            if view_direction:
                self._panel.places.bring(formula, link_area)
