"""A field for one number of the project: shows it as typed, takes formulas and units, says in words what is wrong."""

import re
from collections.abc import Callable
from decimal import Decimal

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model import edit, expression, fields
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value, unit

from ..i18n import tr
from ..pieces import Elided, set_property, wrapped
from ..theme import Theme

Qt = QtCore.Qt
SIMPLE = re.compile(r"\s*([-+−]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\s*([^\d\s+*()−-][^+*()−]*)?\s*")
NUDGE_REST_MS = 500
# least width of a note that is shortened [px at the normal text size]
NOTE_WIDTH = 44


def nudged(text: str, notches: int, fine: bool = False) -> str | None:
    """A simple number with unit, moved by so many of its second digits (third ones if fine): "330 mm" -> "340 mm".

    None if the text is a formula: nudging it would cut what ties it to its parameters.
    """
    found = SIMPLE.fullmatch(text)
    if found is None:
        return None
    number = Decimal(found[1].replace("−", "-"))
    place = Decimal(10) ** (number.adjusted() - 1 if number else 0)
    moved = number + notches * (place / 10 if fine else place)
    shown = format(moved.normalize() if moved else Decimal(0), "f")
    return f"{shown} {found[2].strip()}" if found[2] else shown


def sentence(reason: str, typed: str) -> str:
    """A reason that begins like a sentence, unless it begins with a name as it was typed."""
    return reason if reason.split(" ", 1)[0].strip(".,:") in re.findall(r"\w+", typed) else reason[:1].upper() + reason[1:]


def take_key(event: QtGui.QKeyEvent, dirty: bool) -> bool:
    """Decide who gets Escape and undo: a field with uncommitted text restores itself, otherwise they are the window's."""
    if event.key() == Qt.Key.Key_Escape and dirty:
        event.accept()
        return True
    if not dirty and (event.matches(QtGui.QKeySequence.StandardKey.Undo) or event.matches(QtGui.QKeySequence.StandardKey.Redo)):
        event.ignore()
        return True
    return False


class _Edit(QtWidgets.QLineEdit):
    """The text of a NumberField, which gets its keys first."""

    def __init__(self, owner: "NumberField") -> None:
        super().__init__()
        self._owner = owner

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        self._owner.begin()
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._owner.leave()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._owner.nudge(1 if key == Qt.Key.Key_Up else -1, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key == Qt.Key.Key_Escape:
            self._owner.restore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._owner.commit()
            if self._owner.answered is not None and not self.isModified():
                self._owner.answered()
        else:
            super().keyPressEvent(event)

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and take_key(event, self._owner.is_dirty):
            return True
        return super().event(event)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        # only in the field that has the focus, so that scrolling the panel changes no number
        if self.hasFocus() and event.angleDelta().y():
            self._owner.nudge(1 if event.angleDelta().y() > 0 else -1, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            event.accept()
        else:
            event.ignore()


class NumberField(QtWidgets.QWidget):
    """Edits one fields.Field of one element; commits one undo step on Enter or when left."""

    def __init__(self, theme: Theme, studio: Studio, id: str, field: fields.Field, absent: tuple[float | None, str] = (None, "")) -> None:
        """absent: the value [SI] and the note shown while an optional number is None ("auto")."""
        super().__init__()
        self._studio, self.id, self.field, self._absent = studio, id, field, absent
        self._busy = False
        self.answered: Callable[[], object] | None = None      # called after Enter, of a field that was asked for
        self._edit = _Edit(self)
        self._edit.setAccessibleName(field.label)
        self._edit.setMinimumWidth(20)
        self._edit.textEdited.connect(self._check)
        self._theme, self._note = theme, Elided("", "three")
        self._frame = QtWidgets.QFrame()
        self._frame.setObjectName("field")
        theme.fit(self._frame, "setFixedHeight", 26)
        line = QtWidgets.QHBoxLayout(self._frame)
        line.setContentsMargins(8, 0, 8, 0)
        line.setSpacing(6)
        line.addWidget(self._edit, 1)
        line.addWidget(self._note)
        self._wrong = wrapped("", "wrong")
        self._wrong.hide()
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(self._frame)
        box.addWidget(self._wrong)
        self.setFocusProxy(self._edit)
        # a burst of nudges is one undo step
        self._rest = QtCore.QTimer(self, singleShot=True, interval=NUDGE_REST_MS)
        self._rest.timeout.connect(self.commit)
        theme.resized.connect(self._make_room)
        self.refresh()

    @property
    def edit(self) -> QtWidgets.QLineEdit:
        return self._edit

    @property
    def reason(self) -> str:
        """Why the text is refused; empty if it is valid."""
        return self._wrong.text()

    def quantity(self) -> Quantity | None:
        return fields.read(fields.find(self._studio.document.project, self.id), self.field.path)

    def _source(self) -> str:
        """What stands in the field while it is edited."""
        q = self.quantity()
        return "" if q is None else q.text or self._formatted(q.value)

    def _formatted(self, value: float, system: str = "", digits: int = 6) -> str:
        return format_value(value, self.field.dimension, system or self._studio.units, digits)

    def set_absent(self, absent: tuple[float | None, str]) -> None:
        self._absent = absent
        self.refresh()

    def refresh(self) -> None:
        """Show the project's number, unless the user is typing."""
        if self.is_dirty:
            return
        q, note = self.quantity(), ""
        if q is None:
            value, note = self._absent
            text = "–" if value is None else self._formatted(value, digits=4)
        elif q.text and not SIMPLE.fullmatch(q.text):
            text, note = self._formatted(q.value), f"= {q.text}"
        else:
            text = q.text.replace("-", "−") if q.text else self._formatted(q.value)
        if self._edit.hasFocus():
            text = self._source()
        self._edit.setText(text)
        self._edit.setModified(False)
        self._edit.setCursorPosition(0)
        self._note.set_text(note)
        self._make_room()
        set_property(self._edit, "quiet", q is None and not self._edit.hasFocus())
        value = q.value if q is not None else self._absent[0]
        self.setToolTip("" if value is None else tr("{value} in SI units", value=self._formatted(value, "m-N-rad", 9)) + (f"\n{note}" if note else ""))
        self._show_reason("")

    def _make_room(self) -> None:
        """The number comes first; the note stands beside it as far as there is room."""
        number = self._edit.fontMetrics().horizontalAdvance(self._edit.text()) + 6
        free = self._frame.width() - 16 - 6 - number
        self._edit.setMinimumWidth(max(20, min(number, self._frame.width() - 18)))
        self._note.setVisible(bool(self._note.text()) and free >= min(self._note.sizeHint().width(), self._theme.dp(NOTE_WIDTH)))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # the frame has its new width when the layout is through
        super().resizeEvent(event)
        self.layout().activate()
        self._make_room()

    @property
    def is_dirty(self) -> bool:
        """Whether there is typed text that is not committed."""
        return self._edit.isModified() or self._rest.isActive()

    def begin(self) -> None:
        set_property(self._frame, "focus", True)
        set_property(self._edit, "quiet", False)
        if not self.is_dirty:
            self._edit.setText(self._source())
            self._edit.setModified(False)

    def leave(self) -> None:
        set_property(self._frame, "focus", False)
        if not self._stands():
            return
        if self.is_dirty and not self._check():
            # what cannot be read is not kept in a field that nobody looks at
            self.restore()
        else:
            self.commit()
        self.refresh()

    def _stands(self) -> bool:
        """Whether the project still has this number: an undo may take it away under the cursor."""
        project = self._studio.document.project
        try:
            return self.field in fields.fields(fields.find(project, self.id), self.id, project.mechanism)
        except KeyError:
            return False

    def restore(self) -> None:
        """Back to the project's number."""
        self._rest.stop()
        self._edit.setModified(False)
        self.refresh()
        self._edit.selectAll()

    def nudge(self, notches: int, fine: bool) -> None:
        text = nudged(self._edit.text(), notches, fine)
        if text is not None:
            self._edit.setText(text)
            self._edit.setModified(True)
            if self._check():
                self._rest.start()

    def _edited(self) -> Project:
        """The project with the typed text in it.  Raises ExpressionError with the reason in words."""
        return edit.set_quantity(self._studio.document.project, self.id, self.field.path, self._edit.text(), unit(self.field.dimension, self._studio.units).symbol)

    def _check(self, _text: str = "") -> bool:
        try:
            self._edited()
        except expression.ExpressionError as error:
            self._show_reason(str(error))
            return False
        self._show_reason("")
        return True

    def _show_reason(self, reason: str) -> None:
        set_property(self._frame, "wrong", bool(reason))
        self._wrong.setText(sentence(reason, self._edit.text()))
        self._wrong.setVisible(bool(reason))

    def commit(self) -> None:
        """One undo step, if the text is valid and says something new."""
        self._rest.stop()
        if self._busy or not self._edit.isModified():
            return
        try:
            project = self._edited()
        except expression.ExpressionError as error:
            self._show_reason(str(error))
            return
        self._edit.setModified(False)
        self._busy = True
        try:
            kept = fields.read(fields.find(project, self.id), self.field.path)
            self._studio.document.commit(self._story(kept.text if kept is not None else ""), project)
        finally:
            self._busy = False
        self.refresh()
        if self._edit.hasFocus():
            self._edit.selectAll()

    def _story(self, text: str) -> str:
        """The label of the undo step: "Length of crank 330 mm"."""
        what = f"{self.field.group.split(' of ')[0]} {self.field.label}" if len(self.field.label) == 1 and self.field.group else self.field.label
        if self.id in (fields.SETTINGS, fields.GRAVITY):
            return f"{what} {text}".strip()
        name = self._studio.name(self.id)
        return f"{what} of {name} {text or tr('from shapes')}" if self.field.label != "Value" else f"{name} = {text}"
