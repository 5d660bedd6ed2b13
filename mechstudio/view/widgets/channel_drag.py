"""Channels that are dragged from where they stand as numbers to a pane."""

import json
from collections.abc import Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.widgets.widgets import label

Qt = QtCore.Qt
MIME = "application/x-mechstudio-channels"


def packed(keys: Sequence[str]) -> QtCore.QMimeData:
    """Channels as the pointer carries them."""
    data = QtCore.QMimeData()
    data.setData(MIME, json.dumps(list(keys)).encode())
    return data


def unpacked(data: QtCore.QMimeData) -> list[str]:
    """The channels that the pointer carries; none for anything else."""
    return json.loads(bytes(data.data(MIME).data())) if data.hasFormat(MIME) else []


def drag(source: QtWidgets.QWidget, keys: Sequence[str], words: str) -> None:
    """Let the pointer carry channels until it is let go."""
    carried = QtGui.QDrag(source)
    carried.setMimeData(packed(keys))
    chip = label(words, "chip")
    chip.ensurePolished()
    chip.adjustSize()
    carried.setPixmap(chip.grab())
    carried.setHotSpot(QtCore.QPoint(-12, -6))
    carried.exec(Qt.DropAction.CopyAction)
