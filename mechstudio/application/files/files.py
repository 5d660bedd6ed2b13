"""Files of the document: opened, saved, and what came back after a crash."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.files.exchange import ExchangeError, Opened, opened
from mechstudio.application.files.opening import Opening
from mechstudio.application.files.recovery import Recovery
from mechstudio.application.files.run_store import RunStore
from mechstudio.application.files.versions import Versions
from mechstudio.application.lessons.words import (
    in_english,
    in_shown_language,
    is_sample,
    origin_of,
    translated,
)
from mechstudio.application.notifications import OF_THE_PROGRAM, Message, Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.runs.runs import Runs
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.application.tools.bench import ToolBench
from mechstudio.files import runs as run_files
from mechstudio.files.durable import WriteFailed
from mechstudio.files.exchange.pack import pack
from mechstudio.files.pictures import Stowed, with_paths
from mechstudio.files.project_file import ProjectFileError, save
from mechstudio.model.findings import Finding
from mechstudio.model.geometry.work_plane import FRONT
from mechstudio.model.project import Camera, Project
from mechstudio.translation import tr


class Files:
    """Files of the document.

    copied: project of the sample that the document is, or is a copy of, as its file has it; None
    once the copy is a file of its own.
    opened(): another document, camera_requested holding its camera (None: it requests none).
    saved(path): the document stands in a file.
    camera_now(): camera of the view in W, camera_kept(): as a file keeps it; None while there is
    no view.  camera_on(): the body that it follows, "" for none.  The window supplies them.
    picture_now(): PNG of the view, None where there is none.
    opening: reads beside the window.  recovery: keeps unsaved work safe.  versions: the last saves.
    runs: stores kept runs beside the file.
    """

    def __init__(
        self,
        document: Document,
        selection: Selection,
        notifications: Notifications,
        preferences: Preferences,
        runs: Runs,
        tools: ToolBench,
    ) -> None:
        self.opened, self.saved = Signal(), Signal()
        self.camera_requested: Camera | None = None
        self.copied: Project | None = None
        self.camera_now: Callable[[], Camera | None] = lambda: None
        self.camera_kept: Callable[[], Camera | None] = lambda: None
        self.camera_on: Callable[[], str] = lambda: ""
        self.picture_now: Callable[[], bytes | None] = lambda: None
        self._document, self._selection, self._notifications = document, selection, notifications
        self._preferences, self._runs, self._tools = preferences, runs, tools
        self.opening = Opening(document, notifications, self._take, self._refuse)
        self.recovery = Recovery(document, notifications, preferences.kept)
        self.versions = Versions(document, notifications, preferences.kept)
        self.runs = RunStore(runs.kept, notifications)
        self.recovery.restored.connect(self._translate_copy)

    def poll(self) -> None:
        """Take a file that has been read, keep unsaved work safe, read and write runs."""
        self.opening.poll()
        self.recovery.poll()
        self.runs.poll()

    def new(self) -> None:
        """Begin an empty document."""
        self.show(Project(), None, None)

    def open(self, path: str | Path, as_copy: bool = False) -> bool:
        """Open a file, or a copy of it that has no place on disk yet; on failure say why and leave
        everything as it is.
        """
        try:
            found = opened(path)
        except (ProjectFileError, OSError, ExchangeError) as error:
            self._refuse(path, error)
            return False
        self._take(found, as_copy)
        self.opening.report(path, found)
        return True

    def _refuse(self, path: str | Path, error: Exception) -> None:
        """A file could not be opened."""
        self._notifications.say(Message("error", self._sentence(path, error), "file"))

    def _take(self, found: Opened, as_copy: bool) -> None:
        """Show a file that was read as the document; a copy gets no path."""
        self._notifications.withdraw("file")
        path = None if as_copy else found.path
        project = found.loaded.project
        of_sample = as_copy or (path is not None and is_sample(path))
        shown = translated(project) if of_sample else project
        self.show(shown, path, found.loaded.camera, found.loaded.findings)
        self.copied = project if of_sample else None
        if path is not None:
            self._preferences.add_recent(path)

    def _translate_copy(self) -> None:
        """Translate a restored copy of a sample into the language shown."""
        if self._document.path is None and (found := origin_of(self._document.project)):
            self.copied, spoke = found
            self._document.rewrite(lambda project: in_shown_language(project, found[0], spoke))

    def _written(self, path: str | Path) -> Project:
        """The document as its file has it: a sample that ships keeps the words of its file."""
        if self.copied is None or not self._is_that_sample(path):
            return self._document.project
        return in_english(self._document.project, self.copied)

    def _is_that_sample(self, path: str | Path) -> bool:
        return str(path) == self._document.path and is_sample(path)

    @staticmethod
    def _sentence(path: str | Path, error: Exception) -> str:
        """Error message of a file operation, with the name of the file."""
        name = Path(path).name
        if isinstance(error, FileNotFoundError):
            return tr("{name} is not there any more: it was moved or deleted.", name=name)
        if isinstance(error, OSError) and not isinstance(error, WriteFailed):
            return tr(
                "{name}: {strerror}. Nothing was changed.",
                name=name,
                strerror=error.strerror or error,
            )
        return str(error)

    def show(
        self,
        project: Project,
        path: str | None,
        camera: Camera | None,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        """Make this the document, as it stands in the file at `path`; findings are what reading it
        had to remark.
        """
        self._tools.rest()
        self._runs.playback.to_design()
        self._selection.select()
        self.copied = None
        self.camera_requested = camera
        self._tools.context.locked = camera is not None and camera.locked
        self._tools.set_plane(
            camera.plane if camera is not None and camera.plane is not None else FRONT
        )
        self._runs.kept.restore(())
        self._notifications.leave(OF_THE_PROGRAM)
        self._document.load(project, path)
        if findings:
            text = " ".join(f"{f.message} {f.cure}".strip() for f in findings[:2])
            more = (
                tr(" And {count} more notes.", count=len(findings) - 2) if len(findings) > 2 else ""
            )
            kind = "warning" if any(f.severity != "info" for f in findings) else "info"
            self._notifications.say(Message(kind, text + more, "load"))
        self.recovery.opened(path)
        self.runs.opened(path)
        self.opened.emit()

    def take_over(self, other: "Files") -> None:
        """Continue with the document of closed files, its history, its runs, and the known state of
        its file on disk.
        """
        # nothing is read again: runs that were forgotten are still beside the file
        self.show(other._document.project, None, other.view_now())
        self._document.take_over(other._document)
        self.copied = other.copied
        self.recovery.take_over(other.recovery)
        self.runs.take_over(other.runs)

    def save(self, path: str | Path, anyway: bool = False) -> bool:
        """Write the document with the present camera; on failure say why.  anyway: also over
        changes of another program.
        """
        if not anyway and self.recovery.changed_elsewhere(str(path)):
            self._notifications.say(
                Message(
                    "warning",
                    tr(
                        "{path} was changed by another window or program since it was opened "
                        "here. Saving replaces those changes; they stay in {path}~.",
                        path=Path(path).name,
                    ),
                    "file",
                    ((tr("Save anyway"), self.save_anyway),),
                )
            )
            return False
        try:
            stowed = save(path, self._written(path), self.view_now())
        except (ProjectFileError, OSError) as error:
            self._notifications.say(Message("error", self._sentence(path, error), "file"))
            return False
        self._notifications.withdraw("file")
        self._follow_pictures(stowed)
        if not self._is_that_sample(path):
            self.copied = None  # its words are those of this file from now on
        self._document.mark_saved(str(path))
        self.recovery.saved(str(path))
        self.versions.keep(str(path), self.picture_now)
        self.runs.saved(str(path))
        self.saved.emit(str(path))
        self._preferences.add_recent(str(path))
        return True

    def packing(self, target: Path) -> Callable[[], list[str]]:
        """A function for a thread that packs the drawing as it is now, with its pictures and saved
        runs; it returns sentences on what could not come along.
        """
        project, camera, path = self._document.project, self.view_now(), self._document.path
        folder = run_files.folder_of(path) if path is not None else None
        name = Path(path).stem if path is not None else target.stem
        return lambda: pack(target, name, project, camera, folder)

    def _follow_pictures(self, stowed: Stowed) -> None:
        """After a save: pictures are shown from where they were copied to, also in the steps that
        can be undone.
        """
        if stowed.moved:
            self._document.rewrite(
                lambda project: with_paths(project, lambda path: stowed.moved.get(path, path))
            )
        if stowed.reported:
            self._notifications.say(Message("info", " ".join(stowed.reported), "picture"))
        else:
            self._notifications.withdraw("picture")

    def view_now(self) -> Camera | None:
        """The camera with the work plane, as they are kept in the file."""
        camera, plane = self.camera_kept(), self._tools.context.plane
        return (
            None
            if camera is None
            else msgspec.structs.replace(
                camera, plane=None if plane == FRONT else plane, locked=self._tools.context.locked
            )
        )

    def save_anyway(self) -> None:
        if self._document.path is not None:
            self.save(self._document.path, anyway=True)
