"""Messages that belong to a request."""

import msgspec


class Message(msgspec.Struct, frozen=True, tag=True):
    """A request, or a report on it.  id: of the request, which all reports on it repeat, so that a
    late one is recognised and dropped.
    """

    id: int

    @property
    def is_last(self) -> bool:
        """True if nothing more is reported on the request."""
        return False


class Answer(Message, frozen=True):
    """The last report on a request."""

    @property
    def is_last(self) -> bool:
        return True
