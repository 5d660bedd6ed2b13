"""Top bar of the window: logo, file name, menus, workspaces, search, theme."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, IconButton, Picture, Segment, label

Qt = QtCore.Qt
# most width of the name of the file, with room for it and without [px at the normal text size]
NAME_WIDTHS = (220, 120)
# widths of the search, with all words, one and none [px at the normal text size]
SEARCH_WIDTHS = (190, 134, 32)
WORKSPACES: tuple[tuple[str, Words], ...] = (
    ("build", "Build"),
    ("analyse", "Analyse"),
    ("explain", "Explain"),
)


class Search(QtWidgets.QFrame):
    """Button in the form of a search field; a click opens the palette."""

    def __init__(self, theme: Theme, clicked: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("search")
        self._theme = theme
        theme.fit(self, height=28)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Find any action, body, joint or sample (Ctrl+K)"))
        self._clicked = clicked
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(8, 0, 7, 0)
        box.setSpacing(6)
        box.addWidget(Picture(theme, "search", "text3", 15))
        self._words = label(tr("Search"), "three"), label("Ctrl K", "key")
        box.addWidget(self._words[0])
        box.addStretch(1)
        box.addWidget(self._words[1], 0, Qt.AlignmentFlag.AlignVCenter)

    def set_room(self, width: int) -> None:
        """Set the width, at the normal text size.  Words without room are hidden."""
        room = self._theme.dp(width)
        self.setFixedWidth(room)
        room -= 8 + self._theme.dp(15) + 7
        for word in self._words:
            room -= word.sizeHint().width() + 6
            word.setVisible(room >= 0)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._clicked()


class TopBar(QtWidgets.QFrame):
    """Top bar.  `menu` is the window's menu bar; `workspace` the segment of workspaces."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        search: Callable[[], object],
        set_workspace: Callable[[str], object],
        choose_theme: Callable[[str], object],
    ) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.fit(self, height=44)
        self._studio, self._theme = studio, theme
        self.file = Elided("", "title")
        theme.fit(self.file, most_width=NAME_WIDTHS[0])
        self.modified = label("•", "title")
        self.modified.setToolTip(tr("Changed since it was saved"))
        self.menu = QtWidgets.QMenuBar()
        self.menu.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed
        )
        # without room for the names of the menus, one button holds them all
        self.menus_button = IconButton(theme, "menu", tr("Menus"))
        self.menus_button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menus_button.hide()
        self.workspace = Segment(theme, tuple((key, tr(word)) for key, word in WORKSPACES))
        self.workspace.chosen.connect(set_workspace)
        self.search = Search(theme, search)
        self.theme_button = IconButton(
            theme,
            "theme",
            tr("Light or dark"),
            clicked=lambda: choose_theme("light" if theme.name == "dark" else "dark"),
        )
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 10, 0)
        box.setSpacing(8)
        # three parts; the outer two share the remaining width, so that the workspaces are in the
        # middle
        left, right = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        for part in (left, right):
            part.setSpacing(8)
        left.addWidget(Picture(theme, "tool_link", "accent", 20, 2))
        left.addWidget(self.file)
        left.addWidget(self.modified)
        left.addWidget(self.menu)
        left.addWidget(self.menus_button)
        left.addStretch(1)
        right.addStretch(1)
        right.addWidget(self.search)
        right.addWidget(self.theme_button)
        box.addLayout(left, 1)
        box.addWidget(self.workspace)
        box.addLayout(right, 1)
        studio.document.state_changed.connect(self.refresh)
        theme.resized.connect(self._make_room)
        self.refresh()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Save room: first by the end of a long name, then by the width of the search, then its
        words, at last the names of the menus.
        """
        dp, name = self._theme.dp, self.file.sizeHint().width()
        others = (
            self.workspace.sizeHint().width()
            + dp(20 + 28)
            + self.modified.sizeHint().width()
            + 22
            + 6 * 8
        )
        room = self.width() - others - self.menu.sizeHint().width()
        names = [min(name, dp(most)) for most in NAME_WIDTHS]
        choices = [(names[0], SEARCH_WIDTHS[0]), *((names[1], w) for w in SEARCH_WIDTHS)]
        shown, wide = next(((n, w) for n, w in choices if n + dp(w) <= room), (names[1], 0))
        self.file.setMinimumWidth(shown)
        self.search.set_room(wide or SEARCH_WIDTHS[-1])
        self.menu.setVisible(bool(wide))
        self.menus_button.setVisible(not wide)
        if not wide and self.menus_button.menu() is None:
            inner = QtWidgets.QMenu(self.menus_button)
            inner.addActions(self.menu.actions())
            self.menus_button.setMenu(inner)

    def refresh(self) -> None:
        self.file.set_text(file_name(self._studio))
        self.modified.setVisible(self._studio.document.is_modified)
        self._make_room()


def file_name(studio: Studio) -> str:
    """Name of the document as in the title of the window."""
    path = studio.document.path
    return (
        QtCore.QFileInfo(path).fileName()
        if path
        else studio.document.project.lesson.title or tr("Untitled")
    )
