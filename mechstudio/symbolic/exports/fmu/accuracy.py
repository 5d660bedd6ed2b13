"""Accuracy of an FMU against the engine's own run: its library is run over the first seconds,
and its coordinates are compared at some instants.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.exports.fmu.fmu import Model

LONGEST = 2.0  # [s] of the comparison
INSTANTS = 20
PATIENCE = 60.0  # s that the program may take
# run by a Python of its own: a library that hangs or crashes takes nothing with it
_RUN = """
import ctypes, sys
path, token = sys.argv[1], sys.argv[2].encode()
first, n, count = map(int, sys.argv[3:6])
length = float(sys.argv[6])
library = ctypes.CDLL(path)
number, flag, pointer = ctypes.c_double, ctypes.c_bool, ctypes.c_void_p
make = library.fmi3InstantiateCoSimulation
make.restype = pointer
off, zero, none = flag(0), number(0), ctypes.c_size_t(0)
m = pointer(make(b"a", token, None, off, off, off, off, None, none, None, None, None))
assert m.value
assert not library.fmi3EnterInitializationMode(m, off, zero, zero, off, zero)
assert not library.fmi3ExitInitializationMode(m)
references = (ctypes.c_uint * n)(*range(first, first + n))
values, last = (number * n)(), number()
flags = [flag() for _ in range(3)]
for k in range(count + 1):
    if k:
        found = [ctypes.byref(f) for f in (*flags, last)]
        begin = number((k - 1) * length)
        assert not library.fmi3DoStep(m, begin, number(length), off, *found)
    size = ctypes.c_size_t(n)
    assert not library.fmi3GetFloat64(m, references, size, values, size)
    print(*map(repr, values))
"""


def accuracy_sentence(model: "Model", library: bytes) -> str:
    """A sentence on how far the FMU is from the engine's run; "" where it cannot be compared."""
    try:
        found = difference(model, library)
    except subprocess.CalledProcessError:
        return tr("It stops within its first {duration:g} s.", duration=_compared(model))
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
        parts=comma().join(parts) or "–",
    )


def difference(model: "Model", library: bytes) -> tuple[float, float, float] | None:
    """Duration [s] that was compared, and the largest differences of angles [rad] and of lengths
    [m]; None where either cannot be run.  Raises subprocess.CalledProcessError where the FMU fails.
    """
    duration = _compared(model)
    ours = model.motion.course(duration, INSTANTS)
    if ours is None:
        return None
    theirs = _run(model, library, duration)
    if theirs is None or theirs.shape != ours.shape:
        return None
    turning = np.array([u.dimension == "angle" for u in model.e.coordinates], bool)
    miss = np.abs(ours - theirs)
    miss[:, turning] = _around(ours[:, turning] - theirs[:, turning])
    for k, middle in model.attitudes:
        # the other three angles of the same attitude
        other = ours[:, k : k + 3] * (1.0, -1.0, 1.0) + (math.pi, middle, math.pi)
        flipped = _around(other - theirs[:, k : k + 3])
        nearer = flipped.max(axis=1) < miss[:, k : k + 3].max(axis=1)
        miss[nearer, k : k + 3] = flipped[nearer]
    around, along = miss[:, turning], miss[:, ~turning]
    return duration, float(around.max(initial=0.0)), float(along.max(initial=0.0))


def _compared(model: "Model") -> float:
    """Duration of the comparison [s]."""
    return min(LONGEST, model.motion.duration)


def _around(miss: np.ndarray) -> np.ndarray:
    """Sizes of differences of angles, without full turns [rad]."""
    return np.abs((miss + math.pi) % (2.0 * math.pi) - math.pi)


def _run(model: "Model", library: bytes, duration: float) -> np.ndarray | None:
    n = len(model.e.coordinates)
    if getattr(sys, "frozen", False) or not n:
        return None  # a program in one folder has no Python to run it by
    first = 1 + len(model.e.parameters) + len(model.courses)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        path.write_bytes(library)
        given = (path, model.token, first, n, INSTANTS, repr(duration / INSTANTS))
        command = [sys.executable, "-I", "-c", _RUN, *map(str, given)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)
        except (OSError, subprocess.TimeoutExpired):
            return None
    rows = [list(map(float, line.split())) for line in done.stdout.decode().splitlines()]
    found = np.array(rows, float).reshape(len(rows), -1)
    return found if np.isfinite(found).all() else None
