"""The status line: the conscience of the window.  Always true, a dash while unknown."""

import html
import time
from typing import ClassVar

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.guidance import hint
from mechstudio.application.studio import Studio
from mechstudio.model.contact import MOST_OVERLAP, overlap_words
from mechstudio.model.results.analysis import Structure
from mechstudio.model.results.sample import (
    BALANCE,
    KINETIC,
    POSITION_ERROR,
    POTENTIAL,
    REST,
    SampleLayout,
)
from mechstudio.model.units import unit, without_prefixes
from mechstudio.translation import comma, localised, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Bar, Elided, Picture, label, set_property

Qt = QtCore.Qt
# (fine below, doubtful below): constraint error as a share of the mechanism's size, energy error as
# a share of the largest energy
CONSTRAINT_LIMITS = (1e-8, 1e-5)
ENERGY_LIMITS = (1e-3, 1e-2)
# least width of the hint [px at the normal text size]
HINT_WIDTH = 260
# of a tip: its width and what its frame takes [px at the normal text size], and how far below a
# point Qt shows it [px]
TIP_WIDTH, TIP_FRAME, TIP_BELOW = 280, 46, 16
# how long the pointer rests on a pill before something is shown [ms]: passing over it shows nothing
REST_MS = 250


def grade(share: float, limits: tuple[float, float]) -> str:
    """ "ok", "warn" or "error"."""
    return "ok" if share <= limits[0] else "warn" if share <= limits[1] else "error"


def errors(layout: SampleLayout, peaks: np.ndarray) -> tuple[float, float | None]:
    """Largest |C| [m] and largest energy imbalance as a share of the energy named by
    `compared_with` (None if that is nothing).  peaks (layout.width,): the largest absolute values
    of a run.
    """
    columns = [
        *layout.energies,
        *(() if moves(layout, peaks) else (layout.energy.start + POTENTIAL,)),
    ]
    largest, balance = float(peaks[columns].max()), float(peaks[layout.energy.start + BALANCE])
    worst = float(peaks[layout.constraint.start + POSITION_ERROR])
    return worst, balance / largest if largest > 0.0 else None


def moves(layout: SampleLayout, peaks: np.ndarray) -> bool:
    """True if the kinetic energy exceeds what rounding leaves of the potential energy."""
    first = layout.energy.start
    return bool(peaks[first + KINETIC] > REST * peaks[first + POTENTIAL])


def compared_with(layout: SampleLayout, peaks: np.ndarray) -> str:
    """The energy of which the imbalance is reported as a share, in words that complete "as a share
    of".
    """
    energy = (
        tr("the largest kinetic energy")
        if moves(layout, peaks)
        else tr("the largest potential energy")
    )
    return tr("{energy} or work", energy=energy) if layout.touching else energy


def mobility_words(s: Structure) -> str:
    """ "Mobility 1 (driven 1)", "Mobility 3 of 5" where rolling leaves freedoms of position,
    "Mobility 1 (drawn 2)" in a singular pose.
    """
    text = (
        tr("Mobility {count} of {all}", count=s.mobility, all=s.configuration_freedom)
        if s.rolls
        else tr("Mobility {count}", count=s.mobility)
    )
    notes = [tr("drawn {count}", count=s.mobility_drawn)] if s.mobility_drawn != s.mobility else []
    if s.drives:
        notes.append(
            tr("driven {count}", count=s.driven)
            if s.driven == s.drives
            else tr("driven {count} by {drives}", count=s.driven, drives=s.drives)
        )
    return f"{text} ({comma().join(notes)})" if notes else text


class Pill(QtWidgets.QFrame):
    """A small rounded statement with an optional mark.  entered, left: the pointer rests on it, and
    does no more.  clicked: it is pressed, of one that opens something.
    """

    entered, left, clicked = QtCore.Signal(), QtCore.Signal(), QtCore.Signal()

    def __init__(self, theme: Theme, tip: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("pill")
        theme.fit(self, height=20)
        self.setToolTip(tip)
        self._mark, self._text = Picture(theme, "ok", "ok", 13, 2.2), label("")
        self._mark.hide()
        self._rest = QtCore.QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.entered)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(9, 0, 9, 0)
        box.setSpacing(5)
        box.addWidget(self._mark)
        box.addWidget(self._text)

    def text(self) -> str:
        return self._text.text()

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ToolTip:
            self._show_tip()
            return True
        return super().event(event)

    def _show_tip(self) -> None:
        """The tip above the line, whose other pills stay in sight."""
        tip, wide = self.toolTip(), self._theme.dp(TIP_WIDTH)
        metrics = QtGui.QFontMetrics(QtWidgets.QToolTip.font())
        high = metrics.boundingRect(
            0, 0, wide, 1000, Qt.TextFlag.TextWordWrap, tip
        ).height() + self._theme.dp(TIP_FRAME)
        QtWidgets.QToolTip.showText(
            self.mapToGlobal(QtCore.QPoint(0, -high - TIP_BELOW)),
            f'<table width="{wide}"><tr><td>{html.escape(tip)}</td></tr></table>',
            self,
        )

    def make_button(self, name: str) -> None:
        """Let a click or Enter open something."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.clicked.emit()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        self._rest.start()

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._rest.stop()
        self.left.emit()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self.left.emit()
        super().focusOutEvent(event)

    def show_text(self, text: str, kind: str = "", mark: str = "") -> None:
        """kind: "" (neutral), "ok", "warn" or "error"; a mark stands beside every colour, that of
        the kind where none is named.
        """
        mark = mark or kind
        self._text.setText(text)
        self.setAccessibleDescription(text)
        if set_property(self, "kind", kind):
            for child in (self._mark, self._text):
                child.style().unpolish(child)
                child.style().polish(child)
        if mark:
            self._mark.show_icon(mark, kind or "text2")
        self._mark.setVisible(bool(mark))


class StatusLine(QtWidgets.QFrame):
    """Pills at the left, what to do next in the middle, whether it is saved at the right."""

    MARKS: ClassVar = {"ok": "ok", "warn": "warn", "error": "error"}

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self.setObjectName("status")
        theme.fit(self, height=30)
        self._theme, self._studio = theme, studio
        self.mobility = Pill(
            theme,
            tr(
                "Freedoms of the mechanism, from the rank of its closure equations at a generic "
                "pose, drives released. Rest here to see each of them move"
            ),
        )
        self.mobility.make_button(tr("Mobility"))
        for signal in (self.mobility.entered, self.mobility.clicked):
            signal.connect(lambda: studio.free_motion.show_freedoms(studio.questions.analysis))
        self.mobility.left.connect(studio.free_motion.stop)
        self.hyperstatic = Pill(
            theme,
            tr(
                "Redundant constraints. They are no error: the motion is exact, some reactions "
                "are not unique"
            ),
        )
        self.loops = Pill(theme, tr("Independent closed loops"))
        self.constraint = Pill(
            theme, tr("Largest constraint error of the run, angles times the mechanism's size")
        )
        self.energy = Pill(theme, tr("Largest energy imbalance of the run"))
        self.constraint.make_button(tr("Constraint error of joints"))
        self.energy.make_button(tr("Energy account"))
        self.hint = Elided("", "three", Qt.AlignmentFlag.AlignHCenter)
        self.progress = Bar(theme)
        theme.fit(self.progress, width=96, height=4)
        self.progress.hide()
        self.preparing = label("", "three")
        self.preparing.setContentsMargins(0, 0, 10, 0)
        self.preparing.hide()
        self.saved = label("", "three")
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 16, 0)
        box.setSpacing(6)
        for widget in (self.mobility, self.hyperstatic, self.loops, self.constraint, self.energy):
            box.addWidget(widget)
        box.addSpacing(12)
        # the middle stands together, whether with or without a bar
        box.addStretch(1)
        box.addWidget(self.progress)
        box.addWidget(self.preparing)
        box.addWidget(self.hint)
        box.addStretch(1)
        box.addSpacing(12)
        box.addWidget(self.saved)
        self._old = QtCore.QTimer(self, interval=15_000)
        self._old.timeout.connect(self._show_saved)
        self._old.start()
        studio.questions.analysed.connect(self._show_structure)
        studio.runs.recorded.connect(self._show_errors)
        studio.questions.solver_changed.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.document.state_changed.connect(self._show_saved)
        studio.selection.changed.connect(self._show_hint)
        studio.runs.playback.changed.connect(self._show_hint)
        studio.tools.used.connect(self._show_hint)
        studio.tools.changed.connect(self._show_hint)
        studio.free_body.changed.connect(self._show_hint)
        studio.files.opened.connect(self.refresh)
        studio.preferences.units_changed.connect(self._show_errors)
        theme.changed.connect(self.refresh)
        theme.resized.connect(self._make_room)
        self.refresh()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Hide what other panels say as well where the hint lacks room: loops, saved state,
        conserved energy, preparation.
        """
        pills = (self.mobility, self.hyperstatic, self.loops, self.constraint, self.energy)
        widths = {w: w.sizeHint().width() for w in (*pills, self.saved, self.preparing)}
        free = (
            self.width()
            - 28
            - 24
            - 6 * 10
            - sum(widths.values())
            - (0 if self.progress.isHidden() else self.progress.width())
        )
        energy_may_go = self.energy.property("kind") in ("", "ok", None)
        for widget, may_go in (
            (self.loops, True),
            (self.saved, True),
            (self.energy, energy_may_go),
            (self.preparing, True),
        ):
            gone = may_go and free < self._theme.dp(HINT_WIDTH)
            widget.setVisible(
                not gone and (widget is not self.preparing or bool(self.preparing.text()))
            )
            free += widths[widget] if gone else 0

    def refresh(self) -> None:
        self._show_structure()
        self._show_errors()
        self._show_hint()
        self._show_saved()
        self._make_room()

    def _show_structure(self) -> None:
        analysis = self._studio.questions.analysis
        s = None if analysis is None else analysis.structure
        if s is None:
            for pill, word in (
                (self.mobility, tr("Mobility")),
                (self.hyperstatic, tr("Hyperstatic")),
                (self.loops, tr("Loops")),
            ):
                pill.show_text(f"{word} –")
            return
        self.mobility.show_text(
            mobility_words(s),
            "warn" if s.drives > s.driven else "",
            "warn" if s.drives > s.driven else "",
        )
        # neutral on purpose: amber is for what needs an action
        self.hyperstatic.show_text(
            tr("Hyperstatic {count}", count=s.hyperstaticity),
            mark="info" if s.hyperstaticity else "",
        )
        self.loops.show_text(tr("Loops {count}", count=s.loops))

    def _show_errors(self) -> None:
        recording = self._studio.runs.recording
        if recording is None or not recording.count:
            self.constraint.show_text("|C| –")
            self.energy.show_text(tr("Energy") + " –")
            return
        layout, peaks = recording.layout, recording.peaks
        worst, share = errors(layout, peaks)
        kind = grade(worst / self._studio.document.project.mechanism.size(), CONSTRAINT_LIMITS)
        length = unit("length", without_prefixes(self._studio.preferences.units))
        text = "|C| " + (
            localised(f"{worst / length.factor:.0e} {length.symbol}") if worst else "0"
        ).replace("e-0", "e-").replace("-", "−")
        if (overlap := recording.overlap_share) > MOST_OVERLAP:
            kind, text = (
                "error",
                tr(
                    "{text} · overlap {share} %", text=text, share=localised(f"{100 * overlap:.2g}")
                ),
            )
        self.constraint.setToolTip(
            overlap_words(overlap)
            or tr(
                "Largest constraint error of the run, angles times the mechanism's size. A click "
                "lists all joints"
            )
        )
        self.constraint.show_text(text, kind, self.MARKS[kind])
        if share is None:
            self.energy.show_text(tr("Energy") + " –")
        else:
            tip = tr(
                "Largest energy imbalance of the run, as a share of {energy}",
                energy=compared_with(layout, peaks),
            )
            if recording.layout.touching:
                tip += tr(
                    ": what steps of a fixed length leave. A shorter step with contacts lessens it"
                )
            self.energy.setToolTip(tip)
            kind = grade(share, ENERGY_LIMITS)
            shown = (
                "0"
                if share == 0
                else localised(f"{100 * share:.0f}")
                if share >= 0.1
                else localised(f"{100 * share:.1g}")
                if share >= 1e-6
                else localised("< 0.0001")
            )
            self.energy.show_text(tr("Energy {share} %", share=shown), kind, self.MARKS[kind])

    def _show_hint(self) -> None:
        """Show what the solver is doing, else what the next click does."""
        session, studio = self._studio.questions.session, self._studio
        status = None if session is None else session.status
        preparing = status is not None and status.phase == "preparing"
        if status is not None and status.sentence and not preparing and status.phase != "ready":
            text = status.sentence
        else:
            text = hint(studio)
        self.hint.set_text(text)
        # what to do next stays readable while the solver is being prepared: that is when a newcomer
        # draws
        reported = status.sentence if status is not None and preparing else ""
        if reported != self.preparing.text():
            self.preparing.setText(reported)
            self.progress.setToolTip(reported)
            under_way = status is not None and 0 < status.progress < 1
            self.progress.setVisible(bool(reported) and under_way)
            self._make_room()
        if status is not None and preparing:
            self.progress.set_value(round(100 * status.progress))

    def _show_saved(self) -> None:
        document = self._studio.document
        if document.is_modified:
            self.saved.setText(tr("Not saved"))
        elif document.path is None:
            self.saved.setText(tr("No file yet"))
        elif document.saved_at is None:
            self.saved.setText(tr("As in the file"))
        else:
            minutes = int((time.monotonic() - document.saved_at) / 60)
            self.saved.setText(
                tr("Saved") if minutes < 1 else tr("Saved {minutes} min ago", minutes=minutes)
            )
