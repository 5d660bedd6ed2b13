"""Redraws per second of a pane over a million samples, panned by real events.

python -m tests.benchmarks.plots
"""

import sys
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.application.studio import Studio
from mechstudio.main import make_app
from mechstudio.model.project import Plot
from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.panel import PlotsPanel
from mechstudio.view.theme import Theme

SAMPLES, MOVES, REQUESTED = 1_000_000, 60, 20.0
MOST_PARTS = 100  # that the samples are made in


def recording_of(project, folder: Path) -> Recording:
    """A run of a million samples, whose coordinates are noisy sines."""
    run = Recording(project, folder, in_memory=1 << 30)
    count = run.layout.coordinates.stop - run.layout.coordinates.start
    t = np.linspace(0.0, 1000.0, SAMPLES)
    noise = np.random.default_rng(1).normal(size=SAMPLES)
    for part in np.array_split(np.arange(SAMPLES), MOST_PARTS):
        rows = np.zeros((len(part), run.layout.width))
        rows[:, 0] = t[part]
        for k in range(count):
            rows[:, run.layout.coordinates.start + k] = (
                np.sin((k + 1) * t[part]) + 0.05 * noise[part]
            )
        run.append(rows)
    run.duration = 1000.0
    run.finish(True)
    return run


def main() -> int:
    """Print redraws per second; 1 where they are too few."""
    app = make_app()
    studio = Studio(Preferences(kept=False))
    assert studio.files.open(sample_folder() / "double_pendulum.mech")
    keys = [f"joint/{id}/0" for id in studio.document.project.mechanism.joints]
    plots = (Plot("one", "Angles", (*keys, "energy/total")),)
    studio.document.commit(
        "One pane", msgspec.structs.replace(studio.document.project, plots=plots)
    )
    with tempfile.TemporaryDirectory() as folder:
        run = recording_of(studio.document.project, Path(folder))
        # the run stands where the solver's would
        type(studio.runs).recording = property(lambda self: run)
        studio.runs.playback.set_range(1000.0, 1000.0, True, 1e-3)
        panel = PlotsPanel(Theme(app, "light"), studio)
        panel.resize(1200, 400)
        panel.show()
        panel.begin()
        turns().finish()
        begun = time.perf_counter()
        panel.follow()
        app.processEvents()
        first = time.perf_counter() - begun
        area = panel.panes["one"].area
        assert area is not None and len(area.drawn) == 3
        for stretch in ((100.0, 900.0), (100.0, 200.0), (100.0, 101.0)):
            studio.plots.show(*stretch)
            panel.follow()
            app.processEvents()
            rate, cpu = panned(app, area)
            print(
                f"{SAMPLES} samples, 3 curves, {stretch[1] - stretch[0]:g} s in sight: "
                f"{rate:.0f} redraws/s, {1e3 * cpu:.1f} ms of CPU each"
            )
            if 1.0 / cpu < REQUESTED:
                return 1
        print(f"first picture {1e3 * first:.0f} ms")
        run.close()
    return 0


def panned(app: QtWidgets.QApplication, area) -> tuple[float, float]:
    """Redraws per second, and CPU time of one [s], while the pointer drags to and fro."""
    view, at = area.viewport(), QtCore.QPointF(600.0, 200.0)
    none, left = QtCore.Qt.MouseButton.NoButton, QtCore.Qt.MouseButton.LeftButton
    plain = QtCore.Qt.KeyboardModifier.NoModifier

    def send(kind, button, buttons, place):
        event = QtGui.QMouseEvent(kind, place, place, button, buttons, plain)
        QtWidgets.QApplication.sendEvent(view, event)

    send(QtCore.QEvent.Type.MouseButtonPress, left, left, at)
    begun, cpu = time.perf_counter(), time.process_time()
    for k in range(MOVES):
        place = at + QtCore.QPointF(100.0 * np.sin(0.3 * k), 0.0)
        send(QtCore.QEvent.Type.MouseMove, none, left, place)
        view.repaint()
    took, used = time.perf_counter() - begun, time.process_time() - cpu
    send(QtCore.QEvent.Type.MouseButtonRelease, left, none, at)
    return MOVES / took, used / MOVES


if __name__ == "__main__":
    sys.exit(main())
