"""The colour of one body or of several, to choose by name."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.choice import counted
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.project import Project
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import dot

Qt = QtCore.Qt
COLORS: tuple[Words, ...] = ("Blue", "Orange", "Green", "Pink", "Ochre", "Sky", "Olive", "Grey")
CAST: Words = "Cast iron"


class ColorChoice(QtWidgets.QPushButton):
    """Shows the bodies' colour, and sets it on all of them in one step."""

    def __init__(self, theme: Theme, studio: Studio, ids: Callable[[], tuple[str, ...]]) -> None:
        super().__init__()
        self._theme, self._studio, self._ids = theme, studio, ids
        self.setObjectName("value")
        theme.fit(self, height=26)
        self.setAccessibleName(tr("Colour"))
        menu = QtWidgets.QMenu(self)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.setMenu(menu)
        self.refresh()

    def _fill(self, menu: QtWidgets.QMenu) -> None:
        # a menu's style leaves no room for its icons' dots: they stand in the text's place as
        # pictures
        menu.clear()
        for k, name in (*enumerate(COLORS), (-1, tr(CAST))):
            action = menu.addAction(
                QtGui.QIcon(dot(self._theme.body(k), self._theme.dp(10), self._theme.dp(14))),
                tr(name),
            )
            action.setIconVisibleInMenu(True)
            action.triggered.connect(lambda _=False, k=k, name=name: self._choose(k, name))

    def _choose(self, color: int, name: str) -> None:
        project: Project = self._studio.document.project
        ids = self._ids()
        joint_label = (
            counted(project, ids) if len(ids) > 1 else self._studio.document.name(next(iter(ids)))
        )
        for id in ids:
            project = elements.set_attribute(project, id, color=color)
        self._studio.document.commit(
            tr("Colour of {joint_label} {name}", joint_label=joint_label, name=name.lower()),
            project,
        )

    def refresh(self) -> None:
        """Show the colour; that of several is one word only where it is one."""
        colors = dict.fromkeys(
            fields.find(self._studio.document.project, id).color for id in self._ids()
        )
        # the style leaves no room before the icon, so the icon brings it
        dp = self._theme.dp
        picture = QtGui.QPixmap(2 * (dp(16) + dp(8) * (len(list(colors)[:4]) - 1)) + 12, 2 * dp(16))
        picture.setDevicePixelRatio(2)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(picture)
        for k, color in enumerate(list(colors)[:4]):
            painter.drawPixmap(
                6 + k * dp(8), 0, dot(self._theme.body(color), dp(10), dp(16), ratio=2.0)
            )
        painter.end()
        self.setIcon(QtGui.QIcon(picture))
        self.setIconSize(QtCore.QSize(picture.width() // 2, dp(16)))
        color = next(iter(colors))
        self.setText(
            tr("Different")
            if len(colors) > 1
            else tr(CAST if color < 0 else COLORS[color % len(COLORS)])
        )
