"""Recovery after a killed window, two windows on one file, and a file that was changed
elsewhere.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.files import presence, project_file
from mechstudio.model.edits.links import FRONT, add_link
from tests.application.files.test_journal import as_if_killed, dead_pid, folders  # noqa: F401

EDITOR = """
import sys, time
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.model.edits.links import FRONT, add_link
studio = Studio(Preferences())
assert studio.files.open(sys.argv[1])
k = len(studio.document.project.mechanism.bodies)
print("open", k, flush=True)
while True:
    k += 1
    end = (0.1 + 0.001 * k, 0.0, 0.0)
    project, _ = add_link(studio.document.project, FRONT, (0.0, 0.0, 0.0), end)
    studio.document.commit(f"Draw link {k}", project)
    print(time.monotonic(), k, flush=True)
    for _ in range(20):
        studio.tick(0.005)
        time.sleep(0.005)
    if k % 23 == 0:
        studio.files.save(sys.argv[1])
"""


@pytest.fixture
def path(folders):
    path = str(folders / "a.mech")
    project_file.save(
        path,
        add_link(
            Studio(Preferences(kept=False)).document.project,
            FRONT,
            (0.0, 0.0, 0.0),
            (0.1, 0.0, 0.0),
        )[0],
    )
    return path


def edit_and_die(path, seconds):
    """An editing window that is killed with SIGKILL after a while; returns (time of death, [(time,
    links drawn)]).
    """
    child = subprocess.Popen(
        [sys.executable, "-c", EDITOR, path], stdout=subprocess.PIPE, text=True
    )
    child.stdout.readline()
    time.sleep(seconds)
    died = time.monotonic()
    os.kill(child.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    lines = child.communicate()[0].split("\n")
    return died, [
        (float(a), int(b)) for a, b in (line.split() for line in lines if len(line.split()) == 2)
    ]


def kill_and_recover(path, seconds):
    died, edits = edit_and_die(path, seconds)
    studio = Studio(Preferences())
    assert studio.files.open(path), studio.notifications.messages
    recovered = len(studio.document.project.mechanism.bodies)
    safe = [k for when, k in edits if when < died - 2.0]
    assert recovered >= max(safe, default=0), (
        f"{max(safe) - recovered} edits older than 2 s are lost"
    )
    assert recovered <= max((k for _, k in edits), default=recovered)
    studio.close()
    return recovered


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_window_loses_at_most_two_seconds(path):
    """Before its first save, so that only the journal keeps what is older."""
    kill_and_recover(path, 2.2)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_two_hundred_kills(path):
    chance = random.Random(7)
    for _ in range(200):
        kill_and_recover(path, chance.uniform(0.05, 4.0))


def test_the_restored_work_is_said_and_can_be_discarded(path):
    first = Studio(Preferences())
    first.files.open(path)
    saved = first.document.project
    project, _ = add_link(saved, FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    first.document.commit("Draw link 2", project)
    first.files.recovery.journal._changed_at -= 2.0
    first.tick(0.0)
    first.files.recovery.journal._thread.join()
    first.tick(0.0)
    place = next(p for p in os.scandir(os.path.dirname(path)) if p.name.endswith(".journal"))
    as_if_killed(Path(place.path))
    first.files.recovery.close(keep=True)

    second = Studio(Preferences())
    recovers = second.files.recovery.recovers
    assert recovers(Path(path)), "before it is opened"
    second.files.open(path)
    assert recovers(Path(path)), "until it is saved"
    (message,) = second.notifications.messages
    assert (
        message.text
        == "a.mech was restored with 1 change after the last save, the last one: Draw link 2."
    )
    assert second.document.project == project and second.document.is_modified
    second.files.recovery.discard_restored()
    assert second.document.project == saved and not second.notifications.messages
    assert not recovers(Path(path))
    second.document.commit("Draw link 2", project)
    second.files.save(path)
    second.document.commit("Draw link 2", saved)
    assert second.document.is_modified and not recovers(Path(path)), "a change of this window"
    second.close()


def test_another_window_on_the_same_file_is_said(path, monkeypatch):
    monkeypatch.setattr(presence, "holder", lambda p: 4711)
    studio = Studio(Preferences())
    studio.files.open(path)
    assert "open in another window too" in studio.notifications.messages[0].text
    studio.close()


def test_saving_over_a_file_that_was_changed_elsewhere_asks_first(path):
    studio = Studio(Preferences())
    studio.files.open(path)
    theirs, _ = add_link(studio.document.project, FRONT, (0.0, 0.0, 0.0), (0.5, 0.0, 0.0))
    project_file.save(path, theirs)
    mine, _ = add_link(studio.document.project, FRONT, (0.0, 0.0, 0.0), (0.7, 0.0, 0.0))
    studio.document.commit("Draw", mine)
    assert (
        not studio.files.save(path)
        and "changed by another window" in studio.notifications.messages[-1].text
    )
    assert project_file.load(path).project == theirs
    studio.files.save_anyway()
    assert (
        project_file.load(path).project == mine and project_file.load(path + "~").project == theirs
    )
    assert not studio.document.is_modified
    assert studio.files.save(path), "the second save finds its own file"
    studio.close()
