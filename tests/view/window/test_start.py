"""Starting the program as a user does: how soon the drawing is on screen, and what the window's
process has loaded.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from PySide6 import QtGui

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load, save
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.model.quantity import Quantity
from mechstudio.view.panels.model_tree import NAMED, SHOWN

LIMIT_MS = 1500
SAMPLE = str(sample_folder() / "four_bar.mech")


def start(tmp_path, *arguments):
    """Run the program until it has kept a picture; (text on standard error, picture)."""
    picture = tmp_path / "window.png"
    environment = {**os.environ, "MECHSTUDIO_TIMING": "1", "XDG_CONFIG_HOME": str(tmp_path)}
    environment.pop("HOME", None) if "HOME" in environment and "tmp" in environment[
        "HOME"
    ] else None
    done = subprocess.run(
        [sys.executable, "-m", "mechstudio", "--picture", str(picture), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr, picture


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """The program as started with the size of a larger screen: see start."""
    folder = tmp_path_factory.mktemp("started")
    stored = folder / "mechstudio" / "preferences.json"
    stored.parent.mkdir()
    stored.write_text('{"window": [9000, 7000]}')
    return start(folder, SAMPLE)


def test_the_drawing_is_on_screen_at_once(started, tmp_path):
    found = []
    for attempt in range(3):
        said, picture = start(tmp_path, SAMPLE) if attempt else started
        found.append(
            [int(n) for n in re.search(r"first frame (\d+) ms, of these (\d+) ms", said).groups()]
        )
        assert picture.stat().st_size > 20_000
        wall, busy = min(w for w, _ in found), min(b for _, b in found)
        # two programs on two threads of one core slow each other down: the limit is that of a
        # machine with nothing else to do
        quiet = os.getloadavg()[0] < 0.5 * (os.cpu_count() or 1)
        # the best of three counts
        if max(wall, busy) < LIMIT_MS or (not quiet and busy < 2 * LIMIT_MS):
            break
    assert busy < (LIMIT_MS if quiet else 2 * LIMIT_MS), found
    if quiet:
        assert wall < LIMIT_MS, found


@pytest.mark.skipif(sys.platform != "linux", reason="preferences are elsewhere there")
def test_a_size_from_a_larger_screen_fits_this_one(started, qapp):
    _, picture = started
    found, room = QtGui.QImage(str(picture)).size(), qapp.primaryScreen().size()
    assert 0 < found.width() <= room.width() and 0 < found.height() <= room.height()


@pytest.mark.parametrize("arguments", [["one.mech", "two.mech"], ["--nonsense"]])
def test_wrong_arguments_are_reported(tmp_path, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "mechstudio", *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and "mechstudio" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="shared memory is seen as files on Linux only")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.slow
def test_a_window_that_must_end_leaves_nothing_behind(how, tmp_path):
    environment = {
        **os.environ,
        "MECHSTUDIO_TIMING": "1",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    # a run that is long under way when the signal comes
    project = msgspec.structs.replace(load(sample_folder() / "stewart_platform.mech").project)
    settings = msgspec.structs.replace(
        project.settings, duration=Quantity(100.0), sample_step=Quantity(0.001)
    )
    save(tmp_path / "long.mech", msgspec.structs.replace(project, settings=settings))
    window = subprocess.Popen(
        [sys.executable, "-m", "mechstudio", str(tmp_path / "long.mech")],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    mine = lambda: [p.name for p in Path("/dev/shm").glob(f"mechst-{window.pid}-*")]
    mapped = lambda: f"mechst-{window.pid}-" in Path(f"/proc/{window.pid}/maps").read_text()
    try:
        said = [window.stderr.readline() for _ in range(3)]
        assert said[-1].startswith("ready")
        end = time.monotonic() + 60.0
        while not (mapped() and not mine()) and time.monotonic() < end:
            time.sleep(0.05)
        # the run is under way, and its memory has no name any more: not even a kill would leave it
        assert mapped() and not mine()
        window.send_signal(how)
        assert window.wait(20.0) == 0
        assert window.stderr.read() == "" and not mine()
        assert not list((tmp_path / "mechstudio" / "open").glob("*"))
    finally:
        window.kill()
        window.wait()
        window.stderr.close()


def test_names_in_the_tree_have_their_room(make_window, four_bar, qtbot):
    """Opened with a file that marks nothing, the column of marks takes no room."""
    tree = make_window(four_bar, (1280, 800)).docks.tree
    qtbot.waitUntil(lambda: tree.isVisible() and tree.width() < 400)
    name, *others = (tree.columnWidth(k) for k in range(tree.columnCount()))
    assert tree.isColumnHidden(SHOWN) and name > tree.viewport().width() / 2 > sum(others[1:])


def test_marks_leave_names_their_room(make_window, four_bar, qtbot):
    """A trail and an arrow are marked in the rows, unless names would be cut for that."""
    window = make_window(four_bar, (1280, 800))
    tree, studio = window.docks.tree, window.studio
    qtbot.waitUntil(lambda: tree.isVisible() and tree.width() < 400)
    at = [Place("coupler", "P")]
    project = with_marks(with_marks(studio.document.project, "trail", at), "velocity", at)
    studio.document.commit("Marks", project)
    assert not tree.isColumnHidden(SHOWN) and tree.columnWidth(0) >= NAMED
    wide = tree.width()
    tree.resize(wide - 40, tree.height())
    assert tree.isColumnHidden(SHOWN)
    tree.resize(wide, tree.height())
    assert not tree.isColumnHidden(SHOWN)
