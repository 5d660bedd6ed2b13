"""Serving of requests by a table of handlers."""

import traceback
from collections.abc import Callable
from typing import Any

from mechstudio.protocol.solver_messages import Failed, Report


def serve(handler: Callable[[Any], object], request: Any, send: Callable[[Report], None]) -> None:
    """Answer a request; an error of the program is reported, kept in the log, and ends nothing but
    this request.
    """
    try:
        handler(request)
    except Exception as error:
        traceback.print_exc()
        send(Failed(request.id, f"{type(error).__name__}: {error}"))
