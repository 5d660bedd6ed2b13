"""Films of runs from scripts: made by `mechstudio film` in a process of its own, which has a screen
or starts a private one, so that no script needs a window.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mechstudio.files import project_file, runs
from mechstudio.files.films.writing import FilmFailed
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.api.result import Result


def film(
    result: "Result",
    path: str | os.PathLike[str],
    *names: str,
    first: float | None = None,
    last: float | None = None,
    whole: bool = False,
    turns: int = 1,
    fps: float = 30.0,
    speed: float = 1.0,
    size: tuple[int, int] = (960, 540),
    theme: str = "light",
    transparent: bool = False,
    views: tuple[str, ...] = (),
    clock: bool = False,
    cube: bool = False,
    scale: bool = True,
    labels: bool = True,
    marks: bool = True,
    units: str = DEFAULT_SYSTEM,
) -> None:
    """Write a film of a run: .gif, .webp, .apng, with the extra `film` .mp4 and .webm, or a folder
    of PNG files.

    names: curves under the view, as of Result.courses.  first, last [s]: a stretch of the run; left
    out, `turns` of its cycle, which loops without a seam, or where it has none all of the run, as
    with `whole`.  fps: frames a second.  speed: of the motion.  size [px].  theme: "light", "dark"
    or "paper".  transparent: without sky and floor.  views: names of kept views that the camera
    goes through, "fitted" for everything.  clock, cube, scale, labels, marks: what is drawn beside
    the bodies.  Raises FilmFailed (a RuntimeError) with a sentence where there is no such view,
    quantity or stretch, and where no film can be drawn or written.
    """
    command = [sys.executable, "-P", "-m", "mechstudio", "film"]
    for name, value in (("--from", first), ("--to", last)):
        command += [] if value is None else [f"{name}={value!r}"]
    for name, flag in (
        ("--whole", whole),
        ("--transparent", transparent),
        ("--clock", clock),
        ("--cube", cube),
        ("--no-scale", not scale),
        ("--no-labels", not labels),
        ("--no-marks", not marks),
    ):
        command += [name] if flag else []
    options = [f"--turns={turns}", f"--fps={fps!r}", f"--speed={speed!r}", f"--theme={theme}"]
    options += [f"--size={size[0]}x{size[1]}", f"--units={units}", f"--out={os.fspath(path)}"]
    with tempfile.TemporaryDirectory(prefix="mechstudio-film-") as folder:
        project = Path(folder, "film.mech")
        project_file.save(project, result.project, None)
        saved = runs.SavedRun(1, runs.drawing_text(result.project), events=result.events)
        runs.write(Path(folder), saved, result.rows)
        command += [f"{project}", *options, f"--run-of={folder}"]
        command += ["--plots", *names] if names else []
        command += ["--views", *views] if views else []
        home = str(Path(__file__).resolve().parents[2])
        paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
        made = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths}
        )
    if made.returncode:
        lines = made.stderr.strip().splitlines() or [tr("The film could not be made.")]
        words = lines[-1].removeprefix("mechstudio: ").removeprefix("mechstudio film: error: ")
        raise FilmFailed(words)
