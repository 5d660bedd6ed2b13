"""Cycles of motions against closed forms, poses between samples, and the instants of films."""

import math
from fractions import Fraction

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.films.cycle import find_cycle, no_cycle
from mechstudio.application.films.film import (
    LEAST,
    MOST,
    RUN,
    SIZES,
    STRETCH,
    Film,
    FilmRefused,
    checked,
    plan,
)
from mechstudio.application.films.poses import sample_at
from mechstudio.application.runs.recording import Recording
from mechstudio.files.films.timing import FilmShape
from mechstudio.model.project import Mark


def recorded(project, **options) -> Recording:
    result = ms.simulate(project, **options)
    recording = Recording(result.project)
    recording.append(result.rows)
    recording.finish(True)
    return recording


def oscillator(damping: float = 0.0):
    m = ms.Builder("Oscillator")
    cart = m.body("cart", (0.1, 0, 0), mass=2, inertia=(1, 1, 1))
    m.slider("A", m.ground, cart, at=(0.1, 0, 0), axis=(1, 0, 0))
    m.force(
        "spring",
        "s",
        a=m.ground,
        b=cart,
        at=((-1, 0, 0), (0.1, 0, 0)),
        stiffness=50,
        free_length=1.0,
    )
    if damping:
        m.force("damper", "d", a=m.ground, b=cart, at=((-1, 0, 0), (0.1, 0, 0)), damping=damping)
    return m.project()


def crank(speed: float = 5.0):
    m = ms.Builder("Crank")
    rod = m.link("rod", (0, 0, 0), length="500 mm", angle="0 deg")
    pin = m.pin("A", m.ground, rod, at=rod.start)
    m.drive("drive 1", pin, speed=speed)
    return m.project()


def test_period_of_an_oscillator_is_that_of_the_closed_form():
    cycle = find_cycle(recorded(oscillator(), duration=3))
    assert cycle is not None
    # a pose that comes back on the way home, half a period later, is no cycle
    assert cycle.period == pytest.approx(2 * math.pi * math.sqrt(2 / 50), rel=1e-4)


def test_a_damped_motion_has_no_cycle_and_says_so():
    recording = recorded(oscillator(damping=4.0), duration=3)
    assert find_cycle(recording) is None
    assert "do not come back" in no_cycle(recording)
    with pytest.raises(FilmRefused, match="take the whole run"):
        plan(Film(), recording)


def test_one_turn_of_a_crank_is_the_cycle_not_two():
    cycle = find_cycle(recorded(crank(5.0), duration=4))
    assert cycle is not None and cycle.period == pytest.approx(2 * math.pi / 5.0, rel=1e-6)


def test_poses_between_samples_are_exact_to_the_fourth_order():
    errors = []
    for step in (0.02, 0.01):
        recording = recorded(crank(5.0), duration=1, sample_step=step)
        at = 0.5 + 0.37 * step
        row = sample_at(recording, at)[recording.layout.poses]
        angle = 2 * math.atan2(np.linalg.norm(row[4:7]), row[3])
        start = recording.rows[0][recording.layout.poses]
        begun = 2 * math.atan2(np.linalg.norm(start[4:7]), start[3])
        errors.append(abs(angle - begun - 5.0 * at))
        assert np.linalg.norm(row[3:]) == pytest.approx(1.0, abs=1e-12)
    assert errors[0] < 1e-6 and errors[1] < errors[0] / 10


def test_frames_of_a_stretch_show_k_over_fps():
    frames = plan(Film(range=STRETCH, first=0.5, last=1.5, fps=24), recorded(crank(), duration=2))
    assert len(frames.times) == 24 and frames.fps == 24
    assert np.allclose(frames.times, 0.5 + np.arange(24) / 24)


def test_a_cycle_closes_and_lasts_as_long_as_it_is():
    recording = recorded(crank(5.0), duration=4)
    frames = plan(Film(fps=30, turns=2), recording)
    period = 2 * math.pi / 5
    assert len(frames.times) == 2 * round(30 * period)
    assert frames.length == pytest.approx(2 * period, rel=1e-5)
    step = frames.times[1] - frames.times[0]
    # the frame after the last one of a turn would be the first
    assert frames.times[37] + step - frames.times[0] == pytest.approx(period, rel=1e-6)


@pytest.mark.parametrize(("fps", "speed"), [(50.0, 1.0), (49.9, 2.0), (50.0, 7.0), (30.0, 5.0)])
def test_a_cycle_lasts_as_long_in_a_gif_as_it_should(fps, speed):
    film = Film(format="gif", fps=fps, speed=speed)
    frames = plan(film, recorded(crank(5.0), duration=3))
    assert frames.fps <= 50
    assert frames.length == pytest.approx(2 * math.pi / 5 / speed, rel=1e-5)


def test_a_cycle_of_less_than_two_frames_is_refused():
    recording = recorded(crank(100.0), duration=0.3, sample_step=0.002)
    with pytest.raises(FilmRefused, match="choose a lower speed"):
        plan(Film(format="gif", fps=50.0, speed=2.0), recording)


def test_durations_of_a_gif_add_up():
    shape = FilmShape((10, 10), Fraction(30), True, False)
    lasts = [shape.lasts(k, 100) for k in range(30)]
    assert sum(lasts) == 100 and set(lasts) == {3, 4}


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"first": 1.0, "last": 1.0}, "let B come after A"),
        ({"first": 0.0, "last": 99.0}, "The run goes from 0 s to 2 s"),
        ({"first": math.nan, "last": 1.0}, "nothing to show"),
        ({"fps": 60.0}, "GIF shows 0.1 to 50 frames"),
        ({"format": "mp4", "transparent": True}, "no transparent ground"),
        ({"width": 100000}, "16 to 4096 pixels"),
        ({"speed": 0.0}, "between 0.0001 and 10000"),
        ({"last": 2.0, "speed": 0.0001}, "more than 20000"),
        ({"turns": 0}, "1 to 1000 turns"),
        ({"theme": "pink"}, "no theme pink"),
        ({"format": "avi"}, "no format avi"),
    ],
)
def test_impossible_films_are_refused_in_a_sentence(choices, words):
    film = Film(range=STRETCH, first=0.0, last=1.0)
    with pytest.raises(FilmRefused, match=words):
        plan(msgspec.structs.replace(film, **choices), recorded(crank(), duration=2))


def test_no_run_and_a_run_of_one_instant_are_refused():
    with pytest.raises(FilmRefused, match="run the drawing first"):
        plan(Film(), None)
    recording = recorded(crank(), duration=1)
    single = Recording(recording.project)
    single.append(recording.rows[:1])
    with pytest.raises(FilmRefused, match="one instant alone"):
        plan(Film(range=RUN), single)


def test_a_standing_mechanism_is_recognised():
    recording = recorded(crank(0.0), duration=1)
    assert "Nothing moves" in no_cycle(recording)
    assert find_cycle(recording) is None


def test_odd_sizes_grow_by_a_pixel_where_colours_come_in_pairs():
    assert checked(Film(format="mp4", width=961, height=541)).size == (962, 542)
    assert checked(Film(format="gif", width=961, height=541)).size == (961, 541)


def test_usual_sizes_come_as_they_are_named_in_every_format():
    for _, _, (width, height) in SIZES:
        assert checked(Film(format="mp4", width=width, height=height)).size == (width, height)
        assert all(LEAST <= side <= MOST for side in (width, height))


def test_a_cycle_with_a_trail_begins_where_the_trail_is_whole():
    project = crank(5.0)
    period = 2 * math.pi / 5
    firsts = {}
    for value in (None, 0.1, 2.0, 50.0):
        trail = Mark("k1", "trail", body=next(iter(project.mechanism.bodies)), value=value)
        marked = msgspec.structs.replace(project, marks=(trail,))
        recording = recorded(marked, duration=4.5)
        cycle = plan(Film(), recording).cycle
        assert cycle is not None and cycle.period == pytest.approx(period, rel=1e-6)
        firsts[value] = cycle.first
        assert plan(Film(marks=False), recording).times[0] == 0.0
    assert firsts[None] == pytest.approx(period) and firsts[0.1] == pytest.approx(period)
    assert firsts[2.0] == pytest.approx(2 * period)
    # the run does not last so long
    assert firsts[50.0] == 0.0


def test_a_film_shows_by_itself_what_most_people_want():
    """One turn for slides, as it moves, with what explains it."""
    assert msgspec.structs.asdict(Film()) == {
        "format": "gif",
        "range": "turn",
        "first": 0.0,
        "last": 0.0,
        "width": 1280,
        "height": 720,
        "fps": 30.0,
        "speed": 1.0,
        "turns": 1,
        "theme": "light",
        "transparent": False,
        "plots": False,
        "equation": False,
        "marks": True,
        "scale": True,
        "clock": False,
        "cube": False,
        "labels": True,
        "glyphs": True,
        "moves": (),
    }
