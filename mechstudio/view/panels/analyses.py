"""Analyses of the motion: the request, its progress, and the resulting table."""

from collections.abc import Iterator

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.notifications import Message
from mechstudio.application.plots.choice import choose, instead, with_curves
from mechstudio.application.plots.export import LABELS, write
from mechstudio.application.plots.panes import shown_plots
from mechstudio.application.studio import Studio
from mechstudio.curves import tables
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.formulas.expression import ExpressionError, evaluate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.analysed_channels import heading, keys_of_columns
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.types.analyses import ANALYSES, AXES, AnalysisType, Options, Place
from mechstudio.model.units import format_number, unit
from mechstudio.translation import separator, tr
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.panels.analysis_table import AnalysisTable
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.channel_drag import drag
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import Bar, IconButton, label, row, set_property, wrapped

Qt = QtCore.Qt
TYPED = "typed"  # place of moments: what stands in the field beside it
FIRST = 8  # columns that are plotted where none is selected
SHOWN = 200  # instants of a run that a table shows at most


class AnalysesPanel(QtWidgets.QWidget):
    """A choice, its inputs, a button; then the table with its own check.  noted(text): a remark for
    the panel's head.
    """

    noted = QtCore.Signal(str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.what, self.axes, self.seen_from, self.place = next(iter(ANALYSES)), AXES[0], GROUND, ""
        self.kind = Choice(
            theme,
            tr("Analysis"),
            lambda: [
                (key, tr("{name}: {use}", name=tr(kind.label), use=tr(kind.summary)), "")
                for key, kind in ANALYSES.items()
            ],
            lambda: self.what,
            self._choose,
            lambda key: tr(ANALYSES[key].label),
            lambda key: tr(ANALYSES[key].group),
        )
        self.axes_choice = Choice(
            theme,
            tr("Axes"),
            self._axes,
            lambda: self._axes_now,
            self._take_axes,
        )
        self.place_choice = Choice(
            theme,
            tr("Read at"),
            self._places,
            lambda: self.place,
            self._take_place,
        )
        self.from_choice = Choice(
            theme,
            tr("Seen from"),
            self._bodies,
            lambda: self.seen_from,
            self._take_body,
        )
        self.motion = QtWidgets.QLineEdit()
        self.motion.setPlaceholderText(tr("A = 90 deg*sin(2 rad/s*t)"))
        self.motion.setAccessibleName(tr("Given motion"))
        self.motion.returnPressed.connect(self._press)
        self.typed = QtWidgets.QLineEdit()
        self.typed.setPlaceholderText(tr("x, y, z, such as 100 mm, 0, 50 mm"))
        self.typed.setAccessibleName(tr("Point at which moments are read"))
        self.typed.returnPressed.connect(self._press)
        self.typed.hide()
        self.place_button = IconButton(
            theme,
            "tool_point",
            tr("Click the point in the scene"),
            26,
            16,
            checkable=True,
            clicked=self._take_place_tool,
        )
        self.button = QtWidgets.QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._press)
        self.plot = QtWidgets.QPushButton(tr("Plot"))
        self.plot.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.plot.setToolTip(
            tr(
                "Show the selected columns in the first plot; a column can be dragged into any of "
                "them"
            )
        )
        self.plot.clicked.connect(self.plot_columns)
        self._options, self._fault = Options(), ""
        self.csv = QtWidgets.QPushButton("CSV")
        self.csv.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.csv.setToolTip(tr("Write the table into a file, with every digit"))
        self.csv.clicked.connect(self._ask_file)
        self.copy = IconButton(theme, "copy", tr("Copy the table"), 26, 15, clicked=self._copy)
        self.progress = Bar(theme)
        self.check = label("", "residual")
        theme.fit(self.check, height=22)  # lower, the style sheet would leave its corners square
        self.words = wrapped("", "three")
        self.table = AnalysisTable(theme, studio)
        self.table.dragged.connect(self._drag)
        self.table.menu_requested.connect(self._menu)
        self.table.instant_chosen.connect(self._go_to)
        self.table.row_chosen.connect(self._look)
        self.table.row_taken.connect(self._place)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 6, 12, 6)
        box.setSpacing(6)
        # two lines, so that the panel needs no more width than a plot leaves it
        box.addWidget(row(self.kind, self.button, None, self.plot, self.csv, self.copy))
        box.addWidget(
            row(
                self.axes_choice,
                self.place_choice,
                self.typed,
                self.place_button,
                self.from_choice,
                self.motion,
                None,
                self.check,
                gap=6,
            )
        )
        for widget in (self.progress, self.words):
            box.addWidget(widget)
        box.addWidget(self.table, 1)
        # below the words while there is no table: the request stays at the top
        box.addStretch()
        for signal in (
            studio.questions.analyses.changed,
            studio.selection.changed,
            studio.tools.changed,
        ):
            signal.connect(self._follow)
        studio.tools.context.place_chosen.connect(self._take_place)
        studio.preferences.units_changed.connect(
            lambda: self.table.show_table(studio.questions.analyses.result)
        )
        self.refresh()

    def _bodies(self) -> list[tuple[str, str, str]]:
        m = self._studio.document.project.mechanism
        words = tr(self._kind.seen_from)
        return [
            (GROUND, tr(words, name=m.ground.name), ""),
            *((id, tr(words, name=b.name), "") for id, b in m.bodies.items()),
        ]

    def _axes(self) -> list[tuple[str, str, str]]:
        words = {
            "joint": tr("joint axes"),
            "world": tr("world axes"),
            "body": tr("axes of the body"),
        }
        return [(key, tr(words[key]), "") for key in self._kind.axes]

    @property
    def _axes_now(self) -> str:
        known = self._kind.axes
        return self.axes if self.axes in (known or AXES) else known[0]

    @property
    def _kind(self) -> AnalysisType:
        return ANALYSES[self.what]

    def _places(self) -> Iterator[tuple[str, str, str]]:
        """Choices of the point where torsors and moments are read: joints, origins of bodies, named
        points.
        """
        m = self._studio.document.project.mechanism
        usual = tr(self._kind.read_at or "at the joint")
        bodies = [(id, m.body(id)) for id in (GROUND, *m.bodies)]
        # one after the other: mostly only the first is requested, and a drawing has hundreds
        yield "", usual, ""
        yield TYPED, tr("at a typed point"), ""
        yield from ((id, tr("at {name}", name=j.name), "") for id, j in m.joints.items())
        yield from (
            (f"{id}.{point}", tr("at {name}", name=f"{body.name}.{point}"), "")
            for id, body in bodies
            for point in body.named_points()
        )

    def _point(self) -> Place | None:
        """Point where moments are read.  Raises ExpressionError for a typed point that cannot be
        read.
        """
        if not self._kind.read_at or not self.place:
            return None
        if self.place != TYPED:
            return self.place
        text = self.typed.text()
        parts = text.split(separator() if separator() in text else ",")
        if len(parts) != 3:
            raise ExpressionError(tr("A point needs three coordinates: x, y, z"))
        project = self._studio.document.project
        x, y, z = (
            evaluate(
                with_points(part),
                "length",
                parameter_values(project),
                unit("length", self._studio.preferences.units).symbol,
            )
            for part in parts
        )
        return (x, y, z)

    def _take_place_tool(self) -> None:
        """Start or end the choice of the point by a click in the scene."""
        bench = self._studio.tools
        if bench.tool.name == "place":
            bench.rest()
        else:
            bench.take("place")

    def _take_place(self, place: str | tuple[float, float, float]) -> None:
        """A joint or a point of W was clicked, or chosen in the list."""
        if isinstance(place, str):
            self.place = place
        else:
            factor, symbol = (u := unit("length", self._studio.preferences.units)).factor, u.symbol
            self.place = TYPED
            self.typed.setText(
                f"{separator()} ".join(f"{format_number(x / factor, 6)} {symbol}" for x in place)
            )
        self._ask()

    def ask_for(self, what: str, axes: str = "", place: str | None = None) -> None:
        """Request an analysis of the selection, as if it had been chosen here."""
        self.what, self.axes = what, axes or self.axes
        self.place = self.place if place is None else place
        self._studio.questions.analyses.cancel()
        self._ask()

    def _choose(self, key: str) -> None:
        self.what = key
        self._studio.questions.analyses.cancel()
        self._ask()

    def _take_axes(self, key: str) -> None:
        self.axes = key
        self._ask()

    def _take_body(self, key: str) -> None:
        self.seen_from = key
        self._ask()

    def _press(self) -> None:
        if self._studio.questions.analyses.state == "searching":
            self._studio.questions.analyses.cancel()
        else:
            self._ask()

    def _ask(self) -> None:
        if self._studio.document.has_bodies and not (
            "motion" in self._kind.options
            and not self.motion.text().strip()
            and not self._studio.document.project.mechanism.drives
        ):
            try:
                self._options, self._fault = self.options(), ""
                recording = self._studio.runs.recording
                parts = () if recording is None else recording.drawings
                self._studio.questions.analyses.request(self.what, self._options, parts)
            except ExpressionError as error:
                self._fault = str(error)
                self._studio.questions.analyses.cancel()
        self.refresh()

    def options(self) -> Options:
        """Options of the analysis from the present choice and selection."""
        studio, project = self._studio, self._studio.document.project
        m, chosen = project.mechanism, studio.selection.selected
        playback = studio.runs.playback
        duration = studio.document.project.settings.duration.value
        # a table of extremes uses every sample of the run, one of instants as many as can be read
        step = (
            project.settings.sample_step.value
            if self._kind.every_sample
            else max(project.settings.sample_step.value, duration / SHOWN)
        )
        motion = {}
        if "motion" in self._kind.options and "=" in self.motion.text():
            joint, _, text = self.motion.text().partition("=")
            motion = {joint.strip(): text.strip()}
        bodies = tuple(id for id in chosen if id in m.bodies)
        return Options(
            joints=tuple(id for id in chosen if id in m.joints),
            bodies=bodies,
            axes=self._axes_now,
            point=self._point(),
            frames=bodies[-1:] if "seen_from" in self._kind.options else bodies,
            seen_from=self.seen_from if self.seen_from in (GROUND, *m.bodies) else GROUND,
            time=playback.time if self._kind.at_cursor and playback.has_run else None,
            duration=duration,
            sample_step=step,
            motion=motion,
        )

    def _follow(self) -> None:
        # while it is not seen it need not follow: it does when it is shown
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the request, its progress and its result."""
        measuring = self._studio.questions.analyses
        searching, found = measuring.state == "searching", measuring.result
        for choice in (self.kind, self.axes_choice, self.place_choice, self.from_choice):
            choice.refresh()
        if self.place and self.place not in (key for key, _, _ in self._places()):
            self.place = ""
        self.axes_choice.setVisible(bool(self._kind.axes))
        self.place_choice.setVisible(bool(self._kind.read_at))
        self.typed.setVisible(bool(self._kind.read_at) and self.place == TYPED)
        self.place_button.setVisible(bool(self._kind.read_at))
        self.place_button.setEnabled(self._studio.document.has_bodies)
        self.place_button.setChecked(self._studio.tools.tool.name == "place")
        self.from_choice.setVisible("seen_from" in self._kind.options)
        self.motion.setVisible("motion" in self._kind.options)
        self.button.setText(tr("Cancel") if searching else tr("Analyse"))
        self.button.setEnabled(self._studio.document.has_bodies)
        self.progress.setVisible(searching)
        self.progress.set_value(round(100 * measuring.progress))
        self.copy.setEnabled(found is not None)
        self.csv.setVisible(found is not None)
        self.plot.setVisible(found is not None and bool(self._keys(found)))
        self.words.setText(self._words(found))
        self.words.setVisible(bool(self.words.text()))
        self.table.show_table(found)
        self.check.setVisible(found is not None and found.residual is not None)
        if found is not None and found.residual is not None:
            good = found.residual <= ANALYSES[found.what].tolerance
            set_property(self.check, "kind", "ok" if good else "warn")
            self.check.setText(("✓ " if good else "⚠ ") + format_number(found.residual, 2))
            self.check.setToolTip(
                tr(
                    "Residual of the analysis' own check: {value}",
                    value=format_number(found.residual, 3),
                )
            )
        self.noted.emit("")

    def _words(self, found: Measured | None) -> str:
        measuring = self._studio.questions.analyses
        if self._fault:
            return self._fault
        if measuring.sentence and found is None:
            return measuring.sentence
        if found is not None:
            return " ".join(tr(note) for note in found.notes)
        if measuring.state == "searching":
            return tr("The motion is being analysed.")
        use, needs = tr(self._kind.summary), tr(self._kind.needs) if self._kind.needs else ""
        return f"{use[:1].upper() + use[1:]}. {needs}".strip()

    def _keys(self, found: Measured) -> dict[int, str]:
        """The channels of the table's columns, by column."""
        return keys_of_columns(
            self._studio.document.project.mechanism, found.what, self._options, found.columns
        )

    def _chosen(self) -> list[str]:
        """The channels of the selected columns."""
        found = self._studio.questions.analyses.result
        return (
            []
            if found is None
            else [key for c, key in self._keys(found).items() if c in self.table.chosen()]
        )

    def plot_columns(self) -> None:
        """The selected columns, or where none is selected the first ones, alone in the first plot;
        a run is made where there is none.
        """
        found = self._studio.questions.analyses.result
        if found is not None:
            first = shown_plots(self._studio.document.project)[0].id
            self._show(first, self._chosen() or list(self._keys(found).values())[:FIRST], True)

    def _show(self, plot: str, keys: list[str], alone: bool) -> None:
        studio = self._studio
        project = studio.document.project
        choose(
            studio.document,
            studio.notifications,
            tr("Plot {name}", name=tr(self._kind.label).lower()),
            lambda: (
                instead(project, plot, keys) if alone else with_curves(project, plot, keys, True)
            ),
        )
        if studio.runs.recording is None:
            studio.runs.simulate()

    def _drag(self) -> None:
        found, keys = self._studio.questions.analyses.result, self._chosen()
        if found is not None and keys:
            words = [
                heading(found.columns[c]) for c, key in self._keys(found).items() if key in keys
            ]
            drag(
                self.table,
                keys,
                words[0]
                if len(words) == 1
                else tr("{name} and {count} more", name=words[0], count=len(words) - 1),
            )

    def _menu(self, place: QtCore.QPoint) -> None:
        menu = self.column_menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def column_menu(self) -> QtWidgets.QMenu:
        """Into which plot the selected columns can go."""
        menu, keys = QtWidgets.QMenu(self), self._chosen()
        for alone, words in ((True, tr("Show in {plot}")), (False, tr("Add to {plot}"))):
            for plot in shown_plots(self._studio.document.project):
                action = menu.addAction(tr(words, plot=tr(plot.title)).replace("&", "&&"))
                action.setEnabled(bool(keys))
                action.triggered.connect(
                    lambda _=False, id=plot.id, alone=alone: self._show(id, keys, alone)
                )
            menu.addSeparator()
        if not keys:
            menu.addAction(tr("Only columns over the time can be plotted")).setEnabled(False)
        return menu

    def _look(self, row: int) -> None:
        """Show the mechanism in the pose of a row, where it has one; the drawing stays."""
        found, shown = self._studio.questions.analyses.result, self._studio.free_motion
        if found is not None and row < len(found.poses):
            self._studio.runs.playback.pause()
            shown.look_at(found.poses[row].poses, tr(found.labels[row]) if found.labels else "")
            self.noted.emit(tr("number {number} is shown", number=row + 1))

    def _place(self, row: int) -> None:
        """Place the drawing in the pose of a row, where it has one; one step to undo."""
        found = self._studio.questions.analyses.result
        if found is not None and row < len(found.poses):
            self._studio.free_motion.stop()
            words = found.labels[row] if found.labels else ""
            step = tr("Rest at number {number}, {words}", number=row + 1, words=words)
            simulate.put_together(self._studio, found.poses[row], step)

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        found = self._studio.questions.analyses.result
        if found is not None and found.poses:
            self._studio.free_motion.stop()

    def _go_to(self, time: float) -> None:
        """Bring the time cursor to an instant [s]; a run is taken or made where there is none."""
        runs = self._studio.runs
        if runs.recording is None and runs.find_known() is None:
            self._studio.notifications.say(
                Message("info", tr("There is no run yet: press Space"), "analyses")
            )
            return
        runs.playback.pause()
        runs.playback.seek(time)

    def _ask_file(self) -> None:
        """Ask for a file for the table."""
        ask_target(
            self,
            self._studio.preferences.stored.folder,
            tr("Write the table"),
            {tr("{label} (*{suffix})", label=tr(LABELS[".csv"]), suffix=".csv"): ".csv"},
            f"{self.what}.csv",
            lambda path: write(
                path,
                tables.content(self.table.file_columns(), ".csv"),
                self._studio.notifications,
            ),
            "write_table",
        )

    def _copy(self) -> None:
        QtGui.QGuiApplication.clipboard().setText(self.table.text())
