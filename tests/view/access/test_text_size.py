"""From 80 to 200 % of the text size the window stays whole at 1280 x 800."""

import pytest
from PySide6 import QtCore, QtWidgets

from mechstudio.model.equations.lecture import METHODS
from mechstudio.view.bars.time_bar import TimeBar
from tests.view.access.walk import path, places, shown, turn
from tests.view.conftest import settle


def set_size(window, qapp, percent):
    window.studio.preferences.set(text_size=percent)
    settle(qapp)


def cut(root) -> list[str]:
    """Words that have less room than they need, of those that neither wrap nor shorten."""
    out = []
    for w in shown(root):
        word = isinstance(w, QtWidgets.QLabel) and not w.wordWrap() and w.pixmap().isNull()
        push = isinstance(w, QtWidgets.QPushButton) and w.text()
        if (word or push) and type(w).__name__ != "_Words" and w.text():
            least = w.minimumSizeHint().width() - 1
            need = least if push else w.fontMetrics().horizontalAdvance(w.text())
            if w.width() < need and w.sizePolicy().horizontalPolicy().value != 13:
                out.append(f"{w.text()!r} has {w.width()} of {need} px, {path(w)}")
            if w.height() < 0.9 * w.fontMetrics().height():
                out.append(f"{w.text()!r} has {w.height()} px of height, {path(w)}")
    return out


# what has no room at twice the size or at the usual one: what else only wraps another way, a case
# for long runs
SIZES = [
    pytest.param(80, marks=pytest.mark.slow),
    pytest.param(100, marks=pytest.mark.slow),
    pytest.param(150, marks=pytest.mark.slow),
    200,
]


@pytest.mark.parametrize("percent", SIZES)
def test_no_word_is_cut_anywhere(window, qapp, percent):
    set_size(window, qapp, percent)
    found = {f"{place}: {fault}" for place, root in places(window) for fault in cut(root)}

    set_size(window, qapp, 100)
    assert sorted(found) == [], "\n".join(sorted(found))


@pytest.mark.parametrize("percent", SIZES)
def test_the_derivations_are_all_there(window, qapp, qtbot, percent):
    set_size(window, qapp, percent)
    window.set_workspace("explain")
    panel = window.docks.equations
    qtbot.waitUntil(lambda: panel.derivations.is_current and panel.is_settled, timeout=60_000)
    panel.bar.show_view("derivations")
    panel.bar.show_method("derivations")
    qtbot.waitUntil(lambda: panel.is_settled and all(c.sections for c in panel.chapters))
    turn()
    assert panel.columns == METHODS
    rooms = [
        QtCore.QRect(c.mapTo(panel.content, QtCore.QPoint()), c.size()) for c in panel.chapters
    ]
    assert not any(a.intersects(b) for a in rooms for b in rooms if a is not b)
    # side by side or one below the other, each as wide as what it says
    assert all(c.isVisible() and c.title.isVisible() for c in panel.chapters)
    assert all(c.title.width() >= c.title.sizeHint().width() for c in panel.chapters)
    assert all(r.left() >= 0 and r.right() <= panel.content.width() for r in rooms)
    heads = [s.head for c in panel.chapters for s in c.sections.values() if s.isVisible()]
    assert heads and all(h.width() >= h.sizeHint().width() for h in heads)
    panel.bar.show_view("")
    window.set_workspace("build")
    set_size(window, qapp, 100)


def test_a_larger_text_gives_the_room_back_that_it_took(window, qapp):
    try:
        window.resize(900, 560)
        for percent in (100, 150, 200, 125, 200, 100):
            set_size(window, qapp, percent)
            assert window.width() <= 1280 and window.height() <= 800
            if percent == 200:
                assert window.width() > 900, "there is no room for twice the text"
                assert window.width() == window.minimumSizeHint().width()
        assert window.size() == QtCore.QSize(900, 560)
        # a size that somebody gives in between stays
        set_size(window, qapp, 200)
        window.resize(1150, 700)
        set_size(window, qapp, 100)
        assert window.size() == QtCore.QSize(1150, 700)
    finally:
        set_size(window, qapp, 100)


def test_the_attainable_speed_goes_before_the_window_gets_wider(window, qapp, monkeypatch):
    set_size(window, qapp, 200)
    window.resize(1178, 736)
    bar = window.findChild(TimeBar)
    for words, fits in (("can do 1234567890123456789012345678901×", False), ("can do 9×", True)):
        monkeypatch.setattr(bar, "_possible", lambda words=words: words)
        bar.refresh()
        settle(qapp)
        assert window.width() == 1178 and bar.possible.is_whole is fits
        assert bar.track.width() >= bar.track.minimumWidth()
    set_size(window, qapp, 100)


def test_no_panel_lies_over_another_one_in_the_smallest_window(window, qapp):
    window.resize(900, 560)
    set_size(window, qapp, 200)
    shown = [d for d in window.docks.by_key.values() if d.isVisible()]
    for k, a in enumerate(shown):
        for b in shown[:k]:
            both = a.geometry() & b.geometry()
            assert both.isEmpty(), f"{a.windowTitle()} and {b.windowTitle()}: {both}"
    set_size(window, qapp, 100)
