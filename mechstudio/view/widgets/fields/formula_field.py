"""A field for a number: takes formulas and units, nudges, says in words what is wrong, and offers
the parameter that a formula names.
"""

import math
import re
from abc import abstractmethod
from collections.abc import Callable
from decimal import Decimal

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.runs.element_readings import unrounded
from mechstudio.application.studio import Studio
from mechstudio.model.edits.parameters import Requested, added, requested_by
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value, unit
from mechstudio.translation import comma, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.field_error import FieldError
from mechstudio.view.widgets.fields.field_keys import FieldKeys
from mechstudio.view.widgets.widgets import Elided, column, set_property

Qt = QtCore.Qt
SIMPLE = re.compile(r"\s*([-+−]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\s*([^\d\s+*()−-][^+*()−]*)?\s*")
PAD, TIGHT = 8, 3  # beside the text of a field, of one in a grid
NUDGE_REST_MS = 500
# least width of a note that is shortened [px at the normal text size]
NOTE_WIDTH = 44


def nudged(
    text: str, notches: int, share: Decimal = Decimal(1), first: Decimal = Decimal(1)
) -> str | None:
    """A simple number with unit, moved by so many of its second digits, or `share` of them: "330
    mm" -> "340 mm".  first: what a zero, which has no second digit, is moved by instead.

    None if the text is a formula: nudging it would cut what ties it to its parameters.
    """
    found = SIMPLE.fullmatch(text)
    if found is None:
        return None
    number = Decimal(found[1].replace("−", "-"))
    place = Decimal(10) ** (number.adjusted() - 1) if number else first
    moved = number + notches * place * share
    shown = format(moved.normalize() if moved else Decimal(0), "f")
    return f"{shown} {found[2].strip()}" if found[2] else shown


def share_of(modifiers: Qt.KeyboardModifier) -> Decimal:
    """Step factor of one notch: 10 with Shift, 0.1 with Ctrl, else 1."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return Decimal(10)
    return Decimal("0.1") if modifiers & Qt.KeyboardModifier.ControlModifier else Decimal(1)


def sentence(reason: str, typed: str) -> str:
    """A reason that begins like a sentence, unless it begins with a name as it was typed."""
    return (
        reason
        if reason.split(" ", 1)[0].strip(".,:") in re.findall(r"\w+", typed)
        else reason[:1].upper() + reason[1:]
    )


def error_sentence(reason: str, typed: str, requested: Requested | None, entered: bool) -> str:
    """The reason as a sentence; entered: Enter was pressed on the text, and the next one creates
    the parameter that it asks for.
    """
    said = sentence(reason, typed)
    return (
        tr("{message} Enter again creates {name}.", message=said, name=requested.words)
        if entered and requested is not None
        else said
    )


class _Edit(QtWidgets.QLineEdit):
    """The text of a FormulaField, which gets its keys first."""

    def __init__(self, owner: "FormulaField") -> None:
        super().__init__()
        self._owner = owner
        self.keys = FieldKeys()

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
            self._owner.nudge(1 if key == Qt.Key.Key_Up else -1, share_of(event.modifiers()))
        elif key == Qt.Key.Key_Escape:
            self._owner.restore()
        elif (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._owner.take_offer()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._owner.enter()
            self.keys.entered()
            if self._owner.answered is not None and not self.isModified():
                self._owner.answered()
        else:
            super().keyPressEvent(event)

    def event(self, event: QtCore.QEvent) -> bool:
        return self.keys.takes(event, self._owner.is_dirty) or super().event(event)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        # only in the field that has the focus, so that scrolling the panel changes no number; some
        # systems turn the wheel sideways with Shift
        rotated = event.angleDelta().y() or event.angleDelta().x()
        if self.hasFocus() and rotated:
            self._owner.nudge(1 if rotated > 0 else -1, share_of(event.modifiers()))
            event.accept()
        else:
            event.ignore()


class FormulaField(QtWidgets.QWidget):
    """One number that can be typed; commits on Enter or when left.  A kind of field says what it
    shows (`quantity`), whether a text may stand (`tried`), and what becomes of it (`put`).
    """

    shortcut_title = "In a number field"
    shortcuts = (
        ("Enter", "take the number"),
        ("Esc", "back to what it was"),
        ("Up / Down", "nudge by the second digit"),
        ("Shift", "ten times as far"),
        ("Ctrl", "a tenth"),
        ("Ctrl+Enter", "create the parameter that is offered"),
    )

    digits, fewest = 6, 4  # shown of a number that was not typed, and where there is less room

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        label: str,
        dimension: str,
        absent: tuple[float | None, str] = (None, ""),
        field_error: FieldError | None = None,
    ) -> None:
        """absent: the value [SI] and the note shown while there is no number ("auto").
        field_error: where the reason stands; beneath without it.
        """
        super().__init__()
        self._theme, self._studio, self.dimension, self._absent = theme, studio, dimension, absent
        self._busy = False
        self._forms: tuple[str, ...] = ("",)  # of what is shown, the longest first
        self.answered: Callable[[], object] | None = (
            None  # called after Enter, of a field that was requested
        )
        self._requested: Requested | None = None
        self._entered = ""  # the text on which Enter was pressed last
        # a burst of nudges is one undo step
        self._rest = QtCore.QTimer(self, singleShot=True, interval=NUDGE_REST_MS)
        self._rest.timeout.connect(self.commit)
        self._edit, self._note = _Edit(self), Elided("", "three")
        self._edit.setAccessibleName(label)
        self._edit.setMinimumWidth(20)
        self._edit.textEdited.connect(self._check)
        self._frame = QtWidgets.QFrame()
        self._frame.setObjectName("field")
        theme.fit(self._frame, height=26)
        line = QtWidgets.QHBoxLayout(self._frame)
        self._pad = PAD
        line.setContentsMargins(PAD, 0, PAD, 0)
        line.setSpacing(6)
        line.addWidget(self._edit, 1)
        line.addWidget(self._note)
        self._wrong = field_error or FieldError(theme)
        self._box = column(self, 2)
        self._box.addWidget(self._frame)
        if field_error is None:
            self._box.addWidget(self._wrong)
        self.setFocusProxy(self._edit)
        theme.resized.connect(self._fit)

    # what a kind of field brings

    def __init_subclass__(cls) -> None:
        # a widget's class cannot be an ABC, whose metaclass is another
        super().__init_subclass__()
        missing = [
            name
            for name in ("quantity", "tried", "put")
            if getattr(getattr(cls, name), "__isabstractmethod__", False)
        ]
        if missing:
            raise TypeError(
                tr("{cls} does not say {missing}.", cls=cls.__name__, missing=comma().join(missing))
            )

    @abstractmethod
    def quantity(self) -> Quantity | None:
        """Current value of the edited number."""

    @abstractmethod
    def tried(self, project: Project) -> Quantity | None:
        """The typed text as it would stand in a project, None for an emptied field.  Raises
        ExpressionError with the reason in words.
        """

    @abstractmethod
    def put(self, project: Project, label: str) -> None:
        """Commit the typed text, which may stand, into a project.  label: of the undo step; "" for
        the field's own.
        """

    def stands(self) -> bool:
        """True if the number still exists: an undo may remove it under the cursor."""
        return True

    # what it shows

    @property
    def edit(self) -> QtWidgets.QLineEdit:
        return self._edit

    @property
    def typed(self) -> str:
        """Text of the field, as expressions read it."""
        return with_points(self._edit.text())

    @property
    def reason(self) -> str:
        """Reason why the text is refused; empty if it is valid."""
        return self._wrong.text() if self._frame.property("wrong") else ""

    @property
    def requested(self) -> Requested | None:
        """The parameter that is offered because the typed text names it."""
        return self._requested

    @property
    def is_dirty(self) -> bool:
        """True if there is typed text that is not committed."""
        return self._edit.isModified() or self._rest.isActive()

    def _symbol(self) -> str:
        return unit(self.dimension, self._studio.preferences.units).symbol

    def _formatted(self, value: float, system: str = "", digits: int = 0) -> str:
        return format_value(
            value, self.dimension, system or self._studio.preferences.units, digits or self.digits
        )

    def _source(self) -> str:
        """Text of the field while it is edited."""
        q = self.quantity()
        if q is None:
            return ""
        return with_commas(q.text) if q.text else self._formatted(self._unrounded(q.value))

    def _unrounded(self, value: float) -> float:
        """A computed number [SI] without what is only rounding at the mechanism's scale."""
        return unrounded(value, self.dimension, self._studio.document.size)

    def set_absent(self, absent: tuple[float | None, str]) -> None:
        self._absent = absent
        self.refresh()

    def refresh(self) -> None:
        """Show the number that is true, unless the user is typing."""
        if self.is_dirty or not self.stands():
            return
        q, note = self.quantity(), ""
        if q is None:
            value, note = self._absent
            forms = ["–" if value is None else self._formatted(value, digits=self.fewest)]
        elif q.text and not self._in_unit(q.text):
            counts = self.digits, min(self.digits, self.fewest)
            forms, note = (
                [self._formatted(q.value, "", n) for n in counts],
                f"= {with_commas(q.text)}",
            )
        else:
            forms = [self._source().replace("-", "−")]
        tip = note
        if self._edit.hasFocus():
            forms, note = (
                [self._source()],
                f"= {self._formatted(q.value)}" if q is not None and note else "",
            )
        self._forms = tuple(forms)
        self._show_form()
        self._edit.setModified(False)
        self._note.set_text(note)
        set_property(self._edit, "quiet", q is None and not self._edit.hasFocus())
        value = q.value if q is not None else self._absent[0]
        self.setToolTip(
            ""
            if value is None
            else tr("{value} in SI units", value=self._formatted(value, "m-N-rad", 9))
            + (f"\n{tip}" if tip else "")
        )
        self._show_reason("")
        self._make_room()

    def _show_form(self) -> None:
        """Show the number, or less of its digits, or its beginning with an ellipsis: what is cut at
        the edge of a field would look like another number.
        """
        text, metrics = self._forms[0], self._edit.fontMetrics()
        if self.isVisible() and not self._edit.hasFocus():
            room = self._frame.width() - 2 * self._pad - 6
            fits = (form for form in self._forms if metrics.horizontalAdvance(form) <= room)
            cut = metrics.elidedText(self._forms[-1], Qt.TextElideMode.ElideRight, room)
            text = next(fits, cut)
        if text != self._edit.text():
            self._edit.setText(text)
            self._edit.setCursorPosition(0)

    def tighten(self) -> None:
        """Give the number as much of a narrow field as possible."""
        self._pad = TIGHT
        layout = self._frame.layout()
        assert layout is not None
        layout.setContentsMargins(TIGHT, 0, TIGHT, 0)

    def _in_unit(self, text: str) -> bool:
        """True if a text is a number in the project's unit, which needs no other words."""
        found = SIMPLE.fullmatch(text)
        return found is not None and (found[2] or "").strip() == self._symbol()

    def _make_room(self) -> None:
        """The number comes first; the note stands beside it as far as there is room.  What a
        formula that is being typed amounts to is never shortened, since 206 and the beginning of
        206.155 look the same: it stands beneath where there is no room for all of it.
        """
        number = self._edit.fontMetrics().horizontalAdvance(self._edit.text()) + 6
        free = self._frame.width() - 2 * self._pad - 6 - number
        self._edit.setMinimumWidth(max(20, min(number, self._frame.width() - 2 * self._pad - 2)))
        note, wide = self._note.text(), self._note.sizeHint().width()
        amounts = self._edit.hasFocus()
        self._note.setVisible(
            bool(note) and free >= (wide if amounts else min(wide, self._theme.dp(NOTE_WIDTH)))
        )
        if amounts and note and free < wide:
            self._wrong.say(self, note, quiet=True)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # the frame has its new width when the layout is through
        super().resizeEvent(event)
        self._box.activate()
        self._fit()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Follow another width."""
        if not self.is_dirty:
            self._show_form()
        self._make_room()

    # typing

    def begin(self) -> None:
        self._entered = ""
        set_property(self._frame, "focus", True)
        set_property(self._edit, "quiet", False)
        if not self.is_dirty and self.stands():
            self._edit.setText(self._source())
            self._edit.setModified(False)

    def leave(self) -> None:
        set_property(self._frame, "focus", False)
        if not self.stands():
            return
        if self.is_dirty and not self._check():
            # unreadable text is not kept in a hidden field
            self.restore()
        else:
            self.commit()
        self.refresh()

    def suspend(self) -> tuple[str, int, bool] | None:
        """Drop the text being typed, because the field is about to be made again: (text, place of
        the cursor, whether it has the keys).
        """
        state = (
            (self._edit.text(), self._edit.cursorPosition(), self._edit.hasFocus())
            if self.is_dirty
            else None
        )
        self._rest.stop()
        self._edit.setModified(False)
        return state

    def resume(self, state: tuple[str, int, bool]) -> None:
        """Go on with what was being typed in the field that this one replaces."""
        text, place, focus = state
        if focus:
            self._edit.setFocus()
        self._edit.setText(text)
        self._edit.setCursorPosition(place)
        self._edit.setModified(True)
        self._check()

    def restore(self) -> None:
        """Back to the number that is true."""
        self._rest.stop()
        self._edit.setModified(False)
        self.refresh()
        self._edit.selectAll()

    def nudge(self, notches: int, share: Decimal) -> None:
        """Move the number by its second digit.  A formula stays as it is, and the field says so."""
        if self._edit.isReadOnly() or not self.stands():
            return
        text = self.typed
        if not text.strip():
            text = with_points(self._formatted(self._absent[0] or 0.0, digits=4))
        moved = nudged(text, notches, share, self._first_step())
        if moved is None:
            if not self.reason:
                self._wrong.say(
                    self, tr("A formula stays as it is: type a number to replace it"), quiet=True
                )
            return
        self._edit.setText(with_commas(moved))
        self._edit.setModified(True)
        if self._check():
            self._rest.start()

    def _first_step(self) -> Decimal:
        """One step away from zero in the project's unit: a power of ten, up to a hundredth of the
        mechanism for lengths and a degree for angles; one unit of anything else.
        """
        sensible = {"length": 0.01 * self._studio.document.size, "angle": math.radians(1.0)}
        step = (
            sensible.get(self.dimension, 0.0)
            / unit(self.dimension, self._studio.preferences.units).factor
        )
        return Decimal(10) ** math.floor(math.log10(step) + 1e-9) if step > 0.0 else Decimal(1)

    def _check(self, _text: str = "") -> bool:
        if not self.stands():
            return False
        try:
            q = self.tried(self._studio.document.project)
        except expression.ExpressionError as error:
            self._refuse(error)
            return False
        self._show_reason("")
        # what a formula amounts to, while it is typed
        self._note.set_text(
            "" if q is None or self._in_unit(q.text) else f"= {self._formatted(q.value)}"
        )
        self._make_room()
        return True

    def _refuse(self, error: expression.ExpressionError) -> None:
        q, text = self.quantity(), self.typed
        present = q.value if q is not None else self._absent[0]
        requested = (
            requested_by(
                self._studio.document.project,
                text,
                self.dimension,
                present,
                self._studio.preferences.units,
            )
            if error.unknown
            else None
        )
        self._show_reason(str(error), requested)

    def _show_reason(self, reason: str, requested: Requested | None = None) -> None:
        self._requested = requested
        set_property(self._frame, "wrong", bool(reason))
        if reason:
            self._note.set_text("")
            self._make_room()
            self._wrong.say(
                self,
                error_sentence(reason, self._edit.text(), requested, self._entered == self.typed),
                tr("Create {words}", words=requested.words) if requested else "",
                self.take_offer,
            )
        else:
            self._wrong.clear(self)

    def take_offer(self) -> None:
        """Create the parameter that the text names; one undo step together with the number, where
        nothing else is missing.
        """
        requested = self._requested
        if requested is None or not self.stands():
            return
        project = added(self._studio.document.project, requested)
        label = tr("Create {words}", words=requested.words)
        try:
            self.tried(project)
        except expression.ExpressionError:
            # another name is missing, or the number cannot be so: said next
            self._studio.document.commit(label, project)
            self._check()
            return
        self._commit(project, label)

    def enter(self) -> None:
        """Enter: take the text.  One that names no parameter yet is refused, and the next Enter
        creates what is offered, as in the drawing.
        """
        if self._requested is not None and self._entered == self.typed:
            self.take_offer()
        else:
            self._entered = self.typed
            self.commit()

    def commit(self) -> None:
        """One undo step, if the text is valid and says something new."""
        self._rest.stop()
        if self._busy or not self._edit.isModified() or not self.stands():
            return
        project = self._studio.document.project
        try:
            self.tried(project)
        except expression.ExpressionError as error:
            self._refuse(error)
            return
        self._commit(project, "")

    def _commit(self, project: Project, label: str) -> None:
        self._edit.setModified(False)
        self._busy = True
        try:
            self.put(project, label)
        finally:
            self._busy = False
        self.refresh()
        if self._edit.hasFocus():
            self._edit.selectAll()
