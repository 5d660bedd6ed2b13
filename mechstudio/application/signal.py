"""A list of listeners: the only way in which application objects report changes."""

from collections.abc import Callable
from typing import Any

from mechstudio.translation import tr


class Signal:
    """Calls every listener in the order of connection.

    One that raises does not keep the others from hearing: the window shows a document as a whole.
    Its exceptions are raised afterwards, so that none is hidden.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[..., Any]] = []

    def connect(self, listener: Callable[..., Any]) -> None:
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[..., Any]) -> None:
        self._listeners.remove(listener)

    def emit(self, *values: Any) -> None:
        failures: list[Exception] = []
        for listener in tuple(self._listeners):
            try:
                listener(*values)
            except Exception as failure:
                failures.append(failure)
        if len(failures) == 1:
            raise failures[0]
        if failures:
            raise ExceptionGroup(tr("several listeners failed"), failures)
