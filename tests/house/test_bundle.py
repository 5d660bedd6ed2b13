"""The program as one folder for computers without Python: it is built, and there it simulates,
derives, films and shows its window.  MECHSTUDIO_BUNDLE names one that is built already.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("PyInstaller") is None, reason="PyInstaller: pip install pyinstaller"
)
@pytest.mark.skipif(sys.platform == "linux" and not shutil.which("xvfb-run"), reason="no Xvfb")
def test_the_program_in_a_folder_films_and_shows_its_window(tmp_path):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    given = os.environ.get("MECHSTUDIO_BUNDLE", "")
    if not given:
        build = [sys.executable, "packaging/build_bundle.py", f"--out={tmp_path}"]
        subprocess.run(build, cwd=ROOT, check=True, timeout=1800)
    folder = Path(given or tmp_path / "mechstudio")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "XDG_"))}
    environment["HOME"] = str(tmp_path / "home")
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"] if sys.platform == "linux" else []
    sample = str(ROOT / "samples" / "four_bar.mech")

    def run(*arguments):
        command = [*screen, str(folder / "mechstudio"), *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    run("simulate", sample, "--duration", "0.2", "--csv", f"{tmp_path / 'run.csv'}")
    assert len((tmp_path / "run.csv").read_text("utf-8").splitlines()) > 10
    if next(folder.rglob("_kernels"), None) is not None:
        compiled = [p for p in (tmp_path / "home").rglob("*.nb?")]
        assert not compiled, "it carries kernels for this processor, and compiles none"
    equations = tmp_path / "equations.tex"
    run("equations", sample, "--format", "latex", "--out", f"{equations}")
    assert "\\begin{" in equations.read_text("utf-8")
    film = tmp_path / "film.mp4"
    run("film", sample, f"--out={film}", "--from", "0", "--to", "0.5", "--size", "320x180")
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(film))
    assert frames == 15
    picture = tmp_path / "window.png"
    said = run("--picture", str(picture), sample)
    assert "Traceback" not in said and "expected" not in said
    assert picture.stat().st_size > 100_000
    text = next(folder.rglob("LICENSES/ffmpeg.txt")).read_text("utf-8")
    assert not list(folder.rglob("LICENSES/*gymnasium*")), "licences of what is inside"
    assert "GNU General Public License" in text and "configuration:" in text
