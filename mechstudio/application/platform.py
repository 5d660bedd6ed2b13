"""Operating-system services for the window (folders: folders.py): its age, and files opened by the
programs of the desktop.
"""

import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from mechstudio.translation import tr

_IMPORTED = time.perf_counter()
_OR_ITS_FOLDER = 'folder=$1; shift; "$@" >/dev/null 2>&1 || exec xdg-open "$folder"'


def process_age() -> float:
    """Seconds since this process was started, interpreter included where the system reports it
    (Linux), otherwise since this import.
    """
    try:
        with open("/proc/self/stat", encoding="ascii") as file:
            ticks = int(file.read().rsplit(")", 1)[1].split()[19])
    except OSError:
        return time.perf_counter() - _IMPORTED
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def open_file(path: Path) -> str:
    """Open a file or folder with the program that the desktop has for it; returns why it cannot, in
    a sentence, "" if it did.
    """
    if not path.exists():
        return tr("{name} is not there any more.", name=path.name)
    if sys.platform == "win32":
        try:
            os.startfile(path)
        except OSError as error:
            return _no_program(path, error.strerror or "")
        return ""
    return _answer(
        ["open", f"{path}"] if sys.platform == "darwin" else ["xdg-open", f"{path}"], path
    )


def show_in_folder(path: Path) -> str:
    """Show a file in the desktop's file manager, selected where it can do that; returns why it
    cannot, in a sentence, "" if it did.
    """
    if not path.exists():
        return tr("{name} is not there any more.", name=path.name)
    if sys.platform == "win32":
        return _answer(["explorer", f"/select,{path}"], path)
    if sys.platform == "darwin":
        return _answer(["open", "-R", f"{path}"], path)
    bus = shutil.which("gdbus")
    if bus and os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        manager = "org.freedesktop.FileManager1"
        call = [bus, "call", "--session", "--timeout", "2", "--dest", manager]
        call += ["--object-path", "/org/freedesktop/FileManager1"]
        call += ["--method", f"{manager}.ShowItems", f"['{path.absolute().as_uri()}']", ""]
        # the file manager may take its time to start, and some desktops have none that can do this
        return _answer(["sh", "-c", _OR_ITS_FOLDER, "sh", f"{path.parent}", *call], path)
    return open_file(path.parent)


def _answer(command: Sequence[str], path: Path) -> str:
    """Start a program of the desktop, which goes on by itself."""
    program = shutil.which(command[0])
    if program is None:
        return _no_program(path, "")
    try:
        subprocess.Popen(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return _no_program(path, error.strerror or "")
    return ""


def _no_program(path: Path, why: str) -> str:
    reason = f" ({why})" if why else ""
    return tr(
        "This desktop has no program to open {name} with{reason}; it lies in {folder}.",
        name=path.name,
        reason=reason,
        folder=path.parent,
    )


def prefers_stillness() -> bool:
    """True if the system is set to show no animations; False where it does not say (Qt does not
    ask it).
    """
    if sys.platform == "win32":
        import ctypes

        animates = ctypes.c_int(1)
        query = 0x1042  # SPI_GETCLIENTAREAANIMATION
        found = ctypes.windll.user32.SystemParametersInfoW(query, 0, ctypes.byref(animates), 0)
        return bool(found) and not animates.value
    if sys.platform == "darwin":
        return _answers(("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1")
    key = "org.gnome.desktop.interface", "enable-animations"
    return bool(os.environ.get("XDG_CURRENT_DESKTOP")) and _answers(
        ("gsettings", "get", *key), "false"
    )


@functools.cache
def _answers(command: tuple[str, ...], expected: str) -> bool:
    """True if a command of the system prints a word; evaluated once."""
    if shutil.which(command[0]) is None:
        return False
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=1.0, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.stdout.strip() == expected
