"""The bar above everything: mark, file name, menus, workspaces, search, theme."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio

from ..i18n import tr
from ..pieces import Elided, IconButton, Picture, Segment, label
from ..theme import Theme

Qt = QtCore.Qt
WORKSPACES = (("build", "Build"), ("analyse", "Analyse"), ("explain", "Explain"))


class Search(QtWidgets.QFrame):
    """Looks like a field; a click opens the palette."""

    def __init__(self, theme: Theme, clicked: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("search")
        self.setFixedHeight(theme.dp(28))
        self.setMinimumWidth(theme.dp(134))
        self.setMaximumWidth(theme.dp(190))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Find any action, body, joint or sample (Ctrl+K)"))
        self._clicked = clicked
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(9, 0, 7, 0)
        box.setSpacing(6)
        box.addWidget(Picture(theme, "search", "text3", 15))
        box.addWidget(label(tr("Search"), "three"))
        box.addStretch(1)
        box.addWidget(label("Ctrl K", "key"))

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(190, 28)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._clicked()


class TopBar(QtWidgets.QFrame):
    """`menu` is the window's menu bar; `workspace` the segment of layouts."""

    def __init__(self, theme: Theme, studio: Studio, trigger: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(theme.dp(44))
        self._studio, self._theme = studio, theme
        self.file = Elided("", "title")
        self.file.setMaximumWidth(theme.dp(220))
        self.modified = label("•", "title")
        self.modified.setToolTip(tr("Changed since it was saved"))
        self.menu = QtWidgets.QMenuBar()
        self.menu.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)
        self.workspace = Segment(tuple((key, tr(word)) for key, word in WORKSPACES))
        self.workspace.chosen.connect(lambda key: trigger(f"workspace_{key}"))
        self.search = Search(theme, lambda: trigger("palette"))
        self.theme_button = IconButton(theme, "theme", tr("Light or dark"), clicked=lambda: trigger("theme_light" if theme.name == "dark" else "theme_dark"))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 10, 0)
        box.setSpacing(8)
        # three parts; the outer two share what is left, so that the workspaces stand in the middle
        left, right = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for part in (left, right):
            part.setSpacing(8)
        left.addWidget(Picture(theme, "tool_link", "accent", 20, 2))
        left.addWidget(self.file)
        left.addWidget(self.modified)
        left.addWidget(self.menu)
        left.addStretch(1)
        right.addStretch(1)
        right.addWidget(self.search)
        right.addWidget(self.theme_button)
        box.addLayout(left, 1)
        box.addWidget(self.workspace)
        box.addLayout(right, 1)
        studio.document.state_changed.connect(self.refresh)
        self.refresh()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # in a narrow window the file's name goes before the width of the search
        self.search.setMaximumWidth(self._theme.dp(190 if event.size().width() >= 1180 else 134))

    def refresh(self) -> None:
        self.file.set_text(file_name(self._studio))
        self.file.setMinimumWidth(min(self.file.sizeHint().width(), self._theme.dp(120)))
        self.modified.setVisible(self._studio.document.is_modified)


def file_name(studio: Studio) -> str:
    """The document's name as the window's title shows it."""
    path = studio.document.path
    return QtCore.QFileInfo(path).fileName() if path else studio.document.project.lesson.title or tr("Untitled")
