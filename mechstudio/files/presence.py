"""Registry of the windows that have a file open: one small note per open file in the user's data
folder, with the process that holds it.
"""

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path

from mechstudio.folders import data_folder


def process_lives(pid: int) -> bool:
    """True if a process of this machine is running."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(
            0x1000, False, pid
        )  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return False
        code = ctypes.c_ulong()
        ctypes.windll.kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
        ctypes.windll.kernel32.CloseHandle(handle)
        return code.value == 259  # STILL_ACTIVE
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _note(path: str | os.PathLike[str]) -> Path:
    target: str = os.path.realpath(os.fspath(path))
    name = hashlib.sha256(target.encode(errors="surrogateescape")).hexdigest()[:24]
    return data_folder() / "open" / f"{name}.json"


def holder(path: str | os.PathLike[str]) -> int:
    """The process id of another window that has the file open; 0 if there is none."""
    try:
        pid = int(json.loads(_note(path).read_bytes())["pid"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 0
    return pid if pid != os.getpid() and process_lives(pid) else 0


def announce(path: str | os.PathLike[str]) -> None:
    """Note that this process has the file open; where notes cannot be written, two windows go
    unnoticed but nothing else.
    """
    note = _note(path)
    with contextlib.suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_bytes(json.dumps({"pid": os.getpid()}).encode())


def withdraw(path: str | os.PathLike[str]) -> None:
    """This process no longer has the file open."""
    note = _note(path)
    try:
        mine = json.loads(note.read_bytes()).get("pid") == os.getpid()
    except (OSError, ValueError, AttributeError, RecursionError):
        return
    if mine:
        with contextlib.suppress(OSError):
            note.unlink()
