"""The README's pictures, taken from the real window: resources/pictures/window.png and drawing.gif.

    python packaging/make_pictures.py     (on a virtual screen where there is none; needs Pillow)

The animation is a person's way from an empty window to a running four-bar: L, four clicks, Enter,
Space.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "resources" / "pictures"
POINTS = ((-0.2, 0.0), (-0.14, 0.16), (0.26, 0.34), (0.3, 0.0))
SIZE = (1280, 800)
SHOWN = (960, 600)
MOVE_FRAMES, FRAME_MS, PLAY_SECONDS = 7, 60, 3.0


class Film:
    """Frames of the window with the hand's place drawn in, as Pillow images."""

    def __init__(self, window):
        self.window, self.frames, self.durations = window, [], []

    def take(self, milliseconds=FRAME_MS, pointer=None):
        from PIL import Image
        from PySide6 import QtCore, QtGui

        image = self.window.grab_picture().convertToFormat(QtGui.QImage.Format.Format_RGB888)
        if pointer is not None:
            at = self.window.viewport.mapTo(self.window, pointer)
            painter = QtGui.QPainter(image)
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            arrow = QtGui.QPolygonF(
                [
                    QtCore.QPointF(at.x() + x, at.y() + y)
                    for x, y in (
                        (0, 0),
                        (0, 17),
                        (4.5, 13),
                        (7.5, 19.5),
                        (10, 18.3),
                        (7.2, 12),
                        (12.5, 12),
                    )
                ]
            )
            painter.setPen(QtGui.QPen(QtGui.QColor("white"), 1.5))
            painter.setBrush(QtGui.QColor("#1A1D23"))
            painter.drawPolygon(arrow)
            painter.end()
        picture = Image.frombuffer(
            "RGB",
            (image.width(), image.height()),
            bytes(image.constBits()),
            "raw",
            "RGB",
            image.bytesPerLine(),
            1,
        )
        self.frames.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))
        self.durations.append(milliseconds)

    def save(self, path):
        """One palette for all frames, so that nothing flickers."""
        from PIL import Image

        strip = Image.new("RGB", (SHOWN[0], SHOWN[1] * 3))
        for k, frame in enumerate(
            (self.frames[0], self.frames[len(self.frames) // 3], self.frames[-1])
        ):
            strip.paste(frame, (0, k * SHOWN[1]))
        # most of the palette for the many greys, the rest for the rare bright colours
        colors = []
        for count, method in ((176, Image.Quantize.MEDIANCUT), (80, Image.Quantize.MAXCOVERAGE)):
            colors += strip.quantize(count, method=method).getpalette()[: 3 * count]
        palette = Image.new("P", (1, 1))
        palette.putpalette(colors)
        frames = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in self.frames]
        frames[0].save(
            path,
            save_all=True,
            append_images=frames[1:],
            duration=self.durations,
            loop=0,
            optimize=True,
        )


def open_window(theme, path=None):
    """The window on a file or on nothing, its solver ready."""
    from mechstudio.application.preferences import Preferences
    from mechstudio.application.studio import Studio
    from mechstudio.main import make_app, make_window, wait

    app, studio = make_app(), Studio(Preferences(kept=False))
    if path is not None:
        studio.files.open(path)
    window = make_window(app, studio, theme)
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    pause = lambda seconds: wait(app, lambda: False, seconds)
    wait(
        app,
        lambda: (
            studio.questions.session is not None
            and studio.questions.session.status.phase == "ready"
        ),
        600,
    )
    pause(1.0)
    return window, studio, pause, lambda until, limit=60: wait(app, until, limit)


def draw_and_run(path):
    """The animation."""
    from PySide6 import QtCore, QtTest

    window, studio, pause, wait_for = open_window("light")
    view, film = window.viewport, Film(window)
    view.look.reduced_motion = True
    view.setFocus()
    film.take(900)
    QtTest.QTest.keyClick(view, QtCore.Qt.Key.Key_L)
    pause(0.3)
    here = np.array([0.62 * view.width(), 0.72 * view.height()])
    for u, v in POINTS:
        there = view.framing.world_to_pixel(np.array([[u, 0.0, v]]))[0]
        for k in range(1, MOVE_FRAMES + 1):
            share = k / MOVE_FRAMES
            x, y = here + (there - here) * share * share * (3 - 2 * share)
            at = QtCore.QPoint(round(x), round(y))
            QtTest.QTest.mouseMove(view, at)
            pause(0.03)
            film.take(pointer=at)
        QtTest.QTest.mouseClick(
            view, QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.KeyboardModifier.NoModifier, at
        )
        pause(0.3)
        film.take(280, at)
        here = there
    QtTest.QTest.keyClick(view, QtCore.Qt.Key.Key_Return)
    wait_for(
        lambda: (
            studio.questions.analysis is not None
            and studio.questions.analysis.structure is not None
            and studio.questions.analysis.structure.loops == 1
        )
    )
    pause(0.5)
    studio.selection.select()
    pause(0.3)
    film.take(900)
    studio.runs.simulate()
    wait_for(
        lambda: (
            studio.runs.recording is not None
            and studio.runs.recording.complete
            and window.docks.equations.progress.isHidden()
        )
    )
    # the lines of the equations are broken once more when their room is known
    pause(1.5)
    for time in np.arange(0.0, PLAY_SECONDS, FRAME_MS / 1000):
        studio.runs.playback.seek(float(time))
        pause(0.02)
        film.take()
    window.leave()
    film.save(path)


def still(path):
    """The window with the four-bar sample in mid-run."""
    window, studio, pause, wait_for = open_window("light", ROOT / "samples" / "four_bar.mech")
    window.resize(1600, 1000)
    studio.runs.simulate()
    wait_for(lambda: studio.runs.recording is not None and studio.runs.recording.complete)
    studio.runs.playback.seek(1.2)
    studio.selection.select("coupler")
    pause(6.0)
    window.grab_picture().save(str(path), "PNG")
    window.leave()


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    still(PICTURES / "window.png")
    draw_and_run(PICTURES / "drawing.gif")


if __name__ == "__main__":
    import os

    sys.path.insert(0, str(ROOT))
    from mechstudio.virtual_screen import has_screen, virtual_screen

    if has_screen():
        main()
    else:
        with virtual_screen() as variables:
            os.environ.update(variables)
            main()
