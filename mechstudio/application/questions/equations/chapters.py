"""Chapters that a window has laid out or copied."""

from collections.abc import Callable

from mechstudio.application.questions.equations.pictures import Pictures, Post
from mechstudio.application.signal import Signal
from mechstudio.model.contact import ContactSample
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS
from mechstudio.protocol.derivation_messages import ChapterReady, Teach, Write, Written
from mechstudio.translation import tr

# sample of a run, its contacts, the name of one of them
Instant = tuple[bytes, ContactSample | None, str]


class Chapters:
    """A chapter that met an error is not requested again by itself: `_spoilt` has it until the next
    edit or request.  The chapter of contacts follows an instant: one instant is laid out and
    typeset before the next one is requested, else no picture would come while a run plays.

    chapter_ready(key): `chapter` has a newer one.  written(text, format): what `write` was called
    for; unwritten(sentence): why it does not come.
    """

    def __init__(
        self,
        pictures: Pictures,
        post: Post,
        derive_again: Callable[[], None],
        begun: Callable[[], None],
        is_held: Callable[[], bool],
    ) -> None:
        """derive_again: has the equations derived again where no process knows them.  begun: tells
        that a first layout is under way.  is_held: True if nothing may be requested by itself.
        """
        self.chapter_ready, self.written, self.unwritten = Signal(), Signal(), Signal()
        self._pictures, self._post, self._derive_again = pictures, post, derive_again
        self._begun, self._is_held = begun, is_held
        self._chapters: dict[str, ChapterReady] = {}
        self._teaching: dict[str, int] = {}
        self._kept: tuple[str, ...] = ()  # coordinates that the partition shall keep
        self._spoilt: set[str] = set()
        self._outdated: set[str] = set()  # of equations or of an instant before these
        self._writing: dict[int, str] = {}  # parts that are to be copied, by request
        self._instant: Instant | None = None  # of the chapter of contacts, None while hidden
        self._sent: Instant | None = None  # what was requested last

    @property
    def is_teaching(self) -> bool:
        """True while a chapter is being laid out."""
        return bool(self._teaching)

    def teaches(self, id: int) -> bool:
        """True if a request is for a chapter that is being laid out."""
        return id in self._teaching.values()

    def chapter(self, key: str, independent: tuple[str, ...] | None = None) -> ChapterReady | None:
        """The newest outline of a chapter, None before the first; requests it if there is none of
        these equations.

        independent: from now on the coordinates that the partition keeps, () for the program's
        choice.
        """
        again = independent is not None and independent != self._kept
        if again:
            self._kept = independent or ()
            self._pictures.outdate(lambda part: part.startswith(f"{key}/"))
            self._teaching.pop(key, None)
            self._spoilt.discard(key)
        requested = again or key not in self._chapters or key in self._outdated
        if (
            requested
            and key not in self._teaching
            and key not in self._spoilt
            and self._pictures.equations is not None
            and not (key == CONTACTS and self._pictures.is_pending(f"{CONTACTS}/"))
        ):
            id = self._post(lambda id: Teach(id, key, self._kept, *self._instant_of(key)))
            if not id:
                self._derive_again()
            else:
                self._teaching[key] = id
                if key not in self._chapters:
                    self._begun()
        return self._chapters.get(key)

    def write(self, part: str, format: str) -> None:
        """Have a chapter that is shown, or CHAPTER/key of a step, written as LaTeX, Typst or text
        ("latex", "typst", "text").
        """
        id = self._post(lambda id: Write(id, part, format))
        if id:
            self._writing[id] = part
        else:
            self._report(
                part,
                tr(
                    "its equations are not there, since they are old or their derivation stopped. "
                    "Derive the equations and copy again."
                ),
            )
            self._derive_again()

    # the chapter of contacts

    def look_at_contacts(self, instant: Instant | None) -> None:
        """Set the instant of the chapter of contacts; None while it is hidden."""
        if instant != self._instant:
            self._instant = instant
            if instant is not None:
                self._outdated.add(CONTACTS)
                self.follow_contacts()

    def follow_contacts(self) -> None:
        """Request the shown instant; a failed one is not requested again and again."""
        if self._instant is not None and CONTACTS in self._outdated and not self._is_held():
            self.chapter(CONTACTS)

    def _instant_of(self, key: str) -> Instant:
        """Instant that goes with the request for a chapter; an empty one for other chapters than
        that of contacts and where no instant is known.
        """
        if key != CONTACTS or self._instant is None:
            return (b"", None, "")
        self._sent = self._instant
        return self._instant

    # called by the derivations

    def take(self, report: ChapterReady | Written) -> bool:
        """Take in what has come; True if it is a chapter."""
        match report:
            case ChapterReady(id, key) if self._teaching.get(key) == id:
                del self._teaching[key]
                if key != CONTACTS or self._sent == self._instant:
                    self._outdated.discard(key)
                for step in report.fresh:
                    # a picture under way is of the instant before
                    self._pictures.replace(f"{key}/{step}")
                self._chapters[key] = report
                self.chapter_ready.emit(key)
                return True
            case Written(id, text, format) if id in self._writing:
                part = self._writing.pop(id)
                if text:
                    self.written.emit(text, format)
                else:
                    self._report(
                        part,
                        tr(
                            "the equations that it was shown of are not there any more. Wait "
                            "until it is laid out again and copy again."
                        ),
                    )
        return False

    def outdate(self) -> None:
        """There are other equations: every chapter is laid out again where it is requested next."""
        self._outdated |= self._chapters.keys()

    def layout_failed(self, id: int) -> bool:
        """Spoil the chapter that a request was for; False for another request."""
        keys = {key for key, pending in self._teaching.items() if pending == id}
        self._spoilt |= keys
        for key in keys:
            del self._teaching[key]
        return bool(keys)

    def writing_failed(self, id: int, error: str, log: str) -> bool:
        """Tell that a copy met an error of the program; False for another request."""
        part = self._writing.pop(id, None)
        if part is not None:
            self._report(
                part,
                tr(
                    "writing it met an error of its own ({error}). Try another format, and please "
                    "report it with {log}.",
                    error=error,
                    log=log,
                ),
            )
        return part is not None

    def spoil(self) -> bool:
        """Spoil all that is being laid out; True if the chapter of contacts is among it."""
        self._spoilt |= self._teaching.keys()
        return CONTACTS in self._teaching

    def pardon(self) -> None:
        """Let chapters that met an error be requested again."""
        self._spoilt.clear()

    def forget_pending(self, cause: str) -> None:
        """The process does not answer any more.  cause: why, as the copies that were requested are
        reported.
        """
        self._teaching.clear()
        parts, self._writing = list(self._writing.values()), {}
        for part in parts:
            self._report(part, cause)

    def forget(self) -> None:
        """There are no equations."""
        self._chapters.clear()

    def close(self) -> None:
        """Report no longer that a copy does not come."""
        self._writing.clear()

    def _report(self, part: str, cause: str) -> None:
        key, _, step = part.partition("/")
        chapter = self._chapters.get(key)
        title = (
            next((s.title for s in chapter.steps if s.key == step), "")
            if chapter is not None
            else ""
        )
        self.unwritten.emit(
            tr(
                "“{title}” was not copied: {cause}",
                title=title or CHAPTER_TITLES.get(key, key),
                cause=cause,
            )
        )
