"""Controls: a slider for each parameter that asks for one.  A drag is one undo step and, where a run was shown, a new run."""

import math

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.expression import evaluate
from mechstudio.model.project import Parameter
from mechstudio.model.units import Unit, format_number, unit

from ..i18n import tr
from ..pieces import Elided, label
from ..theme import Theme
from .formula_field import SIMPLE

Qt = QtCore.Qt


def shown_in(parameter: Parameter, units: str) -> Unit:
    """The unit that the value was typed in, otherwise that of the unit system `units`."""
    found = SIMPLE.fullmatch(parameter.value.text)
    if found is None or not found[2]:
        return unit(parameter.dimension, units)
    symbol = found[2].strip()
    return Unit(symbol, evaluate(f"1 {symbol}", parameter.dimension, {}))


def scale(parameter: Parameter, units: str) -> tuple[float, float, float]:
    """Least value, step and number of steps of a slider, in the unit of display; steps are 1, 2 or 5 times a power of ten."""
    factor, value = shown_in(parameter, units).factor, parameter.value.value
    reach = max(abs(value), 1e-6)
    low = (parameter.minimum.value if parameter.minimum is not None else min(0.0, 2 * value)) / factor
    high = (parameter.maximum.value if parameter.maximum is not None else max(2 * value, reach)) / factor
    span = max(high - low, 1e-12)
    power = 10.0 ** math.floor(math.log10(span / 100))
    step = next(k * power for k in (1, 2, 5, 10) if span / (k * power) <= 200)
    return low, step, span / step


class Slider(QtWidgets.QSlider):
    """A slider that keeps the arrow keys while it has the focus."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
            event.accept()
            return True
        return super().event(event)


class Controls(QtWidgets.QWidget):
    """One line per slider: name, slider, value.  counted: how many there are."""

    counted = QtCore.Signal(int)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: object = None
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(12, 0, 12, 12)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.sliders: dict[str, QtWidgets.QSlider] = {}
        self._values: dict[str, QtWidgets.QLabel] = {}
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.preferences.units_changed.connect(self.refresh)
        self.refresh()

    def _wanted(self) -> dict[str, Parameter]:
        # a slider writes a number; what is a formula keeps its formula
        return {name: p for name, p in self._studio.document.project.parameters.items() if p.slider}

    def refresh(self) -> None:
        wanted = self._wanted()
        units = self._studio.units
        shown = tuple((name, p.minimum, p.maximum, shown_in(p, units)) for name, p in wanted.items())
        if shown != self._shown:
            self._shown = shown
            self._rebuild(wanted)
        for name, p in wanted.items():
            slider = self.sliders[name]
            if not slider.isSliderDown():
                low, step, _ = scale(p, units)
                with QtCore.QSignalBlocker(slider):
                    slider.setValue(round((p.value.value / shown_in(p, units).factor - low) / step))
                self._values[name].setText(f"{format_number(p.value.value / shown_in(p, units).factor, 4)} {shown_in(p, units).symbol}".strip())

    def _rebuild(self, wanted: dict[str, Parameter]) -> None:
        while self._grid.count():
            widget = self._grid.takeAt(0).widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.sliders, self._values = {}, {}
        for k, (name, p) in enumerate(wanted.items()):
            slider, value = Slider(), label("")
            slider.setRange(0, math.ceil(scale(p, self._studio.units)[2] - 1e-9))
            slider.setAccessibleName(name)
            slider.valueChanged.connect(lambda at, name=name: self._moved(name, at))
            slider.sliderReleased.connect(lambda name=name: self._commit(name))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._theme.fit(value, "setMinimumWidth", 66)
            word = Elided(name, "two")
            self._theme.fit(word, "setFixedWidth", 56)
            word.setToolTip(p.note or name)
            for c, widget in enumerate((word, slider, value)):
                self._grid.addWidget(widget, k, c)
            self.sliders[name], self._values[name] = slider, value
        self._grid.setRowStretch(len(wanted), 1)
        self.counted.emit(len(wanted))

    def _text(self, name: str, at: int) -> str:
        p = self._wanted()[name]
        low, step, _ = scale(p, self._studio.units)
        # counted in steps, so that 0.1 + 0.2 stays 0.3
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        number = round(low + at * step, decimals + 2)
        return f"{format_number(number)} {shown_in(p, self._studio.units).symbol}".replace("−", "-").strip()

    def _moved(self, name: str, at: int) -> None:
        self._values[name].setText(self._text(name, at).replace("-", "−"))
        if not self.sliders[name].isSliderDown():
            self._commit(name)

    def _commit(self, name: str) -> None:
        text = self._text(name, self.sliders[name].value())
        if not self._studio.set_parameter(name, text, tr("{name} = {text}", name=name, text=text)):
            self.refresh()
