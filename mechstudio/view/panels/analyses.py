"""Analyses of the motion: what is asked, how far it is, and the table that comes."""

import math

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plot_choice import MOST, instead
from mechstudio.application.studio import Studio
from mechstudio.model.measured import ANALYSES, AXES, Measured, Options
from mechstudio.model.measured_channels import keys_of_columns
from mechstudio.model.mechanism import GROUND
from mechstudio.model.units import format_number, unit

from ..i18n import tr
from ..pieces import Bar, IconButton, label, row, set_property, wrapped
from ..theme import Theme
from .choice import Choice

Qt = QtCore.Qt
# what each is called, and what it tells
NAMES = {"reactions": ("Reactions", "forces and moments of joints, over the run"), "loads": ("Load table", "peak, least, most and RMS of every joint, drive and motor"),
         "torsors": ("Torsors", "kinematic, kinetic, dynamic and action torsor of every body, at the time cursor"),
         "power": ("Virtual power", "balance for every velocity, per solid and per load, at the time cursor"),
         "momenta": ("Momenta", "momentum and angular momentum with their rates, over the run"), "energy": ("Energy", "the account and its balance, over the run"),
         "kinematics": ("Kinematics", "position, velocity and acceleration of selected bodies"),
         "relative": ("Relative motion", "of a selected body, seen from another: relative, transport, Coriolis"),
         "inverse": ("Inverse dynamics", "efforts that a given motion asks for"), "equilibria": ("Equilibria", "where it can rest, and whether it is stable there"),
         "linearise": ("Modes", "frequencies and damping ratios about the time cursor"),
         "sensitivity": ("Sensitivities", "change of the joint coordinates per parameter"), "drift": ("Drift", "how an injected constraint error decays")}
CHARGED = ("reactions", "loads", "torsors")     # that take axes
PLACED = ("reactions", "torsors", "momenta")     # that are read at a point
AT_CURSOR = ("torsors", "power", "linearise")
GOOD = 1e-9                                      # residual up to which a check passes
SHOWN = 200                                      # instants of a run that a table shows at most


class AnalysesPanel(QtWidgets.QWidget):
    """A choice, what it needs, a button; then the table with its own check.  noted(text): a remark for the panel's head."""

    noted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.what, self.axes, self.seen_from, self.place = ANALYSES[0], AXES[0], GROUND, ""
        self.kind = Choice(theme, tr("Analysis"), lambda: [(key, tr("{name}: {use}", name=tr(NAMES[key][0]), use=tr(NAMES[key][1])), "") for key in NAMES], lambda: self.what,
                           self._choose, lambda key: tr(NAMES[key][0]))
        self.axes_choice = Choice(theme, tr("Axes"), self._axes, lambda: self._axes_now, lambda key: self._set("axes", key))
        self.place_choice = Choice(theme, tr("Read at"), self._places, lambda: self.place, lambda key: self._set("place", key))
        self.from_choice = Choice(theme, tr("Seen from"), self._bodies, lambda: self.seen_from, lambda key: self._set("seen_from", key))
        self.motion = QtWidgets.QLineEdit()
        self.motion.setPlaceholderText(tr("A = 90 deg*sin(2 rad/s*t)"))
        self.motion.setAccessibleName(tr("Given motion"))
        self.motion.returnPressed.connect(self._press)
        self.button = QtWidgets.QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._press)
        self.plot = QtWidgets.QPushButton(tr("Plot"))
        self.plot.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.plot.setToolTip(tr("Show the selected columns in the first plot"))
        self.plot.clicked.connect(self.plot_columns)
        self._asked = Options()
        self.copy = IconButton(theme, "copy", tr("Copy the table"), 26, 15, clicked=self._copy)
        self.progress = Bar(theme)
        self.check = label("", "residual")
        self.words = wrapped("", "three")
        self.table = _Table(theme, studio)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 6, 12, 6)
        box.setSpacing(6)
        # two lines, so that the panel asks for no more width than a plot leaves it
        box.addWidget(row(self.kind, self.button, None, self.plot, self.copy))
        box.addWidget(row(self.axes_choice, self.place_choice, self.from_choice, self.motion, None, self.check, gap=6))
        for widget in (self.progress, self.words):
            box.addWidget(widget)
        box.addWidget(self.table, 1)
        for signal in (studio.measuring.changed, studio.selection.changed):
            signal.connect(self.refresh)
        studio.preferences.units_changed.connect(lambda: self.table.show_table(studio.measuring.result))
        self.refresh()

    def _bodies(self) -> list[tuple[str, str, str]]:
        m = self._studio.document.project.mechanism
        return [(GROUND, tr("seen from {name}", name=m.ground.name), ""), *((id, tr("seen from {name}", name=b.name), "") for id, b in m.bodies.items())]

    def _axes(self) -> list[tuple[str, str, str]]:
        own = [] if self.what == "torsors" else [("joint", tr("joint axes"), "")]
        return [*own, ("world", tr("world axes"), ""), ("body", tr("axes of the body"), "")]

    @property
    def _axes_now(self) -> str:
        return "world" if self.what == "torsors" and self.axes == "joint" else self.axes

    def _places(self) -> list[tuple[str, str, str]]:
        """Where torsors and moments can be read: joints, origins of bodies, named points."""
        m = self._studio.document.project.mechanism
        usual = {"torsors": tr("at the centre of mass"), "momenta": tr("about the origin")}.get(self.what, tr("at the joint"))
        bodies = [(id, m.body(id)) for id in (GROUND, *m.bodies)]
        return [("", usual, ""), *((id, tr("at {name}", name=j.name), "") for id, j in m.joints.items()),
                *((f"{id}.{point}", tr("at {name}", name=f"{body.name}.{point}"), "") for id, body in bodies for point in body.named_points())]

    def _point(self) -> str | None:
        return self.place if self.what in PLACED and self.place else None

    def ask_for(self, what: str, axes: str = "", place: str | None = None) -> None:
        """Ask one analysis of what is selected, as if it had been chosen here."""
        self.what, self.axes = what, axes or self.axes
        self.place = self.place if place is None else place
        self._studio.measuring.cancel()
        self._ask()

    def _choose(self, key: str) -> None:
        self.what = key
        self._studio.measuring.cancel()
        self._ask()

    def _set(self, attribute: str, key: str) -> None:
        setattr(self, attribute, key)
        self._ask()

    def _press(self) -> None:
        if self._studio.measuring.state == "searching":
            self._studio.measuring.cancel()
        else:
            self._ask()

    def _ask(self) -> None:
        if self._studio.has_bodies and not (self.what == "inverse" and not self.motion.text().strip() and not self._studio.document.project.mechanism.drives):
            self._asked = self.options()
            self._studio.measuring.request(self.what, self._asked)
        self.refresh()

    def options(self) -> Options:
        """What the present choice and selection ask for."""
        studio, project = self._studio, self._studio.document.project
        m, chosen = project.mechanism, studio.selection.selected
        duration = studio.document.project.settings.duration.value
        step = max(project.settings.sample_step.value, duration / SHOWN)
        motion = {}
        if self.what == "inverse" and "=" in self.motion.text():
            joint, _, text = self.motion.text().partition("=")
            motion = {joint.strip(): text.strip()}
        bodies = tuple(id for id in chosen if id in m.bodies)
        return Options(joints=tuple(id for id in chosen if id in m.joints), bodies=bodies, axes=self._axes_now, point=self._point(), frames=bodies[-1:] if self.what == "relative" else bodies,
                       seen_from=self.seen_from if self.seen_from in (GROUND, *m.bodies) else GROUND, time=studio.playback.time if self.what in AT_CURSOR else 0.0,
                       duration=duration, sample_step=step, motion=motion)

    def refresh(self) -> None:
        """Show what is asked, how far it is, what was found."""
        measuring = self._studio.measuring
        searching, found = measuring.state == "searching", measuring.result
        for choice in (self.kind, self.axes_choice, self.place_choice, self.from_choice):
            choice.refresh()
        if self.place and self.place not in (key for key, _, _ in self._places()):
            self.place = ""
        self.axes_choice.setVisible(self.what in CHARGED)
        self.place_choice.setVisible(self.what in PLACED)
        self.from_choice.setVisible(self.what == "relative")
        self.motion.setVisible(self.what == "inverse")
        self.button.setText(tr("Cancel") if searching else tr("Analyse"))
        self.button.setEnabled(self._studio.has_bodies)
        self.progress.setVisible(searching)
        self.progress.set_value(round(100 * measuring.progress))
        self.copy.setEnabled(found is not None)
        self.plot.setVisible(found is not None and bool(self._keys(found)))
        self.words.setText(self._words(found))
        self.words.setVisible(bool(self.words.text()))
        self.table.show_table(found)
        self.check.setVisible(found is not None and found.residual is not None)
        if found is not None and found.residual is not None:
            good = found.residual <= (GOOD if found.what not in ("sensitivity", "energy", "linearise") else 1e-4)
            set_property(self.check, "kind", "ok" if good else "warn")
            self.check.setText(("✓ " if good else "⚠ ") + format_number(found.residual, 2))
            self.check.setToolTip(tr("Residual of the analysis' own check: {value}", value=format_number(found.residual, 3)))
        self.noted.emit("")

    def _words(self, found: Measured | None) -> str:
        measuring = self._studio.measuring
        if measuring.sentence and found is None:
            return measuring.sentence
        if found is not None:
            return " ".join(tr(note) for note in found.notes)
        if measuring.state == "searching":
            return tr("The motion is being analysed.")
        use = tr(NAMES[self.what][1])
        needs = {"relative": tr("Select the body that is looked at."), "kinematics": tr("Select bodies, or none for all."), "reactions": tr("Select joints, or none for all."),
                 "inverse": tr("Type a joint's motion over t.")}.get(self.what, "")
        return f"{use[:1].upper()}{use[1:]}. {needs}".strip()

    def _keys(self, found: Measured) -> dict[int, str]:
        """The channels of the table's columns, by column."""
        return keys_of_columns(self._studio.document.project.mechanism, found.what, self._asked, found.columns)

    def plot_columns(self) -> None:
        """The selected columns, or where none is selected the first ones, in the first plot; a run is made where there is none."""
        studio, found = self._studio, self._studio.measuring.result
        if found is None:
            return
        keys = self._keys(found)
        chosen = {index.column() for index in self.table.selectedIndexes()}
        wanted = [key for c, key in keys.items() if c in chosen] or list(keys.values())
        studio.document.commit(tr("Plot {name}", name=tr(NAMES[found.what][0]).lower()), instead(studio.document.project, 0, wanted[:MOST]))
        if studio.recording is None:
            studio.simulate()

    def _copy(self) -> None:
        QtGui.QGuiApplication.clipboard().setText(self.table.text())


class _Table(QtWidgets.QTableWidget):
    """The numbers in the user's units; what rigid bodies do not determine is hatched."""

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: tuple | None = None
        self.setObjectName("numbers")
        self.setAccessibleName(tr("Result of the analysis"))
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        # a method, which goes with the table: the theme outlives it
        theme.changed.connect(self._repaint)

    def _repaint(self) -> None:
        self.show_table(self._studio.measuring.result, True)

    def show_table(self, table: Measured | None, anew: bool = False) -> None:
        """Fill in a table; nothing for None."""
        units = self._studio.units
        if not anew and self._shown == (id(table), units):
            return
        self._shown = (id(table), units)
        self.setVisible(table is not None)
        if table is None:
            self.clear()
            self.setRowCount(0)
            return
        count = len(table.columns)
        values = np.frombuffer(table.rows).reshape(-1, count)
        hatched = np.frombuffer(table.hatched, "u1").reshape(-1, count)
        self.setRowCount(len(values))
        self.setColumnCount(count)
        symbols = [unit(d, units) for d in table.dimensions]
        tall = any(u.symbol for u in symbols)
        self.setHorizontalHeaderLabels([f"{c}\n{u.symbol}" if tall else c for c, u in zip(table.columns, symbols)])
        self.verticalHeader().setVisible(table.labels is not None)
        if table.labels is not None:
            self.setVerticalHeaderLabels(list(table.labels))
        brush = QtGui.QBrush(self._theme.color("line_strong"), Qt.BrushStyle.BDiagPattern)
        largest = {d: max((float(np.nanmax(np.abs(values[:, c]), initial=0.0)) for c, of in enumerate(table.dimensions) if of == d), default=0.0) for d in table.dimensions}
        for r in range(len(values)):
            for c in range(count):
                x = float(values[r, c])
                x = 0.0 if abs(x) < 1e-13 * largest[table.dimensions[c]] else x
                item = QtWidgets.QTableWidgetItem("–" if not math.isfinite(x) else format_number(x / symbols[c].factor, 5))
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if hatched[r, c]:
                    item.setBackground(brush)
                    item.setToolTip(tr("Not determined by rigid bodies; least-squares value"))
                self.setItem(r, c, item)
        self.verticalHeader().setDefaultSectionSize(self._theme.dp(22))
        self.resizeColumnsToContents()

    def text(self) -> str:
        """The table as a spreadsheet takes it: tabs between columns, labels first."""
        head = [self.horizontalHeaderItem(c).text().replace("\n", " ").strip() for c in range(self.columnCount())]
        named = self.verticalHeader().isVisible()
        lines = ["\t".join(([""] if named else []) + head)]
        for r in range(self.rowCount()):
            cells = [self.item(r, c).text().replace("−", "-") for c in range(self.columnCount())]
            lines.append("\t".join(([self.verticalHeaderItem(r).text()] if named else []) + cells))
        return "\n".join(lines) + "\n"
