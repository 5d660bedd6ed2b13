"""Large pictures of equations are unpacked beside the window's thread; small ones at once."""

import msgspec
import pytest
from PySide6 import QtCore, QtGui

from mechstudio.application.questions.equations.styles import Picture, Style
from mechstudio.view.equations.unpacking import LARGE, Unpacking


def picture(width, height):
    image = QtGui.QImage(width, height, QtGui.QImage.Format.Format_ARGB32)
    image.fill(QtGui.QColor(10, width % 250, height % 250))
    image.setPixelColor(3, 2, QtGui.QColor(200, 100, 50))
    data = QtCore.QByteArray()
    buffer = QtCore.QBuffer(data)
    buffer.open(QtCore.QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return Picture(
        bytes(data), (float(width), float(height)), (), Style({}, 14.0, 1.0, 500.0)
    ), image


@pytest.fixture
def unpacking(qapp):
    parent = QtCore.QObject()
    yield Unpacking(parent)
    parent.deleteLater()


def test_a_small_picture_is_there_at_once(unpacking):
    small, image = picture(40, 30)
    assert (
        unpacking.image("M", small) == image
        and unpacking.image("M", None).isNull()
        and not unpacking.waits
    )


def test_a_large_one_comes_and_is_handed_out_once(unpacking, qtbot):
    large, image = picture(1200, LARGE // 1200 + 1)
    with qtbot.waitSignal(unpacking.done):
        assert (
            unpacking.image("M", large) is None
            and unpacking.image("M", large) is None
            and unpacking.waits
        )
    assert not unpacking.waits and unpacking.image("M", large) == image
    # requested again it is unpacked again
    with qtbot.waitSignal(unpacking.done):
        assert unpacking.image("M", large) is None


def test_outdated_or_unseen_images_are_forgotten(unpacking, qtbot):
    old, _ = picture(1200, LARGE // 1200 + 1)
    new, image = picture(1300, LARGE // 1300 + 1)
    with qtbot.waitSignal(unpacking.done):
        unpacking.image("M", old)
        unpacking.image("M", new)
    assert unpacking.image("M", new) == image
    with qtbot.waitSignal(unpacking.done):
        unpacking.image("M", new)
    unpacking.keep(["K"])
    with qtbot.waitSignal(unpacking.done):
        assert unpacking.image("M", new) is None


@pytest.mark.parametrize("side", [40, 1200])
def test_an_image_that_cannot_be_unpacked_is_reported_and_waits_for_nothing(unpacking, qtbot, side):
    whole, _ = picture(side, side)
    broken = msgspec.structs.replace(whole, png=whole.png[:60])
    said = []
    unpacking.failed.connect(said.append)
    image = unpacking.image("M", broken)
    if image is None:
        qtbot.waitUntil(lambda: not unpacking.waits)
        image = unpacking.image("M", broken)
    assert image.isNull() and not unpacking.waits
    assert len(said) == 1 and "Mass matrix" in said[0] and "smaller" in said[0]
