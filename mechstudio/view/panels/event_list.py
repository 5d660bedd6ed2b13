"""What joints did at their stops in a run, in the order of time; a click goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.units import format_value

from ..i18n import tr
from ..pieces import label

if TYPE_CHECKING:
    from .inspector import Inspector

SHOWN = 60                    # lines; a chatter may strike thousands of times
_RATES = {"angle": "angular_velocity", "length": "velocity"}


class EventList(QtWidgets.QWidget):
    """The events of the shown run, of one joint or of all; made again when they, or names and units in them, are others."""

    def __init__(self, page: Inspector, joint: str = "") -> None:
        super().__init__()
        self._studio, self._joint = page.studio, joint
        self._now: tuple | None = None
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(14, 0, 0, 4)
        self._box.setSpacing(0)
        self._theme = page.theme
        self.refresh()

    def events(self) -> list:
        recording = self._studio.recording
        return [] if recording is None else [e for e in recording.events if self._joint in ("", e.joint)]

    def refresh(self) -> None:
        events = self.events()
        now = (self._studio.recording is not None, len(events), tuple(events[:SHOWN]), self._studio.units, self._studio.document.project.mechanism.joints)
        if now == self._now:
            return
        self._now = now
        while self._box.count():
            widget = self._box.takeAt(0).widget()
            widget.setParent(None)
            widget.deleteLater()
        if not events:
            self._box.addWidget(label(tr("No stop was struck") if self._studio.recording is not None else tr("Run first"), "three"))
        for event in events[:SHOWN]:
            button = QtWidgets.QPushButton(self._words(event))
            button.setObjectName("line")
            button.setToolTip(tr("Go to {time}", time=format_value(event.time, "time", self._studio.units, 6)))
            button.clicked.connect(lambda _=False, time=event.time: self._studio.playback.seek(time))
            self._box.addWidget(button)
        if len(events) > SHOWN:
            self._box.addWidget(label(tr("and {count} more", count=len(events) - SHOWN), "three"))

    def _words(self, event) -> str:
        joint = self._studio.document.project.mechanism.joints.get(event.joint)
        if joint is None:
            return "–"
        coordinate = JOINT_TYPES[joint.type].coordinates[event.coordinate]
        units, at = self._studio.units, format_value(event.time, "time", self._studio.units, 4)
        who = "" if self._joint else f"{joint.name} "
        stop = tr("upper stop") if event.upper else tr("lower stop")
        return f"{at}  {who}{stop}, {format_value(event.speed, _RATES[coordinate.dimension], units, 3)}"
