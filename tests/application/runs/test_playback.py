"""The time cursor: what the keys, the clock and the recording do to it."""

import pytest

from mechstudio.application.runs.playback import Playback


@pytest.fixture
def recorded():
    playback = Playback()
    playback.set_range(2.0, 2.0, True, 0.1)
    return playback


def test_time_passes_at_the_chosen_speed(recorded):
    recorded.play()
    recorded.set_speed(0.25)
    recorded.advance(1.0)
    assert recorded.time == pytest.approx(0.25)


def test_playback_waits_for_the_solver_and_continues():
    playback = Playback()
    playback.set_range(0.2, 2.0, False, 0.1)
    playback.play()
    playback.advance(1.0)
    assert playback.time == 0.2 and playback.playing and playback.waiting
    playback.set_range(2.0, 2.0, True, 0.1)
    playback.advance(0.1)
    assert playback.time == pytest.approx(0.3) and not playback.waiting


def test_playback_stops_at_the_end_and_restarts_at_the_design(recorded):
    recorded.play()
    recorded.advance(5.0)
    assert recorded.time == 2.0 and not recorded.playing
    recorded.play()
    assert recorded.at_design and recorded.playing


def test_a_loop_begins_again(recorded):
    recorded.set_repeat("loop")
    recorded.play()
    recorded.advance(2.5)
    assert recorded.time == pytest.approx(0.5) and recorded.playing


@pytest.mark.parametrize(
    ("passed", "time", "backwards"),
    [(1.5, 1.5, False), (2.5, 1.5, True), (4.5, 0.5, False), (7.0, 1.0, True), (8.0, 0.0, False)],
)
@pytest.mark.parametrize("ticks", [1, 7, 64])
def test_ping_pong_is_a_triangle_in_time(recorded, passed, time, backwards, ticks):
    recorded.set_repeat("ping_pong")
    recorded.play()
    for _ in range(ticks):
        recorded.advance(passed / ticks)
    assert recorded.time == pytest.approx(time, abs=1e-9) and recorded.playing
    assert recorded.backwards == backwards or time in (0.0, 2.0)


def test_a_part_of_the_run_is_looped_alone(recorded):
    recorded.set_section(1.2, 0.5)  # the ends come in any order
    recorded.set_repeat("loop")
    recorded.play()
    assert recorded.time == 0.5  # the cursor stood outside
    recorded.advance(0.8)
    assert recorded.time == pytest.approx(0.6)
    recorded.seek(1.9)  # all of the run can still be shown
    assert recorded.time == 1.9
    recorded.whole()
    recorded.play()
    recorded.advance(0.2)
    assert recorded.time == pytest.approx(0.1)


def test_a_part_ends_playing_while_the_solver_goes_on():
    playback = Playback()
    playback.set_range(1.0, 2.0, False, 0.1)
    playback.set_section(0.2, 0.8)
    playback.play()
    playback.advance(1.0)
    assert playback.time == pytest.approx(0.8) and not playback.playing and not playback.waiting


def test_a_part_that_is_not_recorded_yet_is_waited_for():
    playback = Playback()
    playback.set_range(0.3, 2.0, False, 0.1)
    playback.set_section(0.2, 0.8)
    playback.set_repeat("loop")
    playback.play()
    playback.advance(1.0)
    assert playback.time == pytest.approx(0.3) and playback.playing and playback.waiting


def test_a_part_without_length_is_the_whole_run(recorded):
    recorded.set_section(1.0, 1.0)
    assert recorded.section is None


@pytest.mark.parametrize("repeat", ["loop", "ping_pong"])
def test_a_run_of_one_sample_repeats_nothing(repeat):
    playback = Playback()
    playback.set_range(0.0, 2.0, True, 0.1)
    playback.set_repeat(repeat)
    playback.play()
    playback.advance(0.1)
    assert playback.time == 0.0 and not playback.playing


@pytest.mark.parametrize(
    ("start", "count", "target"),
    [
        (0.0, 1, 0.1),
        (0.25, 1, 0.3),
        (0.25, -1, 0.2),
        (0.3, 1, 0.4),
        (0.3, -1, 0.2),
        (0.0, -1, 0.0),
        (2.0, 1, 2.0),
    ],
)
def test_steps_go_to_the_neighbouring_sample(recorded, start, count, target):
    recorded.seek(start)
    recorded.step(count)
    assert recorded.time == pytest.approx(target)


def test_speed_keeps_to_its_limits(recorded):
    recorded.faster(20)
    assert recorded.speed == 8
    recorded.faster(-20)
    assert recorded.speed == 1 / 32


def test_a_shorter_recording_takes_the_cursor_along(recorded):
    recorded.seek(1.5)
    recorded.set_range(1.0, 2.0, False, 0.1)
    assert recorded.time == 1.0


def test_every_listener_hears_of_a_new_time(recorded):
    reported = []
    recorded.changed.connect(lambda: reported.append(recorded.time))
    recorded.seek(1.0)
    recorded.to_design()
    recorded.to_end()
    assert reported == [1.0, 0.0, 2.0]


def test_the_true_speed_is_shown_while_the_run_comes_too_slowly():
    playback = Playback()
    playback.set_range(0.1, 10.0, False, 0.1)
    playback.set_speed(2.0)
    playback.play()
    # the run comes at a quarter of the time that passes
    for k in range(40):
        playback.set_range(0.1 + 0.0125 * k, 10.0, False, 0.1)
        playback.advance(0.05)
    assert playback.behind == pytest.approx(0.25, rel=0.05)
    playback.set_range(10.0, 10.0, True, 0.1)
    for _ in range(20):
        playback.advance(0.05)
    assert playback.behind is None and playback.playing
    playback.pause()
    assert playback.behind is None
