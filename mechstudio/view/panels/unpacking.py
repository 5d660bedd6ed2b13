"""Large pictures unpacked beside the window's own thread: a PNG of ten million pixels takes a tenth of a second and more."""

import threading
from collections.abc import Collection

from PySide6 import QtCore, QtGui

from mechstudio.application.equation_styles import Picture

LARGE = 1_000_000           # pixels from which a picture is unpacked aside


def unpack(png: bytes) -> QtGui.QImage:
    """An image from a PNG.   Unlike QImage.fromData, a reader lets other threads run meanwhile."""
    buffer = QtCore.QBuffer()
    buffer.setData(png)
    buffer.open(QtCore.QIODevice.OpenModeFlag.ReadOnly)
    return QtGui.QImageReader(buffer, b"png").read()


class Unpacking(QtCore.QObject):
    """Images of pictures.   done: `image` has one that it had not."""

    done = QtCore.Signal()
    _unpacked = QtCore.Signal(str, object, object)      # from other threads

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._unpacked.connect(self._take)
        self._images: dict[str, tuple[Picture, QtGui.QImage]] = {}
        self._begun: dict[str, Picture] = {}

    @property
    def waits(self) -> bool:
        """Whether an image is under way."""
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
        if width * height * picture.style.density ** 2 < LARGE:
            return unpack(picture.png)
        if part in self._images:
            of, image = self._images.pop(part)
            if of is picture:
                return image
        if self._begun.get(part) is not picture:
            self._begun[part] = picture
            threading.Thread(target=self._unpack, args=(part, picture), name="unpack", daemon=True).start()
        return None

    def _unpack(self, part: str, picture: Picture) -> None:
        image = unpack(picture.png)
        try:
            self._unpacked.emit(part, picture, image)
        except RuntimeError:
            pass        # the window has been closed meanwhile

    def _take(self, part: str, picture: Picture, image: QtGui.QImage) -> None:
        if self._begun.get(part) is picture:
            del self._begun[part]
            self._images[part] = picture, image
            self.done.emit()
