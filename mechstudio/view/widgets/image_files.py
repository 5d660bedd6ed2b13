"""Pixels of picture files in the form that a texture takes.  Large files are read beside the
window's thread.
"""

import os
import queue
import threading

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from mechstudio.application.actions.edits.pictures import LARGEST
from mechstudio.translation import localised, tr
from mechstudio.view.widgets.svg import is_drawing, svg_fault

LONGEST = 2048  # pixels of a texture's longer side
QUICK = 600_000  # pixels that are read at once; more may take longer than a frame or two
LARGEST_PIXELS = 100_000_000  # above, reading would take all memory there is
DEEPEST_PIXEL = 8  # bytes
LOOK_MS = 25  # between two checks whether a file has been read


class PictureUnreadable(ValueError):
    """Reason why a file shows nothing, in a sentence."""


def measure(path: str) -> tuple[int, int]:
    """Width and height [px] of a picture, as it is to be seen.  Raises PictureUnreadable."""
    name = os.path.basename(path)
    if not os.path.isfile(path):  # a pipe or a device would never end
        raise PictureUnreadable(
            tr("{name} is a folder, and a picture is a file.", name=name)
            if os.path.isdir(path)
            else tr("{name} is no file, and a picture is a file.", name=name)
        )
    if (heavy := os.path.getsize(path)) > LARGEST:
        raise PictureUnreadable(
            tr(
                "{name} has {size} MB, and a picture may have {most} MB: save it smaller first.",
                name=name,
                size=localised(f"{heavy / 1e6:.0f}"),
                most=localised(f"{LARGEST / 1e6:.0f}"),
            )
        )
    try:
        fault = svg_fault(path) if is_drawing(path) else ""
    except OSError as error:
        fault = tr("cannot be opened ({reason})", reason=error.strerror)
    if fault:
        raise PictureUnreadable(f"{name} {fault}.")
    reader = _reader(path)
    size = reader.size()
    if not size.isValid() or size.isEmpty():
        raise PictureUnreadable(
            tr(
                "{name} is no picture that can be read: PNG, JPEG, BMP, WebP and SVG can.",
                name=name,
            )
        )
    if size.width() * size.height() > LARGEST_PIXELS:
        raise PictureUnreadable(
            tr(
                (
                    "{name} has {width} × {height} pixels, more than can be shown: save it "
                    "smaller first."
                ),
                name=name,
                width=size.width(),
                height=size.height(),
            )
        )
    rotated = bool(reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90)
    return (size.height(), size.width()) if rotated else (size.width(), size.height())


def read_picture(path: str) -> np.ndarray:
    """(height, width, 4) u1, red green blue alpha, first row on top; scaled down to LONGEST.
    Raises PictureUnreadable.
    """
    width, height = measure(path)
    reader, share = _reader(path), LONGEST / max(width, height)
    if reader.supportsOption(QImageIOHandler.ImageOption.ScaledSize) and (
        share < 1 or bytes(reader.format().data()) == b"svg"
    ):
        reader.setScaledSize(
            (reader.size() * share).expandedTo(QSize(1, 1))
        )  # a drawing of lines may as well be made large, a photograph is read faster small
    image = reader.read()
    if image.isNull():
        raise PictureUnreadable(
            tr(
                "{name} is damaged: {reason}.",
                name=os.path.basename(path),
                reason=reader.errorString().rstrip("."),
            )
        )
    if max(image.width(), image.height()) > LONGEST:
        image = image.scaled(
            QSize(LONGEST, LONGEST),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), "u1").reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()


def _reader(path: str) -> QImageReader:
    # what is set at first is too little for what LARGEST_PIXELS lets through
    QImageReader.setAllocationLimit(DEEPEST_PIXEL * LARGEST_PIXELS // 2**20 + 1)
    reader = QImageReader(path)
    reader.setAutoTransform(True)
    reader.setDecideFormatFromContent(True)
    return reader


class PictureFiles(QObject):
    """The pictures that a viewport shows.

    arrived(): one more was read, or turned out to be none.
    """

    arrived = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pixels: dict[str, np.ndarray] = {}
        self._faults: dict[
            str, tuple[int, str]
        ] = {}  # stamp of the file that was tried, and what is wrong with it
        self._reading: dict[str, threading.Thread] = {}
        self._done: queue.SimpleQueue[tuple[str, np.ndarray | None, str]] = queue.SimpleQueue()
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._take)

    def pixels(self, path: str) -> np.ndarray | None:
        """The pixels of a file; None while they are being read, or where there are none."""
        return self._pixels.get(path)

    def fault(self, path: str) -> str:
        """Reason why a file shows nothing; empty if it does, or is being read."""
        return self._faults[path][1] if path in self._faults else ""

    def want(self, paths: tuple[str, ...]) -> None:
        """Have these files ready and forget all others; those that were missing are looked for
        again.
        """
        for known in (self._pixels, self._faults):
            for path in [p for p in known if p not in paths]:
                del known[path]
        for path in dict.fromkeys(paths):
            stamp = _stamp(path)
            if (
                path not in self._pixels
                and path not in self._reading
                and (path not in self._faults or self._faults[path][0] != stamp)
            ):
                self._start(path, stamp)

    def settle(self) -> None:
        """Wait for what is being read, as for a picture of the window."""
        for thread in tuple(self._reading.values()):
            thread.join()
        self._take()

    def close(self) -> None:
        """Let threads end."""
        self._look.stop()
        for thread in self._reading.values():
            thread.join()
        self._reading.clear()

    def _start(self, path: str, stamp: int) -> None:
        try:
            if not stamp:
                raise PictureUnreadable(
                    tr(
                        "{name} is not in {folder}",
                        name=os.path.basename(path),
                        folder=os.path.dirname(path),
                    )
                )
            width, height = measure(path)
            # lines are drawn as large as can be, with filters that take their time
            if width * height <= QUICK and not is_drawing(path):
                self._pixels[path] = read_picture(path)
                self._faults.pop(path, None)
                return
        except (PictureUnreadable, OSError) as error:
            # a file may disappear between two checks
            fault = str(error)
            if isinstance(error, OSError):
                name = os.path.basename(path)
                fault = tr(
                    "{name} cannot be opened ({strerror})",
                    name=name,
                    strerror=error.strerror or error,
                )
            self._faults[path] = (stamp, fault)
            return
        self._faults.pop(path, None)

        def read() -> None:
            pixels, fault = (
                None,
                tr(
                    "{basename} cannot be read; please report it with the file",
                    basename=os.path.basename(path),
                ),
            )
            try:
                pixels = read_picture(path)
            except PictureUnreadable as error:
                fault = str(error)
            except OSError as error:
                fault = tr(
                    "{basename} cannot be opened ({strerror})",
                    basename=os.path.basename(path),
                    strerror=error.strerror or error,
                )
            except MemoryError:
                fault = tr(
                    "{basename} needs more memory than there is: save it smaller first.",
                    basename=os.path.basename(path),
                )
            finally:
                # whatever went wrong, the window must not wait for ever
                self._done.put((path, pixels, "" if pixels is not None else fault))

        thread = self._reading[path] = threading.Thread(target=read, name="picture", daemon=True)
        thread.start()
        self._look.start()

    def _take(self) -> None:
        """Store the images read since the last call."""
        news = False
        while not self._done.empty():
            path, pixels, fault = self._done.get()
            self._reading.pop(path).join()
            if pixels is not None:
                self._pixels[path] = pixels
            else:
                self._faults[path] = (_stamp(path), fault)
            news = True
        if not self._reading:
            self._look.stop()
        if news:
            self.arrived.emit()


def _stamp(path: str) -> int:
    """Stamp that distinguishes one version of a file from another; 0 if there is no file."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
