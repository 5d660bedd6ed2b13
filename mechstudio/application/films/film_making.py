"""A film being made: frames are drawn one by one where graphics are, and written in a thread."""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mechstudio.application.films.film import Film, Plan
from mechstudio.files.durable import WriteFailed
from mechstudio.files.films.writing import EncoderMissing, FilmFailed, FilmWriter
from mechstudio.processes import environment, module_command

WAITING = 3  # frames that are drawn ahead of the encoder at most
PICKED = 6  # instants of the film whose colours a palette is made of
ENDING = 5.0  # s that a stopped thread may take

Draw = Callable[[float, float], np.ndarray]
CANNOT = (EncoderMissing, FilmFailed, WriteFailed)


class FilmMaking:
    """A film that is being written to a file.

    draw(time, share): the frame (height, width, 4) u1 of red, green, blue and alpha at an instant
    [s] of the run, share 0 to 1 of the film being over.  The caller calls `step` until it is done;
    a step draws one frame at most, and never waits.  problem: why there is no film, in a sentence;
    "" while there is none to show.  stopped: it was given up.  Raises CANNOT, errors with a
    sentence.
    """

    def __init__(self, path: Path, film: Film, plan: Plan, draw: Draw) -> None:
        self.path, self.film, self.plan = path, film, plan
        self.problem, self.stopped, self.done = "", False, False
        self.drawn = 0  # frames
        self._draw, self._begun = draw, time.monotonic()
        command = module_command("mechstudio.files.films.encoder")
        self._writer = FilmWriter(path, film.kind, plan.shape(film), command, environment())
        self._frames: queue.Queue[np.ndarray | None] = queue.Queue(WAITING)
        last = len(plan.times) - 1
        picked = np.unique(np.linspace(0, last, PICKED).round().astype(int)).tolist()
        # of frames that are drawn before the film, for its palette
        self._picked: list[int] = picked if film.kind.palette else []
        self._colours: list[np.ndarray] = []
        self._thread = threading.Thread(target=self._write, name="film", daemon=True)
        self._thread.start()

    @property
    def count(self) -> int:
        """Frames of the whole film."""
        return len(self.plan.times)

    @property
    def progress(self) -> float:
        """Share of the film that is drawn."""
        return self.drawn / self.count

    @property
    def time_left(self) -> float | None:
        """Seconds until it is done, as it went so far; None while that is not known."""
        if self.drawn < 3:
            return None
        return (time.monotonic() - self._begun) / self.drawn * (self.count - self.drawn)

    def step(self) -> bool:
        """Draw the next frame, unless the encoder is behind; returns whether one was drawn."""
        if self.done or self.stopped:
            return False
        if not self._thread.is_alive():
            self.done = True
            return False
        if self.drawn == self.count or self._frames.full():
            return False
        if self._picked:
            k = self._picked.pop(0)
            share = self.plan.share(k)
            self._colours.append(self._draw(self.plan.times[k], share))
            if not self._picked:
                self._frames.put(_strips(self._colours))
                self._colours.clear()
            return True
        share = self.plan.share(self.drawn)
        self._frames.put(self._draw(self.plan.times[self.drawn], share))
        self.drawn += 1
        if self.drawn == self.count:
            # there is room: no other thread puts anything
            threading.Thread(target=self._frames.put, args=(None,), daemon=True).start()
        return True

    def stop(self) -> None:
        """Give the film up: nothing of it stays."""
        self.stopped = True
        self._writer.stop()
        while True:
            try:
                self._frames.get_nowait()
            except queue.Empty:
                break
        self._frames.put(None)
        self._thread.join(ENDING)

    def _write(self) -> None:
        """The thread: hand frames on until the last one, or until the film is given up."""
        writer = self._writer
        try:
            while (frame := self._frames.get()) is not None and not self.stopped:
                writer.add(frame)
            if self.stopped:
                writer.discard()
            else:
                writer.finish()
        except (FilmFailed, WriteFailed) as error:
            self.problem = "" if self.stopped else str(error)


def _strips(frames: list[np.ndarray]) -> np.ndarray:
    """A contact sheet of some frames, in strips."""
    out = frames[0].copy()
    for k, frame in enumerate(frames):
        out[k :: len(frames)] = frame[k :: len(frames)]
    return out


def made(making: FilmMaking, report: Callable[[FilmMaking], object] = lambda making: None) -> None:
    """Make a film and wait for it.  report: called after each frame.  Raises FilmFailed."""
    try:
        while not making.done:
            if making.step():
                report(making)
            else:
                time.sleep(0.002)
    except BaseException:
        making.stop()
        raise
    if making.problem:
        raise FilmFailed(making.problem)
