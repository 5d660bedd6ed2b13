"""Longest standstill of the window: `python tests/benchmarks/responsiveness.py` under a display
(xvfb-run). Not collected by pytest.

A drawing of 100 bodies and 100 joints is worked on by real events while a timer of 5 ms beats in
the window's event loop.  What counts is the main thread's own computing time between two beats, so
that other load on the machine does not matter; waiting for the renderer is not in it.
Arguments: chain or grid (both), rate for the pull alone, and --profile NAME for where the longest
stretch of one line, or of all, goes.
"""

import cProfile
import math
import os
import pathlib
import pstats
import sys
import tempfile
import time

from mechstudio.application.actions import edit
from mechstudio.view.actions.file import open_path

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.main import make_app, make_window
from mechstudio.model.edits import elements
from mechstudio.model.quantity import Quantity

Qt = QtCore.Qt
LIMIT = 100.0  # ms
BEAT = 5  # ms


def chain(count: int = 100):
    """Links in a row, pinned to each other, the first to ground."""
    m = ms.Builder("Chain")
    before, at = m.ground, (0.0, 0.0, 0.0)
    for k in range(count):
        end = (at[0] + 0.1, 0.0, at[2] + (0.05 if k % 2 else -0.05))
        link = m.link(f"link {k}", at, end)
        m.pin(f"P{k}", before, link, at=at)
        before, at = link, end
    m.run(duration="1 s")
    return m.project()


def grid(count: int = 25):
    """Four-bars beside each other: loops of three links, with a link on top of each."""
    m = ms.Builder("Grid")
    for k in range(count):
        x, z = 0.6 * (k % 5), 0.5 * (k // 5)
        a, b, c, d = (x, 0, z), (x, 0, z + 0.15), (x + 0.3, 0, z + 0.25), (x + 0.3, 0, z)
        links = [
            m.link(f"{name} {k}", p, q)
            for name, p, q in (
                ("crank", a, b),
                ("coupler", b, c),
                ("rocker", d, c),
                ("arm", c, (x + 0.45, 0, z + 0.3)),
            )
        ]
        for name, one, other, at in (
            ("A", m.ground, links[0], a),
            ("B", links[0], links[1], b),
            ("C", links[1], links[2], c),
            ("D", m.ground, links[2], d),
            ("E", links[2], links[3], c),
        ):
            if name != "E" or k % 5 == 0:
                m.pin(f"{name}{k}", one, other, at=at)
    m.run(duration="1 s")
    return m.project()


class Watch:
    """The longest computing time between two beats [ms].  Beats come from a timer of the event
    loop.

    profile: of that longest stretch alone, if `profiles` is set; profiling makes it about twice as
    long.  beating: all that there are.
    """

    beating: "list[Watch]" = []

    def __init__(self) -> None:
        self.longest, self._last = 0.0, time.thread_time()
        self.profiles = False
        self.profile: cProfile.Profile | None = None
        self._running: cProfile.Profile | None = None
        self._timer = QtCore.QTimer(interval=BEAT)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.beat)
        self._timer.start()
        self.beating.append(self)

    def beat(self) -> None:
        now = time.thread_time()
        ran, self._last = 1e3 * (now - self._last), now
        if self._running is not None:
            self._running.disable()
        if ran > self.longest:
            self.longest, self.profile = ran, self._running
        self._profile()

    def begin(self) -> None:
        self.longest, self.profile, self._last = 0.0, None, time.thread_time()
        self._profile()

    def end(self) -> None:
        """The last stretch counts too."""
        self.beat()
        if self._running is not None:
            self._running.disable()
            self._running = None

    def _profile(self) -> None:
        if self.profiles:
            self._running = cProfile.Profile(time.thread_time)
            self._running.enable()


def pump(seconds: float) -> None:
    """Let the event loop run; every round is one turn of it, so that beats can come between.  What
    is done after it comes as another event would.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QtWidgets.QApplication.processEvents(QtCore.QEventLoop.ProcessEventsFlag.AllEvents, 5)
        time.sleep(0.001)
    for watch in Watch.beating:
        watch.beat()


def wait(condition, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        pump(0.02)


class Bench:
    """A window with a drawing, and what is done to it."""

    def __init__(self, app, project, path: str) -> None:
        """project: saved under `path`; None for a file that is there already."""
        self.studio = Studio(Preferences(kept=False))
        self.window = make_window(app, self.studio, "light")
        self.window.resize(1280, 800)
        self.window.show()
        self.path = path
        if project is not None:
            ms.save(project, path)
        self.watch = Watch()

    @property
    def view(self):
        return self.window.viewport

    def pixel(self, body: str) -> QtCore.QPoint:
        m = self.studio.document.project.mechanism
        x, y = self.view.framing.world_to_pixel(
            [
                m.frame_in_world(
                    next(j for j in m.joints.values() if j.frame_b.body == body).frame_b
                )[0]
            ]
        )[0]
        return QtCore.QPoint(round(x), round(y))

    def mouse(
        self, kind, at, button=Qt.MouseButton.LeftButton, modifiers=Qt.KeyboardModifier.NoModifier
    ) -> None:
        getattr(QTest, kind)(
            self.view, button, modifiers, at
        ) if kind != "mouseMove" else QTest.mouseMove(self.view, at)

    def drag(self, start, end, steps: int = 12) -> None:
        self.mouse("mousePress", start)
        for k in range(1, steps + 1):
            self.mouse("mouseMove", start + (end - start) * k / steps)
            pump(0.03)
        self.mouse("mouseRelease", end)
        pump(0.2)

    # what is measured, in this order

    def do_open(self) -> None:
        open_path(self.window, pathlib.Path(self.path))
        wait(
            lambda: (
                self.studio.document.path == self.path
                and self.studio.questions.analysis is not None
            )
        )
        pump(0.5)

    def do_hover(self) -> None:
        for body in list(self.studio.document.project.mechanism.bodies)[::8]:
            self.mouse("mouseMove", self.pixel(body) + QtCore.QPoint(3, 3))
            pump(0.05)

    def do_select(self) -> None:
        for body in list(self.studio.document.project.mechanism.bodies)[::20]:
            self.studio.selection.select(body)
            pump(0.15)

    def do_select_many(self) -> None:
        self.studio.selection.select(*self.studio.document.project.mechanism.bodies)
        pump(0.4)
        self.studio.selection.select()
        pump(0.2)

    def do_pull(self) -> None:
        body = list(self.studio.document.project.mechanism.bodies)[10]
        at = self.pixel(body)
        self.drag(at, at + QtCore.QPoint(40, -30))
        pump(0.5)

    def do_gizmo(self) -> None:
        body = list(self.studio.document.project.mechanism.bodies)[10]
        self.studio.selection.select(body)
        pump(0.2)
        tool = self.studio.tools.tool
        from mechstudio.view.scene.eye import CameraEye

        handles = [
            h
            for h in tool.handles(CameraEye(self.view.framing.camera, self.view.framing.size))
            if h.kind == "arrow"
        ]
        if not handles:
            return
        x, y = self.view.framing.world_to_pixel([handles[0].points[-1]])[0]
        at = QtCore.QPoint(round(x), round(y))
        self.mouse("mouseMove", at)
        pump(0.1)
        self.drag(at, at + QtCore.QPoint(30, 10))
        pump(0.5)

    def do_type(self) -> None:
        self.studio.selection.select(list(self.studio.document.project.mechanism.bodies)[10])
        pump(0.3)
        # requested by `number`, the inspector would open all its folds and keep them open for what
        # follows
        inspector, path = self.window.docks.inspector, ("shapes", 0, "dimensions", "length")
        field = next(
            (n for n in inspector.numbers if n.field.path == path), None
        ) or inspector.number(path)
        inspector.opened.clear()
        field.edit.setFocus()
        field.edit.selectAll()
        for key in "123 mm":
            QTest.keyClicks(field.edit, key)
            pump(0.03)
        QTest.keyClick(field.edit, Qt.Key.Key_Return)
        pump(0.8)
        self.view.setFocus()

    def do_edit(self) -> None:
        project = self.studio.document.project
        id = next(iter(project.mechanism.bodies))
        self.studio.document.commit(
            "Heavier", elements.set_attribute(project, id, mass=Quantity(2.0))
        )
        pump(0.8)

    def do_undo_redo(self) -> None:
        for key in (Qt.Key.Key_Z, Qt.Key.Key_Y) * 2:
            QTest.keyClick(self.view, key, Qt.KeyboardModifier.ControlModifier)
            pump(0.4)

    def do_duplicate(self) -> None:
        self.studio.selection.select(*list(self.studio.document.project.mechanism.bodies)[10:20])
        pump(0.2)
        self.window.actions_.trigger("duplicate")
        pump(0.8)

    def do_delete(self) -> None:
        self.studio.selection.select(list(self.studio.document.project.mechanism.bodies)[-1])
        pump(0.2)
        self.window.actions_.trigger("delete")
        pump(0.8)

    def do_draw_link(self) -> None:
        self.studio.selection.select()
        self.window.actions_.trigger("draw_link")
        pump(0.1)
        middle = self.view.rect().center() + QtCore.QPoint(60, 120)
        for offset in (QtCore.QPoint(0, 0), QtCore.QPoint(80, -30)):
            for k in range(4):
                self.mouse("mouseMove", middle + offset + QtCore.QPoint(3 * k - 9, 0))
                pump(0.05)
            self.mouse("mousePress", middle + offset)
            pump(0.03)  # as long as a quick finger needs
            self.mouse("mouseRelease", middle + offset)
            pump(0.4)
        self.window.actions_.trigger("select_none")
        self.studio.tools.rest()
        pump(0.5)

    def do_history(self) -> None:
        edit.go_to(self.studio, 1)
        pump(0.6)
        edit.go_to(self.studio, 0)
        pump(0.6)

    def do_play(self) -> None:
        wait(lambda: self.studio.questions.session.status.phase == "ready", 600)
        self.studio.runs.play()
        wait(
            lambda: self.studio.runs.recording is not None and self.studio.runs.recording.count > 5,
            300,
        )
        pump(2.0)
        self.studio.runs.playback.pause()
        pump(0.3)

    def close(self) -> None:
        self.window.leave()
        pump(0.2)


ORDER = (
    "open",
    "hover",
    "select",
    "select_many",
    "pull",
    "gizmo",
    "type",
    "edit",
    "undo_redo",
    "duplicate",
    "delete",
    "draw_link",
    "history",
    "play",
)


def run(app, name: str, profiled: str = "") -> dict[str, float]:
    """{what: longest block in ms} of one drawing."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(
            app, {"chain": chain, "grid": grid}[name](), os.path.join(folder, f"{name}.mech")
        )
        wait(lambda: bench.studio.questions.session is not None)
        pump(1.0)
        for what in ORDER:
            bench.watch.profiles = profiled in (what, "all")
            bench.watch.begin()
            getattr(bench, f"do_{what}")()
            bench.watch.end()
            out[what] = bench.watch.longest
            print(f"{name} {what}: {out[what]:.0f}", file=sys.stderr, flush=True)
            if bench.watch.profile is not None and bench.watch.profiles:
                pstats.Stats(bench.watch.profile).sort_stats("cumulative").print_stats(70)
        bench.close()
    return out


def rate(app, seconds: float = 3.0) -> tuple[float, float, float]:
    """12 four-bars with 50 bodies, one of them pulled without pause: redraws of the viewport per
    second of the clock; the same without the time in which the renderer draws (on a machine without
    a graphics card that is most of it); and the same per second of the window's own computing,
    without the renderer's.
    """
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(app, grid(12), os.path.join(folder, "rate.mech"))
        wait(lambda: bench.studio.questions.session is not None)
        bench.studio.files.open(bench.path)
        bench.watch.begin()
        wait(
            lambda: (
                bench.studio.questions.analysis is not None
                and bench.studio.questions.session.status.phase == "ready"
            ),
            600,
        )
        pump(1.0)
        view, spent, times = bench.view, [0.0, 0.0], []
        painted, drawn = view.paintEvent, view.painter.renderer.picture

        def draw(*parts):
            wall, own = time.monotonic(), time.thread_time()
            try:
                return drawn(*parts)
            finally:
                spent[0] += time.monotonic() - wall
                spent[1] += time.thread_time() - own

        def paint(event) -> None:
            times.append(bench.studio.questions.drag.poses is not None)
            painted(event)

        view.paintEvent, view.painter.renderer.picture = paint, draw
        at = bench.pixel(list(bench.studio.document.project.mechanism.bodies)[1])
        bench.mouse("mousePress", at)
        for k in range(8):
            bench.mouse("mouseMove", at + QtCore.QPoint(2 * k, -k))
            pump(0.03)
        times.clear()
        spent[:] = 0.0, 0.0
        start, own, k = time.monotonic(), time.thread_time(), 0
        while time.monotonic() - start < seconds:
            k += 1
            bench.mouse(
                "mouseMove",
                at
                + QtCore.QPoint(
                    round(14 + 10 * math.sin(0.2 * k)), round(-7 + 10 * math.cos(0.2 * k))
                ),
            )
            pump(0.008)
        lasted, computed, shown = time.monotonic() - start, time.thread_time() - own, sum(times)
        drew, drawing = spent
        bench.mouse("mouseRelease", at)
        pump(0.5)
        bench.close()
        if not shown:
            raise RuntimeError("Nothing was pulled.")
        return shown / lasted, shown / (lasted - drew), shown / (computed - drawing)


def main() -> None:
    arguments = sys.argv[1:]
    profiled = arguments[arguments.index("--profile") + 1] if "--profile" in arguments else ""
    names = [a for a in arguments if a in ("chain", "grid")] or (
        [] if "rate" in arguments else ["chain", "grid"]
    )
    app = make_app()
    tables = {name: run(app, name, profiled) for name in names}
    if not names:
        return finish(app)
    print(f"longest block of the window [ms of its own computing], limit {LIMIT:g}")
    print(f"{'':<14}" + "".join(f"{name:>10}" for name in names))
    for what in ORDER:
        print(f"{what:<14}" + "".join(f"{tables[name][what]:>10.0f}" for name in names))
    finish(app)


def finish(app) -> None:
    """The line of the pull, then the end, whatever processes are still about."""
    clock, apart, own = rate(app)
    print(
        f"50 bodies pulled: {clock:.0f} redraws/s, {apart:.0f} without the renderer's "
        f"drawing, {own:.0f} per second of the window's own computing (aim: 30)"
    )
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
