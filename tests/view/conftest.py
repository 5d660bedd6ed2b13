"""The real window on the screen of the test run; no warning may be left by a test, and no thread or
timer by a folder of tests.
"""

import contextlib
import functools
import gc
import os
import shutil
import threading
import weakref

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from mechstudio.application.preferences import Preferences, Stored
from mechstudio.application.questions import channel
from mechstudio.application.questions.solver import Session
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import load
from mechstudio.folders import cache_folder
from mechstudio.main import make_app
from mechstudio.model.project import Project
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.garbage_collection import GarbageCollector
from mechstudio.view.idle_tasks import turns
from mechstudio.view.main_window import MainWindow
from mechstudio.view.scene.painter import Painter
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.form import Section
from tests.view import pointer
from tests.view.lent_processes import end_all, lent_study, waiting, waiting_studies
from tests.view.standin import StandinSession

pointer.install()
# a software OpenGL draws beside the other part of the run: threads of its own would only wait
os.environ.setdefault("LP_NUM_THREADS", "0")

COARSE = 8  # pixels across each pixel of pictures of the scene at which no test looks
# painters whose picture is such a one, of an earlier test too, with the look that it has
coarsely_seen = weakref.WeakKeyDictionary()
# what is painted over the picture, or beside it
OVERLAY = ("arrows", "covered", "gauges", "gauge_rooms", "hovered", "invitation", "now")

# said by the platform, not by us
HARMLESS = ("propagateSizeHints", "XDG_RUNTIME_DIR", "This plugin does not support")


@pytest.fixture(scope="session", autouse=True)
def lent_to_the_end():
    """Processes that were lent end with the last test."""
    yield
    end_all()


@pytest.fixture(scope="session", autouse=True)
def quick_disk():
    """Nothing that the tests of the window write must outlive a power cut: what is flushed to the
    disk is held by tests/files/test_durable.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


def look_of(painter):
    """Everything that a picture shows beside the scene, its poses and the camera."""
    return {name: value for name, value in vars(painter._look).items() if name not in OVERLAY}


def keeps_picture(painter, ratio):
    """True if a coarse picture is out of date by its camera or poses alone: another one would go
    the same way through the renderer.
    """
    before, image, now = coarsely_seen.get(painter), painter._image, look_of(painter)
    return (
        before is not None
        and image is not None
        and (image.width(), image.height()) == painter._pixels(ratio)
        and painter.stale <= {"poses", "picture"}
        and not painter._look.has_symbols
        and all(now[name] is before[name] for name in now)
    )


@pytest.fixture(autouse=True)
def coarse_scene(monkeypatch):
    """Pictures of the scene are drawn with large pixels, which a software OpenGL fills in half the
    time or less, until the test grabs or renders a widget: from then on they are as fine as ever.
    Those in which bodies hide symbols, those at rest and those for a file always are.  While
    nothing but the camera or poses change, the picture before stays.
    """
    drawn, picture, shown, looked = Painter._draw, Renderer.picture, Painter._show, []

    def draw(painter, ratio):
        if looked:
            drawn(painter, ratio)
            return
        if keeps_picture(painter, ratio):
            painter._framing.fit_now()
            painter._prepare()
            painter.stale.discard("picture")
            return
        with monkeypatch.context() as patch:
            patch.setattr(Renderer, "picture", coarse_picture)
            drawn(painter, ratio)
        coarsely_seen[painter] = look_of(painter)

    def coarse_picture(renderer, size, camera, scale):
        if renderer.look.has_symbols:
            return picture(renderer, size, camera, scale)
        small = tuple(max(1, -(-side // COARSE)) for side in size)
        pixels = picture(renderer, small, camera, scale / COARSE)
        large = pixels.repeat(COARSE, axis=0).repeat(COARSE, axis=1)
        return np.ascontiguousarray(large[: size[1], : size[0]])

    def show(painter, pixels, ratio):
        coarsely_seen.pop(painter, None)
        shown(painter, pixels, ratio)

    def finely(look):
        @functools.wraps(look)
        def fine(widget, *arguments):
            looked.append(widget)
            for painter in coarsely_seen:
                painter.stale.add("picture")
            coarsely_seen.clear()
            return look(widget, *arguments)

        return fine

    monkeypatch.setattr(Painter, "_draw", draw)
    monkeypatch.setattr(Painter, "_show", show)
    for name in ("grab", "render"):
        monkeypatch.setattr(QtWidgets.QWidget, name, finely(getattr(QtWidgets.QWidget, name)))


@pytest.fixture(autouse=True)
def lent_processes(monkeypatch):
    """Processes for equations and studies are given back instead of ended, and serve one test after
    the other.
    """
    monkeypatch.setattr(channel, "WorkerProcess", lent_study)


@pytest.fixture(scope="session")
def qapp_cls():
    return QtWidgets.QApplication


class PatientBot(QtBot):
    """Waits as long as a busy machine may take, where a test names no other time."""

    def waitUntil(self, callback, *, timeout=60_000):
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture(scope="session")
def theme(qapp):
    GarbageCollector(make_app())
    return Theme(qapp, "light")


def active_timers():
    """Every running timer that is neither a shared window's nor that of garbage collection."""
    gc.unfreeze()  # objects made before a shared window are hidden since then
    gc.collect()
    timers = [
        o
        for o in gc.get_objects()
        # isinstance would look through weak proxies, also at what is gone
        if issubclass(type(o), QtCore.QTimer) and isValid(o) and o.isActive()
    ]
    gc.freeze()
    lasting = (*SHARED, *QtWidgets.QApplication.instance().findChildren(GarbageCollector))
    return [t for t in timers if not any(belongs_to(t, one) for one in lasting)]


def belongs_to(child, ancestor):
    while child is not None and child is not ancestor:
        child = child.parent()
    return child is not None


def leftovers(threads_before):
    """Leftovers that are still alive: running threads that were not there before, and active
    timers.
    """
    for t in threading.enumerate():
        # the journal writes once, a file or a picture is made once: these end by themselves
        if t.name in ("journal", "unpack", "export"):
            t.join(5.0)
    kept = lasting_workers()
    threads = [
        t.name
        for t in threading.enumerate()
        if t not in threads_before and t not in kept and t.is_alive()
    ]
    return threads + [
        f"timer {t.interval()} ms of {type(t.parent()).__name__}" for t in active_timers()
    ]


SHARED = []


def lasting_workers():
    """The threads of the shared windows' processes, solvers and derivations: they outlive a test,
    and a spare solver starts whenever a session is at rest.
    """
    processes = []
    for window in SHARED:
        processes += getattr(
            getattr(window.studio.questions.session, "client", None), "_processes", ()
        )
        derivations = window.docks.equations.derivations if window.docks.is_filled else None
        verdicts = window.docks.equations.verdicts if window.docks.is_filled else None
        processes += [
            each.channel.process
            for each in (derivations, verdicts)
            if each is not None and each.channel.process is not None
        ]
        if window.studio.questions.exports.channel.process is not None:
            processes.append(window.studio.questions.exports.channel.process)
        inquiries = (
            window.studio.questions.branches,
            window.studio.questions.analyses,
            window.studio.questions.sizing,
            window.studio.questions.curves._asker,
            window.studio.questions.steps._asker,
            window.studio.free_body._asker,
            window.studio.marks.arrows._asker,
            window.studio.marks.whole_turns._asker,
            window.studio.marks.interference._asker,
        )
        earlier = window.studio.questions.kept_curves._curves
        if earlier is not None:
            inquiries = (*inquiries, earlier._asker)
        processes += [
            inquiry.channel.process for inquiry in inquiries if inquiry.channel.process is not None
        ]
    processes += (*waiting, *waiting_studies)
    return {thread for process in processes for thread in process._threads}


threads_before: set[threading.Thread] = set()  # those alive before the first test of a window


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    if not threads_before:
        threads_before.update(threading.enumerate())
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """No thread and no timer outlives the tests of a folder: looking through all objects takes too
    long for each test or module.
    """
    yield
    if nextitem is None or nextitem.path.parent != item.path.parent:
        settle(QtWidgets.QApplication.instance())
        assert leftovers(threads_before) == []


@pytest.fixture(autouse=True)
def clean(request, qapp, qtlog, tmp_path, monkeypatch):
    """A private folder for preferences; nothing was said by Qt."""
    # compiled kernels are shared by all tests: making them takes half a minute
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder().parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    yield
    settle(qapp)
    said = [r.message for r in qtlog.records if not any(h in r.message for h in HARMLESS)]
    assert said == []


def without_rest(window):
    """Paint no smooth edges at rest: sixteen pictures each time, which the painter's own tests ask
    for.
    """
    window.viewport.painter.rest.timeout.disconnect()


def settle(app):
    """Let everything happen that is due, deletions included."""
    # first what waits for its turn, so that one picture shows all of it
    turns().finish()
    for _ in range(3):
        app.processEvents()
        turns().finish()
        app.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


@contextlib.contextmanager
def at_once(studio):
    """Panels that are opened in the block come without moving: each frame of it would lay out and
    paint the whole window.
    """
    stored, reduced = studio.preferences.stored, studio.preferences.stored.reduced_motion
    stored.reduced_motion = True
    try:
        yield
    finally:
        stored.reduced_motion = reduced


@pytest.fixture
def make_window(qapp, theme, qtbot):
    """make(path, size, session, folded): the window with a file, shown, its first frame drawn and
    its panels filled; folded: the bottom row as it is before the first run.
    """
    made = []

    def make(path=None, size=(1280, 800), session=StandinSession, folded=False):
        studio = Studio(Preferences())
        # an empty window would begin the first drawing
        studio.preferences.stored.first_drawing = False
        if path is not None:
            assert studio.files.open(path)
        theme.set_choice("light")
        window = MainWindow(theme, studio, lambda: session(studio.document))
        window.resize(*size)
        without_rest(window)
        made.append(window)
        with qtbot.waitSignal(window.ready, timeout=20_000):
            window.show()
        window.activateWindow()
        if not folded:
            with at_once(studio):
                window.docks.open_low()
            settle(qapp)
        qtbot.waitUntil(lambda: studio.questions.analysis is not None, timeout=60_000)
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


@functools.cache
def sample_file(name):
    """Contents of the file of a sample, read once."""
    return load(sample_folder() / f"{name}.mech")


@pytest.fixture
def unstyled(theme, monkeypatch):
    """The style sheet stays as it is, since another one takes seconds where there are many widgets:
    for tests of what else a theme or a text size changes.
    """
    # the sheet that stays belongs to what the theme is before and after
    theme.set_choice("light")
    theme.set_scale(1.0)
    with monkeypatch.context() as patch:
        patch.setattr(theme._app, "setStyleSheet", lambda text: None)
        mute = theme._app.setStyleSheet
        yield
        assert theme._app.setStyleSheet is mute, (
            "who patches the style sheet too takes that back before the end"
        )
        theme.set_choice("light")
        theme.set_scale(1.0)


@contextlib.contextmanager
def lasting(qapp, theme, folder, session):
    """A window for the tests that do not close theirs: making one takes longer than most tests."""
    before = dict(os.environ)
    os.environ["XDG_CONFIG_HOME"] = str(folder)
    studio = Studio(Preferences())
    os.environ.clear()
    os.environ.update(before)
    studio.preferences.stored.first_drawing = False
    window = MainWindow(theme, studio, lambda: session(studio.document))
    SHARED.append(window)
    without_rest(window)
    window.ready.connect(gc.freeze)
    window.show()
    yield window
    SHARED.remove(window)
    window.leave()
    window.deleteLater()
    settle(qapp)


@pytest.fixture(scope="session")
def shared(qapp, theme, tmp_path_factory):
    """One window with a session in closed form."""
    with lasting(qapp, theme, tmp_path_factory.mktemp("config"), StandinSession) as window:
        yield window


@pytest.fixture(scope="session")
def shared_solver(qapp, theme, tmp_path_factory):
    """One window with the real solver."""
    with lasting(qapp, theme, tmp_path_factory.mktemp("config"), Session) as window:
        yield window


def handed_back(window):
    """A shared window serves the tests that follow: one that closes it fails itself."""
    assert window.isVisible() and window.studio.questions.session is not None, (
        "the shared window was closed"
    )
    menus = (*window.menus.values(), *window.actions_._inner.values())
    assert all(isValid(menu) for menu in menus), "a menu counts as deleted"


def started(window, qtbot):
    """Wait until the window is on screen and has its session, which comes after the first frame."""
    qtbot.waitUntil(
        lambda: window.studio.questions.session is not None and window.isVisible(), timeout=20_000
    )


def fresh(window):
    """As if the window had just been made; the document is the caller's to replace."""
    studio = window.studio
    for sheet in window.findChildren(Sheet):
        if sheet.isVisible():  # a test may have left several
            sheet.close_sheet()
    window.sheet = None
    if window.start is not None:
        window.start.close_page()
    window.first.leave()
    window.theme.set_choice("light")
    new = msgspec.structs.asdict(Stored(first_drawing=False))
    kept = ("window", "maximized", "folder")
    studio.preferences.set(**{k: v for k, v in new.items() if k not in kept})
    studio.runs.playback.set_speed(1.0)
    studio.runs.playback.set_repeat("once")
    studio.runs.playback.whole()
    # the pane touched last stands in front of its tabs
    plots = studio.plots
    plots.pane, plots.recent, plots.statistics, plots.follow = "", (), False, True
    plots.a = plots.b = plots.stretch = None
    studio.notifications.messages = []
    studio.notifications.changed.emit()
    # the tool too, which a test may have taken from the view
    studio.tools.take("select")
    window.viewport.look.reduced_motion = False
    # folds of the inspector stay open from one drawing to the next, and push what is below them out
    # of sight
    inspector = window.docks.inspector
    unfolded = [section for section in inspector.parts(Section) if section.is_open]
    for section in unfolded:
        section.set_open(False)
    # so do the fields of folds that were opened once, in pages that are kept; making pages takes
    # longer than most tests
    if unfolded or inspector.opened:
        inspector.opened.clear()
        inspector._leaves.forget()
        inspector._signature = None
    for area in window.findChildren(QtWidgets.QAbstractScrollArea):
        area.verticalScrollBar().setValue(0)
    window.resize(1280, 800)
    window.docks.hidden.clear()
    # panels that a test opened take the room of those that the next one looks at
    if window.docks.shows_parameters:
        window.docks.show_parameters(False)
    if window.docks.shows_lesson:
        window.docks.show_lesson(False)
    window.docks.open_low()
    # the page in front, too
    window.docks.pages.chosen.emit("equations")
    window.set_workspace("build")
    window.raise_()
    window.activateWindow()
    window.viewport.setFocus()


@contextlib.contextmanager
def unpainted(window):
    """One picture at the end shows all that is changed in the block."""
    window.setUpdatesEnabled(False)
    try:
        yield
        turns().finish()
    finally:
        window.setUpdatesEnabled(True)
    window.repaint()


def let_go(window):
    """Nothing is under the pointer; a move to the place of an earlier test would send no event."""
    turns().finish()
    QTest.mouseMove(window, window.rect().bottomRight())
    window.studio.selection.hover("")


def emptied(window, qtbot):
    """An empty drawing in a window as it comes, nothing in hand, the view as at the start and
    without movements of its own.
    """
    with unpainted(window):
        fresh(window)
        window.studio.files.show(Project(), None, None)
        window.viewport.look.reduced_motion = True
        window.viewport.framing.view_from("front")
        let_go(window)
    qtbot.waitUntil(
        lambda: window.studio.questions.analysis is not None and not window.docks.is_growing,
        timeout=60_000,
    )
    return window


@pytest.fixture
def empty(shared, qapp, qtbot):
    """The shared window with an empty drawing seen from the front: enough where nothing is run."""
    started(shared, qtbot)
    shared.studio.questions.session.reset()
    emptied(shared, qtbot)
    settle(qapp)
    yield shared
    handed_back(shared)


@pytest.fixture
def at_rest(shared_solver, qapp, qtbot):
    """The shared window with the real solver, which has nothing to do; the drawing is the last
    test's.
    """
    window = shared_solver
    started(window, qtbot)
    session = window.studio.questions.session
    if session.is_running:
        session.cancel()
    session.recording = None  # else a drawing like the last one has its run
    # on a fresh machine the kernels are compiled first
    qtbot.waitUntil(lambda: session.status.phase == "ready", timeout=180_000)
    yield window
    handed_back(window)


@pytest.fixture
def solved(at_rest, qapp, qtbot):
    """The shared window with the real solver, an empty drawing seen from the front."""
    emptied(at_rest, qtbot)
    qtbot.waitUntil(lambda: at_rest.studio.questions.session.status.phase == "ready")
    settle(qapp)
    return at_rest


@pytest.fixture
def window(shared, four_bar, qapp, qtbot):
    """The shared window with a private copy of the four-bar, as if it had just been opened."""
    studio = shared.studio
    started(shared, qtbot)
    studio.questions.session.reset()
    file = sample_file("four_bar")
    with unpainted(shared):
        fresh(shared)
        # the mechanism is the same each time: its equations are derived once
        studio.files.show(replace(file.project), str(four_bar), file.camera)
        studio.preferences.add_recent(four_bar)
        let_go(shared)
        qtbot.waitUntil(
            lambda: studio.questions.analysis is not None and not shared.docks.is_growing
        )
    settle(qapp)
    yield shared
    handed_back(shared)


@pytest.fixture
def solved_file(at_rest, qtbot):
    """solved_file(path): the shared window with the real solver and a file, as if it had just been
    opened.
    """
    solved = at_rest

    def opened(path):
        studio = solved.studio
        with unpainted(solved):
            fresh(solved)
            assert studio.files.open(path)
            let_go(solved)
            qtbot.waitUntil(
                lambda: (
                    studio.questions.analysis is not None
                    and studio.questions.session.status.phase == "ready"
                    and not solved.docks.is_growing
                ),
                timeout=60_000,
            )
        return solved

    return opened


@pytest.fixture
def solved_four_bar(solved_file, four_bar):
    """The shared window with the real solver and a private copy of the four-bar, as if it had just
    been opened.
    """
    return solved_file(four_bar)
