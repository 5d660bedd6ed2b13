"""Sentences for the user that block nothing, kept in a list until they are read or not true any
more.
"""

from collections.abc import Callable

import msgspec

from mechstudio.application.signal import Signal

# keys of messages that hold for every document, and of those that hold for a document after every
# edit in it
OF_THE_PROGRAM = ("solver",)
OF_THE_DOCUMENT = (*OF_THE_PROGRAM, "file", "load", "elsewhere", "restored", "journal", "open")
# keys of what is said of the last run
OF_A_RUN = ("run", "notes")


class Message(msgspec.Struct, frozen=True):
    """A sentence for the user that blocks nothing.

    kind: "info", "warning" or "error".  buttons: (word as it is shown, function) each.  key: a
    later message with the same key takes this one's place, and `withdraw(key)` removes it.
    passing: tells that something succeeded, and goes by itself after some seconds.
    """

    kind: str
    text: str
    key: str = ""
    buttons: tuple[tuple[str, Callable[[], object]], ...] = ()
    passing: bool = False


class Notifications:
    """Messages to be read.   changed(): the list is another."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.changed = Signal()

    def say(self, message: Message) -> None:
        """Show a message; one with the same key makes way."""
        self.messages = [m for m in self.messages if not message.key or m.key != message.key] + [
            message
        ]
        self.changed.emit()

    def dismiss(self, message: Message) -> None:
        """Take away a message that the user has read."""
        self.messages = [m for m in self.messages if m is not message]
        self.changed.emit()

    def withdraw(self, key: str) -> None:
        """Take a message back because it is not true any more."""
        self._keep([m for m in self.messages if m.key != key])

    def leave(self, lasting: tuple[str, ...]) -> None:
        """Withdraw all messages but those with these keys, since their subject is over."""
        self._keep([m for m in self.messages if m.key in lasting])

    def forget(self, message: Message) -> None:
        """Take a message back, if it still stands."""
        self._keep([m for m in self.messages if m is not message])

    def _keep(self, left: list[Message]) -> None:
        if len(left) != len(self.messages):
            self.messages = left
            self.changed.emit()
