"""The real window on the screen of the test run; after each test nothing may be left over: threads, timers, warnings."""

import gc
import shutil
import threading

import pytest
from PySide6 import QtCore, QtWidgets
from shiboken6 import isValid

from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.main import make_app
from mechstudio.project.folders import cache_folder
from mechstudio.view.main_window import MainWindow
from mechstudio.view.theme import Theme

from .standin import StandinSession

# said by the platform, not by us
HARMLESS = ("propagateSizeHints", "XDG_RUNTIME_DIR", "This plugin does not support")


@pytest.fixture(scope="session")
def qapp_cls():
    return QtWidgets.QApplication


@pytest.fixture(scope="session")
def theme(qapp):
    make_app()
    return Theme(qapp, "light")


def active_timers():
    """Every running timer that is not the shared window's."""
    gc.collect()
    timers = [o for o in gc.get_objects() if isinstance(o, QtCore.QTimer) and isValid(o) and o.isActive()]
    return [t for t in timers if not (SHARED and belongs_to(t, SHARED[0]))]


def belongs_to(child, ancestor):
    while child is not None and child is not ancestor:
        child = child.parent()
    return child is not None


def leftovers(threads_before):
    """What is still alive: running threads that were not there before, and active timers."""
    for t in threading.enumerate():
        # the journal writes once and ends by itself
        if t.name == "journal":
            t.join(5.0)
    threads = [t.name for t in threading.enumerate() if t not in threads_before and t not in KNOWN and t.is_alive()]
    return threads + [f"timer {t.interval()} ms of {type(t.parent()).__name__}" for t in active_timers()]


SHARED = []
# threads of the shared window, which outlive a test
KNOWN = set()


@pytest.fixture(autouse=True)
def clean(request, qapp, qtlog, tmp_path, monkeypatch):
    """A private folder for preferences; nothing left over afterwards."""
    # compiled kernels are shared by all tests: making them takes half a minute
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder().parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    before = threading.enumerate()
    yield
    settle(qapp)
    assert leftovers(before) == []
    said = [r.message for r in qtlog.records if not any(h in r.message for h in HARMLESS)]
    assert said == []


def settle(app):
    """Let everything happen that is due, deletions included."""
    for _ in range(3):
        app.processEvents()
        app.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


@pytest.fixture
def make_window(qapp, theme, qtbot):
    """make(path, size, session): the window with a file, shown, its first frame drawn and its panels filled."""
    made = []

    def make(path=None, size=(1280, 800), session=StandinSession):
        studio = Studio(Preferences())
        if path is not None:
            assert studio.open(path)
        theme.set_choice("light")
        window = MainWindow(theme, studio, lambda: session(studio.document))
        window.resize(*size)
        made.append(window)
        with qtbot.waitSignal(window.ready, timeout=20_000):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(lambda: studio.analysis is not None, timeout=60_000)
        return window

    yield make
    for window in made:
        window.leave()
        window.setParent(None)
        window.deleteLater()
    made.clear()
    settle(qapp)


@pytest.fixture
def four_bar(tmp_path):
    """A private copy of the sample."""
    return shutil.copy(sample_folder() / "four_bar.mech", tmp_path / "four_bar.mech")


@pytest.fixture(scope="session")
def shared(qapp, theme, tmp_path_factory):
    """One window for the tests that do not close theirs: making one takes longer than most tests."""
    import os
    before = dict(os.environ)
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    studio = Studio(Preferences())
    os.environ.clear()
    os.environ.update(before)
    window = MainWindow(theme, studio, lambda: StandinSession(studio.document))
    SHARED.append(window)
    window.show()
    yield window
    SHARED.clear()
    window.leave()
    window.deleteLater()
    settle(qapp)


@pytest.fixture
def window(shared, four_bar, qapp, qtbot):
    """The shared window with a private copy of the four-bar, as if it had just been opened."""
    studio = shared.studio
    qtbot.waitUntil(lambda: studio.session is not None and shared.isVisible())
    if shared.commands.sheet is not None and isValid(shared.commands.sheet) and shared.commands.sheet.isVisible():
        shared.commands.sheet.close_sheet()
    shared.commands.sheet = None
    shared.theme.set_choice("light")
    studio.preferences.set(labels=True, glyphs=True, theme="system", text_size=100, units="mm-N-deg", reduced_motion=False)
    studio.session.reset()
    studio.playback.set_speed(1.0)
    studio.playback.set_loop(False)
    studio.messages = []
    studio.messages_changed.emit()
    shared.resize(1280, 800)
    shared.set_workspace("build")
    assert studio.open(four_bar)
    shared.activateWindow()
    shared.viewport.setFocus()
    qtbot.waitUntil(lambda: studio.analysis is not None)
    settle(qapp)
    yield shared
    KNOWN.update(t for t in threading.enumerate() if t.name.startswith("worker"))
