"""Frames of films: a body is where the run says, loops close, grounds are left out."""

import math

import numpy as np
import pytest
from PIL import Image

from mechstudio.application.films.film import RUN, STRETCH, TURN, Film, plan
from mechstudio.application.films.film_making import FilmMaking, made
from mechstudio.application.films.poses import sample_at
from mechstudio.model.project import Camera
from mechstudio.view.films.film_stage import FilmStage, Shot
from mechstudio.view.films.stage import Scenery
from mechstudio.view.scene import camera as lens
from tests.application.films.test_cycles import crank, recorded

FRONT = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 2.5, False)


@pytest.fixture(scope="module")
def run():
    return recorded(crank(5.0), duration=3)


def film_of(run, path, film, camera=FRONT):
    frames = plan(film, run)
    stage = FilmStage(film, Shot(Scenery(run.project, (camera,)), run), frames.times)
    try:
        made(FilmMaking(path, film, frames, stage.frame))
    finally:
        stage.close()
    image, out = Image.open(path), []
    for k in range(image.n_frames):
        image.seek(k)
        out.append(np.array(image.convert("RGBA")))
    return frames, out


def place_of(picture: np.ndarray) -> np.ndarray:
    """Centre [px] of the pixels in the body's colour."""
    r, _g, b, a = (picture[..., k].astype(int) for k in range(4))
    rows, columns = np.nonzero((np.abs(r - b) > 60) & (a > 128))
    return np.array([columns.mean(), rows.mean()])


def test_each_frame_shows_the_instant_that_it_stands_for(qapp, run, tmp_path):
    film = Film(
        format="apng",
        range=STRETCH,
        first=0.2,
        last=0.7,
        width=480,
        height=270,
        fps=20,
        scale=False,
        labels=False,
        glyphs=False,
        transparent=True,
    )
    _frames, shown = film_of(run, tmp_path / "a.apng", film)
    assert len(shown) == 10
    for k in (0, 3, 9):
        time = 0.2 + k / 20
        at = sample_at(run, time)[run.layout.poses][:7]
        w, x, y, z = at[3:]
        # the middle of a rod lies half its length along its x axis
        turned = np.array([w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)])
        ends = lens.project(FRONT, (480, 270), np.array([at[:3], at[:3] + 0.5 * turned]))
        middle = ends[:, :2].mean(axis=0)
        # a frame later it is some 20 px away
        near = min(np.abs(place_of(shown[k]) - p).max() for p in (middle, ends[0, :2]))
        assert near < 3.0


def test_a_cycle_closes_without_a_seam(qapp, run, tmp_path):
    film = Film(width=320, height=180, fps=15)
    frames, shown = film_of(run, tmp_path / "a.gif", film)
    assert len(shown) == round(15 * 2 * math.pi / 5) and frames.cycle is not None
    stage = FilmStage(film, Shot(Scenery(run.project, (FRONT,)), run), frames.times)
    after = stage.frame(frames.times[0] + frames.cycle.period)
    first = stage.frame(frames.times[0])
    stage.close()
    far = lambda a, b: np.abs(a.astype(int) - b.astype(int))[..., :3].mean()
    assert far(first, after) < 0.05
    assert far(shown[-1], shown[0]) > 1.0


def test_the_ground_is_left_out_where_it_shall_be(qapp, run):
    clear = Film(width=320, height=180, transparent=True, scale=False)
    frames = plan(clear, run)
    for film, alpha, corner in (
        (clear, 0, None),
        (Film(width=320, height=180, theme="paper"), 255, 255),
        (Film(width=320, height=180, theme="dark"), 255, None),
    ):
        stage = FilmStage(film, Shot(Scenery(run.project, (FRONT,)), run), frames.times)
        picture = stage.frame(0.3)
        stage.close()
        assert picture[2, 2, 3] == alpha and picture[..., 3].max() == 255
        assert corner is None or (picture[2, 2, :3] == corner).all()


def test_a_film_that_is_stopped_in_the_middle_leaves_nothing(qapp, run, tmp_path):
    film = Film(width=320, height=180)
    frames = plan(film, run)
    stage = FilmStage(film, Shot(Scenery(run.project, (FRONT,)), run), frames.times)
    making = FilmMaking(tmp_path / "a.gif", film, frames, stage.frame)
    while making.drawn < 5:
        making.step()
    making.stop()
    stage.close()
    assert not list(tmp_path.iterdir()) and not making.problem


def test_the_camera_goes_through_views_and_a_loop_comes_back(qapp, run):
    side = Camera((0.0, 0.0, 0.0), -60.0, 30.0, 2.5, False)

    def shown(range, cameras, share):
        film = Film(width=320, height=180, range=range, scale=False, labels=False)
        frames = plan(film, run)
        stage = FilmStage(film, Shot(Scenery(run.project, cameras), run), frames.times)
        picture = stage.frame(0.3, share).astype(int)
        stage.close()
        return picture

    front, other = shown(RUN, (FRONT,), 0.0), shown(RUN, (side,), 0.0)
    far = lambda a, b: np.abs(a - b)[..., :3].mean()
    assert far(front, other) > 1.0
    assert far(shown(RUN, (FRONT, side), 0.0), front) < 0.05
    assert far(shown(RUN, (FRONT, side), 1.0), other) < 0.05
    assert far(shown(RUN, (FRONT, side), 0.5), front) > 0.5
    # of a cycle the other view is half-way
    assert far(shown(TURN, (FRONT, side), 0.5), other) < 0.05
    assert far(shown(TURN, (FRONT, side), 1.0), front) < 0.05
