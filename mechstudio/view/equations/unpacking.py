"""Large pictures unpacked beside the window's own thread: a PNG of ten million pixels takes a tenth
of a second and more.
"""

import logging
import threading
from collections.abc import Collection
from contextlib import suppress

from PySide6 import QtCore, QtGui

from mechstudio.application.questions.equations.styles import Picture
from mechstudio.translation import tr
from mechstudio.view.equations.parts import TITLES

_log = logging.getLogger(__name__)
LARGE = 1_000_000  # pixels from which a picture is unpacked aside


def unpack(png: bytes) -> QtGui.QImage:
    """An image from a PNG.  Unlike QImage.fromData, a reader lets other threads run meanwhile.
    Raises ValueError where it is none, or too large for the memory.
    """
    buffer = QtCore.QBuffer()
    buffer.setData(png)
    buffer.open(QtCore.QIODevice.OpenModeFlag.ReadOnly)
    reader = QtGui.QImageReader(buffer, b"png")
    image = reader.read()
    if image.isNull():
        raise ValueError(reader.errorString())
    return image


class Unpacking(QtCore.QObject):
    """Images of pictures.  done: `image` has one that it had not.  failed(sentence): that of a part
    is empty, and why.
    """

    done = QtCore.Signal()
    failed = QtCore.Signal(str)
    _unpacked = QtCore.Signal(str, object, object)  # from other threads

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._unpacked.connect(self._take)
        self._images: dict[str, tuple[Picture, QtGui.QImage]] = {}
        self._begun: dict[str, Picture] = {}

    @property
    def waits(self) -> bool:
        """True if an image is being unpacked."""
        return bool(self._begun)

    def keep(self, parts: Collection[str]) -> None:
        """Forget the images of all other parts."""
        for part in self._images.keys() - set(parts):
            del self._images[part]

    def image(self, part: str, picture: Picture | None) -> QtGui.QImage | None:
        """The image of the newest picture of a part, handed out once; None while it is unpacked."""
        if picture is None:
            return QtGui.QImage()
        width, height = picture.size
        if width * height * picture.style.density**2 < LARGE:
            return self._unpacked_now(part, picture)
        if part in self._images:
            of, image = self._images.pop(part)
            if of is picture:
                return image
        if self._begun.get(part) is not picture:
            self._begun[part] = picture
            threading.Thread(
                target=self._unpack, args=(part, picture), name="unpack", daemon=True
            ).start()
        return None

    def _unpacked_now(self, part: str, picture: Picture) -> QtGui.QImage:
        image = _attempt(picture)
        return image if isinstance(image, QtGui.QImage) else self._refuse(part, image)

    def _refuse(self, part: str, cause: str) -> QtGui.QImage:
        """Say that there is no image, and give an empty one: requested again, it would fail
        again.
        """
        self.failed.emit(
            tr(
                (
                    "The picture of “{part}” cannot be shown ({cause}). Make the equations "
                    "smaller, or derive them again."
                ),
                part=tr(TITLES[part]) if part in TITLES else tr("The steps"),
                cause=cause,
            )
        )
        return QtGui.QImage()

    def _unpack(self, part: str, picture: Picture) -> None:
        image = _attempt(picture)
        with suppress(RuntimeError):  # the window may have been closed meanwhile
            self._unpacked.emit(part, picture, image)

    def _take(self, part: str, picture: Picture, image: QtGui.QImage | str) -> None:
        if self._begun.get(part) is picture:
            del self._begun[part]
            self._images[part] = (
                picture,
                image if isinstance(image, QtGui.QImage) else self._refuse(part, image),
            )
            self.done.emit()


def _attempt(picture: Picture) -> QtGui.QImage | str:
    """The image, or why there is none: whatever happens, the part must not wait for ever."""
    try:
        return unpack(picture.png)
    except Exception as error:
        _log.exception("A picture of equations of %s px cannot be unpacked.", picture.size)
        return f"{error}" or type(error).__name__
