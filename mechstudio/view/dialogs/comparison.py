"""A card that says how the drawing differs from another file, and lays both motions beside each
other.
"""

from PySide6 import QtWidgets

from mechstudio.application.actions.comparison import sentences, show_motions
from mechstudio.application.studio import Studio
from mechstudio.model.project import Project
from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import row, wrapped


class ComparisonSheet(Sheet):
    """Differences from a file, one line each.  motions: the button that shows both motions."""

    def __init__(
        self,
        theme: Theme,
        host: QtWidgets.QWidget,
        studio: Studio,
        name: str,
        other: Project,
    ) -> None:
        """name: of the file; other: its drawing."""
        super().__init__(theme, host, 560)
        self.setObjectName("comparison")
        found = sentences(studio, other)
        self.box.addWidget(wrapped(tr("From {name} to this drawing", name=name), "title"))
        if not found:
            self.box.addWidget(wrapped(tr("They are the same drawing."), "two"))
        for sentence in found:
            self.box.addWidget(wrapped(f"•  {sentence}"))
        self.motions = QtWidgets.QPushButton(tr("Show both motions"))
        self.motions.setObjectName("strong")
        self.motions.setEnabled(bool(found))
        copy = QtWidgets.QPushButton(tr("Copy list"))
        copy.setEnabled(bool(found))
        close = QtWidgets.QPushButton(tr("Close"))

        def show() -> None:
            self.close_sheet()
            show_motions(studio, other, name)

        self.motions.clicked.connect(show)
        copy.clicked.connect(lambda: QtWidgets.QApplication.clipboard().setText("\n".join(found)))
        close.clicked.connect(self.close_sheet)
        self.box.addSpacing(4)
        self.box.addWidget(row(copy, None, close, self.motions, gap=8))
        self.open()
