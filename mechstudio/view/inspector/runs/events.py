"""Impacts of a run in order of time, joints on their stops and bodies on each other.  A click moves
the time cursor there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model.contact import touched_name
from mechstudio.model.results.events import ImpactEvent
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.widgets.widgets import label, throw_away

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

SHOWN = 60  # lines; a chatter may strike thousands of times
_RATES = {"angle": "angular_velocity", "length": "velocity"}


class EventList(QtWidgets.QWidget):
    """The events of the shown run, of one joint or of all; made again when they, or names and units
    in them, are others.
    """

    def __init__(self, page: Inspector, joint: str = "") -> None:
        super().__init__()
        self._studio, self._joint = page.studio, joint
        self._now: tuple | None = None
        self.box = QtWidgets.QVBoxLayout(self)
        self.box.setContentsMargins(14, 0, 0, 4)
        self.box.setSpacing(0)
        self._theme = page.theme
        self.refresh()

    def events(self) -> list:
        recording = self._studio.runs.recording
        return (
            []
            if recording is None
            else [
                e
                for e in recording.events
                if not self._joint or getattr(e, "joint", None) == self._joint
            ]
        )

    def refresh(self) -> None:
        events = self.events()
        now = (
            self._studio.runs.recording is not None,
            len(events),
            tuple(events[:SHOWN]),
            self._studio.preferences.units,
            self._studio.document.project.mechanism.joints,
            self._studio.document.project.mechanism.bodies,
        )
        if now == self._now:
            return
        self._now = now
        while self.box.count():
            item = self.box.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                throw_away(widget)
        if not events:
            self.box.addWidget(
                label(
                    tr("Run first")
                    if self._studio.runs.recording is None
                    else tr("No stop was struck")
                    if self._joint
                    else tr("Nothing was struck"),
                    "three",
                )
            )
        for event in events[:SHOWN]:
            button = QtWidgets.QPushButton(self._words(event))
            button.setObjectName("line")
            button.setToolTip(self._tip(event))
            button.clicked.connect(
                lambda _=False, time=event.time: self._studio.runs.playback.seek(time)
            )
            self.box.addWidget(button)
        if len(events) > SHOWN:
            self.box.addWidget(label(tr("and {count} more", count=len(events) - SHOWN), "three"))

    def _tip(self, event) -> str:
        units = self._studio.preferences.units
        there = tr("Go to {time}", time=format_value(event.time, "time", units, 6))
        if not isinstance(event, ImpactEvent):
            return there
        number = lambda value, dimension: format_value(value, dimension, units, 3)
        what = tr(
            "apart at {after}, impulse {impulse}, {loss} lost",
            after=number(event.after, "velocity"),
            impulse=number(event.impulse, "momentum"),
            loss=number(event.loss, "energy"),
        )
        return f"{there}: {what}"

    def _words(self, event) -> str:
        if isinstance(event, ImpactEvent):
            m, units = self._studio.document.project.mechanism, self._studio.preferences.units
            return (
                f"{format_value(event.time, 'time', units, 4)}  "
                f"{touched_name(m, event.body_a)} – {touched_name(m, event.body_b)}, "
                f"{format_value(event.before, 'velocity', units, 3)}"
            )
        joint = self._studio.document.project.mechanism.joints.get(event.joint)
        if joint is None:
            return "–"
        coordinate = JOINT_TYPES[joint.type].coordinates[event.coordinate]
        units, at = (
            self._studio.preferences.units,
            format_value(event.time, "time", self._studio.preferences.units, 4),
        )
        who = "" if self._joint else f"{joint.name} "
        stop = tr("upper stop") if event.upper else tr("lower stop")
        return (
            f"{at}  {who}{stop}, "
            f"{format_value(event.speed, _RATES[coordinate.dimension], units, 3)}"
        )
