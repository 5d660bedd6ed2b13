"""One equation in letters for the last row of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.questions.equations.styles import Style
from mechstudio.model.equations.lecture import CHAPTER_TITLES
from mechstudio.view.equations.formula import Formula
from mechstudio.view.equations.images import SIZE
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import column

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

LARGER = 1.3  # letters against those of the panel
SMALLEST = 0.5  # to which an equation shrinks to fit
HIGHEST = 0.5  # part of the column that it takes


class EquationCard(QtWidgets.QWidget):
    """Picture of one part of the equations, or of CHAPTER/STEP, which their panel has derived."""

    def __init__(self, theme: Theme, equations: EquationsPanel) -> None:
        super().__init__()
        self._theme, self._equations = theme, equations
        self.part, self.terms, self._room = "", (), 0
        self.formula = Formula(theme)
        box = column(self)
        box.setContentsMargins(0, theme.dp(8), 0, theme.dp(6))
        box.addWidget(self.formula)
        self._late = QtCore.QTimer(self, singleShot=True, interval=60)
        self._late.timeout.connect(self._ask)
        self._heard = False

    def begin(self) -> None:
        """Follow the derivation."""
        d = self._equations.derivations
        if d is not None and not self._heard:
            self._heard = True
            for signal in (d.changed, d.pictures.ready, d.chapters.chapter_ready):
                signal.connect(self._soon)
        self._soon()

    def end(self) -> None:
        """Follow it no more."""
        d = self._equations.derivations
        if d is not None and self._heard:
            self._heard = False
            for signal in (d.changed, d.pictures.ready, d.chapters.chapter_ready):
                signal.disconnect(self._soon)
            d.visible = self._equations.isVisible()
        self._late.stop()

    def show_part(self, part: str, terms: tuple[str, ...], room: int) -> None:
        """Show a part, "" for none, with the terms of elements marked.  room: height of the
        column [px].
        """
        self.part, self.terms, self._room = part, terms, room
        self.setVisible(bool(part))
        self._soon()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon()

    def _soon(self, *_: object) -> None:
        self._late.start()

    @property
    def _style(self) -> Style:
        """Typesetting style at the present width."""
        style = self._equations.pictures.style("structure")
        return msgspec.structs.replace(
            style,
            size=round(SIZE * LARGER * self._theme.scale, 2),
            width=float(max(self.width() - 2, 1)),
            with_numbers=False,
        )

    def _ask(self) -> None:
        d = self._equations.derivations
        if d is None or not self.part or not self._heard:
            return
        d.visible = True
        chapter, _, step = self.part.partition("/")
        if step and chapter not in CHAPTER_TITLES:  # of a file that somebody wrote by hand
            self.formula.show_picture(None, QtGui.QImage(), 1.0)
            return
        if d.equations is None or (step and d.chapters.chapter(chapter) is None):
            self.formula.show_picture(None, QtGui.QImage(), 1.0)
            return
        style = self._style
        picture = d.pictures.picture(self.part, style)
        if picture is None or not self._room:
            return
        wide, high = picture.size
        fits = min(
            1.0,
            max(self.width() - 2, 1) / max(wide, 1.0),
            HIGHEST * self._room / max(high, 1.0),
        )
        size = picture.style.size * max(fits, SMALLEST)
        self.formula.show_picture(picture, QtGui.QImage.fromData(picture.png), size)
        self.formula.mark("", self.terms)
        self.updateGeometry()
