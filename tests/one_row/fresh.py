"""Code in a fresh interpreter whose tables have the new rows before anything else is loaded."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
START = "from tests.one_row import rows\nrows.add()\n"


def reported(code: str) -> Any:
    """JSON that the code prints as its last line."""
    done = subprocess.run(
        [sys.executable, "-c", START + code], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
