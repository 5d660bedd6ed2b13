"""Messages that belong to a request."""

import msgspec


class Message(msgspec.Struct, frozen=True, tag=True):
    """A request, or a report on it.  id: of the request, which all reports on it repeat, so that a
    late one is recognised and dropped.
    """

    id: int


class Answer(Message, frozen=True):
    """The last report on a request."""
