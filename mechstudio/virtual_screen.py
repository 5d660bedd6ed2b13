"""A private X screen for a machine without one: the one place of the program that starts Xvfb.
Standard library only.
"""

import os
import secrets
import select
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mechstudio.translation import tr

START_LIMIT = 20.0  # [s] that Xvfb may take to answer


class NoScreenError(RuntimeError):
    """There is no screen and none could be started; the message is one sentence with its cure."""


def has_screen() -> bool:
    """True if windows can be opened here: always on Windows and macOS, elsewhere if an X or Wayland
    display is named.
    """
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


@contextmanager
def virtual_screen(width: int = 1920, height: int = 1080) -> Iterator[dict[str, str]]:
    """Run Xvfb for the time of the block; yields the environment variables that lead programs to
    it.

    The screen is locked with a cookie of its own, so other users of the machine cannot look at it.
    Raises NoScreenError.
    """
    program = shutil.which("Xvfb")
    if program is None:
        raise NoScreenError(
            tr(
                "There is no screen here, and Xvfb, which would make a virtual one, is not "
                "installed (on "
                "Debian and Ubuntu: apt-get install xvfb)."
            )
        )
    with tempfile.TemporaryDirectory(
        prefix="mechstudio-screen-", ignore_cleanup_errors=True
    ) as folder:
        authority = Path(folder, "authority")
        authority.write_bytes(_cookie_for_any_display())
        reader, writer = os.pipe()
        log = Path(folder, "log").open("w+b")
        # Xvfb picks a free number itself and writes it to the pipe when it is ready
        server = subprocess.Popen(
            [
                program,
                "-displayfd",
                str(writer),
                "-screen",
                "0",
                f"{width}x{height}x24",
                "-nolisten",
                "tcp",
                "-auth",
                str(authority),
            ],
            pass_fds=(writer,),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        os.close(writer)
        try:
            number = _first_line(reader)
            if not number:
                log.seek(0)
                words = log.read().decode("utf-8", "replace").strip().splitlines()
                raise NoScreenError(
                    tr(
                        "There is no screen here, and a virtual one did not start: {word}.",
                        word=words[-1] if words else tr("Xvfb gave no reason"),
                    )
                )
            yield {"DISPLAY": f":{number}", "XAUTHORITY": str(authority), "QT_QPA_PLATFORM": "xcb"}
        finally:
            os.close(reader)
            server.terminate()
            try:
                server.wait(5.0)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            log.close()


def _first_line(reader: int) -> str:
    """The line that Xvfb writes when it is ready; empty if it ended or took too long."""
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], START_LIMIT)
        part = os.read(reader, 64) if ready else b""
        if not part:
            return ""
        text += part
    return text.decode("ascii").strip()


def _cookie_for_any_display() -> bytes:
    """One entry of an Xauthority file: any address, any display number, a random cookie."""
    fields = (b"", b"", b"MIT-MAGIC-COOKIE-1", secrets.token_bytes(16))
    return struct.pack(">H", 0xFFFF) + b"".join(struct.pack(">H", len(f)) + f for f in fields)
