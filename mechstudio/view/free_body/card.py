"""The card over the scene beside a body that is cut free: the polygon of its forces, whether it
closes, every action with its number, and the scale of the arrows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6 import QtCore, QtWidgets

from mechstudio.application.free_body import GOOD, Cut
from mechstudio.application.studio import Studio
from mechstudio.model.free_bodies import REACTION
from mechstudio.model.project import Camera
from mechstudio.model.units import format_number, unit
from mechstudio.translation import comma, tr
from mechstudio.view.free_body.loads import ActionList
from mechstudio.view.free_body.polygon import Polygon
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    Picture,
    dot,
    label,
    row,
    set_property,
    wrapped,
)

Qt = QtCore.Qt
WIDTH = 222
STEP = 1.25  # of the arrows' length, per press
LEAST_POLYGON = 148  # px


class Verdict(QtWidgets.QFrame):
    """One sum: its name, its residual, whether that is rounding."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__()
        self.setObjectName("verdict")
        self.mark, self.name, self.number = (
            Picture(theme, "ok", "ok", 14, 2),
            label(words, "small"),
            label("–", "small"),
        )
        self.holds: bool | None = None
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(4, 1, 4, 1)
        box.setSpacing(6)
        box.addWidget(self.mark)
        box.addWidget(self.name, 1)
        box.addWidget(self.number)

    def show_sum(self, gap: float, holds: bool, symbol: str) -> None:
        """gap: in the unit of `symbol`."""
        text = f"{format_number(gap, 2 if holds else 4)} {symbol}"
        if text != self.number.text():
            self.number.setText(text)
        if holds != self.holds:
            self.holds = holds
            self.mark.show_icon("ok" if holds else "warn", "ok" if holds else "error")
            set_property(self, "kind", "" if holds else "error")
            for each in (self.name, self.number):
                each.setObjectName("small" if holds else "wrong")
                each.style().unpolish(each)
                each.style().polish(each)


class FreeBodyCard(QtWidgets.QFrame):
    """sized(): it needs other room.  hovered(slot), clicked(slot): an action in the polygon or the
    list.
    """

    sized = QtCore.Signal()
    hovered = QtCore.Signal(object)
    clicked = QtCore.Signal(object)

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        show_equations: Callable[[], object],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio = theme, studio
        self._dot, self.title = label(), Elided("", "title")
        self.equations = IconButton(
            theme,
            "equation",
            tr("The equations of this body"),
            24,
            15,
            clicked=show_equations,
        )
        self.close_button = IconButton(
            theme, "close", tr("Put the body back (Esc)"), 24, 14, clicked=studio.free_body.leave
        )
        head = row(
            self._dot, self.title, self.equations, self.close_button, gap=5, margins=(10, 3, 4, 0)
        )
        head.box.setStretch(1, 1)
        self.polygon, self.list = Polygon(theme), ActionList(theme)
        self.forces, self.moments = Verdict(theme, "ΣF − m a"), Verdict(theme, "ΣM − δ")
        self.forces.setToolTip(
            tr(
                "Sum of all forces less mass times acceleration of the centre of mass; zero but "
                "for rounding"
            )
        )
        self.moments.setToolTip(
            tr(
                "Sum of all moments about the centre of mass less Θ α + ω × Θ ω; zero but for "
                "rounding"
            )
        )
        self.note = wrapped("", "three")
        self.scale = QtWidgets.QPushButton()
        self.scale.setObjectName("value")
        self.scale.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self.scale, height=24)
        self.scale.setToolTip(tr("Length of the arrows; press for the automatic one"))
        self.scale.clicked.connect(lambda _=False: studio.free_body.set_scale(1.0))
        self.shorter = IconButton(
            theme,
            "minus",
            tr("Shorter arrows"),
            24,
            14,
            clicked=lambda: studio.free_body.set_scale(studio.free_body.scale / STEP),
        )
        self.longer = IconButton(
            theme,
            "plus",
            tr("Longer arrows"),
            24,
            14,
            clicked=lambda: studio.free_body.set_scale(studio.free_body.scale * STEP),
        )
        self.foot = row(
            label(tr("Arrows"), "two"), None, self.shorter, self.scale, self.longer, gap=2
        )
        self.sums = row(self.forces, self.moments, vertical=True, gap=2)
        self._body = row(
            self.sums, self.list, self.note, self.foot, vertical=True, gap=6, margins=(6, 0, 6, 6)
        )
        self._box = box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        for widget, stretch in ((head, 0), (self.polygon, 1), (self._body, 0)):
            box.addWidget(widget, stretch)
        for source in (self.polygon, self.list):
            source.hovered.connect(self.hovered)
            source.clicked.connect(self.clicked)
        self._said: tuple = ()
        self.hide()

    def show_cut(self, cut: Cut | None, camera: Camera, lit: Any) -> None:
        """Show the chosen body at the time cursor; cut: None while nothing is known."""
        studio, view = self._studio, self._studio.free_body
        project, units = studio.document.project, studio.preferences.units
        m = project.mechanism
        self.polygon.show_cut(cut, m, camera, units, lit)
        before = self.list.requested
        self.list.show_cut(cut, m, units, lit)
        known = cut is not None
        if cut is not None:
            force, torque = unit("force", units), unit("torque", units)
            for verdict, gap, largest, in_ in (
                (self.forces, cut.force_gap, cut.largest_force, force),
                (self.moments, cut.moment_gap, cut.largest_moment, torque),
            ):
                size = float(np.linalg.norm(gap))
                verdict.show_sum(size / in_.factor, size <= GOOD * largest, in_.symbol)
        self.scale.setText(f"× {format_number(view.scale, 3)}")
        said = (
            view.body,
            m.bodies[view.body].name,
            m.bodies[view.body].color,
            self._words(cut),
            known,
            self._theme.name,
        )
        if said != self._said or self.list.requested != before:
            self._said = said
            self._dot.setPixmap(
                dot(self._theme.body(said[2]), self._theme.dp(10), self._theme.dp(14))
            )
            self.title.set_text(tr("{name}, cut free", name=said[1]))
            self.note.setText(said[3])
            self.note.setVisible(bool(said[3]))
            for widget in (self.polygon, self.sums, self.list, self.foot):
                widget.setVisible(known)
            self.sized.emit()

    def _words(self, cut: Cut | None) -> str:
        """Remarks on the picture."""
        studio = self._studio
        words = [tr(text) for text in (studio.free_body.words(cut is not None),) if text]
        if cut is not None:
            names = comma().join(
                studio.document.name(a.slot.id)
                for a in cut.actions
                if a.open and a.slot.kind == REACTION
            )
            if names:
                words.append(tr("Not unique at {names}; dashed: least squares.", names=names))
        return " ".join(words)

    def fit(self, height: int) -> None:
        """Take the height that it needs, within what there is."""
        width = self._theme.dp(WIDTH)
        self.setFixedWidth(width)
        shown = not self.list.isHidden()
        self.list.setFixedHeight(0)
        box = self._box
        # without a text that wraps, a layout knows no height for a width
        whole = (
            box.totalMinimumHeightForWidth(width)
            if box.hasHeightForWidth()
            else box.totalMinimumSize().height()
        )
        rest = whole - (self.polygon.minimumHeight() if shown else 0)
        if not shown:
            self.setFixedHeight(min(height, rest))
            return
        polygon = self._theme.dp(190)
        lines = self.list.requested
        spare = height - rest
        if polygon + lines > spare:
            polygon = max(self._theme.dp(LEAST_POLYGON), spare - lines)
        # a line or two would only say how many there are
        room = min(lines, spare - polygon)
        room = room if room >= min(lines, self._theme.dp(3 * 19)) else 0
        self.list.setFixedHeight(room)
        self.setFixedHeight(min(height, rest + polygon + room))
