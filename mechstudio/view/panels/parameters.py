"""The table of parameters: every cell is edited in place, and what names a parameter is a click
away.
"""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.edits import parameters
from mechstudio.application.actions.edits.parameters import UseIndex, dimensions
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits.parameters import Use
from mechstudio.model.quantity import Parameter
from mechstudio.model.units import spoken, unit
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.field_error import FieldError
from mechstudio.view.widgets.fields.number_field import NumberField
from mechstudio.view.widgets.form import Text
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import (
    IconButton,
    column,
    label,
    set_property,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
# (key, heading, least width; 0 takes the rest) in the order of the columns [px at the normal text
# size]
COLUMNS: tuple[tuple[str, Words, int], ...] = (
    ("name", "Name", 88),
    ("value", "Value", 0),
    ("dimension", "Dimension", 118),
    ("minimum", "Least", 100),
    ("maximum", "Most", 100),
    ("slider", "Sliders", 50),
    ("used", "Used", 46),
    ("remove", "", 26),
)
VALUE = 124  # least width of the values
GAP = 8
# columns that go where there is no room for all, the first one first
LEAVE = ("dimension", "slider", "minimum", "maximum")
OFFER = 300  # largest width of the offers under a row
AT_ONCE = 6  # rows made in one go, so that a long table does not hold the window


def widths(theme: Theme, room: int) -> dict[str, int]:
    """Width of each column that is shown [px]."""
    shown = {key: theme.dp(wide or VALUE) for key, _, wide in COLUMNS}
    needed = lambda: sum(shown.values()) + GAP * (len(shown) - 1)
    for key in LEAVE:
        if needed() > room:
            shown.pop(key)
    shown["value"] += max(0, room - needed())
    return shown


def word(dimension: str, units: str) -> str:
    """ "mm · length": the unit first, since it says most where there is little room."""
    symbol = unit(dimension, units).symbol
    return (f"{symbol} · " if symbol else "") + spoken(dimension)


class _Check(QtWidgets.QCheckBox):
    """A tick that Enter sets too; Space belongs to playing.  The whole cell takes the click."""

    def hitButton(self, pos: QtCore.QPoint) -> bool:
        return self.rect().contains(pos)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Row(QtWidgets.QFrame):
    """One parameter, with what is wrong with its cells beneath."""

    def __init__(self, table: "ParameterTable", name: str) -> None:
        super().__init__()
        self._table, self.name = table, name
        theme, studio = table.theme, table.studio
        self.setObjectName("parameter")
        self.field_error = FieldError(theme)
        theme.fit(self.field_error.button, most_width=OFFER)
        self.name_field = Text(theme, lambda: self.name, self._rename)
        self.name_field.edit.setAccessibleName(tr("Name"))
        self.numbers = {
            str(f.path[0]): NumberField(
                theme,
                studio,
                name,
                f,
                (None, tr("none")) if f.optional else (None, ""),
                self.field_error,
            )
            for f in self._fields()
        }
        for end in ("minimum", "maximum"):
            self.numbers[end].digits = 4
        self.dimension = Choice(
            theme,
            tr("Dimension"),
            lambda: [(d, word(d, studio.preferences.units), "") for d in dimensions()],
            lambda: self._parameter.dimension,
            self._set_dimension,
        )
        self.slider = _Check()
        self.slider.setAccessibleName(tr("Sliders"))
        self.slider.setToolTip(tr("A slider of its own under Controls"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.clicked.connect(lambda on: parameters.set_slider(studio, self.name, on))
        self.used = QtWidgets.QPushButton()
        self.used.setObjectName("flat")
        self.used.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.used.setMenu(QtWidgets.QMenu(self.used))
        self.used.menu().aboutToShow.connect(self._list_uses)
        theme.fit(self.used, height=26)
        remove = IconButton(
            theme,
            "minus",
            tr("Delete; what names it keeps its value"),
            26,
            14,
            clicked=lambda: parameters.remove_parameter(studio, self.name),
        )
        self.cells = {
            "name": self.name_field,
            **self.numbers,
            "dimension": self.dimension,
            "slider": self.slider,
            "used": self.used,
            "remove": remove,
        }
        line = QtWidgets.QHBoxLayout()
        line.setSpacing(GAP)
        for key, _, _ in COLUMNS:
            line.addWidget(
                self.cells[key],
                0,
                Qt.AlignmentFlag.AlignCenter if key == "slider" else Qt.AlignmentFlag.AlignTop,
            )
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 2, 12, 2)
        box.setSpacing(3)
        box.addLayout(line)
        box.addWidget(self.field_error)
        self._uses: list[Use] = []

    @property
    def _parameter(self) -> Parameter:
        return self._table.studio.document.project.parameters[self.name]

    def _fields(self) -> tuple[fields.Field, ...]:
        return fields.fields(self._parameter, self.name)

    def call(self, name: str) -> None:
        """The parameter is called otherwise now."""
        self.name = name
        for number in self.numbers.values():
            number.id = name

    def set_widths(self, shown: dict[str, int]) -> None:
        if self.name not in self._table.studio.document.project.parameters:
            return
        for key, widget in self.cells.items():
            widget.setVisible(key in shown)
            if key in shown and key != "remove":
                widget.setFixedWidth(shown[key])
        self._show_dimension()

    def refresh(self, uses: list[Use], chosen: bool) -> None:
        project = self._table.studio.document.project
        for number, field in zip(
            self.numbers.values(), fields.fields(project.parameters[self.name], self.name)
        ):
            number.field, number.dimension = field, field.dimension
            number.refresh()
        self.name_field.refresh()
        self._show_dimension()
        self.slider.setChecked(self._parameter.slider)
        self.name_field.setToolTip(self._parameter.note)
        self._uses = uses
        self.used.setText(str(len(uses)) if uses else "–")
        self.used.setEnabled(bool(uses))
        self.used.setToolTip(
            "\n".join(u.words for u in uses[:12]) + ("\n…" if len(uses) > 12 else "")
            if uses
            else tr("Nothing names it yet")
        )
        self.used.setAccessibleName(tr("Used {count} times", count=len(uses)))
        set_property(self, "chosen", chosen)

    def _show_dimension(self) -> None:
        self.dimension.refresh()
        words = word(self._parameter.dimension, self._table.studio.preferences.units)
        room = self.dimension.width() - self._table.theme.dp(26)
        self.dimension.setText(
            self.dimension.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
        )
        self.dimension.setToolTip(words)

    def _list_uses(self) -> None:
        menu = self.used.menu()
        menu.clear()
        for use in self._uses:
            menu.addAction(use.words.replace("&", "&&")).triggered.connect(
                lambda _=False, use=use: self._table.use_chosen.emit(use.id, use.path)
            )

    def _refuse(self, reason: str) -> None:
        if reason:
            self.field_error.say(self, reason)
        else:
            self.field_error.clear(self)

    def _rename(self, text: str) -> None:
        self._refuse(parameters.rename_parameter(self._table.studio, self.name, text))

    def _set_dimension(self, dimension: str) -> None:
        self._refuse(parameters.set_dimension(self._table.studio, self.name, dimension))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._table.studio.selection.select(self.name)


class ParameterTable(QtWidgets.QWidget):
    """counted: the word of the panel's head ("5 parameters").  use_chosen(id, path): a place that
    names a parameter was chosen.
    """

    counted = QtCore.Signal(str)
    use_chosen = QtCore.Signal(str, object)
    shortcut_title = "In the table of parameters"
    shortcuts = (
        ("Tab", "next cell"),
        ("Enter", "take what is typed"),
        ("Esc", "back to what it was"),
        ("Up / Down", "nudge the number"),
    )

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self.theme, self.studio = theme, studio
        self._index, self._shown = UseIndex(), {}
        self.rows: list[Row] = []
        self._waiting: list[str] = []
        self._head = QtWidgets.QWidget()
        heading = QtWidgets.QHBoxLayout(self._head)
        heading.setContentsMargins(12, 0, 12, 0)
        heading.setSpacing(GAP)
        self._words = {}
        for key, text, _ in COLUMNS:
            self._words[key] = word_ = label(tr(text) if text else "", "three")
            word_.setAlignment(
                (
                    Qt.AlignmentFlag.AlignHCenter
                    if key in ("slider", "used")
                    else Qt.AlignmentFlag.AlignLeft
                )
                | Qt.AlignmentFlag.AlignVCenter
            )
            heading.addWidget(word_)
        theme.fit(self._head, height=22)
        self._empty = wrapped(
            tr(
                "No parameters yet. Type a name into any number field, as in 2*L1, or add one "
                "here with +."
            ),
            "three",
        )
        self._empty.setContentsMargins(12, 6, 12, 6)
        self._list = QtWidgets.QWidget()
        self._column = QtWidgets.QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 0, 8)
        self._column.setSpacing(0)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        self._scroll = Scroll(self._list)
        self._scroll.viewport().installEventFilter(self)
        box = column(self)
        box.addWidget(self._head)
        box.addWidget(self._scroll, 1)
        self._more = QtCore.QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._make_some)
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.selection.changed.connect(self.refresh)
        studio.preferences.units_changed.connect(self.refresh)
        theme.resized.connect(self._lay_out)

    def minimumSizeHint(self) -> QtCore.QSize:
        # columns follow the available width: their present widths must not limit the window
        stay = widths(self.theme, 0).values()
        least = sum(stay) + GAP * (len(stay) + 2)
        return QtCore.QSize(least, super().minimumSizeHint().height())

    def row(self, name: str) -> Row:
        """The row of a parameter.  Raises StopIteration where it is not shown."""
        return next(r for r in self.rows if r.name == name)

    def add(self) -> None:
        """A new parameter, its name ready to be typed over."""
        name = parameters.add_parameter(self.studio)
        while self._waiting:
            self._make_some()
        made = self.row(name)
        QtCore.QTimer.singleShot(0, made, lambda: self._begin(made))

    def _begin(self, made: Row) -> None:
        self._scroll.ensureWidgetVisible(made)
        made.name_field.edit.setFocus()
        made.name_field.edit.selectAll()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the project's parameters; rows stay the same while their parameters are there."""
        if not self.isVisible():
            return
        names = list(self.studio.document.project.parameters)
        self._follow_names(names)
        uses, chosen = self._index.of(self.studio.document.project), self.studio.selection.selected
        for made in self.rows:
            made.refresh(uses.get(made.name, []), made.name in chosen)
        self._empty.setVisible(not names)
        self._head.setVisible(bool(names))
        self.counted.emit(
            ""
            if not names
            else tr("1 parameter")
            if len(names) == 1
            else tr("{count} parameters", count=len(names))
        )
        self._lay_out()

    def _follow_names(self, names: list[str]) -> None:
        have = [r.name for r in self.rows] + self._waiting
        if have == names:
            return
        gone, new = [n for n in have if n not in names], [n for n in names if n not in have]
        if (
            len(have) == len(names)
            and len(gone) == len(new) == 1
            and have.index(gone[0]) == names.index(new[0])
        ):
            # renamed, by whomever: the row, and the keys in it, stay
            if gone[0] in self._waiting:
                self._waiting[self._waiting.index(gone[0])] = new[0]
            else:
                self.row(gone[0]).call(new[0])
            return
        keep = [r for r in self.rows if r.name in names]
        for made in [r for r in self.rows if r.name not in names]:
            self._drop(made)
        if [r.name for r in keep] != names[: len(keep)]:
            for made in keep:
                self._drop(made)
            keep = []
        self.rows, self._waiting = keep, names[len(keep) :]
        self._make_some()

    def _drop(self, made: Row) -> None:
        self._column.removeWidget(made)
        throw_away(made)

    def _make_some(self) -> None:
        for name in self._waiting[:AT_ONCE]:
            made = Row(self, name)
            self._column.insertWidget(len(self.rows), made)
            self.rows.append(made)
        done, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        if done and self._shown:
            uses = self._index.of(self.studio.document.project)
            for made in self.rows[-len(done) :]:
                made.set_widths(self._shown)
                made.refresh(uses.get(made.name, []), made.name in self.studio.selection.selected)
        if self._waiting:
            self._more.start()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.Resize:
            self._lay_out()
        return False

    def _lay_out(self) -> None:
        room = self._scroll.viewport().width() - 24
        if room <= 0:
            return
        self._shown = widths(self.theme, room)
        for key, word_ in self._words.items():
            word_.setVisible(key in self._shown)
            if key in self._shown:
                word_.setFixedWidth(self._shown[key])
        for made in self.rows:
            made.set_widths(self._shown)
