"""Instant that the chapter of contacts is about; part of Derivations."""

from collections.abc import Callable
from typing import Any

from mechstudio.model.contact import ContactSample
from mechstudio.model.equations.lecture import CONTACTS
from mechstudio.protocol.derivation_messages import Taught

Instant = tuple[bytes, ContactSample | None, str]


class ContactLessons:
    """One instant is laid out and typeset before the next one is asked for, else no picture would
    come while a run plays.
    """

    chapter: Callable[[str], Taught | None]
    _outdated: set[str]
    _held: bool
    _asked: dict[str, Any]
    _instant: Instant | None = None  # what the chapter shall be about, None while nobody looks
    _sent: Instant | None = None  # what it was asked for last

    def look_at_contacts(self, instant: Instant | None) -> None:
        """From now on the chapter of contacts is about an instant: its sample, its contacts and the
        name of one of them; None while nobody looks.
        """
        if instant != self._instant:
            self._instant = instant
            if instant is not None:
                self._outdated.add(CONTACTS)
                self._follow_contacts()

    def _follow_contacts(self) -> None:
        """Ask for the instant that is looked at by now; what failed is not asked for again and
        again.
        """
        if self._instant is not None and CONTACTS in self._outdated and not self._held:
            self.chapter(CONTACTS)

    def _waits_for_pictures(self, key: str) -> bool:
        return key == CONTACTS and any(part.startswith(f"{CONTACTS}/") for part in self._asked)

    def _instant_of(self, key: str) -> Instant | tuple[()]:
        """Instant that goes with the request for a chapter; () for other chapters than that of
        contacts and where no instant is known.
        """
        if key != CONTACTS or self._instant is None:
            return ()
        self._sent = self._instant
        return self._instant

    def _refresh(self, report: Taught) -> None:
        """A chapter has come: whether it is the newest, and which of its pictures are of another
        instant.
        """
        if report.chapter != CONTACTS or self._sent == self._instant:
            self._outdated.discard(report.chapter)
        for part in (f"{report.chapter}/{step}" for step in report.fresh):
            # a picture that is on its way is of the instant before
            self._asked.pop(part, None)
            self._outdated.add(part)
