"""A film that is being written to a file: frames go through a pipe to a separate program."""

import contextlib
import errno
import functools
import importlib.util
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mechstudio.files.durable import Draft
from mechstudio.files.films.timing import FilmShape
from mechstudio.model.types.films import FFMPEG, PILLOW, SEQUENCE, FilmFormat
from mechstudio.translation import tr

LAST_WORDS = 200  # characters of a program's last output that a sentence quotes
# libx264 at this quality is not distinguished from the frames; VP9 counts otherwise
QUALITIES = {"mp4": 18, "webm": 26}
_ERRNO = re.compile(r"errno (\d+)")


class EncoderMissing(RuntimeError):
    """A format for which nothing is installed that writes it; the sentence says what helps."""


class FilmFailed(RuntimeError):
    """A film that could not be written, and why, in one sentence."""


def missing(format: FilmFormat) -> str:
    """A sentence on what is not installed for a format and how it is had; "" for nothing."""
    if format.encoder == FFMPEG and _ffmpeg_program() is None:
        return tr(
            "{format} needs an encoder that is not installed: pip install 'mechstudio[film]', or "
            "choose GIF, WebP or APNG.",
            format=tr(format.label),
        )
    if importlib.util.find_spec("PIL") is None:
        return tr(
            "{format} needs Pillow, which is not installed: pip install pillow.",
            format=tr(format.label),
        )
    return ""


def encoder_credit() -> str:
    """A sentence on the program that encodes MP4 and WebM and its licence; "" where there is
    none.
    """
    program = _ffmpeg_program()
    if program is None:
        return ""
    if Path(program).parent.parent.name != "imageio_ffmpeg":
        return tr("Films are encoded by {program}, a program of its own.", program=program)
    return tr("Films are encoded by ffmpeg, a program of its own under the GNU GPL 3 (ffmpeg.org).")


@functools.cache  # the package runs the program to find out whether it does
def _ffmpeg_program() -> str | None:
    """The program that comes with imageio-ffmpeg, or the one that is named."""
    if importlib.util.find_spec("imageio_ffmpeg") is None:
        return None
    import imageio_ffmpeg  # type: ignore[import-untyped]

    package: Any = imageio_ffmpeg  # it has no stubs
    try:
        return package.get_ffmpeg_exe()
    except (RuntimeError, OSError):
        return None


def _own(format: FilmFormat, shape: FilmShape, own: Sequence[str], out: str) -> list[str]:
    width, height = shape.size
    flags = ("1" if flag else "0" for flag in (shape.loops, shape.transparent))
    return [*own, format.id, f"{width}", f"{height}", f"{shape.fps}", *flags, out]


def _ffmpeg(format: FilmFormat, shape: FilmShape, own: Sequence[str], out: str) -> list[str]:
    width, height = shape.size
    program = _ffmpeg_program()
    assert program is not None, "checked before"
    # fmt: off
    source = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{width}x{height}",
              "-r", f"{shape.fps}", "-i", "-"]
    quality = ["-crf", f"{QUALITIES[format.id]}"]
    codec = (
        ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", *quality,
         "-movflags", "+faststart"]
        if format.id == "mp4"
        else ["-c:v", "libvpx-vp9", "-b:v", "0", *quality, "-deadline", "realtime",
              "-cpu-used", "6", "-row-mt", "1",
              "-pix_fmt", "yuva420p" if shape.transparent else "yuv420p"]
    )
    return [program, "-hide_banner", "-loglevel", "error", "-y", *source, "-an", *codec,
            "-f", format.id, out]
    # fmt: on


_PROGRAMS: Mapping[str, Callable[[FilmFormat, FilmShape, Sequence[str], str], list[str]]] = {
    PILLOW: _own,
    SEQUENCE: _own,
    FFMPEG: _ffmpeg,
}


class FilmWriter:
    """A film being written; `add` waits for the program, and belongs into a thread.

    own: command that starts mechstudio.files.films.encoder.  Raises EncoderMissing, WriteFailed
    where nothing can be written, and FilmFailed where the program does not start.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        format: FilmFormat,
        shape: FilmShape,
        own: Sequence[str],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if words := missing(format):
            raise EncoderMissing(words)
        self.path, self._shape = Path(path), shape
        self._draft = Draft(path, folder=format.encoder == SEQUENCE)
        self._log = tempfile.TemporaryFile()
        try:
            self._program = subprocess.Popen(
                _PROGRAMS[format.encoder](format, shape, own, self._draft.path),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=None if environment is None else dict(environment),
            )
        except OSError as error:
            self._draft.discard()
            self._log.close()
            raise FilmFailed(
                tr("The encoder does not start ({why}).", why=error.strerror or error)
            ) from error

    def add(self, frame: np.ndarray) -> None:
        """Hand a frame (height, width, 4) u1 to the program.  Raises FilmFailed, WriteFailed."""
        assert frame.shape == (self._shape.size[1], self._shape.size[0], 4)
        assert self._program.stdin is not None
        try:
            self._program.stdin.write(frame.tobytes())
        except (OSError, ValueError):
            self._end(failed=True)

    def finish(self) -> None:
        """Wait for the program and give the file its name.  Raises FilmFailed, WriteFailed."""
        assert self._program.stdin is not None
        try:
            self._program.stdin.close()
        except OSError:
            self._end(failed=True)
        self._program.wait()
        self._end(failed=self._program.returncode != 0)

    def stop(self) -> None:
        """End the program at once; may be called from any thread.  `discard` follows."""
        with contextlib.suppress(OSError):
            self._program.kill()

    def discard(self) -> None:
        """End the program and leave nothing behind."""
        self.stop()
        self._program.wait()
        with contextlib.suppress(OSError, ValueError):
            assert self._program.stdin is not None
            self._program.stdin.close()
        self._log.close()
        self._draft.discard()

    def _end(self, failed: bool) -> None:
        if not failed:
            self._log.close()
            self._draft.keep()
            return
        self.stop()
        self._program.wait()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        words = lines[-1][-LAST_WORDS:] if lines else ""
        self.discard()
        if found := _ERRNO.search(words):
            raise self._draft.failed(int(found[1]))
        if os.strerror(errno.ENOSPC) in "\n".join(lines):
            raise self._draft.failed(errno.ENOSPC)
        raise FilmFailed(
            tr(
                "The encoder of {name} ended ({why}); no film was written. Try again, or choose "
                "another format.",
                name=self.path.name,
                why=words.rstrip(".") or tr("it gave no reason"),
            )
        )
