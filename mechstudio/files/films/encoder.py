"""The process that writes GIF, WebP, animated PNG and folders of PNG: frames come through its
standard input, as they do for ffmpeg.

`python -m mechstudio.files.films.encoder FORMAT WIDTH HEIGHT FPS LOOPS TRANSPARENT OUT`.  Each
frame is WIDTH × HEIGHT pixels of red, green, blue and alpha.  Of formats with a palette the first
one is no frame of the film but a picture of its colours.  Memory is that of some frames, however
long the film is.
"""

import io
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import IO

import numpy as np
from PIL import Image

from mechstudio.files.films.timing import FilmShape

COLORS = 255  # of a GIF; one more stands for what does not change, or is not there
KEEP = 255  # index of that
LEVELS = 64  # of each colour, for which the nearest one of the palette is looked up
# thresholds of an ordered dither, which stands still from frame to frame
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.47
DITHER = 7.0  # of 255, by which it moves colours
OPAQUE = 128  # alpha from which a pixel of a GIF is there
EXTENSION = 0x21  # first byte of a block of a GIF that is no picture
QUALITY = 82  # of WebP, of 100
ANIMATED, ALPHA, REPLACES = 0x02, 0x10, 0x02  # flags of WebP
EFFORT = 3  # of zlib: 6 takes twice as long for some hundredths of the size


def frames(source: IO[bytes], size: tuple[int, int]) -> Iterator[np.ndarray]:
    """Frames (height, width, 4) u1 from a stream.  Raises EOFError where it breaks off."""
    count = 4 * size[0] * size[1]
    while data := source.read(count):
        if len(data) < count:
            raise EOFError
        yield np.frombuffer(data, "u1").reshape(size[1], size[0], 4)


def changed(before: np.ndarray, now: np.ndarray) -> tuple[slice, slice]:
    """Rows and columns in which two pictures differ; one pixel where nothing does."""
    other = before != now
    other = other.any(axis=2) if other.ndim == 3 else other
    rows, columns = np.flatnonzero(other.any(axis=1)), np.flatnonzero(other.any(axis=0))
    if not len(rows):
        return slice(0, 1), slice(0, 1)
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


# GIF


class Palette:
    """255 colours for a picture of all that the film will show."""

    def __init__(self, picture: np.ndarray) -> None:
        seen = picture[picture[..., 3] >= OPAQUE][:, :3]
        seen = seen if len(seen) else np.zeros((1, 3), "u1")
        image = Image.fromarray(np.ascontiguousarray(seen[None]))
        found = image.quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or [0]
        colors = np.array(found, "u1").reshape(-1, 3)[:COLORS]
        self.colors = np.zeros((256, 3), "u1")
        self.colors[: len(colors)] = colors
        axis = (np.arange(LEVELS) + 0.5) * 256 / LEVELS
        places = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
        palette_colors = colors.astype("f4")
        square = (palette_colors**2).sum(axis=1)
        self._nearest = np.concatenate(
            [
                (square - 2 * part.astype("f4") @ palette_colors.T).argmin(axis=1)
                for part in np.array_split(places, 16)
            ]
        ).astype("u1")

    def indices(self, frame: np.ndarray) -> np.ndarray:
        """The nearest colours (height, width) of a frame."""
        height, width = frame.shape[:2]
        tiles = np.tile(BAYER * DITHER, (-(-height // 4), -(-width // 4)))[:height, :width]
        shift = np.round(tiles).astype("i2")[..., None]
        near = np.clip(frame[..., :3] + shift, 0, 255).astype("u1") >> 2
        r, g, b = (near[..., k].astype("i4") for k in range(3))
        found = self._nearest[(r << 12) | (g << 6) | b]
        found[frame[..., 3] < OPAQUE] = KEEP
        return found


def _lzw(indices: np.ndarray) -> bytes:
    """A picture's compressed pixels as they stand in a GIF."""
    height, width = indices.shape
    image = Image.frombytes("P", (width, height), indices.tobytes())
    image.putpalette(bytes(range(256)) * 3)
    memory = io.BytesIO()
    image.save(memory, "GIF", optimize=False, interlace=0)
    data = memory.getvalue()
    # after the header and its colours extensions, then the place of the picture, then its pixels
    at = 13 + 3 * 256
    while data[at] == EXTENSION:
        at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    return data[at + 10 : -1]


def write_gif(film: FilmShape, source: Iterator[np.ndarray], file: IO[bytes]) -> None:
    """Write a GIF: colours chosen once, only what changed in each frame."""
    palette = Palette(next(source))
    width, height = film.size
    file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, KEEP, 0))
    file.write(palette.colors.tobytes())
    if film.loops:
        file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    before: np.ndarray | None = None
    for k, frame in enumerate(source):
        now = palette.indices(frame)
        rows, columns = slice(0, height), slice(0, width)
        shown = now
        if before is not None and not film.transparent:
            rows, columns = changed(before, now)
            shown = np.where(now == before, KEEP, now)[rows, columns]
        # what is transparent has to be wiped before the next frame; else it stays
        disposal = 2 if film.transparent else 1
        packed = (disposal << 2) | (before is not None or film.transparent)
        file.write(b"\x21\xf9\x04" + struct.pack("<BHBB", packed, film.lasts(k, 100), KEEP, 0))
        tall, wide = shown.shape
        file.write(b"\x2c" + struct.pack("<HHHHB", columns.start, rows.start, wide, tall, 0))
        file.write(_lzw(shown))
        before = now
    file.write(b"\x3b")


# PNG


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _parts(pixels: np.ndarray) -> Iterator[tuple[bytes, bytes]]:
    """Chunks of a picture as PNG."""
    memory = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(memory, "PNG", compress_level=EFFORT)
    data, at = memory.getvalue(), 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += length + 12


def _pixels(film: FilmShape, frame: np.ndarray) -> np.ndarray:
    return frame if film.transparent else frame[..., :3]


def write_apng(film: FilmShape, source: Iterator[np.ndarray], file: IO[bytes]) -> None:
    """Write an animated PNG: in each frame only what changed."""
    before: np.ndarray | None = None
    count = number = head = 0
    for k, frame in enumerate(source):
        now = _pixels(film, frame)
        rows, columns = slice(0, film.size[1]), slice(0, film.size[0])
        if before is not None:
            rows, columns = changed(before, now)
        part = now[rows, columns]
        chunks = list(_parts(part))
        if before is None:
            file.write(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", chunks[0][1]))
            head = file.tell()
            file.write(_chunk(b"acTL", struct.pack(">II", 0, 0)))
        tall, wide = part.shape[:2]
        place = (wide, tall, columns.start, rows.start)
        control = struct.pack(">IIIIIHHBB", number, *place, film.lasts(k, 1000), 1000, 0, 0)
        file.write(_chunk(b"fcTL", control))
        number += 1
        for data in (data for kind, data in chunks if kind == b"IDAT"):
            if before is None:
                file.write(_chunk(b"IDAT", data))
                continue
            file.write(_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
        before, count = now, k + 1
    file.write(_chunk(b"IEND", b""))
    file.seek(head)
    file.write(_chunk(b"acTL", struct.pack(">II", count, 0 if film.loops else 1)))


def write_png(film: FilmShape, source: Iterator[np.ndarray], folder: Path) -> None:
    """Write a folder of pictures, numbered from 1."""
    folder.mkdir()
    for k, frame in enumerate(source, 1):
        image = Image.fromarray(np.ascontiguousarray(_pixels(film, frame)))
        image.save(folder / f"{k:05}.png", compress_level=EFFORT)


# WebP


def _riff(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _three(*numbers: int) -> bytes:
    """Numbers of three bytes each."""
    return b"".join(struct.pack("<I", n)[:3] for n in numbers)


def _compressed(pixels: np.ndarray) -> bytes:
    """Chunks of a picture's colours and alpha as they stand in a WebP."""
    memory = io.BytesIO()
    image = Image.fromarray(np.ascontiguousarray(pixels))
    image.save(memory, "WEBP", quality=QUALITY, method=2, alpha_quality=90)
    data, at, out = memory.getvalue(), 12, b""
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at + 4)
        if data[at : at + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            out += _riff(data[at : at + 4], data[at + 8 : at + 8 + length])
        at += 8 + length + length % 2
    return out


def write_webp(film: FilmShape, source: Iterator[np.ndarray], file: IO[bytes]) -> None:
    """Write an animated WebP: in each frame only what changed."""
    width, height = film.size
    file.write(b"RIFF\0\0\0\0WEBP")
    flags = ANIMATED | (ALPHA if film.transparent else 0)
    file.write(_riff(b"VP8X", bytes((flags, 0, 0, 0)) + _three(width - 1, height - 1)))
    file.write(_riff(b"ANIM", struct.pack("<IH", 0, 0 if film.loops else 1)))
    before: np.ndarray | None = None
    for k, frame in enumerate(source):
        now = _pixels(film, frame)
        rows, columns = slice(0, height), slice(0, width)
        if before is not None:
            rows, columns = changed(before, now)
            # places count in pairs of pixels
            rows = slice(rows.start & ~1, rows.stop)
            columns = slice(columns.start & ~1, columns.stop)
        part = now[rows, columns]
        tall, wide = part.shape[:2]
        place = _three(columns.start // 2, rows.start // 2, wide - 1, tall - 1)
        head = place + _three(film.lasts(k, 1000)) + bytes((REPLACES,))
        file.write(_riff(b"ANMF", head + _compressed(part)))
        before = now
    size = file.tell() - 8
    file.seek(4)
    file.write(struct.pack("<I", size))


WRITERS: dict[str, Callable[[FilmShape, Iterator[np.ndarray], IO[bytes]], None]] = {
    "gif": write_gif,
    "webp": write_webp,
    "apng": write_apng,
}


def main(arguments: list[str]) -> int:
    """Write a film; the exit status is 1 with one line on the error output if that fails."""
    format, width, height, fps, loops, transparent, out = arguments
    film = FilmShape((int(width), int(height)), Fraction(fps), loops == "1", transparent == "1")
    source = frames(sys.stdin.buffer, film.size)
    try:
        if format == "png":
            write_png(film, source, Path(out))
        else:
            with open(out, "wb") as file:
                WRITERS[format](film, source, file)
                file.flush()
                os.fsync(file.fileno())
    except EOFError:
        return 1  # the sender of the frames stopped and needs no film
    except OSError as error:
        print(f"errno {error.errno}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
