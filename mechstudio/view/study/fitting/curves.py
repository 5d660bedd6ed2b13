"""Pictures of a fit: what was measured with the run laid over it, and the residuals below."""

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studies.fits import FittedQuantity
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.curves.dimensions import unit_of
from mechstudio.translation import tr
from mechstudio.view.study.pictures.axes import MOST_DOTS, Between, wider
from mechstudio.view.study.pictures.figure import Range, range_of
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import label, row

Qt = QtCore.Qt


class _Times(Between):
    """One quantity of the answer over the time.  place: of it among them."""

    place = 0

    @property
    def quantity(self) -> FittedQuantity | None:
        """The quantity that is shown; None before there is an answer."""
        run = self.shown.run
        if run is None or run.fit is None:
            return None
        found = run.fit.quantities
        return found[min(self.place, len(found) - 1)]

    @property
    def is_empty(self) -> bool:
        return self.quantity is None

    def _dots(self, painter: QtGui.QPainter, places: np.ndarray, size: int = 4) -> None:
        pen = QtGui.QPen(self.theme.color("text2"), self.theme.dp(size))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints([QtCore.QPointF(*p) for p in places.tolist()])

    def _scaled(
        self, found: FittedQuantity, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, Range, str]:
        """Times and values of some measured points, range of the times, and words of the unit."""
        unit = unit_of(found.dimension, self.shown.units)
        every = slice(None, None, max(1, -(-len(values) // MOST_DOTS)))
        times = range_of(np.append(0.0, found.data.times))
        return found.data.times[every], values[every] / unit.factor, wider(times, 0.02), unit.symbol


class FitCurves(_Times):
    """The measured points, and the course of the fitted run as a line."""

    def draw(self, painter: QtGui.QPainter) -> None:
        found = self.quantity
        assert found is not None, "a picture with nothing to show is not drawn"
        times, values, across, symbol = self._scaled(found, found.data.values)
        run = found.run.values / unit_of(found.dimension, self.shown.units).factor
        of = (across, wider(range_of(np.concatenate((values, run)))))
        head = f"{found.name}, {symbol}" if symbol else found.name
        self.axes(painter, *of, (tr("time, s"), head))
        self._dots(painter, self.places(times, values, of), 6)
        painter.setPen(QtGui.QPen(self.theme.color("accent"), self.theme.dp(1.6)))
        inside = found.run.times <= across.high
        line = self.places(found.run.times[inside], run[inside], of)
        painter.drawPolyline(QtGui.QPolygonF([QtCore.QPointF(*p) for p in line.tolist()]))


class Residuals(_Times):
    """The run less the data, over the time."""

    def draw(self, painter: QtGui.QPainter) -> None:
        found = self.quantity
        assert found is not None, "a picture with nothing to show is not drawn"
        times, values, across, symbol = self._scaled(found, found.residuals)
        of = (across, wider(range_of(np.append(0.0, values))))
        words = tr("run less data")
        self.axes(painter, *of, (tr("time, s"), f"{words}, {symbol}" if symbol else words))
        zero = self.places(np.array([across.low, across.high]), np.zeros(2), of)
        painter.setPen(QtGui.QPen(self.theme.color("accent"), self.theme.dp(1.4)))
        painter.drawLine(QtCore.QPointF(*zero[0].tolist()), QtCore.QPointF(*zero[1].tolist()))
        self._dots(painter, self.places(times, values, of))


class FitView(QtWidgets.QFrame):
    """Both pictures of one quantity, which is chosen in the head."""

    def __init__(self, theme: Theme, shown: StudyShown) -> None:
        super().__init__()
        self.setObjectName("studypane")
        self._shown, self._place = shown, 0
        self.curves, self.residuals = FitCurves(theme, shown), Residuals(theme, shown)
        self.quantity = Choice(
            theme,
            tr("Quantity that is shown"),
            lambda: [(str(k), name, "") for k, name in enumerate(self._names)],
            lambda: str(self._place),
            self._choose,
        )
        self.title = label("", "title")
        key = lambda mark, color, words: row(_Mark(theme, mark, color), label(words, "two"), gap=5)
        measured, fitted = key("dot", "text2", tr("measured")), key("line", "accent", tr("fitted"))
        self.keys = row(measured, fitted, gap=14)
        head = row(self.title, self.quantity, None, self.keys, margins=(12, 6, 12, 4), gap=8)
        theme.fit(head, height=38)
        self.empty = label(tr("The fitted run is laid over the measured data here."), "three")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(head)
        box.addWidget(self.empty, 1)
        box.addWidget(self.curves, 3)
        box.addWidget(self.residuals, 2)
        shown.rows_changed.connect(self.refresh)
        self.refresh()

    @property
    def _names(self) -> list[str]:
        run = self._shown.run
        return [] if run is None or run.fit is None else [q.name for q in run.fit.quantities]

    def _choose(self, key: str) -> None:
        self._place = int(key)
        self.refresh()

    def refresh(self) -> None:
        """Show the answer of now."""
        names = self._names
        self._place = min(self._place, max(len(names) - 1, 0))
        self.title.setText(tr("Measured and fitted"))
        self.quantity.setVisible(len(names) > 1)
        if names:
            self.quantity.refresh()
        self.keys.setVisible(bool(names))
        self.empty.setVisible(not names)
        for picture in (self.curves, self.residuals):
            picture.place = self._place
            picture.setVisible(bool(names))
            picture.update()


class _Mark(QtWidgets.QWidget):
    """A mark of the key: a dot or a line."""

    def __init__(self, theme: Theme, mark: str, color: str) -> None:
        super().__init__()
        self._theme, self._mark, self._color = theme, mark, color
        theme.fit(self, width=18)
        theme.follow(self.update)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, theme = QtGui.QPainter(self), self._theme
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        y = self.height() / 2
        is_dot = self._mark == "dot"
        pen = QtGui.QPen(theme.color(self._color), theme.dp(5 if is_dot else 2))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        if is_dot:
            painter.drawPoint(QtCore.QPointF(self.width() / 2, y))
        else:
            painter.drawLine(QtCore.QPointF(2, y), QtCore.QPointF(self.width() - 2, y))
        painter.end()
