"""The window at the other end of the pipes, and serving of its requests by a table of handlers."""

import os
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from mechstudio.protocol.solver_messages import Failed, Report, Request, pack, read_request


class Window:
    """The window that a process serves; its end is the end of the process, whatever that is doing.

    incoming, outgoing: the pipes, without buffers.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._sending = threading.Lock()

    def listen(self, heard: Callable[[Request], object]) -> None:
        """Hand on each request, in a thread of its own."""
        threading.Thread(target=self._listen, args=(heard,), name="listen", daemon=True).start()

    def _listen(self, heard: Callable[[Request], object]) -> None:
        try:
            while (request := read_request(self._incoming)) is not None:
                heard(request)
        except (OSError, msgspec.DecodeError):
            traceback.print_exc()
            os._exit(1)  # nothing that follows could be understood
        os._exit(0)

    def send(self, report: Report) -> None:
        """Tell the window; any thread may."""
        data = memoryview(pack(report))
        try:
            with self._sending:
                while data:
                    data = data[self._outgoing.write(data) :]
        except OSError:
            os._exit(0)  # the window has ended, and the listening thread is about to say so too


def serve(handler: Callable[[Any], object], request: Any, send: Callable[[Report], None]) -> None:
    """Answer a request; an error of the program is reported, kept in the log, and ends nothing but
    this request.
    """
    try:
        handler(request)
    except Exception as error:
        traceback.print_exc()
        send(Failed(request.id, f"{type(error).__name__}: {error}"))
