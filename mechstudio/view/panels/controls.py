"""Controls: a slider for each parameter marked for one.  A drag is one undo step; where a run was
shown it goes on with what acts at once, or is made again, while the slider moves.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.actions.edits import parameters
from mechstudio.application.actions.edits.sliders import make_slider, slider_offers
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits.parameters import first_value
from mechstudio.model.formulas.expression import evaluate
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter
from mechstudio.model.units import Unit, format_number, unit
from mechstudio.translation import localised, tr
from mechstudio.view.panels.number_menu import add_numbers
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.field_error import FieldError
from mechstudio.view.widgets.fields.formula_field import SIMPLE
from mechstudio.view.widgets.fields.number_field import NumberField
from mechstudio.view.widgets.slider import Slider
from mechstudio.view.widgets.widgets import Elided, label, row, throw_away

Qt = QtCore.Qt
EVERY = 60  # ms between two acts of a slider that is dragged


def shown_in(parameter: Parameter, units: str) -> Unit:
    """The unit that the value was typed in, otherwise that of the unit system `units`."""
    found = SIMPLE.fullmatch(parameter.value.text)
    if found is None or not found[2]:
        return unit(parameter.dimension, units)
    symbol = found[2].strip()
    return Unit(symbol, evaluate(f"1 {symbol}", parameter.dimension, {}))


def ends(parameter: Parameter) -> tuple[float, float]:
    """From where to where a slider goes [SI]: where no end was typed, from zero to twice the
    value.
    """
    value = parameter.value.value
    reach = abs(value) or first_value(parameter.dimension, "mm-N-deg")
    low = (
        parameter.minimum.value
        if parameter.minimum is not None
        else min(0.0, 2 * value)
        if value
        else -reach
    )
    high = (
        parameter.maximum.value
        if parameter.maximum is not None
        else max(0.0, 2 * value)
        if value
        else reach
    )
    if low >= high:
        low, high = (low, low + reach) if parameter.maximum is None else (high - reach, high)
    return low, high


def scale(
    parameter: Parameter, units: str, span: tuple[float, float] | None = None
) -> tuple[float, float, float]:
    """Least value, step and number of steps of a slider, in the unit of display; steps are 1, 2 or
    5 times a power of ten.  span: its ends [SI].
    """
    factor = shown_in(parameter, units).factor
    low, high = (end / factor for end in span or ends(parameter))
    wide = max(high - low, 1e-12)
    power = 10.0 ** math.floor(math.log10(wide / 100))
    step = next(k * power for k in (1, 2, 5, 10) if wide / (k * power) <= 200)
    return low, step, wide / step


class End(QtWidgets.QStackedWidget):
    """One end of a slider's range; a double click types another one."""

    kind, height_of_word, made = "small", 14, NumberField

    def __init__(
        self, theme: Theme, studio: Studio, name: str, part: str, field_error: FieldError
    ) -> None:
        """field_error: where it is said what is wrong with what is typed."""
        super().__init__()
        self._theme, self._studio, self._name, self._part, self._field_error = (
            theme,
            studio,
            name,
            part,
            field_error,
        )
        self.word, self._text = label("", self.kind), ""
        self.word.setAlignment(
            (Qt.AlignmentFlag.AlignLeft if part == "minimum" else Qt.AlignmentFlag.AlignRight)
            | Qt.AlignmentFlag.AlignVCenter
        )
        self.addWidget(self.word)
        self.number: NumberField | None = None
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        theme.fit(self, height=self.height_of_word)

    def show_end(self, text: str, typed: bool) -> None:
        self._text = text
        does = (
            tr("Double-click to type another end")
            if typed
            else tr("Chosen by itself: double-click to type an end")
        )
        self.setToolTip(f"{text}\n{does}")
        self._show_word()

    def _show_word(self) -> None:
        """The number where there is room for all of it: a part of it would be another number."""
        fits = self.word.fontMetrics().horizontalAdvance(self._text) <= self.width()
        self.word.setText(self._text if fits else "")

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._text:
            self._show_word()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.type_end()

    def type_end(self) -> None:
        """Put a field in the place of the word until it is left."""
        parameter = self._studio.document.project.parameters[self._name]
        field = next(f for f in fields.fields(parameter, self._name) if f.path == (self._part,))
        self._theme.fit(self, height=26)
        self.number = self.made(
            self._theme,
            self._studio,
            self._name,
            field,
            (ends(parameter)[self._part == "maximum"], ""),
            self._field_error,
        )
        self.number.digits = 4
        self.number.answered = self.close_field
        self.addWidget(self.number)
        self.setCurrentWidget(self.number)
        self.number.edit.setFocus()
        self.number.edit.selectAll()
        self.number.edit.editingFinished.connect(
            lambda: QtCore.QTimer.singleShot(0, self, self._left)
        )

    def _left(self) -> None:
        if self.number is not None and not self.number.edit.hasFocus():
            self.close_field()

    def close_field(self) -> None:
        if self.number is not None:
            number, self.number = self.number, None
            self._field_error.clear(number)
            self.removeWidget(number)
            number.deleteLater()
            self._theme.fit(self, height=self.height_of_word)


class ValueField(NumberField):
    """Field for the value of a slider; a run that is shown is made again."""

    def put(self, project: Project, label: str) -> None:
        put = super().put
        if self._studio.runs.recording is not None:
            self._studio.runs.edit_and_run(lambda: put(project, label))
        else:
            put(project, label)


class Value(End):
    """Value of a slider; a click types another one."""

    kind, height_of_word, made = "", 20, ValueField

    def __init__(self, theme: Theme, studio: Studio, name: str, field_error: FieldError) -> None:
        super().__init__(theme, studio, name, "value", field_error)
        # wide enough to type, and no wider then, so that sliders stay as they are
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)
        theme.fit(self, width=84)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setToolTip(tr("Click to type another value"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
        if enters and self.number is None:
            self.type_end()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.number is None:
            self.type_end()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Nothing more than a click does."""


class Controls(QtWidgets.QWidget):
    """One line per slider: name, slider, value.  counted: how many there are."""

    counted = QtCore.Signal(int)

    def __init__(
        self, theme: Theme, studio: Studio, chosen: Callable[[], Sequence[str]] | None = None
    ) -> None:
        """chosen(): names of the only ones that are shown, in their order and without the ends of
        their ranges; None for all.
        """
        super().__init__()
        self._theme, self._studio, self._chosen = theme, studio, chosen
        self._shown: object = None
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(12, 0, 12, 12)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self.sliders: dict[str, Slider] = {}
        self._values: dict[str, QtWidgets.QLabel] = {}
        self.values: dict[str, Value] = {}
        self._drags, self._dragged = 0, ""
        self.menu: QtWidgets.QMenu | None = None
        self._here: tuple[Project, str] | None = None  # the instant that a drag goes on from
        self._turn = QtCore.QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(EVERY)
        self._turn.timeout.connect(self._drag_on)
        self.ends: dict[str, tuple[End, End]] = {}
        self._spans: dict[
            str, tuple[float, float]
        ] = {}  # ends of the sliders [SI]; those not typed stay while the value lies between them
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.preferences.units_changed.connect(self.refresh)
        self.refresh()

    def _requested(self) -> dict[str, Parameter]:
        parameters = self._studio.document.project.parameters
        if self._chosen is not None:
            return {name: parameters[name] for name in self._chosen() if name in parameters}
        # a slider writes a number; what is a formula keeps its formula
        return {name: p for name, p in parameters.items() if p.slider}

    def refresh(self) -> None:
        requested = self._requested()
        units = self._studio.preferences.units
        self._spans = {name: self._span(name, p) for name, p in requested.items()}
        shown = tuple(
            (name, p.minimum, p.maximum, shown_in(p, units), self._spans[name])
            for name, p in requested.items()
        )
        if shown != self._shown:
            self._shown = shown
            self._rebuild(requested)
        for name, p in requested.items():
            slider = self.sliders[name]
            if not slider.isSliderDown():
                low, step, _ = scale(p, units, self._spans[name])
                with QtCore.QSignalBlocker(slider):
                    # a value beyond the typed ends stands at the end, however far it is
                    place = (p.value.value / shown_in(p, units).factor - low) / step
                    slider.setValue(round(min(max(place, slider.minimum()), slider.maximum())))
                self._show_value(
                    name,
                    (
                        f"{format_number(p.value.value / shown_in(p, units).factor, 4)} "
                        f"{shown_in(p, units).symbol}"
                    ).strip(),
                )

    def _span(self, name: str, p: Parameter) -> tuple[float, float]:
        """The ends of a slider: those typed, else the ones that it has while its value lies between
        them.
        """
        low, high = ends(p)
        before = self._spans.get(name)
        if before is None or not before[0] <= p.value.value <= before[1]:
            return low, high
        return (low if p.minimum is not None else before[0]), (
            high if p.maximum is not None else before[1]
        )

    def _rebuild(self, requested: dict[str, Parameter]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                throw_away(widget)
        self.sliders, self._values, self.values, self.ends = {}, {}, {}, {}
        for k, (name, p) in enumerate(requested.items()):
            field_error = FieldError(self._theme)
            slider, value = Slider(), Value(self._theme, self._studio, name, field_error)
            slider.setRange(
                0, math.ceil(scale(p, self._studio.preferences.units, self._spans[name])[2] - 1e-9)
            )
            slider.named = name
            slider.setToolTip(
                tr(
                    "Loads and speeds act at the time cursor; lengths and masses from the start. "
                    "With Shift the drawing goes on from the time cursor"
                )
            )
            slider.valueChanged.connect(lambda at, name=name: self._moved(name, at))
            slider.sliderPressed.connect(self._begin_drag)
            slider.sliderReleased.connect(lambda name=name: self._end_drag(name))
            word = Elided(name, "two")
            # short names leave their room to the sliders
            self._theme.fit(word, most_width=56 if self._chosen is None else 76)
            word.setToolTip(p.note or name)
            for c, widget in enumerate((word, slider, value)):
                self._grid.addWidget(widget, 2 * k, c)
            self.ends[name] = pair = (
                End(self._theme, self._studio, name, "minimum", field_error),
                End(self._theme, self._studio, name, "maximum", field_error),
            )
            symbol = shown_in(p, self._studio.preferences.units)
            for end, at, typed in zip(pair, self._spans[name], (p.minimum, p.maximum)):
                end.show_end(format_number(at / symbol.factor, 4), typed is not None)
            if self._chosen is not None:
                for end in pair:
                    end.hide()
            line = row(*pair, gap=4)
            for c in (0, 1):
                line.box.setStretch(c, 1)
            self._grid.addWidget(row(line, field_error, vertical=True, gap=2), 2 * k + 1, 1)
            self.sliders[name], self._values[name] = slider, value.word
            self.values[name] = value
        for k in range(self._grid.rowCount()):
            self._grid.setRowStretch(k, 0)
        if not requested and self._chosen is None:
            self._grid.addWidget(self._invitation(), 0, 0, 1, 3)
        self._grid.setRowStretch(2 * len(requested) or 1, 1)
        self.counted.emit(len(requested))

    def _invitation(self) -> QtWidgets.QPushButton:
        """Button that stands where there is no slider yet."""
        button = QtWidgets.QPushButton(tr("New slider…"))
        button.setObjectName("value")
        button.setIcon(self._theme.icon("plus", "text2", 15))
        self._theme.fit(button, height=26)
        button.setToolTip(tr("Drag a speed, a stiffness or a length, and see what follows"))
        button.clicked.connect(lambda _=False: self.offer_sliders(button))
        return button

    def offer_sliders(self, below: QtWidgets.QWidget) -> None:
        """A menu of all numbers that can get a slider, and of a new one, below a widget."""
        studio = self._studio
        self.menu = menu = QtWidgets.QMenu(self)
        groups = itertools.groupby(slider_offers(studio.document.project), lambda o: bool(o.path))
        for _, group in groups:
            add_numbers(menu, group, partial(make_slider, studio))
            menu.addSeparator()
        new = menu.addAction(tr("New parameter"))
        new.triggered.connect(
            lambda _=False: parameters.set_slider(studio, parameters.add_parameter(studio), True)
        )
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(below.mapToGlobal(QtCore.QPoint(0, below.height())))

    def _text(self, name: str, at: int) -> str:
        p = self._requested()[name]
        low, step, _ = scale(p, self._studio.preferences.units, self._spans[name])
        # counted in steps, so that 0.1 + 0.2 stays 0.3
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        number = round(low + at * step, decimals + 2)
        return f"{number:.6g} {shown_in(p, self._studio.preferences.units).symbol}".strip()

    def _moved(self, name: str, at: int) -> None:
        if name not in self._requested():
            return  # an edit took the parameter away under the pointer
        self._show_value(name, localised(self._text(name, at)).replace("-", "−"))
        if not self.sliders[name].isSliderDown():
            self._commit(name)
        else:
            self._dragged = name
            if not self._turn.isActive():
                self._turn.start()

    def _show_value(self, name: str, text: str) -> None:
        self._values[name].setText(text)
        self.values[name].setAccessibleName(f"{name} {text}")
        self.sliders[name].say(text)

    def _begin_drag(self) -> None:
        self._drags += 1
        shift = Qt.KeyboardModifier.ShiftModifier
        goes_on = bool(QtWidgets.QApplication.keyboardModifiers() & shift)
        self._here = simulate.drawing_here(self._studio) if goes_on else None

    def _drag_on(self) -> None:
        """Act on where the slider is now; a run that has not shown anything yet goes first."""
        last = self._studio.runs.last
        if self._studio.runs.is_running and last is not None and not last.has_come_on:
            self._turn.start()
        elif self._dragged:
            name, self._dragged = self._dragged, ""
            self._commit(name, f"slider {self._drags}")

    def _end_drag(self, name: str) -> None:
        self._turn.stop()
        self._dragged = ""
        self._commit(name, f"slider {self._drags}")

    def _commit(self, name: str, part_of: str = "") -> None:
        if name not in self._requested():
            return
        text = self._text(name, self.sliders[name].value())
        label, begin = tr("{name} = {text}", name=name, text=text), None
        if part_of and self._here is not None:
            begin, instant = self._here
            label = tr("{change}, {instant}", change=label, instant=instant)
        if not parameters.set_parameter(self._studio, name, text, label, part_of, begin):
            self.refresh()
