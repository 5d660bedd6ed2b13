"""The word on a covered pane is whole or not there, in every language and in low panes."""

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6 import QtCore, QtGui

from mechstudio.translation import ENGLISH, LANGUAGES, use
from mechstudio.view.lessons.covers import Cover

WIDE = 300


def ink(theme, height, width=WIDE):
    """Rows and columns of a pane [px] that the word takes."""
    predictions = SimpleNamespace(covered={"p": 0.0}, drawing="", sketches={})
    studio = SimpleNamespace(
        lecture=SimpleNamespace(predictions=predictions, step=None),
        runs=SimpleNamespace(playback=SimpleNamespace(time=0.0)),
    )
    image = QtGui.QImage(width, height + 40, QtGui.QImage.Format.Format_RGB32)
    image.fill(theme.color("panel"))
    painter = QtGui.QPainter(image)
    frame = QtCore.QRectF(0, 20, width - 1, height)
    cover = Cover(theme, studio, lambda key: (0.0, 1.0))
    cover.paint(
        painter, frame, lambda x, y: QtCore.QPointF(0, 0), SimpleNamespace(id="p", curves=())
    )
    painter.end()
    pixels = np.frombuffer(image.constBits(), "u4").reshape(height + 40, width)
    veil = pixels[20 + height // 2, 0]
    written = pixels[20 : 20 + height] != veil
    return np.flatnonzero(written.any(1)).size, np.flatnonzero(written.any(0)).size


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_on_a_cover_is_whole_or_not_there(theme, language):
    use(language)
    try:
        whole = ink(theme, 120)
        assert min(whole) > 5
        seen = [ink(theme, height) for height in range(4, 60)]
        assert set(seen) == {(0, 0), whole} and seen[-1] == whole
        assert {ink(theme, 60, width) for width in range(12, 120, 3)} == {(0, 0), whole}
    finally:
        use(ENGLISH)
