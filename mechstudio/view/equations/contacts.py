"""The chapter of contacts at the time cursor: which contact it is about, and how the methods
converge on its problem.
"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.questions.equations.derivations import ContactsOfInstant
from mechstudio.model.contact import CONTACT_METHODS
from mechstudio.model.equations.lecture import CONTACTS
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import label, row

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

Qt = QtCore.Qt
PLOT = f"{CONTACTS}/solution:numbers"  # the step under which the curves stand
HIGH = 165  # px of the plot
KEY = 15  # px of a line of its legend
LEFT, BELOW, ABOVE = 34, 20, 8
MOST_OFFERED = 100  # contacts in the list; others are chosen in the view
INKS = {
    "apgd": (0, Qt.PenStyle.SolidLine, 2.0),
    "gauss_seidel": (1, Qt.PenStyle.DashLine, 1.7),
    "jacobi": (3, Qt.PenStyle.DotLine, 1.7),
}  # colours of curves, by their place in the series
_UPPER = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


class Convergence(QtWidgets.QWidget):
    """Residual over iterations, on a logarithmic scale, one curve per method, and the tolerance as
    a line.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.contacts = ContactsOfInstant()
        self.setAccessibleName(tr("Convergence"))
        theme.changed.connect(self.update)
        theme.fit(self, height=HIGH)

    def show_curves(self, contacts: ContactsOfInstant) -> None:
        self.contacts = contacts
        self.setToolTip(
            "\n".join(
                f"{tr(CONTACT_METHODS[key].label)}: {len(c) - 1}" for key, c in contacts.curves
            )
        )
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        p, t, dp = QtGui.QPainter(self), self._theme.color, self._theme.dp
        p.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        curves = [(key, [max(x, 1e-18) for x in c]) for key, c in self.contacts.curves if c]
        font = p.font()
        font.setPointSizeF(max(font.pointSizeF() - 1.0, 6.0))
        p.setFont(font)
        p.setPen(t("text3"))
        if not curves:
            p.drawText(
                self.rect(),
                Qt.AlignmentFlag.AlignCenter,
                tr("Too many contacts hang together here to compare methods."),
            )
            p.end()
            return
        values = [x for _, c in curves for x in c] + [self.contacts.tolerance]
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        high = max(high, low + 1)
        last = max(max(len(c) for _, c in curves) - 1, 1)
        box = QtCore.QRectF(
            dp(LEFT),
            dp(ABOVE),
            self.width() - dp(LEFT) - dp(8),
            self.height() - dp(ABOVE) - dp(BELOW),
        )
        # above the curves: all of them may stay high to the end
        box.setTop(self._keys(p, curves, box) + dp(ABOVE))
        x_of = lambda k: box.left() + box.width() * k / last
        y_of = lambda v: box.bottom() - box.height() * (log10(v) - low) / (high - low)
        every = max(1, ceil((high - low) * dp(16) / box.height()))
        for power in range(low, high + 1, every):
            y = y_of(10.0**power)
            p.setPen(QtGui.QPen(t("line"), 1))
            p.drawLine(QtCore.QPointF(box.left(), y), QtCore.QPointF(box.right(), y))
            p.setPen(t("text3"))
            p.drawText(
                QtCore.QRectF(0, y - dp(8), box.left() - dp(5), dp(16)),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                f"10{str(power).translate(_UPPER)}",
            )
        p.setPen(QtGui.QPen(t("ok"), 1.2, Qt.PenStyle.DashDotLine))
        p.drawLine(
            QtCore.QPointF(box.left(), y_of(self.contacts.tolerance)),
            QtCore.QPointF(box.right(), y_of(self.contacts.tolerance)),
        )
        p.drawText(
            QtCore.QRectF(
                box.left() + dp(6), y_of(self.contacts.tolerance) - dp(15), box.width(), dp(14)
            ),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            tr("tolerance"),
        )
        for key, c in reversed(curves):
            ink, style, wide = INKS[key]
            p.setPen(QtGui.QPen(QtGui.QColor(self._theme.body(ink)), wide, style))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawPolyline(
                QtGui.QPolygonF([QtCore.QPointF(x_of(k), y_of(v)) for k, v in enumerate(c)])
            )
        below = QtCore.QRectF(box.left(), box.bottom() + dp(3), box.width(), dp(BELOW) - dp(3))
        p.setPen(t("text3"))
        p.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, "0")
        p.drawText(below, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(last))
        p.drawText(
            below,
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop,
            tr("iterations; residual in m/s"),
        )
        p.end()

    def _keys(
        self, p: QtGui.QPainter, curves: list[tuple[str, list[float]]], box: QtCore.QRectF
    ) -> float:
        """Draw the legend from the top of a box, as many keys in a line as there is room for;
        returns where it ends.
        """
        dp, x, y = self._theme.dp, box.left(), box.top()
        for key, c in curves:
            ink, style, wide = INKS[key]
            words = f"{tr(CONTACT_METHODS[key].short)}  {len(c) - 1}"
            reach = p.fontMetrics().horizontalAdvance(words)
            if x > box.left() and x + dp(24) + reach > box.right():
                x, y = box.left(), y + dp(KEY)
            p.setPen(QtGui.QPen(QtGui.QColor(self._theme.body(ink)), wide, style))
            p.drawLine(
                QtCore.QPointF(x, y + dp(KEY) / 2), QtCore.QPointF(x + dp(18), y + dp(KEY) / 2)
            )
            p.setPen(self._theme.color("text2"))
            p.drawText(
                QtCore.QRectF(x + dp(24), y, reach + dp(4), dp(KEY)),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                words,
            )
            x += dp(24) + reach + dp(18)
        return y + dp(KEY)


class ContactChapter:
    """Keeps the chapter of one panel at the time cursor."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        studio = panel.studio
        self.choice = Choice(
            panel.theme, tr("Contact"), self._offered, lambda: self.contacts.chosen, self._choose
        )
        self.choice.setToolTip(
            tr("Which contact the numbers are of; a click on a contact in the view chooses it too")
        )
        self.line = row(label(tr("Contact"), "two"), self.choice, gap=8)
        self.line.box.addStretch(1)
        self.line.hide()
        for chapter in panel.chapters:
            chapter.extras[PLOT] = self._plot
        studio.runs.playback.changed.connect(self.follow)
        studio.runs.recorded.connect(self.follow)
        studio.contact.chosen_changed.connect(self.follow)
        studio.document.changed.connect(lambda old, new: self.follow())

    @property
    def is_requested(self) -> bool:
        """True if the chapter is on display."""
        panel = self._panel
        return panel.isVisible() and panel.derivations is not None and panel.bar.lecture == CONTACTS

    @property
    def contacts(self) -> ContactsOfInstant:
        """Those of the chapter that is shown."""
        ready = self._panel.chapters[0].ready
        return (
            ready.contacts
            if ready is not None and ready.contacts is not None
            else ContactsOfInstant()
        )

    def follow(self) -> None:
        """Request the chapter at the time cursor, or none while it is hidden."""
        if self._panel.derivations is not None:
            self._panel.derivations.chapters.look_at_contacts(
                self._panel.studio.contact.instant if self.is_requested else None
            )

    def show(self) -> None:
        """After the chapter has come."""
        self.line.setVisible(self._panel.bar.lecture == CONTACTS and bool(self.contacts.choices))
        self.choice.refresh()
        for chapter in self._panel.chapters:
            section = chapter.section_of(PLOT)
            if section is not None and isinstance(section.extra, Convergence):
                section.extra.show_curves(self.contacts)

    def _plot(self) -> Convergence:
        plot = Convergence(self._panel.theme)
        plot.show_curves(self.contacts)
        return plot

    def _offered(self) -> list[tuple[str, str, str]]:
        contacts = self.contacts
        kept = contacts.choices[:MOST_OFFERED]
        return [
            (key, words, "")
            for key, words in contacts.choices
            if (key, words) in kept or key == contacts.chosen
        ]

    def _choose(self, name: str) -> None:
        studio = self._panel.studio
        studio.contact.chosen = name
        studio.contact.chosen_changed.emit()
