"""The chapters that a window has laid out or copied; part of Derivations."""

from collections.abc import Callable

from mechstudio.application.questions.equations.contact_lessons import ContactLessons
from mechstudio.application.questions.equations.styles import Picture
from mechstudio.application.signal import Signal
from mechstudio.model.equations.lecture import CHAPTER_TITLES
from mechstudio.model.equations.terms import Equations
from mechstudio.protocol.derivation_messages import Taught, Teach, Write, Written
from mechstudio.protocol.solver_messages import Report, Request


class Lessons(ContactLessons):
    """A chapter that met an error is not asked for again by itself: `_spoilt` has it until the next
    edit or request.
    """

    changed: Signal
    taught: Signal
    written: Signal
    unwritten: Signal
    progress: float
    step: str
    equations: Equations | None
    _pictures: dict[str, Picture]
    _ask_anew: Callable[[], None]
    _post: Callable[[Callable[[int], Request]], int]

    def __init__(self) -> None:
        self._chapters: dict[str, Taught] = {}
        self._teaching: dict[str, int] = {}
        self._kept: tuple[str, ...] = ()  # coordinates that the partition shall keep
        self._spoilt: set[str] = set()
        self._writing: dict[int, str] = {}  # parts that are to be copied, by request

    @property
    def is_teaching(self) -> bool:
        """True while a chapter is being laid out."""
        return bool(self._teaching)

    def chapter(self, key: str, independent: tuple[str, ...] | None = None) -> Taught | None:
        """The newest outline of a chapter, None before the first; asks for it if there is none of
        these equations.

        independent: from now on the coordinates that the partition keeps, () for the program's
        choice.
        """
        anew = independent is not None and independent != self._kept
        if anew:
            self._kept = independent or ()
            self._outdated |= {p for p in self._pictures if p.startswith(f"{key}/")}
            self._teaching.pop(key, None)
            self._spoilt.discard(key)
        wanted = anew or key not in self._chapters or key in self._outdated
        if (
            wanted
            and key not in self._teaching
            and key not in self._spoilt
            and self.equations is not None
            and not self._waits_for_pictures(key)
        ):
            id = self._post(lambda id: Teach(id, key, self._kept, *self._instant_of(key)))
            if not id:
                self._ask_anew()
            else:
                self._teaching[key] = id
                if key not in self._chapters:
                    self.progress, self.step = 0.0, ""
                    self.changed.emit()
        return self._chapters.get(key)

    def write(self, part: str, format: str) -> None:
        """Have a chapter that is shown, or CHAPTER/key of a step, written as LaTeX, Typst or text
        ("latex", "typst", "text").
        """
        id = self._post(lambda id: Write(id, part, format))
        if id:
            self._writing[id] = part
        else:
            self._tell(
                part,
                (
                    "its equations are not there, since they are old or their derivation "
                    "stopped. Derive the equations and copy again."
                ),
            )
            self._ask_anew()

    def _take_lesson(self, report: Report) -> None:
        match report:
            case Taught(id, key) if self._teaching.get(key) == id:
                del self._teaching[key]
                self._refresh(report)
                self._chapters[key] = report
                self.taught.emit(key)
                self.changed.emit()
            case Written(id, text, format) if id in self._writing:
                part = self._writing.pop(id)
                if text:
                    self.written.emit(text, format)
                else:
                    self._tell(
                        part,
                        (
                            "the equations that it was shown of are not there any more. Wait "
                            "until it is laid out again and copy again."
                        ),
                    )

    def _lesson_failed(self, id: int, error: str, log: str) -> bool:
        """A request met an error of the program: whether it was for the copy of a chapter, which is
        told here.
        """
        part = self._writing.pop(id, None)
        if part is not None:
            self._tell(
                part,
                (
                    f"writing it met an error of its own ({error}). Try another format, and "
                    f"please report it with {log}."
                ),
            )
        return part is not None

    def _forget_lessons(self, cause: str) -> None:
        """The process does not answer any more.  cause: why, as the copies that were asked for are
        told.
        """
        self._teaching.clear()
        parts, self._writing = list(self._writing.values()), {}
        for part in parts:
            self._tell(part, cause)

    def _tell(self, part: str, cause: str) -> None:
        key, _, step = part.partition("/")
        chapter = self._chapters.get(key)
        title = (
            next((s.title for s in chapter.steps if s.key == step), "")
            if chapter is not None
            else ""
        )
        self.unwritten.emit(f"“{title or CHAPTER_TITLES.get(key, key)}” was not copied: {cause}")
