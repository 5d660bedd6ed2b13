"""Sentences for the user that block nothing, kept in a list until they are read or not true any
more.
"""

import msgspec

from mechstudio.application.signal import Signal

# keys of what is true whatever document is open, and of what is true of a document whatever is done
# in it
OF_THE_PROGRAM = ("solver",)
OF_THE_DOCUMENT = (*OF_THE_PROGRAM, "file", "load", "elsewhere", "restored", "journal", "open")


class Message(msgspec.Struct, frozen=True):
    """A sentence for the user that blocks nothing.

    kind: "info", "warning" or "error".  buttons: (word, name of a Studio method) each.  key: a
    later message with the same key takes this one's place, and `withdraw(key)` removes it.
    """

    kind: str
    text: str
    key: str = ""
    buttons: tuple[tuple[str, str], ...] = ()


class Messages:
    """The list of what is to be told; part of Studio.   messages_changed(): the list is another."""

    def start_messages(self) -> None:
        self.messages: list[Message] = []
        self.messages_changed = Signal()

    def say(self, message: Message) -> None:
        """Show a message; one with the same key makes way."""
        self.messages = [m for m in self.messages if not message.key or m.key != message.key] + [
            message
        ]
        self.messages_changed.emit()

    def dismiss(self, message: Message) -> None:
        """The user has read it."""
        self.messages = [m for m in self.messages if m is not message]
        self.messages_changed.emit()

    def withdraw(self, key: str) -> None:
        """Take a message back because it is not true any more."""
        self._keep([m for m in self.messages if m.key != key])

    def leave_messages(self, lasting: tuple[str, ...]) -> None:
        """Take back all messages but those with these keys: what they tell of is over."""
        self._keep([m for m in self.messages if m.key in lasting])

    def _keep(self, left: list[Message]) -> None:
        if len(left) != len(self.messages):
            self.messages = left
            self.messages_changed.emit()
