"""Base of every page of the export sheet, and the lines that its choices are made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import localised, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, label, row, set_property

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
WORD = 92  # px of the words before a line's fields
FIELD = 26  # px of a field's height


class State(NamedTuple):
    """State of an export.  progress: 0 to 1 while one is under way, else None.  words, left: of
    it.  problem: why nothing can be saved now; "" where it can.
    """

    progress: float | None = None
    words: str = ""
    left: str = ""
    problem: str = ""


class Page(QtCore.QObject):
    """One kind of export.  Its choices and its preview are widgets; it writes the file.

    changed(): name, state or choices are others.  saved(path): a file was written.
    """

    changed = QtCore.Signal()
    saved = QtCore.Signal(Path)

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.window, self.studio, self.theme = window, window.studio, window.theme
        self.choices = QtWidgets.QWidget()
        self.lines = QtWidgets.QVBoxLayout(self.choices)
        self.lines.setContentsMargins(20, 18, 20, 14)
        self.lines.setSpacing(9)
        self.preview = QtWidgets.QWidget()
        self._heard: list[tuple[Any, Callable[..., object]]] = []

    @property
    def verb(self) -> str:
        """Words of the button that saves."""
        return tr("Save")

    def hear(self, signal: Any, slot: Callable[..., object]) -> None:
        """Listen to a part that lives longer than the sheet."""
        signal.connect(slot)
        self._heard.append((signal, slot))

    def close(self) -> None:
        """The sheet is closed: nothing is heard any more."""
        self.hide()
        for signal, slot in self._heard:
            signal.disconnect(slot)
        self._heard.clear()

    @property
    def stem(self) -> str:
        """The file's name without its ending, where the user has typed none."""
        return self.studio.questions.exports.stem

    @property
    def suffix(self) -> str:
        """Ending of the file; "" for a folder."""
        return ""

    @property
    def kinds(self) -> dict[str, str]:
        """Endings of the files of all formats by the filters of a file dialog, the present format
        first.
        """
        return {tr("Files (*{suffix})", suffix=self.suffix): self.suffix}

    def choose_suffix(self, suffix: str) -> None:
        """Choose the first format whose files end so."""

    @property
    def state(self) -> State:
        return State()

    def save(self, path: Path) -> None:
        """Write the file, or begin to."""

    def stop(self) -> None:
        """Give up what is under way."""

    def show(self) -> None:
        """The page came into sight."""

    def hide(self) -> None:
        """The page went out of sight."""

    def shown_equation(self) -> QtGui.QImage | None:
        """The equation that the window shows first; None where none is."""
        formulas = (s.formula.on_ground() for s in self.window.docks.equations.sections.values())
        return next((image for image in formulas if image is not None), None)

    # lines

    def head(self, text: str) -> QtWidgets.QLabel:
        """Words over a group of lines."""
        made = label(text, "title")
        self.lines.addWidget(made)
        self.lines.addSpacing(2)
        return made

    def line(self, words: str, *widgets: QtWidgets.QWidget | int | None) -> QtWidgets.QWidget:
        """A word and its fields."""
        word = label(words, "two")
        self.theme.fit(word, width=WORD)
        stretched = widgets if None in widgets else (*widgets, None)
        made = row(word, *stretched, gap=8)
        self.lines.addWidget(made)
        return made

    def other(self, id: str) -> QtWidgets.QPushButton:
        """A button for another export of this kind, which asks for its file itself.  id: of its
        action.
        """
        action = self.window.actions_.by_id[id]
        button = QtWidgets.QPushButton(action.text().replace("&&", "&"))
        button.clicked.connect(action.trigger)
        button.setEnabled(action.isEnabled())
        button.setToolTip(action.toolTip())
        self.lines.addWidget(row(button, None))
        return button

    def rule(self) -> None:
        """A thin line between two groups."""
        self.lines.addSpacing(4)
        thin = QtWidgets.QFrame()
        thin.setObjectName("rule")
        thin.setFixedHeight(1)
        self.lines.addWidget(thin)
        self.lines.addSpacing(4)

    def tick(
        self,
        words: str,
        on: bool,
        changed: Callable[[bool], object] = lambda on: None,
        note: str = "",
    ) -> tuple[QtWidgets.QCheckBox, Elided]:
        """A box to tick and a note at the right."""
        box, beside = QtWidgets.QCheckBox(words), Elided(note, "three", Qt.AlignmentFlag.AlignRight)
        box.setObjectName("line")
        box.setChecked(on)
        box.toggled.connect(changed)
        made = row(box, beside, gap=8)
        made.box.setStretch(1, 1)
        self.lines.addWidget(made)
        return box, beside


class NumberEdit(QtWidgets.QFrame):
    """A field for one number.  chosen(number): it was typed; one that is none turns red and stays
    as it was.
    """

    chosen = QtCore.Signal(float)

    def __init__(
        self,
        theme: Theme,
        name: str,
        value: float,
        wide: int = 64,
        whole: bool = False,
        unit: str = "",
    ) -> None:
        super().__init__()
        self.setObjectName("field")
        self._whole = whole
        self.edit = QtWidgets.QLineEdit()
        self.edit.setAccessibleName(name)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(7, 0, 7, 0)
        box.setSpacing(2)
        box.addWidget(self.edit)
        if unit:
            box.addWidget(label(unit, "three"))
        theme.fit(self, width=wide, height=FIELD)
        self.edit.installEventFilter(self)
        self.edit.editingFinished.connect(self._take)
        self.value = value
        self.show_value(value)

    def show_value(self, value: float) -> None:
        """Show a number without a signal."""
        self.value = value
        self.edit.setText(localised(f"{value:.0f}" if self._whole else f"{value:.6g}"))
        set_property(self, "wrong", False)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        kind = event.type()
        if kind in (QtCore.QEvent.Type.FocusIn, QtCore.QEvent.Type.FocusOut):
            set_property(self, "focus", kind == QtCore.QEvent.Type.FocusIn)
        elif kind == QtCore.QEvent.Type.KeyPress and isinstance(event, QtGui.QKeyEvent):
            steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
            if event.key() in steps:
                self._step(steps[Qt.Key(event.key())])
                return True
        return False

    def _step(self, by: int) -> None:
        self.show_value(max(self.value + by, 1))
        self.chosen.emit(self.value)

    def _take(self) -> None:
        text = self.edit.text().strip().replace(",", ".").replace("×", "").strip()
        try:
            value = float(text)
        except ValueError:
            set_property(self, "wrong", True)
            self.setToolTip(tr("{text} is no number.", text=text or "–"))
            return
        self.setToolTip("")
        if value != self.value or self.property("wrong"):
            self.show_value(round(value) if self._whole else value)
            self.chosen.emit(self.value)


def png_of(image: QtGui.QImage) -> bytes:
    """A picture as PNG."""
    memory = QtCore.QBuffer()
    memory.open(QtCore.QIODevice.OpenModeFlag.WriteOnly)
    image.save(memory, "PNG")  # type: ignore[call-overload]
    return bytes(memory.data().data())
