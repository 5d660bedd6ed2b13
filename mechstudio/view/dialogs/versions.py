"""The last saves of a file as a list with pictures, and what has changed since each."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files.versions import Version, spoken
from mechstudio.application.studio import Studio
from mechstudio.translation import tr, trn
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label, row, wrapped

WIDTH = 560
PICTURE = (144, 90)  # px at the normal text size
SHOWN = 2  # sentences of a version


class VersionsSheet(Sheet):
    """Sheet with a line for each version.  restore: buttons, newest version first."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget, studio: Studio) -> None:
        super().__init__(theme, host, WIDTH)
        self._studio = studio
        self.restore: list[QtWidgets.QPushButton] = []
        kept = studio.files.versions.kept()
        self.box.addWidget(wrapped(tr("Versions"), "title"))
        self.box.addWidget(
            wrapped(
                tr(
                    "The last ten saves of this file. Restoring one is a step that can be undone; "
                    "the file stays as it is until it is saved."
                ),
                "two",
            )
        )
        for version in kept:
            self.box.addWidget(self._line(version))
        if not kept:
            self.box.addWidget(wrapped(tr("This file has not been saved here yet."), "two"))
        close = QtWidgets.QPushButton(tr("Close"))
        close.setAccessibleName(close.text())
        close.clicked.connect(self.close_sheet)
        self.box.addWidget(row(None, close))
        self.open()

    def _line(self, version: Version) -> QtWidgets.QWidget:
        changes = self._studio.files.versions.changes(version, self._studio.preferences.units)
        sentence = " ".join(changes[:SHOWN])
        if len(changes) > SHOWN:
            more = len(changes) - SHOWN
            sentence += " " + trn("And {count} more change.", "And {count} more changes.", more)
        if not changes:
            sentence = tr("The same as the drawing.")
        words = wrapped(sentence, "two")
        words.setToolTip("\n".join(changes))
        button = QtWidgets.QPushButton(tr("Restore"))
        button.setAccessibleName(tr("Restore the version of {time}", time=spoken(version)))
        button.setEnabled(bool(changes))
        button.clicked.connect(lambda: self._bring_back(version))
        self.restore.append(button)
        text = row(label(spoken(version)), words, None, gap=2, vertical=True)
        text.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Preferred
        )
        return row(self._picture(version), text, button, gap=12)

    def _picture(self, version: Version) -> QtWidgets.QLabel:
        dp = self._theme.dp
        size = QtCore.QSize(dp(PICTURE[0]), dp(PICTURE[1]))
        shown = QtWidgets.QLabel()
        shown.setFixedSize(size)
        image = QtGui.QPixmap(str(version.picture)) if version.picture else QtGui.QPixmap()
        if not image.isNull():
            shown.setPixmap(
                image.scaled(
                    size,
                    QtCore.Qt.AspectRatioMode.KeepAspectRatio,
                    QtCore.Qt.TransformationMode.SmoothTransformation,
                )
            )
        return shown

    def _bring_back(self, version: Version) -> None:
        self.close_sheet()
        self._studio.files.versions.restore(version)


def picture_of(view: QtWidgets.QWidget) -> Callable[[], bytes | None]:
    """Picture of a view, as a small PNG; None while nothing is shown."""

    def taken() -> bytes | None:
        if not view.isVisible():
            return None
        image = view.grab().toImage()
        image.setDevicePixelRatio(1.0)
        small = image.scaled(
            2 * PICTURE[0],
            2 * PICTURE[1],
            QtCore.Qt.AspectRatioMode.KeepAspectRatioByExpanding,
            QtCore.Qt.TransformationMode.SmoothTransformation,
        )
        x, y = (small.width() - 2 * PICTURE[0]) // 2, (small.height() - 2 * PICTURE[1]) // 2
        data = QtCore.QByteArray()
        buffer = QtCore.QBuffer(data)
        buffer.open(QtCore.QIODevice.OpenModeFlag.WriteOnly)
        cut = small.copy(x, y, 2 * PICTURE[0], 2 * PICTURE[1])
        cut.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(data.data())

    return taken
