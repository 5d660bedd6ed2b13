"""A joint coordinate that can be typed or dragged: the whole mechanism follows, loops closed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.readings import joint_values
from mechstudio.model import fields
from mechstudio.model.insertion import drawn_coordinate
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.units import format_value, unit

from ..i18n import tr
from .controls import Slider
from .number_field import take_key

if TYPE_CHECKING:
    from .inspector import Inspector

Qt = QtCore.Qt
STEPS = 720                   # of a slider


class CoordinateLine(QtWidgets.QWidget):
    """A field over a slider.  Where a recorded instant is shown it only reads; at the design it moves the drawing."""

    drags = 0

    def __init__(self, page: Inspector, joint: str, coordinate: int) -> None:
        super().__init__()
        self._page, self._studio, self._joint, self._k = page, page.studio, joint, coordinate
        self._range = (0.0, 1.0)              # of the slider [SI]; it stays while the slider is held
        self.dimension = JOINT_TYPES[self._element.type].coordinates[coordinate].dimension
        self.edit, self.slider = QtWidgets.QLineEdit(), Slider()
        self.edit.setAccessibleName(tr("Value of the coordinate"))
        self.edit.installEventFilter(self)
        self.edit.returnPressed.connect(self._typed)
        frame = QtWidgets.QFrame()
        frame.setObjectName("field")
        page.theme.fit(frame, "setFixedHeight", 26)
        line = QtWidgets.QHBoxLayout(frame)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self.edit)
        self.slider.setRange(0, STEPS)
        self.slider.setAccessibleName(tr("Coordinate"))
        self.slider.sliderPressed.connect(self._held)
        self.slider.valueChanged.connect(self._moved)
        self.slider.sliderReleased.connect(self.refresh)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(frame)
        box.addWidget(self.slider)
        self.setFocusProxy(self.edit)
        self.refresh()

    @property
    def _element(self):
        return fields.find(self._studio.document.project, self._joint)

    def value(self) -> float | None:
        """What is shown [SI]: at the time cursor if a run is shown, else as drawn; None where it is not known."""
        sample = self._studio.sample
        if sample is not None:
            return joint_values(self._studio.recording.layout, sample, self._element)[self._k]
        m = self._studio.document.project.mechanism
        drawn = drawn_coordinate(m, self._element, self._k)
        if drawn is not None:
            return drawn
        # angles of balls and crosses are read by the solver
        analysis, place = self._studio.analysis, list(m.joints).index(self._joint)
        known = analysis.coordinates[place] if analysis is not None and place < len(analysis.coordinates) else ()
        return known[self._k] if self._k < len(known) else None

    def bounds(self) -> tuple[float, float]:
        """From where to where the slider goes [SI]: between the stops if there are any."""
        project = self._studio.document.project
        limit = next((x for x in self._element.limits if x.coordinate == self._k), None)
        reach = math.pi if self.dimension == "angle" else 0.5 * project.mechanism.size()
        drawn = self.value() or 0.0
        # a turn has its whole circle, counted from where its drawn angle lies
        middle = 2 * math.pi * round(drawn / (2 * math.pi)) if self.dimension == "angle" else drawn
        low = limit.lower.value if limit is not None and limit.lower is not None else middle - reach
        high = limit.upper.value if limit is not None and limit.upper is not None else middle + reach
        return low, max(high, low + 1e-9)

    def refresh(self) -> None:
        value, design = self.value(), self._studio.playback.time == 0.0 and not self._studio.playback.playing
        self.edit.setReadOnly(not design)
        self.slider.setEnabled(design)
        self.slider.setVisible(value is not None)
        if not self.edit.isModified():
            self.edit.setText("–" if value is None else format_value(value, self.dimension, self._studio.units, 4))
            self.edit.setCursorPosition(0)
        if value is not None and not self.slider.isSliderDown():
            low, high = self._range = self.bounds()
            with QtCore.QSignalBlocker(self.slider):
                self.slider.setValue(round(STEPS * (min(max(value, low), high) - low) / (high - low)))

    def _held(self) -> None:
        # answers may come after the release and still belong to this drag
        CoordinateLine.drags += 1
        self._studio.movement = f"drag {CoordinateLine.drags}"

    def _typed(self) -> None:
        text, modified = self.edit.text(), self.edit.isModified()
        self.edit.setModified(False)
        if modified:
            self._studio.movement = ""
            self._studio.set_coordinate(self._joint, self._k, text)
        self.refresh()

    def _moved(self, at: int) -> None:
        if not self.slider.isSliderDown():       # a key, or a click beside the handle, is a step of its own
            self._studio.movement = ""
        low, high = self._range
        value = low + (high - low) * at / STEPS
        symbol = unit(self.dimension, self._studio.units)
        self._studio.set_coordinate(self._joint, self._k, f"{value / symbol.factor:.6g} {symbol.symbol}")

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and take_key(event, self.edit.isModified()):
            return True
        if event.type() == QtCore.QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.edit.setModified(False)
            self.refresh()
            return True
        if event.type() == QtCore.QEvent.Type.FocusOut and self.edit.isModified():
            self.edit.setModified(False)
            self.refresh()
        return super().eventFilter(watched, event)
