"""Code in a fresh interpreter whose tables have the new rows before anything else is loaded."""

import atexit
import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# each code has names of its own; loading the program takes longer than any of them
START = """
from tests.one_row import rows
rows.add()
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(json.loads(line), {"__name__": "__main__"})
        reported = [said.getvalue().splitlines()[-1], ""]
    except BaseException:
        reported = ["", traceback.format_exc()]
    print(json.dumps(reported), flush=True)
"""


@functools.cache
def interpreter() -> subprocess.Popen:
    """The interpreter, started once; it ends with its pipe."""
    started = subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(started.communicate)
    return started


def reported(code: str) -> Any:
    """JSON that the code prints as its last line."""
    process = interpreter()
    process.stdin.write(json.dumps(code) + "\n")
    process.stdin.flush()
    line, error = json.loads(process.stdout.readline())
    assert error == "", error
    return json.loads(line)
