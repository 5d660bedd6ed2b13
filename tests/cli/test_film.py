"""mechstudio film: files by another program's reading, and errors with their cure and status."""

import argparse
import base64
import io
import os
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from PIL import Image

import mechstudio as ms
from mechstudio.cli.pictures import film
from mechstudio.files.films import writing
from tests.cli.test_main import FOUR_BAR, ROOT, ghost, run  # noqa: F401


@pytest.mark.slow
def test_a_film_without_a_display(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    made = subprocess.run(
        [sys.executable, "-P", "-m", "mechstudio", "film", FOUR_BAR]
        + ["--out", tmp_path / "a.gif", "--from", "0", "--to", "0.5", "--fps", "10"]
        + ["--size", "320x181", "--plots", "Kinetic energy", "--clock"],
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert "Film of 5 frames, 0.5 s" in made.stdout
    image = Image.open(tmp_path / "a.gif")
    assert (image.n_frames, image.size) == (5, (320, 181))


def test_a_result_films_itself(tmp_path):
    result = ms.simulate(ms.load(FOUR_BAR), duration=1)
    shown = result.film(tmp_path / "a.webp", size=(160, 90), fps=10, transparent=True, scale=False)
    # a notebook shows the film itself
    assert shown.path == tmp_path / "a.webp" and shown.content == shown.path.read_bytes()
    data = base64.b64encode(shown.content).decode()
    assert f'src="data:image/webp;base64,{data}"' in shown._repr_html_()
    image = Image.open(tmp_path / "a.webp")
    # one turn of the crank takes 0.6536 s
    assert image.n_frames == 7
    assert np.array(image.convert("RGBA"))[0, 0, 3] == 0
    with pytest.raises(writing.FilmFailed, match="There is no view Top"):
        result.film(tmp_path / "b.webp", views=("Top",))


@pytest.mark.slow
def test_a_film_and_a_picture_are_shown_without_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    project = ms.load(FOUR_BAR)
    result = ms.simulate(project, duration=1)
    filmed = result.film(size=(96, 54), fps=5)
    assert filmed.path is None and filmed.content.startswith(b"GIF8")
    picture = ms.picture(project, size=(200, 150), theme="paper", transparent=True, time="0.2 s")
    image = Image.open(io.BytesIO(picture.content)).convert("RGBA")
    assert image.size == (200, 150) and image.getextrema()[3] == (0, 255)
    assert not list(tmp_path.iterdir())
    with pytest.raises(writing.FilmFailed, match="99"):
        ms.picture(project, time="-99 s")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--out", "a.avi"], 2, r"written as \.mp4, .* not as \.avi"),
        (["--out", "a.gif", "--from", "1", "--to", "1"], 1, "let B come after A"),
        (["--out", "a.gif", "--to", "99"], 1, "The run goes from 0 s to 6 s"),
        (["--out", "a.gif", "--from", "one"], 2, "one"),
        (["--out", "a.gif", "--size", "9x9"], 2, "16 to 4096"),
        (["--out", "a.gif", "--plots", "Tork"], 2, "Tork"),
        (["--out", "a.mp4", "--transparent"], 2, "no transparent ground"),
        (["--out", "none/a.gif"], 2, "there is no folder"),
    ],
)
def test_invalid_film_is_reported_in_one_sentence(
    run,
    tmp_path,
    monkeypatch,
    arguments,
    status,
    words,
):
    monkeypatch.chdir(tmp_path)
    found, out, err = run("film", FOUR_BAR, *arguments, render=lambda request: None)
    assert found == status and not out
    import re

    assert re.search(words, err.replace("\n", " "))


def test_a_missing_encoder_says_how_it_is_had(run, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "_ffmpeg_program", lambda: None)
    found, _, err = run("film", FOUR_BAR, "--out", tmp_path / "a.mp4", render=lambda request: None)
    assert found == 2 and "pip install 'mechstudio[film]'" in err


def test_a_run_without_a_cycle_is_filmed_whole_and_said(run, tmp_path):
    requested = []
    found, _, err = run(
        "film",
        ROOT / "samples" / "double_pendulum.mech",
        "--out",
        tmp_path / "a.gif",
        "--fps",
        "5",
        render=requested.append,
    )
    assert found == 0 and "The film shows the whole run" in err
    assert len(requested[0].plan.times) == 50


def test_a_mechanism_at_fault_is_reported(run, ghost, tmp_path):
    found, _, err = run("film", ghost, "--out", tmp_path / "a.gif", render=lambda request: None)
    assert found == 1 and "cannot be simulated" in err


FLAGS = {
    ("--whole",): {"range": "run"},
    ("--from", "0.1", "--to", "0.4"): {"range": "stretch", "first": 0.1, "last": 0.4},
    ("--turns", "3"): {"turns": 3},
    ("--fps", "12"): {"fps": 12.0},
    ("--speed", "0.5"): {"speed": 0.5},
    ("--size", "320x181"): {"width": 320, "height": 181},
    ("--theme", "dark"): {"theme": "dark"},
    ("--transparent",): {"transparent": True},
    ("--plots", "Kinetic energy"): {"plots": True},
    ("--clock",): {"clock": True},
    ("--cube",): {"cube": True},
    ("--no-scale",): {"scale": False},
    ("--no-labels",): {"labels": False},
    ("--no-marks",): {"marks": False},
    ("--format", "webp"): {"format": "webp"},
}


@pytest.mark.parametrize("flags", FLAGS, ids=lambda flags: flags[0])
def test_each_option_of_a_film_sets_what_it_says_alone(flags):
    def made(*given):
        parser = argparse.ArgumentParser()
        film.add_command(parser.add_subparsers())
        options = parser.parse_args(["film", str(FOUR_BAR), "--out", "a.gif", *given])
        return msgspec.to_builtins(film.film_of(options, ms.load(FOUR_BAR)))

    usual, changed = made(), made(*flags)
    assert usual["format"] == "gif" and usual["scale"] and usual["labels"] and usual["marks"]
    assert changed == usual | FLAGS[flags]
