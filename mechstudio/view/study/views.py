"""Views of a study: a row for each, and the pane that shows one of them."""

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.translation import tr
from mechstudio.view.study.pictures.axes import Cloud, Family, Histogram, Tornado
from mechstudio.view.study.pictures.figure import StudyView
from mechstudio.view.study.pictures.heat_map import HeatMap
from mechstudio.view.study.pictures.parallel import ParallelAxes
from mechstudio.view.study.pictures.scatter import ScatterMatrix
from mechstudio.view.study.pictures.search_pictures import BestSoFar, Compromises
from mechstudio.view.study.table import StudyTableView
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import label, row

Qt = QtCore.Qt


def _has_sides(shown: StudyShown) -> bool:
    return len(shown.sides) >= 2


VIEWS = (
    StudyView("map", "Map", HeatMap, True, _has_sides),
    StudyView("best", "Best so far", BestSoFar, True),
    StudyView("front", "Compromises", Compromises),
    StudyView("cloud", "Points", Cloud, True),
    StudyView("family", "Over the time", Family, True),
    StudyView("histogram", "Histogram", Histogram, True),
    StudyView("tornado", "What matters", Tornado, True),
    StudyView("parallel", "All runs", ParallelAxes),
    StudyView("scatter", "All pairs", ScatterMatrix),
    StudyView("table", "Table", StudyTableView),
)
BY_KEY = {view.key: view for view in VIEWS}


class Pane(QtWidgets.QFrame):
    """One view, chosen in its head; views are made when they are first shown."""

    def __init__(self, theme: Theme, shown: StudyShown, key: str) -> None:
        super().__init__()
        self.setObjectName("studypane")
        self._theme, self._shown, self.key = theme, shown, key
        self.is_chosen = False  # by hand
        self.views: dict[str, QtWidgets.QWidget] = {}
        self.kind = Choice(
            theme,
            tr("View"),
            lambda: [(v.key, tr(v.label), "") for v in VIEWS],
            lambda: self.key,
            self._choose,
        )
        self.measure = Choice(
            theme,
            tr("Measure that is shown"),
            lambda: [(str(k), shown.columns[k].name, "") for k in shown.measures],
            lambda: "" if shown.measure is None else str(shown.measure),
            lambda key: shown.show_measure(int(key)),
        )
        self.measure.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed
        )
        self.count = label("", "three")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.count.setMinimumWidth(1)
        self.head = row(self.kind, self.measure, self.count, margins=(10, 6, 10, 4), gap=8)
        self.head.box.setStretch(1, 1)
        self.head.box.setStretch(2, 1)
        self.extras = self.head.box
        self._stack = QtWidgets.QStackedWidget()
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.head)
        box.addWidget(self._stack, 1)
        for signal in (shown.rows_changed, shown.kept_changed):
            signal.connect(self.refresh)
        self.show_view(key)

    def _choose(self, key: str) -> None:
        self.is_chosen = True
        self.show_view(key)

    def show_view(self, key: str) -> None:
        """Show another view."""
        self.key = key
        if key not in self.views:
            self.views[key] = BY_KEY[key].make(self._theme, self._shown)
            self._stack.addWidget(self.views[key])
        self._stack.setCurrentWidget(self.views[key])
        self.refresh()

    @property
    def view(self) -> QtWidgets.QWidget:
        return self.views[self.key]

    def refresh(self) -> None:
        """Head as it is now."""
        shown = self._shown
        self.kind.refresh()
        measured = BY_KEY[self.key].measured and bool(shown.measures)
        self.measure.setVisible(measured)
        if measured:
            self.measure.refresh()
        table = shown.table
        kept = int(shown.kept.sum()) if table is not None and shown.ranges else None
        self.count.setVisible(not measured)
        self.count.setText(
            tr("drag along an axis to keep a range")
            if self.key == "parallel" and kept is None
            else ""
            if kept is None or table is None
            else tr("{kept:,} of {done:,}", kept=kept, done=table.done)
        )
