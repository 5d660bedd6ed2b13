"""The badge over the scene that names the work plane, with its menu and its lock."""

from collections.abc import Callable, Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, set_property

Qt = QtCore.Qt
LONGEST = 34  # letters of a plane's name that are shown


class PlaneBadge(QtWidgets.QFrame):
    """Says in words in which plane drawing goes on.   sized(): it needs other room."""

    sized = QtCore.Signal()

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        actions: Sequence[QtGui.QAction | None],
        lock: Callable[[], object],
        host: QtWidgets.QWidget,
    ) -> None:
        """actions: of the menu, None for a line.  lock: lock the plane, or unlock it."""
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio = theme, studio
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(2, 2, 2, 2)
        box.setSpacing(0)
        self.button = QtWidgets.QToolButton()
        self.button.setObjectName("plane")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        theme.fit(self.button, height=26, icon=16)
        menu = QtWidgets.QMenu(self.button)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        self.button.setMenu(menu)
        self.lock = IconButton(theme, "unlock", "", 26, 15, checkable=True)
        self.lock.clicked.connect(lambda: lock())
        box.addWidget(self.button)
        box.addWidget(self.lock)
        theme.follow(self._show)
        studio.tools.plane_changed.connect(self._show)
        studio.files.opened.connect(self._show)
        self._show()

    def _show(self) -> None:
        context = self._studio.tools.context
        name = tr(context.plane.name)
        self.button.setIcon(self._theme.icon("tool_plane", "text2", 16))
        self.button.setText(f" {name}" if len(name) <= LONGEST else f" {name[: LONGEST - 1]}…")
        self.button.setToolTip(tr("Work plane: {name}. W chooses another.", name=name))
        self.button.setAccessibleName(tr("Work plane: {name}", name=name))
        self.lock.set_icon(
            "lock" if context.locked else "unlock",
            tr("The plane stays where it is; click to let it follow what is drawn on")
            if context.locked
            else tr("The plane follows what is drawn on; click to keep it where it is"),
        )
        self.lock.setChecked(context.locked)
        set_property(self.button, "locked", context.locked)
        self.adjustSize()
        self.sized.emit()
