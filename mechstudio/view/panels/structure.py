"""The structure of the mechanism in numbers: the balance of the kinematic and the static count (THEORY 4)."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.analysis import Structure

from ..i18n import tr
from ..pieces import label, wrapped
from ..theme import Theme

Qt = QtCore.Qt
_KINDS = {"open": "open chain", "closed": "closed chain", "complex": "complex chain"}


def balance(s: Structure) -> tuple[tuple[str, str, str, str], ...]:
    """Rows of (quantity, symbol, formula, value)."""
    six = 6 * s.bodies
    return (("Joint coordinates", "n", "", f"{s.coordinates}"),
            ("Closure equations", "nₛ", f"6 · {s.loops}" if s.loops else "", f"{s.closure_equations}"),
            ("independent of these", "q", "rank", f"{s.closure_rank}"),
            ("Mobility", "d", "n − q", f"{s.mobility}"),
            ("Reaction unknowns", "Nₛ", "", f"{s.reaction_unknowns}"),
            ("Equilibrium equations", "6p", f"6 · {s.bodies}", f"{six}"),
            ("Hyperstaticity", "h", "Nₛ − 6p + d", f"{s.hyperstaticity}"),
            ("Count (Kutzbach)", "d − h", "", f"{s.count}"))


class StructurePanel(QtWidgets.QWidget):
    """Two columns: what moves, what is carried.  noted: the word of the panel's head ("closed chain · 1 loop")."""

    noted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._grid = QtWidgets.QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2, 1)
        self._values: list[tuple[QtWidgets.QLabel, QtWidgets.QLabel]] = []
        blank = Structure(0, 0, 0, 0, 0, 0, 0, "open", 0, 0, 0, 0, 0)
        line = 0
        for k, (name, symbol, _, _) in enumerate(balance(blank)):
            result = symbol in ("d", "h")
            widgets = (label(tr(name), "title" if result else "two"), label(symbol, "title" if result else "two"), label("", "three"), label("–", "title" if result else ""))
            widgets[2].setMinimumWidth(0)
            widgets[2].setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
            widgets[3].setAlignment(Qt.AlignmentFlag.AlignRight)
            for c, widget in enumerate(widgets):
                self._grid.addWidget(widget, line, c)
            self._values.append((widgets[2], widgets[3]))
            line += 1
            if symbol == "d":
                rule = QtWidgets.QFrame()
                rule.setObjectName("rule")
                rule.setFixedHeight(1)
                self._grid.addWidget(rule, line, 0, 1, 4)
                line += 1
        self._remark = wrapped("", "three")
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 2, 12, 8)
        box.setSpacing(8)
        box.addLayout(self._grid)
        box.addWidget(self._remark)
        box.addStretch(1)
        studio.analysed.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Show the analysis of the drawing as it is; dashes while it is unknown."""
        analysis = self._studio.analysis
        s = None if analysis is None else analysis.structure
        rows = balance(s) if s is not None else [("", "", "", "–")] * len(self._values)
        for (formula, value), shown in zip(self._values, rows):
            formula.setText(shown[2])
            value.setText(shown[3].replace("-", "−"))
        self._remark.setText(self._sentence(s))
        self._remark.setVisible(bool(self._remark.text()))
        self.noted.emit("" if s is None else self._kind(s))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # where there is no room for formulas they make way for the numbers
        for formula, _ in self._values:
            formula.setVisible(event.size().width() >= 300)

    @staticmethod
    def _kind(s: Structure) -> str:
        loops = tr("1 loop") if s.loops == 1 else tr("{count} loops", count=s.loops)
        return f"{tr(_KINDS[s.structure])} · {loops}" if s.loops else tr(_KINDS[s.structure])

    @staticmethod
    def _sentence(s: Structure | None) -> str:
        if s is None:
            return ""
        return tr("{drawn} freedoms as drawn: this pose is singular.", drawn=s.mobility_drawn) if s.mobility_drawn != s.mobility else ""
