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


def leftovers(threads_before):
    """What is still alive: running threads that were not there before, and active timers."""
    gc.collect()
    threads = [t.name for t in threading.enumerate() if t not in threads_before and t.is_alive()]
    timers = [o for o in gc.get_objects() if isinstance(o, QtCore.QTimer) and isValid(o) and o.isActive()]
    return threads + [f"timer {t.interval()} ms of {type(t.parent()).__name__}" for t in timers]


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


@pytest.fixture
def window(make_window, four_bar):
    return make_window(four_bar)
