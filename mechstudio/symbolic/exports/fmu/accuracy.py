"""Accuracy of an FMU against the engine's own run: its C is run as a program of its own over the
first seconds, and its coordinates are compared at some instants.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.symbolic.exports.fmu.fmu import compiled
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.exports.fmu.fmu import Model

LONGEST = 2.0  # [s] of the comparison
INSTANTS = 20
PATIENCE = 60.0  # s that the program may take
_MAIN = """
#include <stdio.h>

int main(void)
{
    Model *m = fmi3InstantiateCoSimulation("a", TOKEN, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (!m) return 1;
    fmi3EnterInitializationMode(m, 0, 0.0, 0.0, 0, 0.0);
    if (fmi3ExitInitializationMode(m) != fmi3OK) return 1;
    for (int k = 0; k <= COUNT; k++) {
        bool event, terminate, early;
        double last;
        if (k && fmi3DoStep(m, (k - 1)*LENGTH, LENGTH, 0, &event, &terminate, &early, &last))
            return 1;
        for (int i = 0; i < N; i++) printf("%.17g ", m->q[i]);
        putchar('\\n');
    }
    return 0;
}
"""


def told(model: "Model") -> str:
    """A sentence on how far the FMU is from the engine's run; "" where it cannot be compared."""
    found = difference(model)
    if found is None:
        return tr("Its motion was not compared with a run.")
    duration, angle, length = found
    said = {
        "angle": tr("angles by at most {angle:.1g} rad", angle=angle),
        "length": tr("lengths by at most {length:.1g} m", length=length),
    }
    kinds = dict.fromkeys(u.dimension for u in model.e.coordinates)
    parts = [said[kind] for kind in kinds if kind in said]
    return tr(
        "Over the first {duration:g} s it differs from the run of mechstudio: {parts}.",
        duration=duration,
        parts=", ".join(parts) or "–",
    )


def difference(model: "Model") -> tuple[float, float, float] | None:
    """Duration [s] that was compared, and the largest differences of angles [rad] and of lengths
    [m]; None where either cannot be run.
    """
    duration = min(LONGEST, model.motion.duration)
    ours = model.motion.course(duration, INSTANTS)
    if ours is None:
        return None
    theirs = _run(model, duration)
    if theirs is None or theirs.shape != ours.shape:
        return None
    turning = np.array([u.dimension == "angle" for u in model.e.coordinates], bool)
    miss = ours - theirs
    around = np.abs((miss[:, turning] + math.pi) % (2.0 * math.pi) - math.pi)
    along = np.abs(miss[:, ~turning])
    return duration, float(around.max(initial=0.0)), float(along.max(initial=0.0))


def _run(model: "Model", duration: float) -> np.ndarray | None:
    sources = dict(model.sources())
    length = duration / INSTANTS
    sources["model.c"] += f"\n#define COUNT {INSTANTS}\n#define LENGTH {length!r}\n{_MAIN}"
    program = compiled(sources, shared=False)
    if program is None or sys.platform == "win32":
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        path.write_bytes(program)
        path.chmod(0o700)
        try:
            done = subprocess.run([str(path)], capture_output=True, timeout=PATIENCE, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
    rows = [list(map(float, line.split())) for line in done.stdout.decode().splitlines()]
    found = np.array(rows, float).reshape(len(rows), -1)
    return found if np.isfinite(found).all() else None
