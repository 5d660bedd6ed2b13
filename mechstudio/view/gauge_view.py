"""Brings gauges to the viewport, and the field for the number of one that is clicked twice."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.gauges import explain
from mechstudio.application.marks.gauges import gauge_marks, shown_poses
from mechstudio.application.studio import Studio
from mechstudio.model.edits.gauges.driving import driver
from mechstudio.view.scene.viewport import Viewport
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.gauge_field import GaugeField

Qt = QtCore.Qt
WIDE = 148  # of the field [px at the normal text size]


class GaugeView(QtCore.QObject):
    """Between the gauges of a project and the viewport.  field: of the number that is being typed,
    None for none.
    """

    def __init__(self, studio: Studio, viewport: Viewport, theme: Theme) -> None:
        super().__init__(viewport)
        self._studio, self._view, self._theme = studio, viewport, theme
        self.field: GaugeField | None = None
        self._frame: QtWidgets.QFrame | None = None
        viewport.navigator.gauge_chosen.connect(self.edit)
        viewport.installEventFilter(self)

    def refresh(self) -> None:
        """Show the gauges at the poses that are shown."""
        studio = self._studio
        project, display = studio.document.project, studio.display
        if not project.gauges:
            self._view.look.set_gauges(())
            self.close()
            return
        m, poses, units = display.project.mechanism, shown_poses(display), studio.preferences.units
        self._view.look.set_gauges(gauge_marks(project, m, poses, units))
        if self.field is not None and not self.field.stands():
            self.close()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Tell by a tip why the number under the pointer is only a lower bound."""
        if not isinstance(event, QtGui.QHelpEvent) or event.type() != QtCore.QEvent.Type.ToolTip:
            return False
        id = self._view.navigator.gauge_at(event.pos().x(), event.pos().y())
        note = next((mark.note for mark in self._view.look.gauges if mark.id == id), "")
        if note:
            QtWidgets.QToolTip.showText(event.globalPos(), note, self._view)
        return bool(note)

    def edit(self, id: str) -> None:
        """Put a field where the number of a gauge stands; where it only follows, say why."""
        self.close()
        project = self._studio.document.project
        if id not in project.gauges:
            return
        if driver(project, project.gauges[id]) is None:
            explain(self._studio, id)
            return
        frame = QtWidgets.QFrame(self._view)
        frame.setObjectName("card")
        box = QtWidgets.QVBoxLayout(frame)
        box.setContentsMargins(4, 4, 4, 4)
        self.field = field = GaugeField(self._theme, self._studio, id)
        self._frame = frame
        self._theme.fit(frame, width=WIDE)
        box.addWidget(field)
        field.answered = self.close
        field.edit.editingFinished.connect(lambda: QtCore.QTimer.singleShot(0, self, self._left))
        frame.adjustSize()
        room = self._view.look.gauge_rooms.get(id)
        middle = room.center().toPoint() if room is not None else self._view.rect().center()
        place = middle - QtCore.QPoint(frame.width() // 2, self._theme.dp(17))
        edge = self._view.rect().adjusted(4, 4, -4 - frame.width(), -4 - frame.height())
        frame.move(
            min(max(place.x(), edge.left()), max(edge.left(), edge.right())),
            min(max(place.y(), edge.top()), max(edge.top(), edge.bottom())),
        )
        frame.show()
        frame.raise_()
        field.edit.setFocus()
        field.edit.selectAll()

    def _left(self) -> None:
        if self.field is not None and not self.field.edit.hasFocus():
            self.close()

    def close(self) -> None:
        """Take the field away."""
        if self._frame is not None:
            frame, self._frame, self.field = self._frame, None, None
            frame.hide()
            frame.deleteLater()
            self._view.setFocus()
