"""The same project twice gives the same numbers, to the last bit: in two processes, whatever the
order of hashes and the speed of the machine.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration import smooth_run as running
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system

SAMPLES = Path(__file__).parents[3] / "samples"
NAMES = (
    "double_pendulum",
    "four_bar",
    "andrews_squeezer",
    "stewart_platform",
    "door_two_hinges",
    "rolling_disc",
    "gear_train",
)
METHODS = (
    ("dop853", "joint", "projection"),
    ("rk4", "absolute", "baumgarte"),
    ("dopri5", "independent", "projection"),
    ("radau", "joint", "projection"),
    ("generalized_alpha", "joint", "projection"),
)

CHILD = """
import sys
import mechstudio as ms
for path in sys.argv[1:]:
    print(ms.simulate(ms.load(path), duration=0.5, sample_step=0.01).digest)
"""


def digests_of_a_process(seed: str) -> list[str]:
    paths = [str(SAMPLES / f"{name}.mech") for name in NAMES]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *paths],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.slow
def test_two_processes_agree():
    first, second = digests_of_a_process("1"), digests_of_a_process("4711")
    assert len(set(first)) == len(NAMES), "each sample has a motion of its own"
    assert first == second
    # and this process, in which other runs may have gone before
    assert first == [
        ms.simulate(ms.load(SAMPLES / f"{name}.mech"), duration=0.5, sample_step=0.01).digest
        for name in NAMES
    ]


def test_a_digest_sees_one_bit():
    result = ms.simulate(ms.load(SAMPLES / "double_pendulum.mech"), duration=0.1)
    before = result.digest
    result.rows[-1, 3] = np.nextafter(result.rows[-1, 3], 9.0)
    assert result.digest != before


@pytest.mark.parametrize(("integrator", "formulation", "drift"), METHODS)
@pytest.mark.thinned(3)
def test_the_speed_of_the_machine_leaves_no_trace(integrator, formulation, drift, monkeypatch):
    """The distance that the kernel goes before it looks at the clock is no part of the motion."""
    system = compile_system(ms.load(SAMPLES / "four_bar.mech").mechanism)
    if formulation == "absolute":
        system = compile_system(system.mechanism, coordinates="absolute")
    options = RunOptions(
        0.3, 0.01, integrator=integrator, formulation=formulation, drift=drift, tolerance=1e-7
    )
    found = set()
    for block, patience in ((256, 0.02), (7, 1e-9), (256, 10.0)):
        monkeypatch.setattr(running, "BLOCK", block)
        monkeypatch.setattr(running, "PATIENCE", patience)
        rows = np.concatenate(list(run(system, msgspec.structs.replace(options))))
        found.add(hashlib.sha256(rows.tobytes()).hexdigest())
    assert len(found) == 1
