"""Answer of a helper: its sentence, figures before and after, pictures, tables and notes."""

import math

from PySide6 import QtCore, QtWidgets

from mechstudio.model.sizing.answer import Sized, SizedTable
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import tr
from mechstudio.view.sizing.picture import PictureView
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label, row, wrapped

Qt = QtCore.Qt
DIGITS = 4
ROW = 22  # height of a line of a table [px at the normal text size]
MOST_ROWS = 10  # that a table shows without its own scroller


class Results(QtWidgets.QWidget):
    """All of one answer, made again for each."""

    def __init__(self, theme: Theme, sized: Sized, system: str) -> None:
        super().__init__()
        self.sized = sized
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 4)
        box.setSpacing(10)
        self.sentence = wrapped(sized.sentence, "title")
        box.addWidget(self.sentence)
        if sized.figures:
            box.addWidget(_figures(sized, system))
        if sized.pictures:
            views = [PictureView(theme, picture, system) for picture in sized.pictures]
            box.addWidget(row(*views, gap=18))
        for table in sized.tables:
            box.addWidget(label(table.title, "title"))
            box.addWidget(ResultTable(theme, table, system))
        for note in sized.notes:
            box.addWidget(wrapped(note, "three"))


def _figures(sized: Sized, system: str) -> QtWidgets.QWidget:
    """Names, and numbers before and after beside each other."""
    frame = QtWidgets.QWidget()
    grid = QtWidgets.QGridLayout(frame)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(3)
    compares = any(not math.isnan(f.before) for f in sized.figures)
    right = Qt.AlignmentFlag.AlignRight
    if compares:
        for column, word in ((1, tr("before")), (2, tr("after"))):
            grid.addWidget(label(word, "three"), 0, column, right)
    for k, figure in enumerate(sized.figures, 1):
        grid.addWidget(label(figure.label, "two"), k, 0)
        shown = lambda value: format_value(value, figure.dimension, system, DIGITS)
        if not math.isnan(figure.before):
            grid.addWidget(label(shown(figure.before), "two"), k, 1, right)
        grid.addWidget(
            label(shown(figure.value), "", selectable=True), k, 2 if compares else 1, right
        )
    grid.setColumnStretch(3, 1)
    return frame


class ResultTable(QtWidgets.QTableWidget):
    """One table of an answer; a number that does not do is marked, and the last column says what
    fails.
    """

    def __init__(self, theme: Theme, table: SizedTable, system: str) -> None:
        marked = any(table.marks)
        super().__init__(len(table.labels), len(table.columns) + marked)
        self.setObjectName("numbers")
        self.setAccessibleName(table.title)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        shown = [unit(d, system) for d in table.dimensions]
        heads = [
            # two lines at most: names of two words are narrower so
            f"{column}\n{u.symbol}" if u.symbol else column.replace(" ", "\n", 1)
            for column, u in zip(table.columns, shown, strict=True)
        ]
        self.setHorizontalHeaderLabels([*heads, ""] if marked else heads)
        fails = table.fails or ((),) * len(table.labels)
        # the sign stands before the name, so that it is seen in a narrow panel too
        signs = ["⚠ " if fail else "✓ " for fail in fails] if table.fails else [""] * len(fails)
        self.setVerticalHeaderLabels(
            [sign + name for sign, name in zip(signs, table.labels, strict=True)]
        )
        for r, numbers in enumerate(table.rows):
            for c, (value, u) in enumerate(zip(numbers, shown, strict=True)):
                item = QtWidgets.QTableWidgetItem(format_number(value / u.factor, DIGITS))
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if c in fails[r]:
                    item.setForeground(theme.color("warn"))
                self.setItem(r, c, item)
            if marked:
                item = QtWidgets.QTableWidgetItem(table.marks[r])
                item.setForeground(theme.color("warn" if fails[r] else "text2"))
                self.setItem(r, len(table.columns), item)
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.verticalHeader().setDefaultSectionSize(theme.dp(ROW))
        for c in range(self.columnCount()):
            wide = max(self.sizeHintForColumn(c), self.horizontalHeader().sectionSizeHint(c))
            self.setColumnWidth(c, wide + theme.dp(12))
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        lines = min(len(table.labels), MOST_ROWS)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + lines * theme.dp(ROW) + theme.dp(12))
