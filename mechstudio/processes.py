"""Processes of this program's own: how one of its modules is started as a process beside it."""

import os
import sys
import sysconfig
from pathlib import Path

# a frozen program has one executable for everything: __main__ runs the module that follows this
# argument, as `python -m` does
FROZEN_MODULE = "--mechstudio-module"
# modules that are processes, and packages of such
MODULES = (
    "mechstudio.worker",
    "mechstudio.files.films.encoder",
    "mechstudio.files.step.triangulation",
)


def module_command(module: str) -> list[str]:
    """Command that runs a module of this program in a process of its own."""
    return [
        sys.executable,
        *((FROZEN_MODULE,) if getattr(sys, "frozen", False) else ("-P", "-m")),
        module,
    ]


def environment() -> dict[str, str]:
    """Environment of such a process: it must find this very package, also when it runs from a
    source tree.
    """
    environment = dict(os.environ)
    home = str(Path(__file__).resolve().parents[1])
    if home not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, (home, environment.get("PYTHONPATH", "")))
        )
    # Numba paints the message of each attempt to type an expression, read or not: a twentieth of
    # the time of compiling
    environment.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    return environment
