"""A card that asks for a name."""

from collections.abc import Callable

from PySide6 import QtWidgets

from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import row, wrapped


def ask_name(
    theme: Theme,
    host: QtWidgets.QWidget,
    title: str,
    name: str,
    verb: str,
    then: Callable[[str], object],
) -> Sheet:
    """Ask for a name.  name: initial text of the field.  verb: of the button.  then(name)."""
    sheet = Sheet(theme, host, 340)
    field = QtWidgets.QLineEdit(name)
    field.setAccessibleName(title)
    field.setMaxLength(60)
    no, yes = QtWidgets.QPushButton(tr("Cancel")), QtWidgets.QPushButton(verb)
    yes.setObjectName("strong")

    def done() -> None:
        text = field.text()
        sheet.close_sheet()
        then(text)

    no.clicked.connect(sheet.close_sheet)
    yes.clicked.connect(done)
    field.returnPressed.connect(done)
    sheet.box.addWidget(wrapped(title, "title"))
    frame = row(field, margins=(8, 5, 8, 5))
    frame.setObjectName("field")
    sheet.box.addWidget(frame)
    sheet.box.addSpacing(4)
    sheet.box.addWidget(row(None, no, yes, gap=8))
    sheet.open()
    field.setFocus()
    field.selectAll()
    return sheet
