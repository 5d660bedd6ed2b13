"""Films and pictures from scripts: made by `mechstudio film` and `mechstudio render` in a process
of its own, which has a screen or starts a private one, so that no script needs a window.
"""

import base64
import html
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mechstudio.files import project_file, runs
from mechstudio.files.films.writing import FilmFailed
from mechstudio.model.project import Camera, Project
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.api.result import Result


class Shown(NamedTuple):
    """A picture or film as it was written.  path: of the file; None for one that is only shown in a
    notebook.  content: its bytes; empty for a folder of pictures.
    """

    path: Path | None
    kind: str
    content: bytes

    def _repr_html_(self) -> str:
        """The picture or film itself, in a notebook."""
        data = base64.b64encode(self.content).decode()
        if not self.content:
            return f"<p>{html.escape(str(self.path))}</p>"
        if self.kind.startswith("video/"):
            return (
                '<video controls loop autoplay muted style="max-width:100%" '
                f'src="data:{self.kind};base64,{data}"></video>'
            )
        return f'<img style="max-width:100%" src="data:{self.kind};base64,{data}">'


_KINDS = {
    ".gif": "image/gif",
    ".apng": "image/apng",
    ".png": "image/png",
    ".webp": "image/webp",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
}


def _shown(path: Path, kept: bool) -> Shown:
    content = path.read_bytes() if path.is_file() else b""
    return Shown(path if kept else None, _KINDS.get(path.suffix.lower(), ""), content)


def film(
    result: "Result",
    path: str | os.PathLike[str] = "",
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
) -> Shown:
    """Write a film of a run: .gif, .webp, .apng, with the extra `film` .mp4 and .webm, or a folder
    of PNG files; a notebook shows what is returned.

    path: "" for a GIF that is only shown.  names: curves under the view, as of Result.courses.
    first, last [s]: a stretch of the run; left out, `turns` of its cycle, which loops without a
    seam, or where it has none all of the run, as with `whole`.  fps: frames a second.  speed: of
    the motion.  size [px].  theme: "light", "dark" or "paper".  transparent: without sky and floor.
    views: names of kept views that the camera goes through, "fitted" for everything.  clock, cube,
    scale, labels, marks: what is drawn beside the bodies.  Raises FilmFailed (a RuntimeError) with
    a sentence where there is no such view, quantity or stretch, and where no film can be drawn or
    written.
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
    with tempfile.TemporaryDirectory(prefix="mechstudio-film-") as folder:
        out = Path(path) if os.fspath(path) else Path(folder, "film.gif")
        options += [f"--size={size[0]}x{size[1]}", f"--units={units}", f"--out={out}"]
        project = Path(folder, "film.mech")
        project_file.save(project, result.project, None)
        saved = runs.SavedRun(1, runs.drawing_text(result.project), events=result.events)
        runs.write(Path(folder), saved, result.rows)
        command += [f"{project}", *options, f"--run-of={folder}"]
        command += ["--plots", *names] if names else []
        command += ["--views", *views] if views else []
        _made(command, tr("The film could not be made."))
        return _shown(out, bool(os.fspath(path)))


def picture(
    project: Project,
    path: str | os.PathLike[str] = "",
    *,
    time: float | str | None = None,
    size: tuple[int, int] = (1600, 1000),
    theme: str = "light",
    transparent: bool = False,
    camera: Camera | None = None,
) -> Shown:
    """A picture of a project in three dimensions as PNG, as the window draws it; a notebook shows
    what is returned.

    path: "" for one that is only shown.  time [s]: of the run, None for the drawing.  size [px].
    theme: "light", "dark" or "paper".  transparent: without sky and floor.  camera: point of view,
    None for one that shows everything.  Raises FilmFailed (a RuntimeError) with a sentence.

        >>> project = ms.load("four_bar.mech")
        >>> ms.picture(project, "four_bar.png", size=(400, 300)).kind
        'image/png'
    """
    with tempfile.TemporaryDirectory(prefix="mechstudio-picture-") as folder:
        out = Path(path) if os.fspath(path) else Path(folder, "picture.png")
        drawn = Path(folder, "picture.mech")
        project_file.save(drawn, project, camera)
        command = [sys.executable, "-P", "-m", "mechstudio", "render", f"{drawn}", f"--out={out}"]
        command += [f"--size={size[0]}x{size[1]}", f"--theme={theme}"]
        command += ["--transparent"] if transparent else []
        command += [] if time is None else [f"--time={time}"]
        _made(command, tr("The picture could not be made."))
        return _shown(out, bool(os.fspath(path)))


def _made(command: list[str], otherwise: str) -> None:
    """Run a command of the terminal.  otherwise: a sentence for where it gives none.  Raises
    FilmFailed.
    """
    home = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    made = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths}
    )
    if made.returncode:
        lines = made.stderr.strip().splitlines() or [otherwise]
        words = lines[-1].removeprefix("mechstudio: ")
        for name in ("film", "render"):
            words = words.removeprefix(f"mechstudio {name}: error: ")
        raise FilmFailed(words)
