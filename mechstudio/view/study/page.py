"""The study over the whole room of the window: its setup at the left, views in the middle, the run
that is chosen at the right, below the scene.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help.pages import Topic
from mechstudio.application.notifications import Message
from mechstudio.application.plots.export import LABELS
from mechstudio.application.studies import changes, fits
from mechstudio.application.studies.runs import KEY
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.curves import tables
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.study.chosen_row import ChosenRow
from mechstudio.view.study.fitting.curves import FitView
from mechstudio.view.study.fitting.result import FitResultPanel
from mechstudio.view.study.progress import ProgressLine
from mechstudio.view.study.run_scene import RunScene
from mechstudio.view.study.setup import SetupColumn
from mechstudio.view.study.table import StudyTableView
from mechstudio.view.study.views import Pane
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import IconButton, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
# widths of the columns at the sides [px at the normal text size], in a window that is wide or not
LEFT, RIGHT, WIDE = (300, 272), (330, 248), 1500
SCENE = 0.42  # share of the height that the scene takes
# views of the four panes: with two parameters on a grid, with one, with drawn ones
USUAL = {
    "grid": ("map", "family", "parallel", "table"),
    "one": ("cloud", "family", "parallel", "table"),
    "drawn": ("cloud", "tornado", "histogram", "table"),
    "search": ("best", "family", "parallel", "table"),
    "compromises": ("front", "family", "parallel", "table"),
}


class StudyPage(QtWidgets.QWidget):
    """Made with the first study and hidden when it is left."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window.host)
        self.setObjectName("study")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._window, self._theme, self._studio = window, window.theme, window.studio
        self.files = FileMaking(window.studio.notifications, self)
        studio = window.studio
        self.shown = StudyShown(studio.document, studio.studies, studio.preferences)
        self.setup = SetupColumn(self._theme, studio, self.shown)
        self.setup.closed.connect(self.leave)
        self.setup.remade.connect(self.setFocus)
        self.progress = ProgressLine(self._theme, self.shown, studio.studies, self.start)
        self.panes = [Pane(self._theme, self.shown, key) for key in USUAL["grid"]]
        self.chosen_row = ChosenRow(self._theme, self.shown, self.apply, self.keep)
        self.fit_view = FitView(self._theme, self.shown)
        self.fit_result = FitResultPanel(self._theme, self.shown, self.apply_fit, self.ask_fit_file)
        self.csv = QtWidgets.QPushButton("CSV")
        self.csv.setToolTip(tr("Write the table into a file, with every digit"))
        self.csv.clicked.connect(lambda _=False: self.ask_file())
        self.copy = QtWidgets.QPushButton(tr("Copy"))
        self.copy.setToolTip(tr("Copy the rows that are kept"))
        self.copy.clicked.connect(lambda _=False: self.copy_rows())
        for button in (self.csv, self.copy):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.panes[3].extras.addWidget(button)
        self.ask = IconButton(
            self._theme,
            "help",
            tr("Help on studies"),
            24,
            16,
            clicked=lambda: window.docks.open_help(Topic("studies")),
        )
        self.run_scene = RunScene(
            self._theme, studio, self.shown, lambda: self.is_on, window.show_poses
        )
        window.marks.beside = self.run_scene.ghost
        self.run_scene.chip.setParent(window.host)
        self._lay_out()
        self.shown.rows_changed.connect(self._arrange)
        studio.files.opened.connect(self._opened)
        studio.document.changed.connect(lambda old, new: self._follow())
        self._theme.resized.connect(self.place)
        self.hide()

    def _lay_out(self) -> None:
        left = Scroll(self.setup)
        left.setObjectName("studyside")
        grid = QtWidgets.QSplitter(Qt.Orientation.Vertical)
        for pair, shares in ((self.panes[:2], (55, 45)), (self.panes[2:], (60, 40))):
            line = QtWidgets.QSplitter(Qt.Orientation.Horizontal)
            for pane, share in zip(pair, shares, strict=True):
                line.addWidget(pane)
                line.setStretchFactor(line.count() - 1, share)
            line.setChildrenCollapsible(False)
            line.setHandleWidth(1)
            line.setSizes([10 * share for share in shares])
            grid.addWidget(line)
        grid.setChildrenCollapsible(False)
        grid.setHandleWidth(1)
        grid.setSizes([560, 440])
        top = row(self.progress, self.ask, margins=(0, 0, 8, 0), gap=0)
        top.box.setStretch(0, 1)
        words = tr(
            "Choose at the left what varies and what is measured, then run the study. Every run "
            "becomes a point, a line and a row here."
        )
        invitation = wrapped(words, "two")
        invitation.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._theme.fit(invitation, width=360)
        # before the first run, in place of the views
        self.blank = row(None, row(None, invitation, None), None, vertical=True)
        middle = row(top, grid, self.blank, self.fit_view, vertical=True, gap=0)
        for place in (1, 2, 3):
            middle.box.setStretch(place, 1)
        self._grid = grid
        self._slot = QtWidgets.QWidget()  # where the scene stands
        self._slot.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        answer = Scroll(row(self.chosen_row, self.fit_result, vertical=True, gap=0))
        right = row(self._slot, answer, vertical=True, gap=0)
        right.box.setStretch(1, 1)
        right.setObjectName("studyside")
        self._left, self._right = left, right
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(left)
        box.addWidget(middle, 1)
        box.addWidget(right)

    # coming and going

    @property
    def is_on(self) -> bool:
        """True while it has the room of the window."""
        return self._window.room.guest is self

    def enter(self) -> None:
        """Show the studies of the project; the first one is made where there is none."""
        window = self._window
        if self.is_on:
            return
        window.room.take(self)
        if self.shown.setup is None:
            studies = self._studio.document.project.studies
            id = studies[0].id if studies else changes.new_study(self._studio.document)
            self.shown.choose_study(id)
        self.setup.refresh(True)
        self._arrange()
        self.show()
        self.place()
        self.raise_()
        window.viewport.raise_()
        window.banners.raise_()
        self.run_scene.want()
        window.viewport.framing.fit()
        self.setFocus()
        window.actions_.refresh()

    def leave(self) -> None:
        """Give the window back as it was; a study that runs goes on."""
        if self.is_on:
            self._window.room.restore()

    def left(self) -> None:
        """Release the resources that only the page needs."""
        self._studio.studies.rest()
        self.shown.hover(None)
        self.run_scene.chip.hide()
        if self.setup.chooser is not None:
            self.setup.chooser.close()

    def _opened(self) -> None:
        studies = self._studio.document.project.studies
        self.shown.choose_study(studies[0].id if studies else "")
        if self.is_on and not studies:
            self.leave()
        self.setup.refresh()

    def _follow(self) -> None:
        """The study that is shown may be gone by an undo."""
        if self.is_on and self.shown.setup is None:
            studies = self._studio.document.project.studies
            if studies:
                self.shown.choose_study(studies[-1].id)
                self.setup.refresh()
            else:
                self.leave()

    def place(self) -> None:
        """Take the room of the scene, which stands in the right column."""
        if not self.is_on:
            return
        window, dp = self._window, self._theme.dp
        host = window.host
        narrow = host.width() / self._theme.scale < WIDE
        self._left.setFixedWidth(min(dp(LEFT[narrow]), round(0.26 * host.width())))
        self._right.setFixedWidth(min(dp(RIGHT[narrow]), round(0.28 * host.width())))
        self._slot.setFixedHeight(round(SCENE * host.height()))
        self.setGeometry(host.rect())
        layout = self.layout()
        if layout is not None:
            layout.activate()
        for inner in self._right.findChildren(QtWidgets.QLayout):
            inner.activate()
        room = QtCore.QRect(
            host.width() - self._right.width(), 0, self._right.width(), self._slot.height()
        )
        window.viewport.setGeometry(room)
        window.viewport.raise_()
        window.viewport.look.set_covered([])
        chip = self.run_scene.chip
        chip.move(room.left() + dp(10), dp(10))
        chip.show()
        chip.raise_()
        window.banners.place(
            QtCore.QRect(
                self._left.width() + 12,
                dp(48),
                room.left() - self._left.width() - 24,
                host.height(),
            )
        )
        window.banners.raise_()

    def _arrange(self) -> None:
        """Views that fit the study, in panes whose view was not chosen by hand."""
        table, setup = self.shown.table, self.shown.setup
        is_fit = setup is not None and setup.is_fit
        for part in (self.fit_view, self.fit_result):
            part.setVisible(is_fit)
        self._grid.setVisible(not is_fit and table is not None)
        self.blank.setVisible(not is_fit and table is None)
        self.chosen_row.setVisible(not is_fit)
        if table is None:
            return
        grid = len(self.shown.sides)
        key = "grid" if grid >= 2 else "one" if table.varied.shape[1] == 1 and grid else "drawn"
        if setup is not None and setup.is_search:
            key = "compromises" if len(self.shown.goals) > 1 else "search"
        for pane, view in zip(self.panes, USUAL[key], strict=True):
            if not pane.is_chosen and pane.key != view:
                pane.show_view(view)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.shown.chosen is not None:
            self.apply(self.shown.chosen)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.fit_result.isVisible():
            self.apply_fit()
        else:
            super().keyPressEvent(event)

    # what is done

    def start(self) -> None:
        """Run the study from its first missing row on."""
        study = self.shown.setup
        if study is None:
            return
        document = self._studio.document
        problem = changes.counted(document.project, study)[2]
        problem = problem or (fits.problem_of_file(document, study) if study.is_fit else "")
        if problem:
            self._say("error", problem)
        else:
            self._studio.notifications.withdraw(KEY)
            self._studio.studies.start(study.id, self.setup.cluster)

    def apply(self, row: int) -> None:
        """Give the drawing the numbers of a row."""
        units = self._studio.preferences.units
        reason = changes.apply(self._studio.document, self.shown, row, units)
        if reason:
            self._say("error", reason)

    def apply_fit(self) -> None:
        """Give the drawing the numbers of the fit."""
        study, run = self.shown.setup, self.shown.run
        if study is None or run is None or run.fit is None:
            return
        units = self._studio.preferences.units
        if reason := changes.apply_fit(self._studio.document, study, run.fit, units):
            self._say("error", reason)

    def keep(self, row: int) -> None:
        """Run the drawing with the numbers of a row, and keep the run."""
        study, project = self.shown.setup, self._studio.document.project
        if study is None:
            return
        try:
            drawing = changes.with_row(project, self.shown, row, self._studio.preferences.units)
        except ExpressionError as error:
            self._say("error", str(error))
            return
        words = tr("{name}, run {number}", name=study.name, number=row + 1)
        self._studio.runs.simulate_beside(drawing, words)

    def _say(self, kind: str, text: str) -> None:
        self._studio.notifications.say(Message(kind, text, KEY))

    def copy_rows(self) -> None:
        """Put the kept rows on the clipboard."""
        view = self._table()
        QtGui.QGuiApplication.clipboard().setText(view.text())

    def _table(self) -> StudyTableView:
        found = next(
            (v for p in self.panes for v in p.views.values() if isinstance(v, StudyTableView)), None
        )
        return found if found is not None else StudyTableView(self._theme, self.shown)

    def ask_file(self) -> None:
        """Ask for a file, and write the whole table into it."""
        table, study = self.shown.table, self.shown.setup
        if table is None or study is None:
            return
        units = self._studio.preferences.units
        self._ask_target(
            study.name,
            lambda path: tables.content(table.columns(units), path.suffix or ".csv"),
        )

    def ask_fit_file(self) -> None:
        """Ask for a file, and write the answer of the fit into it."""
        study, run = self.shown.setup, self.shown.run
        answer = None if run is None else run.fit
        if study is None or answer is None:
            return
        units = self._studio.preferences.units
        self._ask_target(
            tr("{name}, fit", name=study.name),
            lambda path: fits.table_of(answer, path, units, study.data),
        )

    def _ask_target(self, name: str, content: Callable[[Path], bytes]) -> None:
        self.dialog = ask_target(
            self,
            self._studio.preferences.stored.folder,
            tr("Write the table"),
            {
                tr("{label} (*{suffix})", label=tr(LABELS[ending]), suffix=ending): ending
                for ending in (".csv", ".npz")
            },
            f"{name}.csv",
            lambda path: self.files.make(path, lambda: content(path)),
            "write_study",
        )
