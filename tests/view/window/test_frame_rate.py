"""Pictures per second while a mechanism of 50 bodies is pulled."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "responsiveness.py"


@pytest.mark.slow
def test_a_pull_of_50_bodies_leaves_room_for_30_pictures_a_second():
    """By the window's own computing, which neither the load of the machine nor a graphics device
    that the processor emulates changes.
    """
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "rate"],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    rates = re.findall(r"(\d+)(?: redraws/s| without| per second)", done.stdout)
    assert len(rates) == 3, done.stdout
    assert int(rates[2]) >= 30, done.stdout
