"""A list of listeners: the only way in which application objects tell anybody anything."""

from collections.abc import Callable
from typing import Any


class Signal:
    """Calls every listener in the order of connection; a listener that raises stops the rest, so that nothing fails unseen."""

    def __init__(self) -> None:
        self._listeners: list[Callable[..., Any]] = []

    def connect(self, listener: Callable[..., Any]) -> None:
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[..., Any]) -> None:
        self._listeners.remove(listener)

    def emit(self, *values: Any) -> None:
        for listener in tuple(self._listeners):
            listener(*values)
