"""What of the equations is shown: themselves, the three derivations one at a time or side by side, or another chapter; and in which coordinates."""

from PySide6 import QtCore, QtWidgets

from mechstudio.model.lectures import CHAPTER_TITLES, CONSTRAINTS, EQUILIBRIA, KINEMATICS, LAGRANGE, METHODS, NEWTON_EULER, PARTITION, PROJECTED, RECURSIVE, TORSORS

from ..i18n import tr
from ..pieces import Segment
from ..theme import Theme

SIDE = "derivations"        # the three methods, and all of them at once
WIDE = 780                  # px from which three columns can be read
ONE_ROW = 640               # px from which everything stands in one row
SHORT = {NEWTON_EULER: "Newton-Euler", PROJECTED: "Projected", LAGRANGE: "Lagrange"}
CHAPTERS = (CONSTRAINTS, PARTITION, KINEMATICS, TORSORS, EQUILIBRIA, RECURSIVE)
COORDINATES = (("auto", "Coordinates that suit"), ("joint", "Relative angles, of joints"), ("link", "Absolute angles, of links"))


class ViewBar(QtWidgets.QWidget):
    """changed(): another view or method.   coordinates_chosen(key).

    lecture: "" for the equations themselves, SIDE, or the key of a chapter.   method: one of METHODS, or SIDE for all.
    """

    changed = QtCore.Signal()
    coordinates_chosen = QtCore.Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lecture, self.method = "", LAGRANGE
        self._wanted = SIDE         # by the user; shown as far as the width allows
        self.view = QtWidgets.QComboBox()
        self.view.addItem(tr("Equations"), "")
        self.view.addItem(tr("Three derivations"), SIDE)
        for key in CHAPTERS:
            self.view.addItem(tr(CHAPTER_TITLES[key]), key)
        self.view.setToolTip(tr("What is shown: the equations, how they are derived, or what follows from them"))
        self.view.activated.connect(lambda _: self.show_view(self.view.currentData()))
        self.methods = Segment(theme, (*((key, tr(SHORT[key])) for key in METHODS), (SIDE, tr("Side by side"))), "tight", 26)
        self.methods.chosen.connect(self.show_method)
        self.methods.hide()
        self.coordinates = QtWidgets.QComboBox()
        for key, words in COORDINATES:
            self.coordinates.addItem(tr(words), key)
        self.coordinates.setToolTip(tr("Which coordinates the equations are written in"))
        self.coordinates.activated.connect(lambda _: self.coordinates_chosen.emit(self.coordinates.currentData()))
        for combo in (self.view, self.coordinates):
            combo.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(9)
        self._first, self._second = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for box in (self._first, self._second):
            box.setSpacing(8)
        self._first.addWidget(self.view)
        self._first.addStretch(1)
        self._second.addWidget(self.methods)
        self._second.addWidget(self.coordinates)
        self._second.addStretch(1)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 2, 12, 6)
        box.setSpacing(6)
        box.addLayout(self._first)
        box.addLayout(self._second)
        self._width = 0.0
        self.coordinates.hide()

    def put(self, widget: QtWidgets.QWidget) -> None:
        """A widget at the end of the first row."""
        self._first.addWidget(widget)

    def show_view(self, lecture: str) -> None:
        """Show the equations (""), the derivations or a chapter."""
        self.lecture = lecture
        self.view.setCurrentIndex(self.view.findData(lecture))
        self._fit()
        self.changed.emit()

    def show_method(self, method: str) -> None:
        """Show one derivation, or all of them where there is room."""
        self._wanted = method
        self._fit()
        self.changed.emit()

    def show_width(self, width: float) -> None:
        """How wide the panel is [px at the normal text size]."""
        self._width = width
        before = self.method
        self._fit()
        if self.lecture == SIDE and self.method != before:
            self.changed.emit()

    def _fit(self) -> None:
        room = self._width >= WIDE
        side = self.methods.button(SIDE)
        side.setEnabled(room)
        side.setToolTip("" if room else tr("Three columns need a wider panel: drag its edge, or tear it off"))
        self.method = self._wanted if self._wanted != SIDE or room else LAGRANGE
        self.methods.choose(self.method)
        self.methods.setVisible(self.lecture == SIDE)
        self.coordinates.setVisible(bool(self.lecture))
