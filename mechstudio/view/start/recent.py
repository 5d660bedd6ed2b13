"""Recent files with the pictures of their last saves."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files.gallery import picture_of
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, column, row

PICTURE = (54, 34)  # px at the normal text size
RADIUS = 4


def day(path: Path, now: datetime | None = None) -> str:
    """Day on which a file was changed, in words; a dash where it is not there."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return "–"
    days = ((now or datetime.now()).date() - changed.date()).days
    if days == 0:
        return tr("today")
    if days == 1:
        return tr("yesterday")
    return changed.strftime("%d %b %Y").lstrip("0")


def place(path: Path) -> str:
    """Folder of a file, from the home folder where it lies in it."""
    try:
        return str(Path("~") / path.parent.relative_to(Path.home()))
    except ValueError:
        return str(path.parent)


class RecentFile(QtWidgets.QPushButton):
    """A line with picture, name, folder and day; a click opens the file."""

    def __init__(
        self,
        theme: Theme,
        path: Path,
        clicked: Callable[[], object],
        recovers: Callable[[Path], bool],
    ) -> None:
        """recovers(path): it has unsaved changes from an earlier window."""
        super().__init__()
        self.setObjectName("line")
        self._theme = theme
        there = os.path.exists(path)  # False as well in a folder that may not be read
        shown = picture_of(path) if there else None
        self._image = QtGui.QPixmap(str(shown)) if shown is not None else QtGui.QPixmap()
        self._picture = QtWidgets.QLabel()
        name, folder = Elided(path.name, "" if there else "two"), Elided(place(path), "small")
        unsaved = there and recovers(path)
        state = tr("recovered, not saved") if unsaved else day(path) if there else tr("missing")
        look = "unsaved" if unsaved else "small"
        when = Elided(state, look, QtCore.Qt.AlignmentFlag.AlignRight)
        words = row(name, row(folder, when, gap=8), vertical=True, gap=1)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(6, 4, 6, 4)
        box.setSpacing(10)
        box.addWidget(self._picture)
        box.addWidget(words, 1)
        for part in self.findChildren(QtWidgets.QWidget):
            part.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        when.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setEnabled(there)
        self.setAccessibleName(tr("Open {name} in {folder}", name=path.name, folder=place(path)))
        self.setToolTip(f"{path}\n{state}" if unsaved else str(path))
        self.setAccessibleDescription(state if unsaved else "")
        self.clicked.connect(lambda _=False: clicked())
        theme.follow(self._fit)
        self._fit()

    def _fit(self) -> None:
        dp = self._theme.dp
        size = QtCore.QSize(dp(PICTURE[0]), dp(PICTURE[1]))
        self._picture.setFixedSize(size)
        self.setFixedHeight(dp(PICTURE[1] + 10))
        shown = QtGui.QPixmap(size * self.devicePixelRatioF())
        shown.setDevicePixelRatio(self.devicePixelRatioF())
        shown.fill(QtCore.Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(shown)
        painter.setRenderHints(
            QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.SmoothPixmapTransform
        )
        path = QtGui.QPainterPath()
        path.addRoundedRect(QtCore.QRectF(QtCore.QPointF(), QtCore.QSizeF(size)), RADIUS, RADIUS)
        painter.setClipPath(path)
        painter.fillRect(QtCore.QRect(QtCore.QPoint(), size), self._theme.color("view_bottom"))
        if not self._image.isNull():
            painter.drawPixmap(QtCore.QRect(QtCore.QPoint(), size), self._image)
        painter.end()
        self._picture.setPixmap(shown)


def recent_files(
    theme: Theme,
    paths: list[Path],
    opened: Callable[[Path], object],
    recovers: Callable[[Path], bool],
) -> QtWidgets.QWidget:
    """The recent files, newest first; each opens at a click.  recovers: as of RecentFile."""
    lines = QtWidgets.QWidget()
    box = column(lines, 2)
    for path in paths:
        box.addWidget(RecentFile(theme, path, lambda path=path: opened(path), recovers))
    return lines
