"""The README's pictures, taken from the real window: window.png, drawing.gif and the folder "does",
in resources/pictures.

    python packaging/make_pictures.py     (on a virtual screen where there is none; needs Pillow)

The animation is a person's way from an empty window to a running four-bar: L, four clicks, Enter,
Space.  The folder has one picture for each thing that the program does.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "resources" / "pictures"
POINTS = ((-0.2, 0.0), (-0.14, 0.16), (0.26, 0.34), (0.3, 0.0))
SIZE = (1280, 800)
SHOWN = (960, 600)
MOVE_FRAMES, FRAME_MS, PLAY_SECONDS = 7, 60, 3.0
DOES = (832, 520)  # size of pictures of what it does
# scenes of these: name, sample, instant of its run [s], whether joints have their symbols, and the
# distance of the camera over that of the sample
SCENES = (
    ("draw", "double_wishbone", 0.0, True, 1.1),
    ("simulate", "stewart_platform", 1.0, False, 0.9),
    ("contacts", "dominoes", 0.85, False, 0.55),
)
# panels: name, sample, instant, workspace, panel, size of the window, and the part of the panel
# that is shown: from where down, and how wide, from its left
PANELS = (
    ("explain", "door_two_hinges", 0.0, "build", "doctor", (1600, 1000), 0, 280),
    ("derive", "four_bar", 1.2, "explain", "equations", (1600, 1000), 0, 640),
    ("plots", "double_pendulum", 2.0, "analyse", "plots", (1600, 800), 36, 574),
    ("analyse", "double_pendulum", 0.0, "analyse", "equations", (1600, 800), 90, 442),
)
COMMANDS = (
    ("mechstudio", "simulate", "samples/four_bar.mech"),
    ("mechstudio", "analyse", "samples/double_pendulum.mech", "--what", "equilibria"),
)
LETTERS = 17  # size of those of the terminal [px]


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


def scene(name, sample, time, symbols, back):
    """A sample at an instant of its run, with its trails.  back: as in SCENES."""
    import msgspec

    from mechstudio.application.films.film import Film as Choices
    from mechstudio.files.project_file import load
    from mechstudio.view.films.still import shown_still

    path = ROOT / "samples" / f"{sample}.mech"
    window, studio, pause, wait_for = open_window("light", path)
    run(studio, wait_for, time)
    pause(2.0)
    camera = load(path).camera
    width, height = DOES
    plain = Choices("apng", width=width, height=height, scale=False, labels=False, glyphs=symbols)
    nearer = msgspec.structs.replace(camera, distance=back * camera.distance)
    save(name, shown_still(studio, window.viewport, plain, nearer))
    window.leave()


def panel(name, sample, time, workspace, key, size, top, width):
    """Part of a panel, as in PANELS."""
    from PySide6 import QtCore

    window, studio, pause, wait_for = open_window("light", ROOT / "samples" / f"{sample}.mech")
    window.resize(*size)
    run(studio, wait_for, time)
    window.set_workspace(workspace)
    pause(1.0)
    if name == "analyse":
        window.docks.ask_analysis("equilibria", "")
        wait_for(lambda: studio.questions.analyses.result is not None)
    wait_for(lambda: window.docks.equations.is_settled)
    pause(5.0)
    window.grab_picture()
    part = QtCore.QRect(0, top, width, round(width * DOES[1] / DOES[0]))
    save(name, window.docks.by_key[key].grab(part).toImage())
    window.leave()


def terminal(name):
    """Commands with what they print, as a terminal shows them."""
    from PySide6 import QtCore, QtGui

    lines = []
    for command in COMMANDS:
        words = [sys.executable, "-m", *command]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        lines += [f"$ {' '.join(command)}", *done.stdout.splitlines(), ""]
    image = QtGui.QImage(*DOES, QtGui.QImage.Format.Format_RGB888)
    image.fill(QtGui.QColor("#16181D"))
    font = QtGui.QFontDatabase.systemFont(QtGui.QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(LETTERS)
    painter = QtGui.QPainter(image)
    painter.setFont(font)
    painter.setPen(QtGui.QColor("#E6E8EC"))
    inside = QtCore.QRect(28, 24, DOES[0] - 56, DOES[1] - 48)
    flags = int(QtCore.Qt.TextFlag.TextWordWrap.value)
    painter.drawText(inside, flags, "\n".join(lines))
    painter.end()
    save(name, image)


def save(name, image):
    """A picture of what it does, in its size."""
    from PySide6 import QtCore

    folder = PICTURES / "does"
    folder.mkdir(exist_ok=True)
    smooth = QtCore.Qt.TransformationMode.SmoothTransformation
    ignore = QtCore.Qt.AspectRatioMode.IgnoreAspectRatio
    image.scaled(*DOES, ignore, smooth).save(str(folder / f"{name}.png"), "PNG")


def run(studio, wait_for, time):
    """Simulate, and show an instant [s]."""
    studio.runs.simulate()
    wait_for(lambda: studio.runs.recording is not None and studio.runs.recording.complete)
    studio.runs.playback.seek(time)


def main(what):
    PICTURES.mkdir(parents=True, exist_ok=True)
    if what == "panels":
        for row in PANELS:
            panel(*row)
        terminal("script")
        return
    still(PICTURES / "window.png")
    draw_and_run(PICTURES / "drawing.gif")
    for row in SCENES:
        scene(*row)
    # panels are taken with three pixels for one
    command = [sys.executable, str(Path(__file__)), "panels"]
    subprocess.run(command, env={**os.environ, "QT_SCALE_FACTOR": "3"}, check=True)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from mechstudio.virtual_screen import has_screen, virtual_screen

    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if has_screen():
        main(what)
    else:
        with virtual_screen() as variables:
            os.environ.update(variables)
            main(what)
