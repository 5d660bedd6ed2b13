"""A card that lists what of a file of another program did not come along."""

from collections.abc import Sequence

from PySide6 import QtWidgets

from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import row, wrapped


def show_notes(
    theme: Theme, host: QtWidgets.QWidget, name: str, notes: Sequence[str]
) -> Sheet | None:
    """List the omitted content of a file, one line each; nothing if it is complete."""
    if not notes:
        return None
    sheet = Sheet(theme, host, 560)
    sheet.setObjectName("import notes")
    sheet.box.addWidget(wrapped(tr("{name} is open", name=name), "title"))
    sheet.box.addWidget(
        wrapped(tr("Not all of it has a counterpart here. What was left out or changed:"), "two")
    )
    for note in notes:
        sheet.box.addWidget(wrapped(f"•  {note}"))
    done = QtWidgets.QPushButton(tr("Continue"))
    done.setObjectName("strong")
    done.clicked.connect(sheet.close_sheet)
    copy = QtWidgets.QPushButton(tr("Copy list"))
    copy.clicked.connect(lambda: QtWidgets.QApplication.clipboard().setText("\n".join(notes)))
    sheet.box.addSpacing(4)
    sheet.box.addWidget(row(None, copy, done, gap=8))
    sheet.open()
    done.setFocus()
    return sheet
