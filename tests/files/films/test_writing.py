"""Films read back by another program than wrote them, and films that come to nothing."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mechstudio.files.durable import WriteFailed
from mechstudio.files.films import writing
from mechstudio.files.films.timing import FilmShape
from mechstudio.files.films.writing import EncoderMissing, FilmFailed, FilmWriter
from mechstudio.model.types.films import FILM_BY_ID

OWN = [sys.executable, "-P", "-m", "mechstudio.files.films.encoder"]
SIZE = (96, 54)
has_ffmpeg = not writing.missing(FILM_BY_ID["mp4"])


@pytest.fixture(autouse=True)
def home(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(writing.__file__).parents[3]))


def frame(k: int, clear: bool = False) -> np.ndarray:
    """A square that wanders over a slope of grey."""
    out = np.zeros((SIZE[1], SIZE[0], 4), "u1")
    out[..., :3] = np.linspace(60, 200, SIZE[0]).astype("u1")[None, :, None]
    out[..., 3] = 0 if clear else 255
    out[10:30, 5 * k : 5 * k + 20] = (200, 40, 30, 255)
    return out


def written(path, format, count=12, clear=False, fps=Fraction(30)):
    kind = FILM_BY_ID[format]
    writer = FilmWriter(path, kind, FilmShape(SIZE, fps, True, clear), OWN)
    for k in range(count + kind.palette):
        writer.add(frame(max(k - kind.palette, 0), clear))
    writer.finish()


@pytest.mark.parametrize("clear", [False, True])
@pytest.mark.parametrize(("format", "near"), [("gif", 8), ("webp", 12), ("apng", 0)])
def test_pictures_that_move_come_back_frame_by_frame(tmp_path, format, near, clear):
    path = tmp_path / f"film{FILM_BY_ID[format].suffix}"
    written(path, format, clear=clear)
    image, total = Image.open(path), 0.0
    assert (image.n_frames, image.size) == (12, SIZE)
    for k in range(12):
        image.seek(k)
        image.load()
        total += image.info["duration"]
        found, requested = np.array(image.convert("RGBA")).astype(int), frame(k, clear).astype(int)
        shown = requested[..., 3] > 0
        assert ((found[..., 3] > 127) == shown).mean() > 0.99
        assert np.abs(found - requested)[shown][:, :3].mean() <= near
    assert total == pytest.approx(400, abs=0.5)
    assert image.info.get("loop") == 0


@pytest.mark.skipif(not has_ffmpeg, reason="the extra film is not installed")
@pytest.mark.parametrize("format", ["mp4", "webm"])
def test_films_hold_the_frames_at_their_rate(tmp_path, format):
    path = tmp_path / f"film.{format}"
    written(path, format, fps=Fraction(25, 2))
    program = writing._ffmpeg_program()
    decoded = subprocess.run(
        [program, "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True
    )
    frames = np.frombuffer(decoded.stdout, "u1").reshape(-1, SIZE[1], SIZE[0], 3).astype(int)
    assert len(frames) == 12 and b"12.50 fps" in decoded.stderr
    for k in (0, 7, 11):
        assert np.abs(frames[k] - frame(k)[..., :3]).mean() < 8


def test_a_folder_of_pictures_appears_as_a_whole(tmp_path):
    written(tmp_path / "frames", "png", count=3)
    assert sorted(p.name for p in (tmp_path / "frames").iterdir()) == [
        "00001.png",
        "00002.png",
        "00003.png",
    ]
    assert (np.array(Image.open(tmp_path / "frames" / "00003.png")) == frame(2)[..., :3]).all()
    with pytest.raises(WriteFailed, match="exists already"):
        written(tmp_path / "frames", "png", count=3)


@pytest.mark.parametrize("format", ["gif", "png", *(["mp4"] if has_ffmpeg else [])])
def test_a_film_that_is_stopped_leaves_nothing_and_what_was_there(tmp_path, format):
    path = tmp_path / f"film{FILM_BY_ID[format].suffix}"
    if format != "png":
        path.write_bytes(b"before")
    writer = FilmWriter(path, FILM_BY_ID[format], FilmShape(SIZE, Fraction(30), True, False), OWN)
    writer.add(frame(0))
    writer.add(frame(0))
    writer.discard()
    assert [p.name for p in tmp_path.iterdir()] == ([] if format == "png" else [path.name])
    assert format == "png" or path.read_bytes() == b"before"


def test_a_dead_encoder_is_reported(tmp_path):
    shape = FilmShape(SIZE, Fraction(30), True, False)
    dies = [sys.executable, "-c", "import sys; print('out of wits', file=sys.stderr); sys.exit(3)"]
    writer = FilmWriter(tmp_path / "a.gif", FILM_BY_ID["gif"], shape, dies)
    with pytest.raises(FilmFailed, match=r"The encoder of a\.gif ended \(out of wits\)"):
        for _ in range(200):
            writer.add(frame(0))
        writer.finish()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_called_so(tmp_path):
    shape = FilmShape(SIZE, Fraction(30), True, False)
    full = [sys.executable, "-c", "import sys; print('errno 28: full', file=sys.stderr); exit(1)"]
    writer = FilmWriter(tmp_path / "a.gif", FILM_BY_ID["gif"], shape, full)
    with pytest.raises(WriteFailed, match="because the disk is full"):
        writer.finish()


def test_an_unwritable_place_is_reported_before_the_work(tmp_path):
    shape = FilmShape(SIZE, Fraction(30), True, False)
    with pytest.raises(WriteFailed, match="does not exist"):
        FilmWriter(tmp_path / "none" / "a.gif", FILM_BY_ID["gif"], shape, OWN)
    (tmp_path / "a.gif").mkdir()
    with pytest.raises(WriteFailed, match="is a folder"):
        FilmWriter(tmp_path / "a.gif", FILM_BY_ID["gif"], shape, OWN)


def test_a_missing_encoder_is_a_sentence_with_its_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "_ffmpeg_program", lambda: None)
    with pytest.raises(EncoderMissing, match=r"pip install 'mechstudio\[film\]'"):
        FilmWriter(
            tmp_path / "a.mp4",
            FILM_BY_ID["mp4"],
            FilmShape(SIZE, Fraction(30), True, False),
            OWN,
        )
    assert not list(tmp_path.iterdir())
