"""Count of hidden elements at the foot of the model tree.  A click shows them."""

from PySide6 import QtGui, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

LISTED = 12


class HiddenNote(QtWidgets.QPushButton):
    """ "3 hidden"; not there while nothing is.  The tooltip names them."""

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.setObjectName("line")
        self.clicked.connect(lambda: edit.show_all(studio))
        theme.follow(self._paint)
        self._paint()
        studio.document.changed.connect(lambda old, new: self.refresh())
        self.refresh()

    def _paint(self) -> None:
        self.setIcon(QtGui.QIcon(self._theme.pixmap("eye_off", "text2", 14)))

    def refresh(self) -> None:
        names = [name for _, name in edit.hidden(self._studio)]
        self.setVisible(bool(names))
        self.setText(tr("{count} hidden", count=len(names)))
        more = [tr("and {count} more", count=len(names) - LISTED)] if len(names) > LISTED else []
        self.setToolTip("\n".join([*names[:LISTED], *more, tr("Click to show everything.")]))
