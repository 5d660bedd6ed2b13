"""A joint coordinate that can be typed or dragged: the whole mechanism follows, loops closed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.runs.element_readings import joint_values
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.insertion import drawn_coordinate
from mechstudio.model.formulas import expression
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import unit
from mechstudio.translation import tr
from mechstudio.view.widgets.fields.formula_field import FormulaField
from mechstudio.view.widgets.slider import Slider
from mechstudio.view.widgets.widgets import column

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

STEPS = 720  # of a slider
SHAKE_MS, SHAKES, SHAKE = (
    260,
    3,
    4.0,
)  # how long a slider shakes at a dead point, how often, and how far [px at the normal text size]


class CoordinateField(FormulaField):
    """The number of a CoordinateLine."""

    digits = 4

    def __init__(self, line: CoordinateLine, page: Inspector) -> None:
        super().__init__(page.theme, page.studio, tr("Value of the coordinate"), line.dimension)
        self._line = line

    def quantity(self) -> Quantity | None:
        value = self._line.value()
        return None if value is None else Quantity(value)

    def stands(self) -> bool:
        return self._line.stands()

    def tried(self, project: Project) -> Quantity | None:
        if not self.typed.strip():
            raise expression.ExpressionError(tr("The coordinate needs a number."))
        return expression.quantity(
            self.typed, self.dimension, elements.parameter_values(project), self._symbol()
        )

    def put(self, project: Project, label: str) -> None:
        if project is not self._studio.document.project:
            self._studio.document.commit(label, project)
        self._line.typed(self.typed)


class CoordinateLine(QtWidgets.QWidget):
    """A field over a slider.  Where a recorded instant is shown it only reads; at the design it
    moves the drawing.
    """

    drags = 0

    def __init__(self, page: Inspector, coordinate: int) -> None:
        super().__init__()
        self._page, self._studio, self._leaf, self._k = page, page.studio, page.leaf, coordinate
        self._range = (0.0, 1.0)  # of the slider [SI]; it stays while the slider is held
        self._stopped: tuple[float, float] | None = (
            None  # where the held slider came to an end [SI], and to which side of it nothing goes
        )
        self.dimension = JOINT_TYPES[self._element.type].coordinates[coordinate].dimension
        self.number, self.slider = CoordinateField(self, page), Slider()
        self.edit = self.number.edit
        self.slider.setRange(0, STEPS)
        self.slider.setAccessibleName(tr("Coordinate"))
        self.slider.sliderPressed.connect(self._held)
        self.slider.valueChanged.connect(self._moved)
        self.slider.sliderReleased.connect(self._released)
        self._shake = QtCore.QVariantAnimation(
            self, startValue=0.0, endValue=1.0, duration=SHAKE_MS
        )
        self._shake.valueChanged.connect(self._shaken)
        self._home = QtCore.QPoint()
        box = column(self)
        box.addWidget(self.number)
        box.addWidget(self.slider)
        self.setFocusProxy(self.number)
        self.refresh()

    @property
    def _joint(self) -> str:
        return self._leaf.id

    @property
    def _element(self):
        return fields.find(self._studio.document.project, self._joint)

    def stands(self) -> bool:
        """True if the joint still exists and has this coordinate."""
        joint = self._studio.document.project.mechanism.joints.get(self._joint)
        coordinates = JOINT_TYPES[joint.type].coordinates if joint is not None else ()
        return self._k < len(coordinates) and coordinates[self._k].dimension == self.dimension

    def value(self) -> float | None:
        """Displayed value of the coordinate [SI]: at the time cursor if a run is shown, else as
        drawn; None where it is not known.
        """
        sample, recording = self._studio.runs.sample, self._studio.runs.recording
        if sample is not None and recording is not None:
            return joint_values(recording.layout, sample, self._element)[self._k]
        m = self._studio.display.project.mechanism
        drawn = drawn_coordinate(m, self._element, self._k)
        if drawn is not None:
            return drawn
        # angles of balls and crosses are read by the solver
        analysis, place = self._studio.questions.analysis, list(m.joints).index(self._joint)
        known = (
            analysis.coordinates[place]
            if analysis is not None and place < len(analysis.coordinates)
            else ()
        )
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
        high = (
            limit.upper.value if limit is not None and limit.upper is not None else middle + reach
        )
        return low, max(high, low + 1e-9)

    def refresh(self) -> None:
        if not self.stands():
            return
        value, design = (
            self.value(),
            self._studio.runs.playback.at_design and not self._studio.runs.playback.playing,
        )
        self.edit.setReadOnly(not design)
        self.slider.setEnabled(design)
        self.slider.setVisible(value is not None)
        self.number.refresh()
        if value is not None and not self.slider.isSliderDown():
            self._range = self.bounds()
            self._put(value)

    def _put(self, value: float) -> None:
        """Let the slider stand at a value [SI]."""
        low, high = self._range
        with QtCore.QSignalBlocker(self.slider):
            self.slider.setValue(round(STEPS * (min(max(value, low), high) - low) / (high - low)))

    def _held(self) -> None:
        # answers may come after the release and still belong to this drag
        CoordinateLine.drags += 1
        self._studio.questions.joint_setting.movement = f"drag {CoordinateLine.drags}"

    def arrive(self) -> None:
        """Another joint's page: what the hand held of the one before, it holds no more."""
        self.number.suspend()
        self._shake.stop()
        self.slider.setSliderDown(False)
        self._stopped = None

    def _released(self) -> None:
        self._stopped = None
        self.refresh()

    def stop(self, joint: str, coordinate: int, requested: float, reached: float) -> None:
        """A coordinate came only so far: its slider stops there, shakes, and goes on the other
        way.
        """
        if (joint, coordinate) != (self._joint, self._k):
            return
        if self.slider.isSliderDown():
            self._stopped = reached, math.copysign(1.0, requested - reached)
            self._put(reached)
        if (
            not self._studio.preferences.still
            and self._shake.state() != QtCore.QAbstractAnimation.State.Running
        ):
            self._home = self.slider.pos()
            self._shake.start()

    def _shaken(self, part: float) -> None:
        away = self._page.theme.dp(SHAKE) * math.sin(2 * math.pi * SHAKES * part) * (1.0 - part)
        self.slider.move(self._home + QtCore.QPoint(round(away), 0))

    def typed(self, text: str) -> None:
        """A number was typed: a step of its own."""
        self._studio.questions.joint_setting.movement = ""
        self._studio.questions.joint_setting.set(self._joint, self._k, text)

    def _moved(self, at: int) -> None:
        if (
            not self.slider.isSliderDown()
        ):  # a key, or a click beside the handle, is a step of its own
            self._studio.questions.joint_setting.movement = ""
        low, high = self._range
        value = low + (high - low) * at / STEPS
        if self._stopped is not None:
            reached, side = self._stopped
            if side * (value - reached) >= 0.0:
                self._put(reached)  # no pose reaches that value: no request
                return
            self._stopped = None
        symbol = unit(self.dimension, self._studio.preferences.units)
        self._studio.questions.joint_setting.set(
            self._joint, self._k, f"{value / symbol.factor:.6g} {symbol.symbol}"
        )
