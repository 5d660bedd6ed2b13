"""The structure of the mechanism: numbers, the balance of the kinematic and the static count,
loops, and freedoms that can be seen moving (THEORY 4).
"""

from typing import NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import insert
from mechstudio.application.plots.choice import choose, pane_with_room, with_curves
from mechstudio.application.studio import Studio
from mechstudio.model.results.analysed_channels import change_of, key_of_constant
from mechstudio.model.results.analysis import CHAINS, Conserved, Freedom, Structure
from mechstudio.model.results.constant_course import verdict
from mechstudio.model.units import format_number, unit
from mechstudio.translation import Words, tr, trn
from mechstudio.view.panels.branches import BranchesBody
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.form import Section
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    Picture,
    label,
    row,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
LISTED = 20  # freedoms, or loops, that are listed at first
NARROW = 300  # px below which formulas make way for the numbers


class Line(NamedTuple):
    """One number: its name, its letter, its derivation, its value; strong for a result.
    meaning: in a sentence, for the tip.
    """

    name: str
    symbol: str
    formula: str
    value: str
    strong: bool = False
    meaning: Words = ""


def numbers(s: Structure) -> tuple[Line, ...]:
    """Lines of the counts and their results; rows of couplings, rolling, drives and floating groups
    only where there are some.
    """
    parts = (
        [f"6 · {s.loops}"] * bool(s.loops)
        + [f"{s.coupling_rows}"] * bool(s.coupling_rows)
        + [f"{s.rolling_rows}"] * bool(s.rolling_rows)
    )
    lines = [
        Line(
            tr("Joint coordinates"),
            "n",
            f"Σ f + 6 · {s.floating}" if s.floating else "Σ f",
            f"{s.coordinates}",
            meaning="n: freedoms of all joints together, before loops close them.",
        ),
        Line(
            tr("Closure equations"),
            "nₛ",
            " + ".join(parts) if len(parts) > 1 or s.loops else "",
            f"{s.closure_equations}",
            meaning="nₛ: equations that close the loops, couple joints or forbid slipping; six for "
            "each loop.",
        ),
    ]
    if s.coupling_rows:
        lines.append(Line(tr("of these, couplings"), "", "", f"{s.coupling_rows}"))
    if s.rolling_rows:
        lines.append(Line(tr("of these, rolling"), "", "", f"{s.rolling_rows}"))
    lines += [
        Line(
            tr("independent of these"),
            "q",
            "rank",
            f"{s.closure_rank}",
            meaning="q: how many of the closure equations say something new, their rank.",
        ),
        Line(
            "Mobility",
            "d",
            "n − q",
            f"{s.mobility}",
            True,
            "d: independent motions that are left when the drives are released.",
        ),
    ]
    if s.rolls:
        lines.append(
            Line(
                tr("Freedoms of position"), "", tr("without rolling"), f"{s.configuration_freedom}"
            )
        )
    if s.drives:
        lines.append(
            Line(
                "Driven",
                "",
                tr("{drives} drives", drives=s.drives) if s.drives != 1 else "1 drive",
                f"{s.driven}",
            )
        )
    return (
        *lines,
        Line(
            tr("Reaction unknowns"),
            "Nₛ",
            "",
            f"{s.reaction_unknowns}",
            meaning="Nₛ: components of force and moment that all joints may carry.",
        ),
        Line(
            tr("Equilibrium equations"),
            "6p",
            f"6 · {s.bodies}",
            f"{6 * s.bodies}",
            meaning="6p: three balances of force and three of moment for each of p bodies.",
        ),
        Line(
            "Hyperstaticity",
            "h",
            "nₛ − q",
            f"{s.hyperstaticity}",
            True,
            "h: directions that joints hold more than once; so many reactions rigid bodies do not "
            "determine.",
        ),
    )


class Balance(NamedTuple):
    """Two sides that must agree, each found in its own way."""

    left: str
    left_value: int
    right: str
    right_value: int


def balances(s: Structure) -> tuple[Balance, ...]:
    """By the ranks at the left, by counting at the right."""
    rows = " − rows" if s.coupling_rows + s.rolling_rows else ""
    return (
        Balance("d − h", s.mobility - s.hyperstaticity, f"6p − Σ(6 − f){rows}", s.counted),
        Balance("h", s.hyperstaticity, "Nₛ − 6p + d", s.static_hyperstaticity),
        Balance(
            "(n + Nₛ) − (6p + q)",
            s.coordinates + s.reaction_unknowns - 6 * s.bodies - s.closure_rank,
            "h",
            s.hyperstaticity,
        ),
    )


def _grid(rows: list[tuple[QtWidgets.QWidget, ...]], gap: int, wide: int) -> QtWidgets.QWidget:
    """Rows of widgets in columns; gap: between columns [px]; wide: the column that takes the room
    that is left.
    """
    holder = QtWidgets.QWidget()
    grid = QtWidgets.QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(gap)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(wide, 1)
    for k, widgets in enumerate(rows):
        for c, widget in enumerate(widgets):
            grid.addWidget(widget, k, c)
    return holder


class StructurePanel(QtWidgets.QWidget):
    """Panel of the structure: what moves, what is carried, loops and freedoms.  noted: the word of
    the panel's head ("closed chain · 1 loop").
    """

    noted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: object = ()
        self._page: QtWidgets.QWidget | None = None
        self._formulas: list[QtWidgets.QLabel] = []
        self._most = {"freedoms": LISTED, "loops": LISTED, "constants": LISTED}
        self.freedom_lines: list[FreedomLine] = []
        self.constants: list[ConstantLine] = []
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(12, 2, 12, 8)
        self._box.setSpacing(8)
        self.branches = Section(
            theme, tr("Dead points and branches"), lambda: BranchesBody(theme, studio), set()
        )
        self._box.addWidget(self.branches)
        self._box.addStretch(1)
        studio.questions.analysed.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.runs.recorded.connect(self._judge)
        self.refresh()

    def _judge(self) -> None:
        """Judge the constants of the motion by the run.  Lines of an earlier drawing wait for the
        panel to be seen, and made again.
        """
        if not self._stale:
            for line in self.constants:
                line.judge()

    def refresh(self) -> None:
        """Show the analysis of the drawing as it is; a dash while it is unknown.  Hidden, it waits
        until it is seen.
        """
        if self._page is not None and not self.isVisible():
            self._stale = True
            return
        self._stale = False
        analysis = self._studio.questions.analysis
        s = None if analysis is None else analysis.structure
        names = {id: j.name for id, j in self._studio.document.project.mechanism.joints.items()}
        shown = (
            s,
            () if analysis is None else analysis.freedoms,
            names,
            () if analysis is None else analysis.conserved,
        )
        movers = tuple(
            (d.joint, d.coordinate, d.name, d.enabled)
            for d in self._studio.document.project.mechanism.drives.values()
        )
        if (shown, movers) != self._shown or self._page is None:
            self._shown = (shown, movers)
            if self._page is not None:
                throw_away(self._page)
            self._formulas, self.freedom_lines, self.constants = [], [], []
            self._page = label("–", "three") if s is None else self._made(s, *shown[1:])
            self._box.insertWidget(0, self._page)
            self._fit()
        self.branches.setVisible(s is not None and s.bodies > 0)
        self.noted.emit("" if s is None else self._kind(s))

    def _made(
        self,
        s: Structure,
        freedoms: tuple[Freedom, ...],
        names: dict[str, str],
        conserved: tuple[Conserved, ...],
    ) -> QtWidgets.QWidget:
        parts: list[QtWidgets.QWidget] = [self._table(numbers(s))]
        if sentence := self._sentence(s):
            parts.append(wrapped(sentence, "three"))
        parts += [label(tr("Balance"), "title"), self._balances(s)]
        if freedoms:
            parts.append(label(tr("Free motions"), "title"))
            self.freedom_lines = [
                FreedomLine(self._theme, self._studio, f)
                for f in freedoms[: self._most["freedoms"]]
            ]
            parts.append(
                row(
                    *self.freedom_lines,
                    *self._more("freedoms", len(freedoms)),
                    vertical=True,
                    gap=1,
                )
            )
        if conserved:
            parts.append(label(tr("Must stay constant"), "title"))
            self.constants = [
                ConstantLine(self._theme, self._studio, c)
                for c in conserved[: self._most["constants"]]
            ]
            parts.append(
                row(*self.constants, *self._more("constants", len(conserved)), vertical=True, gap=1)
            )
        if s.loop_joints:
            parts.append(label(tr("Loops"), "title"))
            shown = (
                self._loop(k, members, names)
                for k, members in enumerate(s.loop_joints[: self._most["loops"]])
            )
            parts.append(
                row(*shown, *self._more("loops", len(s.loop_joints)), vertical=True, gap=1)
            )
        return row(*parts, vertical=True, gap=7)

    def _more(self, what: str, count: int) -> list[QtWidgets.QWidget]:
        """Nothing, or a button for the lines that are not shown: a hundred of them are no list to
        read, and making them takes its time.
        """
        left = count - self._most[what]
        if left <= 0:
            return []
        button = QtWidgets.QPushButton(tr("{count} more", count=left))
        button.setObjectName("flat")

        def show() -> None:
            self._most[what] += LISTED
            self._shown = ()
            # not while the button that was clicked is still at work
            QtCore.QTimer.singleShot(0, self, self.refresh)

        button.clicked.connect(show)
        return [row(button, None)]

    def _table(self, lines: tuple[Line, ...]) -> QtWidgets.QWidget:
        rows = []
        for line in lines:
            look = "title" if line.strong else "two"
            formula = label(line.formula, "three")
            formula.setMinimumWidth(0)
            formula.setSizePolicy(
                QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred
            )
            self._formulas.append(formula)
            value = label(line.value.replace("-", "−"), "title" if line.strong else "")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            shown = (label(tr(line.name), look), label(line.symbol, look), formula, value)
            for part in shown if line.meaning else ():
                part.setToolTip(tr(line.meaning))
            rows.append(shown)
        return _grid(rows, 12, 2)

    def _balances(self, s: Structure) -> QtWidgets.QWidget:
        rows = []
        for b in balances(s):
            agrees = b.left_value == b.right_value
            values = label(
                f"{b.left_value} = {b.right_value}"
                if agrees
                else f"{b.left_value} ≠ {b.right_value}",
                "",
            )
            values.setText(values.text().replace("-", "−"))
            values.setAlignment(Qt.AlignmentFlag.AlignRight)
            mark = Picture(
                self._theme, "ok" if agrees else "error", "ok" if agrees else "error", 14, 2.2
            )
            rows.append(
                (label(b.left, "two"), label("=", "three"), label(b.right, "two"), values, mark)
            )
        return _grid(rows, 8, 3)

    def _loop(self, k: int, members: tuple[str, ...], names: dict[str, str]) -> QtWidgets.QWidget:
        button = QtWidgets.QPushButton()
        button.setObjectName("line")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words = Elided(
            f"{k + 1}   " + " – ".join(names.get(j, j) for j in (*members[1:], members[0])), "two"
        )
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        closes = label(tr("closed by {joint}", joint=names.get(members[0], members[0])), "three")
        closes.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box = QtWidgets.QHBoxLayout(button)
        box.setContentsMargins(6, 3, 6, 3)
        box.addWidget(words, 1)
        box.addWidget(closes)
        self._theme.fit(button, least_height=24)
        button.setToolTip(tr("Show the joints of this loop"))
        button.clicked.connect(lambda: self._studio.selection.select(*members))
        return button

    _stale = False

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        for formula in self._formulas:
            formula.setVisible(self.width() >= NARROW)

    @staticmethod
    def _kind(s: Structure) -> str:
        loops = trn("1 loop", "{count} loops", s.loops)
        return f"{tr(CHAINS[s.structure])} · {loops}" if s.loops else tr(CHAINS[s.structure])

    @staticmethod
    def _sentence(s: Structure) -> str:
        """Reason why the rank differs from the count, or from one pose to the next."""
        counted = tr(
            (
                "Counting alone gives {count}: of the constraints {redundant} prevent what is "
                "prevented already."
            ),
            count=s.count,
            redundant=s.hyperstaticity,
        )
        parts = [counted.replace("-", "−")] if s.hyperstaticity else []
        return " ".join(parts + StructurePanel._singular(s))

    @staticmethod
    def _singular(s: Structure) -> list[str]:
        return (
            [tr("{drawn} freedoms as drawn: this pose is singular.", drawn=s.mobility_drawn)]
            if s.mobility_drawn != s.mobility
            else []
        )


class ConstantLine(QtWidgets.QPushButton):
    """One constant of the motion, and whether the run keeps it: its largest change, a dash without
    a run.  A click plots the change.
    """

    def __init__(self, theme: Theme, studio: Studio, constant: Conserved) -> None:
        super().__init__()
        self._theme, self._studio, self._constant = theme, studio, constant
        self._change, self._mark = label("–", "three"), Picture(theme, "ok", "ok", 14, 2.2)
        self.setObjectName("line")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self, least_height=42)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(6, 1, 0, 1)
        box.setSpacing(0)
        # a line of its own: cut short, all of them would read alike
        words = Elided(tr(constant.words), "two")
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setToolTip(tr("{words}. Click to plot its change", words=tr(constant.words)))
        self.clicked.connect(self.plot)
        found = row(self._change, None, self._mark)
        found.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box.addWidget(words)
        box.addWidget(found)
        self.judge()

    def plot(self) -> None:
        """Put the change since the start into a plot."""
        studio, key = self._studio, key_of_constant(change_of(self._constant.words))
        project = studio.document.project
        choose(
            studio.document,
            studio.notifications,
            tr("Plot {name}", name=self._constant.words),
            lambda: with_curves(project, pane_with_room(project, [key]), [key], True),
        )

    def judge(self) -> None:
        """Read the recording once it is finished."""
        recording = self._studio.runs.recording
        found = None
        if recording is not None and recording.finished:
            found = verdict(
                self._constant, recording.project.mechanism, recording.layout, recording.rows
            )
        known = found is not None and found.kept is not None
        kept = found is not None and bool(found.kept)
        symbol = unit("angular_momentum" if self._constant.turns else "momentum", "m-N-rad").symbol
        self._change.setText(
            f"{format_number(found.value, 4)} ± {format_number(found.change, 2)} {symbol}"
            if found is not None and known
            else "–"
        )
        self._mark.setVisible(known)
        mark = "ok" if kept else "warn"
        self._mark.show_icon(mark, mark)


class FreedomLine(QtWidgets.QPushButton):
    """One free motion; the pointer on it, or a click, lets it swing and marks the bodies that
    move.
    """

    def __init__(self, theme: Theme, studio: Studio, freedom: Freedom) -> None:
        super().__init__()
        self._studio, self._freedom = studio, freedom
        self.setObjectName("line")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self, least_height=24)
        # idle and floating motions are distinguished by their words and a quieter look
        words = Elided(tr(freedom.name), "three" if freedom.kind in ("idle", "floating") else "two")
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(6, 1, 4, 1)
        box.setSpacing(2)
        box.addWidget(words, 1)
        mover = insert.mover(studio.document.project, freedom)
        if mover:
            box.addWidget(
                IconButton(
                    theme,
                    "tool_motor",
                    tr("Prescribed by {name}: show it", name=studio.document.name(mover)),
                    22,
                    15,
                    clicked=lambda: insert.drive_freedom(studio, freedom),
                    role="accent",
                )
            )
        elif freedom.joint:
            joint = studio.document.name(freedom.joint)
            for icon, tip, lock in (
                ("tool_motor", tr("Drive this with a motor at {joint}", joint=joint), False),
                ("lock", tr("Lock it at {joint}", joint=joint), True),
            ):
                box.addWidget(
                    IconButton(
                        theme,
                        icon,
                        tip,
                        22,
                        15,
                        clicked=lambda lock=lock: insert.drive_freedom(studio, freedom, lock),
                    )
                )
        self.setToolTip(tr("{name}. Click to see it swing", name=freedom.name))
        self.clicked.connect(self._show)

    def _show(self) -> None:
        self._studio.selection.select(*self._freedom.bodies)
        self._studio.free_motion.show_freedoms(self._studio.questions.analysis, self._freedom)

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        super().enterEvent(event)
        if self._freedom.twists:
            self._studio.free_motion.show_freedoms(self._studio.questions.analysis, self._freedom)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        super().leaveEvent(event)
        self._studio.free_motion.stop()
