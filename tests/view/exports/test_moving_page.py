"""The mechanism that moves in a page of HTML: its player, run by a JavaScript engine without a
page, draws the bodies where the scene has them; the page is one file that loads nothing.
"""

import base64
import hashlib
import json
import re

import msgspec
import numpy as np
import pytest
from PySide6.QtQml import QJSEngine

import mechstudio as ms
from mechstudio.application.films.moving_drawing import chosen_frames, moving_drawing
from mechstudio.application.films.poses import sample_at
from mechstudio.application.resources import resource, sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene import build_scene, row_poses
from mechstudio.files import project_file
from mechstudio.model.equations.report import DRAWING, PARAMETERS, Figure, Report
from mechstudio.model.project import Camera
from mechstudio.symbolic import derive
from mechstudio.tokens import body_color, rgb

WIDE, TALL = 160, 90
# what a page has and the bare engine lacks
ATOB = """
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
var atob = (text) => {
  let out = "", held = 0, have = 0;
  for (const c of text) {
    const k = LETTERS.indexOf(c);
    if (k < 0) break;
    held = ((held << 6) | k) & 0xffffff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += String.fromCharCode((held >> have) & 255);
    }
  }
  return out;
};
"""
SHOW = """
var scene = mechanism.unpacked(JSON.parse(numbers));
var view = {azimuth: scene.azimuth, elevation: scene.elevation,
  perspective: scene.perspective};
Object.assign(view, mechanism.fitted(scene, view, WIDE, TALL));
var shown = (time) => {
  const picture = new mechanism.Picture(WIDE, TALL);
  mechanism.draw(scene, mechanism.posesAt(scene, time), view, picture, 1);
  return JSON.stringify([Array.from(picture.pixels), Array.from(picture.owner)]);
};
"""


class Player:
    """The player with the numbers of a page."""

    def __init__(self, numbers: str) -> None:
        self._engine = QJSEngine()
        self._run(ATOB + f"var WIDE = {WIDE}, TALL = {TALL};")
        self._run(resource("player", "mechanism.js").read_text("utf-8"))
        self._engine.globalObject().setProperty("numbers", numbers)
        self._run(SHOW)

    def _run(self, source: str):
        found = self._engine.evaluate(source)
        assert not found.isError(), found.toString()
        return found

    def poses(self, time: float) -> np.ndarray:
        text = f"JSON.stringify(Array.from(mechanism.posesAt(scene, {time!r})))"
        return np.array(json.loads(self._run(text).toString())).reshape(-1, 8)

    def picture(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (TALL, WIDE, 4) and the row that each belongs to, counted from 1, 0 for none."""
        pixels, owners = json.loads(self._run(f"shown({time!r})").toString())
        return np.array(pixels, "u1").reshape(TALL, WIDE, 4), np.array(owners).reshape(TALL, WIDE)


def recorded(project) -> Recording:
    result = ms.simulate(project)
    recording = Recording(project)
    recording.append(result.rows)
    recording.events = list(result.events)
    return recording


def spinning(speed: str, duration: str = "3 s"):
    """A link that turns in the front plane."""
    m = ms.Builder("Spinner")
    arm = m.link("arm", (0, 0, 0), length="400 mm", angle="0 deg")
    joint = m.pin("A", m.ground, arm, at=arm.start)
    m.drive("drive 1", joint, speed=speed)
    m.run(duration=duration)
    return m.project()


def seen_from(azimuth: float, elevation: float) -> Camera:
    return Camera(azimuth=azimuth, elevation=elevation, perspective=False)


@pytest.fixture(scope="module")
def spinner():
    return spinning("360 deg/s")


@pytest.mark.slow
def test_rows_stand_where_the_scene_has_them_at_every_frame():
    # springs are stretched there, and bodies turn and slide
    project = project_file.load(sample_folder() / "cam_profile.mech").project
    recording = recorded(project)
    player, scene = Player(moving_drawing(project, recording)), build_scene(project)
    frames = chosen_frames(recording)
    assert frames is not None and frames.loops and len(scene.rows.stretched)
    for k in (0, 7, len(frames.times) - 1):
        at = float(frames.times[k])
        poses = sample_at(recording, at)[recording.layout.poses].reshape(-1, 7)
        requested, found = row_poses(scene.rows, poses), player.poses(at - float(frames.times[0]))
        sign = np.where((requested[:, :4] * found[:, :4]).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
        assert found[:, :4] * sign == pytest.approx(requested[:, :4], abs=1e-4)
        assert found[:, 4:] == pytest.approx(requested[:, 4:], abs=1e-4 * scene.size)
    # after the last frame of a cycle comes the first
    assert player.poses(frames.duration)[:, 4:7] == pytest.approx(player.poses(0.0)[:, 4:7])


def test_a_body_is_seen_where_it_is_and_in_its_colour(spinner):
    player = Player(moving_drawing(spinner, recorded(spinner), seen_from(-90.0, 0.0)))
    middles = []
    for time in (0.0, 0.25, 0.5):
        pixels, owners = player.picture(time)
        assert (pixels[0, 0] == 255).all()  # paper
        # row 1 is the first body
        tall, wide = np.nonzero(owners == 2)
        middles.append((wide.mean() - (WIDE - 1) / 2, (TALL - 1) / 2 - tall.mean()))
        inside = pixels[round(tall.mean()), round(wide.mean())].astype(int)
        color = rgb(body_color("light", spinner.mechanism.bodies["arm"].color))
        assert np.argsort(inside[:3]).tolist() == np.argsort(color).tolist()
        ink = (pixels[..., :3].max(axis=2) < 70).sum()
        assert ink > 40  # its outline
    (right, _), (_, up), (left, _) = middles
    turn = np.array(middles)
    assert right > 10 and left < -10 and abs(turn[0, 1]) < 3 and abs(turn[1, 0]) < 3
    assert abs(up) > 10 and right == pytest.approx(-left, abs=2)


def test_bodies_have_the_colours_of_the_light_theme(spinner):
    *series, cast = json.loads(moving_drawing(spinner, None))["colors"]
    bytes_of = lambda color: [round(255 * part) for part in rgb(color)]
    assert len(series) == 8
    assert series == [bytes_of(body_color("light", k)) for k in range(8)]
    assert cast == bytes_of(body_color("light", -1))


def test_nearer_body_hides_the_farther_one():
    m = ms.Builder("Two")
    for name, y in (("near", -200), ("far", 200)):
        m.body(name, (0, f"{y} mm", 0)).box("100 mm", "100 mm", "100 mm")
    project = m.project()
    for azimuth, seen, hidden in ((-90.0, 2, 3), (90.0, 3, 2)):
        _, owners = Player(moving_drawing(project, None, seen_from(azimuth, 0.0))).picture(0.0)
        assert (owners == seen).sum() > 500 and not (owners == hidden).any()


def test_a_motion_too_fast_for_the_page_is_cut_and_says_so():
    recording = recorded(spinning("360000 deg/s", "0.5 s"))
    frames = chosen_frames(recording)
    assert frames is not None
    step = float(np.diff(frames.times).max())
    assert step * 2000 * np.pi < 0.8 and (frames.loops or not frames.whole)
    note = json.loads(moving_drawing(recording.project, recording))["note"]
    assert "times its speed" in note and ("cycle" in note or "turns too fast" in note)


def test_without_a_run_it_stands_as_drawn_and_can_be_turned(spinner):
    numbers = moving_drawing(spinner, None)
    assert json.loads(numbers)["note"] == "As drawn; there is no run."
    poses = Player(numbers).poses(0.0)
    assert poses == pytest.approx(row_poses(build_scene(spinner).rows, build_scene(spinner).drawn))


def test_a_run_that_broke_down_stands_as_drawn_and_is_not_denied(spinner):
    recording = recorded(spinner)
    recording.rows[3, recording.layout.poses] = np.nan
    found = json.loads(moving_drawing(spinner, recording))
    assert found["frames"] == 1 and found["note"].endswith("no motion that can be shown.")


def test_the_page_is_one_file_that_runs_its_player_and_nothing_else(spinner):
    hostile = 'A</script><img src=x onerror="alert(1)">'
    id = next(iter(spinner.mechanism.joints))
    joint = msgspec.structs.replace(spinner.mechanism.joints[id], name=hostile)
    mechanism = msgspec.structs.replace(spinner.mechanism, joints={id: joint})
    project = msgspec.structs.replace(spinner, mechanism=mechanism)
    numbers = moving_drawing(project, recorded(project))
    picture = Figure("<svg xmlns='http://www.w3.org/2000/svg'/>", hostile, True)
    report = Report((DRAWING, PARAMETERS), figures={DRAWING: (picture,)}, moving=numbers)
    page = derive(project).export("report-html", title=hostile, report=report)
    assert page.count("<script") == page.count("</script>") == 2 and "<img src=x" not in page
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page and "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data)["labels"][0][0] == hostile
    assert page.count('<figure class="moving">') == 1 and "prefers-reduced-motion" in page
    # without the drawing's chapter nothing moves
    bare = derive(project).export(
        "report-html", report=msgspec.structs.replace(report, chapters=(PARAMETERS,))
    )
    assert "<script" not in bare


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(sample_folder().glob("*.mech")), ids=lambda p: p.stem)
def test_every_sample_is_drawn_and_stays_below_a_megabyte(path):
    loaded = project_file.load(path)
    numbers = moving_drawing(loaded.project, recorded(loaded.project), loaded.camera)
    page = derive(loaded.project, coordinates="auto").export("report-html", moving=numbers)
    assert len(page.encode()) < 1_000_000
    player = Player(numbers)
    length = json.loads(numbers)["duration"]
    pictures = [player.picture(share * length)[0].astype(int) for share in (0.0, 0.37)]
    assert all((p[..., :3].min(axis=2) < 250).sum() > 30 for p in pictures)
    assert np.abs(pictures[0] - pictures[1]).max() > 60  # something moves
