"""A newcomer's whole sitting by real mouse and keys: a four-bar is drawn in an empty window, run,
and leaves it as film, report on paper and as a page that moves, MuJoCo model, Python script and
notebook cell; each file is opened by the program that it is for.
"""

import csv
import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import msgspec
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest
from traitlets.config import Config

import mechstudio as ms
from mechstudio.api.notebook import show_in_notebooks
from mechstudio.model.edits.links import distance, link_ends
from tests.view.jobs.counting import CountingHand, hand, spent, structure_of

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco<4")

__all__ = ["hand"]

Qt = QtCore.Qt
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TITLE = "Four-bar of a first sitting"
WIDE, TALL, FPS = 160, 90, 10


@pytest.fixture
def sitting(hand, tmp_path):
    """The hand at a window without a film, a page or a report chosen before."""
    window = hand.window
    window.film, window.export_kind = None, "movie"
    # one's own dialogs of Qt take keys on every system
    own = Qt.ApplicationAttribute.AA_DontUseNativeDialogs
    had = QtCore.QCoreApplication.testAttribute(own)
    QtCore.QCoreApplication.setAttribute(own, True)
    yield Sitting(hand, tmp_path)
    if window.exports is not None:
        window.exports.leave()
    window.film, window.export_kind = None, "movie"
    hand.studio.notifications.leave(())
    QtCore.QCoreApplication.setAttribute(own, had)


class Sitting:
    """Jobs in the window and in its export sheet.  hand: counts clicks and keys.  folder: of the
    files.
    """

    def __init__(self, hand: CountingHand, folder):
        self.hand, self.window, self.qtbot = hand, hand.window, hand.qtbot
        self.studio, self.folder = hand.studio, folder

    @property
    def sheet(self):
        return self.window.exports

    @property
    def page(self):
        return self.sheet.page

    @property
    def project(self):
        return self.studio.document.project

    @property
    def messages(self):
        return self.studio.notifications.messages

    def press(self, widget):
        """Click at the middle of a widget that can be seen."""
        assert widget.isVisible() and widget.isEnabled(), widget.toolTip()
        place = widget.mapTo(self.window, widget.rect().center())
        assert self.window.rect().contains(place) and self.window.childAt(place) is not None
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        self.hand.clicks += 1
        self.qtbot.wait(10)

    def fill(self, edit, text):
        """Type over what a field holds."""
        self.press(edit)
        QTest.keyClick(edit, Qt.Key.Key_A, CTRL)
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        self.hand.keys += len(text) + 2
        self.qtbot.wait(10)

    def choose(self, choice, key):
        """Choose an entry of a menu: two clicks."""
        assert choice.isVisible() and choice.isEnabled()
        assert key in choice.keys()
        choice.choose(key)
        self.hand.clicks += 2

    def draw_and_run(self):
        """A crank of 110 mm, a coupler of 300 mm and the rocker between them, driven and run."""
        hand = self.hand
        hand.type("l")
        hand.click((0, 0, 0))
        hand.type("110,70⏎300,10⏎")
        hand.click((0.3, 0, 0))
        hand.type("⏎")
        hand.type("m")
        hand.click((0, 0, 0))
        hand.type("␛␣")
        runs = self.studio.runs
        self.qtbot.waitUntil(lambda: runs.recording is not None and runs.recording.finished)
        hand.type("␣")

    def open_sheet(self):
        """Ctrl+Shift+E."""
        QTest.keyClick(self.window, Qt.Key.Key_E, CTRL | SHIFT)
        self.hand.keys += 1
        assert self.sheet is not None and self.sheet.isVisible()

    def turn_to(self, key):
        self.press(self.sheet.rows[key])
        assert self.sheet.key == key

    def name_file(self, dialog, path):
        """Type where a file shall be, and Enter.  Not counted: one types a name, and the folder is
        the one before.
        """
        edit = dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit")
        self.qtbot.waitUntil(lambda: edit is not None and edit.isVisible())
        QTest.keyClick(edit, Qt.Key.Key_A, CTRL)
        QTest.keyClicks(edit, f"{path}")
        assert edit.text() == f"{path}"
        taken = []
        dialog.fileSelected.connect(taken.append)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        self.hand.keys += 1
        self.qtbot.waitUntil(lambda: bool(taken))
        assert taken == [f"{path}"]

    def save(self, name):
        """The place by the sheet's own field, then Save; the file once it is written."""
        self.press(self.sheet.change)
        path = self.folder / name
        self.name_file(self.sheet.dialog, path)
        assert self.sheet.path == path
        self.qtbot.waitUntil(lambda: self.sheet.saver.isEnabled())
        self.press(self.sheet.saver)
        self.qtbot.waitUntil(lambda: self.sheet.opener.isVisible())
        assert self.sheet.words.text() == f"{name} is saved."
        return path


@pytest.mark.slow
def test_draw_film_report_mujoco_and_notebook_in_one_sitting(sitting):
    sitting.draw_and_run()
    assert structure_of(sitting.hand).mobility == 1
    sitting.open_sheet()
    save_a_film(sitting)
    save_a_report(sitting)
    save_a_model(sitting)
    project = save_a_script(sitting)
    assert msgspec.json.encode(project) == msgspec.json.encode(sitting.project)
    show_in_a_notebook(project)
    spent(sitting.hand, 19, 68)


def save_a_film(sitting):
    """One turn at 60 rpm, small: what moves in it is the linkage."""
    page = sitting.page
    sitting.fill(page.wide.edit, f"{WIDE}")
    sitting.fill(page.tall.edit, f"{TALL}")
    sitting.fill(page.fps.edit, f"{FPS}")
    with Image.open(sitting.save("film.gif")) as film:
        assert film.size == (WIDE, TALL) and film.info["loop"] == 0
        assert film.n_frames == FPS, "a turn takes one second"
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), int))
    following = [*frames[1:], frames[0]]
    moved = [np.abs(b - a).max(axis=2) > 60 for a, b in zip(frames, following, strict=True)]
    assert all(20 < m.sum() < 0.1 * m.size for m in moved)


def save_a_report(sitting):
    sitting.turn_to("report")
    sitting.fill(sitting.page.title, TITLE)
    data = sitting.save("report.pdf").read_bytes()
    assert data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"\d+ 0 obj", data)) > 1
    assert len(re.findall(rb"/Type\s*/Page\b", data)) > 1, "more than a page"
    assert f"/Title({TITLE})".encode() in data
    # and as a page in which it moves
    sitting.press(sitting.page.segment.button("report-html"))
    page = sitting.save("report.html").read_text("utf-8")
    (numbers,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    found = json.loads(numbers)
    assert found["loops"] and found["bodies"] == 3
    assert found["duration"] == pytest.approx(1.0, abs=1e-6), "60 rpm"
    assert len(page) < 1_000_000


def save_a_model(sitting):
    """MuJoCo has the linkage as it was drawn, by closed forms, and can go on with it."""
    sitting.turn_to("model")
    assert sitting.page.choice.text() == "MuJoCo (MJCF)"
    model = mujoco.MjModel.from_xml_path(str(sitting.save("model.xml")))
    data = mujoco.MjData(model)
    # a tree of three hinges that is closed by constraints
    assert (model.nq, model.nv) == (3, 3) and model.neq > 0 and model.nu == 1
    for body in sitting.project.mechanism.bodies.values():
        length = distance(*link_ends(body))
        area = length * 0.01 + math.pi * 0.005**2  # a bar of 10 mm with round ends
        assert model.body(body.id).mass[0] == pytest.approx(area * 0.0025 * 7850, rel=1e-6)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for body in sitting.project.mechanism.bodies.values():
        drawn = [q.value for q in body.placement.position]
        assert data.body(body.id).xpos == pytest.approx(drawn, abs=1e-6)
    start = data.qpos.copy()
    mujoco.mj_step(model, data, nstep=100)
    assert data.time == pytest.approx(100 * model.opt.timestep)
    assert np.isfinite(data.qpos).all() and np.abs(data.qpos - start).max() > 1e-3
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-3, "the loop stays closed"


def save_a_script(sitting):
    """The drawing that the script builds; a new interpreter runs it to its table."""
    sitting.press(sitting.page.python)
    dialog = sitting.window.findChild(QtWidgets.QFileDialog, "export_py")
    path = sitting.folder / "first.py"
    sitting.name_file(dialog, path)
    sitting.qtbot.waitUntil(
        lambda: any(m.text.startswith("first.py is saved") for m in sitting.messages)
    )
    done = subprocess.run(
        [sys.executable, path], cwd=sitting.folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    with (sitting.folder / "result.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    turned = float(rows[-1]["A angle [deg]"]) - float(rows[0]["A angle [deg]"])
    assert turned == pytest.approx(360 * float(rows[-1]["time [s]"]), abs=1e-3), "60 rpm"
    space = {"__name__": "script"}
    exec(compile(path.read_text("utf-8"), path, "exec"), space)
    return space["project"]


def show_in_a_notebook(project):
    # without the thread that writes down what was typed
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    try:
        show_in_notebooks(shell)
        page = shell.display_formatter.format(project)[0]["text/html"]
        film = ms.simulate(project).film(size=(96, 54), fps=5)
        films = [shell.display_formatter.format(film)[0]["text/html"]]
    finally:
        InteractiveShell.clear_instance()
    parts = ElementTree.fromstring(f"<div>{page}</div>")
    assert parts.find("{http://www.w3.org/2000/svg}svg") is not None
    assert "Mobility 1, hyperstatic 3, loops 1." in page
    assert films and films[0].startswith('<img style="max-width:100%" src="data:image/gif;base64,')
