"""Pictures per second of a run that is played with trails and arrows: `python -m
tests.benchmarks.motion [BODIES [TRAILS [ARROWS]]] [--profile]` under a display. Not collected by
pytest.
"""

import itertools
import math
import os
import statistics
import sys
import time
from collections.abc import Callable

import mechstudio as ms
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.main import make_app, make_window, wait
from mechstudio.model.edits import marks
from mechstudio.model.edits.marks import Place
from mechstudio.model.project import Project
from mechstudio.view.scene.painter import Painter
from tests.benchmarks.machine import describe

PLAYED = 8.0  # s
SIZE = (1920, 1080)


def wheels(bodies: int, trails: int, arrows: int) -> Project:
    """Links that turn on pins of the ground in a square, each at a speed of its own; the ends of
    some leave trails, others show their velocities.
    """
    m = ms.Builder("Wheels")
    side = math.ceil(math.sqrt(bodies))
    for k in range(bodies):
        x, z = 0.3 * (k % side), 0.3 * (k // side)
        link = m.link(f"link {k + 1}", (x, 0, z), (x + 0.12, 0, z))
        pin = m.pin(f"P{k + 1}", m.ground, link, at=(x, 0, z))
        m.drive(f"motor {k + 1}", pin, speed=1.0 + 0.01 * k)
    m.run(duration=f"{PLAYED + 4} s", sample_step="16 ms")
    project = m.project()
    ids = list(project.mechanism.bodies)
    at = [Place(id, "end") for id in ids[:trails]]
    project = marks.with_marks(project, "trail", at)
    return marks.with_marks(project, "velocity", [Place(id, "end") for id in ids[-arrows:]])


def timed(function: Callable, spent: dict[str, float], key: str) -> Callable:
    """The function, which adds the time that it takes [s] to an entry."""

    def run(*given, **more):
        begin = time.perf_counter()
        try:
            return function(*given, **more)
        finally:
            spent[key] += time.perf_counter() - begin

    return run


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    bodies, trails, arrows = (*numbers, *(200, 20, 50)[len(numbers) :])
    app = make_app()
    studio = Studio(Preferences(kept=False))
    studio.files.show(wheels(bodies, trails, arrows), None, None)
    window = make_window(app, studio, "light")
    window.resize(*SIZE)
    window.show()
    wait(app, lambda: studio.questions.analysis is not None, 120)
    window.docks.open_low()
    wait(app, lambda: window.docks.is_filled, 60)
    studio.runs.simulate()
    wait(app, lambda: studio.runs.recording is not None and studio.runs.recording.finished, 300)
    painted: list[float] = []
    paint = window.viewport.painter.paint

    def counted(*given):
        paint(*given)
        painted.append(time.perf_counter())

    window.viewport.painter.paint = counted
    # what the graphics device takes, or the processor in its place, and what an instant takes else
    spent = {"device": 0.0, "paint": 0.0, "tick": 0.0}
    for owner, name, key in (
        (Painter, "_draw", "device"),
        (Painter, "_paint", "paint"),
        (Studio, "tick", "tick"),
    ):
        setattr(owner, name, timed(getattr(owner, name), spent, key))
    playback = studio.runs.playback
    playback.seek(playback.begin)
    playback.play()
    profile = None
    if "--profile" in sys.argv:
        import cProfile

        profile = cProfile.Profile()
        profile.enable()
    end = time.perf_counter() + PLAYED
    wait(app, lambda: time.perf_counter() > end, PLAYED + 10)
    if profile is not None:
        import pstats

        profile.disable()
        for order in ("tottime", "cumulative"):
            pstats.Stats(profile).sort_stats(order).print_stats(45)
    gaps = [1e3 * (b - a) for a, b in itertools.pairwise(painted)]
    print(describe())
    print(
        f"{bodies} bodies, {trails} trails, {arrows} arrows, {SIZE[0]}x{SIZE[1]}: "
        f"{len(painted) / PLAYED:.1f} pictures a second, median gap "
        f"{statistics.median(gaps):.0f} ms, 95 % below {sorted(gaps)[int(0.95 * len(gaps))]:.0f} ms"
    )
    device, paint_, tick = (1e3 * spent[key] / len(painted) for key in ("device", "paint", "tick"))
    print(
        f"a picture: {device:.0f} ms on the device (by the processor where it is emulated), "
        f"{paint_ - device:.1f} ms for what is painted over it, {tick:.1f} ms for the instant"
    )
    window.leave()
    os._exit(0)


if __name__ == "__main__":
    main()
