"""Surfaces of STEP files by Open Cascade, where `pip install "mechstudio[step]"` brought it.

A file that was made to do harm, or is damaged, may take a library of this size down; so it reads in
a process of its own, which is bounded in time and memory and may end in any way.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from mechstudio.files.gltf import Unreadable
from mechstudio.files.step.triangulation import Refusal
from mechstudio.model.geometry.mesh import MOST_TRIANGLES
from mechstudio.processes import environment, module_command
from mechstudio.translation import Words, tr

SECONDS, SECONDS_OF_MEGABYTE = 15.0, 5.0  # that a file may take, and more for each megabyte of it
MEMORY = 3_000_000_000  # bytes that its process may take, its libraries among them
MEMORY_OF_BYTE = 40  # and more for each byte of the file
_DOCUMENT: Words = "Save the part, not an empty document."
_SIMPLER: Words = "Save fewer parts, or a simpler one, or save it as STL."
# cause, and what helps where it is not saving again
REFUSALS: dict[int, tuple[Words, Words]] = {
    Refusal.NO_LIBRARY: (
        "STEP files are read by Open Cascade, which is not installed",
        'Install it by pip install "mechstudio[step]", or save the part as STL.',
    ),
    Refusal.NO_STEP: ("it is no STEP file that can be read", ""),
    Refusal.NO_SHAPE: ("it holds no shape", _DOCUMENT),
    Refusal.NO_SOLID: ("it holds no solid", _DOCUMENT),
    Refusal.TOO_MANY: ("its surface has too many faces or triangles", _SIMPLER),
    Refusal.TOO_LARGE: ("it has no bounds, or is larger than 100 km", ""),
    Refusal.NO_MEMORY: ("it needs too much memory", _SIMPLER),
}
BROKEN_OFF: tuple[Words, Words] = ("Open Cascade breaks off while it reads it", "")


def read_step(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [mm] and triangles (t, 3) of the solids of a STEP file.

    Raises Unreadable for a damaged file, for one that needs too much time or memory, and where Open
    Cascade is not installed.
    """
    seconds = SECONDS + SECONDS_OF_MEGABYTE * len(data) / 1e6
    memory = MEMORY + MEMORY_OF_BYTE * len(data)
    # on Windows a file that a lost process still holds open cannot be removed at once
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path, out = Path(folder) / "part.step", Path(folder) / "surface.npz"
        path.write_bytes(data)
        bounds = (MOST_TRIANGLES, memory, int(seconds) + 1)
        command = module_command("mechstudio.files.step.triangulation")
        try:
            done = subprocess.run(
                [*command, f"{path}", f"{out}", *(f"{n}" for n in bounds)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(),
                timeout=seconds,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except subprocess.TimeoutExpired:
            raise Unreadable(
                tr("it was not read within {seconds:.0f} s", seconds=seconds), tr(_SIMPLER)
            ) from None
        if done.returncode:
            cause, cure = REFUSALS.get(done.returncode, BROKEN_OFF)
            raise Unreadable(tr(cause), tr(cure) if cure else "")
        with np.load(out) as found:
            return found["points"], found["triangles"]
